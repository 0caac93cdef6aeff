// Draws at random, and signs what was drawn for and done: SplitMix64 and a signature of moves.
//
// Drive it: `shift_i` brings in `byte_i`, 16 in all: the signature so far and, before it, the
// generator's state, lowest byte first; what was there leaves at `byte_o`. `clear_i` makes the
// signature 0. Neither while busy. The first draw after that begins with the state that was brought
// in; draws go on ahead then, so the state is of use to nobody else.
// `draw_i` requests a number below 7, which lies at `drawn_o` once `drawn_valid_o` is high, until
// the next `draw_i`. `sign_i` mixes a value into the signature, in a cycle in which `sign_ready_o`
// is high; the signature is whole when `signing_o` is low.
//
// A draw: the state grows by 0x9e3779b97f4a7c15; z is the state, xored with itself shifted right
// by 30, times 0xbf58476d1ce4e5b9, xored with itself shifted by 27, times 0x94d049bb133111eb,
// xored with itself shifted by 31; the number is floor(floor(z / 2^32) * 7 / 2^32).
// A value: s xor value, times 0x100000001b3, xored with itself shifted by 29, is the next s. All
// modulo 2^64.
//
// The first draw takes 12 cycles, one that is requested three or more after the one before takes 1;
// numbers come two cycles apart on average. A value takes 4 cycles; the next one can follow after 3.
module draw_sign (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        shift_i,
  input  logic [7:0]  byte_i,
  output logic [7:0]  byte_o,
  input  logic        draw_i,
  output logic        drawn_valid_o,
  output logic [2:0]  drawn_o,
  input  logic        sign_i,
  output logic        sign_ready_o,
  input  logic [7:0]  value_i,
  output logic        signing_o,
  output logic [63:0] signature_o
);

  localparam logic [63:0] Step   = 64'h9e37_79b9_7f4a_7c15;
  localparam logic [63:0] First  = 64'hbf58_476d_1ce4_e5b9;
  localparam logic [63:0] Second = 64'h94d0_49bb_1331_11eb;

  logic [63:0] random_q, signature_q;

  // -------------------------------------------------------------------------------- numbers
  // A number passes the multiplier twice: factors, products of their digits, sums in two steps.
  // What comes back for its second product goes first.
  localparam int unsigned Ahead = 8;  // numbers that are drawn, or on their way
  localparam int unsigned PtrWidth = $clog2(Ahead);

  logic [4:1]          valid_q, second_q;  // in a step; for the second product
  logic                whole_q;            // the second product is
  logic                draws_q;            // there was a draw since the state was brought in
  logic [PtrWidth:0]   ahead_q;
  logic                begins, returns, push, pop, empty;
  logic [63:0]         state, product;

  assign state   = random_q + Step;
  assign returns = valid_q[4] && !second_q[4];
  assign begins  = draws_q && !returns && !ahead_q[PtrWidth] && !shift_i;

  // Digits of 16 bits. Products that do not overlap lie beside each other.
  logic [63:0] factor_q, constant_q;
  logic [31:0] product_q [4][4];  // [digit of the constant][digit of the factor]
  logic [63:0] sum0_q, sums_q;
  logic [47:0] sum1_q;            // from bit 16 on
  logic [31:0] sum2_q, rest_q;    // from bit 32 on
  logic [31:0] mixed_q;           // upper half

  assign product = sums_q + {rest_q, 32'd0};

  always_ff @(posedge clk_i) begin
    if (begins || returns) begin
      factor_q   <= returns ? product ^ (product >> 27) : state ^ (state >> 30);
      constant_q <= returns ? Second : First;
    end
    if (valid_q[1]) begin
      for (int unsigned c = 0; c < 4; c++) begin
        for (int unsigned f = 0; f + c < 4; f++) begin
          product_q[c][f] <= constant_q[16*c +: 16] * factor_q[16*f +: 16];
        end
      end
    end
    if (valid_q[2]) begin
      sum0_q <= {product_q[0][2], product_q[0][0]}
              + {product_q[0][3][15:0], product_q[0][1], 16'd0};
      sum1_q <= {product_q[1][2][15:0], product_q[1][0]} + {product_q[1][1], 16'd0};
      sum2_q <= product_q[2][0] + {product_q[2][1][15:0] + product_q[3][0][15:0], 16'd0};
    end
    if (valid_q[3]) begin
      sums_q <= sum0_q + {sum1_q, 16'd0};
      rest_q <= sum2_q;
    end
    if (valid_q[4]) mixed_q <= product[63:32] ^ (product[63:32] >> 31);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || shift_i) begin
      draws_q  <= 1'b0;
      valid_q  <= '0;
      second_q <= '0;
      whole_q  <= 1'b0;
    end else begin
      if (draw_i) draws_q <= 1'b1;
      valid_q  <= {valid_q[3:1], begins || returns};
      second_q <= {second_q[3:1], returns};
      whole_q  <= valid_q[4] && second_q[4];
    end
  end

  // ---------------------------------------------------------------------------- their queue
  logic [2:0]          numbers_q [Ahead];
  logic [PtrWidth-1:0] read_q, write_q;
  logic                draw_q;  // a number is to be drawn
  logic [2:0]          drawn_q, number;
  logic                full_q;

  assign number = 3'(({mixed_q, 3'b000} - 35'(mixed_q)) >> 32);
  assign push   = whole_q;
  assign empty  = read_q == write_q && !full_q;
  assign pop    = (draw_i || draw_q) && !empty;

  always_ff @(posedge clk_i) if (push) numbers_q[write_q] <= number;
  always_ff @(posedge clk_i) if (pop) drawn_q <= numbers_q[read_q];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || shift_i) begin
      read_q         <= '0;
      write_q        <= '0;
      full_q <= 1'b0;
      ahead_q        <= '0;
      draw_q         <= 1'b0;
    end else begin
      if (push) write_q <= write_q + 1'b1;
      if (pop) read_q <= read_q + 1'b1;
      if (push != pop) full_q <= push && write_q + 1'b1 == read_q;
      if (begins && !pop) ahead_q <= ahead_q + 1'b1;
      if (pop && !begins) ahead_q <= ahead_q - 1'b1;
      draw_q <= (draw_i || draw_q) && !pop;
    end
  end

  // ------------------------------------------------------------------------------ signature
  // Three steps: products of the digits by the lower part of the factor; their sum; the sum with
  // what its upper part, 2^40, adds.
  // By adders: a multiplier block, as Yosys would take it, is far away.
  function automatic logic [24:0] signed_digit(logic [15:0] digit);
    logic [17:0] thrice;
    thrice = 18'(digit) + {1'b0, digit, 1'b0};
    return 25'(thrice) + {3'd0, thrice, 4'd0} + {thrice, 7'd0};  // 0x1b3 = 3 * 0x91
  endfunction

  logic [2:0]  sign_q;         // [k]: a value was given k + 1 cycles ago
  logic [7:0]  value_q;
  logic [63:0] operand, sum_q, signed_sum;
  logic [24:0] digit_q [4];    // products
  logic [23:0] upper1_q, upper2_q;

  assign operand    = signature_q ^ 64'(value_q);
  assign signed_sum = {sum_q[63:40] + upper2_q, sum_q[39:0]};

  always_ff @(posedge clk_i) begin
    value_q <= value_i;
    if (sign_q[0]) begin
      for (int unsigned d = 0; d < 4; d++) digit_q[d] <= signed_digit(operand[16*d +: 16]);
      upper1_q <= operand[23:0];
    end
    if (sign_q[1]) begin
      sum_q <= 64'({digit_q[2], 7'd0, digit_q[0]}) + {digit_q[3][15:0], 7'd0, digit_q[1], 16'd0};
      upper2_q <= upper1_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      signature_q <= '0;
    end else if (shift_i) begin
      signature_q <= {byte_i, signature_q[63:8]};
    end else if (sign_q[2]) begin
      signature_q <= signed_sum ^ (signed_sum >> 29);
    end
    if (shift_i) random_q <= {signature_q[7:0], random_q[63:8]};
    else if (begins) random_q <= state;
    sign_q <= rst_ni ? {sign_q[1:0], sign_i} : '0;
  end

  assign byte_o        = random_q[7:0];
  assign drawn_valid_o = !draw_q;
  assign drawn_o       = drawn_q;
  assign sign_ready_o  = sign_q[1:0] == '0;
  assign signing_o     = sign_q != '0;
  assign signature_o   = signature_q;

`ifndef SYNTHESIS
  SignInTurn_A: assert property (@(posedge clk_i) disable iff (!rst_ni) sign_i |-> sign_ready_o);
  DrawInTurn_A: assert property (@(posedge clk_i) disable iff (!rst_ni) draw_i |-> !draw_q);
  ShiftAlone_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    shift_i || clear_i |-> !draw_q && sign_q == '0 && !draw_i && !sign_i);
  Room_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    push |-> !full_q && ahead_q != '0);
  Full_C: cover property (@(posedge clk_i) disable iff (!rst_ni) full_q);
`endif

endmodule
