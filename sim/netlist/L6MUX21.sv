// Simulation model of the ECP5's multiplexer behind two PFUMX or two of its kind. Combinational.
module L6MUX21 (
  input  D0, D1, SD,
  output Z
);

  // Not as a choice: Verilator would make a branch of it.
  assign Z = (D1 & SD) | (D0 & ~SD);

endmodule
