// The value of one column of the board, chosen by a mask of at most one bit; 0 without a bit.
// Combinational. `Of` has the columns that can be chosen: the others cost nothing.
module tetris_lane_pick
  import tetris_pkg::Columns, tetris_pkg::row_t;
#(
  parameter int unsigned Width = 1,
  parameter row_t        Of    = '1
) (
  input  logic [Columns-1:0][Width-1:0] values_i,
  input  row_t                          at_i,
  output logic [Width-1:0]              value_o
);

  always_comb begin
    value_o = '0;
    for (int unsigned c = 0; c < Columns; c++) begin
      if (Of[c]) value_o |= values_i[c] & {Width{at_i[c]}};
    end
  end

endmodule
