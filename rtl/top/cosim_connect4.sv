// The Connect Four core between two serial pins: what is simulated, and what a board's pins-only
// top wraps. Pins, byte link, rate and build id: see cosim_link.
//
// The template for another game's top: a link, a reader, and what info_reply says.
module cosim_connect4 #(
  parameter logic [31:0] ClkHz    = 32'd100_000_000,  // clk_i in hertz, reported only
  parameter int unsigned RateHold = 2**27,            // cycles until the base rate comes back
  parameter int unsigned Lanes    = 1,                // positions searched side by side
  parameter int unsigned Window   = link_proto_pkg::Window,  // requests held unanswered
  parameter bit          ByteLink = 1'b0              // simulation only: adds the byte link
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [23:0] baud_inc_i,
  input  logic [31:0] build_id_i,
  // Pins
  input  logic        uart_rx_i,
  output logic        uart_tx_o,
  // Byte link behind the UART
  input  logic        byte_link_i,
  input  logic        byte_valid_i,
  input  logic [7:0]  byte_data_i,
  output logic        byte_valid_o,
  output logic [7:0]  byte_data_o,
  input  logic        byte_ready_i,
  // For a board's LEDs, a cycle each: a frame came in, whole or not
  output logic        good_o,
  output logic        bad_o,
  // The core works on an answer
  output logic        busy_o
);

  if (Lanes != 1) begin : gen_lanes
    $error("the Connect Four core has one lane");
  end

  logic                game_rst_n;
  game_pkg::game_req_t game_req;
  game_pkg::game_rsp_t game_rsp;

  cosim_link #(
    .ClkHz        (ClkHz),
    .RateHold     (RateHold),
    .ByteLink     (ByteLink),
    .Window       (Window),
    .LayoutHash   (connect4_proto_pkg::LayoutHash),
    .Game         (connect4_proto_pkg::GameNumber),
    .Columns      (8'(connect4_proto_pkg::Columns)),
    .Rows         (8'(connect4_proto_pkg::Rows)),
    .Lanes        (8'(Lanes)),
    .Capabilities (link_proto_pkg::CapabilityTrace),
    .GameLengths  (connect4_proto_pkg::RequestLengths)
  ) u_cosim_link (
    .clk_i,
    .rst_ni,
    .baud_inc_i,
    .build_id_i,
    .buttons_i    ('0),
    .uart_rx_i,
    .uart_tx_o,
    .byte_link_i,
    .byte_valid_i,
    .byte_data_i,
    .byte_valid_o,
    .byte_data_o,
    .byte_ready_i,
    .good_o,
    .bad_o,
    .busy_o,
    .game_rst_no (game_rst_n),
    .game_req_o  (game_req),
    .game_rsp_i  (game_rsp)
  );

  connect4_reader u_connect4_reader (
    .clk_i,
    .rst_ni (game_rst_n),
    .req_i  (game_req),
    .rsp_o  (game_rsp)
  );

endmodule
