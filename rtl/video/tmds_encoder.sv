// Encodes a channel of DVI: 8 bits of a colour into a word of ten bits with few transitions and as
// many ones as zeros in the long run, or one of four control words where nothing is visible (DVI
// 1.0, 3.2).
//
// Drive it: a byte and the control bits with every cycle. `word_o` is theirs two cycles later; its
// bit 0 is sent first.
module tmds_encoder (
  input  logic       clk_i,
  input  logic       visible_i,
  input  logic [7:0] data_i,
  input  logic [1:0] control_i,
  output logic [9:0] word_o
);

  // ------------------------------------------------------------------ 1: fewer transitions
  logic       visible_q;
  logic [1:0] control_q;
  logic [8:0] chained_q, chained;  // bit 8: by XOR, not XNOR
  logic [3:0] ones;
  logic       by_xnor;

  assign ones    = 4'($countones(data_i));
  assign by_xnor = ones > 4'd4 || (ones == 4'd4 && !data_i[0]);

  // Each bit by XOR, or XNOR, of the one before: the parity of all up to it.
  for (genvar i = 0; i < 8; i++) begin : gen_chained
    assign chained[i] = ^data_i[i:0] ^ (by_xnor && i % 2 == 1);
  end
  assign chained[8] = !by_xnor;

  always_ff @(posedge clk_i) begin
    visible_q <= visible_i;
    control_q <= control_i;
    chained_q <= chained;
  end

  // ------------------------------------------------------------- 2: as many ones as zeros
  // Ones less zeros, of all words since the last control word and of this byte: even numbers, so
  // halved here.
  logic signed [3:0] surplus_q, surplus_d;
  logic signed [3:0] more;
  logic              inverts;
  logic [9:0]        word_q, word_d;

  assign more = 4'($countones(chained_q[7:0])) - 4'sd4;

  always_comb begin
    inverts = (surplus_q > 4'sd0) == (more > 4'sd0);
    if (surplus_q == 4'sd0 || more == 4'sd0) inverts = !chained_q[8];
    word_d = {inverts, chained_q[8], inverts ? ~chained_q[7:0] : chained_q[7:0]};
    // Bits 8 and 9 count as well.
    unique case ({inverts, chained_q[8]})
      2'b00:   surplus_d = surplus_q + more - 4'sd1;
      2'b01:   surplus_d = surplus_q + more;
      2'b10:   surplus_d = surplus_q - more;
      default: surplus_d = surplus_q - more + 4'sd1;
    endcase
    if (!visible_q) begin
      surplus_d = '0;
      unique case (control_q)
        2'b00:   word_d = 10'b1101010100;
        2'b01:   word_d = 10'b0010101011;
        2'b10:   word_d = 10'b0101010100;
        default: word_d = 10'b1010101011;
      endcase
    end
  end

  // No reset: a picture begins with control words.
  always_ff @(posedge clk_i) begin
    surplus_q <= surplus_d;
    word_q    <= word_d;
  end

  assign word_o = word_q;

endmodule
