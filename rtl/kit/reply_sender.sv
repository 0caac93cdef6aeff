// Sends a game's replies: header, payload bytes, refusals; numbers the parts of a stream.
// docs/kit.md has the contract.
//
// Drive it: with `valid_i` high a reply to the message `request_i` is to be sent: a part of its
// stream with `part_i`, a refusal for `code_i` with `error_i`, otherwise the reply that ends it.
// It has `length_i` payload bytes (a refusal's are known here). All of this stays until `sent_o`,
// which is high in the cycle that ends it: its last byte is taken, or the header of an empty one.
//
// The payload is asked for byte by byte: `byte_i` is byte `index_o` in the same cycle; with
// `fetch_o` it is taken. So it comes from a struct (`payload[8*index_o +: 8]`) or a queue. A part
// must not be empty.
//
// `parts_o` is the number of the stream's next part; once it has ended, 0. The header is offered
// in the cycle of `valid_i`, a byte in each cycle after it.
module reply_sender
  import frame_pkg::offset_t;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // Reply to be sent
  input  logic        valid_i,
  output logic        sent_o,
  input  logic [7:0]  request_i,
  input  logic        part_i,
  input  logic        error_i,
  input  logic [7:0]  code_i,
  input  offset_t     length_i,
  output logic        fetch_o,
  output offset_t     index_o,
  input  logic [7:0]  byte_i,
  output logic [15:0] parts_o,
  // To the link
  output logic        reply_valid_o,
  input  logic        reply_ready_i,
  output logic [7:0]  reply_msg_o,
  output logic        reply_empty_o,
  output logic        reply_part_o,
  output logic        byte_valid_o,
  input  logic        byte_ready_i,
  output logic [7:0]  byte_data_o,
  output logic        byte_last_o
);

  logic        bytes_q, bytes_d;  // the header has left
  offset_t     index_q, index_d;  // of the byte behind the one offered
  logic [7:0]  data_q, data_d;    // the one offered
  logic [15:0] parts_q, parts_d;

  offset_t length;
  assign length = error_i ? offset_t'(link_proto_pkg::ErrorBytes) : length_i;

  link_proto_pkg::error_t refusal;
  assign refusal = frame_pkg::error_payload(code_i, request_i);

  assign reply_valid_o = valid_i && !bytes_q;
  assign reply_empty_o = length == '0;
  assign reply_part_o  = part_i;
  assign byte_valid_o  = bytes_q;
  assign byte_data_o   = data_q;
  assign byte_last_o   = index_q == length;
  assign index_o       = index_q;
  assign parts_o       = parts_q;

  always_comb begin
    reply_msg_o = request_i | link_proto_pkg::ReplyBit;
    if (part_i) reply_msg_o = reply_msg_o | link_proto_pkg::PartBit;
    if (error_i) reply_msg_o = link_proto_pkg::MsgError;
  end

  logic header_taken, byte_taken, fetch;
  assign header_taken = reply_valid_o && reply_ready_i;
  assign byte_taken   = byte_valid_o && byte_ready_i;
  assign sent_o       = (header_taken && reply_empty_o) || (byte_taken && byte_last_o);
  assign fetch        = (header_taken || byte_taken) && !sent_o;
  assign fetch_o      = fetch && !error_i;

  always_comb begin
    bytes_d = bytes_q;
    index_d = index_q;
    data_d  = data_q;
    parts_d = parts_q;

    if (fetch) begin
      bytes_d = 1'b1;
      index_d = index_q + 1'b1;
      data_d  = byte_i;
      if (error_i) data_d = (index_q == '0) ? refusal[7:0] : refusal[15:8];
    end
    if (sent_o) begin
      bytes_d = 1'b0;
      index_d = '0;
      parts_d = part_i ? parts_q + 16'd1 : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    data_q <= data_d;
    if (!rst_ni) begin
      bytes_q <= 1'b0;
      index_q <= '0;
      parts_q <= '0;
    end else begin
      bytes_q <= bytes_d;
      index_q <= index_d;
      parts_q <= parts_d;
    end
  end

`ifndef SYNTHESIS
  ToSendHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    valid_i && !sent_o |=> valid_i && $stable(request_i) && $stable(part_i) &&
    $stable(error_i) && $stable(code_i) && $stable(length_i));
  PartsHavePayloads_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    valid_i && part_i |-> !error_i && length_i != '0);
  ReplyHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    reply_valid_o && !reply_ready_i |=>
    reply_valid_o && $stable(reply_msg_o) && $stable(reply_empty_o) && $stable(reply_part_o));
  ByteHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    byte_valid_o && !byte_ready_i |=>
    byte_valid_o && $stable(byte_data_o) && $stable(byte_last_o));
`endif

endmodule
