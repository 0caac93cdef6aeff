// Tetris as host/games/src/tetris/README.md defines it, for the proofs: pieces, heights, landing.
// Written from that page, not from the RTL; nothing here is meant to be small or fast.
package tetris_def_pkg;

  localparam int unsigned Columns = 10;
  localparam int unsigned Rows    = 20;

  typedef logic [Rows-1:0][Columns-1:0] board_t;  // [row from the bottom][column from the left]

  // Cells of a piece in a rotation, [dy from the bottom][dx from the left]; none if the piece has
  // no such rotation. In the numbers the lines are from the top to the bottom, and in each the left
  // column is the last digit.
  typedef logic [3:0][3:0] cells_t;

  function automatic cells_t cells(logic [2:0] piece, logic [1:0] rotation);
    unique case ({piece, rotation})
      {3'd0, 2'd0}: return 16'b0001_0001_0001_0001;  // I
      {3'd0, 2'd1}: return 16'b0000_0000_0000_1111;
      {3'd1, 2'd0}: return 16'b0000_0000_0011_0011;  // O
      {3'd2, 2'd0}: return 16'b0000_0000_0010_0111;  // T
      {3'd2, 2'd1}: return 16'b0000_0010_0011_0010;
      {3'd2, 2'd2}: return 16'b0000_0000_0111_0010;
      {3'd2, 2'd3}: return 16'b0000_0001_0011_0001;
      {3'd3, 2'd0}: return 16'b0000_0000_0110_0011;  // S
      {3'd3, 2'd1}: return 16'b0000_0001_0011_0010;
      {3'd4, 2'd0}: return 16'b0000_0000_0011_0110;  // Z
      {3'd4, 2'd1}: return 16'b0000_0010_0011_0001;
      {3'd5, 2'd0}: return 16'b0000_0000_0001_0111;  // J
      {3'd5, 2'd1}: return 16'b0000_0010_0010_0011;
      {3'd5, 2'd2}: return 16'b0000_0000_0111_0100;
      {3'd5, 2'd3}: return 16'b0000_0011_0001_0001;
      {3'd6, 2'd0}: return 16'b0000_0000_0100_0111;  // L
      {3'd6, 2'd1}: return 16'b0000_0001_0001_0011;
      {3'd6, 2'd2}: return 16'b0000_0000_0111_0001;
      {3'd6, 2'd3}: return 16'b0000_0011_0010_0010;
      default:      return '0;
    endcase
  endfunction

  // The piece lies inside the columns of the board, its left column being this one.
  function automatic logic fits(logic [2:0] piece, logic [1:0] rotation, logic [3:0] column);
    cells_t piece_cells;
    logic   fitting;
    piece_cells = cells(piece, rotation);
    fitting      = piece_cells != '0;
    for (int unsigned dy = 0; dy < 4; dy++) begin
      for (int unsigned dx = 0; dx < 4; dx++) begin
        if (piece_cells[dy][dx] && 32'(column) + dx >= Columns) fitting = 1'b0;
      end
    end
    return fitting;
  endfunction

  // The height of a column: its topmost filled row + 1, 0 if it is empty.
  function automatic logic [4:0] height(board_t board, int unsigned column);
    logic [4:0] top;
    top = '0;
    for (int unsigned r = 0; r < Rows; r++) begin
      if (board[r][column]) top = 5'(r + 1);
    end
    return top;
  endfunction

  // ------------------------------------------------------------------ scores, digit by digit
  // A weight has two digits: its lower 17 bits, and the rest with the sign.
  typedef logic signed [63:0] wide_t;  // for any sum

  localparam int unsigned LowBits = 17;

  function automatic wide_t low_of(logic signed [31:0] weight);
    return wide_t'({1'b0, unsigned'(weight) % 32'(1 << LowBits)});
  endfunction

  function automatic wide_t high_of(logic signed [31:0] weight);
    return wide_t'(weight) >>> LowBits;
  endfunction

  // Whether sums of so many products of a digit and a feature, `most` at most, are possible ones
  function automatic logic bounded(wide_t low, wide_t high, int unsigned products,
                                   int unsigned most);
    return low >= 0 && low <= wide_t'(products) * wide_t'(most) * 64'sd131_071 &&
           high <= wide_t'(products) * wide_t'(most) * 64'sd16_384 &&
           high >= -wide_t'(products) * wide_t'(most) * 64'sd16_384;
  endfunction

endpackage
