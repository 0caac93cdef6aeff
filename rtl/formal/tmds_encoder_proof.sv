// tmds_encoder: a visible byte's word is decoded to it, has at most five transitions, and leaves the
// ones of all words since the last control word within ten of the zeros; the four control words are
// those of DVI. None of them is a byte's word, as each has seven transitions or more.
module tmds_encoder_proof (
  input logic       clk_i,
  input logic       visible_i,
  input logic [7:0] data_i,
  input logic [1:0] control_i
);

  logic [9:0] word;

  tmds_encoder u_dut (
    .clk_i,
    .visible_i,
    .data_i,
    .control_i,
    .word_o (word)
  );

  // What came in two cycles ago
  logic       visible1_q, visible2_q;
  logic [7:0] data1_q, data2_q;
  logic [1:0] control1_q, control2_q;
  logic [1:0] there_q = '0;
  always_ff @(posedge clk_i) begin
    {visible2_q, visible1_q} <= {visible1_q, visible_i};
    {data2_q, data1_q}       <= {data1_q, data_i};
    {control2_q, control1_q} <= {control1_q, control_i};
    there_q                  <= {there_q[0], 1'b1};
  end

  // As a receiver decodes it
  logic [7:0] bits, decoded;
  always_comb begin
    bits       = word[7:0] ^ {8{word[9]}};
    decoded[0] = bits[0];
    for (int unsigned i = 1; i < 8; i++) decoded[i] = bits[i] ^ bits[i-1] ^ !word[8];
  end

  logic [3:0] transitions;
  assign transitions = 4'($countones(word[9:1] ^ word[8:0]));

  // Ones less zeros since the last control word, the word that leaves now among them
  logic signed [6:0] before_q, surplus;
  logic              known_q = 1'b0;  // a control word has left
  logic              known;
  always_comb begin
    surplus = before_q + 7'(2 * $countones(word)) - 7'sd10;
    if (!visible2_q) surplus = '0;
    known = known_q || !visible2_q;
  end
  always_ff @(posedge clk_i) begin
    before_q <= surplus;
    known_q  <= there_q[1] && known;
  end

  logic [9:0] expected;
  always_comb begin
    unique case (control2_q)
      2'd0:    expected = 10'h354;
      2'd1:    expected = 10'h0ab;
      2'd2:    expected = 10'h154;
      default: expected = 10'h2ab;
    endcase
    if (there_q[1]) begin
      if (visible2_q) begin
        Decoded_A:     assert (decoded == data2_q);
        Transitions_A: assert (transitions <= 4'd5);
      end else begin
        Control_A:     assert (word == expected);
        Distinct_A:    assert (transitions >= 4'd7);
      end
      if (known) begin
        Surplus_A:     assert (surplus >= -7'sd10 && surplus <= 7'sd10);
        // So that the next word follows from what is known here
        Kept_A:        assert (surplus == 7'(u_dut.surplus_q) * 7'sd2);
      end
    end
    Most_C:     cover (there_q[1] && known && visible2_q && surplus == 7'sd8);
    Least_C:    cover (there_q[1] && known && visible2_q && surplus == -7'sd8);
    Inverted_C: cover (there_q[1] && known && visible2_q && word[9] && word[8]);
  end

endmodule
