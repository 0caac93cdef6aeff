// Keeps the best of the placements that arrive.
//
// start_i forgets the old one. Placements then arrive in any order, one a cycle at most. The best
// has the highest score, and of equals the lowest candidate number. done_o is high from two cycles
// after the last of count_i placements has arrived (count_i is 0 until their number is known) until
// the next start_i; the outputs are the decision then, all 0 if no placement was legal.
//
// A placement is compared in the cycle in which it arrives, and becomes the best in the next one.
// Meanwhile the one before it may have become the best: hence it is compared with both.
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

  typedef struct packed {
    placement_t                   placement;
    logic [4:0]                   rows_cleared;
    logic signed [ScoreWidth-1:0] score;
  } scored_t;

  // What decides: the score, then how early the candidate comes.
  typedef logic signed [ScoreWidth+$bits(number_t)-1:0] rank_t;

  number_t arrived_q, arrived_d;
  scored_t arriving, last_q, best_q, best_d;  // .placement.legal of the best: there is one
  rank_t   arriving_rank, last_rank, best_rank;
  logic    valid_q, valid_d;                  // last_q arrived in the cycle before
  logic    ahead_of_best_q, ahead_of_last_q;  // of what was the best and the last one then
  logic    better;                            // it becomes the best
  logic    replaced_q;                        // that last one became the best then

  assign arriving      = '{placement: placement_i, rows_cleared: rows_cleared_i, score: score_i};
  assign arriving_rank = {score_i, ~placement_i.candidate.number};
  assign last_rank     = {last_q.score, ~last_q.placement.candidate.number};
  assign best_rank     = {best_q.score, ~best_q.placement.candidate.number};

  assign better = valid_q && last_q.placement.legal &&
                  (!best_q.placement.legal || (replaced_q ? ahead_of_last_q : ahead_of_best_q));

  always_comb begin
    valid_d   = score_valid_i && !start_i;
    arrived_d = arrived_q;
    best_d    = best_q;

    if (start_i) begin
      arrived_d = '0;
      best_d    = '0;
    end else if (valid_q) begin
      arrived_d = arrived_q + 6'd1;
      if (better) best_d = last_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      arrived_q  <= '0;
      best_q     <= '0;
      valid_q    <= 1'b0;
      replaced_q <= 1'b0;
    end else begin
      arrived_q  <= arrived_d;
      best_q     <= best_d;
      valid_q    <= valid_d;
      replaced_q <= better;
    end
  end

  // Without a reset: they are valid only while valid_q is high.
  always_ff @(posedge clk_i) begin
    if (score_valid_i) begin
      last_q          <= arriving;
      ahead_of_best_q <= arriving_rank > best_rank;
      ahead_of_last_q <= arriving_rank > last_rank;
    end
  end

  assign done_o         = count_i != '0 && arrived_q == count_i;
  assign legal_o        = best_q.placement.legal;
  assign rotation_o     = best_q.placement.candidate.rotation;
  assign column_o       = best_q.placement.candidate.column;
  assign row_o          = best_q.placement.row;
  assign rows_cleared_o = best_q.rows_cleared;
  assign score_o        = best_q.score;

`ifndef SYNTHESIS
  NoneTooMany_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    count_i != '0 |-> arrived_q <= count_i);
  BestStays_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    valid_q && replaced_q && !better);
  DoneHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    done_o && !start_i |=> done_o);
`endif

endmodule
