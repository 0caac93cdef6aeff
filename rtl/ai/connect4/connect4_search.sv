// Connect Four's AI core: alpha-beta with iterative deepening, as docs/wire.md defines it.
//
// Drive it: offer a position with `req_valid_i`/`req_ready_o`; `weights_i` must be steady until
// the answer. `progress_o` has each completed depth from the cycle of `depth_done_o` on; its nodes
// and cycles keep counting. The end is offered on `rsp_*`: `progress_o` then has the
// answer, until it is taken. `cancel_i` ends a search in the next cycle, `cancelled_o` is 1 then.
//
// With `trace` in the request depth `depth` alone is searched, with a window of its own for each
// column, and each column, full ones too, is offered on `candidate_*` before the next is begun
// (a cancel takes it back).
//
// Cycles of a search: 43 + depths + 4 * stones dropped + 1 for each of these below which a search
// goes on. The 42 first ones find the value of the position. A trace takes 2 more for each column,
// and those in which it waits to be taken.
module connect4_search
  import connect4_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  weights_t   weights_i,
  input  logic       cancel_i,
  // Position
  input  logic       req_valid_i,
  output logic       req_ready_o,
  input  request_t   req_i,
  // Progress
  output logic       depth_done_o,
  output progress_t  progress_o,
  // Columns of a trace
  output logic       candidate_valid_o,
  input  logic       candidate_ready_i,
  output candidate_t candidate_o,
  // The end
  output logic       rsp_valid_o,
  input  logic       rsp_ready_i,
  output logic       cancelled_o
);

  typedef enum logic [3:0] {
    StIdle,
    StSum,    // adds up the weights of the stones that are there, cell by cell
    StRoot,   // a depth is complete: begins the next one
    StDrop,   // drops a stone into a column
    StLook,   // did it end the game, and what is it worth in its cell?
    StJudge,  // what is the position worth? If that is not known: searches it
    StPop,    // back from the search of a position
    StTake,   // takes the stone back and keeps its value, if it is the best
    StTell    // a trace reports a column
  } state_e;

  // The search's state at its position; on the stack while a position below it is searched.
  typedef struct packed {
    columns_t tried;  // the column tried, one-hot
    value_t   score;  // weights of the side to move's stones, less those of the other side's
    value_t   alpha;
    value_t   beta;
    value_t   best;
  } frame_t;

  typedef struct packed {
    count_t  depth;
    column_t column;
    value_t  value;
  } result_t;

  state_e       state_q, state_d;
  logic         done_q, done_d;          // the answer is offered
  count_t       limit_q;                 // depth of the request
  logic         trace_q;
  count_t       depth_q, depth_d;        // under way
  count_t       ply_q, ply_d;            // stones dropped since the root
  logic         at_root_q, at_root_d;    // none
  frame_t       frame_q, frame_d;
  value_t       value_q, value_d;        // of the column tried, for the side that tries it
  column_t      root_q, root_d;          // best column at the root
  result_t      result_q, result_d;      // of the last depth completed
  logic         depth_done_q, depth_done_d;
  logic         taken_q;                 // the column reported was, a cycle ago
  logic         cancelled_q, cancelled_d;
  logic [63:0]  nodes_q, cycles_q, column_nodes_q;

  // The first 41 are used. LUT RAM: a block RAM would need two.
  (* ram_style = "distributed" *)
  frame_t stack_q [2**$bits(count_t)];
  frame_t below_q;                      // its uppermost one, from the second cycle at a position on
  logic   push;

  logic accept;
  assign accept = req_valid_i && req_ready_o;

  column_t  column;
  value_t   score;
  assign column = number(frame_q.tried);
  assign score  = frame_q.score;

  columns_t open;
  logic     drop, take, last_cell, own, other, four, full;
  value_t   weight;
  count_t   empty;
  assign drop = state_q == StDrop;
  assign take = state_q == StTake;
  connect4_position u_position (
    .clk_i,
    .weights_i,
    .load_i      (req_ready_o),
    .stones_i    ({req_i.opponent, req_i.own}),
    .look_i      (state_q == StSum),
    .drop_i      (drop),
    .take_i      (take),
    .turn_i      (push || state_q == StPop),
    .column_i    (frame_q.tried),
    .open_o      (open),
    .last_cell_o (last_cell),
    .empty_o     (empty),
    .own_o       (own),
    .other_o     (other),
    .weight_o    (weight),
    .four_o      (four),
    .full_o      (full)
  );

  // The registers have their values a cycle later, which is soon enough.
  count_t last, last_q;  // depth to be searched, never 0
  logic   leaf_q;        // the position after a stone is as deep as that
  value_t won_q;         // its value if the stone wins
  logic   to_root_q;     // a search returns to the root
  logic   ends;          // the last depth is complete
  assign last = (limit_q < empty) ? limit_q : empty;
  assign ends = state_q == StRoot && depth_q == last_q;

  // The first column with room, in Order, and the first one after the one tried, or after the one
  // to which a search is about to return; 0 if there is none
  columns_t first, next_q, next_d, tried;
  logic     later, full_window, full_window_d;
  assign tried         = (state_q == StPop) ? below_q.tried : frame_q.tried;
  assign full_window   = trace_q && at_root_q;
  assign full_window_d = trace_q && ((state_q == StPop) ? to_root_q : at_root_q);
  always_comb begin
    {first, next_d, later} = '0;
    for (int unsigned i = 0; i < Columns; i++) begin
      if (first == '0) first[Order[i]] = open[Order[i]];
      if (later && next_d == '0) next_d[Order[i]] = open[Order[i]] || full_window_d;
      if (tried[Order[i]]) later = 1'b1;
    end
  end

  // Taken a cycle after the comparison (StTake): in one cycle they were its longest path
  value_t best, alpha;
  logic   better_q, better_d, raises_q, raises_d;
  assign best  = better_q ? value_q : frame_q.best;
  assign alpha = raises_q ? value_q : frame_q.alpha;

  // The score with the cell that was looked at
  value_t summed;
  always_comb begin
    summed = score;
    if (own) summed = score + weight;
    if (other) summed = score - weight;
  end

  assign req_ready_o       = state_q == StIdle && !done_q;
  assign depth_done_o      = depth_done_q;
  assign progress_o        = {result_q, nodes_q, cycles_q};
  assign candidate_valid_o = state_q == StTell && !taken_q;
  assign candidate_o       = '{column: column, legal: column_nodes_q != '0, value: value_q,
                               nodes: column_nodes_q};
  assign rsp_valid_o       = done_q;
  assign cancelled_o       = cancelled_q;

  always_comb begin
    state_d      = state_q;
    done_d       = done_q && !rsp_ready_i;
    depth_d      = depth_q;
    ply_d        = ply_q;
    at_root_d    = at_root_q;
    frame_d      = '{tried: frame_q.tried, score: frame_q.score, alpha: alpha,
                     beta: frame_q.beta, best: best};
    better_d     = 1'b0;
    raises_d     = 1'b0;
    value_d      = value_q;
    root_d       = root_q;
    result_d     = result_q;
    depth_done_d = 1'b0;
    cancelled_d  = cancelled_q;
    push         = 1'b0;

    unique case (state_q)
      // All but the state is set whether or not there is a request: that comes late.
      StIdle: if (!done_q) begin
        if (req_valid_i) state_d = StSum;
        depth_d       = '0;
        ply_d         = '0;
        at_root_d     = 1'b1;
        frame_d.score = '0;
        frame_d.best  = '0;
        root_d        = '0;
        result_d      = '0;
        cancelled_d   = 1'b0;
      end

      StSum: begin
        frame_d.score = summed;
        if (last_cell) state_d = StRoot;
      end

      StRoot: begin
        depth_done_d = depth_q != '0;
        result_d     = '{depth: depth_q, column: root_q, value: best};
        depth_d      = trace_q ? last : depth_q + 1'b1;
        // The first time the last cell is still to be added.
        frame_d      = '{tried: trace_q ? columns_t'(1) << Order[0] : first, score: summed,
                         alpha: -Bound, beta: Bound, best: -Bound};
        state_d      = StDrop;
        if (ends) begin
          state_d = StIdle;
          done_d  = 1'b1;
        end
      end

      StDrop: begin
        value_d = '0;
        state_d = ((open & frame_q.tried) != '0) ? StLook : StTell;
      end

      StLook: state_d = StJudge;

      StJudge: begin
        state_d = StTake;
        if (four) value_d = won_q;
        else if (full) value_d = '0;
        else if (leaf_q) value_d = score + weight;
        else begin
          push      = 1'b1;
          ply_d     = ply_q + 1'b1;
          at_root_d = 1'b0;
          frame_d   = '{tried: first, score: -score - weight, alpha: -frame_q.beta,
                        beta: -frame_q.alpha, best: -Bound};
          state_d   = StDrop;
        end
      end

      StPop: begin
        value_d   = -best;
        frame_d   = below_q;
        ply_d     = ply_q - 1'b1;
        at_root_d = to_root_q;
        state_d   = StTake;
      end

      StTake: begin
        better_d = less(frame_q.best, value_q);
        if (better_d && at_root_q) root_d = column;
        // Alpha is at least as high as best, but at the root of a trace, where it stays.
        raises_d = less(frame_q.alpha, value_q) && !full_window;
        // Where no column is tried after this one, the frame is not used any more.
        if (!full_window) frame_d.tried = next_q;
        if (full_window) state_d = StTell;
        else if (next_q != '0 && less(value_q, frame_q.beta)) state_d = StDrop;
        else state_d = at_root_q ? StRoot : StPop;
      end

      StTell: if (taken_q) begin
        frame_d.tried = next_q;
        state_d       = (next_q != '0) ? StDrop : StRoot;
      end

      default: state_d = StIdle;
    endcase

    if (cancel_i && state_q != StIdle && !ends) begin
      state_d     = StIdle;
      done_d      = 1'b1;
      cancelled_d = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= StIdle;
      done_q       <= 1'b0;
      depth_done_q <= 1'b0;
      taken_q      <= 1'b0;
    end else begin
      state_q      <= state_d;
      done_q       <= done_d;
      depth_done_q <= depth_done_d;
      taken_q      <= candidate_valid_o && candidate_ready_i;
    end
  end

  // What a request sets needs no reset.
  always_ff @(posedge clk_i) begin
    depth_q     <= depth_d;
    ply_q       <= ply_d;
    at_root_q   <= at_root_d;
    frame_q     <= frame_d;
    value_q     <= value_d;
    better_q    <= better_d;
    raises_q    <= raises_d;
    root_q      <= root_d;
    result_q    <= result_d;
    cancelled_q <= cancelled_d;
    if (push) stack_q[ply_q] <= frame_q;
    below_q     <= stack_q[ply_q - count_t'(1)];
    next_q      <= next_d;
    last_q      <= last;
    leaf_q      <= ply_q + 1'b1 == depth_q;
    to_root_q   <= ply_q == count_t'(1);
    won_q       <= Win - value_t'(ply_q) - 16'sd1;
    if (req_ready_o) begin
      limit_q <= req_i.depth;
      trace_q <= req_i.trace;
    end
  end

  // Counts that nothing depends on.
  always_ff @(posedge clk_i) begin
    if (accept) begin
      nodes_q  <= '0;
      cycles_q <= '0;
    end else begin
      if (state_q == StLook) nodes_q <= nodes_q + 64'd1;
      if (state_q != StIdle) cycles_q <= cycles_q + 64'd1;
    end
    if (accept || drop && at_root_q) column_nodes_q <= '0;
    else if (state_q == StLook) column_nodes_q <= column_nodes_q + 64'd1;
  end

`ifndef SYNTHESIS
  RequestHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    req_valid_i && !req_ready_o |=> req_valid_i && $stable(req_i));
  CandidateHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    candidate_valid_o && !candidate_ready_i && !cancel_i |=>
    candidate_valid_o && $stable(candidate_o));
  RspHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    rsp_valid_o && !rsp_ready_i |=>
    rsp_valid_o && $stable(progress_o) && $stable(cancelled_o));
  WeightsSteady_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !req_ready_o |=> $stable(weights_i));
  StackDeep_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    push |-> ply_q < count_t'(Cells - 1));
  OneColumn_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    drop || take |-> $onehot(frame_q.tried));
  AlphaHighest_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    drop && !full_window |-> alpha >= best);
  Deepest_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    push && ply_q == 6'd3);
`endif

endmodule
