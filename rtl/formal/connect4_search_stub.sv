// Stands in for connect4_search in connect4_reader_proof: takes a position, completes depths,
// offers columns of a trace and is done at any time, with any progress (free inputs of the
// harness). What connect4_search keeps it keeps: a column that is offered stays until it is taken
// or a cancel takes it back, none is offered once it is done; a cancel ends it in the next cycle;
// the answer stays until it is taken.
module connect4_search
  import connect4_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  weights_t   weights_i,
  input  logic       cancel_i,
  input  logic       req_valid_i,
  output logic       req_ready_o,
  input  request_t   req_i,
  output logic       depth_done_o,
  output progress_t  progress_o,
  output logic       candidate_valid_o,
  input  logic       candidate_ready_i,
  output candidate_t candidate_o,
  output logic       rsp_valid_o,
  input  logic       rsp_ready_i,
  output logic       cancelled_o
);

  logic       busy_q, done_q, trace_q, cancelled_q;
  logic       offered_q;  // a column was, and not taken
  candidate_t candidate_q;
  progress_t  progress_q;

  assign req_ready_o       = !busy_q && connect4_reader_proof.core_ready_i;
  assign depth_done_o      = busy_q && connect4_reader_proof.depth_done_i;
  assign progress_o        = done_q ? progress_q : connect4_reader_proof.progress_i;
  assign candidate_valid_o = busy_q && trace_q && !done_q &&
                             (offered_q || connect4_reader_proof.candidate_valid_i);
  assign candidate_o       = offered_q ? candidate_q : connect4_reader_proof.candidate_i;
  assign rsp_valid_o       = done_q;
  assign cancelled_o       = cancelled_q;

  always_ff @(posedge clk_i) begin
    candidate_q <= candidate_o;
    if (!done_q) progress_q <= connect4_reader_proof.progress_i;
    if (!rst_ni) begin
      busy_q    <= 1'b0;
      done_q    <= 1'b0;
      offered_q <= 1'b0;
    end else begin
      offered_q <= candidate_valid_o && !candidate_ready_i && !cancel_i;
      if (req_valid_i && req_ready_o) begin
        busy_q  <= 1'b1;
        trace_q <= req_i.trace;
      end
      if (busy_q && !done_q && (cancel_i || (connect4_reader_proof.done_i &&
                                             (!candidate_valid_o || candidate_ready_i)))) begin
        done_q      <= 1'b1;
        cancelled_q <= cancel_i;
      end
      if (done_q && rsp_ready_i) begin
        busy_q <= 1'b0;
        done_q <= 1'b0;
      end
    end
  end

endmodule
