// The score of a lane's placements: the sum of weight * feature, one placement a cycle, exact.
//
// `score_o` is there 4 cycles after `features_i`. Eroded cells and rows cleared are 0 in a lane, and
// left out.
//
// A weight is multiplied in two parts, each small enough for one multiplier block: the lower bits
// as they are, the upper ones with the sign. The parts are summed apart, and put together at the
// end.
module tetris_lane_score
  import tetris_pkg::FeatureWidth, tetris_pkg::NumFeatures, tetris_pkg::RowTransitions,
         tetris_pkg::ScoreWidth, tetris_pkg::WeightWidth, tetris_pkg::features_t,
         tetris_pkg::weights_t;
(
  input  logic                         clk_i,
  input  weights_t                     weights_i,
  input  features_t                    features_i,
  output logic signed [ScoreWidth-1:0] score_o
);

  localparam int unsigned LowBits  = 17;
  localparam int unsigned HighBits = WeightWidth - LowBits;
  localparam int unsigned Terms    = NumFeatures - 2;  // landing height, and those from row 3 on
  localparam int unsigned Thirds   = Terms / 3;

  typedef logic [LowBits+FeatureWidth-1:0]       low_product_t;
  typedef logic signed [HighBits+FeatureWidth:0] high_product_t;
  // Sums of twelve
  typedef logic [LowBits+FeatureWidth+3:0]       low_sum_t;
  typedef logic signed [HighBits+FeatureWidth+4:0] high_sum_t;

  low_product_t                 low1_q [Terms];
  high_product_t                high1_q [Terms];
  low_sum_t                     low2_q [Thirds];
  high_sum_t                    high2_q [Thirds];
  low_sum_t                     low3_q;
  high_sum_t                    high3_q;
  logic signed [ScoreWidth-1:0] score4_q;

  for (genvar i = 0; i < Terms; i++) begin : gen_product
    localparam int unsigned Index = i == 0 ? 0 : i + RowTransitions - 1;
    always_ff @(posedge clk_i) begin
      low1_q[i]  <= low_product_t'(weights_i[Index][LowBits-1:0])
                  * low_product_t'(features_i[Index]);
      high1_q[i] <= high_product_t'(signed'(weights_i[Index][WeightWidth-1:LowBits]))
                  * high_product_t'(signed'({1'b0, features_i[Index]}));
    end
  end

  for (genvar i = 0; i < Thirds; i++) begin : gen_third
    always_ff @(posedge clk_i) begin
      low2_q[i]  <= low_sum_t'(low1_q[3*i]) + low_sum_t'(low1_q[3*i+1]) + low_sum_t'(low1_q[3*i+2]);
      high2_q[i] <= high_sum_t'(high1_q[3*i]) + high_sum_t'(high1_q[3*i+1])
                  + high_sum_t'(high1_q[3*i+2]);
    end
  end

  always_ff @(posedge clk_i) begin
    low3_q   <= (low2_q[0] + low2_q[1]) + (low2_q[2] + low2_q[3]);
    high3_q  <= (high2_q[0] + high2_q[1]) + (high2_q[2] + high2_q[3]);
    score4_q <= (ScoreWidth'(high3_q) <<< LowBits) + ScoreWidth'(signed'({1'b0, low3_q}));
  end

  assign score_o = score4_q;

  logic unused;
  assign unused = ^{features_i[tetris_pkg::ErodedCells], features_i[tetris_pkg::RowsCleared],
                    weights_i[tetris_pkg::ErodedCells], weights_i[tetris_pkg::RowsCleared]};

endmodule
