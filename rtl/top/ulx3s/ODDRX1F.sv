// Simulation stand-in for the ECP5's output register of two bits a cycle: both are taken when SCLK
// rises, and leave one after the other, D0 while it is high.
module ODDRX1F (
  input  logic D0,
  input  logic D1,
  input  logic SCLK,
  input  logic RST,
  output logic Q
);

  logic high_q, low_q;

  always_ff @(posedge SCLK) begin
    high_q <= D0 && !RST;
    low_q  <= D1 && !RST;
  end

  assign Q = SCLK ? high_q : low_q;

endmodule
