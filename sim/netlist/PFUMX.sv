// Simulation model of the ECP5's multiplexer behind two look-up tables. Combinational.
module PFUMX (
  input  ALUT, BLUT, C0,
  output Z
);

  // Not as a choice: Verilator would make a branch of it.
  assign Z = (ALUT & C0) | (BLUT & ~C0);

endmodule
