// Everything between two serial pins but the game: UART, frames, request memory
// and dispatcher. One top a game instantiates it beside the game's reader.
//
// Drive it: `baud_inc_i` = round(baud * 2^24 / clock), steady: the base rate,
// from which a host may lead the line to another one. `build_id_i`, steady, is
// what info reports. Frames come in on `uart_rx_i` and answers leave on
// `uart_tx_o`; docs/wire.md has the format.
// A simulation has ByteLink set: with `byte_link_i` high (steady as well) the pins
// are then ignored, tx idles high, and the bytes behind the UART go in and out
// directly: `byte_valid_i` takes a byte in every cycle, as a UART would, out is
// `byte_valid_o`/`byte_ready_i`. Hardware leaves it out, and all of that is idle.
//
// The game's requests go out on `game_*`, see board_reader/: whoever serves them
// is reset by `game_rst_no` and reads their payloads with `game_mem_*`.
//
// Latency on the byte link, from the delimiter going in to the first byte of
// the answer being offered, with nothing else under way: 17 cycles plus one per
// payload byte of the answer; on top of it ping 9, set_rate 7, and what
// the game's reader takes.
module cosim_link #(
  parameter logic [31:0]              ClkHz        = 32'd100_000_000,  // reported only
  // Cycles without a good frame after which the line comes back to the base rate
  parameter int unsigned              RateHold     = 2**27,
  // Whether the bytes behind the UART can be had
  parameter bit                       ByteLink     = 1'b0,
  // The game, as info_reply reports it
  parameter logic [31:0]              LayoutHash   = 32'h0,
  parameter logic [7:0]               Game         = 8'h0,
  parameter logic [7:0]               Columns      = 8'h0,
  parameter logic [7:0]               Rows         = 8'h0,
  parameter logic [7:0]               Lanes        = 8'd1,
  parameter logic [31:0]              Capabilities = 32'h0,
  // Payload bytes of its requests
  parameter link_proto_pkg::lengths_t GameLengths  = '0
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [23:0]          baud_inc_i,
  input  logic [31:0]          build_id_i,
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
  // The game's reader: its reset, its requests
  output logic                 game_rst_no,
  output logic                 game_req_valid_o,
  input  logic                 game_req_ready_i,
  output logic [7:0]           game_req_msg_o,
  output frame_pkg::slot_t     game_req_slot_o,
  // ... their payloads
  input  logic                 game_mem_en_i,
  input  frame_pkg::mem_addr_t game_mem_addr_i,
  output logic [7:0]           game_mem_rdata_o,
  // ... and its replies
  input  logic                 game_reply_valid_i,
  output logic                 game_reply_ready_o,
  input  logic [7:0]           game_reply_msg_i,
  input  logic                 game_reply_empty_i,
  input  logic                 game_byte_valid_i,
  output logic                 game_byte_ready_o,
  input  logic [7:0]           game_byte_data_i,
  input  logic                 game_byte_last_i
);

  import frame_pkg::header_t, frame_pkg::mem_addr_t, frame_pkg::request_t, frame_pkg::slot_t;

  link_proto_pkg::info_reply_t info;
  assign info = '{
    protocol_version: link_proto_pkg::ProtocolVersion,
    layout_hash:      LayoutHash,
    build_id:         build_id_i,
    game:             Game,
    columns:          Columns,
    rows:             Rows,
    lanes:            Lanes,
    window:           8'(link_proto_pkg::Window),
    clock_hz:         ClkHz,
    capabilities:     Capabilities
  };

  // Link: pins or bytes
  logic bytes;
  assign bytes = ByteLink && byte_link_i;

  logic [23:0] rx_inc, tx_inc;
  logic        uart_rx_valid, uart_rx_err, uart_rx_break, uart_tx_ready;
  logic [7:0]  uart_rx_data;
  logic        rx_valid, rx_err, tx_valid, tx_ready, tx_sending;
  logic [7:0]  rx_data, tx_data;

  uart_rx u_uart_rx (
    .clk_i,
    .rst_ni,
    .baud_inc_i  (rx_inc),
    .rx_i        (uart_rx_i),
    .valid_o     (uart_rx_valid),
    .data_o      (uart_rx_data),
    .frame_err_o (uart_rx_err),
    .break_o     (uart_rx_break)
  );

  uart_tx u_uart_tx (
    .clk_i,
    .rst_ni,
    .baud_inc_i (tx_inc),
    .valid_i (tx_valid && !bytes),
    .ready_o (uart_tx_ready),
    .data_i  (tx_data),
    .tx_o    (uart_tx_o)
  );

  assign rx_valid     = bytes ? byte_valid_i : uart_rx_valid;
  assign rx_data      = bytes ? byte_data_i : uart_rx_data;
  assign rx_err       = !bytes && uart_rx_err;
  assign tx_ready     = bytes ? byte_ready_i : uart_tx_ready;
  assign byte_valid_o = bytes && tx_valid;
  assign byte_data_o  = tx_data;

  // Everything that a reset request throws away hangs on this reset. It comes
  // from a register, because it reaches the whole AI core; so rst_ni has to be
  // low for two cycles at least.
  logic clear, clear_q, core_rst_n;
  always_ff @(posedge clk_i) begin
    clear_q    <= rst_ni && clear;
    core_rst_n <= rst_ni && !clear;
  end

  assign game_rst_no = core_rst_n;

  // Receiver
  logic       good, bad_crc, malformed, overrun, stored, slot_free;
  header_t    rx_header;
  logic [7:0] rx_length;
  slot_t      rx_slot, next_slot;
  logic       wr_en;
  mem_addr_t  wr_addr;
  logic [7:0] wr_data;
  logic       req_valid, req_ready;
  request_t   req;

  frame_rx u_frame_rx (
    .clk_i,
    .rst_ni,
    .byte_valid_i (rx_valid),
    .byte_data_i  (rx_data),
    .byte_err_i   (rx_err),
    .slot_free_i  (slot_free),
    .slot_i       (next_slot),
    .mem_en_o     (wr_en),
    .mem_addr_o   (wr_addr),
    .mem_wdata_o  (wr_data),
    .good_o       (good),
    .bad_crc_o    (bad_crc),
    .malformed_o  (malformed),
    .header_o     (rx_header),
    .length_o     (rx_length),
    .slot_o       (rx_slot),
    .stored_o     (stored)
  );

  request_queue u_request_queue (
    .clk_i,
    .rst_ni,
    .frame_valid_i  (good),
    .frame_header_i (rx_header),
    .frame_length_i (rx_length),
    .frame_slot_i   (rx_slot),
    .frame_stored_i (stored),
    .slot_free_o    (slot_free),
    .slot_o         (next_slot),
    .req_valid_o    (req_valid),
    .req_ready_i    (req_ready),
    .req_o          (req),
    .clear_o        (clear),
    .overrun_o      (overrun)
  );

  link_proto_pkg::stats_reply_t stats;

  frame_stats u_frame_stats (
    .clk_i,
    .rst_ni      (core_rst_n),
    .good_i      (good),
    .bad_crc_i   (bad_crc),
    .malformed_i (malformed),
    .overrun_i   (overrun),
    .stats_o     (stats)
  );

  // Request memory: port A is written by the receiver, port B read by whoever
  // serves the request.
  logic       cmd_mem_en;
  mem_addr_t  cmd_mem_addr, rd_addr;
  logic [7:0] rd_data, unused_a_rdata;

  assign rd_addr          = cmd_mem_en ? cmd_mem_addr : game_mem_addr_i;
  assign game_mem_rdata_o = rd_data;

  request_mem u_request_mem (
    .clk_i,
    .a_en_i    (wr_en),
    .a_we_i    (1'b1),
    .a_addr_i  (wr_addr),
    .a_wdata_i (wr_data),
    .a_rdata_o (unused_a_rdata),
    .b_en_i    (cmd_mem_en || game_mem_en_i),
    .b_we_i    (1'b0),
    .b_addr_i  (rd_addr),
    .b_wdata_i ('0),
    .b_rdata_o (rd_data)
  );

  // Requests to replies
  logic       header_valid, header_ready, header_empty;
  header_t    header;
  logic       payload_valid, payload_ready, payload_last;
  logic [7:0] payload_data;

  logic        rate_valid, rate_busy;
  logic [23:0] rate_inc;

  command #(
    .GameLengths (GameLengths)
  ) u_command (
    .clk_i,
    .rst_ni             (core_rst_n),
    .info_i             (info),
    .stats_i            (stats),
    .rate_valid_o       (rate_valid),
    .rate_inc_o         (rate_inc),
    .req_valid_i        (req_valid),
    .req_ready_o        (req_ready),
    .req_i              (req),
    .mem_en_o           (cmd_mem_en),
    .mem_addr_o         (cmd_mem_addr),
    .mem_rdata_i        (rd_data),
    .game_req_valid_o,
    .game_req_ready_i,
    .game_req_msg_o,
    .game_req_slot_o,
    .game_reply_valid_i,
    .game_reply_ready_o,
    .game_reply_msg_i,
    .game_reply_empty_i,
    .game_byte_valid_i,
    .game_byte_ready_o,
    .game_byte_data_i,
    .game_byte_last_i,
    .header_valid_o     (header_valid),
    .header_ready_i     (header_ready && !rate_busy),
    .header_o           (header),
    .header_empty_o     (header_empty),
    .payload_valid_o    (payload_valid),
    .payload_ready_i    (payload_ready),
    .payload_data_o     (payload_data),
    .payload_last_o     (payload_last)
  );

  frame_tx u_frame_tx (
    .clk_i,
    .rst_ni,
    .abort_i         (clear_q),
    .header_valid_i  (header_valid && !rate_busy),
    .header_ready_o  (header_ready),
    .header_i        (header),
    .header_empty_i  (header_empty),
    .payload_valid_i (payload_valid),
    .payload_ready_o (payload_ready),
    .payload_data_i  (payload_data),
    .payload_last_i  (payload_last),
    .sending_o       (tx_sending),
    .byte_valid_o    (tx_valid),
    .byte_ready_i    (tx_ready),
    .byte_data_o     (tx_data)
  );

  // Rate of the line. It outlives a reset request, and behind the UART there is
  // none.
  uart_rate #(
    .RateHold (RateHold)
  ) u_uart_rate (
    .clk_i,
    .rst_ni,
    .base_inc_i  (baud_inc_i),
    .set_valid_i (rate_valid && !bytes),
    .set_inc_i   (rate_inc),
    .abort_i     (clear_q),
    .sending_i   (tx_sending),
    .tx_ready_i  (uart_tx_ready),
    .busy_o      (rate_busy),
    .break_i     (uart_rx_break),
    .good_i      (good),
    .rx_inc_o    (rx_inc),
    .tx_inc_o    (tx_inc)
  );

`ifndef SYNTHESIS
  OneReader_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(cmd_mem_en && game_mem_en_i));
`endif

endmodule
