// The floor of an empty run: one more than the highest row with a filled cell, 0 without one.
// Combinational. Its user leaves out the cells that are not below the run.
module tetris_lane_floor
  import tetris_pkg::Rows, tetris_pkg::height_t;
(
  input  logic [Rows-1:0] below_i,  // [r] = row r
  output height_t         floor_o
);

  // In fours: the highest cell of each four, then of the fours.
  localparam int unsigned Fours = Rows / 4;

  // One more than the highest of four cells, modulo 4; one of them is filled. Of the lowest,
  // nothing is asked.
  function automatic logic [1:0] highest(logic [3:1] cells);
    if (cells[3]) return 2'd0;
    if (cells[2]) return 2'd3;
    if (cells[1]) return 2'd2;
    return 2'd1;
  endfunction

  always_comb begin
    floor_o = '0;
    for (int unsigned k = 0; k < Fours; k++) begin
      if (below_i[4*k+:4] != '0) begin
        floor_o = {below_i[4*k+3] ? 3'(k + 1) : 3'(k), highest(below_i[4*k+1+:3])};
      end
    end
  end

endmodule
