// uart_tx and uart_rx at 8 clocks a bit, the fastest rate there is: every byte sent is received,
// once, undamaged and before the next one has left, whatever the bytes and the pauses between
// them; nothing else is received, and there is no break.
module uart_proof (
  input logic       clk_i,
  input logic       valid_i,
  input logic [7:0] data_i
);

  localparam logic [23:0] Increment = 24'(link_proto_pkg::MaxIncrement);
  // 10 bits, and the cycles of synchroniser and output register
  localparam int unsigned Latest    = 80 + 4;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic       ready, line, got, damaged, is_break;
  logic [7:0] data;

  uart_tx u_tx (
    .clk_i,
    .rst_ni     (rst_n),
    .baud_inc_i (Increment),
    .valid_i,
    .ready_o    (ready),
    .data_i,
    .tx_o       (line)
  );

  uart_rx u_rx (
    .clk_i,
    .rst_ni      (rst_n),
    .baud_inc_i  (Increment),
    .rx_i        (line),
    .valid_o     (got),
    .data_o      (data),
    .frame_err_o (damaged),
    .break_o     (is_break)
  );

  logic [2:0] since_q;    // cycles since the reset, stops at 7
  logic       pending_q;  // a byte is under way
  logic [7:0] byte_q, age_q;
  logic       second_q;   // a byte has been received

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      since_q   <= '0;
      pending_q <= 1'b0;
      second_q  <= 1'b0;
      age_q     <= '0;
    end else begin
      if (since_q != '1) since_q <= since_q + 3'd1;
      if (got) begin
        pending_q <= 1'b0;
        second_q  <= 1'b1;
      end
      if (pending_q) age_q <= age_q + 8'd1;
      if (valid_i && ready) begin
        pending_q <= 1'b1;
        byte_q    <= data_i;
        age_q     <= '0;
      end
    end
  end

  always_comb begin
    // The receiver has to see the line high before the first start bit.
    Idle_M: assume (since_q == '1 || !valid_i);
    if (rst_n) begin
      Byte_A:  assert (!got || (pending_q && data == byte_q && !damaged));
      Once_A:  assert (!(valid_i && ready && pending_q && !got));
      Soon_A:  assert (!pending_q || age_q < 8'(Latest));
      Break_A: assert (!is_break);
    end
    Byte_C: cover (got && data == 8'h5a);
  end

endmodule
