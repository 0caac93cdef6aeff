// Sends a game's replies: header, payload bytes, refusals; numbers the parts of a stream.
// docs/kit.md has the contract.
//
// Drive it: with `valid_i` high a reply to the message `request_i` is to be sent: a part of its
// stream with `part_i`, a refusal for `code_i` with `error_i`, otherwise the reply that ends it.
// It has `length_i` payload bytes (a refusal's are known here). All of this stays until `sent_o`,
// which is high in the cycle that ends it: its last byte is taken, or the header of an empty one.
//
// The payload is read byte by byte: `byte_i` must be byte `index_o` in the same cycle; `fetch_o`
// takes it. So it comes from a struct (`payload[8*index_o +: 8]`) or a queue. A part must not be
// empty.
//
// `parts_o` is the number of the stream's next part; once it has ended, 0. The header is offered
// in the cycle of `valid_i`, a byte in each cycle after it.
module reply_sender
  import frame_pkg::offset_t;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // Reply to be sent
  input  logic                 valid_i,
  output logic                 sent_o,
  input  logic [7:0]           request_i,
  input  logic                 part_i,
  input  logic                 error_i,
  input  logic [7:0]           code_i,
  input  offset_t              length_i,
  output logic                 fetch_o,
  output offset_t              index_o,
  input  logic [7:0]           byte_i,
  output logic [15:0]          parts_o,
  // To the link
  output game_pkg::reply_t     reply_o,
  input  game_pkg::reply_ack_t ack_i
);

  logic        bytes_q, bytes_d;  // the header has left
  offset_t     index_q, index_d;  // of the byte after the one offered
  logic [7:0]  data_q, data_d;    // the one offered
  logic        last_q, last_d;    // it is the last one
  logic [15:0] parts_q, parts_d;

  offset_t length;
  assign length = error_i ? offset_t'(link_proto_pkg::ErrorBytes) : length_i;

  link_proto_pkg::error_t refusal;
  assign refusal = frame_pkg::error_payload(code_i, request_i);

  logic [7:0] number;
  logic       empty;
  assign empty = length == '0;
  always_comb begin
    number = request_i | link_proto_pkg::ReplyBit;
    if (part_i) number = number | link_proto_pkg::PartBit;
    if (error_i) number = link_proto_pkg::MsgError;
  end

  assign reply_o = '{valid: valid_i && !bytes_q, msg: number, empty: empty, part: part_i,
                     byte_valid: bytes_q, byte_data: data_q, byte_last: last_q};
  assign index_o = index_q;
  assign parts_o = parts_q;

  logic header_taken, byte_taken, fetch;
  assign header_taken = valid_i && !bytes_q && ack_i.ready;
  assign byte_taken   = bytes_q && ack_i.byte_ready;
  assign sent_o       = (header_taken && empty) || (byte_taken && last_q);
  assign fetch        = (header_taken && !empty) || (byte_taken && !last_q);
  assign fetch_o      = fetch && !error_i;

  always_comb begin
    bytes_d = bytes_q;
    index_d = index_q;
    data_d  = data_q;
    last_d  = last_q;
    parts_d = parts_q;

    if (fetch) begin
      bytes_d = 1'b1;
      index_d = index_q + 1'b1;
      last_d  = index_d == length;
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
    last_q <= last_d;
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
    reply_o.valid && !ack_i.ready |=>
    reply_o.valid && $stable({reply_o.msg, reply_o.empty, reply_o.part}));
  ByteHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    reply_o.byte_valid && !ack_i.byte_ready |=>
    reply_o.byte_valid && $stable({reply_o.byte_data, reply_o.byte_last}));
`endif

endmodule
