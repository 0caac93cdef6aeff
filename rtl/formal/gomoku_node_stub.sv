// Stands in for gomoku_node in gomoku_search_proof: arbitrary values (`data`, which the harness
// drives), and of the stack only what gomoku_node_proof shows: the ply, whether it is the horizon,
// the stone that led to the node. A block is forced only above the deepest ply.
module gomoku_node
  import gomoku_pkg::*;
(
  input  logic       clk_i,
  input  logic       lines_i,
  input  weights_t   weights_i,
  input  ply_t       limit_i,
  input  logic       idle_i,
  input  logic       root_i,
  input  logic       push_i,
  input  logic       pop_i,
  input  logic       none_i,
  input  logic       picked_i,
  input  point_t     stone_i,

  input  count_t     counts_i,
  input  logic [1:0] five_i,
  input  logic [1:0] open4_i,
  input  logic       run_i,
  input  logic       enter_soon_i,
  input  logic       five_soon_i,
  input  logic       open4_soon_i,
  input  logic       ended_i,
  input  logic       keep_i,
  output logic       ends_o,
  output logic       forces_o,
  output value_t     compared_o,
  output logic       better_o,
  output logic       cuts_o,

  output ply_t       ply_o,
  output logic       at_root_o,
  output logic       horizon_o,
  output kind_t      kind_o,
  output logic [7:0] left_o,
  output point_t     stone_o,

  input  picks_t     picks_i,
  output picks_t     below_o
);

  gomoku_search_pkg::node_data_t data;

  ply_t   ply_q, ply_before_q;
  point_t stone_q [32];  // by the ply it led to
  always_ff @(posedge clk_i) begin
    ply_before_q <= ply_q;
    if (idle_i) ply_q <= '0;
    if (push_i) begin
      ply_q                   <= ply_q + 5'd1;
      stone_q[ply_q + 5'd1]   <= stone_i;
    end
    if (pop_i) ply_q <= ply_q - 5'd1;
  end

  assign ends_o     = data.ends;
  assign forces_o   = data.forces && ply_before_q != ply_t'(MaxDepth - 1);
  assign compared_o = data.compared;
  assign better_o   = data.better;
  assign cuts_o     = data.cuts;
  assign ply_o      = ply_q;
  assign at_root_o  = ply_q == '0;
  assign horizon_o  = ply_q + 5'd1 >= limit_i;
  assign kind_o     = data.kind;
  assign left_o     = data.left;
  assign stone_o    = stone_q[ply_q];
  assign below_o    = '{picked: '0, next_valid: data.next_valid, next: data.next};

endmodule
