// Stands in for tetris_ai in tetris_reader_proof: takes a request and gives any answer at any
// time (free inputs of the harness), once, held until it is taken. It reports no placements.
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

  assign trace_valid_o = 1'b0;
  assign trace_o       = '0;

  logic      asked_q;    // a request was taken, its answer was not
  logic      offered_q;  // the answer was offered in the cycle before, and not taken
  decision_t answer_q;

  assign req_ready_o = !asked_q && tetris_reader_proof.ai_ready_i;
  assign rsp_valid_o = asked_q && (offered_q || tetris_reader_proof.ai_valid_i);
  assign rsp_o       = offered_q ? answer_q : tetris_reader_proof.ai_answer_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      asked_q   <= 1'b0;
      offered_q <= 1'b0;
    end else begin
      if (req_valid_i && req_ready_o) asked_q <= 1'b1;
      if (rsp_valid_o && rsp_ready_i) asked_q <= 1'b0;
      offered_q <= rsp_valid_o && !rsp_ready_i;
    end
    answer_q <= rsp_o;
  end

endmodule
