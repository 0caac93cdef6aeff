// Keeps the best of the placements of one decision.
//
// start_i forgets the old one. Placements then arrive in any order, one a cycle at most. The best
// has the highest score, and of equals the lowest candidate number. done_o is high from the cycle
// after the last of count_i placements has arrived (count_i is 0 until their number is known) until
// the next start_i; the outputs are the decision then, all 0 if no placement was legal.
module tetris_best
  import tetris_pkg::ScoreWidth, tetris_pkg::height_t, tetris_pkg::number_t,
         tetris_pkg::placement_t, tetris_pkg::rotation_t;
(
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         start_i,
  input  number_t                      count_i,

  input  logic                         score_valid_i,
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

  number_t                      arrived_q, arrived_d;
  placement_t                   best_q, best_d;  // .legal: there is one
  logic [4:0]                   rows_cleared_q, rows_cleared_d;
  logic signed [ScoreWidth-1:0] score_q, score_d;

  // One comparison: the score, and behind it how early the candidate comes.
  logic better;
  assign better = !best_q.legal || signed'({score_i, ~placement_i.candidate.number}) >
                                   signed'({score_q, ~best_q.candidate.number});

  always_comb begin
    arrived_d      = arrived_q;
    best_d         = best_q;
    rows_cleared_d = rows_cleared_q;
    score_d        = score_q;

    if (start_i) begin
      arrived_d      = '0;
      best_d         = '0;
      rows_cleared_d = '0;
      score_d        = '0;
    end else if (score_valid_i) begin
      arrived_d = arrived_q + 6'd1;
      if (placement_i.legal && better) begin
        best_d         = placement_i;
        rows_cleared_d = rows_cleared_i;
        score_d        = score_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      arrived_q      <= '0;
      best_q         <= '0;
      rows_cleared_q <= '0;
      score_q        <= '0;
    end else begin
      arrived_q      <= arrived_d;
      best_q         <= best_d;
      rows_cleared_q <= rows_cleared_d;
      score_q        <= score_d;
    end
  end

  assign done_o         = count_i != '0 && arrived_q == count_i;
  assign legal_o        = best_q.legal;
  assign rotation_o     = best_q.candidate.rotation;
  assign column_o       = best_q.candidate.column;
  assign row_o          = best_q.row;
  assign rows_cleared_o = rows_cleared_q;
  assign score_o        = score_q;

`ifndef SYNTHESIS
  NoneTooMany_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    count_i != '0 |-> arrived_q <= count_i);
  DoneHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    done_o && !start_i |=> done_o);
`endif

endmodule
