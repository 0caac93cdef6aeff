// Column heights of a board and the height of its stack.
//
// Combinational; the user registers the result. A height is the topmost filled row + 1, 0 for an
// empty column.
module tetris_heights import tetris_pkg::*; (
  input  board_t   board_i,
  output heights_t heights_o,
  output height_t  stack_o      // tallest column
);

  // Everything at or below a filled cell, per column: a thermometer code of the heights.
  board_t shadow;

  always_comb begin
    shadow[Rows-1] = board_i[Rows-1];
    for (int r = int'(Rows) - 2; r >= 0; r--) shadow[r] = shadow[r+1] | board_i[r];
  end

  always_comb begin
    heights_o = '0;
    stack_o   = '0;
    for (int unsigned r = 0; r < Rows; r++) begin
      stack_o = stack_o + height_t'(|shadow[r]);
      for (int unsigned c = 0; c < Columns; c++) begin
        heights_o[c] = heights_o[c] + height_t'(shadow[r][c]);
      end
    end
  end

endmodule
