// The Tetris core as every board has it: what is left to a board's own top are its clock, its reset
// and its pins.
//
// Drive it: `clk_i` at ClkHz, `rst_ni` low for two cycles at least. `lines_valid_o` is high for a
// cycle with each decision that is answered, `lines_o` then the rows that its placement clears.
// The host can ask how often each button was pressed.
module board_tetris #(
  parameter logic [31:0] ClkHz      = 32'd100_000_000,           // clk_i in hertz
  parameter int unsigned Baud       = link_proto_pkg::BaseBaud,  // of the line after power-up
  parameter int unsigned Lanes      = 0,                         // see cosim_tetris
  parameter logic [31:0] BuildId    = 32'h0,                     // what info reports
  parameter int unsigned RateHold   = 2**27,                     // see cosim_tetris
  parameter int unsigned Stretch    = 5_000_000,                 // cycles an LED stays on
  parameter bit          HasButtons = 1'b0,
  parameter int unsigned Steady     = 1_000_000                  // see debounce
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // By the numbers of buttons_reply, high while pressed; asynchronous
  input  logic [link_proto_pkg::ButtonCount-1:0] button_i,
  input  logic       uart_rx_i,
  output logic       uart_tx_o,
  output logic [7:0] leds_o,       // see board_leds
  output logic       lines_valid_o,
  output logic [4:0] lines_o,
  output tetris_pkg::view_t view_o  // for a picture
);

  // Baud * 2^24 / ClkHz, rounded
  localparam logic [23:0] BaudInc =
      24'(((64'(Baud) << 24) + 64'(ClkHz / 32'd2)) / 64'(ClkHz));

  if (32'(BaudInc) < link_proto_pkg::MinIncrement ||
      32'(BaudInc) > link_proto_pkg::MaxIncrement) begin : gen_baud
    $error("the clock does not allow that rate of the line");
  end

  logic [link_proto_pkg::ButtonCount-1:0][7:0] presses;

  if (HasButtons) begin : gen_buttons
    for (genvar i = 0; i < link_proto_pkg::ButtonCount; i++) begin : gen_button
      logic       press;
      logic [7:0] presses_q;

      debounce #(
        .Steady (Steady)
      ) u_debounce (
        .clk_i,
        .rst_ni,
        .button_i (button_i[i]),
        .press_o  (press)
      );

      always_ff @(posedge clk_i) begin
        if (!rst_ni)    presses_q <= '0;
        else if (press) presses_q <= presses_q + 8'd1;
      end

      assign presses[i] = presses_q;
    end
  end else begin : gen_no_buttons
    logic unused;
    assign unused  = ^button_i;
    assign presses = '0;
  end

  logic       good, bad;
  logic       unused_byte_valid, unused_busy;
  logic [7:0] unused_byte_data;

  cosim_tetris #(
    .ClkHz      (ClkHz),
    .RateHold   (RateHold),
    .Lanes      (Lanes),
    .HasButtons (HasButtons)
  ) u_cosim_tetris (
    .clk_i,
    .rst_ni,
    .baud_inc_i    (BaudInc),
    .build_id_i    (BuildId),
    .buttons_i     (presses),
    .uart_rx_i,
    .uart_tx_o,
    .byte_link_i   (1'b0),
    .byte_valid_i  (1'b0),
    .byte_data_i   (8'h0),
    .byte_valid_o  (unused_byte_valid),
    .byte_data_o   (unused_byte_data),
    .byte_ready_i  (1'b0),
    .good_o        (good),
    .bad_o         (bad),
    .busy_o        (unused_busy),
    .lines_valid_o,
    .lines_o,
    .view_o
  );

  board_leds #(
    .Stretch (Stretch)
  ) u_board_leds (
    .clk_i,
    .rst_ni,
    .rx_i       (uart_rx_i),
    .tx_i       (uart_tx_o),
    .good_i     (good),
    .bad_i      (bad),
    .decision_i (lines_valid_o),
    .cleared_i  (lines_valid_o && lines_o != '0),
    .leds_o
  );

endmodule
