// Simulation stand-in for the PLL of a GW2A: its output is its input, so that a clock cycle at the
// pin is one of the core. LOCK rises 20 cycles after power-up, and stays high.
//
// Yosys takes it for a declaration of the cell, with all parameters that it finds here; so there
// are none of its own.
module rPLL #(
  parameter              FCLKIN    = "27",
  parameter int unsigned IDIV_SEL  = 0,
  parameter int unsigned FBDIV_SEL = 0,
  parameter int unsigned ODIV_SEL  = 8,
  parameter              DEVICE    = "GW2AR-18C"
) (
  input  logic       CLKIN,
  input  logic       CLKFB,
  input  logic [5:0] FBDSEL,
  input  logic [5:0] IDSEL,
  input  logic [5:0] ODSEL,
  input  logic [3:0] DUTYDA,
  input  logic [3:0] PSDA,
  input  logic [3:0] FDLY,
  input  logic       RESET,
  input  logic       RESET_P,
  output logic       CLKOUT,
  output logic       CLKOUTP,
  output logic       CLKOUTD,
  output logic       CLKOUTD3,
  output logic       LOCK
);

  // The oscillator runs at 500 to 1250 MHz, here with 27 MHz coming in.
  if (27 * (FBDIV_SEL + 1) / (IDIV_SEL + 1) * ODIV_SEL < 500 ||
      27 * (FBDIV_SEL + 1) / (IDIV_SEL + 1) * ODIV_SEL > 1250 ||
      FCLKIN != "27" || DEVICE != "GW2AR-18C") begin : gen_range
    $error("no PLL of a GW2A can do that");
  end

  // There is no reset: the initial value counts, as in a PLL that has just been configured.
  // verilator lint_off PROCASSINIT
  logic [4:0] cycles = 5'd0;
  // verilator lint_on PROCASSINIT

  always_ff @(posedge CLKIN) if (!LOCK) cycles <= cycles + 5'd1;

  assign CLKOUT   = CLKIN;
  assign CLKOUTP  = 1'b0;
  assign CLKOUTD  = 1'b0;
  assign CLKOUTD3 = 1'b0;
  assign LOCK     = cycles == 5'd20;

  logic unused;
  assign unused = ^{CLKFB, FBDSEL, IDSEL, ODSEL, DUTYDA, PSDA, FDLY, RESET, RESET_P};

endmodule
