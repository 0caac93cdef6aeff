// Stands in for gomoku_pick in gomoku_search_proof: an arbitrary point or none (`data`, which the
// harness drives), with the latency of gomoku_pick.
module gomoku_pick
  import gomoku_pkg::*;
(
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  map_t                      source_i,
  input  key_t [Side-1:0][Side-1:0] keys_i,
  input  logic                      by_key_i,
  input  logic                      start_i,
  input  logic                      fresh_i,
  input  logic                      again_i,
  input  logic                      hold_i,
  input  logic                      abort_i,
  input  logic                      clear_i,
  input  logic                      restore_i,
  input  map_t                      restored_i,
  output logic                      busy_o,
  output logic                      done_o,
  output logic                      found_o,
  output point_t                    point_o,
  output map_t                      picked_o
);

  gomoku_search_pkg::pick_data_t data, data_q;

  logic       under_way_q, keyed_q;
  logic [2:0] age_q;
  logic       ends, held_q;  // it was done in the cycle before, and is held
  assign ends = under_way_q && age_q == (keyed_q ? 3'd6 : 3'd2);
  always_ff @(posedge clk_i) begin
    data_q <= {found_o, point_o};
    held_q <= ends && hold_i;
    if (!ends) age_q <= age_q + 3'd1;
    if (!rst_ni) begin
      under_way_q <= 1'b0;
    end else if (start_i || (done_o && found_o && again_i && !abort_i)) begin
      under_way_q <= 1'b1;
      keyed_q     <= by_key_i;
      age_q       <= 3'd1;
    end else if (done_o || abort_i) begin
      under_way_q <= 1'b0;
    end
  end

  assign busy_o   = under_way_q;
  assign done_o   = ends && !hold_i;
  assign found_o  = held_q ? data_q.found : data.found;
  assign point_o  = held_q ? data_q.point : data.point;
  assign picked_o = '0;

endmodule
