// Simulation model of the ECP5's carry cell: two look-up tables with a carry through both.
//
// Where a table's value is 1 the carry passes it; where it is 0 the table's lower four bits give
// the one that goes on. With INJECT1 "YES" a sum takes no carry and a table gives none.
// Combinational.
module CCU2C #(
  parameter logic [15:0] INIT0     = 16'h0000,
  parameter logic [15:0] INIT1     = 16'h0000,
  parameter string       INJECT1_0 = "YES",
  parameter string       INJECT1_1 = "YES"
) (
  input  CIN,
  input  A0, B0, C0, D0,
  input  A1, B1, C1, D1,
  output S0, S1,
  output COUT
);

  localparam logic Carry0 = INJECT1_0 != "YES";
  localparam logic Carry1 = INJECT1_1 != "YES";

  // Propagates, generates: the latter is the table of the lower two inputs alone.
  wire propagate0 = INIT0[{D0, C0, B0, A0}];
  wire propagate1 = INIT1[{D1, C1, B1, A1}];
  wire generate0  = Carry0 & INIT0[{2'b00, B0, A0}];
  wire generate1  = Carry1 & INIT1[{2'b00, B1, A1}];
  wire carry      = (propagate0 & CIN) | (~propagate0 & generate0);

  assign S0   = propagate0 ^ (Carry0 & CIN);
  assign S1   = propagate1 ^ (Carry1 & carry);
  assign COUT = (propagate1 & carry) | (~propagate1 & generate1);

endmodule
