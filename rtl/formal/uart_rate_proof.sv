// uart_rate: another rate holds from the end of a set_rate's reply on, for as long as good frames
// come or the core works on an answer; it ends RateHold cycles after the last of both, or two
// cycles after a break. A reply that is dropped, or met by such an end, changes nothing. The
// receiver has the new rate from the reply's delimiter on.
//
// The cycles of silence are counted here from outside: since the rate began, or something came. The
// transmitter may be any.
module uart_rate_proof #(
  parameter int unsigned RateHold = 8  // of the RTL's 2**27 only to keep the proof short
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [23:0] base_inc_i,
  input logic        set_valid_i,
  input logic [23:0] set_inc_i,
  input logic        abort_i,
  input logic        sending_i,
  input logic        tx_ready_i,
  input logic        break_i,
  input logic        good_i,
  input logic        core_busy_i
);

  logic started_q = 1'b0;
  logic rst_n;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  assign rst_n = started_q && rst_ni;

  logic        busy;
  logic [23:0] rx_inc, tx_inc;

  uart_rate #(
    .RateHold (RateHold)
  ) u_dut (
    .clk_i,
    .rst_ni      (rst_n),
    .base_inc_i,
    .set_valid_i,
    .set_inc_i,
    .abort_i,
    .sending_i,
    .tx_ready_i,
    .busy_o      (busy),
    .break_i,
    .good_i,
    .core_busy_i,
    .rx_inc_o    (rx_inc),
    .tx_inc_o    (tx_inc)
  );

  // A reply's way: requested, then sent, then its delimiter leaves.
  logic        asked_q, sent_q, leaves_q, ready_q;
  logic [23:0] wish_q;
  // The rate that holds in place of the base rate, and the silence since it began
  logic        other_q;
  logic [23:0] rate_q, base_q;
  logic [7:0]  silence_q;
  logic        ends, begins;

  assign ends   = break_i || (other_q && !good_i && !core_busy_i && silence_q == 8'(RateHold - 1));
  assign begins = leaves_q && ready_q && !ends;

  always_ff @(posedge clk_i) begin
    ready_q <= tx_ready_i;
    base_q  <= base_inc_i;
    if (!rst_n || ends) begin
      {asked_q, sent_q, leaves_q} <= '0;
      other_q   <= 1'b0;
      silence_q <= '0;
    end else begin
      if (set_valid_i && !busy) {asked_q, wish_q} <= {1'b1, set_inc_i};
      if (asked_q && !sent_q && !leaves_q) begin
        if (sending_i) sent_q <= 1'b1;
        else if (abort_i) asked_q <= 1'b0;
      end
      if (sent_q && !sending_i) {sent_q, leaves_q} <= 2'b01;
      if (begins) begin
        {asked_q, leaves_q} <= '0;
        other_q <= 1'b1;
        rate_q  <= wish_q;
      end
      silence_q <= (begins || good_i || core_busy_i || !other_q) ? '0 : silence_q + 8'd1;
    end
  end

  // The increments come from registers.
  logic [23:0] tx_q, rx_q;
  logic        steady_q;
  always_ff @(posedge clk_i) begin
    steady_q <= rst_n;
    tx_q <= other_q ? rate_q : base_inc_i;
    rx_q <= leaves_q ? wish_q : other_q ? rate_q : base_inc_i;
  end

  always_comb begin
    Once_M: assume (!set_valid_i || !busy);
    Base_M: assume (!steady_q || base_inc_i == base_q);
    if (rst_n) begin
      Busy_A:  assert (busy == asked_q);
      Send_A:  assert (!steady_q || tx_inc == tx_q);
      Take_A:  assert (!steady_q || rx_inc == rx_q);
      // Auxiliary invariants of the induction
      Other_A: assert (u_dut.other_q == other_q && (!other_q || u_dut.inc_q == rate_q));
      Wish_A:  assert (!asked_q || u_dut.next_q == wish_q);
      State_A: assert (u_dut.state_q == (leaves_q ? 2'd3 : sent_q ? 2'd2 : asked_q ? 2'd1 : 2'd0));
      Way_A:   assert ((asked_q || !sent_q && !leaves_q) && !(sent_q && leaves_q));
      Hold_A:  assert (other_q ? 8'(u_dut.hold_q) == silence_q : u_dut.hold_q == '0);
      Range_A: assert (silence_q < 8'(RateHold));
      Ready_A: assert (u_dut.drained_q == ready_q);
    end
    Lost_C:  cover (rst_n && ends && !break_i && asked_q && !sent_q);
    Kept_C:  cover (rst_n && other_q && good_i && silence_q == 8'(RateHold - 1));
    Again_C: cover (rst_n && begins && other_q && rate_q != wish_q);
  end

endmodule
