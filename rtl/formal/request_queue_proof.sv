// request_queue: every good frame is kept until it is answered, in order and once; busy exactly
// when it has no slot; dropped only when the queue is full, and then counted; a reset drops all
// before it and is kept itself, always. A credit is reported when it is kept; a cancel counts from
// when it is kept until it is popped. Slots held are never more than the window, and no two
// requests hold the same one.
//
// The tag is one frame of any number: what holds for it holds for every one. The receiver is
// assumed to keep its contract: a frame is stored only in the slot offered, when one is.
module request_queue_proof
  import frame_pkg::header_t, frame_pkg::request_t, frame_pkg::slot_t;
#(
  parameter int unsigned Depth = 4  // of the RTL's 16 only to keep the proof short
) (
  input logic       clk_i,
  input logic       frame_valid_i,
  input header_t    frame_header_i,
  input logic [7:0] frame_length_i,
  input slot_t      frame_slot_i,
  input logic       frame_stored_i,
  input logic       req_ready_i,
  input logic       tag_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  localparam int unsigned Window = link_proto_pkg::Window;

  logic     slot_free, req_valid, clear, overrun, credit, cancelling, waiting;
  slot_t    slot;
  request_t req;

  request_queue #(
    .Depth (Depth)
  ) u_dut (
    .clk_i,
    .rst_ni         (rst_n),
    .frame_valid_i,
    .frame_header_i,
    .frame_length_i,
    .frame_slot_i,
    .frame_stored_i,
    .slot_free_o    (slot_free),
    .slot_o         (slot),
    .req_valid_o    (req_valid),
    .req_ready_i,
    .req_o          (req),
    .clear_o        (clear),
    .overrun_o      (overrun),
    .credit_o       (credit),
    .cancelling_o   (cancelling),
    .waiting_o      (waiting)
  );

  logic is_reset, kept, out;
  // wire.md: a reset is one without payload; it is never refused.
  assign is_reset = frame_valid_i && frame_header_i.msg == 8'h03 && frame_length_i == 8'd0;

  logic [7:0] inside_q;   // requests kept and not yet answered
  logic [7:0] slots_q;    // of them, those that hold a slot
  logic       tagged_q;
  logic [7:0] before_q;   // requests that are answered before the tagged one
  request_t   tag_q;
  logic       held_q;     // a request was offered, not taken, and nothing was dropped
  request_t   req_q;
  logic [1:0] waiting_q;  // cycles without an offer though there is a request

  assign kept = frame_valid_i && (is_reset || inside_q < 8'(Depth));
  assign out  = req_valid && req_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      inside_q  <= '0;
      slots_q   <= '0;
      tagged_q  <= 1'b0;
      before_q  <= '0;
      held_q    <= 1'b0;
      waiting_q <= '0;
    end else begin
      inside_q <= is_reset ? 8'd1 : inside_q + 8'(kept) - 8'(out);
      slots_q  <= is_reset ? 8'd1
                           : slots_q + 8'(kept && frame_stored_i) - 8'(out && !req.busy);
      if (is_reset) begin
        tagged_q <= tag_i;
        before_q <= '0;
      end else if (kept && tag_i && !tagged_q) begin
        tagged_q <= 1'b1;
        before_q <= inside_q - 8'(out);
      end else if (tagged_q && out) begin
        tagged_q <= before_q != '0;
        before_q <= before_q - 8'd1;
      end
      if (kept && tag_i && (is_reset || !tagged_q)) begin
        tag_q <= '{header: frame_header_i, length: frame_length_i, slot: frame_slot_i,
                   busy: !frame_stored_i && !is_reset};
      end
      held_q    <= req_valid && !req_ready_i && !is_reset;
      waiting_q <= (req_valid || inside_q == '0 || is_reset) ? '0 : waiting_q + 2'd1;
    end
    req_q <= req;
  end

  logic tag_resets;
  assign tag_resets = tag_q.header.msg == 8'h03 && tag_q.length == 8'd0;

  // ----------------------------------------------- what the queue holds, from the oldest one on
  localparam int unsigned PtrWidth = $clog2(Depth);

  request_t [Depth-1:0] entries;
  logic     [Depth-1:0] there, resets, stored;  // there, a reset, has a payload in a slot
  logic     [7:0]       holders, cancels;
  slot_t                next;                   // slot of the youngest, plus one
  logic                 slots_ok;
  always_comb begin
    holders  = '0;
    cancels  = '0;
    next     = slot;
    slots_ok = 1'b1;
    for (int i = int'(Depth) - 1; i >= 0; i--) begin
      entries[i] = u_dut.queue_q[u_dut.head_q + PtrWidth'(i)];
      there[i]   = i < int'(inside_q);
      resets[i]  = there[i] && entries[i].header.msg == 8'h03 && entries[i].length == 8'd0;
      stored[i]  = there[i] && !entries[i].busy && !resets[i];
      holders    = holders + 8'(there[i] && !entries[i].busy);
      cancels    = cancels + 8'(there[i] && !entries[i].busy && entries[i].length == 8'd0 &&
                                entries[i].header.msg == 8'h06);
      // Slots go round: each is the one before the slot of the next younger.
      if (stored[i]) begin
        next = (next == '0) ? slot_t'(Window - 1) : next - 1'b1;
        if (entries[i].slot != next) slots_ok = 1'b0;
      end
    end
  end

  always_comb begin
    // The receiver: a stored frame has the slot that was offered.
    Stored_M: assume (!(frame_valid_i && frame_stored_i) || (slot_free && frame_slot_i == slot));
    if (rst_n) begin
      Clear_A:   assert (clear == is_reset);
      Overrun_A: assert (overrun == (frame_valid_i && !is_reset &&
                                     (inside_q >= 8'(Depth) || !frame_stored_i)));
      Credit_A:  assert (credit == (frame_valid_i && frame_stored_i && inside_q < 8'(Depth) &&
                                    frame_header_i.msg == 8'h07 && frame_length_i == 8'd0));
      Cancel_A:  assert (cancelling == (cancels != '0));
      Waiting_A: assert (waiting == (inside_q != '0));
      None_A:    assert (!req_valid || inside_q != '0);
      Offered_A: assert (waiting_q < 2'd2);
      Tagged_A:  assert (!(tagged_q && before_q == '0 && req_valid) || req == tag_q);
      Before_A:  assert (!tagged_q || before_q < inside_q);
      Held_A:    assert (!held_q || (req_valid && req == req_q));
      Free_A:    assert (slot_free == (slots_q < 8'(Window)));
      Window_A:  assert (slots_q <= 8'(Window) && slots_q <= inside_q);
      // How the queue keeps all this
      Count_A:   assert (8'(u_dut.count_q) == inside_q && inside_q <= 8'(Depth) &&
                         u_dut.tail_q == u_dut.head_q + PtrWidth'(u_dut.count_q));
      Cancels_A: assert (8'(u_dut.cancels_q) == cancels);
      Used_A:    assert (8'(u_dut.used_q) == slots_q && holders == slots_q);
      Slots_A:   assert (slots_ok && u_dut.slot_q < Window);
      Resets_A:  assert (resets[Depth-1:1] == '0 && !(resets[0] && entries[0].busy));
      Front_A:   assert (!req_valid || req == entries[0]);
      Cancel1_A: assert (!req_valid || u_dut.req_cancels_q == (entries[0].length == 8'd0 &&
                         entries[0].header.msg == 8'h06));
      Entry_A:   assert (!tagged_q || entries[PtrWidth'(before_q)] == tag_q);
      Waited_A:  assert (waiting_q == '0 || req_valid);
      // The slot offered is nobody's.
      Apart_A:   assert (!(tagged_q && !tag_q.busy && !tag_resets && slot_free) ||
                         slot != tag_q.slot);
    end
    Full_C:  cover (rst_n && inside_q == 8'(Depth) && frame_valid_i && !is_reset);
    Busy_C:  cover (rst_n && out && req.busy && tagged_q && before_q == '0);
    Reset_C: cover (rst_n && is_reset && inside_q == 8'd3 && tagged_q);
  end

endmodule
