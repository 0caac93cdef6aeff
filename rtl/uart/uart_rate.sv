// Rate of the serial line: the base rate, or another one for as long as the
// other end is there.
//
// Drive it: `base_inc_i` is the base rate, steady. Raise `set_valid_i` for one
// cycle with the increment when the reply to set_rate is handed to the frame
// transmitter. `busy_o` is high from the next cycle until the reply's last stop
// bit has left: no other frame may be handed over meanwhile. `tx_inc_o` changes
// in the third cycle after that stop bit. `rx_inc_o` changes when the reply's
// delimiter begins, because the other end has it in the middle of its stop bit
// and may send at once. `abort_i` drops a reply that is not being sent yet
// (`sending_i`, until the transmitter has taken its last byte), and the rate stays.
//
// The base rate comes back two cycles after `break_i`, or when for `RateHold` cycles
// no good frame (`good_i`) came and the core had nothing to answer (`core_busy_i`). A
// reply being sent then is damaged; one that was to change the rate changes nothing.
module uart_rate #(
  parameter int unsigned RateHold = 2**27  // cycles, at least 2
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [23:0] base_inc_i,
  // The reply to set_rate, and its way through the transmitter
  input  logic        set_valid_i,
  input  logic [23:0] set_inc_i,
  input  logic        abort_i,
  input  logic        sending_i,
  input  logic        tx_ready_i,
  output logic        busy_o,
  // The receiver's events
  input  logic        break_i,
  input  logic        good_i,
  // The core works on an answer
  input  logic        core_busy_i,
  // Increments of the two directions
  output logic [23:0] rx_inc_o,
  output logic [23:0] tx_inc_o
);

  typedef enum logic [1:0] {
    StSteady,
    StReply,  // the reply is being put together
    StSend,   // it is being sent: nothing drops it now
    StDrain   // its delimiter is on the line
  } state_e;

  localparam int unsigned          HoldWidth = $clog2(RateHold);
  localparam logic [HoldWidth-1:0] HoldLast  = HoldWidth'(RateHold - 1);

  state_e               state_q, state_d;
  logic [23:0]          next_q, next_d;    // the rate requested
  logic [23:0]          inc_q, inc_d;      // the rate, unless it is the base rate
  logic                 other_q, other_d;  // it is not
  logic [HoldWidth-1:0] hold_q, hold_d;    // cycles of silence
  logic                 drained_q;         // the transmitter had nothing to send
  logic                 silent, expired;

  assign silent  = !good_i && !core_busy_i;
  assign expired = silent && hold_q == HoldLast;

  always_comb begin
    state_d = state_q;
    next_d  = next_q;
    inc_d   = inc_q;
    other_d = other_q;
    hold_d  = (other_q && silent) ? hold_q + 1'b1 : '0;

    unique case (state_q)
      StSteady: if (set_valid_i) begin
        state_d = StReply;
        next_d  = set_inc_i;
      end

      StReply: begin
        if (sending_i) state_d = StSend;
        else if (abort_i) state_d = StSteady;
      end

      StSend: if (!sending_i) state_d = StDrain;

      // Ready comes with the last clock of the stop bit.
      StDrain: if (drained_q) begin
        state_d = StSteady;
        inc_d   = next_q;
        other_d = 1'b1;
        hold_d  = '0;
      end

      default: state_d = StSteady;
    endcase

    if (break_i || expired) begin
      state_d = StSteady;
      other_d = 1'b0;
      hold_d  = '0;
    end
  end

  // A cycle late, for much hangs on the transmitter's sum of a bit.
  always_ff @(posedge clk_i) drained_q <= tx_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StSteady;
      next_q  <= '0;
      inc_q   <= '0;
      other_q <= 1'b0;
      hold_q  <= '0;
    end else begin
      state_q <= state_d;
      next_q  <= next_d;
      inc_q   <= inc_d;
      other_q <= other_d;
      hold_q  <= hold_d;
    end
  end

  assign busy_o   = state_q != StSteady;

  // From registers, because much hangs on them: a cycle late, and still before the
  // next byte.
  logic [23:0] tx_inc_q, tx_inc_d, rx_inc_q, rx_inc_d;
  assign tx_inc_d = other_q ? inc_q : base_inc_i;
  assign rx_inc_d = (state_q == StDrain) ? next_q : tx_inc_d;
  always_ff @(posedge clk_i) begin
    tx_inc_q <= tx_inc_d;
    rx_inc_q <= rx_inc_d;
  end

  assign tx_inc_o = tx_inc_q;
  assign rx_inc_o = rx_inc_q;

`ifndef SYNTHESIS
  OneAtATime_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    set_valid_i |-> !busy_o);
  // Another rate than the base rate begins after a reply, and nowhere else.
  BehindAReply_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    other_q && $changed(inc_q) |-> $past(state_q == StDrain && drained_q));
  BreakEndsIt_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    break_i |=> !other_q && !busy_o);
  HoldInRange_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    hold_q <= HoldLast && (other_q || hold_q == '0));
`endif

endmodule
