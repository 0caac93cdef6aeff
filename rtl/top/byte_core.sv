// A core behind its UART, but for the game: bytes in and out, frames, request
// memory and dispatcher.
//
// Drive it: a received byte in any cycle with `rx_valid_i`, no back-pressure;
// bytes to send leave with `tx_valid_o`/`tx_ready_i`. `build_id_i`, steady, is
// what info reports. docs/wire.md has the format.
//
// `rate_valid_o`, `rate_inc_o`, `rate_abort_o`, `sending_o` and `good_o` are for
// the line's rate (uart_rate), which reports with `rate_busy_i` that no other frame
// may be begun. `busy_o` is high from a good frame on until all that came is answered or
// waits for the host's credit; a reply counts as given when frame_tx has it. `bad_o` is high
// for a cycle with each frame that counts as bad.
//
// The game's reader is on `game_req_o` and `game_rsp_i`, and is reset by `game_rst_no`; docs/kit.md
// has the contract.
//
// Latency from the delimiter going in to the first byte of the answer being
// offered, with nothing else under way: 17 cycles plus one per payload byte of
// the answer; on top of it ping 10, set_rate 8, and 2 more than what the game's reader takes.
module byte_core #(
  parameter logic [31:0]              ClkHz        = 32'd100_000_000,  // reported only
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
  input  logic [31:0]          build_id_i,
  // Presses of the board's buttons
  input  link_proto_pkg::buttons_reply_t buttons_i,
  // Bytes of the line
  input  logic                 rx_valid_i,
  input  logic [7:0]           rx_data_i,
  input  logic                 rx_err_i,
  output logic                 tx_valid_o,
  input  logic                 tx_ready_i,
  output logic [7:0]           tx_data_o,
  // The line's rate
  output logic                 rate_valid_o,
  output logic [23:0]          rate_inc_o,
  output logic                 rate_abort_o,
  output logic                 sending_o,
  output logic                 good_o,
  output logic                 busy_o,
  input  logic                 rate_busy_i,
  // For a board's LEDs: a frame was damaged or refused for want of room
  output logic                 bad_o,
  // The game's reader
  output logic                 game_rst_no,
  output game_pkg::game_req_t  game_req_o,
  input  game_pkg::game_rsp_t  game_rsp_i
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
    multipliers:      Multipliers,
    window:           8'(Window),
    clock_hz:         ClkHz,
    capabilities:     Capabilities
  };

  // Everything that a reset request throws away hangs on this reset. It comes
  // from a register, because it reaches the whole AI core; so rst_ni has to be
  // low for two cycles at least.
  logic clear, clear_q, core_rst_n;
  always_ff @(posedge clk_i) begin
    clear_q    <= rst_ni && clear;
    core_rst_n <= rst_ni && !clear;
  end

  assign game_rst_no  = core_rst_n;
  assign rate_abort_o = clear_q;

  // Receiver
  logic       good, bad_crc, malformed, overrun, stored, slot_free;
  header_t    rx_header;
  logic [7:0] rx_length;
  slot_t      rx_slot, next_slot;
  logic       wr_en;
  mem_addr_t  wr_addr;
  logic [7:0] wr_data;
  logic       req_valid, req_ready, credit, cancelling, waiting;
  request_t   req;

  assign good_o = good;
  assign bad_o  = bad_crc || malformed || overrun;

  frame_rx u_frame_rx (
    .clk_i,
    .rst_ni,
    .byte_valid_i (rx_valid_i),
    .byte_data_i  (rx_data_i),
    .byte_err_i   (rx_err_i),
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

  request_queue #(
    .Window (Window)
  ) u_request_queue (
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
    .overrun_o      (overrun),
    .credit_o       (credit),
    .cancelling_o   (cancelling),
    .waiting_o      (waiting)
  );

  assign game_req_o.cancel = cancelling;

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

  // Request memory: written by the receiver, read by the module that serves the request
  logic       cmd_mem_en;
  mem_addr_t  cmd_mem_addr, rd_addr;
  logic [7:0] rd_data;

  assign rd_addr               = cmd_mem_en ? cmd_mem_addr : game_rsp_i.load.mem_addr;
  assign game_req_o.load.rdata = rd_data;

  // The slots that there are take the lower addresses.
  localparam int unsigned AddrWidth = $clog2(Window) + frame_pkg::OffsetWidth;

  logic unused_slots;
  assign unused_slots = ^{wr_addr.slot, rd_addr.slot};

  request_mem #(
    .AddrWidth (AddrWidth)
  ) u_request_mem (
    .clk_i,
    .wr_en_i   (wr_en),
    .wr_addr_i (AddrWidth'(wr_addr)),
    .wr_data_i (wr_data),
    .rd_en_i   (cmd_mem_en || game_rsp_i.load.mem_en),
    .rd_addr_i (AddrWidth'(rd_addr)),
    .rd_data_o (rd_data)
  );

  // The reader's replies wait here for the line. A part that finds it empty and has credit does
  // not wait: nothing is before it that takes the credit.
  logic                 part_allowed, replies_empty;
  game_pkg::reply_t     reply;
  game_pkg::reply_ack_t reply_ack;
  assign game_req_o.room = part_allowed && replies_empty;

  reply_buffer u_reply_buffer (
    .clk_i,
    .rst_ni  (core_rst_n),
    .empty_o (replies_empty),
    .reply_i (game_rsp_i.reply),
    .ack_o   (game_req_o.reply),
    .reply_o (reply),
    .ack_i   (reply_ack)
  );

  // Requests to replies
  logic       game_owes, stopped;
  assign busy_o = (waiting || game_owes) && !stopped;

  logic       header_valid, header_ready, header_empty;
  header_t    header;
  logic       payload_valid, payload_ready, payload_last;
  logic [7:0] payload_data;

  command #(
    .GameLengths (GameLengths)
  ) u_command (
    .clk_i,
    .rst_ni             (core_rst_n),
    .info_i             (info),
    .stats_i            (stats),
    .buttons_i,
    .credit_i           (credit),
    .cancelling_i       (cancelling),
    .part_allowed_o     (part_allowed),
    .game_owes_o        (game_owes),
    .stopped_o          (stopped),
    .rate_valid_o,
    .rate_inc_o,
    .req_valid_i        (req_valid),
    .req_ready_o        (req_ready),
    .req_i              (req),
    .mem_en_o           (cmd_mem_en),
    .mem_addr_o         (cmd_mem_addr),
    .mem_rdata_i        (rd_data),
    .game_req_valid_o   (game_req_o.load.valid),
    .game_req_ready_i   (game_rsp_i.load.ready),
    .game_req_msg_o     (game_req_o.load.msg),
    .game_req_slot_o    (game_req_o.load.slot),
    .game_loaded_i      (game_rsp_i.load.loaded),
    .game_reply_i       (reply),
    .game_ack_o         (reply_ack),
    .header_valid_o     (header_valid),
    .header_ready_i     (header_ready && !rate_busy_i),
    .header_o           (header),
    .header_empty_o     (header_empty),
    .payload_valid_o    (payload_valid),
    .payload_ready_i    (payload_ready),
    .payload_data_o     (payload_data),
    .payload_last_o     (payload_last)
  );

  // A register breaks the path from what makes a payload to the frame.
  logic       sent_valid, sent_ready, sent_last;
  logic [7:0] sent_data;

  stream_buffer #(
    .Width (9)
  ) u_payload_buffer (
    .clk_i,
    .rst_ni  (core_rst_n),
    .valid_i (payload_valid),
    .ready_o (payload_ready),
    .data_i  ({payload_last, payload_data}),
    .valid_o (sent_valid),
    .ready_i (sent_ready),
    .data_o  ({sent_last, sent_data})
  );

  frame_tx u_frame_tx (
    .clk_i,
    .rst_ni,
    .abort_i         (clear_q),
    .header_valid_i  (header_valid && !rate_busy_i),
    .header_ready_o  (header_ready),
    .header_i        (header),
    .header_empty_i  (header_empty),
    .payload_valid_i (sent_valid),
    .payload_ready_o (sent_ready),
    .payload_data_i  (sent_data),
    .payload_last_i  (sent_last),
    .sending_o,
    .byte_valid_o    (tx_valid_o),
    .byte_ready_i    (tx_ready_i),
    .byte_data_o     (tx_data_o)
  );

`ifndef SYNTHESIS
  OneReader_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(cmd_mem_en && game_rsp_i.load.mem_en));
`endif

endmodule
