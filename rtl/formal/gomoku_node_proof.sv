// gomoku_node: the frame that a node is left with is the one it has again when its child is left:
// bounds, best value, candidates left, those picked and the next one; likewise the stone that led
// to it. Ply, root and horizon are right, and no block is forced after the last ply.
//
// One arbitrary level is watched. Its inputs keep the module's contract (gomoku_search_proof shows
// that): a child is left three cycles after it was entered at the earliest, a node two cycles after
// another one was left.
module gomoku_node_proof
  import gomoku_pkg::*;
(
  input logic       clk_i,
  input ply_t       level_i,
  input logic       lines_i,
  input weights_t   weights_i,
  input ply_t       limit_i,
  input logic       idle_i,
  input logic       root_i,
  input logic       push_i,
  input logic       pop_i,
  input logic       none_i,
  input logic       picked_i,
  input point_t     stone_i,
  input count_t     counts_i,
  input logic [1:0] five_i,
  input logic [1:0] open4_i,
  input logic       run_i,
  input logic       enter_soon_i,
  input logic       five_soon_i,
  input logic       open4_soon_i,
  input logic       ended_i,
  input logic       keep_i,
  input picks_t     picks_i
);

  logic       unused_ends, unused_better, unused_cuts, at_root, horizon, forces;
  value_t     unused_compared;
  ply_t       ply, limit_q;
  kind_t      unused_kind;
  logic [7:0] left;
  point_t     stone;
  picks_t     below;

  gomoku_node u_dut (
    .clk_i,
    .lines_i,
    .weights_i,
    .limit_i    (limit_q),
    .idle_i,
    .root_i,
    .push_i,
    .pop_i,
    .none_i,
    .picked_i,
    .stone_i,
    .counts_i,
    .five_i,
    .open4_i,
    .run_i,
    .enter_soon_i,
    .five_soon_i,
    .open4_soon_i,
    .ended_i,
    .keep_i,
    .ends_o     (unused_ends),
    .forces_o   (forces),
    .compared_o (unused_compared),
    .better_o   (unused_better),
    .cuts_o     (unused_cuts),
    .ply_o      (ply),
    .at_root_o  (at_root),
    .horizon_o  (horizon),
    .kind_o     (unused_kind),
    .left_o     (left),
    .stone_o    (stone),
    .picks_i,
    .below_o    (below)
  );

  typedef struct packed {
    value_t     best;
    value_t     alpha;
    value_t     beta;
    logic [7:0] left;
    kind_t      kind;
    point_t     stone;
  } frame_t;

  ply_t            level_q, ply_q;
  logic            begun_q;            // idle has come, and a root
  logic            at_work_q;
  logic [2:1]      pushed_q, popped_q;  // so many cycles ago
  logic [4:1]      steady_q;            // the ply has been for so many cycles
  frame_t          frame_now, frame_q;
  logic            below_q;            // the level watched is on the stack
  picks_t          picks_q;
  point_t          stone_q;            // that led to it
  logic            visit_q;
  logic            first_q = 1'b1;

  // What a node is left with: what was kept before, and one candidate less if one is picked now
  always_comb begin
    frame_now      = u_dut.frame_q;
    frame_now.left = left - 8'(picked_i);
  end

  always_ff @(posedge clk_i) begin
    first_q <= 1'b0;
    if (first_q) level_q <= level_i;
    if (first_q || idle_i) limit_q <= limit_i;
    if (first_q) begun_q <= 1'b0;
    else if (idle_i) begun_q <= 1'b1;
    if (first_q || idle_i) at_work_q <= 1'b0;
    else if (root_i) at_work_q <= 1'b1;
    pushed_q <= {pushed_q[1], push_i};
    popped_q <= {popped_q[1], pop_i};
    steady_q <= (idle_i || root_i || push_i || pop_i) ? '0 : {steady_q[3:1], 1'b1};
    if (idle_i) ply_q <= '0;
    if (push_i) ply_q <= ply_q + 5'd1;
    if (pop_i) ply_q <= ply_q - 5'd1;

    if (first_q || idle_i || (pop_i && ply_q == level_q)) visit_q <= 1'b0;
    else if (push_i && ply_q + 5'd1 == level_q) visit_q <= 1'b1;
    if (push_i && ply_q + 5'd1 == level_q) stone_q <= stone_i;

    if (first_q || idle_i || (pop_i && ply_q == level_q + 5'd1)) below_q <= 1'b0;
    else if (push_i && ply_q == level_q) below_q <= 1'b1;
    if (push_i && ply_q == level_q) begin
      frame_q <= frame_now;
      picks_q <= picks_i;
    end
  end

  logic back;  // the level watched is the one that the stack has uppermost
  assign back = below_q && ply_q == level_q + 5'd1;

  always_comb begin
    Level_M: assume (level_i < 5'd23);
    Limit_M: assume (limit_i != '0 && limit_i <= 5'd24);
    First_M: assume (!first_q || !(root_i || push_i || pop_i));
    One_M:   assume ($onehot0({idle_i, root_i, push_i, pop_i}));
    Root_M:  assume (!root_i || (begun_q && !at_work_q && ply_q == '0));
    Work_M:  assume (!(push_i || pop_i) || at_work_q);
    Push_M:  assume (!push_i || (ply_q < 5'd23 && steady_q[1]));
    Pop_M:   assume (!pop_i || (ply_q != '0 && pushed_q == '0 && !popped_q[1]));
    Pick_M:  assume (!picked_i || !(root_i || pop_i));
    if (!first_q) Level_A: assert (level_q < 5'd23 && limit_q != '0 && limit_q <= 5'd24);
    if (begun_q && !first_q) begin
      // What is claimed
      Ply_A:      assert (ply == ply_q && at_root == (ply_q == '0));
      Horizon_A:  assert (!at_work_q || horizon == (ply_q + 5'd1 >= limit_q));
      Restored_A: assert (!(pop_i && back) || (u_dut.frame_d == frame_q && below == picks_q));
      Stone_A:    assert (!(visit_q && ply_q == level_q) || stone == stone_q);
      Forces_A:   assert (!(forces && steady_q == '1) || ply_q < 5'd23);
      // How it comes about
      Deep_A:     assert (ply_q < 5'd24 && (at_work_q || ply_q == '0));
      Where_A:    assert (below_q == (at_work_q && ply_q > level_q) &&
                          visit_q == (at_work_q && level_q != '0 && ply_q >= level_q));
      Address_A:  assert (u_dut.below_addr_q == ply_q - 5'd1 &&
                          u_dut.second_addr_q == ply_q - 5'd2);
      Stack_A:    assert (!below_q || u_dut.stack_q[level_q] == {frame_q, picks_q.next_valid,
                                                                  picks_q.next});
      Map_A:      assert (!below_q || u_dut.picked_mem[level_q] == picks_q.picked);
      Kept_A:     assert (!(below_q && visit_q) || frame_q.stone == stone_q);
      Below_A:    assert (!(back && !pushed_q[1] && !popped_q[1]) ||
                          u_dut.below_q == {frame_q, picks_q.next_valid, picks_q.next});
      Read_A:     assert (!(back && !pushed_q[1]) || u_dut.read_q == picks_q.picked);
      Picked_A:   assert (!(back && pushed_q == '0 && !popped_q[1]) ||
                          u_dut.picked_q == picks_q.picked);
      Last_A:     assert (!(at_work_q && !pushed_q[1] && !popped_q[1]) ||
                          (u_dut.last_q == (limit_q == ply_q + 5'd1) &&
                           u_dut.last_but_one_q == (limit_q == ply_q + 5'd2)));
      Deepest_A:  assert ((!steady_q[2] || u_dut.u_value.deepest_q == (ply_q == 5'd23)) &&
                          (!steady_q[3] || !u_dut.u_value.extends_q || ply_q != 5'd23));
      Steady_A:   assert ((steady_q & ~{steady_q[3:1], 1'b1}) == '0 &&
                          (!steady_q[1] || (!pushed_q[1] && !popped_q[1])) &&
                          (!steady_q[2] || pushed_q == '0));
    end
    Back_C:  cover (begun_q && pop_i && back && level_q == 5'd1 && picks_q.picked != '0);
    Again_C: cover (begun_q && push_i && popped_q[2] && level_q == 5'd0 && !horizon);
  end

endmodule
