// The Tetris core on a ULX3S: pins only.
//
// The board's 25 MHz become the core's clock. The core is in its reset while the PLL has not
// locked or the button PWR (B0) is held. The line is that of the USB bridge (FT231X). A second PLL
// makes the clock of the pixels, and one that is five times as fast, in which the connector GPDI
// (DVI on an HDMI socket) gets two bits a cycle.
module lockstep_ulx3s #(
  parameter logic [31:0] ClkHz    = 32'd100_000_000,          // 50, 75 or 100 MHz
  parameter int unsigned Lanes    = 0,                        // of the core, see cosim_tetris
  parameter logic [31:0] BuildId  = 32'h0,                    // set by the build
  parameter int unsigned Baud     = link_proto_pkg::BaseBaud,
  parameter int unsigned RateHold = 2**27,                    // see cosim_tetris
  parameter int unsigned Stretch  = 5_000_000,                // cycles an LED stays on
  parameter int unsigned Steady   = 1_000_000                 // see debounce
) (
  input  logic       clk_i,       // 25 MHz
  input  logic       rst_ni,      // button, low while it is pressed
  input  logic [5:0] button_i,    // high while pressed: left, right, up, down, fire 1, fire 2
  input  logic       uart_rx_i,
  output logic       uart_tx_o,
  output logic [7:0] led_o,       // see board_leds
  // Positive halves of the pairs; the negative ones follow by their IO_TYPE. Blue, green, red, clock
  output logic [3:0] gpdi_dp_o
);

  logic clk, locked, rst_n, unused_clkos;

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
    .CLKOS        (unused_clkos),
    .LOCK         (locked)
  );

  reset_sync u_reset_sync (
    .clk_i  (clk),
    .rst_ni (locked && rst_ni),
    .rst_no (rst_n)
  );

  logic              unused_lines_valid;
  logic [4:0]        lines;
  tetris_pkg::view_t view;

  board_tetris #(
    .ClkHz      (ClkHz),
    .Lanes      (Lanes),
    .Baud       (Baud),
    .BuildId    (BuildId),
    .RateHold   (RateHold),
    .Stretch    (Stretch),
    .HasButtons (1'b1),
    .Steady     (Steady)
  ) u_board_tetris (
    .clk_i         (clk),
    .rst_ni        (rst_n),
    .button_i,
    .uart_rx_i     (uart_rx_i),
    .uart_tx_o     (uart_tx_o),
    .leds_o        (led_o),
    .lines_valid_o (unused_lines_valid),
    .lines_o       (lines),
    .view_o        (view)
  );

  // ------------------------------------------------------------------------------- the picture
  logic pixel_clk, fast_clk, video_locked, pixel_rst_n, fast_rst_n;

  // The oscillator within runs at 500 MHz.
  (* FREQUENCY_PIN_CLKI = "25" *)
  EHXPLLL #(
    .CLKI_DIV     (1),
    .CLKFB_DIV    (5),
    .CLKOP_DIV    (4),   // 125 MHz
    .CLKOP_CPHASE (1),
    .CLKOP_FPHASE (0),
    .CLKOP_ENABLE ("ENABLED"),
    .CLKOS_DIV    (20),  // 25 MHz
    .CLKOS_CPHASE (1),
    .CLKOS_FPHASE (0),
    .CLKOS_ENABLE ("ENABLED"),
    .FEEDBK_PATH  ("CLKOP")
  ) u_video_pll (
    .CLKI         (clk_i),
    .CLKFB        (fast_clk),
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
    .CLKOP        (fast_clk),
    .CLKOS        (pixel_clk),
    .LOCK         (video_locked)
  );

  reset_sync u_pixel_reset_sync (
    .clk_i  (pixel_clk),
    .rst_ni (video_locked && rst_ni),
    .rst_no (pixel_rst_n)
  );

  reset_sync u_fast_reset_sync (
    .clk_i  (fast_clk),
    .rst_ni (video_locked && rst_ni),
    .rst_no (fast_rst_n)
  );

  video_pkg::colour_t colour;
  logic               visible, hsync_n, vsync_n;

  tetris_video u_tetris_video (
    .clk_i        (clk),
    .rst_ni       (rst_n),
    .view_i       (view),
    .lines_i      (lines),
    .pixel_clk_i  (pixel_clk),
    .pixel_rst_ni (pixel_rst_n),
    .pixel_en_i   (1'b1),
    .colour_o     (colour),
    .visible_o    (visible),
    .hsync_no     (hsync_n),
    .vsync_no     (vsync_n)
  );

  logic [3:0][9:0] words;
  logic [3:0][1:0] pairs;

  video_dvi u_video_dvi (
    .clk_i     (pixel_clk),
    .colour_i  (colour),
    .visible_i (visible),
    .hsync_i   (hsync_n),
    .vsync_i   (vsync_n),
    .words_o   (words)
  );

  tmds_serializer u_tmds_serializer (
    .pixel_clk_i  (pixel_clk),
    .pixel_rst_ni (pixel_rst_n),
    .words_i      (words),
    .clk_i        (fast_clk),
    .rst_ni       (fast_rst_n),
    .pairs_o      (pairs)
  );

  for (genvar lane = 0; lane < 4; lane++) begin : gen_pin
    ODDRX1F u_pin (
      .D0   (pairs[lane][0]),
      .D1   (pairs[lane][1]),
      .SCLK (fast_clk),
      .RST  (1'b0),
      .Q    (gpdi_dp_o[lane])
    );
  end

endmodule
