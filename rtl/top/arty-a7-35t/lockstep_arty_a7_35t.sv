// The Tetris core on a Digilent Arty A7-35T: pins only.
//
// The board's oscillator is the core's clock. The core is in its reset while the button RESET is
// held. LEDs 0 to 3 are the green ones of the board's RGB LEDs.
module lockstep_arty_a7_35t #(
  parameter logic [31:0] BuildId = 32'h0,                    // set by the build
  parameter int unsigned Baud    = link_proto_pkg::BaseBaud,
  parameter int unsigned Stretch = 5_000_000                 // cycles an LED stays on
) (
  input  logic       clk_i,      // 100 MHz
  input  logic       rst_ni,     // button, low while it is pressed
  input  logic       uart_rx_i,
  output logic       uart_tx_o,
  output logic [7:0] led_o       // see board_leds
);

  localparam logic [31:0] ClkHz = 32'd100_000_000;

  logic rst_n;

  reset_sync u_reset_sync (
    .clk_i,
    .rst_ni,
    .rst_no (rst_n)
  );

  logic       unused_lines_valid;
  logic [4:0] unused_lines;
  tetris_pkg::view_t unused_view;

  board_tetris #(
    .ClkHz   (ClkHz),
    .Baud    (Baud),
    .BuildId (BuildId),
    .Stretch (Stretch)
  ) u_board_tetris (
    .clk_i,
    .rst_ni        (rst_n),
    .button_i      ('0),
    .uart_rx_i,
    .uart_tx_o,
    .leds_o        (led_o),
    .lines_valid_o (unused_lines_valid),
    .lines_o       (unused_lines),
    .view_o        (unused_view)
  );

endmodule
