// The Tetris core on a ULX3S: pins only.
//
// The board's 25 MHz become the core's clock. The core is in its reset while the PLL has not
// locked or the button PWR (B0) is held. The line is that of the USB bridge (FT231X).
module lockstep_ulx3s #(
  parameter logic [31:0] ClkHz   = 32'd100_000_000,          // 50, 75 or 100 MHz
  parameter int unsigned Lanes   = 0,                        // of the core, see cosim_tetris
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

  logic clk, locked, rst_n;

  // The oscillator within runs at 600 MHz.
  localparam int unsigned Divisor = 600_000_000 / ClkHz;
  (* FREQUENCY_PIN_CLKI = "25" *)
  EHXPLLL #(
    .CLKI_DIV     (1),
    .CLKFB_DIV    (ClkHz / 25_000_000),
    .CLKOP_DIV    (Divisor),
    .CLKOP_CPHASE (Divisor / 2 - 1),
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
    .Lanes   (Lanes),
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
