// The Tetris core on a Sipeed Tang Nano 20K: pins only.
//
// The board's 27 MHz become the core's 81 MHz. The core is in its reset while the PLL has not
// locked or the button S1 is held. The line is that of the USB bridge (BL616).
module lockstep_tang_nano_20k #(
  parameter logic [31:0] BuildId = 32'h0,                    // set by the build
  parameter int unsigned Baud    = link_proto_pkg::BaseBaud,
  parameter int unsigned Stretch = 4_050_000                 // cycles an LED stays on
) (
  input  logic       clk_i,      // 27 MHz
  input  logic       rst_i,      // button, high while it is pressed
  input  logic       uart_rx_i,
  output logic       uart_tx_o,
  output logic [5:0] led_no      // low: lit
);

  localparam int unsigned Times = 3;
  localparam logic [31:0] ClkHz = 32'd27_000_000 * Times;

  logic clk, locked, rst_n;
  logic unused_clkoutp, unused_clkoutd, unused_clkoutd3;

  // The oscillator within runs at ODIV_SEL times the core's clock, 648 MHz.
  rPLL #(
    .FCLKIN    ("27"),
    .IDIV_SEL  (0),
    .FBDIV_SEL (Times - 1),
    .ODIV_SEL  (8),
    .DEVICE    ("GW2AR-18C")
  ) u_pll (
    .CLKIN    (clk_i),
    .CLKFB    (1'b0),
    .FBDSEL   (6'h0),
    .IDSEL    (6'h0),
    .ODSEL    (6'h0),
    .DUTYDA   (4'h0),
    .PSDA     (4'h0),
    .FDLY     (4'h0),
    .RESET    (1'b0),
    .RESET_P  (1'b0),
    .CLKOUT   (clk),
    .CLKOUTP  (unused_clkoutp),
    .CLKOUTD  (unused_clkoutd),
    .CLKOUTD3 (unused_clkoutd3),
    .LOCK     (locked)
  );

  reset_sync u_reset_sync (
    .clk_i  (clk),
    .rst_ni (locked && !rst_i),
    .rst_no (rst_n)
  );

  logic [7:0] leds;
  logic       unused_bad;
  logic       unused_cleared;
  logic       unused_lines_valid;
  logic [4:0] unused_lines;
  tetris_pkg::view_t unused_view;

  board_tetris #(
    .ClkHz   (ClkHz),
    .Baud    (Baud),
    .BuildId (BuildId),
    .Stretch (Stretch)
  ) u_board_tetris (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .button_i      ('0),
    .uart_rx_i,
    .uart_tx_o,
    .leds_o        (leds),
    .lines_valid_o (unused_lines_valid),
    .lines_o       (unused_lines),
    .view_o        (unused_view)
  );

  // Six of the eight: an error is shown until the reset, cleared rows are not.
  assign led_no         = ~{leds[7], leds[6], leds[4], leds[2:0]};
  assign unused_bad     = leds[3];
  assign unused_cleared = leds[5];

endmodule
