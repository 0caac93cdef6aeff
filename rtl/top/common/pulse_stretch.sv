// Makes short events long enough for an eye: `active_o` is high from the cycle after `event_i` for
// Clocks cycles after the last one.
module pulse_stretch #(
  parameter int unsigned Clocks = 5_000_000  // at least 1
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic event_i,
  output logic active_o
);

  localparam int unsigned Width = $clog2(Clocks + 1);

  logic [Width-1:0] left_q, left_d;

  always_comb begin
    left_d = left_q;
    if (event_i) left_d = Width'(Clocks);
    else if (left_q != '0) left_d = left_q - 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= '0;
    else         left_q <= left_d;
  end

  assign active_o = left_q != '0;

endmodule
