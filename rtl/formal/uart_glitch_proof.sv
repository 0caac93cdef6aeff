// uart_rx at 8 clocks a bit: low pulses shorter than half a bit, a bit or more apart, are not
// received, however many come.
module uart_glitch_proof (
  input logic clk_i,
  input logic line_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic       got, is_break;
  logic [7:0] unused_data;
  logic       unused_damaged;

  uart_rx u_dut (
    .clk_i,
    .rst_ni      (rst_n),
    .baud_inc_i  (24'(link_proto_pkg::MaxIncrement)),
    .rx_i        (line_i),
    .valid_o     (got),
    .data_o      (unused_data),
    .frame_err_o (unused_damaged),
    .break_o     (is_break)
  );

  logic [3:0] low_q, high_q;  // clocks of it so far; high stops at 8
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      low_q  <= '0;
      high_q <= '0;
    end else begin
      low_q  <= line_i ? 4'd0 : low_q + 4'd1;
      high_q <= !line_i ? 4'd0 : (high_q == 4'd8) ? 4'd8 : high_q + 4'd1;
    end
  end

  always_comb begin
    Short_M: assume (line_i || low_q < 4'd3);
    Apart_M: assume (line_i || low_q != '0 || high_q == 4'd8);
    if (rst_n) begin
      None_A:  assert (!got);
      Break_A: assert (!is_break);
    end
    Glitch_C: cover (rst_n && low_q == 4'd3 && line_i && !u_dut.line);
  end

endmodule
