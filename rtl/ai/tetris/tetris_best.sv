// Keeps the best of the placements of one decision.
//
// start_i forgets the old one. Placements then arrive in candidate order, one a cycle at most; it
// is always ready. Only a strictly greater score replaces the best, so the first of equals wins.
// done_o is high for one cycle, the cycle after the last candidate has arrived, and from then until
// the next start_i the outputs are the decision; all 0 if no placement was legal.
module tetris_best import tetris_pkg::*; (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         start_i,

  input  logic                         score_valid_i,
  output logic                         score_ready_o,
  input  logic signed [ScoreWidth-1:0] score_i,
  input  logic [4:0]                   rows_cleared_i,
  input  placement_t                   placement_i,

  output logic                         done_o,
  output logic                         legal_o,
  output rotation_t                    rotation_o,
  output logic [3:0]                   column_o,
  output height_t                      row_o,
  output logic [4:0]                   rows_cleared_o,
  output logic signed [ScoreWidth-1:0] score_o
);

  localparam bit LastOfEquals = fault_pkg::Fault == fault_pkg::FaultTieOrderReversed;

  logic better;
  assign better = !legal_o || (LastOfEquals ? score_i >= score_o : score_i > score_o);

  assign score_ready_o = 1'b1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_o         <= 1'b0;
      legal_o        <= 1'b0;
      rotation_o     <= '0;
      column_o       <= '0;
      row_o          <= '0;
      rows_cleared_o <= '0;
      score_o        <= '0;
    end else begin
      done_o <= score_valid_i && placement_i.candidate.last;
      if (start_i) begin
        legal_o        <= 1'b0;
        rotation_o     <= '0;
        column_o       <= '0;
        row_o          <= '0;
        rows_cleared_o <= '0;
        score_o        <= '0;
      end else if (score_valid_i && placement_i.legal && better) begin
        legal_o        <= 1'b1;
        rotation_o     <= placement_i.candidate.rotation;
        column_o       <= placement_i.candidate.column;
        row_o          <= placement_i.row;
        rows_cleared_o <= rows_cleared_i;
        score_o        <= score_i;
      end
    end
  end

endmodule
