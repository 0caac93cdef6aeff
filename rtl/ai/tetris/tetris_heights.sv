// Column heights of a board and the height of its stack.
//
// Combinational; the user registers the result. A height is the topmost filled row + 1, 0 for an
// empty column.
module tetris_heights
  import tetris_pkg::Columns, tetris_pkg::Rows, tetris_pkg::board_t, tetris_pkg::height_t,
         tetris_pkg::heights_t, tetris_pkg::row_t;
(
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

  // A code has one step, so the height is an OR over the rows: a chain of adders would be deep.
  board_t          above;  // shadow of the row above
  logic [Rows-1:0] any, any_above;

  assign above     = {row_t'(0), shadow[Rows-1:1]};
  assign any_above = {1'b0, any[Rows-1:1]};

  always_comb begin
    for (int unsigned r = 0; r < Rows; r++) any[r] = |shadow[r];
  end

  always_comb begin
    heights_o = '0;
    stack_o   = '0;
    for (int unsigned r = 0; r < Rows; r++) begin
      if (any[r] && !any_above[r]) stack_o |= height_t'(r + 1);
      for (int unsigned c = 0; c < Columns; c++) begin
        if (shadow[r][c] && !above[r][c]) heights_o[c] |= height_t'(r + 1);
      end
    end
  end

endmodule
