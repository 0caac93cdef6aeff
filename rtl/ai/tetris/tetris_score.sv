// The score of a placement: the sum of weight * feature over all features, exact.
//
// Multipliers products a cycle, so a legal placement keeps the input busy for Groups =
// ceil(NumFeatures / Multipliers) cycles and an illegal one for a single cycle (its score has no
// meaning): the source of the features leaves that many cycles until the next ones. The score is
// given Groups + 4 cycles after the features, 5 if the placement is not legal. weights_i must be
// stable while placements are under way.
module tetris_score
  import tetris_pkg::FeatureWidth, tetris_pkg::NumFeatures, tetris_pkg::RowsCleared,
         tetris_pkg::ScoreWidth, tetris_pkg::WeightWidth, tetris_pkg::features_t,
         tetris_pkg::placement_t, tetris_pkg::weights_t;
#(
  // Multipliers (32 x 13 bits, two DSP blocks each); 1 .. NumFeatures.
  parameter int unsigned Multipliers = 4
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  weights_t                     weights_i,

  input  logic                         features_valid_i,
  input  features_t                    features_i,
  input  placement_t                   placement_i,

  output logic                         score_valid_o,
  output logic signed [ScoreWidth-1:0] score_o,
  output logic [4:0]                   rows_cleared_o,
  output placement_t                   placement_o
);

  localparam int unsigned Groups     = (NumFeatures + Multipliers - 1) / Multipliers;
  localparam int unsigned GroupWidth = (Groups > 1) ? $clog2(Groups) : 1;
  typedef logic [GroupWidth-1:0] group_t;

  // A weight is multiplied in two parts, each small enough for one multiplier block: the lower
  // bits as they are, the upper ones with the sign.
  localparam int unsigned LowBits  = 17;
  localparam int unsigned HighBits = WeightWidth - LowBits;
  typedef logic [LowBits+FeatureWidth-1:0]         low_product_t;
  typedef logic signed [HighBits+FeatureWidth:0]   high_product_t;
  typedef logic signed [WeightWidth+FeatureWidth:0] product_t;

  // Features and weights in groups, the last one filled up with zeros.
  logic [FeatureWidth-1:0] features_q [Groups][Multipliers];
  logic [WeightWidth-1:0]  weights    [Groups][Multipliers];

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    for (genvar i = 0; i < Multipliers; i++) begin : gen_lane
      localparam int unsigned Index = g * Multipliers + i;
      if (Index < NumFeatures) begin : gen_used
        assign weights[g][i] = weights_i[Index];
        always_ff @(posedge clk_i) begin
          if (features_valid_i) features_q[g][i] <= features_i[Index];
        end
      end else begin : gen_filler
        assign weights[g][i] = '0;
        always_ff @(posedge clk_i) features_q[g][i] <= '0;
      end
    end
  end

  // What goes with a group through the stages
  typedef struct packed {
    logic       first;
    logic       last;
    logic [4:0] cleared;
    placement_t placement;
  } tag_t;

  // ----------------------------------------------------------- stage 0: hold and hand out
  logic   busy_q, busy_d;
  group_t group_q, group_d;
  logic   last0_q, last0_d;
  tag_t   tag0_q, tag0_d;

  always_comb begin
    busy_d       = busy_q && !last0_q;
    group_d      = group_q + group_t'(1);
    last0_d      = group_d == group_t'(Groups - 1);
    tag0_d       = tag0_q;
    tag0_d.first = 1'b0;
    if (features_valid_i) begin
      busy_d  = 1'b1;
      group_d = '0;
      last0_d = Groups == 1 || !placement_i.legal;
      tag0_d  = '{first: 1'b1, last: 1'b0, cleared: 5'(features_i[RowsCleared]),
                  placement: placement_i};
    end
  end

  // ------------- stage 1: operands, 2: products of the parts, 3: products, 4: their sum so far
  logic [WeightWidth-1:0]       weight1_q  [Multipliers];
  logic [FeatureWidth-1:0]      feature1_q [Multipliers];
  low_product_t                 low2_q     [Multipliers];
  high_product_t                high2_q    [Multipliers];
  product_t                     product3_q [Multipliers];
  logic signed [ScoreWidth-1:0] sum4_q, sum4_d;
  logic                         valid1_q, valid2_q, valid3_q, valid4_q;
  tag_t                         tag1_q, tag1_d, tag2_q, tag3_q;
  placement_t                   placement4_q;
  logic [4:0]                   cleared4_q;

  always_comb begin
    tag1_d      = tag0_q;
    tag1_d.last = last0_q;
    sum4_d      = tag3_q.first ? '0 : sum4_q;
    for (int unsigned i = 0; i < Multipliers; i++) sum4_d += ScoreWidth'(product3_q[i]);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q   <= 1'b0;
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
      valid4_q <= 1'b0;
    end else begin
      busy_q   <= busy_d;
      valid1_q <= busy_q;
      valid2_q <= valid1_q;
      valid3_q <= valid2_q;
      valid4_q <= valid3_q && tag3_q.last;
    end
  end

  // No reset: these mean something along with a valid bit alone, and the registers of multiplier
  // blocks like it so. They stand still while nothing is under way.
  always_ff @(posedge clk_i) begin
    if (busy_q || features_valid_i) begin
      group_q <= group_d;
      last0_q <= last0_d;
      tag0_q  <= tag0_d;
    end
    if (busy_q) begin
      tag1_q <= tag1_d;
      for (int unsigned i = 0; i < Multipliers; i++) begin
        weight1_q[i]  <= weights[group_q][i];
        feature1_q[i] <= features_q[group_q][i];
      end
    end
    if (valid1_q) begin
      tag2_q <= tag1_q;
      for (int unsigned i = 0; i < Multipliers; i++) begin
        low2_q[i]  <= low_product_t'(weight1_q[i][LowBits-1:0]) * low_product_t'(feature1_q[i]);
        high2_q[i] <= high_product_t'(signed'(weight1_q[i][WeightWidth-1:LowBits]))
                    * high_product_t'(signed'({1'b0, feature1_q[i]}));
      end
    end
    if (valid2_q) begin
      tag3_q <= tag2_q;
      for (int unsigned i = 0; i < Multipliers; i++) begin
        product3_q[i] <= (product_t'(high2_q[i]) <<< LowBits)
                       + product_t'(signed'({1'b0, low2_q[i]}));
      end
    end
    if (valid3_q) begin
      placement4_q <= tag3_q.placement;
      cleared4_q   <= tag3_q.cleared;
      sum4_q       <= sum4_d;
    end
  end

  assign score_valid_o  = valid4_q;
  assign placement_o    = placement4_q;
  assign rows_cleared_o = cleared4_q;
  assign score_o        = sum4_q;

`ifndef SYNTHESIS
  // Features come when those before have been handed out.
  NeverLost_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    features_valid_i |-> !busy_q || last0_q);
`endif

endmodule
