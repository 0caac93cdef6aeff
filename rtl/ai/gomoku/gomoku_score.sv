// The score of a position, from the counts of its classes.
//
// `mover_i` are the counts of the side that made the last move, `other_i` those of the other side.
// In `lines` the score is Σ defend · mover − Σ attack · other: the score of the side to move,
// negated. Class 7 of the other side is left out, as nothing uses the score then. In `wujian` class
// k is worth 10^(k-1), and ten times as much for the other side with `tenfold_i`, which then has no
// run of class 6. The score is not limited: `above_o`, `below_o` are high if it is beyond MaxScore.
//
// Latency: three cycles from the counts; the other inputs must come a cycle before the counts.
module gomoku_score
  import gomoku_pkg::*;
(
  input  logic             clk_i,
  input  logic             lines_i,
  input  weights_16_t      attack_i,
  input  weights_16_t      defend_i,
  input  logic             tenfold_i,
  input  logic [7:1][9:0]  mover_i,
  input  logic [7:1][9:0]  other_i,
  output value_t           score_o,
  output logic             above_o,
  output logic             below_o
);

  typedef logic signed [17:0] weight_t;
  localparam logic [6:1][17:0] Powers =
    {18'd100_000, 18'd10_000, 18'd1_000, 18'd100, 18'd10, 18'd1};

  function automatic value_t product(weight_t weight, logic [9:0] count);
    return value_t'(weight * signed'({1'b0, count}));
  endfunction

  // Steady while leaves are scored, so a register behind the choice costs no time.
  weight_t [7:1] mover_weight_q;
  weight_t [6:1] other_weight_q;
  value_t [7:1] mover_q;
  value_t [6:1] other_q;
  value_t [2:0] sum_q;  // of a third of the products each
  value_t       score_q;
  logic         above_q, below_q;

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 1; k < 7; k++) begin
      mover_weight_q[k] <= lines_i ? 18'(signed'(defend_i[k])) : Powers[k];
      other_weight_q[k] <= lines_i ? 18'(signed'(attack_i[k]))
                           : tenfold_i ? Powers[(k < 6) ? k + 1 : 6] : Powers[k];
      other_q[k]        <= product(other_weight_q[k], other_i[k]);
    end
    mover_weight_q[7] <= lines_i ? 18'(signed'(defend_i[7])) : '0;
    for (int unsigned k = 1; k < 8; k++) mover_q[k] <= product(mover_weight_q[k], mover_i[k]);

    sum_q[0] <= mover_q[1] + mover_q[2] - other_q[1] - other_q[2];
    sum_q[1] <= mover_q[3] + mover_q[4] - other_q[3] - other_q[4];
    sum_q[2] <= mover_q[5] + mover_q[6] + mover_q[7] - other_q[5] - other_q[6];
    score_q  <= sum_q[0] + sum_q[1] + sum_q[2];
    above_q  <= lines_i && less(MaxScore - sum_q[0] - sum_q[1] - sum_q[2], '0);
    below_q  <= lines_i && less(MaxScore + sum_q[0] + sum_q[1] + sum_q[2], '0);
  end

  logic unused_attack;
  assign unused_attack = ^{attack_i[7], other_i[7]};
  assign score_o = score_q;
  assign above_o = above_q;
  assign below_o = below_q;

endmodule
