// The score of a lane's placements: the sum of weight * feature, one placement a cycle, exact.
//
// `score_o` is there 5 cycles after `features_i`. Eroded cells and rows cleared are 0 in a lane, and
// left out.
//
// A weight is multiplied in two parts, each small enough for one DSP block: the lower bits
// as they are, the upper ones with the sign. The parts are summed apart, and put together at the
// end.
//
// DSP blocks are spread over an FPGA. So each product has one more register for routing, and each
// lane has its own copy of the weights, which the next lane copies (`weights_o`, a cycle after
// `weights_i`).
module tetris_lane_score
  import tetris_pkg::FeatureWidth, tetris_pkg::NumFeatures, tetris_pkg::RowTransitions,
         tetris_pkg::ScoreWidth, tetris_pkg::WeightWidth, tetris_pkg::weights_t;
  import tetris_lanes_pkg::feature_t;
(
  input  logic                         clk_i,
  input  logic [4:0]                   valid_i,  // [k]: the features of k cycles ago are some
  input  weights_t                     weights_i,
  output weights_t                     weights_o,
  input  feature_t                     features_i [NumFeatures],
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

  weights_t                     weights_q;
  low_sum_t                     low4_q;
  high_sum_t                    high4_q;
  logic signed [ScoreWidth-1:0] score5_q;

  always_ff @(posedge clk_i) weights_q <= weights_i;
  assign weights_o = weights_q;

  for (genvar i = 0; i < Terms; i++) begin : gen_product
    localparam int unsigned Index = i == 0 ? 0 : i + RowTransitions - 1;
    low_product_t  low1_q, low2_q;
    high_product_t high1_q, high2_q;
    always_ff @(posedge clk_i) begin
      if (valid_i[0]) begin
        // read_slang takes a part-select of a named signed type for signed; IEEE 1800, 11.8.1,
        // says unsigned: hence the cast.
        low1_q  <= low_product_t'(unsigned'(weights_q[Index][LowBits-1:0]))
                 * low_product_t'(features_i[Index]);
        high1_q <= high_product_t'(signed'(weights_q[Index][WeightWidth-1:LowBits]))
                 * high_product_t'(signed'({1'b0, features_i[Index]}));
      end
      if (valid_i[1]) begin
        low2_q  <= low1_q;
        high2_q <= high1_q;
      end
    end
  end

  for (genvar i = 0; i < Thirds; i++) begin : gen_third
    low_sum_t  low3_q;
    high_sum_t high3_q;
    always_ff @(posedge clk_i) begin
      if (valid_i[2]) begin
        low3_q  <= low_sum_t'(gen_product[3*i].low2_q) + low_sum_t'(gen_product[3*i+1].low2_q)
                 + low_sum_t'(gen_product[3*i+2].low2_q);
        high3_q <= high_sum_t'(gen_product[3*i].high2_q) + high_sum_t'(gen_product[3*i+1].high2_q)
                 + high_sum_t'(gen_product[3*i+2].high2_q);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i[3]) begin
      low4_q  <= (gen_third[0].low3_q + gen_third[1].low3_q)
               + (gen_third[2].low3_q + gen_third[3].low3_q);
      high4_q <= (gen_third[0].high3_q + gen_third[1].high3_q)
               + (gen_third[2].high3_q + gen_third[3].high3_q);
    end
    if (valid_i[4]) begin
      score5_q <= (ScoreWidth'(high4_q) <<< LowBits) + ScoreWidth'(signed'({1'b0, low4_q}));
    end
  end

  assign score_o = score5_q;

  logic unused;
  assign unused = ^{features_i[tetris_pkg::ErodedCells], features_i[tetris_pkg::RowsCleared],
                    weights_q[tetris_pkg::ErodedCells], weights_q[tetris_pkg::RowsCleared]};

endmodule
