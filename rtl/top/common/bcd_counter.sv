// Decimal counter, for a display: counts `amount_i` more in each cycle with `valid_i`, modulo
// 10^Digits.
//
// It counts on by one in a cycle, the carry through all digits, so the digits lag behind: up to
// PendingMax are kept that are still to be counted. More than that at once are lost; amounts up to
// 20 may come every 20 cycles for ever.
module bcd_counter #(
  parameter int unsigned Digits      = 8,
  parameter int unsigned AmountWidth = 5  // bits
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   valid_i,
  input  logic [AmountWidth-1:0] amount_i,
  output logic [Digits-1:0][3:0] digits_o  // the lowest digit is [0]
);

  localparam int unsigned PendingWidth = AmountWidth + 3;
  localparam logic [PendingWidth-1:0] PendingMax = '1;

  logic [PendingWidth-1:0] pending_q, pending_d;
  logic                    counts_q;  // pending_q is not 0: the carry begins at a register
  logic [PendingWidth:0]   sum;
  logic [Digits-1:0][3:0]  digits_q, digits_d;
  logic [Digits:0]         carry;

  assign carry[0] = counts_q;
  assign sum      = {1'b0, pending_q} + (valid_i ? (PendingWidth + 1)'(amount_i) : '0) -
                    (PendingWidth + 1)'(carry[0]);
  assign pending_d = sum > {1'b0, PendingMax} ? PendingMax : sum[PendingWidth-1:0];

  for (genvar digit = 0; digit < Digits; digit++) begin : gen_digit
    logic nine;
    assign nine             = digits_q[digit] == 4'd9;
    assign carry[digit + 1] = carry[digit] && nine;
    assign digits_d[digit]  = !carry[digit] ? digits_q[digit]
                                            : nine ? 4'd0 : digits_q[digit] + 4'd1;
  end

  // After the highest digit it begins again.
  logic unused_carry;
  assign unused_carry = carry[Digits];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pending_q <= '0;
      counts_q  <= 1'b0;
      digits_q  <= '0;
    end else begin
      pending_q <= pending_d;
      counts_q  <= pending_d != '0;
      digits_q  <= digits_d;
    end
  end

  assign digits_o = digits_q;

`ifndef SYNTHESIS
  for (genvar digit = 0; digit < Digits; digit++) begin : gen_decimal
    Decimal_A: assert property (@(posedge clk_i) disable iff (!rst_ni) digits_q[digit] <= 4'd9);
  end
`endif

endmodule
