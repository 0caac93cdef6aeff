// Gomoku's AI core: alpha-beta with an explicit stack, for both profiles, as
// host/games/src/gomoku/README.md defines them.
//
// Drive it: offer a position with `req_valid_i`/`req_ready_o`; `weights_i` must be steady until
// the answer. `progress_o` has the best point of the root so far, its value, nodes and cycles, at
// any time. The end is offered on `rsp_*`: `progress_o` then has the answer, until it is taken; the
// core is ready for the next position 64 cycles later. `cancel_i` ends a search two cycles later,
// `cancelled_o` is 1 then. With `trace` in the request each node is offered on `node_*` when it is
// left, children before their parent, and the search waits until it is taken.
//
// A child without depth is a leaf: it is scored without being put on the board, and the next ones
// are picked and scored behind it before its value is known; those behind the one that ends the
// node do not count. If a block is forced behind a leaf, it is put on the board after all, and
// those behind it are scored again later.
//
// An operation is in gomoku_board's cycle 0 when `op_valid_q` is high. A leaf's value is compared
// in its cycle 9 and taken in cycle 10. Behind a stone the node is entered in its cycle 6; its next
// sibling is picked meanwhile, from the maps before the stone.
//
// Cycles of a search, with P = 6 in `lines` and 2 in `wujian`:
//  - 10, and 3 for each stone of the position;
//  - P for each node whose candidates are picked, the root included;
//  - 9 for each stone that is put on the board and taken, 4 more where a sibling follows it;
//  - for leaves one behind the other, without such a stone between: 11, and P for each but the
//    first.
// An answer without search: 10, 3 for each stone, and 9 for each point looked at: at a root that
// wins at once those with a FIVE, or with a FOUR or more, up to the one chosen. A root without
// candidates: P + 3 more than the 10.
// A trace, if each node is taken at once: 11 instead of P for the leaves behind others, 1 for each
// node that is not a stone with a sibling behind it, and 2 where no candidate is left behind a
// leaf, but more would be allowed.
module gomoku_search
  import gomoku_pkg::*;
(
  input  logic      clk_i,
  input  logic      rst_ni,
  input  weights_t  weights_i,
  input  logic      cancel_i,
  // Position
  input  logic      req_valid_i,
  output logic      req_ready_o,
  input  request_t  req_i,
  // How far it has come
  output progress_t progress_o,
  // Nodes of a trace
  output logic      node_valid_o,
  input  logic      node_ready_i,
  output node_t     node_o,
  // The end
  output logic      rsp_valid_o,
  input  logic      rsp_ready_i,
  output logic      cancelled_o
);

  typedef enum logic [4:0] {
    StClear,   // empties the board
    StIdle,
    StOwn,     // the stones of the request are put on the board, one by one
    StOpponent,
    StSettle,
    StRoot,    // is there anything to search?
    StFirst,   // begins with the root
    StLook,    // for a point of the root that wins at once
    StLooked,
    StPick,    // the first candidate of a node
    StPlay,    // puts a stone: is the node behind it searched?
    StEnded,   // it is not; the stone is being taken
    StLeaf,    // scores children, one after the other
    StReturn,  // back from the search of a node, whose stone is being taken
    StTake,    // a stone's value is kept, if it is the best
    StTell,    // a trace reports a node
    StResume,  // waits until the stone has been taken, and goes on with the next one
    StLeave,   // the node is done, which was not known in time to leave it at once
    StNone,    // no candidate at the root: the lowest empty point
    StEnd      // the answer is offered
  } state_e;

  state_e     state_q, state_d;
  map_t       own_q, opponent_q;
  ply_t       limit_q;          // depth asked for
  logic       trace_q;
  logic       next_valid_q, next_valid_d;  // the node's next candidate has been picked
  point_t     next_q;
  value_t     value_q;          // of the stone that was put last, if it ends there
  logic       leave_q;           // the child was the last one
  logic       leaf_told_q;      // the one a trace reports is a leaf
  logic [5:0] count_q, count_d; // of a clear
  logic       first_q, first_d; // it is 0
  logic       some_q, some_d;   // there are stones
  logic       look_q, look_d;   // for a FIVE
  logic       has_point_q, has_point_d;  // the answer has a point
  point_t     point_q, point_d;
  value_t     answer_q, answer_d;
  logic       cancel_q, cancelled_q, cancelled_d;
  logic [63:0] nodes_q, cycles_q;
  logic       counted;          // a node more

  logic lines_q;  // the profile

  // --------------------------------------------------------------------------- the operation
  logic   issue, op_valid_q, kill;
  point_t op_point_q, op_point_d;
  logic   op_colour_q, op_colour_d;
  op_e    op_q, op_d;

  // The cycle of operations under way, as in gomoku_board; of leaves up to that in which they are
  // taken
  logic [6:1]    stage_q;
  logic [10:1]   leaf_q;
  point_t [10:1] leaf_point_q;
  logic          later_q;  // behind the leaf that is taken now there is another one
  logic          enter_q;  // a stone is in cycle 6
  logic          begin_q;  // the stone before has been taken: the maps are the node's again

  // --------------------------------------------------------------------------- the position
  count_t                    counts;
  logic [1:0]                five, open4, fives;  // of the stone's colour, of the other one
  logic                      run;
  logic                      look_five, look_open4;
  kind_e                     kind, kind_new, node_kind;
  map_t                      candidates;
  key_t [Side-1:0][Side-1:0] keys;

  gomoku_board u_board (
    .clk_i,
    .rst_ni,
    .lines_i      (lines_q),
    .key_i        (weights_i.key),
    .clear_i      (state_q == StClear),
    .clear_addr_i (count_q),
    .kill_i       (kill),
    .valid_i      (op_valid_q),
    .point_i      (op_point_q),
    .colour_i     (op_colour_q),
    .op_i         (op_q),
    .counts_o     (counts),
    .five_o       (five),
    .open4_o      (open4),
    .run_o        (run),
    .fives_o      (fives),
    .look_five_o  (look_five),
    .look_open4_o (look_open4),
    .kind_i       (kind),
    .candidates_o (candidates),
    .keys_o       (keys)
  );

  // -------------------------------------------------------------------------- the candidates
  map_t   source;
  picks_t picks, below;
  logic   by_key, start, fresh, again, hold_q, abort, clear, busy, done, found, pop;
  point_t point;

  // Where they are not those of a node, there are none of its kind.
  always_comb begin
    source = candidates;
    if (state_q == StOwn) source |= own_q;
    if (state_q == StOpponent) source |= opponent_q;
    if (state_q == StNone) source |= ~(own_q | opponent_q);
  end

  gomoku_pick u_pick (
    .clk_i,
    .rst_ni,
    .source_i   (source),
    .keys_i     (keys),
    .by_key_i   (by_key),
    .start_i    (start),
    .fresh_i    (fresh),
    .again_i    (again),
    .hold_i     (hold_q),
    .abort_i    (abort),
    .clear_i    (clear),
    .restore_i  (pop),
    .restored_i (below.picked),
    .busy_o     (busy),
    .done_o     (done),
    .found_o    (found),
    .point_o    (point),
    .picked_o   (picks.picked)
  );
  assign picks.next_valid = done ? found : next_valid_q;
  assign picks.next       = done ? point : next_q;

  // ------------------------------------------------------------------------------ the values
  ply_t   ply;
  logic   at_root, horizon, mover, ends, block, open, leaf_extends, extends_q;
  value_t ends_value, leaf_value;
  assign mover = ply[0];

  gomoku_value u_value (
    .clk_i,
    .lines_i      (lines_q),
    .extend_i     (weights_i.extend),
    .attack_i     (weights_i.attack),
    .defend_i     (weights_i.defend),
    .ply_i        (ply),
    .counts_i     (counts),
    .five_i       (five),
    .open4_i      (open4),
    .run_i        (run),
    .ends_o       (ends),
    .ends_value_o (ends_value),
    .block_o      (block),
    .open4_o      (open),
    .value_o      (leaf_value),
    .extends_o    (leaf_extends)
  );

  // -------------------------------------------------------------------------------- the node
  logic       root, push_q, none, keep, better, cuts;
  logic [7:0] left, left_new;
  point_t     stone;
  value_t     compared;

  gomoku_node u_node (
    .clk_i,
    .lines_i    (lines_q),
    .limit_i    (limit_q),
    .idle_i     (state_q == StIdle),
    .root_i     (root),
    .push_i     (push_q),
    .pop_i      (pop),
    .none_i     (none),
    .picked_i   (done && found),
    .kind_i     (kind_new),
    .left_i     (left_new),
    .stone_i    (op_point_q),
    .value_i    (state_q == StEnded ? value_q : leaf_value),
    .keep_i     (keep),
    .compared_o (compared),
    .better_o   (better),
    .cuts_o     (cuts),
    .ply_o      (ply),
    .at_root_o  (at_root),
    .horizon_o  (horizon),
    .kind_o     (node_kind),
    .left_o     (left),
    .stone_o    (stone),
    .picks_i    (picks),
    .below_o    (below)
  );

  // The candidates of a node that is entered: a block, if the side that is not to move has a FIVE,
  // or an answer to its OPEN4. At a root that wins at once: the points that are looked at.
  logic forced, must_answer;
  always_comb begin
    forced      = block;
    must_answer = open;
    if (state_q == StRoot) begin
      forced      = five != '0;
      must_answer = open4 != '0;
    end
    kind_new = KindAlive;
    left_new = (lines_q && weights_i.width != '0) ? weights_i.width : '1;
    if (must_answer) kind_new = KindFour;
    if (forced) begin
      kind_new = KindFive;
      left_new = 8'd1;
    end
  end
  assign kind = enter_q ? kind_new : node_kind;

  // ----------------------------------------------------------------------------- in order
  logic accept, working;
  assign accept       = req_valid_i && req_ready_o;
  assign working      = !(state_q inside {StClear, StIdle, StEnd});
  assign req_ready_o  = state_q == StIdle;
  assign rsp_valid_o  = state_q == StEnd;
  assign cancelled_o  = cancelled_q;
  assign progress_o   = '{point: has_point_q ? index(point_q) : NoPoint, value: answer_q,
                          nodes: nodes_q, cycles: cycles_q};

  node_t node_q;
  assign node_valid_o = state_q == StTell;
  assign node_o       = node_q;

  // A leaf is taken; a block is forced behind it; no leaf is behind it; the node has no candidate;
  // no further child of the node is tried, so that its stone is taken.
  logic leaf, extend, last, leave, plain_leaf_q, plain_take_q;
  assign leaf   = leaf_q[10];
  assign extend = leaf && extends_q;
  assign last   = !later_q && !busy;
  assign keep   = (leaf && !extends_q) || state_q == StTake;
  assign none   = state_q == StPick && done && !found;
  assign root   = state_q == StRoot;
  assign pop    = state_q == StReturn;
  assign leave  = state_q == StLeave || (plain_take_q && (cuts || !next_valid_q)) ||
                  (plain_leaf_q && !extends_q && (cuts || last));

  // What is done next; its point is the one picked unless another one stands here.
  logic ready;
  assign ready = !op_valid_q && stage_q[4:1] == '0;  // the stone has been taken, in time
  always_comb begin
    issue       = 1'b0;
    op_d        = horizon ? OpScore : OpPut;
    op_point_d  = point;
    op_colour_d = mover;
    unique case (state_q)
      StOwn, StOpponent: begin
        issue       = done && found;
        op_d        = OpPut;
        op_colour_d = state_q == StOpponent;
      end
      StLook: begin
        issue = done;
        op_d  = OpLook;
      end
      StPick: issue = done && found;
      StPlay: begin
        issue      = enter_q && ends;
        op_d       = OpTake;
        op_point_d = op_point_q;
      end
      StLeaf: begin
        issue = extend || (done && found);
        if (extend) begin
          op_d       = OpPut;
          op_point_d = leaf_point_q[10];
        end
      end
      StResume: begin
        issue      = ready;
        op_point_d = next_q;
      end
      default: ;
    endcase
    if (leave) begin
      issue       = !at_root;
      op_d        = OpTake;
      op_point_d  = stone;
      op_colour_d = !mover;
    end
  end
  assign kill = extend || (leave && leaf) || cancel_q;

  always_comb begin
    start   = begin_q || enter_q && !ends;
    fresh   = enter_q || state_q == StFirst;
    again   = left != 8'd1;
    clear   = state_q inside {StIdle, StFirst, StPick};
    by_key  = lines_q;
    abort   = leave || (extend && !trace_q);
    unique case (state_q)
      StOwn, StOpponent: begin
        start  = first_q;
        by_key = 1'b0;
        again  = 1'b1;
      end
      StFirst: start = 1'b1;
      StLook, StNone: begin
        start  = first_q;
        by_key = 1'b0;
        again  = 1'b0;
      end
      StPlay:  again = 1'b0;
      default: ;
    endcase
  end

  assign counted = leaf || (!horizon && ((state_q == StPick && done && found) ||
                                         (state_q == StResume && ready)));

  always_comb begin
    state_d      = state_q;
    next_valid_d = next_valid_q;
    first_d      = 1'b0;
    some_d       = some_q;
    look_d       = look_q;
    has_point_d  = has_point_q;
    point_d      = point_q;
    answer_d     = answer_q;
    cancelled_d  = cancelled_q;

    unique case (state_q)
      StClear: if (count_q == '1) state_d = StIdle;

      // All but the state is set whether or not there is a request: that comes late.
      StIdle: begin
        if (req_valid_i) state_d = StOwn;
        first_d     = 1'b1;
        some_d      = 1'b0;
        has_point_d = 1'b0;
        answer_d    = '0;
        cancelled_d = 1'b0;
      end

      StOwn, StOpponent: if (done) begin
        some_d = some_q || found;
        if (!found) begin
          state_d = (state_q == StOwn) ? StOpponent : StSettle;
          first_d = 1'b1;
        end
      end

      // The last stone's counts are there in its cycle 6.
      StSettle: if (count_q == 6'd3) state_d = StRoot;

      StRoot: begin
        look_d  = five[op_colour_q];
        first_d = 1'b1;
        state_d = StFirst;
        if (five[op_colour_q] || (open4[op_colour_q] && five == '0)) state_d = StLook;
        if (!some_q) begin
          state_d     = StEnd;
          has_point_d = 1'b1;
          point_d     = '{y: 4'(Side / 2), x: 4'(Side / 2)};
        end
        if (fives != '0) begin
          state_d     = StEnd;
          has_point_d = 1'b0;
          answer_d    = lines_q ? LinesWin : WujianWin;
          if (!fives[0]) answer_d = -answer_d;
        end
      end

      StFirst: state_d = StPick;

      StLook: if (done) state_d = StLooked;

      StLooked: begin
        first_d  = 1'b1;
        point_d  = op_point_q;
        answer_d = look_q ? LinesWin - 28'sd1 : LinesWin - 28'sd3;
        if (stage_q[6]) begin
          state_d = StLook;
          if (look_q ? look_five : look_open4) begin
            state_d     = StEnd;
            has_point_d = 1'b1;
          end
        end
      end

      StPick: begin
        next_valid_d = 1'b0;
        first_d      = 1'b1;
        if (done) state_d = !found ? (at_root ? StNone : StLeave) : horizon ? StLeaf : StPlay;
      end

      // The next sibling is picked meanwhile: later the maps are those behind the stone.
      StPlay: begin
        if (done) next_valid_d = found;
        if (enter_q) state_d = ends ? StEnded : StPick;
      end

      StEnded: state_d = StTake;

      StLeaf: begin
        // The next sibling, which is being scored, remains the next one.
        next_valid_d = later_q;
        if (extend) state_d = StPlay;
        else if (leaf && trace_q) state_d = StTell;
        else if (!leaf && last) state_d = StLeave;
      end

      StReturn: begin
        next_valid_d = below.next_valid;
        state_d      = StTake;
      end

      StTake: state_d = trace_q ? StTell : StResume;

      StTell: if (node_ready_i) begin
        state_d = leave_q ? StLeave : leaf_told_q ? StLeaf : StResume;
      end

      // The maps are those of the node again.
      StResume: begin
        next_valid_d = 1'b0;
        if (ready) state_d = horizon ? StLeaf : StPlay;
      end

      StNone: begin
        point_d = point;
        if (done) begin
          has_point_d = found;
          state_d     = StEnd;
        end
      end

      StEnd: begin
        first_d = 1'b1;
        if (rsp_ready_i) state_d = StClear;
      end

      default: state_d = StClear;
    endcase

    if (keep && better && at_root) begin
      has_point_d = 1'b1;
      point_d     = leaf ? leaf_point_q[10] : op_point_q;
      answer_d    = compared;
    end
    if (leave) state_d = at_root ? StEnd : StReturn;
    if (cancel_q && working) begin
      state_d     = StEnd;
      cancelled_d = 1'b1;
    end
    count_d = first_d ? '0 : (count_q == '1) ? count_q : count_q + 1'b1;
  end

  // ------------------------------------------------------------------------------ registers
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= StClear;
      count_q    <= '0;
      op_valid_q <= 1'b0;
      enter_q    <= 1'b0;
      plain_leaf_q <= 1'b0;
      plain_take_q <= 1'b0;
      begin_q    <= 1'b0;
      stage_q    <= '0;
      leaf_q     <= '0;
    end else begin
      state_q    <= state_d;
      count_q    <= count_d;
      op_valid_q <= issue;
      enter_q    <= state_q == StPlay && stage_q[5] && !cancel_q;
      plain_leaf_q <= leaf_q[9] && !trace_q && !kill;
      plain_take_q <= state_q inside {StReturn, StEnded} && !trace_q;
      begin_q    <= state_q == StResume && ready && left != '0;
      stage_q    <= kill ? '0 : {stage_q[5:1], op_valid_q};
      leaf_q     <= kill ? '0 : {leaf_q[9:1], op_valid_q && op_q == OpScore};
    end
  end

  // What a request sets needs no reset.
  always_ff @(posedge clk_i) begin
    if (issue) begin
      op_q        <= op_d;
      op_point_q  <= op_point_d;
      op_colour_q <= op_colour_d;
    end
    leaf_point_q <= {leaf_point_q[9:1], op_point_q};
    later_q      <= (done && found) || state_q == StResume || op_valid_q || leaf_q[8:1] != '0;
    push_q       <= enter_q && !ends;
    hold_q       <= trace_q && (state_q == StTell || (state_q == StLeaf && (leaf || later_q)));
    extends_q    <= leaf_extends;
    next_valid_q <= next_valid_d;
    next_q       <= pop ? below.next : picks.next;
    if (enter_q) value_q <= ends_value;
    first_q      <= first_d;
    some_q       <= some_d;
    look_q       <= look_d;
    has_point_q  <= has_point_d;
    point_q      <= point_d;
    answer_q     <= answer_d;
    lines_q      <= weights_i.lines;
    cancel_q     <= cancel_i;
    cancelled_q  <= cancelled_d;
    if (keep) begin
      leave_q     <= cuts || (leaf ? last : !next_valid_q);
      leaf_told_q <= leaf;
      node_q      <= '{ply: ply + 1'b1, point: index(leaf ? leaf_point_q[10] : op_point_q),
                       value: (lines_q || !mover) ? compared : -compared};
    end
    if (accept) begin
      own_q      <= req_i.own;
      opponent_q <= req_i.opponent;
      limit_q    <= req_i.depth;
      trace_q    <= req_i.trace;
    end
  end

  // Counts that nothing depends on
  always_ff @(posedge clk_i) begin
    if (accept) begin
      nodes_q  <= '0;
      cycles_q <= '0;
    end else begin
      if (counted) nodes_q <= nodes_q + 64'd1;
      if (working) cycles_q <= cycles_q + 64'd1;
    end
  end

`ifndef SYNTHESIS
  RequestHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    req_valid_i && !req_ready_o |=> req_valid_i && $stable(req_i));
  NodeHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    node_valid_o && !node_ready_i && !cancel_q |=> node_valid_o && $stable(node_o));
  RspHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    rsp_valid_o && !rsp_ready_i |=>
    rsp_valid_o && $stable(progress_o) && $stable(cancelled_o));
  WeightsSteady_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    working |=> $stable(weights_i) || state_q == StEnd);
  StackDeep_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    push_q |-> ply < ply_t'(MaxDepth));
  // The next sibling has been picked before the maps change.
  Picked_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    enter_q |-> !busy || done);
  LeafAlone_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    trace_q && leaf |-> !later_q);
  Deepest_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    push_q && ply == ply_t'(3));
`endif

endmodule
