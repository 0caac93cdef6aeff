// Reports every placement of a decision, legal or not, in order, with its features and score.
//
// Drive it: trace_i is steady during a decision; where it is low nothing is reported or held up.
// hold_o goes to rows: it keeps the next placement from its last row until this one has been taken
// on trace_*, so that at most one is between rows and here. A placement that is not legal has no
// row, features or score: they are 0.
//
// Latency: trace_valid_o is high one cycle after score_valid_i.
module tetris_trace
  import tetris_pkg::ScoreWidth, tetris_pkg::features_t, tetris_pkg::placement_t,
         tetris_pkg::traced_t;
(
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         trace_i,
  input  logic                         last_row_i,  // of a placement is given in the next cycle
  output logic                         hold_o,
  // What becomes of it
  input  logic                         features_valid_i,
  input  features_t                    features_i,
  input  logic                         score_valid_i,
  input  logic signed [ScoreWidth-1:0] score_i,
  input  placement_t                   placement_i,

  output logic                         trace_valid_o,
  input  logic                         trace_ready_i,
  output traced_t                      trace_o
);

  logic      busy_q, busy_d;    // a placement is under way or offered
  logic      valid_q, valid_d;
  traced_t   traced_q, traced_d;
  features_t features_q;

  logic taken;
  assign taken  = trace_valid_o && trace_ready_i;
  // A register: the way from here through rows and drop to the candidates is long.
  assign hold_o = busy_q;

  always_comb begin
    busy_d  = trace_i && (last_row_i || (busy_q && !taken));
    valid_d = trace_i && (score_valid_i || (valid_q && !taken));

    traced_d = traced_q;
    if (score_valid_i) begin
      traced_d.placement = placement_i;
      traced_d.features  = features_q;
      traced_d.score     = score_i;
      if (!placement_i.legal) begin
        traced_d.placement.row = '0;
        traced_d.features      = '0;
        traced_d.score         = '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      busy_q  <= busy_d;
      valid_q <= valid_d;
    end
  end

  // These mean something along with busy_q or valid_q alone.
  always_ff @(posedge clk_i) begin
    if (features_valid_i) features_q <= features_i;
    traced_q <= traced_d;
  end

  assign trace_valid_o = valid_q;
  assign trace_o       = traced_q;

`ifndef SYNTHESIS
  OneAtATime_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    trace_i && score_valid_i |-> busy_q && !valid_q);
  TraceHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    trace_i && trace_valid_o && !trace_ready_i |=> trace_valid_o && $stable(trace_o));
`endif

endmodule
