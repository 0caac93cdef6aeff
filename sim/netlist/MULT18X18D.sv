// Simulation model of the ECP5's multiplier MULT18X18D, which Yosys knows as a black box: the
// product of A and B, each signed or not as SIGNEDA and SIGNEDB say. Combinational.
//
// Written from Lattice's description of the block (FPGA-TN-02205, ECP5 sysDSP Usage Guide), for
// the mode that Yosys uses: no registers, both operands from their own pins. What is not among it
// is refused: a parameter when the model is elaborated, a pin when it is driven.
module MULT18X18D #(
  parameter string REG_INPUTA_CLK   = "NONE",
  parameter string REG_INPUTB_CLK   = "NONE",
  parameter string REG_INPUTC_CLK   = "NONE",
  parameter string REG_PIPELINE_CLK = "NONE",
  parameter string REG_OUTPUT_CLK   = "NONE",
  parameter string MULT_BYPASS      = "DISABLED"
) (
  input  A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0,
  input  B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0,
  input  C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0,
  input  SIGNEDA, SIGNEDB, SOURCEA, SOURCEB,
  output P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
         P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0
);

  localparam bit Modelled =
    REG_INPUTA_CLK == "NONE" && REG_INPUTB_CLK == "NONE" && REG_INPUTC_CLK == "NONE"
    && REG_PIPELINE_CLK == "NONE" && REG_OUTPUT_CLK == "NONE" && MULT_BYPASS == "DISABLED";
  if (!Modelled) begin : gen_refused
    $fatal(1, "a MULT18X18D in a mode that sim/netlist/MULT18X18D.sv does not model");
  end

  wire [17:0] a = {A17, A16, A15, A14, A13, A12, A11, A10, A9, A8, A7, A6, A5, A4, A3, A2, A1, A0};
  wire [17:0] b = {B17, B16, B15, B14, B13, B12, B11, B10, B9, B8, B7, B6, B5, B4, B3, B2, B1, B0};
  wire [17:0] c = {C17, C16, C15, C14, C13, C12, C11, C10, C9, C8, C7, C6, C5, C4, C3, C2, C1, C0};

  // One bit more than an operand has: the sign, of an unsigned one 0
  wire signed [18:0] factor_a = {SIGNEDA && a[17], a};
  wire signed [18:0] factor_b = {SIGNEDB && b[17], b};
  wire signed [35:0] product  = 36'(factor_a) * 36'(factor_b);

  assign {P35, P34, P33, P32, P31, P30, P29, P28, P27, P26, P25, P24, P23, P22, P21, P20, P19, P18,
    P17, P16, P15, P14, P13, P12, P11, P10, P9, P8, P7, P6, P5, P4, P3, P2, P1, P0} = product;

  always_comb begin
    if (SOURCEA || SOURCEB || c != 0) $fatal(1, "MULT18X18D: SOURCEA, SOURCEB or C is driven");
  end

endmodule
