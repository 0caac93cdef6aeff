// tetris_lane_score: the score is the exact sum of weight times feature over the twelve features
// that a lane has, for any weights and any features of 12 bits, 5 cycles after the features. The
// weights are those given a cycle before the features; the next lane gets the same a cycle later.
//
// A weight has a low and a high part (tetris_def_pkg), and the score is the sum of the partial
// products of each part and a feature, shifted. A partial product is Yosys's own `*`, not proved.
// Here they are 64 bits wide, so nothing overflows: the score, which is the same, is wide enough,
// and so is every sum on its way.
module tetris_lane_score_proof
  import tetris_def_pkg::LowBits, tetris_def_pkg::bounded, tetris_def_pkg::high_of,
         tetris_def_pkg::low_of, tetris_def_pkg::wide_t, tetris_lanes_pkg::feature_t,
         tetris_pkg::NumFeatures, tetris_pkg::ScoreWidth, tetris_pkg::weights_t;
(
  input logic     clk_i,
  input logic     valid_i,
  input weights_t weights_i,
  input feature_t features_i [NumFeatures]
);

  logic live_q = 1'b0;
  always_ff @(posedge clk_i) live_q <= 1'b1;

  logic [4:0]                   valid;
  logic [5:1]                   valid_q = '0;  // [k]: features came k cycles ago
  weights_t                     weights, weights_q;
  logic signed [ScoreWidth-1:0] score;
  assign valid = {valid_q[4:1], valid_i && live_q};

  tetris_lane_score u_dut (
    .clk_i,
    .valid_i (valid),
    .weights_i,
    .weights_o (weights),
    .features_i,
    .score_o (score)
  );

  // ------------------------------------------------------------------------- by the definition
  localparam int unsigned Terms = 12;
  localparam int unsigned Most  = 4095;  // of a feature

  // The features that a lane has: all but eroded cells and rows cleared
  function automatic int unsigned feature_of(int unsigned term);
    return term == 0 ? 0 : term + 2;
  endfunction

  wide_t [Terms-1:0] low1_q, high1_q, low2_q, high2_q;  // digits times the feature
  wide_t [3:0]       low3_q, high3_q;                   // three of them
  wide_t             low4_q, high4_q, score5_q;

  always_ff @(posedge clk_i) begin
    valid_q   <= valid;
    weights_q <= weights_i;
    for (int unsigned i = 0; i < Terms; i++) begin
      low1_q[i]  <= low_of(weights_q[feature_of(i)])
                  * wide_t'({1'b0, features_i[feature_of(i)]});
      high1_q[i] <= high_of(weights_q[feature_of(i)])
                  * wide_t'({1'b0, features_i[feature_of(i)]});
    end
    low2_q  <= low1_q;
    high2_q <= high1_q;
    for (int unsigned i = 0; i < 4; i++) begin
      low3_q[i]  <= low2_q[3*i] + low2_q[3*i+1] + low2_q[3*i+2];
      high3_q[i] <= high2_q[3*i] + high2_q[3*i+1] + high2_q[3*i+2];
    end
    low4_q   <= low3_q[0] + low3_q[1] + low3_q[2] + low3_q[3];
    high4_q  <= high3_q[0] + high3_q[1] + high3_q[2] + high3_q[3];
    score5_q <= (high4_q <<< LowBits) + low4_q;
  end

  for (genvar i = 0; i < Terms; i++) begin : gen_product
    always_comb begin
      if (valid_q[1]) begin
        Bound1_A: assert (bounded(low1_q[i], high1_q[i], 1, Most));
        Low1_A:  assert (low1_q[i] == wide_t'({1'b0, u_dut.gen_product[i].low1_q}));
        High1_A: assert (high1_q[i] == wide_t'(u_dut.gen_product[i].high1_q));
      end
      if (valid_q[2]) begin
        Bound2_A: assert (bounded(low2_q[i], high2_q[i], 1, Most));
        Low2_A:  assert (low2_q[i] == wide_t'({1'b0, u_dut.gen_product[i].low2_q}));
        High2_A: assert (high2_q[i] == wide_t'(u_dut.gen_product[i].high2_q));
      end
    end
  end
  for (genvar i = 0; i < 4; i++) begin : gen_third
    always_comb begin
      if (valid_q[3]) begin
        Bound3_A: assert (bounded(low3_q[i], high3_q[i], 3, Most));
        Low3_A:  assert (low3_q[i] == wide_t'({1'b0, u_dut.gen_third[i].low3_q}));
        High3_A: assert (high3_q[i] == wide_t'(u_dut.gen_third[i].high3_q));
      end
    end
  end
  always_comb begin
    if (live_q) Weights_A: assert (weights == weights_q);
    if (valid_q[4]) begin
      Bound4_A: assert (bounded(low4_q, high4_q, Terms, Most));
      Low4_A:  assert (low4_q == wide_t'({1'b0, u_dut.low4_q}));
      High4_A: assert (high4_q == wide_t'(u_dut.high4_q));
    end
    if (valid_q[5]) Score_A: assert (wide_t'(score) == score5_q);
    Most_C:   cover (valid_q[5] && score5_q > 64'sd1 <<< 46);
    Least_C:  cover (valid_q[5] && score5_q < -(64'sd1 <<< 46));
    Stream_C: cover (valid_q == 5'b11011);
  end

endmodule
