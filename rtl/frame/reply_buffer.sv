// Holds a game's replies until the link takes them: a reader that has made one goes on with the
// next request, or with its game, while the line is busy. Nothing of one side's logic is seen on
// the other.
//
// Drive it: both sides as the readers' and the dispatcher's, see command: a reply's header
// (`valid`/`ready`), and unless it is empty its bytes, the last one marked. They
// leave as they came, a header or a byte a cycle without a gap; each two cycles after it came, or
// later. `empty_o` is high while nothing is held.
module reply_buffer #(
  parameter int unsigned Depth = 128  // headers and bytes, a power of 2
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  output logic                 empty_o,
  // The reader's replies
  input  game_pkg::reply_t     reply_i,
  output game_pkg::reply_ack_t ack_o,
  // To the dispatcher
  output game_pkg::reply_t     reply_o,
  input  game_pkg::reply_ack_t ack_i
);

  localparam int unsigned PtrWidth = $clog2(Depth);

  // A header, or a byte
  typedef struct packed {
    logic       part;
    logic       ends;  // the reply: an empty one, or its last byte
    logic [7:0] data;
  } word_t;

  word_t               words_q [Depth];
  logic [PtrWidth-1:0] head_q, tail_q;
  logic [PtrWidth:0]   count_q, count_d;
  logic                inside_q, inside_d;  // bytes come, a header has
  logic                full, push, pull;
  word_t               word;

  // The word that is offered, and whether it is a byte
  logic  offered_q, offered_d, bytes_q, bytes_d, taken;
  word_t offer_q;

  assign full = count_q[PtrWidth];
  assign push = (inside_q ? reply_i.byte_valid : reply_i.valid) && !full;
  assign pull = count_q != '0 && (!offered_q || taken);

  assign empty_o = count_q == '0 && !offered_q;
  assign ack_o   = '{ready: !full && !inside_q, byte_ready: !full && inside_q};

  always_comb begin
    word = '{part: reply_i.part, ends: reply_i.empty, data: reply_i.msg};
    if (inside_q) word = '{part: 1'b0, ends: reply_i.byte_last, data: reply_i.byte_data};
  end

  assign taken = offered_q && (bytes_q ? ack_i.byte_ready : ack_i.ready);

  always_comb begin
    offered_d = pull || (offered_q && !taken);
    bytes_d   = bytes_q;
    if (taken) bytes_d = !offer_q.ends;
    inside_d  = inside_q;
    if (push) inside_d = !word.ends;
    count_d   = count_q + (PtrWidth + 1)'(push) - (PtrWidth + 1)'(pull);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q    <= '0;
      tail_q    <= '0;
      count_q   <= '0;
      inside_q  <= 1'b0;
      offered_q <= 1'b0;
      bytes_q   <= 1'b0;
    end else begin
      if (pull) head_q <= head_q + 1'b1;
      if (push) tail_q <= tail_q + 1'b1;
      count_q   <= count_d;
      inside_q  <= inside_d;
      offered_q <= offered_d;
      bytes_q   <= bytes_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) words_q[tail_q] <= word;
    if (pull) offer_q <= words_q[head_q];
  end

  assign reply_o = '{valid: offered_q && !bytes_q, msg: offer_q.data, empty: offer_q.ends,
                     part: offer_q.part, byte_valid: offered_q && bytes_q,
                     byte_data: offer_q.data, byte_last: offer_q.ends};

  if (2**PtrWidth != Depth) begin : gen_depth
    $error("a buffer of %0d is no power of two", Depth);
  end

`ifndef SYNTHESIS
  ReplyHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    reply_i.valid && !ack_o.ready && !inside_q |=>
    reply_i.valid && $stable({reply_i.msg, reply_i.empty, reply_i.part}));
  ByteHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    reply_i.byte_valid && !ack_o.byte_ready && inside_q |=>
    reply_i.byte_valid && $stable({reply_i.byte_data, reply_i.byte_last}));
  Full_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    full && (inside_q ? reply_i.byte_valid : reply_i.valid));
`endif

endmodule
