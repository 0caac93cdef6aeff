// gomoku_search, gomoku_operation: stones are put and taken back in turn. What is taken is the
// stone put last, of its side; a node is searched with the stones that lead to it on the board and
// no other, whatever is scored; a search that is over has taken all of them. The stack has no more
// than 23 frames, and no frame is taken from an empty one. A cancel, at any time, ends the search
// in two cycles, and the board is cleared after it.
//
// Operations on the board keep its contract: two cycles apart, and on a line that was written not
// three cycles later; a killed operation has written nothing, except at a cancel. Picks begin only
// when gomoku_pick allows it.
//
// One arbitrary level is watched: the stone that leads from it. Board, pick and node are stubs with
// arbitrary answers: the pick with the latency of its head, the stack as gomoku_node_proof shows it.
// After the first cycles of a clear there are no candidates.
module gomoku_search_proof
  import gomoku_pkg::*;
(
  input logic                           clk_i,
  input ply_t                           level_i,
  input gomoku_search_pkg::board_data_t board_i,
  input gomoku_search_pkg::pick_data_t  pick_i,
  input gomoku_search_pkg::node_data_t  node_i,
  input weights_t                       weights_i,
  input logic                           cancel_i,
  input logic                           req_valid_i,
  input request_t                       req_i,
  input logic                           node_ready_i,
  input logic                           rsp_ready_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic      req_ready, node_valid, rsp_valid, cancelled;
  progress_t unused_progress;
  node_t     unused_node;
  weights_t  weights_q;  // steady while it searches
  ply_t      level_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) level_q <= level_i;
    if (!rst_n || (req_ready && !req_valid_i)) weights_q <= weights_i;
  end

  gomoku_search u_dut (
    .clk_i,
    .rst_ni       (rst_n),
    .weights_i    (weights_q),
    .cancel_i,
    .req_valid_i,
    .req_ready_o  (req_ready),
    .req_i,
    .progress_o   (unused_progress),
    .node_valid_o (node_valid),
    .node_ready_i,
    .node_o       (unused_node),
    .rsp_valid_o  (rsp_valid),
    .rsp_ready_i,
    .cancelled_o  (cancelled)
  );
  assign u_dut.u_board.data = board_i;
  assign u_dut.u_pick.data  = pick_i;
  assign u_dut.u_node.data  = node_i;

  // ------------------------------------------------------------------------ what is asked for
  state_e state;
  ply_t   ply;
  logic   given, put, take, setup, cancel;
  assign state  = state_e'(u_dut.state_q);
  assign ply    = u_dut.ply;
  assign given  = u_dut.op_valid && !u_dut.kill;
  assign setup  = state inside {StOwn, StOpponent};
  assign put    = given && u_dut.op == OpPut && !setup;
  assign take   = given && u_dut.op == OpTake;
  assign cancel = u_dut.cancel_q && u_dut.working;

  ply_t       stones_q;        // put by the search, and not taken back
  point_t     stone_q;         // that of the level watched
  logic       colour_q;
  logic [6:1] given_q, wrote_q;  // so many cycles ago
  logic       cancel_q;
  logic [2:1] pushed_q;
  logic       popped_q;
  logic [10:0] operation_q;
  always_ff @(posedge clk_i) begin
    cancel_q    <= rst_n && cancel;
    pushed_q    <= {pushed_q[1], u_dut.push_q};
    popped_q    <= u_dut.pop;
    operation_q <= {u_dut.op_point, u_dut.op_colour, u_dut.op};
    if (!rst_n || u_dut.kill) begin
      given_q <= '0;
      wrote_q <= '0;
    end else begin
      given_q <= {given_q[5:1], u_dut.op_valid};
      wrote_q <= {wrote_q[5:1], u_dut.op_valid && u_dut.op inside {OpPut, OpTake}};
    end
    if (put) stones_q <= stones_q + 5'd1;
    if (put && stones_q == level_q) begin
      stone_q  <= u_dut.op_point;
      colour_q <= u_dut.op_colour;
    end
    if (take) stones_q <= stones_q - 5'd1;
    if (!rst_n || state inside {StClear, StIdle}) stones_q <= '0;
  end

  // The stone of the level watched, where the search has it
  logic   there;
  point_t stone_there;
  assign there       = stones_q > level_q;
  assign stone_there = (level_q < ply) ? u_dut.u_node.stone_q[level_q + 5'd1] : u_dut.op_point;

  // ------------------------------------------------------------------------------------ picks
  logic       picks, ends, keyed;
  logic [2:0] age;
  assign picks = u_dut.u_pick.under_way_q;
  assign ends  = u_dut.u_pick.ends;
  assign keyed = u_dut.u_pick.keyed_q;
  assign age   = u_dut.u_pick.age_q;

  // ---------------------------------------------------------------------------- by the states
  logic [10:1] leaf;
  logic [6:1]  stage;
  logic        v, push;
  op_e         op;
  assign leaf  = u_dut.u_operation.leaf_q;
  assign stage = u_dut.u_operation.stage_q;
  assign v     = u_dut.op_valid;
  assign push  = u_dut.push_q;
  assign op    = u_dut.op;

  logic shape;  // of what is under way
  always_comb begin
    shape = 1'b1;
    unique case (state)
      StOwn, StOpponent: begin
        shape = (!v || (op == OpPut && picks && age == 3'd1)) && leaf == '0 && !(picks && keyed) &&
                (!picks || age == 3'd1 || age == 3'd2) &&
                (u_dut.first_q ? !picks && !v && !stage[1] && !stage[3] : picks) &&
                (!(picks && age == 3'd1) || (!stage[1] && !(v && stage[3]) &&
                                            (v || (!stage[2])))) &&
                (!(picks && age == 3'd2) || (!v && !stage[2]));
      end
      StSettle: shape = !v && leaf == '0 && !picks && (u_dut.first_q ? !stage[1] :
                        !stage[1] && !stage[2] && (u_dut.count_q < 6'd1 || !stage[3]) &&
                        (u_dut.count_q < 6'd2 || !stage[4]) && u_dut.count_q < 6'd3);
      StRoot:   shape = !v && leaf == '0 && !picks && stage[5:1] == '0;
      StFirst:  shape = !v && leaf == '0 && !picks && stage == '0;
      StLook:   shape = !v && leaf == '0 && stage == '0 && (!u_dut.first_q || !picks);
      StLooked: shape = leaf == '0 && !picks && $onehot({v, stage}) && (!v || op == OpLook);
      StPick:   shape = !v && leaf == '0 && stage == '0 &&
                        (!push || (picks && age == 3'd1 && ply < 5'd23)) &&
                        picks &&
                        (!(u_dut.u_node.ply_before_q != ply) || age <= 3'd2 || ply == '0);
      StPlay:   shape = leaf == '0 && !push && op == OpPut && u_dut.op_colour == ply[0] &&
                        $onehot({v, stage[5:1], u_dut.enter}) && (!u_dut.enter || stage[6]) &&
                        ply < 5'd23 && (v || !u_dut.hold_q) &&
                        (!u_dut.begin_q || (v && !picks)) &&
                        (!picks || v || ends || (age >= 3'd1 && stage[1]) ||
                         (age >= 3'd2 && stage[2]) || (age >= 3'd3 && stage[3]) ||
                         (age >= 3'd4 && stage[4]) || (age >= 3'd5 && stage[5]));
      StEnded:  shape = v && op == OpTake && u_dut.op_colour == ply[0] && stage == '0 &&
                        leaf == '0 && !push && !picks;
      StLeaf:   shape = (!v || (op == OpScore && (!picks || age == 3'd1))) && !push &&
                        stage[5:1] == leaf[5:1] && wrote_q[5:1] == '0 && (!stage[6] || leaf[6] ||
                        wrote_q[6]) && (!u_dut.begin_q || (v && !picks)) &&
                        (!(v && stage[1])) && u_dut.u_node.ply_before_q == ply;
      StReturn: shape = v && op == OpTake && u_dut.op_colour == !ply[0] && leaf == '0 && !push &&
                        ply != '0 && !stage[1] && !stage[3] && u_dut.left_q;
      StTake:   shape = !v && leaf == '0 && !push && !picks && !stage[2] && !stage[4];
      StTell:   shape = !v && leaf == '0 && !push && !stage[1] &&
                        (u_dut.leaf_told_q ? stage == '0 : !picks) &&
                        u_dut.trace_q && u_dut.u_node.ply_before_q == ply;
      StResume: shape = !v && leaf == '0 && !push && !picks && u_dut.u_node.ply_before_q == ply;
      StLeave:  shape = !v && leaf == '0 && !push && !stage[1] && !stage[2];
      StNone:   shape = !v && leaf == '0 && !push && (!u_dut.first_q || !picks);
      StEnd:    shape = !v && leaf == '0 && (cancelled || !push);
      StClear:  shape = !v && (!push || u_dut.count_q == '0) && leaf == '0 &&
                        (stage & 6'((7'd1 << u_dut.count_q) - 7'd1)) == '0;
      StIdle:   shape = !v && !push && leaf == '0 && !picks && stage == '0;
      default:  shape = 1'b0;
    endcase
  end

  // The stack has had its time.
  logic settled;
  always_comb begin
    settled = 1'b1;
    if (state == StPick && (push || age >= 3'd3) && (pushed_q[1] || popped_q)) settled = 1'b0;
    if (state == StPick && pushed_q[1] && (age != 3'd2 || popped_q)) settled = 1'b0;
    if (state inside {StPlay, StLeaf, StResume, StTell, StLeave, StReturn} &&
        (pushed_q[1] || popped_q)) settled = 1'b0;
    if (state == StReturn && pushed_q[2]) settled = 1'b0;
    if (state inside {StEnded, StTake} && pushed_q != '0) settled = 1'b0;
  end

  // Nothing but takes is under way where a node goes on.
  logic takes;
  assign takes = !(state inside {StEnded, StReturn, StTake, StTell, StResume, StLeave}) ||
                 stage == wrote_q;

  // In a trace one leaf at a time is under way, and the next pick waits for it.
  logic alone;
  always_comb begin
    alone = 1'b1;
    if (u_dut.trace_q && state == StLeaf) begin
      alone = $onehot0({v, leaf});
      if (v) alone = alone && (u_dut.hold_q || !picks || age == 3'd1);
      if (leaf != '0 && !u_dut.hold_q) alone = 1'b0;
      if (leaf[10] && !u_dut.last_leaf) alone = 1'b0;
    end
  end

  // A node is left at once only where its child's value is compared.
  logic plain;
  always_comb begin
    plain = u_dut.horizon || !(state == StLeaf || (state == StTell && u_dut.leaf_told_q));
    if (state == StLeaf && (v || leaf[9:1] != '0) && u_dut.last_leaf) plain = 1'b0;
    if (u_dut.plain_leaf_q && !(state == StLeaf && leaf[10] && !u_dut.trace_q)) plain = 1'b0;
    if (u_dut.hold_q && !(state inside {StTell, StLeaf, StPlay, StLeave, StResume, StEnd, StClear}))
      plain = 1'b0;
    if (u_dut.left_q && !(state inside {StReturn, StEnd})) plain = 1'b0;
    if (u_dut.enter && state != StPlay) plain = 1'b0;
    if (u_dut.begin_q && !(state inside {StPlay, StLeaf, StEnd})) plain = 1'b0;
    if (u_dut.plain_take_q && !(state == StTake && !u_dut.trace_q)) plain = 1'b0;
  end

  logic balanced;  // stones of the search
  always_comb begin
    unique case (state)
      StPick:           balanced = stones_q == ply + ply_t'(push);
      StPlay:           balanced = stones_q == ply + ply_t'(!v);
      StEnded:          balanced = stones_q == ply + 5'd1;
      StLeaf, StReturn, StTake, StTell, StResume, StLeave: balanced = stones_q == ply;
      StEnd:            balanced = cancelled || stones_q == '0;
      StClear:          balanced = 1'b1;
      default:          balanced = stones_q == '0 && ply == '0 && !push;
    endcase
    if (state == StIdle) balanced = !push;
  end

  always_comb begin
    Level_M:    assume (level_i < 5'd24);
    Depth_M:    assume (!req_valid_i || (req_i.depth != '0 && req_i.depth <= 5'd24));
    Nothing_M:  assume (!(state == StClear && u_dut.count_q >= 6'd16) || !u_dut.found);
    if (rst_n) begin
      // What is claimed
      Take_A:   assert (!take || (stones_q != '0 && (stones_q - 5'd1 != level_q ||
                        (u_dut.op_point == stone_q && u_dut.op_colour == colour_q))));
      Put_A:    assert (!put || (stones_q == ply && u_dut.op_colour == ply[0] && ply < 5'd24));
      Push_A:   assert (!push || state inside {StEnd, StClear} || ply < 5'd23);
      Pop_A:    assert (!u_dut.pop || ply != '0);
      Frames_A: assert ((!u_dut.pop || (pushed_q == '0 && !popped_q)) &&
                        (!push || state inside {StEnd, StClear} || (!pushed_q[1] && !popped_q)));
      Over_A:   assert (!(rsp_valid && !cancelled) || stones_q == '0);
      Cancel_A: assert (!cancel_q || (state == StEnd && cancelled));
      Apart_A:  assert (!given || (!given_q[1] && !wrote_q[3]));
      Held_A:   assert (!given_q[1] || {u_dut.op_point, u_dut.op_colour, u_dut.op} == operation_q);
      Kill_A:   assert (!u_dut.kill || u_dut.cancel_q || (wrote_q[5:1] == '0 &&
                        !(v && u_dut.op inside {OpPut, OpTake})));
      Clear_A:  assert (state != StClear || !v);
      Begins_A: assert (!u_dut.start || state inside {StEnd, StClear} || !picks ||
                        (ends && !u_dut.hold_q));
      Picked_A: assert (!u_dut.enter || state != StPlay || !picks || u_dut.done);
      // How it comes about
      Level_A:    assert (level_q < 5'd24);
      Limit_A:    assert (state inside {StClear, StIdle} || (u_dut.limit_q != '0 &&
                          u_dut.limit_q <= 5'd24) || state == StEnd);
      Ply_A:      assert (state inside {StClear, StIdle, StEnd} || ply < 5'd24);
      Shape_A:    assert (shape);
      Balanced_A: assert (balanced);
      Plain_A:    assert (plain);
      Settled_A:  assert (settled);
      Takes_A:    assert (takes);
      Alone_A:    assert (alone);
      Stages_A:   assert (stage == given_q && (wrote_q & ~given_q) == '0);
      Stone_A:    assert (state inside {StClear, StIdle, StEnd} || !there ||
                          (stone_there == stone_q && colour_q == level_q[0]));
      Age_A:      assert (!picks || (age != '0 && age <= (keyed ? 3'd6 : 3'd2)));
      Profile_A:  assert (state inside {StClear, StIdle, StEnd} ||
                          u_dut.lines_q == weights_q.lines);
      Keyed_A:    assert (!picks || state inside {StClear, StEnd} || u_dut.by_key == keyed);
      Quiet_A:    assert (state != StClear || u_dut.count_q == '0 || (!u_dut.hold_q &&
                          (u_dut.count_q < 6'd16 || !picks || 6'(age) >= u_dut.count_q - 6'd15)));
    end
    Deep_C:    cover (rst_n && take && ply == 5'd2);
    Extends_C: cover (rst_n && u_dut.extend && u_dut.horizon);
    Told_C:    cover (rst_n && node_valid && ply == 5'd1);
  end

endmodule
