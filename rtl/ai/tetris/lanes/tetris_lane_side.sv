// The well cells that a piece adds to a column beside it. Combinational.
//
// On `cells_i`, rows from the piece's lowest cell in its edge column up, an empty cell with a
// filled one on its far side becomes a well cell. It adds its distance from the floor of its run to
// the cumulative wells. The floor of the run that reaches below these rows is not known here: that
// run has `number_o` new well cells. `top_o` gives the topmost of them; all new well cells together
// add number_o times its distance, plus `change_o`. The runs that begin in these rows add `sums_o`
// to the well sums.
module tetris_lane_side
  import tetris_lane_pkg::span_t;
(
  input  span_t             cells_i,   // filled cells of the column
  input  span_t             beyond_i,  // filled cells on its far side; 0 above the piece's column
  output logic [2:0]        number_o,
  output logic [2:0]        top_o,     // one more than its row of these, 0 without one
  output logic signed [4:0] change_o,  // of the cumulative wells
  output logic [2:0]        sums_o     // at most 1 + 2 + 3
);

  logic [3:0] low;   // new well cells in the run that reaches below
  logic [3:1] high;  // and in others

  always_comb begin
    for (int unsigned k = 0; k < 4; k++) begin
      low[k] = beyond_i[k] && (cells_i & span_t'((2 << k) - 1)) == '0;
    end
    for (int unsigned k = 1; k < 4; k++) begin
      high[k] = beyond_i[k] && !cells_i[k] && (cells_i & span_t'((1 << k) - 1)) != '0;
    end
  end

  logic [2:0] less;  // what the low ones below the topmost add less than it
  always_comb begin
    number_o = 3'($countones(low));
    top_o    = '0;
    less     = '0;
    if (low[3]) begin
      top_o = 3'd4;
      less  = (low[2] ? 3'd1 : 3'd0) + (low[1] ? 3'd2 : 3'd0) + (low[0] ? 3'd3 : 3'd0);
    end else if (low[2]) begin
      top_o = 3'd3;
      less  = (low[1] ? 3'd1 : 3'd0) + (low[0] ? 3'd2 : 3'd0);
    end else if (low[1]) begin
      top_o = 3'd2;
      less  = {2'b0, low[0]};
    end else if (low[0]) begin
      top_o = 3'd1;
    end
  end

  // Distances of the high ones from the filled cell below: one, two or three rows away
  logic [2:0] more;
  always_comb begin
    more = {2'b0, high[1]};
    if (high[2]) more += cells_i[1] ? 3'd1 : 3'd2;
    if (high[3]) more += cells_i[2] ? 3'd1 : cells_i[1] ? 3'd2 : 3'd3;
    // The topmost of each run counts; only one run can end below another that holds one.
    if (high[3])      sums_o = cells_i[2] ? (high[1] ? 3'd2 : 3'd1) : cells_i[1] ? 3'd3 : 3'd6;
    else if (high[2]) sums_o = cells_i[1] ? 3'd1 : 3'd3;
    else              sums_o = {2'b0, high[1]};
    change_o = 5'(more) - 5'(less);
  end

endmodule
