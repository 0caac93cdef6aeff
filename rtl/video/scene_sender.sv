// Sends a scene into the pixel clock's domain, bit by bit: the end in the core's. scene_receiver is
// the other one.
//
// Two signals cross, `bit_o` and `strobe_o`. A bit stands for 2 * HalfBit cycles, and in their
// middle the strobe changes its level. The receiver may see each of them a cycle of its own late, so
// its cycle has to be shorter than half of HalfBit.
//
// A change of `ask_i`, which crosses the other way, asks for a scene; while one is sent it is ignored.
// `load_o` is then high for a cycle: from the next one on `bit_i` has to be the first bit, and after
// each `next_o` the following one. Latency: two cycles from `ask_i` to `load_o`, HalfBit + 2 from
// there to the first strobe.
module scene_sender #(
  parameter int unsigned Bits    = 482,
  parameter int unsigned HalfBit = 16   // cycles, a power of 2
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic ask_i,     // asynchronous
  output logic load_o,
  output logic next_o,
  input  logic bit_i,
  output logic bit_o,
  output logic strobe_o
);

  localparam int unsigned PhaseWidth = $clog2(2 * HalfBit);
  localparam int unsigned LeftWidth  = $clog2(Bits + 1);

  (* async_reg = "true" *) logic [1:0] ask_sync_q;

  logic                  asked_q, busy_q;
  logic [PhaseWidth-1:0] phase_q;
  logic [LeftWidth-1:0]  left_q;
  logic                  bit_q, strobe_q;
  logic                  begins;

  assign begins = phase_q == '0;
  assign load_o = !busy_q && asked_q != ask_sync_q[1];
  assign next_o = busy_q && begins;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ask_sync_q <= '0;
      asked_q    <= 1'b0;
      busy_q     <= 1'b0;
      phase_q    <= '0;
      left_q     <= '0;
      bit_q      <= 1'b0;
      strobe_q   <= 1'b0;
    end else begin
      ask_sync_q <= {ask_sync_q[0], ask_i};
      asked_q    <= ask_sync_q[1];
      if (load_o) begin
        busy_q <= 1'b1;
        left_q <= LeftWidth'(Bits);
      end
      if (busy_q) begin
        phase_q <= phase_q + 1'b1;
        if (begins) bit_q <= bit_i;
        if (phase_q == PhaseWidth'(HalfBit)) strobe_q <= !strobe_q;
        if (phase_q == '1) begin
          left_q <= left_q - 1'b1;
          if (left_q == LeftWidth'(1)) busy_q <= 1'b0;
        end
      end
    end
  end

  assign bit_o    = bit_q;
  assign strobe_o = strobe_q;

`ifndef SYNTHESIS
  SteadyAtStrobe_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    $past(rst_ni) && !$stable(strobe_o) |-> $stable(bit_o));
`endif

endmodule
