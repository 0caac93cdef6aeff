// The Tetris core on a Digilent Nexys4: pins only.
//
// The board's oscillator is the core's clock. The core is in its reset while the button CPU RESET
// is held. The display counts the lines cleared by the placements that were answered, the upper
// LEDs how many decisions there were. VGA shows the game, a pixel every fourth cycle.
module lockstep_nexys4 #(
  parameter logic [31:0] BuildId     = 32'h0,                    // set by the build
  parameter int unsigned Baud        = link_proto_pkg::BaseBaud,
  parameter int unsigned RateHold    = 2**27,                    // see cosim_tetris
  parameter int unsigned Stretch     = 5_000_000,                // cycles an LED stays on
  parameter int unsigned Steady      = 1_000_000,                // see debounce
  parameter int unsigned DigitClocks = 131_072                   // cycles a digit is lit
) (
  input  logic        clk_i,      // 100 MHz
  input  logic        rst_ni,     // button, low while it is pressed
  input  logic [4:0]  button_i,   // high while pressed: left, right, up, down, centre
  input  logic        uart_rx_i,
  output logic        uart_tx_o,
  output logic [15:0] led_o,      // 7..0: see board_leds; 15..8: decisions, modulo 256
  output logic [7:0]  an_no,      // the display's anodes, the lowest digit is [0]
  output logic [6:0]  seg_no,     // its cathodes, A is [0]
  output logic        dp_no,      // its points
  output logic [3:0]  vga_r_o,
  output logic [3:0]  vga_g_o,
  output logic [3:0]  vga_b_o,
  output logic        vga_hs_no,
  output logic        vga_vs_no
);

  localparam logic [31:0] ClkHz = 32'd100_000_000;

  logic rst_n;

  reset_sync u_reset_sync (
    .clk_i,
    .rst_ni,
    .rst_no (rst_n)
  );

  logic              lines_valid;
  logic [4:0]        lines;
  tetris_pkg::view_t view;

  board_tetris #(
    .ClkHz      (ClkHz),
    .Baud       (Baud),
    .BuildId    (BuildId),
    .RateHold   (RateHold),
    .Stretch    (Stretch),
    .HasButtons (1'b1),
    .Steady     (Steady)
  ) u_board_tetris (
    .clk_i,
    .rst_ni        (rst_n),
    .button_i      ({1'b0, button_i}),
    .uart_rx_i,
    .uart_tx_o,
    .leds_o        (led_o[7:0]),
    .lines_valid_o (lines_valid),
    .lines_o       (lines),
    .view_o        (view)
  );

  logic [7:0] decisions_q, decisions_d;

  assign decisions_d = decisions_q + 8'(lines_valid);

  always_ff @(posedge clk_i) begin
    if (!rst_n) decisions_q <= '0;
    else        decisions_q <= decisions_d;
  end

  assign led_o[15:8] = decisions_q;

  // They leave the core late in their cycle.
  logic       cleared_valid_q;
  logic [4:0] cleared_q;

  always_ff @(posedge clk_i) begin
    cleared_valid_q <= rst_n && lines_valid;
    cleared_q       <= lines;
  end

  logic [7:0][3:0] digits;

  bcd_counter u_bcd_counter (
    .clk_i,
    .rst_ni   (rst_n),
    .valid_i  (cleared_valid_q),
    .amount_i (cleared_q),
    .digits_o (digits)
  );

  seven_segment #(
    .DigitClocks (DigitClocks)
  ) u_seven_segment (
    .clk_i,
    .rst_ni      (rst_n),
    .digits_i    (digits),
    .anodes_no   (an_no),
    .segments_no (seg_no)
  );

  assign dp_no = 1'b1;

  logic [1:0] pixel_q;
  logic       unused_visible;

  always_ff @(posedge clk_i) begin
    if (!rst_n) pixel_q <= '0;
    else        pixel_q <= pixel_q + 1'b1;
  end

  tetris_video u_tetris_video (
    .clk_i,
    .rst_ni       (rst_n),
    .view_i       (view),
    .lines_i      (lines),
    .pixel_clk_i  (clk_i),
    .pixel_rst_ni (rst_n),
    .pixel_en_i   (pixel_q == '0),
    .colour_o     ({vga_r_o, vga_g_o, vga_b_o}),
    .visible_o    (unused_visible),
    .hsync_no     (vga_hs_no),
    .vsync_no     (vga_vs_no)
  );

endmodule
