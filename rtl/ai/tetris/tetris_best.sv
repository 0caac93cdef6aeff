// Keeps the best of the placements of one decision.
//
// start_i forgets the old one. Placements then arrive in candidate order, one a cycle at most; it
// is always ready. Only a strictly greater score replaces the best, so the first of equals wins.
// done_o is high for one cycle, the cycle after the last candidate has arrived, and from then until
// the next start_i the outputs are the decision; all 0 if no placement was legal.
module tetris_best
  import tetris_pkg::ScoreWidth, tetris_pkg::height_t, tetris_pkg::placement_t,
         tetris_pkg::rotation_t;
(
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

  logic last_of_equals;
  assign last_of_equals = fault_pkg::Fault == fault_pkg::FaultTieOrderReversed;

  logic                         done_q, done_d;
  logic                         legal_q, legal_d;
  rotation_t                    rotation_q, rotation_d;
  logic [3:0]                   column_q, column_d;
  height_t                      row_q, row_d;
  logic [4:0]                   rows_cleared_q, rows_cleared_d;
  logic signed [ScoreWidth-1:0] score_q, score_d;

  logic better;
  assign better = !legal_q || (last_of_equals ? score_i >= score_q : score_i > score_q);

  always_comb begin
    done_d         = score_valid_i && placement_i.candidate.last;
    legal_d        = legal_q;
    rotation_d     = rotation_q;
    column_d       = column_q;
    row_d          = row_q;
    rows_cleared_d = rows_cleared_q;
    score_d        = score_q;

    if (start_i) begin
      legal_d        = 1'b0;
      rotation_d     = '0;
      column_d       = '0;
      row_d          = '0;
      rows_cleared_d = '0;
      score_d        = '0;
    end else if (score_valid_i && placement_i.legal && better) begin
      legal_d        = 1'b1;
      rotation_d     = placement_i.candidate.rotation;
      column_d       = placement_i.candidate.column;
      row_d          = placement_i.row;
      rows_cleared_d = rows_cleared_i;
      score_d        = score_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q         <= 1'b0;
      legal_q        <= 1'b0;
      rotation_q     <= '0;
      column_q       <= '0;
      row_q          <= '0;
      rows_cleared_q <= '0;
      score_q        <= '0;
    end else begin
      done_q         <= done_d;
      legal_q        <= legal_d;
      rotation_q     <= rotation_d;
      column_q       <= column_d;
      row_q          <= row_d;
      rows_cleared_q <= rows_cleared_d;
      score_q        <= score_d;
    end
  end

  assign score_ready_o  = 1'b1;
  assign done_o         = done_q;
  assign legal_o        = legal_q;
  assign rotation_o     = rotation_q;
  assign column_o       = column_q;
  assign row_o          = row_q;
  assign rows_cleared_o = rows_cleared_q;
  assign score_o        = score_q;

endmodule
