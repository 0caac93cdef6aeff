// Draws at random, and signs what was drawn for and done: SplitMix64 and a signature of moves,
// which take turns at one multiplier.
//
// Drive it: `shift_i` brings in `byte_i`, 16 in all: the signature so far and, before it, the
// generator's state, lowest byte first; what was there leaves at `byte_o`. `clear_i` makes the
// signature 0. Neither while busy.
// `draw_i` requests a number below 7, which lies at `drawn_o` once `drawn_valid_o` is
// high, until the next `draw_i`. `sign_i` mixes a value into the signature, which is whole
// when `signing_o` is low; not before.
//
// A draw: the state grows by 0x9e3779b97f4a7c15; z is the state, xored with itself shifted right
// by 30, times 0xbf58476d1ce4e5b9, xored with itself shifted by 27, times 0x94d049bb133111eb,
// xored with itself shifted by 31; the number is floor(floor(z / 2^32) * 7 / 2^32).
// A value: s xor value, times 0x100000001b3, xored with itself shifted by 29, is the next s. All
// modulo 2^64.
//
// A draw takes 30 cycles and a value 15; each waits for the other one.
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
  input  logic [7:0]  value_i,
  output logic        signing_o,
  output logic [63:0] signature_o
);

  localparam logic [63:0] Step   = 64'h9e37_79b9_7f4a_7c15;
  localparam logic [63:0] First  = 64'hbf58_476d_1ce4_e5b9;
  localparam logic [63:0] Second = 64'h94d0_49bb_1331_11eb;
  localparam logic [63:0] Sign   = 64'h0000_0100_0000_01b3;

  typedef enum logic [2:0] {
    StIdle,
    StStep,    // of the generator
    StFirst,   // product of a draw
    StSecond,
    StNumber,  // from the random bits
    StSign     // product of a value
  } state_e;

  state_e      state_q, state_d;
  logic [63:0] random_q, random_d;        // the generator's state
  logic [63:0] signature_q, signature_d;
  logic [63:0] mixed_q, mixed_d;          // on the way to a number
  logic        draw_q, draw_d;            // it is to be drawn
  logic        sign_q, sign_d;            // a value is to be mixed in
  logic [7:0]  value_q, value_d;
  logic [2:0]  drawn_q, drawn_d;

  // ------------------------------------------------------------------------------- product
  // Digits of 16 bits, column by column from the lowest: digit `one_q` of the operand by digit
  // `column_q - one_q` of the constant. Then a register for each digit, the product, the sum.
  logic        multiplies;  // in one of the states with a product
  logic        issuing_q, issuing_d;
  logic [1:0]  one_q, one_d, column_q, column_d;
  logic [15:0] a_q, b_q;
  logic [31:0] product_q;
  logic [33:0] sum_q, sum;         // of a column, with what the one before carried
  logic [1:0]  valid_q, ends_q;    // of digits and product; it is its column's last one
  logic [1:0]  columns_q, columns_d;
  logic [63:0] result_q, result_d;
  logic        whole_q, whole_d;   // result_q is the product

  logic [63:0] operand, constant;
  always_comb begin
    operand  = random_q ^ (random_q >> 30);
    constant = First;
    if (state_q == StSecond) begin
      operand  = mixed_q;
      constant = Second;
    end else if (state_q == StSign) begin
      operand  = signature_q ^ 64'(value_q);
      constant = Sign;
    end
  end

  assign multiplies = state_q inside {StFirst, StSecond, StSign};
  assign sum        = sum_q + 34'(product_q);

  always_comb begin
    issuing_d = issuing_q;
    one_d     = one_q;
    column_d  = column_q;
    columns_d = columns_q;
    result_d  = result_q;
    whole_d   = 1'b0;

    if (!multiplies || whole_q) begin
      issuing_d = 1'b1;
      one_d     = '0;
      column_d  = '0;
    end else if (issuing_q) begin
      one_d = one_q + 2'd1;
      if (one_q == column_q) begin
        one_d    = '0;
        column_d = column_q + 2'd1;
        if (column_q == 2'd3) issuing_d = 1'b0;
      end
    end

    if (valid_q[1] && ends_q[1]) begin
      columns_d = columns_q + 2'd1;
      result_d  = {sum[15:0], result_q[63:16]};
      whole_d   = columns_q == 2'd3;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      issuing_q <= 1'b1;
      one_q     <= '0;
      column_q  <= '0;
      columns_q <= '0;
      valid_q   <= '0;
      whole_q   <= 1'b0;
      sum_q     <= '0;
    end else begin
      issuing_q <= issuing_d;
      one_q     <= one_d;
      column_q  <= column_d;
      columns_q <= columns_d;
      valid_q   <= {valid_q[0], multiplies && issuing_q && !whole_q};
      whole_q   <= whole_d;
      if (valid_q[1]) begin
        sum_q <= !ends_q[1] ? sum : (columns_q == 2'd3) ? '0 : 34'(sum[33:16]);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    a_q       <= operand[16*one_q +: 16];
    b_q       <= constant[16*2'(column_q-one_q) +: 16];
    product_q <= a_q * b_q;
    ends_q    <= {ends_q[0], one_q == column_q};
    result_q  <= result_d;
  end

  // --------------------------------------------------------------------------------- turns
  always_comb begin
    state_d     = state_q;
    random_d    = random_q;
    signature_d = signature_q;
    mixed_d     = mixed_q;
    draw_d      = draw_q || draw_i;
    sign_d      = sign_q || sign_i;
    value_d     = sign_i ? value_i : value_q;
    drawn_d     = drawn_q;

    unique case (state_q)
      StIdle: begin
        if (sign_q) state_d = StSign;
        else if (draw_q) state_d = StStep;
      end

      StStep: begin
        random_d = random_q + Step;
        state_d  = StFirst;
      end

      StFirst: if (whole_q) begin
        mixed_d = result_q ^ (result_q >> 27);
        state_d = StSecond;
      end

      StSecond: if (whole_q) begin
        mixed_d = result_q ^ (result_q >> 31);
        state_d = StNumber;
      end

      StNumber: begin
        drawn_d = 3'(({mixed_q[63:32], 3'b000} - 35'(mixed_q[63:32])) >> 32);
        draw_d  = 1'b0;
        state_d = StIdle;
      end

      StSign: if (whole_q) begin
        signature_d = result_q ^ (result_q >> 29);
        sign_d      = 1'b0;
        state_d     = StIdle;
      end

      default: state_d = StIdle;
    endcase

    if (shift_i) begin
      signature_d = {byte_i, signature_q[63:8]};
      random_d    = {signature_q[7:0], random_q[63:8]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      draw_q  <= 1'b0;
      sign_q  <= 1'b0;
    end else begin
      state_q <= state_d;
      draw_q  <= draw_d;
      sign_q  <= sign_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) signature_q <= '0;
    else signature_q <= signature_d;
  end

  always_ff @(posedge clk_i) begin
    random_q    <= random_d;
    mixed_q     <= mixed_d;
    value_q     <= value_d;
    drawn_q     <= drawn_d;
  end

  assign byte_o        = random_q[7:0];
  assign drawn_valid_o = !draw_q;
  assign drawn_o       = drawn_q;
  assign signing_o     = sign_q;
  assign signature_o   = signature_q;

`ifndef SYNTHESIS
  SignInTurn_A: assert property (@(posedge clk_i) disable iff (!rst_ni) sign_i |-> !sign_q);
  DrawInTurn_A: assert property (@(posedge clk_i) disable iff (!rst_ni) draw_i |-> !draw_q);
  ShiftAlone_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    shift_i || clear_i |-> state_q == StIdle && !draw_q && !sign_q && !draw_i && !sign_i);
  Both_C: cover property (@(posedge clk_i) disable iff (!rst_ni) sign_q && draw_q);
`endif

endmodule
