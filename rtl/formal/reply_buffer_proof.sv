// reply_buffer: headers and bytes leave as they came, once and in order, each as what it was, and
// nothing else does; a header only where a reply begins. There is room for as many as it says, and
// what is inside is offered, two cycles after it came at the latest when nothing is before it.
//
// The tag is one word of any number, in any cycle: what holds for it holds for every word.
module reply_buffer_proof #(
  parameter int unsigned Depth = 4
) (
  input logic       clk_i,
  input logic       reply_valid_i,
  input logic [7:0] reply_msg_i,
  input logic       reply_empty_i,
  input logic       reply_part_i,
  input logic       byte_valid_i,
  input logic [7:0] byte_data_i,
  input logic       byte_last_i,
  input logic       reply_ready_i,
  input logic       byte_ready_i,
  input logic       tag_i           // the word taken in this cycle is the one to be watched
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic       reply_ready, byte_ready, reply_valid, reply_empty, reply_part, byte_valid, byte_last;
  logic [7:0] reply_msg, byte_data;

  reply_buffer #(
    .Depth (Depth)
  ) u_dut (
    .clk_i,
    .rst_ni        (rst_n),
    .reply_valid_i,
    .reply_ready_o (reply_ready),
    .reply_msg_i,
    .reply_empty_i,
    .reply_part_i,
    .byte_valid_i,
    .byte_ready_o  (byte_ready),
    .byte_data_i,
    .byte_last_i,
    .reply_valid_o (reply_valid),
    .reply_ready_i,
    .reply_msg_o   (reply_msg),
    .reply_empty_o (reply_empty),
    .reply_part_o  (reply_part),
    .byte_valid_o  (byte_valid),
    .byte_ready_i,
    .byte_data_o   (byte_data),
    .byte_last_o   (byte_last)
  );

  typedef struct packed {
    logic       is_byte;
    logic       part;    // of a header
    logic       ends;    // an empty reply, or the last byte
    logic [7:0] data;
  } word_t;

  word_t came, left;
  logic  in, out;
  assign in   = (reply_valid_i && reply_ready) || (byte_valid_i && byte_ready);
  assign out  = (reply_valid && reply_ready_i) || (byte_valid && byte_ready_i);
  assign came = (reply_valid_i && reply_ready) ? {1'b0, reply_part_i, reply_empty_i, reply_msg_i}
                                               : {2'b10, byte_last_i, byte_data_i};
  assign left = byte_valid ? {2'b10, byte_last, byte_data}
                           : {1'b0, reply_part, reply_empty, reply_msg};

  logic [7:0] inside_q;               // words
  logic       in_bytes_q, out_bytes_q;
  logic       tagged_q;
  logic [7:0] before_q;               // words that leave before the tagged one
  word_t      tag_q;
  logic       held_q, late_q;
  word_t      left_q;

  always_ff @(posedge clk_i) begin
    left_q <= left;
    if (!rst_n) begin
      inside_q    <= '0;
      in_bytes_q  <= 1'b0;
      out_bytes_q <= 1'b0;
      tagged_q    <= 1'b0;
      held_q      <= 1'b0;
      late_q      <= 1'b0;
    end else begin
      inside_q <= inside_q + 8'(in) - 8'(out);
      held_q   <= (reply_valid && !reply_ready_i) || (byte_valid && !byte_ready_i);
      late_q   <= inside_q != '0 && !reply_valid && !byte_valid;
      if (in) in_bytes_q <= !came.ends;
      if (out) out_bytes_q <= !left.ends;
      if (in && tag_i && !tagged_q) begin
        tagged_q <= 1'b1;
        before_q <= inside_q - 8'(out);
        tag_q    <= came;
      end else if (tagged_q && out) begin
        tagged_q <= before_q != '0;
        before_q <= before_q - 8'd1;
      end
    end
  end

  localparam int unsigned PtrWidth = $clog2(Depth);
  logic [7:0] queued;  // of those inside, the ones that are not offered
  assign queued = inside_q - 8'(u_dut.offered_q);

  always_comb begin
    if (rst_n) begin
      One_A:     assert (!(reply_valid && byte_valid));
      Kind_A:    assert (!(reply_valid && out_bytes_q) && !(byte_valid && !out_bytes_q));
      Turn_A:    assert (!(reply_ready && in_bytes_q) && !(byte_ready && !in_bytes_q));
      Room_A:    assert ((reply_ready || byte_ready) == (queued < 8'(Depth)));
      Inside_A:  assert (!(reply_valid || byte_valid) || inside_q != '0);
      Offered_A: assert (!late_q || reply_valid || byte_valid);
      Word_A:    assert (!(tagged_q && before_q == '0 && (reply_valid || byte_valid)) ||
                         left == tag_q);
      Before_A:  assert (!tagged_q || before_q < inside_q);
      Held_A:    assert (!held_q || ((reply_valid || byte_valid) && left == left_q));
      // How it keeps all this
      Count_A:   assert (8'(u_dut.count_q) == queued && queued <= 8'(Depth) &&
                         u_dut.tail_q == u_dut.head_q + PtrWidth'(u_dut.count_q));
      Sides_A:   assert (u_dut.inside_q == in_bytes_q && u_dut.bytes_q == out_bytes_q);
      Front_A:   assert (!(tagged_q && before_q == '0 && u_dut.offered_q) ||
                         {u_dut.bytes_q, u_dut.offer_q} == tag_q);
      Tag_A:     assert (!tagged_q || (before_q == '0 && u_dut.offered_q) ||
                         u_dut.words_q[u_dut.head_q + PtrWidth'(before_q) -
                                       PtrWidth'(u_dut.offered_q)] == tag_q[9:0]);
    end
    Full_C:  cover (rst_n && queued == 8'(Depth) && byte_valid_i);
    Empty_C: cover (rst_n && tagged_q && before_q == 8'd2 && tag_q.ends && !tag_q.is_byte);
    Last_C:  cover (rst_n && byte_valid && byte_last && inside_q == 8'd3 && tagged_q);
  end

endmodule
