// Holds a game's replies until the link takes them: a reader that has made one goes on with the
// next request, or with its game, while the line is busy. Nothing of one side's logic is seen on
// the other.
//
// Drive it: both sides as the readers' and the dispatcher's, see command: a reply's header
// (`reply_valid_*`/`reply_ready_*`), and unless it is empty its bytes, the last one marked. They
// leave as they came, a header or a byte a cycle without a gap; each two cycles after it came, or
// later. `empty_o` is high while nothing is held.
module reply_buffer #(
  parameter int unsigned Depth = 128  // headers and bytes, a power of 2
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  output logic       empty_o,
  // The reader's replies
  input  logic       reply_valid_i,
  output logic       reply_ready_o,
  input  logic [7:0] reply_msg_i,
  input  logic       reply_empty_i,
  input  logic       reply_part_i,
  input  logic       byte_valid_i,
  output logic       byte_ready_o,
  input  logic [7:0] byte_data_i,
  input  logic       byte_last_i,
  // To the dispatcher
  output logic       reply_valid_o,
  input  logic       reply_ready_i,
  output logic [7:0] reply_msg_o,
  output logic       reply_empty_o,
  output logic       reply_part_o,
  output logic       byte_valid_o,
  input  logic       byte_ready_i,
  output logic [7:0] byte_data_o,
  output logic       byte_last_o
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
  assign push = (inside_q ? byte_valid_i : reply_valid_i) && !full;
  assign pull = count_q != '0 && (!offered_q || taken);

  assign empty_o       = count_q == '0 && !offered_q;
  assign reply_ready_o = !full && !inside_q;
  assign byte_ready_o  = !full && inside_q;

  always_comb begin
    word = '{part: reply_part_i, ends: reply_empty_i, data: reply_msg_i};
    if (inside_q) word = '{part: 1'b0, ends: byte_last_i, data: byte_data_i};
  end

  assign taken = offered_q && (bytes_q ? byte_ready_i : reply_ready_i);

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

  assign reply_valid_o = offered_q && !bytes_q;
  assign reply_msg_o   = offer_q.data;
  assign reply_empty_o = offer_q.ends;
  assign reply_part_o  = offer_q.part;
  assign byte_valid_o  = offered_q && bytes_q;
  assign byte_data_o   = offer_q.data;
  assign byte_last_o   = offer_q.ends;

  if (2**PtrWidth != Depth) begin : gen_depth
    $error("a buffer of %0d is no power of two", Depth);
  end

`ifndef SYNTHESIS
  ReplyHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    reply_valid_i && !reply_ready_o && !inside_q |=>
    reply_valid_i && $stable({reply_msg_i, reply_empty_i, reply_part_i}));
  ByteHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    byte_valid_i && !byte_ready_o && inside_q |=>
    byte_valid_i && $stable({byte_data_i, byte_last_i}));
  Full_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    full && (inside_q ? byte_valid_i : reply_valid_i));
`endif

endmodule
