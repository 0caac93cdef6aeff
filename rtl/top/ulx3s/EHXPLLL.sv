// Simulation stand-in for the ECP5's PLL: its output CLKOP is its input, so that a clock cycle at the
// pin is one of the core. CLKOS is slower than CLKOP by a whole number, and rises with it. LOCK rises
// 20 cycles after power-up, and stays high.
//
// Yosys takes it for a declaration of the cell, with all parameters that it finds here; so there
// are none of its own.
module EHXPLLL #(
  parameter int unsigned CLKI_DIV     = 1,
  parameter int unsigned CLKFB_DIV    = 1,
  parameter int unsigned CLKOP_DIV    = 8,
  parameter int unsigned CLKOP_CPHASE = 0,
  parameter int unsigned CLKOP_FPHASE = 0,
  parameter              CLKOP_ENABLE = "ENABLED",
  parameter int unsigned CLKOS_DIV    = 8,
  parameter int unsigned CLKOS_CPHASE = 0,
  parameter int unsigned CLKOS_FPHASE = 0,
  parameter              CLKOS_ENABLE = "DISABLED",
  parameter              FEEDBK_PATH  = "CLKOP"
) (
  input  logic CLKI,
  input  logic CLKFB,
  input  logic PHASESEL1,
  input  logic PHASESEL0,
  input  logic PHASEDIR,
  input  logic PHASESTEP,
  input  logic PHASELOADREG,
  input  logic STDBY,
  input  logic PLLWAKESYNC,
  input  logic RST,
  input  logic ENCLKOP,
  input  logic ENCLKOS,
  input  logic ENCLKOS2,
  input  logic ENCLKOS3,
  output logic CLKOP,
  output logic CLKOS,
  output logic LOCK
);

  // The oscillator runs at 400 to 800 MHz, here with 25 MHz coming in.
  if (25 / CLKI_DIV * CLKFB_DIV * CLKOP_DIV < 400 ||
      25 / CLKI_DIV * CLKFB_DIV * CLKOP_DIV > 800 ||
      CLKOP_CPHASE >= CLKOP_DIV || CLKOP_FPHASE >= 8 ||
      CLKOP_ENABLE != "ENABLED" || FEEDBK_PATH != "CLKOP" ||
      (CLKOS_ENABLE == "ENABLED" && (CLKOS_DIV % CLKOP_DIV != 0 || CLKOS_CPHASE != CLKOP_CPHASE ||
                                     CLKOS_FPHASE != CLKOP_FPHASE))) begin : gen_range
    $error("no PLL of an ECP5 can do that");
  end

  // There is no reset: the initial value counts, as in a PLL that has just been configured.
  // verilator lint_off PROCASSINIT
  logic [4:0] cycles = 5'd0;
  // verilator lint_on PROCASSINIT

  always_ff @(posedge CLKI) if (!LOCK) cycles <= cycles + 5'd1;

  assign CLKOP = CLKI;

  if (CLKOS_ENABLE == "ENABLED") begin : gen_clkos
    // verilator lint_off PROCASSINIT
    int unsigned count = 0;
    logic        clkos = 1'b0;
    // verilator lint_on PROCASSINIT
    always_ff @(posedge CLKI) begin
      count <= (count == CLKOS_DIV / CLKOP_DIV - 1) ? 0 : count + 1;
      clkos <= count < (CLKOS_DIV / CLKOP_DIV + 1) / 2;
    end
    assign CLKOS = clkos;
  end else begin : gen_no_clkos
    assign CLKOS = 1'b0;
  end

  assign LOCK  = cycles == 5'd20;

  logic unused;
  assign unused = ^{CLKFB, PHASESEL1, PHASESEL0, PHASEDIR, PHASESTEP, PHASELOADREG, STDBY,
                    PLLWAKESYNC, RST, ENCLKOP, ENCLKOS, ENCLKOS2, ENCLKOS3};

endmodule
