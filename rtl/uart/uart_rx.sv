// Serial receiver, 8N1, least significant bit first.
//
// Drive it: `baud_inc_i` is round(baud * 2^24 / clock); at least about 8 clocks a bit are needed.
// It may change in any cycle: a byte in progress is then garbage, the next one after an idle line
// is received as it was sent. `valid_o` is high for one cycle per byte, in the middle of the stop
// bit: 9.5 bit times after the start edge and about 3 cycles for the synchroniser and the output
// register. There is no back-pressure. `frame_err_o` comes with `valid_o` when the stop bit was
// low; `data_o` is then what was sampled. After that (or a break, or a line that is low out of
// reset) nothing is received until the line has been high. `break_o` is high for one cycle when the
// line has been low for 16 to 17 bit times, once a break.
module uart_rx (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [23:0] baud_inc_i,
  input  logic        rx_i,       // asynchronous; synchronised here
  output logic        valid_o,
  output logic [7:0]  data_o,
  output logic        frame_err_o,
  output logic        break_o
);

  typedef enum logic [1:0] {
    StWaitHigh,  // a low line is a break until it has been high
    StIdle,
    StStart,     // up to the middle of the start bit
    StBits       // eight data bits and the stop bit
  } state_e;

  // The shift register starts as a marker bit that falls out at the stop bit.
  localparam logic [7:0] ShiftStart = 8'h80;

  // Ticks on a low line that make it a break. The first one may come half a bit
  // after the edge, so that these are more than 16 bit times.
  localparam int unsigned BreakTicks = 17;
  localparam int unsigned LowWidth   = $clog2(BreakTicks + 1);

  // Reset low: the receiver then needs to see a real idle line first.
  (* async_reg = "true" *) logic [1:0] sync_q;
  logic line;
  assign line = sync_q[1];

  state_e      state_q, state_d;
  logic [23:0] phase_q, phase_d;
  logic [24:0] phase_sum;
  logic        tick;
  logic [7:0]  shift_q, shift_d;
  logic        stop_q, stop_d;  // the next sample is the stop bit
  logic [7:0]  data_q, data_d;
  logic        valid_q, valid_d;
  logic        frame_err_q, frame_err_d;
  logic [LowWidth-1:0] low_q, low_d;  // ticks on a low line, stops at a break
  logic        break_q, break_d;

  assign phase_sum = {1'b0, phase_q} + {1'b0, baud_inc_i};
  assign tick      = phase_sum[24];

  always_comb begin
    state_d     = state_q;
    phase_d     = phase_sum[23:0];
    shift_d     = shift_q;
    stop_d      = stop_q;
    data_d      = data_q;
    valid_d     = 1'b0;
    frame_err_d = 1'b0;
    low_d       = low_q;
    break_d     = 1'b0;

    unique case (state_q)
      StWaitHigh: if (line) state_d = StIdle;

      StIdle: begin
        // Half a bit ahead, so that the ticks fall into the middle of the bits.
        // One increment more makes up for the edge being seen up to a clock
        // late and the tick being rounded up to a clock: with 8 clocks a bit
        // both matter.
        phase_d = 24'h80_0000 + baud_inc_i;
        if (!line) state_d = StStart;
      end

      StStart: begin
        shift_d = ShiftStart;
        stop_d  = 1'b0;
        // High again in the middle of the start bit: it was a glitch.
        if (tick) state_d = line ? StIdle : StBits;
      end

      StBits: begin
        if (tick && !stop_q) begin
          shift_d = {line, shift_q[7:1]};
          stop_d  = shift_q[0];
        end
        if (tick && stop_q) begin
          data_d      = shift_q;
          valid_d     = 1'b1;
          frame_err_d = !line;
          state_d     = line ? StIdle : StWaitHigh;
        end
      end

      default: state_d = StWaitHigh;
    endcase

    // When it becomes idle the phase is still the byte before's: no tick.
    if (line) begin
      low_d = '0;
    end else if (tick && state_q != StIdle && low_q != LowWidth'(BreakTicks)) begin
      low_d   = low_q + 1'b1;
      break_d = low_d == LowWidth'(BreakTicks);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sync_q      <= '0;
      state_q     <= StWaitHigh;
      phase_q     <= '0;
      shift_q     <= ShiftStart;
      stop_q      <= 1'b0;
      data_q      <= '0;
      valid_q     <= 1'b0;
      frame_err_q <= 1'b0;
      low_q       <= '0;
      break_q     <= 1'b0;
    end else begin
      sync_q      <= {sync_q[0], rx_i};
      state_q     <= state_d;
      phase_q     <= phase_d;
      shift_q     <= shift_d;
      stop_q      <= stop_d;
      data_q      <= data_d;
      valid_q     <= valid_d;
      frame_err_q <= frame_err_d;
      low_q       <= low_d;
      break_q     <= break_d;
    end
  end

  assign valid_o     = valid_q;
  assign data_o      = data_q;
  assign frame_err_o = frame_err_q;
  assign break_o     = break_q;

`ifndef SYNTHESIS
  // A byte takes more than one cycle, so its pulse is never two cycles long.
  OneCycle_A: assert property (@(posedge clk_i) disable iff (!rst_ni) valid_o |=> !valid_o);
  ErrorOfAByte_A: assert property (@(posedge clk_i) disable iff (!rst_ni) frame_err_o |-> valid_o);
  // Nothing is received between a break and the next high.
  ErrorWaits_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    frame_err_o |-> state_q == StWaitHigh);
  // Once a break, and a byte is over by then.
  BreakWaits_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    break_o |-> state_q == StWaitHigh);
  BreakOnce_A: assert property (@(posedge clk_i) disable iff (!rst_ni) break_o |=> !break_o);
  Glitch_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    state_q == StIdle && $past(state_q) == StStart);
`endif

endmodule
