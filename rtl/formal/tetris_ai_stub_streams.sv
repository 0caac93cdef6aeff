// Stands in for tetris_ai in tetris_reader_streams_proof: takes a request and gives any answer at
// any time (free inputs of the harness), once, held until it is taken. With trace_i it reports any
// number of any placements before it answers, each held until it is taken; tetris_ai, too, has
// taken back its last one by the time it answers.
module tetris_ai
  import tetris_pkg::board_t, tetris_pkg::decision_t, tetris_pkg::traced_t,
         tetris_pkg::weights_t;
#(
  parameter int unsigned Multipliers = 4
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  weights_t   weights_i,

  input  logic       req_valid_i,
  output logic       req_ready_o,
  input  board_t     req_board_i,
  input  logic [2:0] req_piece_i,

  output logic       rsp_valid_o,
  input  logic       rsp_ready_i,
  output decision_t  rsp_o,

  input  logic       trace_i,
  output logic       trace_valid_o,
  input  logic       trace_ready_i,
  output traced_t    trace_o
);

  logic      asked_q;    // a request was taken, its answer was not
  logic      offered_q;  // the answer was offered in the cycle before, and not taken
  logic      told_q;     // a placement was
  decision_t answer_q;
  traced_t   traced_q;

  assign req_ready_o   = !asked_q && tetris_reader_streams_proof.ai_ready_i;
  assign rsp_valid_o   = asked_q && (offered_q || (tetris_reader_streams_proof.ai_valid_i &&
                                                   !trace_valid_o));
  assign rsp_o         = offered_q ? answer_q : tetris_reader_streams_proof.ai_answer_i;
  assign trace_valid_o = asked_q && trace_i && !offered_q &&
                         (told_q || tetris_reader_streams_proof.ai_tells_i);
  assign trace_o       = told_q ? traced_q : tetris_reader_streams_proof.ai_traced_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      asked_q   <= 1'b0;
      offered_q <= 1'b0;
      told_q    <= 1'b0;
    end else begin
      if (req_valid_i && req_ready_o) asked_q <= 1'b1;
      if (rsp_valid_o && rsp_ready_i) asked_q <= 1'b0;
      offered_q <= rsp_valid_o && !rsp_ready_i;
      told_q    <= trace_valid_o && !trace_ready_i;
    end
    answer_q <= rsp_o;
    traced_q <= trace_o;
  end

endmodule
