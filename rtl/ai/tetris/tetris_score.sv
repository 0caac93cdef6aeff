// The score of a placement: the sum of weight * feature over all features, exact.
//
// MulsPerCycle products a cycle, so a legal placement keeps the input busy for
// ceil(NumFeatures / MulsPerCycle) cycles and an illegal one for a single cycle (its score has no
// meaning). The score is offered three cycles after the last group of products has begun.
// weights_i must be stable while placements are under way.
module tetris_score
  import tetris_pkg::FeatureWidth, tetris_pkg::HoleDepth, tetris_pkg::NumFeatures,
         tetris_pkg::RowsCleared, tetris_pkg::RowsWithHoles, tetris_pkg::ScoreWidth,
         tetris_pkg::WeightWidth, tetris_pkg::features_t, tetris_pkg::placement_t,
         tetris_pkg::weights_t;
#(
  // Multipliers (32 x 13 bits, two DSP slices each on 7-series); 1 .. NumFeatures.
  parameter int unsigned MulsPerCycle = 4
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  weights_t                     weights_i,

  input  logic                         features_valid_i,
  output logic                         features_ready_o,
  input  features_t                    features_i,
  input  placement_t                   placement_i,

  output logic                         score_valid_o,
  input  logic                         score_ready_i,
  output logic signed [ScoreWidth-1:0] score_o,
  output logic [4:0]                   rows_cleared_o,
  output placement_t                   placement_o
);

  import fault_pkg::Fault, fault_pkg::FaultScoreTruncated, fault_pkg::FaultWeightsSwapped;

  localparam int unsigned Groups       = (NumFeatures + MulsPerCycle - 1) / MulsPerCycle;
  localparam int unsigned GroupWidth   = (Groups > 1) ? $clog2(Groups) : 1;
  localparam int unsigned ProductWidth = WeightWidth + FeatureWidth + 1;

  typedef logic [GroupWidth-1:0] group_t;

  // Features and weights in groups, the last one filled up with zeros.
  logic [FeatureWidth-1:0] features_q [Groups][MulsPerCycle];
  logic [WeightWidth-1:0]  weights    [Groups][MulsPerCycle];

  // Feature i, two of them exchanged.
  function automatic int unsigned swapped(int unsigned i);
    if (i == HoleDepth) return RowsWithHoles;
    if (i == RowsWithHoles) return HoleDepth;
    return i;
  endfunction

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    for (genvar i = 0; i < MulsPerCycle; i++) begin : gen_lane
      localparam int unsigned Index = g * MulsPerCycle + i;
      if (Index < NumFeatures) begin : gen_used
        assign weights[g][i] = weights_i[(Fault == FaultWeightsSwapped) ? swapped(Index) : Index];
        always_ff @(posedge clk_i) begin
          if (features_valid_i && features_ready_o) features_q[g][i] <= features_i[Index];
        end
      end else begin : gen_filler
        assign weights[g][i] = '0;
        always_ff @(posedge clk_i) features_q[g][i] <= '0;
      end
    end
  end

  // ----------------------------------------------------------- stage 0: hold and hand out
  logic       advance, valid3_q;  // the stages move; the last one holds a score
  logic       busy_q;
  group_t     group_q;
  placement_t placement_q;
  logic       last_group_q;  // from a register: readiness goes back through the whole pipeline

  assign advance          = !valid3_q || score_ready_i;
  assign features_ready_o = !busy_q || (advance && last_group_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q       <= 1'b0;
      group_q      <= '0;
      last_group_q <= 1'b0;
      placement_q  <= '0;
    end else if (features_ready_o) begin
      busy_q       <= features_valid_i;
      group_q      <= '0;
      last_group_q <= Groups == 1 || !placement_i.legal;
      if (features_valid_i) placement_q <= placement_i;
    end else if (advance) begin
      group_q      <= group_q + group_t'(1);
      last_group_q <= group_q + group_t'(1) == group_t'(Groups - 1);
    end
  end

  // ------------------------------------------ stage 1: operands, stage 2: products, stage 3: sum
  logic signed [WeightWidth-1:0]  weight1_q  [MulsPerCycle];
  logic signed [FeatureWidth:0]   feature1_q [MulsPerCycle];
  logic signed [ProductWidth-1:0] product2_q [MulsPerCycle];
  logic signed [ScoreWidth-1:0]   sum3_q, sum3_d;

  logic       valid1_q, first1_q, last1_q, valid2_q, first2_q, last2_q;
  placement_t placement1_q, placement2_q, placement3_q;
  logic [4:0] cleared1_q, cleared2_q, cleared3_q;

  always_comb begin
    sum3_d = first2_q ? '0 : sum3_q;
    for (int unsigned i = 0; i < MulsPerCycle; i++) begin
      sum3_d += ScoreWidth'(product2_q[i]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
    end else if (advance) begin
      valid1_q <= busy_q;
      valid2_q <= valid1_q;
      valid3_q <= valid2_q && last2_q;
    end
  end

  // No reset: these mean something only along with a valid bit, and DSP registers like it so.
  always_ff @(posedge clk_i) begin
    if (advance && busy_q) begin
      first1_q     <= group_q == '0;
      last1_q      <= last_group_q;
      placement1_q <= placement_q;
      cleared1_q   <= 5'(features_q[RowsCleared/MulsPerCycle][RowsCleared%MulsPerCycle]);
      for (int unsigned i = 0; i < MulsPerCycle; i++) begin
        weight1_q[i]  <= signed'(weights[group_q][i]);
        feature1_q[i] <= signed'({1'b0, features_q[group_q][i]});
      end
    end
    if (advance && valid1_q) begin
      first2_q     <= first1_q;
      last2_q      <= last1_q;
      placement2_q <= placement1_q;
      cleared2_q   <= cleared1_q;
      for (int unsigned i = 0; i < MulsPerCycle; i++) begin
        product2_q[i] <= ProductWidth'(weight1_q[i]) * ProductWidth'(feature1_q[i]);
      end
    end
    if (advance && valid2_q) begin
      placement3_q <= placement2_q;
      cleared3_q   <= cleared2_q;
      sum3_q       <= sum3_d;
    end
  end

  assign score_valid_o  = valid3_q;
  assign placement_o    = placement3_q;
  assign rows_cleared_o = cleared3_q;
  assign score_o        = (Fault == FaultScoreTruncated) ? ScoreWidth'(signed'(sum3_q[25:0]))
                                                         : sum3_q;

`ifndef SYNTHESIS
  ScoreHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    score_valid_o && !score_ready_i |=> score_valid_o && $stable(score_o));
`endif

endmodule
