// Simulation model of the ECP5's register TRELLIS_FF, as Yosys has it (ecp5/cells_sim.v), in
// synchronous mode, with a choice of what it holds at power-up.
//
// A chip that was configured begins with REGSET; so does this model, unless
// +lockstep_power_up is among the arguments: it then begins with whatever Verilator draws. A mode
// that is not modelled is refused when the model is elaborated.
module TRELLIS_FF #(
  parameter string CEMUX   = "1",
  parameter string CLKMUX  = "CLK",
  parameter string LSRMUX  = "LSR",
  parameter string LSRMODE = "LSR",
  parameter string SRMODE  = "LSR_OVER_CE",
  parameter string REGSET  = "RESET",
  parameter string GSR     = "ENABLED"  // the global reset, which nothing drives
) (
  input        CLK,
  input        LSR,
  input        CE,
  input        DI,
  output logic Q
);

  localparam bit Modelled =
    (CEMUX == "1" || CEMUX == "CE" || CEMUX == "INV") && CLKMUX == "CLK" && LSRMODE == "LSR"
    && (LSRMUX == "LSR" || LSRMUX == "INV") && SRMODE == "LSR_OVER_CE"
    && (REGSET == "RESET" || REGSET == "SET");
  if (!Modelled) begin : gen_refused
    $fatal(1, "a TRELLIS_FF in a mode that sim/netlist/TRELLIS_FF.sv does not model");
  end

  localparam logic Set = REGSET == "SET";

  wire reset   = LSRMUX == "INV" ? !LSR : LSR;
  wire enabled = CEMUX == "1" || (CEMUX == "INV" ? !CE : CE);

  initial if (!netlist_pkg::Drawn) Q = Set;

  always_ff @(posedge CLK) begin
    if (reset) Q <= Set;
    else if (enabled) Q <= DI;
  end

endmodule
