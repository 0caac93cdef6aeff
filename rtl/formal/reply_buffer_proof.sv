// reply_buffer: headers and bytes leave as they came, once and in order, each as what it was, and
// nothing else does; a header only where a reply begins. There is room for as many as it says, and
// what is inside is offered, two cycles after it came at the latest when nothing is before it.
// `empty_o` is high exactly when as many words have left as came.
//
// The tag is one word of any number, in any cycle: what holds for it holds for every word.
module reply_buffer_proof #(
  parameter int unsigned Depth = 4
) (
  input logic                 clk_i,
  input game_pkg::reply_t     reply_i,
  input game_pkg::reply_ack_t ack_i,
  input logic                 tag_i  // the word taken in this cycle is the one to be watched
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  game_pkg::reply_t     reply;
  game_pkg::reply_ack_t ack;
  logic                 empty;

  reply_buffer #(
    .Depth (Depth)
  ) u_dut (
    .clk_i,
    .rst_ni  (rst_n),
    .empty_o (empty),
    .reply_i,
    .ack_o   (ack),
    .reply_o (reply),
    .ack_i
  );

  typedef struct packed {
    logic       is_byte;
    logic       part;    // of a header
    logic       ends;    // an empty reply, or the last byte
    logic [7:0] data;
  } word_t;

  word_t came, left;
  logic  in, out;
  assign in   = (reply_i.valid && ack.ready) || (reply_i.byte_valid && ack.byte_ready);
  assign out  = (reply.valid && ack_i.ready) || (reply.byte_valid && ack_i.byte_ready);
  assign came = (reply_i.valid && ack.ready) ? {1'b0, reply_i.part, reply_i.empty, reply_i.msg}
                                               : {2'b10, reply_i.byte_last, reply_i.byte_data};
  assign left = reply.byte_valid ? {2'b10, reply.byte_last, reply.byte_data}
                                 : {1'b0, reply.part, reply.empty, reply.msg};

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
      held_q   <= (reply.valid && !ack_i.ready) || (reply.byte_valid && !ack_i.byte_ready);
      late_q   <= inside_q != '0 && !reply.valid && !reply.byte_valid;
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
      One_A:     assert (!(reply.valid && reply.byte_valid));
      Kind_A:    assert (!(reply.valid && out_bytes_q) && !(reply.byte_valid && !out_bytes_q));
      Turn_A:    assert (!(ack.ready && in_bytes_q) && !(ack.byte_ready && !in_bytes_q));
      Room_A:    assert ((ack.ready || ack.byte_ready) == (queued < 8'(Depth)));
      Empty_A:   assert (empty == (inside_q == '0));
      Inside_A:  assert (!(reply.valid || reply.byte_valid) || inside_q != '0);
      Offered_A: assert (!late_q || reply.valid || reply.byte_valid);
      Word_A:    assert (!(tagged_q && before_q == '0 && (reply.valid || reply.byte_valid)) ||
                         left == tag_q);
      Before_A:  assert (!tagged_q || before_q < inside_q);
      Held_A:    assert (!held_q || ((reply.valid || reply.byte_valid) && left == left_q));
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
    Full_C:  cover (rst_n && queued == 8'(Depth) && reply_i.byte_valid);
    Empty_C: cover (rst_n && tagged_q && before_q == 8'd2 && tag_q.ends && !tag_q.is_byte);
    Last_C:  cover (rst_n && reply.byte_valid && reply.byte_last && inside_q == 8'd3 && tagged_q);
  end

endmodule
