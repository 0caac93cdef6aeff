// Queue of good frames that wait for their answer, and owner of the slots.
//
// Drive it: a frame is pushed in the cycle with `frame_valid_i`; it cannot be
// refused, only counted as an overrun (`overrun_o`, same cycle). A frame
// without a slot is kept as busy while the queue has room and dropped when it
// has none. The oldest request is offered with `req_valid_o` two cycles after
// its push and stays until `req_ready_i`: raise that when its reply has been
// handed over, it ends the request and frees its slot; the next one is offered
// two cycles later. Requests leave in the order they came, hence slots are given
// and freed round robin.
//
// A reset request empties the queue and becomes its only entry: `clear_o` is
// high in the cycle of the push and nothing is offered in the next one, so
// that what serves requests can be reset in between.
//
// A cancel and a credit are kept like other requests; besides, `credit_o` is high in the
// cycle of a credit's push, and `cancelling_o` from the cycle after a cancel's push
// until it is popped: requests served meanwhile came before it. `waiting_o` is
// high while there is a request.
module request_queue
  import frame_pkg::header_t, frame_pkg::request_t, frame_pkg::slot_t;
#(
  parameter int unsigned Window = link_proto_pkg::Window,  // slots, at most Depth
  parameter int unsigned Depth  = frame_pkg::MaxWindow     // requests remembered, a power of two
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // Good frames
  input  logic       frame_valid_i,
  input  header_t    frame_header_i,
  input  logic [7:0] frame_length_i,
  input  slot_t      frame_slot_i,
  input  logic       frame_stored_i,
  // Slot of the next frame
  output logic       slot_free_o,
  output slot_t      slot_o,
  // Oldest request
  output logic       req_valid_o,
  input  logic       req_ready_i,
  output request_t   req_o,
  // Events
  output logic       clear_o,
  output logic       overrun_o,
  output logic       credit_o,
  output logic       cancelling_o,
  output logic       waiting_o
);

  localparam int unsigned PtrWidth  = $clog2(Depth);
  localparam int unsigned UsedWidth = $clog2(Window + 1);
  localparam slot_t       LastSlot  = slot_t'(Window - 1);

  request_t              queue_q [Depth];
  logic [PtrWidth-1:0]   head_q, head_d, tail_q, tail_d;
  logic [PtrWidth:0]     count_q, count_d;
  logic [UsedWidth-1:0]  used_q, used_d;  // slots held by queued requests
  slot_t                 slot_q, slot_d;
  // The oldest request, read out of the memory; it counts until it is popped.
  logic                  offered_q, offered_d;
  request_t              req_q, req_d;
  logic                  full, push, pop, takes_slot, frees_slot;
  request_t              entry;

  assign full      = count_q == (PtrWidth + 1)'(Depth);
  assign clear_o   = frame_valid_i && frame_header_i.msg == link_proto_pkg::MsgReset &&
                     frame_length_i == 8'(link_proto_pkg::ResetBytes);
  assign push      = frame_valid_i && (clear_o || !full);
  assign pop       = req_valid_o && req_ready_i;
  assign takes_slot = push && frame_stored_i;
  assign frees_slot = pop && !req_o.busy;
  assign overrun_o = frame_valid_i && !clear_o && (full || !frame_stored_i);

  // Which requests take effect when they come, and again which of them are popped
  logic                cancel, cancel_over;
  logic                req_cancels_q;  // the oldest request does, when it was not busy
  logic [PtrWidth:0]   cancels_q, cancels_d;

  assign credit_o     = takes_slot && frame_header_i.msg == link_proto_pkg::MsgCredit &&
                        frame_length_i == 8'(link_proto_pkg::CreditBytes);
  assign cancel       = takes_slot && frame_header_i.msg == link_proto_pkg::MsgCancel &&
                        frame_length_i == 8'(link_proto_pkg::CancelBytes);
  assign cancel_over  = frees_slot && req_cancels_q;
  assign cancelling_o = cancels_q != '0;
  assign waiting_o    = count_q != '0;

  assign entry = '{
    header: frame_header_i,
    length: frame_length_i,
    slot:   frame_slot_i,
    busy:   !frame_stored_i && !clear_o
  };

  assign slot_free_o = used_q != UsedWidth'(Window);
  assign slot_o      = slot_q;
  assign req_valid_o = offered_q;
  assign req_o       = req_q;

  always_comb begin
    head_d  = head_q + PtrWidth'(pop);
    tail_d  = tail_q + PtrWidth'(push);
    count_d = count_q + (PtrWidth + 1)'(push) - (PtrWidth + 1)'(pop);

    used_d  = used_q + UsedWidth'(takes_slot) - UsedWidth'(frees_slot);
    slot_d  = slot_q;
    if (takes_slot) slot_d = (slot_q == LastSlot) ? '0 : slot_q + 1'b1;

    cancels_d = cancels_q + (PtrWidth + 1)'(cancel) - (PtrWidth + 1)'(cancel_over);

    offered_d = offered_q && !pop;
    req_d     = req_q;
    if (!offered_q) begin
      offered_d = count_q != '0;
      req_d     = queue_q[head_q];
    end

    if (clear_o) begin
      offered_d = 1'b0;
      head_d    = tail_q;
      count_d   = (PtrWidth + 1)'(1);
      cancels_d = '0;
      // A reset has no payload. It counts as the holder of a slot like every
      // other request, so that its end frees what it took.
      used_d    = UsedWidth'(1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q    <= '0;
      tail_q    <= '0;
      count_q   <= '0;
      used_q    <= '0;
      slot_q    <= '0;
      offered_q <= 1'b0;
      cancels_q <= '0;
    end else begin
      head_q    <= head_d;
      tail_q    <= tail_d;
      count_q   <= count_d;
      used_q    <= used_d;
      slot_q    <= slot_d;
      offered_q <= offered_d;
      cancels_q <= cancels_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) queue_q[tail_q] <= entry;
    req_q         <= req_d;
    req_cancels_q <= req_d.header.msg == link_proto_pkg::MsgCancel &&
                     req_d.length == 8'(link_proto_pkg::CancelBytes);
  end

  if (Window < 1 || Window > frame_pkg::MaxWindow || Window > Depth) begin : gen_window
    $error("a window of %0d slots cannot be had", Window);
  end
  if (2**PtrWidth != Depth) begin : gen_depth
    $error("a queue of %0d is no power of two", Depth);
  end

`ifndef SYNTHESIS
  RequestHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    req_valid_o && !req_ready_i && !clear_o |=> req_valid_o && $stable(req_o));
  QueueInDepth_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    count_q <= (PtrWidth + 1)'(Depth));
  SlotsInWindow_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    used_q <= UsedWidth'(Window) && (PtrWidth + 1)'(used_q) <= count_q);
  CancelsInQueue_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    cancels_q <= count_q);
  // The receiver stored the payload in the slot that is next.
  NextSlot_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    frame_valid_i && frame_stored_i |-> frame_slot_i == slot_q && slot_free_o);
`endif

endmodule
