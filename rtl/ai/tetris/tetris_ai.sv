// Chooses where to put a Tetris piece: drops it at every rotation and column, and answers with
// the legal placement of the highest score, the first in (rotation, column) order among equals.
//
// One request at a time: req_ready_o is high while idle, and the answer has to be taken before the
// next request is. weights_i must be stable from the request to the answer. Nothing here knows
// where requests come from.
//
// Latency: rsp_o.cycles, the number of clock cycles from the one in which the request is taken
// (req_valid_i && req_ready_o) to the first one with rsp_valid_o = 1. A request taken in cycle t
// and answered from cycle t + n says n. That is the sum, over the candidates, of the larger of
// their rows and the groups of the candidate before, plus 18, plus the last candidate's groups.
// Rows: from the top of stack or piece to the floor, 1 if illegal. Groups: of products,
// ceil(NumFeatures / Multipliers), 1 if illegal and before the first candidate.
//
// With no legal placement every field of the answer but cycles is 0.
//
// With trace_i, steady from the request to the answer, every placement is reported on trace_*, in
// order; the decision waits for each to be taken, and cycles count that, too.
//
//   enum -> drop -> rows -> eval -> score -> best
//
// keep the placements in order; heights prepares the board for drop; trace listens. Up to rows a
// stage waits for the next (valid/ready); rows sets the pace for all behind it, so that those
// never wait.
module tetris_ai
  import tetris_pkg::NumFeatures, tetris_pkg::ScoreWidth,
         tetris_pkg::beat_t, tetris_pkg::board_t, tetris_pkg::candidate_t, tetris_pkg::decision_t,
         tetris_pkg::features_t, tetris_pkg::height_t, tetris_pkg::heights_t, tetris_pkg::number_t,
         tetris_pkg::piece_t, tetris_pkg::placement_t, tetris_pkg::scan_t, tetris_pkg::traced_t,
         tetris_pkg::weights_t;
#(
  // Multipliers of the score, 1 .. NumFeatures; below 4 they become the bottleneck on low stacks.
  parameter int unsigned Multipliers = 4
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  weights_t                     weights_i,

  input  logic                         req_valid_i,
  output logic                         req_ready_o,
  input  board_t                       req_board_i,
  input  logic [2:0]                   req_piece_i,    // 0 .. 6, checked by the caller

  output logic                         rsp_valid_o,
  input  logic                         rsp_ready_i,
  output decision_t                    rsp_o,

  input  logic                         trace_i,
  output logic                         trace_valid_o,
  input  logic                         trace_ready_i,
  output traced_t                      trace_o
);

  typedef enum logic [2:0] {
    StIdle,     // waits for a request
    StPrepare,  // column heights, first cycle
    StHeights,  // ... and second: the candidates begin
    StRun,      // placements are under way
    StRespond   // offers the answer
  } state_e;

  state_e      state_q, state_d;
  logic        accept, prepare, start, done;
  logic [31:0] cycles_q, cycles_d;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:    if (req_valid_i) state_d = StPrepare;
      StPrepare: state_d = StHeights;
      StHeights: state_d = StRun;
      StRun:     if (done && !trace_valid_o) state_d = StRespond;
      StRespond: if (rsp_ready_i) state_d = StIdle;
      default:   state_d = StIdle;
    endcase
  end

  assign req_ready_o = state_q == StIdle;
  assign rsp_valid_o = state_q == StRespond;
  assign accept      = req_valid_i && req_ready_o;
  assign prepare     = state_q == StPrepare;
  assign start       = state_q == StHeights;

  // ---------------------------------------------------------------------- the request, kept
  board_t   board_q, board_d;
  piece_t   piece_q, piece_d;
  heights_t heights;
  height_t  stack;

  always_comb begin
    board_d  = board_q;
    piece_d  = piece_q;
    cycles_d = cycles_q;
    // Whether or not there is a request: that comes late.
    if (req_ready_o) begin
      board_d = req_board_i;
      piece_d = req_piece_i;
    end
    if (prepare) cycles_d = 32'd2;
    else if (start || state_q == StRun) cycles_d = cycles_q + 32'd1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
    end else begin
      state_q <= state_d;
    end
  end

  // These mean something from the request on alone.
  always_ff @(posedge clk_i) begin
    cycles_q <= cycles_d;
    board_q  <= board_d;
    piece_q  <= piece_d;
  end

  tetris_heights u_heights (
    .clk_i,
    .en_i     (prepare),
    .board_i  (board_q),
    .heights_o(heights),
    .stack_o  (stack)
  );

  // --------------------------------------------------------------------------- the pipeline
  // Cycles a legal placement keeps the score busy
  localparam int unsigned Groups = (NumFeatures + Multipliers - 1) / Multipliers;

  logic                         candidate_valid, candidate_ready;
  candidate_t                   candidate;
  number_t                      count;
  logic                         unused_last;
  logic                         dropped_valid, dropped_ready;
  placement_t                   dropped;
  scan_t                        scan;
  logic                         beat_valid;
  beat_t                        beat;
  placement_t                   scanned;
  logic                         last_row;
  logic                         features_valid;
  features_t                    features;
  placement_t                   evaluated;
  logic                         score_valid;
  logic signed [ScoreWidth-1:0] score;
  logic [4:0]                   rows_cleared;
  placement_t                   scored;
  logic                         hold;

  tetris_enum u_enum (
    .clk_i,
    .rst_ni,
    .start_i          (start),
    .piece_i          (piece_q),
    .candidate_valid_o(candidate_valid),
    .candidate_ready_i(candidate_ready),
    .candidate_o      (candidate),
    .last_o           (unused_last),
    .count_o          (count)
  );

  tetris_drop u_drop (
    .clk_i,
    .rst_ni,
    .piece_i          (piece_q),
    .heights_i        (heights),
    .stack_i          (stack),
    .candidate_valid_i(candidate_valid),
    .candidate_ready_o(candidate_ready),
    .candidate_i      (candidate),
    .placement_valid_o(dropped_valid),
    .placement_ready_i(dropped_ready),
    .placement_o      (dropped),
    .scan_o           (scan)
  );

  tetris_rows #(
    .Pace(Groups)
  ) u_rows (
    .clk_i,
    .rst_ni,
    .board_i          (board_q),
    .hold_i           (hold),
    .placement_valid_i(dropped_valid),
    .placement_ready_o(dropped_ready),
    .placement_i      (dropped),
    .scan_i           (scan),
    .beat_valid_o     (beat_valid),
    .beat_o           (beat),
    .placement_o      (scanned),
    .last_row_o       (last_row)
  );

  tetris_eval u_eval (
    .clk_i,
    .rst_ni,
    .beat_valid_i    (beat_valid),
    .beat_i          (beat),
    .placement_i     (scanned),
    .features_valid_o(features_valid),
    .features_o      (features),
    .placement_o     (evaluated)
  );

  tetris_score #(
    .Multipliers(Multipliers)
  ) u_score (
    .clk_i,
    .rst_ni,
    .weights_i,
    .features_valid_i(features_valid),
    .features_i      (features),
    .placement_i     (evaluated),
    .score_valid_o   (score_valid),
    .score_o         (score),
    .rows_cleared_o  (rows_cleared),
    .placement_o     (scored)
  );

  tetris_best u_best (
    .clk_i,
    .rst_ni,
    .start_i       (start),
    .count_i       (count),
    .score_valid_i (score_valid),
    .score_i       (score),
    .rows_cleared_i(rows_cleared),
    .placement_i   (scored),
    .done_o        (done),
    .legal_o       (rsp_o.legal),
    .rotation_o    (rsp_o.rotation),
    .column_o      (rsp_o.column),
    .row_o         (rsp_o.row),
    .rows_cleared_o(rsp_o.rows_cleared),
    .score_o       (rsp_o.score)
  );

  tetris_trace u_trace (
    .clk_i,
    .rst_ni,
    .trace_i,
    .last_row_i      (last_row),
    .hold_o          (hold),
    .features_valid_i(features_valid),
    .features_i      (features),
    .score_valid_i   (score_valid),
    .score_i         (score),
    .placement_i     (scored),
    .trace_valid_o,
    .trace_ready_i,
    .trace_o
  );

  assign rsp_o.cycles = cycles_q;

`ifndef SYNTHESIS
  ResponseHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    rsp_valid_o && !rsp_ready_i |=> rsp_valid_o && $stable(rsp_o));
  PieceKnown_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    accept |-> req_piece_i < 3'd7);
  TraceSteady_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q == StRun |-> $stable(trace_i));
  WeightsHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q == StRun |-> $stable(weights_i));
`endif

endmodule
