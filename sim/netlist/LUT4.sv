// Simulation model of the ECP5's look-up table: Z is the bit of INIT that {D, C, B, A} names.
// Combinational.
//
// One with a number as FAULT is inverted when the netlist is simulated with that fault.
module LUT4 #(
  parameter logic [15:0] INIT  = 16'h0000,
  parameter int unsigned FAULT = 0
) (
  input  A, B, C, D,
  output Z
);

  if (FAULT == 0) begin : gen_right
    assign Z = INIT[{D, C, B, A}];
  end else begin : gen_seeded
    assign Z = INIT[{D, C, B, A}] ^ (netlist_pkg::Fault == FAULT);
  end

endmodule
