// The serial line: bytes in and out of two pins, at a rate that may change.
//
// Drive it: `base_inc_i` = round(baud * 2^24 / clock), steady: the base rate.
// Received bytes come with `rx_valid_o` as they do from uart_rx, `rx_err_o` with
// those whose stop bit was low. Bytes to send are taken with
// `tx_valid_i`/`tx_ready_o`.
//
// Another rate: `rate_*_i`, `good_i` and `core_busy_i`: see uart_rate. While
// `rate_busy_o` is high no frame may be handed to the frame transmitter.
module uart_link #(
  parameter int unsigned RateHold = 2**27  // cycles until the base rate comes back
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [23:0] base_inc_i,
  // Pins
  input  logic        uart_rx_i,
  output logic        uart_tx_o,
  // Bytes
  output logic        rx_valid_o,
  output logic [7:0]  rx_data_o,
  output logic        rx_err_o,
  input  logic        tx_valid_i,
  output logic        tx_ready_o,
  input  logic [7:0]  tx_data_i,
  // Rate
  input  logic        rate_valid_i,
  input  logic [23:0] rate_inc_i,
  input  logic        rate_abort_i,
  input  logic        sending_i,
  input  logic        good_i,
  input  logic        core_busy_i,
  output logic        rate_busy_o
);

  logic [23:0] rx_inc, tx_inc;
  logic        line_break;

  uart_rx u_uart_rx (
    .clk_i,
    .rst_ni,
    .baud_inc_i  (rx_inc),
    .rx_i        (uart_rx_i),
    .valid_o     (rx_valid_o),
    .data_o      (rx_data_o),
    .frame_err_o (rx_err_o),
    .break_o     (line_break)
  );

  uart_tx u_uart_tx (
    .clk_i,
    .rst_ni,
    .baud_inc_i (tx_inc),
    .valid_i    (tx_valid_i),
    .ready_o    (tx_ready_o),
    .data_i     (tx_data_i),
    .tx_o       (uart_tx_o)
  );

  uart_rate #(
    .RateHold (RateHold)
  ) u_uart_rate (
    .clk_i,
    .rst_ni,
    .base_inc_i,
    .set_valid_i (rate_valid_i),
    .set_inc_i   (rate_inc_i),
    .abort_i     (rate_abort_i),
    .sending_i,
    .tx_ready_i  (tx_ready_o),
    .busy_o      (rate_busy_o),
    .break_i     (line_break),
    .good_i,
    .core_busy_i,
    .rx_inc_o    (rx_inc),
    .tx_inc_o    (tx_inc)
  );

endmodule
