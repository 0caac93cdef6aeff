// Gomoku's AI core: alpha-beta with an explicit stack, for both profiles, as
// host/games/src/gomoku/README.md defines them.
//
// Drive it: offer a position with `req_valid_i`/`req_ready_o`; `weights_i` must be steady until the
// answer. `progress_o` has the best point of the root so far, its value, nodes and cycles, at any
// time. The end is offered on `rsp_*`: `progress_o` then has the answer, until it is taken; the
// core is ready for the next position 64 cycles later. `cancel_i` ends a search two cycles later,
// `cancelled_o` is 1 then. With `trace` in the request each node is offered on `node_*` when it is
// left, children before their parent, and the search waits until it is taken.
//
// A child with no depth left is a leaf: it is scored without being put on the board, and the next
// leaves are picked and scored before its value is known; those after the leaf that ends the node
// do not count. If a block is forced after a leaf, the leaf is put on the board after all, and the
// leaves after it are scored again later.
//
// A leaf's value is compared in its cycle 9 (gomoku_board) and taken in cycle 10. After a stone,
// its node is entered in the stone's cycle 6; meanwhile the next sibling is picked from the maps
// without the stone.
//
// Cycles of a search, with P = 6 in `lines` and 2 in `wujian`:
//  - 12, and 2 for each stone of the position;
//  - P for each node whose candidates are picked, the root included; 1 more for one without any;
//  - 9 for each stone that is put on the board and taken off; 4 more if a sibling follows it;
//  - for leaves in a row, without such a stone between: 11 for the first, P for each other one, and
//    1 more for the second after a stone. The last one may be put on the board, too.
// Without search: 11, 2 for each stone, and 10 for each point looked at. At a root that wins at
// once these are the points with a FIVE, or else with a FOUR or more, up to the chosen one. At a
// root without candidates: P + 3 more than the 12.
// A trace whose nodes are taken at once: 13 instead of P for leaves after the first, without the 1
// more; 1 for each node, except a stone that a sibling follows; 1 for each node with children; 3
// if no candidate is left after a leaf although more would be allowed.
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

  localparam point_t Centre = '{y: 4'(Side / 2), x: 4'(Side / 2)};

  state_e     state_q, state_d;
  map_t       own_q, opponent_q;
  ply_t       limit_q;          // depth asked for
  logic       trace_q;
  logic       next_valid_q, next_valid_d;  // the node's next candidate has been picked
  point_t     next_q;
  logic       leave_q;           // the child was the last one
  logic       leaf_told_q;      // the one a trace reports is a leaf
  logic [5:0] count_q, count_d; // of a clear; in other states one less than its cycles
  logic       first_q, first_d; // in the first cycle of a state
  logic       some_q, some_d;   // there are stones
  logic       look_q, look_d;   // for a FIVE
  logic       centre_q;         // there is no stone in the centre
  logic       has_point_q, has_point_d;  // the answer has a point
  point_t     point_q, point_d;
  value_t     answer_q, answer_d;
  logic       cancel_q, cancelled_q, cancelled_d;
  logic [63:0] nodes_q, cycles_q;
  logic       counted;          // a node more
  logic       put_q;            // its stone is being put on the board

  logic lines_q;  // the profile

  // --------------------------------------------------------------------------- the operation
  logic   op_valid, op_colour, kill, ready, enter, enter_soon, looked;
  logic   leaf_soon, leaf, extend, last_leaf, leave;
  op_e    op;
  point_t op_point, leaf_point;
  logic   begin_q;  // the stone before has been taken: the maps are the node's again

  // --------------------------------------------------------------------------- the position
  count_t                    counts;
  logic [1:0]                five, open4, fives;  // of the stone's colour, of the other one
  logic                      five_soon, open4_soon, run;
  logic                      look_five, look_open4;
  kind_t                     kind;
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
    .valid_i      (op_valid),
    .point_i      (op_point),
    .colour_i     (op_colour),
    .op_i         (op),
    .counts_o     (counts),
    .five_o       (five),
    .open4_o      (open4),
    .five_soon_o  (five_soon),
    .open4_soon_o (open4_soon),
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
  logic   by_key, start, fresh_q, again, hold_q, abort, clear_q, busy, done, found, pop;
  logic   left_q;   // the node has been left
  logic   picked_q;  // a candidate has been picked
  logic   given_q;  // not the candidates, but stones; the opponent's; points without any
  logic   given_opponent_q, given_none_q;
  point_t point;

  // The candidates of a node, or points of the request.
  always_comb begin
    source = candidates;
    if (given_q) begin
      source = given_opponent_q ? opponent_q : own_q;
      if (given_none_q) source = ~(own_q | opponent_q);
    end
  end

  gomoku_pick u_pick (
    .clk_i,
    .rst_ni,
    .source_i   (source),
    .keys_i     (keys),
    .by_key_i   (by_key),
    .start_i    (start),
    .fresh_i    (fresh_q),
    .again_i    (again),
    .hold_i     (hold_q),
    .abort_i    (abort),
    .clear_i    (clear_q),
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

  // -------------------------------------------------------------------------------- the node
  ply_t       ply;
  logic       at_root, horizon, mover, root, push_q, none, keep, better, cuts;
  logic       ends, forces;
  logic [7:0] left;
  point_t     stone;
  value_t     compared;
  assign mover = ply[0];

  gomoku_node u_node (
    .clk_i,
    .lines_i    (lines_q),
    .weights_i,
    .limit_i    (limit_q),
    .idle_i     (state_q == StIdle),
    .root_i     (root),
    .push_i     (push_q),
    .pop_i      (pop),
    .none_i     (none),
    .picked_i   (picked_q),
    .stone_i    (op_point),
    .counts_i   (counts),
    .five_i     (five),
    .open4_i    (open4),
    .run_i      (run),
    .enter_soon_i (enter_soon),
    .five_soon_i  (five_soon),
    .open4_soon_i (open4_soon),
    .ended_i    (state_q == StEnded),
    .keep_i     (keep),
    .ends_o     (ends),
    .forces_o   (forces),
    .compared_o (compared),
    .better_o   (better),
    .cuts_o     (cuts),
    .ply_o      (ply),
    .at_root_o  (at_root),
    .horizon_o  (horizon),
    .kind_o     (kind),
    .left_o     (left),
    .stone_o    (stone),
    .picks_i    (picks),
    .below_o    (below)
  );

  gomoku_operation u_operation (
    .clk_i,
    .rst_ni,
    .state_i      (state_q),
    .cancel_i     (cancel_q),
    .done_i       (done),
    .found_i      (found),
    .point_i      (point),
    .mover_i      (mover),
    .at_root_i    (at_root),
    .horizon_i    (horizon),
    .stone_i      (stone),
    .next_i       (next_q),
    .ends_i       (ends),
    .forces_i     (forces),
    .leave_i      (leave),
    .valid_o      (op_valid),
    .op_o         (op),
    .point_o      (op_point),
    .colour_o     (op_colour),
    .kill_o       (kill),
    .ready_o      (ready),
    .enter_soon_o (enter_soon),
    .enter_o      (enter),
    .looked_o     (looked),
    .leaf_soon_o  (leaf_soon),
    .leaf_o       (leaf),
    .leaf_point_o (leaf_point),
    .extend_o     (extend),
    .last_leaf_o  (last_leaf)
  );

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

  // No leaf follows; the node has no candidate; no further child of the node is tried.
  logic last, plain_leaf_q, plain_take_q;
  assign last  = last_leaf && !busy;
  assign keep  = (leaf && !forces) || state_q == StTake;
  assign none  = state_q == StPick && done && !found;
  assign root  = state_q == StRoot;
  assign pop   = state_q == StReturn;
  assign leave = state_q == StLeave || (plain_take_q && (cuts || !next_valid_q)) ||
                 (plain_leaf_q && !forces && (cuts || last));

  always_comb begin
    start   = begin_q || enter && !ends;
    again   = left != 8'd1;
    by_key  = lines_q;
    // A cycle after a node is left, or its search cancelled, is soon enough.
    abort   = left_q || (extend && !trace_q) || state_q == StEnd;
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

  assign counted = leaf || put_q;

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
        if (accept) state_d = StOwn;
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
      StSettle: if (count_q == 6'd2 && !first_q) state_d = StRoot;

      StRoot: begin
        look_d  = five[op_colour];
        first_d = 1'b1;
        state_d = StFirst;
        if (five[op_colour] || (open4[op_colour] && five == '0)) state_d = StLook;
        if (!some_q) begin
          state_d     = StEnd;
          has_point_d = 1'b1;
          point_d     = Centre;
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
        first_d = 1'b1;
        point_d = op_point;
        if (looked) begin
          state_d = StLook;
          if (look_q ? look_five : look_open4) begin
            state_d     = StEnd;
            has_point_d = 1'b1;
            answer_d    = look_q ? LinesWin - 28'sd1 : LinesWin - 28'sd3;
          end
        end
      end

      StPick: begin
        next_valid_d = 1'b0;
        first_d      = 1'b1;
        if (done) state_d = !found ? (at_root ? StNone : StLeave) : horizon ? StLeaf : StPlay;
      end

      // The next sibling is picked meanwhile: later the maps are those with the stone.
      StPlay: begin
        if (done) next_valid_d = found;
        if (enter) state_d = ends ? StEnded : StPick;
      end

      StEnded: state_d = StTake;

      StLeaf: begin
        // The next sibling, which is being scored, remains the next one.
        next_valid_d = !last_leaf;
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
        point_d = centre_q ? Centre : point;
        if (done) begin
          has_point_d = found;
          state_d     = StEnd;
        end
      end

      StEnd: if (rsp_ready_i) state_d = StClear;

      default: state_d = StClear;
    endcase

    if (keep && better && at_root) begin
      has_point_d = 1'b1;
      point_d     = leaf ? leaf_point : op_point;
      answer_d    = compared;
    end
    if (leave) state_d = at_root ? StEnd : StReturn;
    if (cancel_q && working) begin
      state_d     = StEnd;
      cancelled_d = 1'b1;
    end
    count_d = (first_q || state_q == StEnd) ? '0 : (count_q == '1) ? count_q : count_q + 1'b1;
  end

  // ------------------------------------------------------------------------------ registers
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= StClear;
      count_q    <= '0;
      plain_leaf_q <= 1'b0;
      plain_take_q <= 1'b0;
      begin_q    <= 1'b0;
      left_q     <= 1'b0;
      picked_q   <= 1'b0;
      put_q      <= 1'b0;
    end else begin
      state_q    <= state_d;
      count_q    <= count_d;
      plain_leaf_q <= leaf_soon && !trace_q;
      plain_take_q <= state_q inside {StReturn, StEnded} && !trace_q && !cancel_q;
      left_q     <= leave;
      picked_q   <= done && found && !pop;
      put_q      <= !horizon && !cancel_q && ((state_q == StPick && done && found) ||
                                              (state_q == StResume && ready));
      begin_q    <= state_q == StResume && ready && left != '0;
    end
  end

  // What a request sets needs no reset.
  always_ff @(posedge clk_i) begin
    push_q       <= enter && !ends;
    hold_q       <= trace_q && (state_q == StTell || (state_q == StLeaf && (leaf || !last_leaf)));
    // A node begins. All of these are broadcast, and where they are high too long nothing depends
    // on them.
    fresh_q      <= enter_soon || state_q == StRoot;
    clear_q      <= (enter && !ends) || state_q inside {StClear, StRoot};
    given_q      <= state_q inside {StIdle, StOwn, StOpponent} ||
                    (state_q == StPick && at_root && done);
    given_opponent_q <= (state_q == StOwn && done && !found) || state_q == StOpponent;
    given_none_q     <= state_q == StPick;
    next_valid_q <= next_valid_d;
    next_q       <= pop ? below.next : picks.next;
    first_q      <= first_d;
    some_q       <= some_d;
    look_q       <= look_d;
    has_point_q  <= has_point_d;
    point_q      <= point_d;
    answer_q     <= answer_d;
    lines_q      <= weights_i.lines;
    centre_q     <= !(own_q[Centre.y][Centre.x] || opponent_q[Centre.y][Centre.x]);
    cancel_q     <= cancel_i;
    cancelled_q  <= cancelled_d;
    if (keep) begin
      leave_q     <= cuts || (leaf ? last : !next_valid_q);
      leaf_told_q <= leaf;
      node_q      <= '{ply: ply + 1'b1, point: index(leaf ? leaf_point : op_point),
                       value: (lines_q || !mover) ? compared : -compared};
    end
    // The valid of a request comes too late to enable this many registers.
    if (state_q == StIdle) begin
      own_q      <= req_i.own;
      opponent_q <= req_i.opponent;
      limit_q    <= req_i.depth;
      trace_q    <= req_i.trace;
    end
  end

  // Counts that nothing depends on
  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
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
    enter |-> !busy || done);
  LeafAlone_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    trace_q && leaf |-> last_leaf);
  Deepest_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    push_q && ply == ply_t'(3));
`endif

endmodule
