// reply_sender: of each reply the header, with its number, then its bytes in order, each fetched
// once, as many as it has, the last one marked; of a refusal code and request; parts numbered from
// 0 on in each stream; what is offered is held; ended in the cycle in which all of it is taken.
//
// The tag is one byte of any number: what holds for it holds for each.
module reply_sender_proof
  import frame_pkg::offset_t;
(
  input logic       clk_i,
  input logic       reset_i,
  input logic       valid_i,
  input logic [7:0] request_i,
  input logic       part_i,
  input logic       error_i,
  input logic [7:0] code_i,
  input offset_t    length_i,
  input logic [7:0] byte_i,
  input game_pkg::reply_ack_t ack_i,
  input offset_t    tag_i
);

  logic live_q = 1'b0;
  logic rst_n;
  always_ff @(posedge clk_i) live_q <= 1'b1;
  assign rst_n = live_q && !reset_i;

  logic        sent, fetch, reply_valid, reply_empty, reply_part, byte_valid, byte_last;
  logic [7:0]  reply_msg, byte_data;
  logic [15:0] parts;
  offset_t     index;

  game_pkg::reply_t reply;
  assign {reply_valid, reply_msg, reply_empty, reply_part, byte_valid, byte_data, byte_last} =
         reply;

  reply_sender u_dut (
    .clk_i,
    .rst_ni    (rst_n),
    .valid_i,
    .sent_o    (sent),
    .request_i,
    .part_i,
    .error_i,
    .code_i,
    .length_i,
    .fetch_o   (fetch),
    .index_o   (index),
    .byte_i,
    .parts_o   (parts),
    .reply_o   (reply),
    .ack_i
  );

  logic        bytes_q;            // the header was taken
  offset_t     taken_q, tag_q;     // bytes taken
  offset_t     fetched_q;          // and fetched
  logic [7:0]  byte_q;             // the tagged one
  logic [15:0] parts_q;
  logic        held_q;             // a reply that was to be sent and is not yet
  logic [7:0]  request_q, code_q;
  logic        part_q, error_q;
  offset_t     length_q;
  logic        header_taken, byte_taken;
  assign header_taken = reply_valid && ack_i.ready;
  assign byte_taken   = byte_valid && ack_i.byte_ready;

  offset_t length;
  assign length = error_i ? 7'd2 : length_i;

  always_ff @(posedge clk_i) begin
    {request_q, code_q, part_q, error_q, length_q} <=
        {request_i, code_i, part_i, error_i, length_i};
    held_q <= rst_n && valid_i && !sent;
    if (!rst_n || sent) begin
      bytes_q   <= 1'b0;
      taken_q   <= '0;
      fetched_q <= '0;
      if (!rst_n || !part_i) parts_q <= '0;
      else parts_q <= parts_q + 16'd1;
    end else begin
      if (header_taken) bytes_q <= 1'b1;
      if (byte_taken) taken_q <= taken_q + 1'b1;
      if (fetch) fetched_q <= fetched_q + 1'b1;
    end
    if (!bytes_q) tag_q <= tag_i;
    if (fetch && fetched_q == (bytes_q ? tag_q : tag_i)) byte_q <= byte_i;
  end

  logic ends;
  assign ends = (header_taken && length == '0) || (byte_taken && taken_q + 1'b1 == length);

  always_comb begin
    Held_M: assume (!held_q || (valid_i && {request_i, code_i, part_i, error_i, length_i} ==
                                {request_q, code_q, part_q, error_q, length_q}));
    Part_M: assume (!(valid_i && part_i) || (!error_i && length_i != '0));
    if (rst_n) begin
      Header_A: assert (reply_valid == (valid_i && !bytes_q));
      Number_A: assert (!reply_valid || reply_msg == (error_i ? 8'hff :
                        request_i | 8'h80 | (part_i ? 8'h20 : 8'h00)));
      Kind_A:   assert (!reply_valid || (reply_empty == (length == '0) && reply_part == part_i));
      Bytes_A:  assert (byte_valid == bytes_q);
      Last_A:   assert (!byte_valid || byte_last == (taken_q + 1'b1 == length));
      Fetch_A:  assert (fetch == ((header_taken || byte_taken) && !ends && !error_i) &&
                        (!fetch || index == fetched_q));
      Tagged_A: assert (!(byte_valid && !error_i && taken_q == tag_q) || byte_data == byte_q);
      Refuse_A: assert (!(byte_valid && error_i) ||
                        byte_data == (taken_q == '0 ? code_i : request_i));
      Sent_A:   assert (sent == ends);
      Parts_A:  assert (parts == parts_q);
      // How it keeps all this
      Count_A:  assert (u_dut.bytes_q == bytes_q && (!bytes_q || held_q) &&
                        u_dut.index_q == (bytes_q ? taken_q + 7'd1 : 7'd0) &&
                        (bytes_q ? taken_q < length : taken_q == '0) &&
                        fetched_q == (error_i && bytes_q ? 7'd0 : u_dut.index_q));
    end
    Part_C:   cover (rst_n && sent && part_i && parts == 16'd1);
    Refuse_C: cover (rst_n && sent && error_i);
    Empty_C:  cover (rst_n && sent && reply_valid && parts == 16'd1);
  end

endmodule
