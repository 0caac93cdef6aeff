// Everything between two serial pins but the game: the line and the core behind
// it. One top per game instantiates it beside the game's reader.
//
// Drive it: `baud_inc_i` = round(baud * 2^24 / clock), steady: the base rate,
// which a host may change (set_rate). Frames come in on
// `uart_rx_i` and answers leave on `uart_tx_o`; the rest is byte_core's.
// A simulation has ByteLink set: with `byte_link_i` high (steady as well) the pins
// are then ignored, tx idles high, and the bytes behind the UART go in and out
// directly: `byte_valid_i` takes a byte in every cycle, as a UART would, out is
// `byte_valid_o`/`byte_ready_i`. Hardware leaves it out, and all of that is idle.
module cosim_link #(
  parameter logic [31:0]              ClkHz        = 32'd100_000_000,  // reported only
  // Cycles without a good frame after which the line comes back to the base rate
  parameter int unsigned              RateHold     = 2**27,
  // Whether the bytes behind the UART can be had
  parameter bit                       ByteLink     = 1'b0,
  // Requests held unanswered, 1 .. frame_pkg::MaxWindow
  parameter int unsigned              Window       = link_proto_pkg::Window,
  // The game, as info_reply reports it
  parameter logic [31:0]              LayoutHash   = 32'h0,
  parameter logic [7:0]               Game         = 8'h0,
  parameter logic [7:0]               Columns      = 8'h0,
  parameter logic [7:0]               Rows         = 8'h0,
  parameter logic [7:0]               Lanes        = 8'd1,
  parameter logic [7:0]               Multipliers  = 8'd0,
  parameter logic [31:0]              Capabilities = 32'h0,
  // Payload bytes of its requests
  parameter link_proto_pkg::lengths_t GameLengths  = '0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [23:0]          baud_inc_i,
  input  logic [31:0]          build_id_i,
  // Presses of the board's buttons; '0 without buttons
  input  link_proto_pkg::buttons_reply_t buttons_i,
  // Pins
  input  logic                 uart_rx_i,
  output logic                 uart_tx_o,
  // Byte link behind the UART
  input  logic                 byte_link_i,
  input  logic                 byte_valid_i,
  input  logic [7:0]           byte_data_i,
  output logic                 byte_valid_o,
  output logic [7:0]           byte_data_o,
  input  logic                 byte_ready_i,
  // For a board's LEDs, a cycle each: a frame came in, whole or not
  output logic                 good_o,
  output logic                 bad_o,
  // The core works on an answer, see byte_core
  output logic                 busy_o,
  // The game's reader: its reset, its requests and its replies, see docs/kit.md
  output logic                 game_rst_no,
  output game_pkg::game_req_t  game_req_o,
  input  game_pkg::game_rsp_t  game_rsp_i
);

  logic bytes;
  assign bytes = ByteLink && byte_link_i;

  logic        line_rx_valid, line_rx_err, line_tx_ready;
  logic [7:0]  line_rx_data;
  logic        tx_valid;
  logic [7:0]  tx_data;
  logic        rate_valid, rate_abort, rate_busy, sending, good;
  logic [23:0] rate_inc;

  // The rate outlives a reset request; behind the UART there is none.
  uart_link #(
    .RateHold (RateHold)
  ) u_uart_link (
    .clk_i,
    .rst_ni,
    .base_inc_i   (baud_inc_i),
    .uart_rx_i,
    .uart_tx_o,
    .rx_valid_o   (line_rx_valid),
    .rx_data_o    (line_rx_data),
    .rx_err_o     (line_rx_err),
    .tx_valid_i   (tx_valid && !bytes),
    .tx_ready_o   (line_tx_ready),
    .tx_data_i    (tx_data),
    .rate_valid_i (rate_valid && !bytes),
    .rate_inc_i   (rate_inc),
    .rate_abort_i (rate_abort),
    .sending_i    (sending),
    .good_i       (good),
    .core_busy_i  (busy_o),
    .rate_busy_o  (rate_busy)
  );

  byte_core #(
    .ClkHz        (ClkHz),
    .Window       (Window),
    .LayoutHash   (LayoutHash),
    .Game         (Game),
    .Columns      (Columns),
    .Rows         (Rows),
    .Lanes        (Lanes),
    .Multipliers  (Multipliers),
    .Capabilities (Capabilities),
    .GameLengths  (GameLengths)
  ) u_byte_core (
    .clk_i,
    .rst_ni,
    .build_id_i,
    .buttons_i,
    .rx_valid_i   (bytes ? byte_valid_i : line_rx_valid),
    .rx_data_i    (bytes ? byte_data_i : line_rx_data),
    .rx_err_i     (!bytes && line_rx_err),
    .tx_valid_o   (tx_valid),
    .tx_ready_i   (bytes ? byte_ready_i : line_tx_ready),
    .tx_data_o    (tx_data),
    .rate_valid_o (rate_valid),
    .rate_inc_o   (rate_inc),
    .rate_abort_o (rate_abort),
    .sending_o    (sending),
    .good_o       (good),
    .busy_o,
    .rate_busy_i  (rate_busy),
    .bad_o,
    .game_rst_no,
    .game_req_o,
    .game_rsp_i
  );

  assign good_o       = good;
  assign byte_valid_o = bytes && tx_valid;
  assign byte_data_o  = tx_data;

endmodule
