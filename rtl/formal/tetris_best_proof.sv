// tetris_best: the answer is one of the legal placements that arrived, and none that arrived is
// better: none has a higher score, none with the same score comes earlier in order. Without a
// legal one it is all zeros. Done from two cycles after the last of count_i arrivals.
//
// Any placement may be the watched one, any arrival may be the answer: two tags stand for all.
// Placements differ in their candidates. The candidate's number is {rotation, column} here: only
// its order is looked at, and that is the order of the candidates (tetris_enum).
module tetris_best_proof (
  input logic                   clk_i,
  input logic                   start_i,
  input logic [5:0]             count_i,
  input logic                   valid_i,
  input logic signed [47:0]     score_i,
  input logic [4:0]             rows_cleared_i,
  input tetris_pkg::placement_t placement_i,
  input logic                   tag_i,
  input logic signed [47:0]     some_score_i,
  input logic [4:0]             some_rows_cleared_i,
  input tetris_pkg::placement_t some_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic               done, legal;
  logic [1:0]         rotation;
  logic [3:0]         column;
  logic [4:0]         row, rows_cleared;
  logic signed [47:0] score;

  tetris_best u_dut (
    .clk_i,
    .rst_ni         (rst_n),
    .start_i,
    .count_i,
    .score_valid_i  (valid_i),
    .score_i,
    .rows_cleared_i,
    .placement_i,
    .done_o         (done),
    .legal_o        (legal),
    .rotation_o     (rotation),
    .column_o       (column),
    .row_o          (row),
    .rows_cleared_o (rows_cleared),
    .score_o        (score)
  );

  // What arrived in the cycle before; it counts from now on
  logic                   valid_q;
  logic signed [47:0]     last_score_q;
  logic [4:0]             last_rows_cleared_q;
  tetris_pkg::placement_t last_q;
  logic                   last_tag_q;

  always_ff @(posedge clk_i) begin
    valid_q <= rst_n && valid_i && !start_i;
    if (valid_i) begin
      last_score_q        <= score_i;
      last_rows_cleared_q <= rows_cleared_i;
      last_q              <= placement_i;
      last_tag_q          <= tag_i;
    end
  end

  // The watched placement, once it has arrived and was legal
  logic               tagged_q;
  logic signed [47:0] tag_score_q;
  logic [5:0]         tag_number_q;
  // Some answer, fixed beforehand, and whether it has arrived
  logic               arrived_q;
  logic signed [47:0] some_score_q;
  logic [4:0]         some_rows_cleared_q;
  tetris_pkg::placement_t some_q;
  logic [5:0]         number_q;   // placements that arrived
  logic               any_q;      // a legal one did

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      some_score_q        <= some_score_i;
      some_rows_cleared_q <= some_rows_cleared_i;
      some_q              <= some_i;
    end
    if (!rst_n || start_i) begin
      tagged_q  <= 1'b0;
      arrived_q <= 1'b0;
      number_q  <= '0;
      any_q     <= 1'b0;
    end else if (valid_q) begin
      number_q <= number_q + 6'd1;
      if (last_q.legal) begin
        any_q <= 1'b1;
        if (last_tag_q && !tagged_q) begin
          tagged_q     <= 1'b1;
          tag_score_q  <= last_score_q;
          tag_number_q <= last_q.candidate.number;
        end
        if (last_q == some_q && last_score_q == some_score_q &&
            last_rows_cleared_q == some_rows_cleared_q) arrived_q <= 1'b1;
      end
    end
  end

  logic is_some;
  assign is_some = rotation == some_q.candidate.rotation && column == some_q.candidate.column &&
                   row == some_q.row && rows_cleared == some_rows_cleared_q &&
                   score == some_score_q;

  always_comb begin
    Number_M: assume (placement_i.candidate.number ==
                      {placement_i.candidate.rotation, placement_i.candidate.column});
    Some_M:   assume (some_i.legal && some_i.candidate.number ==
                      {some_i.candidate.rotation, some_i.candidate.column});
    Count_M:  assume (!rst_n || count_i == '0 ||
                      number_q + 6'(valid_q) + 6'(valid_i) <= count_i);
    if (rst_n) begin
      Legal_A:   assert (legal == any_q);
      Any_A:     assert (any_q || (!tagged_q && !arrived_q));
      Best_A:    assert (!tagged_q || score > tag_score_q ||
                         (score == tag_score_q && {rotation, column} <= tag_number_q));
      Arrived_A: assert (!(legal && is_some) || arrived_q);
      Zeros_A:   assert (legal || {rotation, column, row, rows_cleared, score} == '0);
      // What the answer does not show, and that the fixed one stays what it was
      Some_A:    assert (some_q.legal && some_q.candidate.number ==
                         {some_q.candidate.rotation, some_q.candidate.column});
      Number_A:  assert (!legal || u_dut.best_q.placement.candidate.number == {rotation, column});
      // The one that arrived last, and how it compares with the best as that is now
      Last_A:    assert (!valid_q || (u_dut.last_q == {last_q, last_rows_cleared_q, last_score_q} &&
                         last_q.candidate.number ==
                         {last_q.candidate.rotation, last_q.candidate.column}));
      Valid_A:   assert (u_dut.valid_q == valid_q);
      Ahead_A:   assert (!valid_q || !legal ||
                         (u_dut.replaced_q ? u_dut.ahead_of_last_q : u_dut.ahead_of_best_q) ==
                         (u_dut.last_rank > u_dut.best_rank));
      Count_A:   assert (u_dut.arrived_q == number_q);
      Done_A:    assert (done == (count_i != '0 && number_q == count_i));
    end
    Tie_C:  cover (rst_n && tagged_q && done && score == tag_score_q &&
                   {rotation, column} < tag_number_q && score < 0);
    None_C: cover (rst_n && done && !legal && count_i == 6'd3);
  end

endmodule
