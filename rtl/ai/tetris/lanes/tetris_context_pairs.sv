// Sums of the differences of neighbouring columns' heights, from the left and from the right. Takes
// the differences each cycle; the sums are valid two cycles later.
module tetris_context_pairs
  import tetris_pkg::Columns, tetris_pkg::height_t, tetris_pkg::pairs_t,
         tetris_lanes_pkg::bumps_t, tetris_lanes_pkg::occurring_t;
(
  input  logic                     clk_i,
  input  logic [1:0]               valid_i,         // [k]: there were bumps k cycles ago
  input  height_t [Columns-2:0]    bumps_i,         // [c] = size of that of columns c and c + 1
  input  pairs_t                   left_i,          // the left column is the higher one
  output occurring_t [Columns-1:0] occurs_left_o,   // [c] = among the pairs up to column c
  output occurring_t [Columns-1:0] occurs_right_o,  // [c] = among those from column c on
  output bumps_t [Columns-1:0]     bumps_left_o,
  output bumps_t [Columns-1:0]     bumps_right_o,
  output logic [2:0]               diversity_o
);

  // The nine pairs are three groups of three: sums inside a group first, then of groups.
  localparam int unsigned Pairs  = Columns - 1;
  localparam int unsigned Size   = 3;
  localparam int unsigned Groups = Pairs / Size;

  function automatic occurring_t occurring(height_t bump, logic left);
    occurring_t found;
    found[0] = bump == 5'd2 && left;
    found[1] = bump == 5'd1 && left;
    found[2] = bump == 5'd0;
    found[3] = bump == 5'd1 && !left;
    found[4] = bump == 5'd2 && !left;
    return found;
  endfunction

  typedef struct packed {
    occurring_t occurs;
    bumps_t     bumps;
  } pair_t;

  function automatic pair_t both(pair_t a, pair_t b);
    return '{occurs: a.occurs | b.occurs, bumps: a.bumps + b.bumps};
  endfunction

  // [p]: the pairs of p's group up to p; from p on
  pair_t up_to_q [Pairs], from_q [Pairs];

  always_ff @(posedge clk_i) begin
    if (valid_i[0]) begin
      automatic pair_t pair [Pairs];
      automatic pair_t up_to [Pairs];
      automatic pair_t from [Pairs];
      for (int unsigned p = 0; p < Pairs; p++) begin
        pair[p] = '{occurs: occurring(bumps_i[p], left_i[p]), bumps: bumps_t'(bumps_i[p])};
      end
      for (int unsigned g = 0; g < Groups; g++) begin
        up_to[g*Size] = pair[g*Size];
        for (int unsigned i = 1; i < Size; i++) begin
          up_to[g*Size+i] = both(up_to[g*Size+i-1], pair[g*Size+i]);
        end
        from[g*Size+Size-1] = pair[g*Size+Size-1];
        for (int i = int'(Size) - 2; i >= 0; i--) begin
          from[int'(g*Size)+i] = both(from[int'(g*Size)+i+1], pair[int'(g*Size)+i]);
        end
      end
      up_to_q <= up_to;
      from_q  <= from;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i[1]) begin
      automatic pair_t left_sum [Columns];
      automatic pair_t right_sum [Columns];
      automatic pair_t left  = '0;  // the groups left of a pair's, right of it
      automatic pair_t right = '0;
      left_sum[0]          = '0;
      right_sum[Columns-1] = '0;
      for (int unsigned p = 0; p < Pairs; p++) begin
        left_sum[p+1] = both(left, up_to_q[p]);
        if (p % Size == Size - 1) left = left_sum[p+1];
      end
      for (int p = int'(Pairs) - 1; p >= 0; p--) begin
        right_sum[p] = both(right, from_q[p]);
        if (p % int'(Size) == 0) right = right_sum[p];
      end
      for (int unsigned c = 0; c < Columns; c++) begin
        occurs_left_o[c]  <= left_sum[c].occurs;
        occurs_right_o[c] <= right_sum[c].occurs;
        bumps_left_o[c]   <= left_sum[c].bumps;
        bumps_right_o[c]  <= right_sum[c].bumps;
      end
      diversity_o <= 3'($countones(left_sum[Columns-1].occurs));
    end
  end

endmodule
