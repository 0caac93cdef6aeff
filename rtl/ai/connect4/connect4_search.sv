// Connect Four's AI core: alpha-beta with iterative deepening, as docs/wire.md defines it.
//
// Drive it: offer a position with `req_valid_i`/`req_ready_o`; `weights_i` must be steady until
// the answer. Each depth completed is in `progress_o` from the cycle in which `depth_done_o` is
// high on, its nodes and cycles count on. The end is offered on `rsp_*`: `progress_o` then has the
// answer, until it is taken. `cancel_i` ends a search in the next cycle, `cancelled_o` is 1 then.
//
// With `trace` in the request depth `depth` alone is searched, with a window of its own for each
// column, and each column, full ones too, is offered on `candidate_*` before the next is begun
// (a cancel takes it back).
//
// Cycles: 42 for the value of the position, 4 for each stone dropped, 1 more where a search goes
// on behind it, 1 for each depth, and 1.
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
  // How far it has come
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
    StTry,    // where does the stone fall?
    StDrop,   // drops it
    StJudge,  // what is the position worth? If that is not known: searches it
    StPop,    // back from the search of a position
    StTake,   // takes the stone back and keeps its value, if it is the best
    StTell,   // a trace reports a column
    StDone
  } state_e;

  // What a search knows of the position it is at. While it is at one behind, this is on the stack.
  typedef struct packed {
    column_t index;  // of the column tried, in Order
    row_t    row;    // in which its stone lies
    value_t  alpha;
    value_t  beta;
    value_t  best;
  } frame_t;

  typedef struct packed {
    count_t  depth;
    column_t column;
    value_t  value;
  } result_t;

  state_e       state_q, state_d;
  board_t [1:0] stones_q, stones_d;      // 0: the side to move at the root
  value_t       score_q, score_d;        // weights of side 0's stones, less those of side 1's
  count_t       empty_q, empty_d;        // cells at the root
  count_t       limit_q;                 // depth asked for
  logic         trace_q;
  count_t       depth_q, depth_d;        // under way
  count_t       ply_q, ply_d;            // stones dropped since the root
  frame_t       frame_q, frame_d;
  value_t       value_q, value_d;        // of the column tried, for the side that tries it
  column_t      root_q, root_d;          // best column at the root
  result_t      result_q, result_d;      // of the last depth completed
  logic         depth_done_q, depth_done_d;
  logic         cancelled_q, cancelled_d;
  logic [63:0]  nodes_q, cycles_q, column_nodes_q;

  frame_t stack_q [2**$bits(count_t)];  // the first 41 are used
  logic   push;

  logic accept, at_root, full_window;
  assign accept      = req_valid_i && req_ready_o;
  assign at_root     = ply_q == '0;
  assign full_window = trace_q && at_root;

  // The side that moves, the column tried, its cell and what a stone is worth there
  logic    side;
  column_t column;
  value_t  weight;
  board_t  occupied;
  assign side     = ply_q[0];
  assign column   = Order[frame_q.index];
  assign weight   = value_t'(signed'(weights_i[column][frame_q.row]));
  assign occupied = stones_q[0] | stones_q[1];

  // The first column with room, in Order, and the next one to be tried
  logic    room, more;
  column_t first, next;
  always_comb begin
    {room, first, more, next} = '0;
    for (int signed i = Columns - 1; i >= 0; i--) begin
      if (!occupied[Order[i]][Rows-1]) {room, first} = {1'b1, column_t'(i)};
      if (column_t'(i) > frame_q.index && (full_window || !occupied[Order[i]][Rows-1])) begin
        {more, next} = {1'b1, column_t'(i)};
      end
    end
  end

  logic four;
  connect4_win u_connect4_win (
    .board_i (stones_q[side]),
    .four_o  (four)
  );

  count_t last;  // depth to be searched
  assign last = (limit_q < empty_q) ? limit_q : empty_q;

  assign req_ready_o       = state_q == StIdle;
  assign depth_done_o      = depth_done_q;
  assign progress_o        = {result_q, nodes_q, cycles_q};
  assign candidate_valid_o = state_q == StTell;
  assign candidate_o       = '{column: column, legal: column_nodes_q != '0, value: value_q,
                               nodes: column_nodes_q};
  assign rsp_valid_o       = state_q == StDone;
  assign cancelled_o       = cancelled_q;

  always_comb begin
    state_d      = state_q;
    stones_d     = stones_q;
    score_d      = score_q;
    empty_d      = empty_q;
    depth_d      = depth_q;
    ply_d        = ply_q;
    frame_d      = frame_q;
    value_d      = value_q;
    root_d       = root_q;
    result_d     = result_q;
    depth_done_d = 1'b0;
    cancelled_d  = cancelled_q;
    push         = 1'b0;

    unique case (state_q)
      StIdle: if (req_valid_i) begin
        state_d     = StSum;
        stones_d    = {req_i.opponent, req_i.own};
        score_d     = '0;
        empty_d     = count_t'(Cells);
        depth_d     = '0;
        ply_d       = '0;
        frame_d     = '0;
        root_d      = '0;
        result_d    = '0;
        cancelled_d = 1'b0;
      end

      StSum: begin
        if (stones_q[0][column][frame_q.row]) score_d = score_q + weight;
        if (stones_q[1][column][frame_q.row]) score_d = score_q - weight;
        if (occupied[column][frame_q.row]) empty_d = empty_q - 1'b1;
        frame_d.row = frame_q.row + 1'b1;
        if (frame_q.row == row_t'(Rows - 1)) begin
          frame_d.row = '0;
          if (frame_q.index == column_t'(Columns - 1)) state_d = StRoot;
          else frame_d.index = frame_q.index + 1'b1;
        end
      end

      StRoot: begin
        depth_done_d = depth_q != '0;
        result_d     = '{depth: depth_q, column: root_q, value: frame_q.best};
        depth_d      = trace_q ? last : depth_q + 1'b1;
        frame_d      = '{index: trace_q ? '0 : first, row: '0, alpha: -Bound, beta: Bound,
                         best: -Bound};
        state_d      = (depth_q == last) ? StDone : StTry;
      end

      StTry: begin
        value_d = '0;
        state_d = StTell;
        if (!occupied[column][Rows-1]) begin
          frame_d.row = height(occupied[column]);
          state_d     = StDrop;
        end
      end

      StDrop: begin
        stones_d[side][column][frame_q.row] = 1'b1;
        score_d = side ? score_q - weight : score_q + weight;
        state_d = StJudge;
      end

      StJudge: begin
        state_d = StTake;
        if (four) value_d = Win - value_t'(ply_q) - 16'sd1;
        else if (!room) value_d = '0;
        else if (ply_q + 1'b1 == depth_q) value_d = side ? -score_q : score_q;
        else begin
          push    = 1'b1;
          ply_d   = ply_q + 1'b1;
          frame_d = '{index: first, row: '0, alpha: -frame_q.beta, beta: -frame_q.alpha,
                      best: -Bound};
          state_d = StTry;
        end
      end

      StPop: begin
        value_d = -frame_q.best;
        frame_d = stack_q[ply_q - count_t'(1)];
        ply_d   = ply_q - 1'b1;
        state_d = StTake;
      end

      StTake: begin
        stones_d[side][column][frame_q.row] = 1'b0;
        score_d = side ? score_q + weight : score_q - weight;
        if (value_q > frame_q.best) begin
          frame_d.best = value_q;
          if (at_root) root_d = column;
        end
        // Alpha is at least as high as best, but at the root of a trace, where it stays.
        if (value_q > frame_q.alpha && !full_window) frame_d.alpha = value_q;
        if (full_window) begin
          state_d = StTell;
        end else if (more && value_q < frame_q.beta) begin
          frame_d.index = next;
          state_d       = StTry;
        end else begin
          state_d = at_root ? StRoot : StPop;
        end
      end

      StTell: if (candidate_ready_i) begin
        frame_d.index = next;
        state_d       = more ? StTry : StRoot;
      end

      StDone: if (rsp_ready_i) state_d = StIdle;

      default: state_d = StIdle;
    endcase

    if (cancel_i && !(state_q inside {StIdle, StDone}) && state_d != StDone) begin
      state_d     = StDone;
      cancelled_d = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q      <= StIdle;
      depth_done_q <= 1'b0;
    end else begin
      state_q      <= state_d;
      depth_done_q <= depth_done_d;
    end
  end

  // What a request sets needs no reset.
  always_ff @(posedge clk_i) begin
    stones_q    <= stones_d;
    score_q     <= score_d;
    empty_q     <= empty_d;
    depth_q     <= depth_d;
    ply_q       <= ply_d;
    frame_q     <= frame_d;
    value_q     <= value_d;
    root_q      <= root_d;
    result_q    <= result_d;
    cancelled_q <= cancelled_d;
    if (push) stack_q[ply_q] <= frame_q;
    if (accept) begin
      limit_q <= req_i.depth;
      trace_q <= req_i.trace;
    end
  end

  // Counted apart: they decide nothing.
  always_ff @(posedge clk_i) begin
    if (accept) begin
      nodes_q  <= '0;
      cycles_q <= '0;
    end else begin
      if (state_q == StDrop) nodes_q <= nodes_q + 64'd1;
      if (!(state_q inside {StIdle, StDone})) cycles_q <= cycles_q + 64'd1;
    end
    if (accept || state_q == StTry && at_root) column_nodes_q <= '0;
    else if (state_q == StDrop) column_nodes_q <= column_nodes_q + 64'd1;
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
  AlphaHighest_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q == StTry && !full_window |-> frame_q.alpha >= frame_q.best);
  Deepest_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    push && ply_q == 6'd3);
`endif

endmodule
