// tetris_context_pairs: two cycles after the differences between neighbouring columns' heights come
// in, it gives for each column the sum of their sizes to the left and to the right, and which of
// -2 .. 2 occur there; the diversity counts all pairs.
module tetris_context_pairs_proof
  import tetris_def_pkg::Columns, tetris_lanes_pkg::bumps_t, tetris_lanes_pkg::occurring_t;
(
  input logic                    clk_i,
  input logic                    valid_i,
  input logic [Columns-2:0][4:0] bumps_i,
  input logic [Columns-2:0]      left_i
);

  occurring_t [Columns-1:0] occurs_left, occurs_right;
  bumps_t [Columns-1:0]     bumps_left, bumps_right;
  logic [2:0]               diversity;

  logic valid1_q = 1'b0, valid2_q = 1'b0;  // there were differences one, two cycles ago

  tetris_context_pairs u_dut (
    .clk_i,
    .valid_i        ({valid1_q, valid_i}),
    .bumps_i,
    .left_i,
    .occurs_left_o  (occurs_left),
    .occurs_right_o (occurs_right),
    .bumps_left_o   (bumps_left),
    .bumps_right_o  (bumps_right),
    .diversity_o    (diversity)
  );

  // The differences of two cycles ago
  logic [Columns-2:0][4:0] bumps1_q, bumps_q;
  logic [Columns-2:0]      left1_q, left_q;
  always_ff @(posedge clk_i) begin
    bumps1_q <= bumps_i;
    left1_q  <= left_i;
    bumps_q  <= bumps1_q;
    left_q   <= left1_q;
    valid1_q <= valid_i;
    valid2_q <= valid1_q;
  end

  // The step from a column's height to that of its right neighbour is d.
  function automatic logic is_step(logic [4:0] size, logic left_higher, int d);
    return int'(size) == (d < 0 ? -d : d) && (d == 0 || left_higher == (d < 0));
  endfunction

  // In threes, as the module has them: the order of a sum's terms changes nothing, but is hard to
  // prove.
  bumps_t [Columns-1:0]     sum_left, sum_right;
  occurring_t [Columns-1:0] steps_left, steps_right;
  bumps_t                   three, threes;
  always_comb begin
    sum_left    = '0;
    sum_right   = '0;
    steps_left  = '0;
    steps_right = '0;
    threes      = '0;
    three       = '0;
    for (int unsigned p = 0; p < Columns - 1; p++) begin
      three         = (p % 3 == 0) ? bumps_t'(bumps_q[p]) : three + bumps_t'(bumps_q[p]);
      sum_left[p+1] = threes + three;
      if (p % 3 == 2) threes = threes + three;
    end
    threes = '0;
    three  = '0;
    for (int p = int'(Columns) - 2; p >= 0; p--) begin
      three        = (p % 3 == 2) ? bumps_t'(bumps_q[p]) : three + bumps_t'(bumps_q[p]);
      sum_right[p] = threes + three;
      if (p % 3 == 0) threes = threes + three;
    end
    for (int unsigned c = 0; c < Columns; c++) begin
      for (int unsigned p = 0; p < Columns - 1; p++) begin
        for (int d = -2; d <= 2; d++) begin
          if (is_step(bumps_q[p], left_q[p], d)) begin
            if (p < c) steps_left[c][d+2] = 1'b1;
            else steps_right[c][d+2] = 1'b1;
          end
        end
      end
    end
  end

  always_comb begin
    if (valid2_q) begin
      Bumps_A:     assert (bumps_left == sum_left && bumps_right == sum_right);
      Occurs_A:    assert (occurs_left == steps_left && occurs_right == steps_right);
      Diversity_A: assert (diversity == 3'($countones(steps_left[Columns-1])));
    end
    Few_C: cover (valid2_q && diversity == 3'd1 && bumps_left[9] == 8'd171);
    All_C: cover (valid2_q && diversity == 3'd5 && bumps_right[4] == 8'd7);
  end

endmodule
