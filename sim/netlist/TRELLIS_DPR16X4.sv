// Simulation model of the ECP5's LUT RAM: 16 words of 4 bits, written at the clock edge, read at
// once. A bit of INITVAL that the netlist leaves open is whatever Verilator draws.
module TRELLIS_DPR16X4 #(
  parameter string       WCKMUX  = "WCK",
  parameter string       WREMUX  = "WRE",
  parameter logic [63:0] INITVAL = 64'h0000000000000000
) (
  input        WCK, WRE,
  input  [3:0] WAD, DI,
  input  [3:0] RAD,
  output [3:0] DO
);

  if (WCKMUX != "WCK" || WREMUX != "WRE") begin : gen_refused
    $fatal(1, "a TRELLIS_DPR16X4 in a mode that sim/netlist/TRELLIS_DPR16X4.sv does not model");
  end

  logic [3:0] mem_q [16];

  initial begin
    for (int unsigned i = 0; i < 16; i++) mem_q[i] = INITVAL[4*i +: 4];
  end

  always_ff @(posedge WCK) begin
    if (WRE) mem_q[WAD] <= DI;
  end

  assign DO = mem_q[RAD];

endmodule
