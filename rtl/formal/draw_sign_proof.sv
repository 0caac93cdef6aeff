// draw_sign: what is drawn and what is signed are what the module's head says, for any state of
// the generator, any signature and any values; draws and values take turns, and both end in time.
// A draw changes the generator's state alone, a value the signature alone.
//
// Products: the ten digit products of each come in order, of the right digits, and what is made of
// them is their sum, each moved by 16 bits for a column, modulo 2^64. That this sum is the product
// is multiplication in columns as taught at school; a single product of two digits is Yosys'.
module draw_sign_proof (
  input logic       clk_i,
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
  logic        drawn_valid, signing;
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
    .value_i,
    .signing_o     (signing),
    .signature_o   (signature)
  );

  // Cycles of a product, and of a draw and a value that need not wait for each other
  localparam logic [3:0] Product = 4'd13;
  localparam logic [5:0] Draw = 6'd30, Value = 6'd15;

  localparam logic [2:0] StIdle = 3'd0, StStep = 3'd1, StFirst = 3'd2, StSecond = 3'd3,
                         StNumber = 3'd4, StSign = 3'd5;
  logic [2:0] state;
  assign state = u_dut.state_q;

  // ------------------------------------------------------------------------------- product
  logic [3:0]  run_q;     // cycles since a product began
  logic [63:0] factor, constant;
  logic [31:0] digits_q;  // product of two digits
  logic [63:0] total_q;   // of those that came
  logic        multiplies;
  assign multiplies = state inside {StFirst, StSecond, StSign};

  // Of the product of digits that is number n: the digit of the first factor, the column
  function automatic logic [1:0] one_of(logic [3:0] n);
    return (n == 4'd2 || n == 4'd4 || n == 4'd7) ? 2'd1 :
           (n == 4'd5 || n == 4'd8) ? 2'd2 : (n == 4'd9) ? 2'd3 : 2'd0;
  endfunction
  function automatic logic [1:0] column_of(logic [3:0] n);
    return (n == 4'd0) ? 2'd0 : (n < 4'd3) ? 2'd1 : (n < 4'd6) ? 2'd2 : 2'd3;
  endfunction
  function automatic logic ends_column(logic [3:0] n);
    return n == 4'd0 || n == 4'd2 || n == 4'd5 || n == 4'd9;
  endfunction
  // Of the first n: columns that are whole, and products of the one under way
  function automatic logic [2:0] columns_of(logic [3:0] n);
    return (n == 4'd0) ? 3'd0 : (n < 4'd3) ? 3'd1 : (n < 4'd6) ? 3'd2 : (n < 4'd10) ? 3'd3 : 3'd4;
  endfunction
  function automatic logic [2:0] begun_of(logic [3:0] n);
    return (n == 4'd0 || n == 4'd10) ? 3'd0 : (n < 4'd3) ? 3'(n - 4'd1) :
           (n < 4'd6) ? 3'(n - 4'd3) : 3'(n - 4'd6);
  endfunction

  logic [63:0] random_q;     // what the generator's state has to be, the draw under way counted
  logic [63:0] signature_q;  // what the signature has to be
  logic [7:0]  value_q;      // what came last
  logic [63:0] first_q, second_q;  // the products of a draw
  always_comb begin
    factor   = random_q ^ (random_q >> 30);
    constant = 64'hbf58_476d_1ce4_e5b9;
    if (state == StSecond) begin
      factor   = first_q ^ (first_q >> 27);
      constant = 64'h94d0_49bb_1331_11eb;
    end else if (state == StSign) begin
      factor   = signature_q ^ 64'(value_q);
      constant = 64'h0000_0100_0000_01b3;
    end
  end

  logic [3:0] done;  // products of digits that are in the sum
  assign done = (run_q > 4'd2) ? run_q - 4'd2 : 4'd0;

  logic [63:0] moved;
  assign moved = 64'(digits_q) << (6'd16 * 6'(column_of(done)));

  always_ff @(posedge clk_i) begin
    digits_q <= u_dut.a_q * u_dut.b_q;
    if (!rst_n || !multiplies || run_q == Product - 4'd1) begin
      run_q   <= '0;
      total_q <= '0;
    end else begin
      run_q <= run_q + 4'd1;
      if (run_q >= 4'd2) total_q <= total_q + moved;
    end
  end

  // What the columns that are whole come to
  logic [63:0] columns;
  always_comb begin
    unique case (columns_of(done))
      3'd0:    columns = '0;
      3'd1:    columns = u_dut.result_q >> 48;
      3'd2:    columns = u_dut.result_q >> 32;
      3'd3:    columns = u_dut.result_q >> 16;
      default: columns = u_dut.result_q;
    endcase
  end
  // Cannot overflow but in the last column, whose upper bits nobody needs
  logic [33:0] most;
  assign most = 34'h3_ffff + 34'(begun_of(done)) * 34'hffff_ffff;

  // --------------------------------------------------------------------------------- turns
  // State and signature are data: what they are behind a reset is taken as it is.
  logic        fresh_q;
  logic [63:0] random, kept;
  assign random = fresh_q ? u_dut.random_q : random_q;
  assign kept   = fresh_q ? signature : signature_q;

  logic       drew_q;               // something was drawn since the reset
  logic [5:0] drawing_q, signed_q;  // cycles since it was requested
  logic       ends;                 // a product
  assign ends = run_q == Product - 4'd1;

  always_ff @(posedge clk_i) begin
    fresh_q   <= !rst_n;
    if (sign_i) value_q <= value_i;
    drawing_q <= draw_i ? 6'd1 : drawing_q + 6'(drawing_q != 6'd63);
    signed_q  <= sign_i ? 6'd1 : signed_q + 6'(signed_q != 6'd63);
    if (state == StFirst && ends) first_q <= total_q;
    if (state == StSecond && ends) second_q <= total_q;
    drew_q <= rst_n && (drew_q || draw_i);

    random_q <= shift_i ? {kept[7:0], random[63:8]} :
                draw_i ? random + 64'h9e37_79b9_7f4a_7c15 : random;
    signature_q <= clear_i ? '0 : shift_i ? {byte_i, kept[63:8]} :
                   (state == StSign && ends) ? total_q ^ (total_q >> 29) : kept;
  end

  logic [63:0] number;  // that a draw is made of
  assign number = second_q ^ (second_q >> 31);

  // Cycles until what waits is done
  logic [5:0] draw_left, sign_left, product_left;
  assign product_left = 6'(Product - run_q);
  always_comb begin
    unique case (state)
      StStep:   draw_left = 6'd28;
      StFirst:  draw_left = product_left + 6'd14;
      StSecond: draw_left = product_left + 6'd1;
      StNumber: draw_left = 6'd1;
      StSign:   draw_left = product_left + 6'd29;
      default:  draw_left = signing ? 6'd43 : 6'd29;
    endcase
    if (state == StSign) sign_left = product_left;
    else if (state == StIdle) sign_left = 6'd14;
    else sign_left = draw_left + 6'd14;
  end

  always_comb begin
    // One at a time, see the module's head
    Sign_M:  assume (!sign_i || !signing);
    Draw_M:  assume (!draw_i || drawn_valid);
    Alone_M: assume (!(shift_i || clear_i) || (drawn_valid && !signing && !draw_i && !sign_i &&
                     !(shift_i && clear_i)));
    if (rst_n) begin
      Drawn_A:   assert (!(drew_q && drawn_valid) ||
                         drawn == 3'((35'(number[63:32]) * 35'd7) >> 32));
      Random_A:  assert (!drawn_valid || u_dut.random_q == random);
      Byte_A:    assert (!drawn_valid || byte_out == random[7:0]);
      Signed_A:  assert (signature == kept);
      DrawEnd_A: assert (drawn_valid || drawing_q + draw_left <= Draw + Value);
      SignEnd_A: assert (!signing || signed_q + sign_left <= Draw + Value);

      // How it keeps this: turns
      State_A:   assert (state <= StSign && (state != StSign || signing) &&
                         (!(state inside {StStep, StFirst, StSecond, StNumber}) || !drawn_valid));
      Fresh_A:   assert (!fresh_q || (state == StIdle && drawn_valid && !signing && run_q == '0));
      Step_A:    assert (drawn_valid || random == u_dut.random_q +
                         ((state inside {StIdle, StSign, StStep}) ? 64'h9e37_79b9_7f4a_7c15 : '0));
      Value_A:   assert (!signing || u_dut.value_q == value_q);
      Second_A:  assert (state != StSecond || u_dut.mixed_q == (first_q ^ (first_q >> 27)));
      Number_A:  assert (state != StNumber || u_dut.mixed_q == number);
      // A product: which digits when
      Run_A:     assert (run_q < Product && (multiplies || run_q == '0));
      Issue_A:   assert (u_dut.issuing_q == (run_q < 4'd10));
      One_A:     assert (u_dut.one_q == ((run_q < 4'd10) ? one_of(run_q) : 2'd0));
      Column_A:  assert (u_dut.column_q == ((run_q < 4'd10) ? column_of(run_q) : 2'd0));
      Valid_A:   assert (u_dut.valid_q == {run_q >= 4'd2 && run_q <= 4'd11,
                                           run_q >= 4'd1 && run_q <= 4'd10});
      First_A:   assert (!u_dut.valid_q[0] || (u_dut.ends_q[0] == ends_column(run_q - 4'd1) &&
                         u_dut.a_q == factor[16*one_of(run_q - 4'd1) +: 16] &&
                         u_dut.b_q == constant[16*2'(column_of(run_q - 4'd1) -
                                               one_of(run_q - 4'd1)) +: 16]));
      Digits_A:  assert (!u_dut.valid_q[1] || (u_dut.ends_q[1] == ends_column(run_q - 4'd2) &&
                         u_dut.product_q == digits_q));
      Whole_A:   assert (u_dut.whole_q == ends);
      // and what has been added up
      Columns_A: assert (u_dut.columns_q == 2'(columns_of(done)));
      Most_A:    assert (columns_of(done) >= 3'd3 || u_dut.sum_q <= most);
      Begun_A:   assert ((done != 4'd0 && done != 4'd10) || u_dut.sum_q == '0);
      Total_A:   assert (total_q == columns + (64'(u_dut.sum_q) << (6'd16 * 6'(columns_of(done)))));
    end
    Both_C:   cover (rst_n && signing && !drawn_valid && state == StSign && drew_q);
    Drawn_C:  cover (rst_n && drew_q && drawn_valid && drawn == 3'd6);
    Signed_C: cover (rst_n && !signing && signed_q == 6'd17);
  end

endmodule
