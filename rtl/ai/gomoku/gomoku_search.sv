// Gomoku's AI core: alpha-beta with an explicit stack, for both profiles, as
// host/games/src/gomoku/README.md defines them.
//
// Drive it: offer a position with `req_valid_i`/`req_ready_o`; `weights_i` must be steady until
// the answer. `progress_o` has the best point of the root so far, its value, nodes and cycles, at
// any time. The end is offered on `rsp_*`: `progress_o` then has the answer, until it is taken; the
// core is ready for the next position 64 cycles later. `cancel_i` ends a search in the next cycle,
// `cancelled_o` is 1 then. With `trace` in the request each node is offered on `node_*` when it is
// left, children before their parent, and the search waits until it is taken.
//
// Both profiles are one negamax: in `wujian` values are those of the side of the stone too, and a
// child has no lower bound but its own best, so that its parent's bound alone ends it. A child
// without depth is a leaf: it is scored without being put on the board, and the next ones are
// picked and scored behind it before its value is known; those behind the one that ends the node
// do not count. If a block is forced behind a leaf, it is put on the board after all, and those
// behind it are scored again later.
//
// An operation is in gomoku_board's cycle 0 when `op_valid_q` is high. A leaf's value is compared
// in its cycle 8 and taken in cycle 9. Behind a stone the node is entered in its cycle 5; its next
// sibling is picked meanwhile, from the maps before the stone.
//
// Cycles of a search, with P = 6 in `lines` and 2 in `wujian`:
//  - 10, and 3 for each stone of the position;
//  - P for each node whose candidates are picked, the root included;
//  - 9 for each stone that is put on the board and taken, 3 more where a sibling follows it;
//  - for leaves one behind the other, without such a stone between: 10, and P for each but the
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
    StLook,    // for a point of the root that wins at once
    StLooked,
    StPick,    // the first candidate of a node
    StPlay,    // puts a stone: is the node behind it searched?
    StEnded,   // it is not; the stone is being taken
    StLeaf,    // scores children, one after the other
    StReturn,  // back from the search of a node, whose stone is being taken
    StCompare, // its value, with those of its siblings
    StTake,    // keeps it, if it is the best
    StTell,    // a trace reports a node
    StResume,  // the stone has been taken: goes on with the next one
    StNone,    // no candidate at the root: the lowest empty point
    StEnd      // the answer is offered
  } state_e;

  // Of the node that is searched; on the stack while one behind it is.
  typedef struct packed {
    value_t     best;
    value_t     alpha;
    value_t     beta;
    logic [7:0] left;   // candidates that may still be picked
    kind_e      kind;
    point_t     stone;  // the one that led here
  } frame_t;

  typedef struct packed {
    frame_t frame;
    map_t   picked;
    logic   next_valid;  // the next candidate has been picked
    point_t next;
  } entry_t;

  state_e     state_q, state_d;
  map_t       own_q, opponent_q;
  ply_t       limit_q;          // depth asked for
  logic       trace_q;
  ply_t       ply_q, ply_d;     // of the node that is searched
  frame_t     frame_q, frame_d;
  logic       next_valid_q, next_valid_d;
  point_t     next_q, next_d;
  logic       none_q, none_d;   // the node has no candidate
  value_t     value_q, value_d; // of the stone that is taken, for its side
  logic       leave_q, leave_d; // a trace has reported the last child
  logic       leaf_told_q, leaf_told_d;  // it was a leaf
  logic [5:0] count_q, count_d; // of a clear
  logic       some_q, some_d;   // there are stones
  logic       look_q, look_d;   // for a FIVE
  logic       has_point_q, has_point_d;  // the answer has a point
  point_t     point_q, point_d;
  value_t     answer_q, answer_d;
  logic       cancelled_q, cancelled_d;
  logic [63:0] nodes_q, cycles_q;
  logic       counted;          // a node more

  // LUT RAM: block RAM would need ten.
  (* ram_style = "distributed" *)
  entry_t stack_q [32];
  entry_t below_q;              // its uppermost one, from the second cycle at a node on
  logic   push;

  logic lines;
  assign lines = weights_i.lines;

  // --------------------------------------------------------------------------- the operation
  logic   issue, op_valid_q, kill;
  point_t op_point_q, op_point_d;
  logic   op_colour_q, op_colour_d;
  op_e    op_q, op_d;

  // The cycle of operations under way, as in gomoku_board; of leaves up to that in which they are
  // compared
  logic [5:1]   stage_q;
  logic [9:1]   leaf_q;
  point_t [9:1] leaf_point_q;
  logic         settled, leaf_later;
  assign settled    = !op_valid_q && stage_q[4:1] == '0;
  assign leaf_later = leaf_q[8:1] != '0 || (op_valid_q && op_q == OpScore);

  // --------------------------------------------------------------------------- the position
  count_t                    counts;
  logic [1:0]                five, open4, run, fives;
  logic                      look_five, look_open4;
  kind_e                     kind;
  map_t                      candidates;
  key_t [Side-1:0][Side-1:0] keys;

  gomoku_board u_board (
    .clk_i,
    .rst_ni,
    .lines_i      (lines),
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
  map_t   source, picked;
  logic   by_key, start, fresh, again, hold, abort, clear, restore, busy, done, found;
  point_t point;

  always_comb begin
    unique case (state_q)
      StOwn:      source = own_q;
      StOpponent: source = opponent_q;
      StNone:     source = ~(own_q | opponent_q);
      default:    source = candidates;
    endcase
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
    .hold_i     (hold),
    .abort_i    (abort),
    .clear_i    (clear),
    .restore_i  (restore),
    .restored_i (below_q.picked),
    .busy_o     (busy),
    .done_o     (done),
    .found_o    (found),
    .point_o    (point),
    .picked_o   (picked)
  );

  // ------------------------------------------------------------------------------ the values
  logic   mover, horizon_q, ends, block, open, leaf_extends;
  value_t ends_value, leaf_value;
  assign mover = ply_q[0];

  gomoku_value u_value (
    .clk_i,
    .lines_i      (lines),
    .extend_i     (weights_i.extend),
    .attack_i     (weights_i.attack),
    .defend_i     (weights_i.defend),
    .ply_i        (ply_q),
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

  // A value is compared in a cycle and taken in the next one: in one it were the longest path.
  value_t compared_q, compared_d, best, alpha;
  logic   better_q, raises_q, cuts_q, extends_q, retire, leave, leaf;
  assign compared_d = (state_q == StCompare) ? value_q : leaf_value;
  assign best       = better_q ? compared_q : frame_q.best;
  assign alpha      = raises_q ? compared_q : frame_q.alpha;
  assign leaf       = state_q == StLeaf && leaf_q[9];

  // ------------------------------------------------- candidates of a node that is entered
  logic       forced, must_answer;  // by the side that is not to move: a FIVE, an OPEN4
  kind_e      kind_new;
  logic [7:0] left_new, left_picked;
  assign forced      = (state_q == StRoot) ? five[1] : block;
  assign must_answer = (state_q == StRoot) ? open4[1] : open;
  always_comb begin
    kind_new = KindAlive;
    left_new = '1;
    if (lines) begin
      if (weights_i.width != '0) left_new = weights_i.width;
      if (must_answer) kind_new = KindFour;
      if (forced) begin
        kind_new = KindFive;
        left_new = 8'd1;
      end
    end
  end
  assign left_picked = (done && found) ? frame_q.left - 1'b1 : frame_q.left;

  // ----------------------------------------------------------------------------- in order
  logic accept;
  assign accept       = req_valid_i && req_ready_o;
  assign req_ready_o  = state_q == StIdle;
  assign rsp_valid_o  = state_q == StEnd;
  assign cancelled_o  = cancelled_q;
  assign progress_o   = '{point: has_point_q ? index(point_q) : NoPoint, value: answer_q,
                          nodes: nodes_q, cycles: cycles_q};

  node_t node_q, node_d;
  assign node_valid_o = state_q == StTell;
  assign node_o       = node_q;

  always_comb begin
    state_d      = state_q;
    ply_d        = ply_q;
    frame_d      = frame_q;
    next_valid_d = next_valid_q;
    next_d       = done ? point : next_q;
    none_d       = none_q;
    value_d      = value_q;
    leave_d      = leave_q;
    leaf_told_d  = leaf_told_q;
    count_d      = (count_q == '1) ? count_q : count_q + 1'b1;
    some_d       = some_q;
    look_d       = look_q;
    has_point_d  = has_point_q;
    point_d      = point_q;
    answer_d     = answer_q;
    cancelled_d  = cancelled_q;
    counted      = 1'b0;
    push         = 1'b0;

    issue        = 1'b0;
    op_d         = op_q;
    op_point_d   = point;
    op_colour_d  = mover;
    kill         = 1'b0;

    kind         = frame_q.kind;
    start        = 1'b0;
    fresh        = 1'b0;
    again        = 1'b0;
    hold         = 1'b0;
    abort        = 1'b0;
    clear        = 1'b0;
    restore      = 1'b0;
    by_key       = lines;

    retire       = 1'b0;
    leave        = 1'b0;

    frame_d.left = left_picked;

    unique case (state_q)
      StClear: if (count_q == '1) state_d = StIdle;

      // All but the state is set whether or not there is a request: that comes late.
      StIdle: begin
        if (req_valid_i) state_d = StOwn;
        clear       = 1'b1;
        ply_d       = '0;
        count_d     = '0;
        some_d      = 1'b0;
        has_point_d = 1'b0;
        answer_d    = '0;
        cancelled_d = 1'b0;
        none_d      = 1'b0;
      end

      StOwn, StOpponent: begin
        start       = count_q == '0;
        by_key      = 1'b0;
        again       = 1'b1;
        hold        = stage_q[1];  // a stone each three cycles
        op_d        = OpPut;
        op_colour_d = state_q == StOpponent;
        if (done) begin
          issue  = found;
          some_d = some_q || found;
          if (!found) begin
            state_d = (state_q == StOwn) ? StOpponent : StSettle;
            count_d = '0;
          end
        end
      end

      // The last stone's counts are there in its cycle 5.
      StSettle: if (count_q == 6'd2) state_d = StRoot;

      StRoot: begin
        look_d  = five[0];
        kind    = kind_new;
        start   = 1'b1;
        fresh   = 1'b1;
        clear   = 1'b1;
        count_d = '0;
        state_d = StPick;
        frame_d = '{best: -Infinity, alpha: -Infinity, beta: Infinity, left: left_new,
                    kind: kind_new, stone: '0};
        if (lines && (five[0] || (open4[0] && !five[1]))) begin
          start        = 1'b0;
          state_d      = StLook;
          frame_d.kind = five[0] ? KindFive : KindFour;
        end
        if (!some_q) begin
          start       = 1'b0;
          state_d     = StEnd;
          has_point_d = 1'b1;
          point_d     = '{y: 4'(Side / 2), x: 4'(Side / 2)};
        end
        if (fives != '0) begin
          start       = 1'b0;
          state_d     = StEnd;
          has_point_d = 1'b0;
          answer_d    = lines ? LinesWin : WujianWin;
          if (!fives[0]) answer_d = -answer_d;
        end
      end

      StLook: begin
        start  = count_q == '0;
        by_key = 1'b0;
        op_d   = OpLook;
        if (done) begin
          issue   = 1'b1;
          state_d = StLooked;
        end
      end

      StLooked: if (settled) begin
        count_d     = '0;
        state_d     = StLook;
        point_d     = op_point_q;
        answer_d    = look_q ? LinesWin - 28'sd1 : LinesWin - 28'sd3;
        if (look_q ? look_five : look_open4) begin
          state_d     = StEnd;
          has_point_d = 1'b1;
        end
      end

      StPick: begin
        clear = 1'b1;
        again = frame_q.left != 8'd1;
        op_d  = horizon_q ? OpScore : OpPut;
        if (done) begin
          next_valid_d = 1'b0;
          issue        = found;
          counted      = found && !horizon_q;
          state_d      = horizon_q ? StLeaf : StPlay;
          if (!found) begin
            none_d  = 1'b1;
            leave   = ply_q != '0;
            count_d = '0;
            state_d = StNone;
          end
        end
      end

      // The next sibling is picked meanwhile: later the maps are those behind the stone.
      StPlay: begin
        kind  = kind_new;
        fresh = stage_q[5];
        if (done) next_valid_d = found;
        if (stage_q[5]) begin
          value_d = ends_value;
          if (ends) begin
            state_d    = StEnded;
            issue      = 1'b1;
            op_d       = OpTake;
            op_point_d = op_point_q;
          end else begin
            push    = 1'b1;
            ply_d   = ply_q + 1'b1;
            frame_d = '{best: -Infinity, alpha: lines ? -frame_q.beta : -Infinity,
                        beta: -frame_q.alpha, left: left_new, kind: kind_new,
                        stone: op_point_q};
            start   = 1'b1;
            state_d = StPick;
          end
        end
      end

      StEnded: state_d = StCompare;

      StLeaf: begin
        again = frame_q.left != 8'd1;
        hold  = trace_q && (leaf_later || leaf_q[9]);
        op_d  = OpScore;
        issue = done && found;
        if (leaf && extends_q) begin
          // The next sibling, which is being scored, remains the next one.
          kill         = 1'b1;
          abort        = !trace_q;
          next_valid_d = leaf_later;
          issue        = 1'b1;
          op_d         = OpPut;
          op_point_d   = leaf_point_q[9];
          counted      = 1'b1;
          state_d      = StPlay;
        end else if (leaf) begin
          retire  = 1'b1;
          counted = 1'b1;
          leave   = cuts_q || (!leaf_later && !busy);
          kill    = leave;
        end else begin
          leave = !leaf_later && !busy;
        end
      end

      StReturn: begin
        ply_d        = ply_q - 1'b1;
        frame_d      = below_q.frame;
        restore      = 1'b1;
        next_valid_d = below_q.next_valid;
        next_d       = below_q.next;
        value_d      = none_q ? '0 : -frame_q.best;
        none_d       = 1'b0;
        state_d      = StCompare;
      end

      StCompare: state_d = StTake;

      StTake: begin
        retire  = 1'b1;
        leave   = cuts_q || !next_valid_q;
        state_d = StResume;
      end

      StTell: begin
        hold = 1'b1;
        if (node_ready_i) begin
          leave   = leave_q;
          state_d = leaf_told_q ? StLeaf : StResume;
        end
      end

      // The maps are those of the node again.
      StResume: if (settled) begin
        start        = frame_q.left != '0;
        next_valid_d = 1'b0;
        issue        = 1'b1;
        op_d         = horizon_q ? OpScore : OpPut;
        op_point_d   = next_q;
        counted      = !horizon_q;
        state_d      = horizon_q ? StLeaf : StPlay;
      end

      StNone: begin
        by_key  = 1'b0;
        start   = count_q == '0;
        point_d = point;
        if (done) begin
          has_point_d = found;
          state_d     = StEnd;
        end
      end

      StEnd: begin
        count_d = '0;
        if (rsp_ready_i) state_d = StClear;
      end

      default: state_d = StClear;
    endcase

    // A child's value is known.
    node_d = '{ply: ply_q + 1'b1, point: index(leaf ? leaf_point_q[9] : op_point_q),
               value: (lines || !mover) ? compared_q : -compared_q};
    if (retire) begin
      frame_d.best  = best;
      frame_d.alpha = alpha;
      if (better_q && ply_q == '0) begin
        has_point_d = 1'b1;
        point_d     = leaf ? leaf_point_q[9] : op_point_q;
        answer_d    = compared_q;
      end
      if (trace_q) begin
        leave_d     = leave;
        leaf_told_d = leaf;
        leave       = 1'b0;
        state_d     = StTell;
      end
    end

    // The node is done: its stone is taken.
    if (leave) begin
      abort       = 1'b1;
      issue       = ply_q != '0;
      op_d        = OpTake;
      op_point_d  = frame_q.stone;
      op_colour_d = !mover;
      state_d     = (ply_q != '0) ? StReturn : StEnd;
    end

    if (cancel_i && state_d != StEnd && !(state_q inside {StClear, StIdle, StEnd})) begin
      state_d     = StEnd;
      cancelled_d = 1'b1;
      kill        = 1'b1;
      issue       = 1'b0;
    end
  end

  // ------------------------------------------------------------------------------ registers
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= StClear;
      count_q    <= '0;
      op_valid_q <= 1'b0;
      stage_q    <= '0;
      leaf_q     <= '0;
    end else begin
      state_q    <= state_d;
      count_q    <= count_d;
      op_valid_q <= issue;
      stage_q    <= kill ? '0 : {stage_q[4:1], op_valid_q};
      leaf_q     <= kill ? '0 : {leaf_q[8:1], op_valid_q && op_q == OpScore};
    end
  end

  // What a request sets needs no reset.
  always_ff @(posedge clk_i) begin
    if (issue) begin
      op_q        <= op_d;
      op_point_q  <= op_point_d;
      op_colour_q <= op_colour_d;
    end
    leaf_point_q <= {leaf_point_q[8:1], op_point_q};
    extends_q    <= leaf_extends;
    compared_q   <= compared_d;
    better_q     <= less(frame_q.best, compared_d);
    raises_q     <= less(frame_q.alpha, compared_d);
    cuts_q       <= !less(compared_d, frame_q.beta);
    ply_q        <= ply_d;
    horizon_q    <= limit_q <= ply_q + 1'b1;  // children have no depth left: in time
    frame_q      <= frame_d;
    next_valid_q <= next_valid_d;
    next_q       <= next_d;
    none_q       <= none_d;
    value_q      <= value_d;
    leave_q      <= leave_d;
    leaf_told_q  <= leaf_told_d;
    some_q       <= some_d;
    look_q       <= look_d;
    has_point_q  <= has_point_d;
    point_q      <= point_d;
    answer_q     <= answer_d;
    cancelled_q  <= cancelled_d;
    if (retire) node_q <= node_d;
    if (accept) begin
      own_q      <= req_i.own;
      opponent_q <= req_i.opponent;
      limit_q    <= req_i.depth;
      trace_q    <= req_i.trace;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) begin
      stack_q[ply_q] <= '{frame: '{best: frame_q.best, alpha: frame_q.alpha, beta: frame_q.beta,
                                   left: left_picked, kind: frame_q.kind, stone: frame_q.stone},
                          picked: picked,
                          next_valid: done ? found : next_valid_q, next: done ? point : next_q};
    end
    below_q <= stack_q[ply_q - 1'b1];
  end

  // Counts that nothing depends on
  always_ff @(posedge clk_i) begin
    if (accept) begin
      nodes_q  <= '0;
      cycles_q <= '0;
    end else begin
      if (counted) nodes_q <= nodes_q + 64'd1;
      if (!(state_q inside {StClear, StIdle, StEnd})) cycles_q <= cycles_q + 64'd1;
    end
  end

`ifndef SYNTHESIS
  RequestHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    req_valid_i && !req_ready_o |=> req_valid_i && $stable(req_i));
  NodeHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    node_valid_o && !node_ready_i && !cancel_i |=> node_valid_o && $stable(node_o));
  RspHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    rsp_valid_o && !rsp_ready_i |=>
    rsp_valid_o && $stable(progress_o) && $stable(cancelled_o));
  WeightsSteady_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(state_q inside {StClear, StIdle, StEnd}) |=> $stable(weights_i) || state_q == StEnd);
  StackDeep_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    push |-> ply_q < ply_t'(MaxDepth));
  // The next sibling has been picked before the maps change.
  Picked_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q == StPlay && stage_q[5] |-> !busy || done);
  LeafAlone_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    trace_q && leaf |-> !leaf_later);
  Deepest_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    push && ply_q == ply_t'(3));
`endif

endmodule
