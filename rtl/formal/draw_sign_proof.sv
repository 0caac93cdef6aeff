// draw_sign: what is drawn and what is signed are what the module's header says, for any state of
// the generator, any signature and any values. Numbers are drawn in order, none lost or doubled;
// each request is answered in time. A value changes the signature alone.
//
// Products: each is the sum of the partial products of 16 bits, shifted by 16 bits a column, modulo
// 2^64. A partial product is Yosys's own `*`, not proved. The harness follows what is under way,
// from step to step, with the state that a number is made of.
module draw_sign_proof (
  input logic       clk_i,
  input logic [3:0] tag_i,  // of the numbers, modulo 16, the one that is looked at
  input logic       clear_i,
  input logic       shift_i,
  input logic [7:0] byte_i,
  input logic       draw_i,
  input logic       sign_i,
  input logic [7:0] value_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [7:0]  byte_out;
  logic        drawn_valid, sign_ready, signing;
  logic [2:0]  drawn;
  logic [63:0] signature;

  draw_sign u_dut (
    .clk_i,
    .rst_ni        (rst_n),
    .clear_i,
    .shift_i,
    .byte_i,
    .byte_o        (byte_out),
    .draw_i,
    .drawn_valid_o (drawn_valid),
    .drawn_o       (drawn),
    .sign_i,
    .sign_ready_o  (sign_ready),
    .value_i,
    .signing_o     (signing),
    .signature_o   (signature)
  );

  localparam logic [63:0] Step = 64'h9e37_79b9_7f4a_7c15;

  logic [3:0] tag_q;
  always_ff @(posedge clk_i) if (!rst_n) tag_q <= tag_i;

  // ------------------------------------------------------------------------------ the numbers
  // Steps of the multiplier: [k] is in step k. Each has the state that it is made of and, for its
  // second product, the first one.
  logic [4:1][63:0] state_q, first_q;
  logic [63:0]      whole_state_q, whole_first_q, whole_second_q;
  logic [63:0]      generator_q, generator;  // its state, all numbers that have begun counted
  logic [63:0]      sum0_q, sum1_q, sum2_q, sums_q, rest_q;
  logic [31:0]      digits_q [4][4];  // products of digits: [of the constant][of the factor]
  logic             digits_held;
  logic             begins, returns;
  assign begins    = u_dut.begins;
  assign returns   = u_dut.returns;
  // State and signature are data: what they are after a reset is taken as it is.
  logic fresh_q;
  assign generator = fresh_q ? u_dut.random_q : generator_q;

  function automatic logic [63:0] at(logic [31:0] product, int unsigned column);
    return 64'(product) << (16 * column);
  endfunction

  always_comb begin
    digits_held = 1'b1;
    for (int unsigned c = 0; c < 4; c++) begin
      for (int unsigned f = 0; f + c < 4; f++) begin
        if (u_dut.product_q[c][f] != digits_q[c][f]) digits_held = 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < 4; c++) begin
      for (int unsigned f = 0; f + c < 4; f++) begin
        digits_q[c][f] <= u_dut.constant_q[16*c +: 16] * u_dut.factor_q[16*f +: 16];
      end
    end
    state_q <= {state_q[3:1], returns ? state_q[4] : generator + Step};
    first_q <= {first_q[3:1], sums_q + rest_q};
    sum0_q  <= (at(u_dut.product_q[0][0], 0) + at(u_dut.product_q[0][2], 2))
             + (at(u_dut.product_q[0][1], 1) + at(u_dut.product_q[0][3], 3));
    sum1_q  <= (at(u_dut.product_q[1][0], 1) + at(u_dut.product_q[1][2], 3))
             + at(u_dut.product_q[1][1], 2);
    sum2_q  <= at(u_dut.product_q[2][0], 2)
             + (at(u_dut.product_q[2][1], 3) + at(u_dut.product_q[3][0], 3));
    sums_q  <= sum0_q + sum1_q;
    rest_q  <= sum2_q;
    whole_state_q  <= state_q[4];
    whole_first_q  <= first_q[4];
    whole_second_q <= sums_q + rest_q;
    generator_q <= shift_i ? {signature[7:0], generator[63:8]} :
                   begins ? generator + Step : generator;
  end

  // The number that a second product gives
  function automatic logic [2:0] number_of(logic [63:0] second);
    logic [63:0] z;
    z = second ^ (second >> 31);
    return 3'((35'(z[63:32]) * 35'd7) >> 32);
  endfunction

  // Numbers begun, whole, and taken, modulo 16; how many are where
  logic [3:0] begun_q, pushed_q, popped_q, firsts, seconds;
  logic [4:1] is_first, is_second;
  assign is_first  = u_dut.valid_q & ~u_dut.second_q;
  assign is_second = u_dut.valid_q & u_dut.second_q;
  assign firsts    = 4'(is_first[1]) + 4'(is_first[2]) + 4'(is_first[3]) + 4'(is_first[4]);
  assign seconds   = 4'(is_second[1]) + 4'(is_second[2]) + 4'(is_second[3]) + 4'(is_second[4]);

  // Of the number in step k: those with their second product began earlier.
  function automatic logic [3:0] place_of(int unsigned k);
    logic [3:0] place;
    place = begun_q - 4'd1 - (is_second[k] ? firsts : 4'd0);
    for (int unsigned j = 1; j < k; j++) begin
      if (is_second[k] ? is_second[j] : is_first[j]) place = place - 4'd1;
    end
    return place;
  endfunction

  logic [63:0] tag_state_q;   // what the tagged number is made of
  logic [2:0]  tag_number_q;  // and is
  logic [4:0]  waits_q;       // cycles since the request

  always_ff @(posedge clk_i) begin
    if (begins && begun_q == tag_q) tag_state_q <= generator + Step;
    if (u_dut.push && pushed_q == tag_q) tag_number_q <= number_of(whole_second_q);
    if (!rst_n || shift_i) begin
      begun_q  <= '0;
      pushed_q <= '0;
      popped_q <= '0;
      waits_q  <= '0;
    end else begin
      if (begins) begun_q <= begun_q + 4'd1;
      if (u_dut.push) pushed_q <= pushed_q + 4'd1;
      if (u_dut.pop) popped_q <= popped_q + 4'd1;
      waits_q <= draw_i ? 5'd1 : drawn_valid ? '0 : waits_q + 5'd1;
    end
  end

  logic [3:0] held;  // in the queue
  assign held = pushed_q - popped_q;

  logic tag_kept;  // wherever the tagged number is
  always_comb begin
    tag_kept = 1'b1;
    for (int unsigned k = 1; k <= 4; k++) begin
      if (u_dut.valid_q[k] && place_of(k) == tag_q && state_q[k] != tag_state_q) tag_kept = 1'b0;
    end
  end

  // Cycles until a draw that waits is done: the oldest number comes next.
  logic [4:0] left;
  always_comb begin
    left = 5'd11;
    for (int unsigned k = 1; k <= 4; k++) if (is_first[k]) left = 5'd11 - 5'(k);
    for (int unsigned k = 1; k <= 4; k++) if (is_second[k]) left = 5'd7 - 5'(k);
    if (u_dut.whole_q) left = 5'd2;
    if (held != '0) left = 5'd1;
  end

  // ---------------------------------------------------------------------------- the signature
  logic [63:0] signature_q;  // what it has to be, what is under way left out
  logic [63:0] kept, operand_q, sign_product_q;
  logic [24:0] digit_q [4];  // products of a value's digits
  logic [7:0]  value_q;
  logic [1:0]  step_q;       // of a value: 0 is none
  assign kept = fresh_q ? signature : signature_q;

  logic [63:0] operand;
  assign operand = kept ^ 64'(value_q);

  always_ff @(posedge clk_i) begin
    fresh_q <= !rst_n;
    if (sign_i) value_q <= value_i;
    step_q  <= !rst_n ? '0 : sign_i ? 2'd1 : (step_q == '0 || step_q == 2'd3) ? '0 : step_q + 2'd1;
    if (step_q == 2'd1) operand_q <= operand;
    for (int unsigned d = 0; d < 4; d++) digit_q[d] <= 25'(operand[16*d +: 16]) * 25'h1b3;
    sign_product_q <= (at(32'(u_dut.digit_q[0]), 0) + at(32'(u_dut.digit_q[2]), 2))
                    + (at(32'(u_dut.digit_q[1]), 1) + at(32'(u_dut.digit_q[3]), 3));
    signature_q <= kept;
    if (clear_i) signature_q <= '0;
    else if (shift_i) signature_q <= {byte_i, kept[63:8]};
    else if (step_q == 2'd3) signature_q <= signed_of(sign_product_q + (operand_q << 40));
  end

  function automatic logic [63:0] signed_of(logic [63:0] product);
    return product ^ (product >> 29);
  endfunction

  always_comb begin
    // See the module's header.
    Sign_M:  assume (!sign_i || sign_ready);
    Draw_M:  assume (!draw_i || drawn_valid);
    Alone_M: assume (!(shift_i || clear_i) || (drawn_valid && !signing && !draw_i && !sign_i &&
                     !(shift_i && clear_i)));
    if (rst_n) begin
      Drawn_A:   assert (!(drawn_valid && popped_q == tag_q + 4'd1 && pushed_q != tag_q &&
                         waits_q != '0) || drawn == tag_number_q);
      Byte_A:    assert (byte_out == u_dut.random_q[7:0]);
      Signed_A:  assert (signature == kept);
      Signing_A: assert (signing == (step_q != '0) && sign_ready == (step_q == '0 || step_q == 2'd3));
      Time_A:    assert (drawn_valid || waits_q + left <= 5'd12);
      // Steps of a number: its factors, and their product
      Tag_A:     assert (tag_kept);
      First_A:   assert (!is_first[1] || (u_dut.factor_q == (state_q[1] ^ (state_q[1] >> 30)) &&
                         u_dut.constant_q == 64'hbf58_476d_1ce4_e5b9));
      Second_A:  assert (!is_second[1] || (u_dut.factor_q == (first_q[1] ^ (first_q[1] >> 27)) &&
                         u_dut.constant_q == 64'h94d0_49bb_1331_11eb));
      Digits_A:  assert (!u_dut.valid_q[2] || digits_held);
      Sums_A:    assert (!u_dut.valid_q[3] || (u_dut.sum0_q == sum0_q &&
                         64'(u_dut.sum1_q) << 16 == sum1_q && 64'(u_dut.sum2_q) << 32 == sum2_q));
      Total_A:   assert (!u_dut.valid_q[4] || u_dut.product == sums_q + rest_q);
      Mixed_A:   assert (!u_dut.whole_q || u_dut.mixed_q ==
                         32'((whole_second_q ^ (whole_second_q >> 31)) >> 32));
      // Their order
      Valid_A:   assert ((u_dut.second_q & ~u_dut.valid_q) == '0);
      Ahead_A:   assert (4'(u_dut.ahead_q) == begun_q - popped_q && u_dut.ahead_q <= 4'd8);
      Pushed_A:  assert (pushed_q == begun_q - firsts - seconds - 4'(u_dut.whole_q));
      Queue_A:   assert (held <= 4'd8 && u_dut.write_q == pushed_q[2:0] &&
                         u_dut.read_q == popped_q[2:0] &&
                         u_dut.full_q == (held == 4'd8));
      Held_A:    assert (!(4'(tag_q - popped_q) < held) ||
                         u_dut.numbers_q[tag_q[2:0]] == tag_number_q);
      Draws_A:   assert (u_dut.draws_q || (begun_q == '0 && pushed_q == '0 && popped_q == '0 &&
                         u_dut.valid_q == '0 && !u_dut.whole_q && drawn_valid));
      Random_A:  assert (u_dut.random_q == generator);
      // and the signature
      Step_A:    assert (u_dut.sign_q == ((step_q == '0) ? 3'd0 : 3'd1 << (step_q - 2'd1)));
      Value_A:   assert (step_q != 2'd1 || u_dut.value_q == value_q);
      Digit_A:   assert (step_q != 2'd2 || (u_dut.digit_q[0] == digit_q[0] &&
                         u_dut.digit_q[1] == digit_q[1] && u_dut.digit_q[2] == digit_q[2] &&
                         u_dut.digit_q[3] == digit_q[3] && u_dut.upper1_q == operand_q[23:0]));
      Sum_A:     assert (step_q != 2'd3 || (u_dut.sum_q == sign_product_q &&
                         u_dut.upper2_q == operand_q[23:0]));
    end
    Full_C:   cover (rst_n && u_dut.full_q);
    Drawn_C:  cover (rst_n && drawn_valid && popped_q == 4'd3 && drawn == 3'd6);
    Signed_C: cover (rst_n && step_q == 2'd3 && sign_i);
  end

endmodule
