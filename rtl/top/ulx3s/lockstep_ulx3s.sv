// The Tetris core on a ULX3S: pins only.
//
// The board's 25 MHz become the core's 100 MHz. The core is in its reset while the PLL has not
// locked or the button PWR (B0) is held. The line is that of the USB bridge (FT231X).
module lockstep_ulx3s #(
  parameter logic [31:0] BuildId = 32'h0,                    // set by the build
  parameter int unsigned Baud    = link_proto_pkg::BaseBaud,
  parameter int unsigned Stretch = 5_000_000                 // cycles an LED stays on
) (
  input  logic       clk_i,       // 25 MHz
  input  logic       rst_ni,      // button, low while it is pressed
  input  logic       uart_rx_i,
  output logic       uart_tx_o,
  output logic [7:0] led_o        // see board_leds
);

  localparam logic [31:0] ClkHz = 32'd100_000_000;

  logic clk, locked, rst_n;

  // 25 MHz times 4; the oscillator within at 600 MHz
  (* FREQUENCY_PIN_CLKI = "25", FREQUENCY_PIN_CLKOP = "100" *)
  EHXPLLL #(
    .CLKI_DIV     (1),
    .CLKFB_DIV    (4),
    .CLKOP_DIV    (6),
    .CLKOP_CPHASE (2),
    .CLKOP_FPHASE (0),
    .CLKOP_ENABLE ("ENABLED"),
    .FEEDBK_PATH  ("CLKOP")
  ) u_pll (
    .CLKI         (clk_i),
    .CLKFB        (clk),
    .PHASESEL1    (1'b0),
    .PHASESEL0    (1'b0),
    .PHASEDIR     (1'b1),
    .PHASESTEP    (1'b1),
    .PHASELOADREG (1'b1),
    .STDBY        (1'b0),
    .PLLWAKESYNC  (1'b0),
    .RST          (1'b0),
    .ENCLKOP      (1'b0),
    .ENCLKOS      (1'b0),
    .ENCLKOS2     (1'b0),
    .ENCLKOS3     (1'b0),
    .CLKOP        (clk),
    .LOCK         (locked)
  );

  reset_sync u_reset_sync (
    .clk_i  (clk),
    .rst_ni (locked && rst_ni),
    .rst_no (rst_n)
  );

  logic       unused_lines_valid;
  logic [4:0] unused_lines;

  board_tetris #(
    .ClkHz   (ClkHz),
    .Baud    (Baud),
    .BuildId (BuildId),
    .Stretch (Stretch)
  ) u_board_tetris (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .uart_rx_i     (uart_rx_i),
    .uart_tx_o     (uart_tx_o),
    .leds_o        (led_o),
    .lines_valid_o (unused_lines_valid),
    .lines_o       (unused_lines)
  );

endmodule
