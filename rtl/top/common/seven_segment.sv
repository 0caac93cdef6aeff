// Multiplexed seven-segment display with common anodes: one digit after the other is lit, the
// lowest first, for DigitClocks cycles each; zeros in front of a number are dark, but for the
// lowest digit.
//
// Anodes and cathodes are active low and leave through registers. Segments are A to G from bit 0
// on: A on top, then clockwise, G in the middle. In the reset all is dark. There is no dark time
// between two digits: an anode's driver that switches off some microseconds late shows a digit in
// its neighbour for less than a hundredth of the 1.3 ms, which nobody sees.
module seven_segment #(
  parameter int unsigned Digits      = 8,
  parameter int unsigned DigitClocks = 131_072  // at least 2; 1.3 ms at 100 MHz
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [Digits-1:0][3:0] digits_i,    // decimal, the lowest digit is [0]
  output logic [Digits-1:0]      anodes_no,
  output logic [6:0]             segments_no
);

  localparam int unsigned IndexWidth = $clog2(Digits);
  localparam int unsigned TimeWidth  = $clog2(DigitClocks);

  logic [IndexWidth-1:0] index_q, index_d;
  logic [TimeWidth-1:0]  time_q, time_d;
  logic                  last;
  logic [Digits-1:0]     dark;
  logic [Digits-1:0]     anodes_q, anodes_d;
  logic [6:0]            segments_q, segments_d;

  // Lit segments, G first.
  function automatic logic [6:0] lit(logic [3:0] digit);
    unique case (digit)
      4'd0:    return 7'b0111111;
      4'd1:    return 7'b0000110;
      4'd2:    return 7'b1011011;
      4'd3:    return 7'b1001111;
      4'd4:    return 7'b1100110;
      4'd5:    return 7'b1101101;
      4'd6:    return 7'b1111101;
      4'd7:    return 7'b0000111;
      4'd8:    return 7'b1111111;
      4'd9:    return 7'b1101111;
      default: return 7'b0000000;
    endcase
  endfunction

  // A digit is dark when it and all above it are zero.
  for (genvar digit = 0; digit < Digits; digit++) begin : gen_dark
    if (digit == 0) begin : gen_lowest
      assign dark[digit] = 1'b0;
    end else begin : gen_higher
      assign dark[digit] = digits_i[Digits-1:digit] == '0;
    end
  end

  assign last = time_q == TimeWidth'(DigitClocks - 1);

  always_comb begin
    time_d  = time_q + 1'b1;
    index_d = index_q;
    if (last) begin
      time_d  = '0;
      index_d = index_q == IndexWidth'(Digits - 1) ? '0 : index_q + 1'b1;
    end
    anodes_d          = '0;
    anodes_d[index_q] = !dark[index_q];
    segments_d        = lit(digits_i[index_q]);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      index_q    <= '0;
      time_q     <= '0;
      anodes_q   <= '0;
      segments_q <= '0;
    end else begin
      index_q    <= index_d;
      time_q     <= time_d;
      anodes_q   <= anodes_d;
      segments_q <= segments_d;
    end
  end

  assign anodes_no   = ~anodes_q;
  assign segments_no = ~segments_q;

`ifndef SYNTHESIS
  OneDigit_A: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(~anodes_no));
`endif

endmodule
