// Serial transmitter, 8N1, least significant bit first.
//
// Drive it: `baud_inc_i` is round(baud * 2^24 / clock); a change of it damages
// the byte on the line, if there is one. A byte is taken in
// the cycle with `valid_i` and `ready_o`; its start bit begins in the next one.
// `ready_o` comes with the last clock of the stop bit, so bytes follow each
// other without a gap and the fraction of a clock is carried from byte to byte.
module uart_tx (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [23:0] baud_inc_i,
  input  logic        valid_i,
  output logic        ready_o,
  input  logic [7:0]  data_i,
  output logic        tx_o
);

  localparam int unsigned FrameBits = 10;  // start, eight data, stop

  logic [3:0]  bits_q, bits_d;   // still to be sent, with the current one
  logic [8:0]  shift_q, shift_d; // data and stop bits still to come
  logic        tx_q, tx_d;
  logic [24:0] phase_q, phase_d; // at the end of the cycle, its carry being the tick
  logic        idle, tick;

  assign idle    = bits_q == '0;
  assign tick    = phase_q[24];
  assign ready_o = idle || (tick && bits_q == 4'd1);

  always_comb begin
    bits_d  = bits_q;
    shift_d = shift_q;
    tx_d    = tx_q;
    phase_d = (idle ? 25'd0 : {1'b0, phase_q[23:0]}) + {1'b0, baud_inc_i};

    if (valid_i && ready_o) begin
      bits_d  = 4'(FrameBits);
      shift_d = {1'b1, data_i};
      tx_d    = 1'b0;
    end else if (tick && !idle) begin
      bits_d  = bits_q - 4'd1;
      shift_d = {1'b1, shift_q[8:1]};
      tx_d    = shift_q[0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bits_q  <= '0;
      shift_q <= '1;
      tx_q    <= 1'b1;
      phase_q <= '0;
    end else begin
      bits_q  <= bits_d;
      shift_q <= shift_d;
      tx_q    <= tx_d;
      phase_q <= phase_d;
    end
  end

  assign tx_o = tx_q;

`ifndef SYNTHESIS
  ByteHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    valid_i && !ready_o |=> valid_i && $stable(data_i));
  RestsHigh_A: assert property (@(posedge clk_i) disable iff (!rst_ni) idle |-> tx_o);
  WithoutAGap_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    !idle && valid_i && ready_o);
`endif

endmodule
