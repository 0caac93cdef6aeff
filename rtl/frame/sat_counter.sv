// Counter that stops at its maximum. Drive it: every cycle with `inc_i` counts
// one; `count_o` shows it in the next cycle.
module sat_counter #(
  parameter int unsigned Width = 32  // bits
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             inc_i,
  output logic [Width-1:0] count_o
);

  logic [Width-1:0] count_q, count_d;

  assign count_d = (inc_i && count_q != '1) ? count_q + 1'b1 : count_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_q <= '0;
    else         count_q <= count_d;
  end

  assign count_o = count_q;

endmodule
