// Column heights of a board and the height of its stack, from two cycles after en_i on, which
// takes board_i. A height is the topmost filled row + 1, 0 for an empty column.
module tetris_heights
  import tetris_pkg::Columns, tetris_pkg::Rows, tetris_pkg::board_t, tetris_pkg::height_t,
         tetris_pkg::heights_t, tetris_pkg::row_t;
(
  input  logic     clk_i,
  input  logic     en_i,
  input  board_t   board_i,
  output heights_t heights_o,
  output height_t  stack_o      // tallest column
);

  // Halves first, each by itself, then the upper one decides.
  localparam int unsigned Half = Rows / 2;
  typedef logic [Half-1:0] half_t;
  typedef logic [$clog2(Half+1)-1:0] half_height_t;

  // The last column stands for the stack: all columns together.
  half_height_t [Columns:0] low_q, high_q;
  logic                     en_q;

  // The topmost set bit + 1; 0 without one
  function automatic half_height_t height_of(half_t cells);
    half_height_t height;
    height = '0;
    for (int unsigned r = 0; r < Half; r++) begin
      if (cells[r]) height = half_height_t'(r + 1);
    end
    return height;
  endfunction

  // Half of a column, from row `from` up; for `Columns`, one past the last column, which of these
  // rows are not empty
  function automatic half_t half_of(board_t board, int unsigned column, int unsigned from);
    half_t cells;
    for (int unsigned r = 0; r < Half; r++) begin
      cells[r] = |(board[from+r] & ((column == Columns) ? '1 : row_t'(1) << column));
    end
    return cells;
  endfunction

  // Computed where they are kept: a simulation does so once a board, not in every cycle.
  always_ff @(posedge clk_i) begin
    en_q <= en_i;
    if (en_i) begin
      for (int unsigned c = 0; c <= Columns; c++) begin
        low_q[c]  <= height_of(half_of(board_i, c, 0));
        high_q[c] <= height_of(half_of(board_i, c, Half));
      end
    end
    if (en_q) begin
      for (int unsigned c = 0; c < Columns; c++) heights_o[c] <= joined(high_q[c], low_q[c]);
      stack_o <= joined(high_q[Columns], low_q[Columns]);
    end
  end

  function automatic height_t joined(half_height_t high, half_height_t low);
    return (high == '0) ? height_t'(low) : height_t'(high) + height_t'(Half);
  endfunction

  if (Rows % 2 != 0) begin : gen_odd
    $error("the rows do not make two halves");
  end

endmodule
