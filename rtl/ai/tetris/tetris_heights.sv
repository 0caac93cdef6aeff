// Column heights of a board and the height of its stack.
//
// Registered: the heights of the board in a cycle with `en_i` are given from the next cycle on. A height is the topmost filled row + 1, 0 for an
// empty column.
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

  // Everything at or below a filled cell, per column: a thermometer code of the heights.
  function automatic board_t shadow_of(board_t board);
    board_t shadow;
    shadow[Rows-1] = board[Rows-1];
    for (int r = int'(Rows) - 2; r >= 0; r--) shadow[r] = shadow[r+1] | board[r];
    return shadow;
  endfunction

  // Where a code has its step: an OR over the rows finds it, a chain of adders would be deep.
  // Computed where it is kept, so that a simulation does so once a board, not in every cycle.
  always_ff @(posedge clk_i) begin
    if (en_i) begin
      automatic board_t   shadow = shadow_of(board_i);
      automatic board_t   step   = shadow & ~{row_t'(0), shadow[Rows-1:1]};
      automatic heights_t heights = '0;
      automatic height_t  stack   = '0;
      for (int unsigned r = 0; r < Rows; r++) begin
        if ((|shadow[r]) && (r == Rows - 1 || !(|shadow[r+1]))) stack |= height_t'(r + 1);
        for (int unsigned c = 0; c < Columns; c++) begin
          if (step[r][c]) heights[c] |= height_t'(r + 1);
        end
      end
      heights_o <= heights;
      stack_o   <= stack;
    end
  end

endmodule
