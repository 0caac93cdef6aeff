// What eight LEDs say of a core; all of it is off in the reset.
//
//   0  bytes come in          4  a decision was answered
//   1  bytes go out           5  ... whose placement clears rows
//   2  a good frame came in   6  something bad came in since the reset
//   3  something bad came in  7  out of reset: clock and core run
//
// LEDs 0 to 5 stay on for Stretch cycles after what they show, so that an eye sees it. The events
// are high for a cycle each, the lines as they are at the pins: `rx_i` is synchronised here. All
// come from far away: an LED shows them two cycles later, one of them for the way.
module board_leds #(
  parameter int unsigned Stretch = 5_000_000  // cycles
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       rx_i,        // asynchronous
  input  logic       tx_i,
  input  logic       good_i,
  input  logic       bad_i,
  input  logic       decision_i,
  input  logic       cleared_i,
  output logic [7:0] leds_o
);

  // Reset high, as the line is when idle.
  (* async_reg = "true" *) logic [1:0] rx_sync_q;

  logic       bad_q, bad_d;
  logic       alive_q;
  logic [5:0] events_q, events_d, shown;

  assign bad_d    = bad_q || events_q[3];
  assign events_d = {cleared_i, decision_i, bad_i, good_i, !tx_i, !rx_sync_q[1]};

  for (genvar led = 0; led < 6; led++) begin : gen_stretch
    pulse_stretch #(
      .Clocks (Stretch)
    ) u_pulse_stretch (
      .clk_i,
      .rst_ni,
      .event_i  (events_q[led]),
      .active_o (shown[led])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rx_sync_q <= '1;
      bad_q     <= 1'b0;
      alive_q   <= 1'b0;
      events_q  <= '0;
    end else begin
      rx_sync_q <= {rx_sync_q[0], rx_i};
      bad_q     <= bad_d;
      alive_q   <= 1'b1;
      events_q  <= events_d;
    end
  end

  assign leds_o = {alive_q, bad_q, shown};

endmodule
