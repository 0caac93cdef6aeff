// The Tetris core between two serial pins: what is simulated, and what a
// board's pins-only top wraps. Its pins, byte link, rate and build id are those
// of cosim_link.
//
// Latency of its own messages beyond cosim_link's: get_weights 7 cycles,
// set_weights 64, decide 36 and the decision's `cycles`.
module cosim_tetris #(
  parameter logic [31:0] ClkHz       = 32'd100_000_000,  // clk_i in hertz, reported only
  parameter int unsigned RateHold    = 2**27,         // cycles until the base rate comes back
  parameter int unsigned Lanes       = 0,             // 1, 2, 4, 8; 0: see tetris_reader
  parameter int unsigned Multipliers = 4,             // without lanes, 1 .. NumFeatures
  parameter int unsigned Window      = link_proto_pkg::Window,  // requests held unanswered
  parameter bit          ByteLink    = 1'b0,          // simulation only: adds the byte link
  parameter bit          HasButtons  = 1'b0           // the board has buttons
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [23:0] baud_inc_i,
  input  logic [31:0] build_id_i,
  // Presses of the board's buttons
  input  link_proto_pkg::buttons_reply_t buttons_i,
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
  // For a board's LEDs and display, for a cycle: a good frame came in
  output logic        good_o,
  // A damaged frame came in, or one beyond the window
  output logic        bad_o,
  // The core works on an answer
  output logic        busy_o,
  // For a cycle: a decision was answered, which clears `lines_o` rows
  output logic        lines_valid_o,
  output logic [4:0]  lines_o,
  // For a picture, see tetris_reader
  output tetris_pkg::view_t view_o
);

  // Of each lane: one for each feature that it scores
  localparam int unsigned LaneMultipliers = tetris_pkg::NumFeatures - 2;

  logic                game_rst_n;
  game_pkg::game_req_t game_req;
  game_pkg::game_rsp_t game_rsp;

  cosim_link #(
    .ClkHz        (ClkHz),
    .RateHold     (RateHold),
    .ByteLink     (ByteLink),
    .Window       (Window),
    .LayoutHash   (tetris_proto_pkg::LayoutHash),
    .Game         (tetris_proto_pkg::GameNumber),
    .Columns      (8'(tetris_proto_pkg::Columns)),
    .Rows         (8'(tetris_proto_pkg::Rows)),
    .Lanes        (8'(Lanes)),
    .Multipliers  (Lanes == 0 ? 8'(Multipliers) : 8'(LaneMultipliers)),
    .Capabilities ((Lanes == 0 ? '0 : link_proto_pkg::CapabilityLookahead) |
                   link_proto_pkg::CapabilityExactCycles | link_proto_pkg::CapabilityTrace |
                   link_proto_pkg::CapabilityPlay | link_proto_pkg::CapabilitySelfPlay |
                   (HasButtons ? link_proto_pkg::CapabilityButtons : '0)),
    .GameLengths  (tetris_proto_pkg::RequestLengths)
  ) u_cosim_link (
    .clk_i,
    .rst_ni,
    .baud_inc_i,
    .build_id_i,
    .buttons_i,
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

  tetris_reader #(
    .Lanes       (Lanes),
    .Multipliers (Multipliers)
  ) u_tetris_reader (
    .clk_i,
    .rst_ni (game_rst_n),
    .req_i  (game_req),
    .rsp_o  (game_rsp),
    .lines_valid_o,
    .lines_o,
    .view_o
  );

endmodule
