// gomoku_runs: on any line each run of each colour is reported once, where it begins, in the class
// of its length and its empty ends. A run without an empty end is in no class, unless it has five
// stones or more.
module gomoku_runs_proof
  import gomoku_pkg::*;
(
  input logic   clk_i,
  input cells_t cells_i,
  input logic   colour_i,
  input coord_t place_i
);

  logic live_q = 1'b0;
  always_ff @(posedge clk_i) live_q <= 1'b1;

  places_t [1:0][6:1] runs;
  gomoku_runs u_dut (
    .cells_i,
    .runs_o (runs)
  );

  // What is at a place: beyond the line and beyond the board neither
  function automatic logic stone(cells_t cells, logic colour, int signed at);
    return at >= 0 && at < int'(Side) && cells[colour][at] && !cells[!colour][at];
  endfunction

  function automatic logic empty(cells_t cells, int signed at);
    return at >= 0 && at < int'(Side) && !cells[0][at] && !cells[1][at];
  endfunction

  logic       begins;
  logic [3:0] length;
  logic [1:0] ends;   // that are empty
  logic [2:0] class_;
  always_comb begin
    begins = 1'b0;
    length = '0;
    ends   = '0;
    for (int signed at = 0; at < int'(Side); at++) begin
      if (at == int'(place_i)) begin
        begins = stone(cells_i, colour_i, at) && !stone(cells_i, colour_i, at - 1);
        ends   = 2'(empty(cells_i, at - 1));
      end
    end
    for (int signed at = 0; at < int'(Side); at++) begin
      if (at == int'(place_i) + int'(length) && stone(cells_i, colour_i, at)) length++;
    end
    for (int signed at = 0; at < int'(Side); at++) begin
      if (at == int'(place_i) + int'(length) && empty(cells_i, at)) ends++;
    end
    class_ = '0;
    if (begins && length >= 4'd5) class_ = 3'd6;
    else if (begins && ends != '0) class_ = 3'(length) + 3'(ends) - 3'd1;
  end

  logic classed;
  always_comb begin
    classed = 1'b1;
    for (int unsigned k = 1; k < 7; k++) begin
      if (runs[colour_i][k][place_i] != (class_ == 3'(k))) classed = 1'b0;
    end
  end

  always_comb begin
    Place_M: assume (place_i < 4'(Side));
    if (live_q) Class_A: assert (classed);
    Six_C:    cover (live_q && length == 4'd6 && class_ == 3'd6);
    Four_C:   cover (live_q && class_ == 3'd5 && place_i == 4'd10);
    Closed_C: cover (live_q && begins && length == 4'd4 && class_ == '0);
  end

endmodule
