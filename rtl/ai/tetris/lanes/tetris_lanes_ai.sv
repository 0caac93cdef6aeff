// The AI core with lanes, for one request at a time: its ports and its answers are those of
// tetris_ai, whose head says how to drive it. The cycles are others, host/games has their model.
module tetris_lanes_ai
  import tetris_pkg::*;
  import tetris_lanes_pkg::best_t;
#(
  parameter int unsigned Lanes = 4  // 1, 2, 4 or 8
) (
  input  logic      clk_i,
  input  logic      rst_ni,
  input  weights_t  weights_i,

  input  logic      req_valid_i,
  output logic      req_ready_o,
  input  board_t    req_board_i,
  input  piece_t    req_piece_i,

  output logic      rsp_valid_o,
  input  logic      rsp_ready_i,
  output decision_t rsp_o,

  input  logic      trace_i,
  output logic      trace_valid_o,
  input  logic      trace_ready_i,
  output traced_t   trace_o
);

  typedef enum logic [1:0] {
    StIdle,
    StRun,
    StRespond
  } state_e;

  state_e      state_q, state_d;
  logic [31:0] cycles_q;
  logic        board_ready, best_valid, done_q;
  best_t       best;

  assign req_ready_o = state_q == StIdle && board_ready;
  assign rsp_valid_o = state_q == StRespond;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:    if (req_valid_i && req_ready_o) state_d = StRun;
      // The last placement of a trace may have to be taken still.
      StRun:     if ((best_valid || done_q) && !trace_valid_o) state_d = StRespond;
      StRespond: if (rsp_ready_i) state_d = StIdle;
      default:   state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    done_q <= state_q == StRun && (best_valid || done_q);
    if (state_q == StIdle) cycles_q <= 32'd1;
    else if (state_q == StRun) cycles_q <= cycles_q + 32'd1;
  end

  tetris_lanes #(
    .Lanes (Lanes)
  ) u_lanes (
    .clk_i,
    .rst_ni,
    .weights_i,
    .board_valid_i (req_valid_i && state_q == StIdle),
    .board_ready_o (board_ready),
    .board_i       (req_board_i),
    .piece_i       (req_piece_i),
    .best_valid_o  (best_valid),
    .best_o        (best),
    .trace_i,
    .trace_valid_o,
    .trace_ready_i,
    .trace_o
  );

  always_comb begin
    rsp_o = '0;
    if (best.legal) begin
      rsp_o.legal        = 1'b1;
      rsp_o.rotation     = ~best.rank.not_rotation;
      rsp_o.column       = ~best.rank.not_column;
      rsp_o.row          = best.row;
      rsp_o.rows_cleared = best.rows_cleared;
      rsp_o.score        = best.rank.score;
    end
    rsp_o.cycles = cycles_q;
  end

`ifndef SYNTHESIS
  ResponseHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    rsp_valid_o && !rsp_ready_i |=> rsp_valid_o && $stable(rsp_o));
`endif

endmodule
