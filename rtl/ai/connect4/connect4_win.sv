// Whether a side has four stones in a row: in a row, a column or a diagonal. Combinational.
module connect4_win (
  input  connect4_pkg::board_t board_i,
  output logic                 four_o
);

  // From a cell to the next one of a line: up, down to the right, to the right, up to the right
  localparam int unsigned Up = 1;
  localparam int unsigned Height = connect4_pkg::Rows + 1;

  // Pairs of neighbours, then two pairs that touch
  function automatic logic has_four(logic [$bits(board_i)-1:0] board, int unsigned step);
    logic [$bits(board_i)-1:0] pairs;
    pairs = board & (board >> step);
    return |(pairs & (pairs >> (2 * step)));
  endfunction

  assign four_o = has_four(board_i, Up) || has_four(board_i, Height - 1) ||
                  has_four(board_i, Height) || has_four(board_i, Height + 1);

endmodule
