// tetris_lookahead: the answer is the best first placement by the definition (the README of the
// game): the one that survives with more pieces; among these the one with the higher sum over the
// pieces, each piece's score with what the first move adds; among these the one of the lower
// {rotation, column}. Its score is the mean, rounded down. If none survives, the answer is plain_i.
// It is given in the first cycle of done_o, once every landed placement has had its best for the
// next piece, or for each of the seven, and never before; within 60 cycles then. A start at any time
// forgets everything.
//
// One first placement is watched, any of them: what holds for it holds for every one. Its sum is
// exact, and counts once, in the order in which it was given; the answer is the best of those that
// count. What a move adds is the sum of weight times feature, by the weights' digits (see
// tetris_lane_score_proof). The mean: times the divisor, and with a rest below the divisor, it is
// the sum; both with an offset that makes them positive.
//
// The lanes are not there: bests come at any time, 5 cycles after their first placement or later,
// with scores of at most 2^45 (the definition has less). At most 15 first placements are under way,
// 34 land.
module tetris_lookahead_proof
  import tetris_def_pkg::LowBits, tetris_def_pkg::bounded, tetris_def_pkg::cells,
         tetris_def_pkg::cells_t, tetris_def_pkg::high_of, tetris_def_pkg::low_of,
         tetris_def_pkg::wide_t, tetris_lanes_pkg::best_t, tetris_lanes_pkg::placing_t,
         tetris_pkg::weights_t;
#(
  parameter int unsigned Lanes = 2
) (
  input logic             clk_i,
  input weights_t         weights_i,
  input logic             start_i,
  input logic             all_i,
  input logic [Lanes-1:0] landed_i,
  input logic             landed_end_i,
  input logic             first_i,
  input placing_t         placing_i,
  input logic [4:0]       row_i,
  input logic [4:0]       cleared_i,
  input logic [6:0]       eroded_i,
  input logic             best_valid_i,
  input best_t            best_i,
  input best_t            plain_i,
  input logic             tag_i      // the first placement of this cycle is watched
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic  done;
  best_t best;

  tetris_lookahead #(
    .Lanes (Lanes)
  ) u_dut (
    .clk_i,
    .rst_ni       (rst_n),
    .weights_i,
    .start_i,
    .all_i,
    .landed_i,
    .landed_end_i,
    .first_i,
    .placing_i,
    .row_i,
    .cleared_i,
    .eroded_i,
    .best_valid_i,
    .best_i,
    .plain_i,
    .done_o       (done),
    .best_o       (best)
  );

  typedef logic [7:0] count_t;

  // Weights, and whether each piece may follow: steady from a start on
  weights_t weights_q;
  logic     all_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n || start_i) begin
      weights_q <= weights_i;
      all_q     <= all_i;
    end
  end

  logic forgets;
  assign forgets = !rst_n || start_i;

  // ---------------------------------------------------------------------- what a first move adds
  localparam int unsigned MostTerm = 127;  // of what is multiplied

  // Its landing height, doubled
  function automatic logic [6:0] landing_height(placing_t placing, logic [4:0] row);
    cells_t shape;
    shape          = cells(placing.piece, placing.rotation);
    landing_height = {1'b0, row, 1'b0};
    for (int unsigned dy = 1; dy < 4; dy++) begin
      if (shape[dy] != '0) landing_height = landing_height + 7'd1;
    end
  endfunction

  // In the order of the weights: landing height, eroded cells, rows cleared
  logic [2:0][6:0] terms1_q;
  wide_t [2:0]     low2_q, high2_q;
  wide_t           low3_q, high3_q, move4_q;
  logic [4:1]      first_q;  // [k]: came k cycles ago
  always_ff @(posedge clk_i) begin
    first_q  <= forgets ? '0 : {first_q[3:1], first_i};
    terms1_q <= {2'b0, cleared_i, eroded_i, landing_height(placing_i, row_i)};
    for (int unsigned i = 0; i < 3; i++) begin
      low2_q[i]  <= low_of(weights_i[i]) * wide_t'({1'b0, u_dut.terms_q[i]});
      high2_q[i] <= high_of(weights_i[i]) * wide_t'({1'b0, u_dut.terms_q[i]});
    end
    low3_q  <= low2_q[0] + low2_q[1] + low2_q[2];
    high3_q <= high2_q[0] + high2_q[1] + high2_q[2];
    move4_q <= (high3_q <<< LowBits) + low3_q;
  end

  // ---------------------------------------------------------------------- sums of first placements
  typedef struct packed {
    logic [2:0] survivors;
    wide_t      sum;
    logic [1:0] rotation;
    logic [3:0] column;
    logic [4:0] row;
    logic [4:0] cleared;
  } total_t;

  localparam wide_t Most     = 64'sd1 <<< 45;  // of a score
  localparam wide_t MostMove = 64'sd1 <<< 41;  // of what a move adds

  function automatic logic inside_of(wide_t value, wide_t most);
    return value <= most && value >= -most;
  endfunction

  function automatic logic is_better(total_t a, total_t b);
    if (a.survivors != b.survivors) return a.survivors > b.survivors;
    if (a.sum != b.sum) return a.sum > b.sum;
    return {a.rotation, a.column} < {b.rotation, b.column};
  endfunction

  function automatic wide_t times(logic [2:0] number, wide_t value);
    return (number[0] ? value : '0) + (number[1] ? value <<< 1 : '0)
         + (number[2] ? value <<< 2 : '0);
  endfunction

  count_t     landed_q, given_q, whole_q;  // first placements
  logic       end_q;
  logic [2:0] pieces_q, survivors_q, survivors;  // of the one that is next
  wide_t      sum_q, sum;
  logic       whole;
  assign survivors = survivors_q + 3'(best_i.legal);
  assign sum       = sum_q + (best_i.legal ? wide_t'(signed'(best_i.rank.score)) : '0);
  assign whole     = best_valid_i && (!all_i || pieces_q == 3'd6);

  // The watched one
  typedef enum logic [2:0] {
    StNone,
    StWaits,   // for its last piece
    StWhole1,  // whole, so many cycles ago
    StWhole2,
    StWhole3,
    StCounts
  } phase_e;

  phase_e     phase_q;
  logic [2:0] age_q;     // cycles since it was given, 5 for more
  count_t     ahead_q;   // first placements before it
  logic [3:0] place_q;
  wide_t      move_q;    // what its move adds
  total_t     tag_q;     // without its moves, and in the end with them
  logic       tags;
  assign tags = first_i && tag_i && phase_q == StNone;

  always_ff @(posedge clk_i) begin
    if (forgets) begin
      landed_q    <= '0;
      given_q     <= '0;
      whole_q     <= '0;
      end_q       <= 1'b0;
      pieces_q    <= '0;
      survivors_q <= '0;
      sum_q       <= '0;
      phase_q     <= StNone;
    end else begin
      landed_q <= landed_q + count_t'($countones(landed_i));
      given_q <= given_q + count_t'(first_i);
      whole_q <= whole_q + count_t'(whole);
      end_q   <= end_q || landed_end_i;
      if (best_valid_i) begin
        pieces_q    <= whole ? '0 : pieces_q + 3'd1;
        survivors_q <= whole ? '0 : survivors;
        sum_q       <= whole ? '0 : sum;
      end
      if (age_q != 3'd5) age_q <= age_q + 3'd1;
      if (age_q == 3'd4) move_q <= move4_q;
      if (tags) begin
        phase_q  <= StWaits;
        age_q    <= 3'd1;
        ahead_q  <= given_q - whole_q - count_t'(whole);
        place_q  <= u_dut.write_q;
        tag_q    <= '{survivors: '0, sum: '0, rotation: placing_i.rotation,
                      column: placing_i.column, row: row_i, cleared: cleared_i};
      end
      if (phase_q == StWaits && whole) begin
        if (ahead_q != '0) begin
          ahead_q <= ahead_q - count_t'(1);
        end else begin
          phase_q         <= StWhole1;
          tag_q.survivors <= survivors;
          tag_q.sum       <= sum;
        end
      end
      if (phase_q == StWhole1) phase_q <= StWhole2;
      if (phase_q == StWhole2) begin
        phase_q   <= StWhole3;
        tag_q.sum <= tag_q.sum + times(tag_q.survivors, move_q);
      end
      if (phase_q == StWhole3) phase_q <= StCounts;
    end
  end

  // The best of what counts
  total_t kept_q, counted;
  always_comb begin
    counted = '{survivors: u_dut.total3_q.survivors, sum: wide_t'(signed'(u_dut.total3_q.sum)),
                rotation: u_dut.total3_q.first.rotation, column: u_dut.total3_q.first.column,
                row: u_dut.total3_q.first.row, cleared: u_dut.total3_q.first.cleared};
  end
  always_ff @(posedge clk_i) begin
    if (forgets) begin
      kept_q <= '0;
    end else if (u_dut.valid_q[3] && counted.survivors != '0 &&
                 (kept_q.survivors == '0 || is_better(counted, kept_q))) begin
      kept_q <= counted;
    end
  end

  // ---------------------------------------------------------------------- the mean
  localparam int unsigned Bits = 55;
  wide_t dividend, product_q, prefix_q;  // product_q: of quotient_q and the divisor
  logic [Bits-1:0] quotient_q;
  wide_t offset;
  logic  bit_;
  assign offset   = times(kept_q.survivors, 64'sd1 <<< 51);
  assign dividend = kept_q.sum + offset;
  assign bit_     = u_dut.rest >= 4'(u_dut.best_q.survivors);
  always_ff @(posedge clk_i) begin
    if (!u_dut.divides_q) begin
      product_q  <= '0;
      prefix_q   <= '0;
      quotient_q <= '0;
    end else begin
      product_q  <= (product_q <<< 1) + (bit_ ? wide_t'({1'b0, kept_q.survivors}) : '0);
      prefix_q   <= (prefix_q <<< 1) + wide_t'({1'b0, u_dut.dividend_q[Bits-1]});
      quotient_q <= {quotient_q[Bits-2:0], bit_};
    end
  end

  count_t under_way, scoring, counting, waits_q;  // waits_q: cycles since all are whole
  logic   all_whole, done_q;
  assign under_way = given_q - whole_q;
  assign scoring   = count_t'(first_q[1]) + count_t'(first_q[2]) + count_t'(first_q[3])
                   + count_t'(first_q[4]);
  assign counting  = count_t'(u_dut.valid_q[1]) + count_t'(u_dut.valid_q[2])
                   + count_t'(u_dut.valid_q[3]);
  assign all_whole = end_q && whole_q == landed_q;
  always_ff @(posedge clk_i) begin
    waits_q <= forgets || !all_whole ? '0 : waits_q + count_t'(waits_q != '1);
    done_q  <= !forgets && done;
  end

  logic moves_ok;  // of those that are scored and not whole
  always_comb begin
    moves_ok = 1'b1;
    for (int unsigned i = 0; i < 16; i++) begin
      if (count_t'(4'(4'(i) - u_dut.read_q)) < under_way - scoring &&
          !inside_of(wide_t'(signed'(u_dut.moves_q[i])), MostMove)) moves_ok = 1'b0;
    end
  end

  count_t newer;  // under way after the watched one, of those whose moves are not scored
  always_comb begin
    newer = '0;
    for (int unsigned k = 1; k <= 4; k++) if (k < 32'(age_q)) newer = newer + count_t'(first_q[k]);
  end

  always_comb begin
    Steady_M: assume (start_i || (weights_i == weights_q && all_i == all_q));
    Landed_M: assume (landed_q + count_t'($countones(landed_i)) <= count_t'(34) &&
                      (!end_q || (landed_i == '0 && !landed_end_i)));
    First_M:  assume (!first_i || (given_q < landed_q && under_way < count_t'(15)));
    Best_M:   assume (!best_valid_i || under_way > scoring);
    Score_M:  assume (wide_t'(signed'(best_i.rank.score)) < Most &&
                      wide_t'(signed'(best_i.rank.score)) > -Most);
    Row_M:    assume (row_i < 5'd20);
    if (rst_n) begin
      // The answer
      Done_A:   assert (!done || all_whole);
      Time_A:   assert (done || waits_q <= count_t'(58));
      Plain_A:  assert (!done || kept_q.survivors != '0 || best == plain_i);
      Answer_A: assert (!done || kept_q.survivors == '0 || (best.legal &&
                        best.rank.not_rotation == ~kept_q.rotation &&
                        best.rank.not_column == ~kept_q.column && best.row == kept_q.row &&
                        best.rows_cleared == kept_q.cleared));
      Single_A: assert (!done || kept_q.survivors != 3'd1 ||
                        wide_t'(signed'(best.rank.score)) == kept_q.sum);
      Mean_A:   assert (!done || done_q || kept_q.survivors <= 3'd1 ||
                        (wide_t'(signed'(best.rank.score)) ==
                         wide_t'({1'b0, quotient_q}) - (64'sd1 <<< 51)));
      Rest_A:   assert (!done || done_q || kept_q.survivors <= 3'd1 || (product_q <= dividend &&
                        dividend - product_q < wide_t'({1'b0, kept_q.survivors})));
      Best_A:   assert (phase_q != StCounts || tag_q.survivors == '0 || !is_better(tag_q, kept_q));
      All_A:    assert (!(done && phase_q != StNone) || phase_q == StCounts);
      // What a first move adds
      Terms_A:  assert (!first_q[1] || (u_dut.terms_q == terms1_q && terms1_q[0] <= 7'd41));
      Low3_A:   assert (!first_q[3] || (low3_q == wide_t'({1'b0, u_dut.low3_q}) &&
                        high3_q == wide_t'(u_dut.high3_q) && bounded(low3_q, high3_q, 3, MostTerm)));
      Move4_A:  assert (!first_q[4] || (move4_q == wide_t'(u_dut.move_score_q) &&
                        inside_of(move4_q, MostMove)));
      First_A:  assert (u_dut.move_q == first_q);
      // Their order
      Places_A: assert (under_way <= count_t'(15) && scoring <= under_way &&
                        u_dut.write_q == u_dut.read_q + 4'(under_way) &&
                        u_dut.moves_write_q == u_dut.write_q - 4'(scoring) && given_q <= landed_q);
      Tag_A:    assert (phase_q != StWaits || (ahead_q < under_way && tag_q.survivors == '0 &&
                        place_q == u_dut.read_q + ahead_q[3:0] && age_q != '0 && age_q <= 3'd5 &&
                        under_way - ahead_q - count_t'(1) >= newer &&
                        (age_q == 3'd5 ? ahead_q < under_way - scoring
                                       : (first_q[age_q] &&
                                          under_way - ahead_q - count_t'(1) == newer))));
      Kept_A:   assert (phase_q != StWaits || u_dut.firsts_q[place_q] ==
                        {tag_q.row, tag_q.cleared, tag_q.rotation, tag_q.column});
      Move_A:   assert (phase_q inside {StNone, StCounts} || age_q < 3'd5 ||
                        (inside_of(move_q, MostMove) &&
                         (phase_q != StWaits ||
                          wide_t'(signed'(u_dut.moves_q[place_q])) == move_q)));
      Old_A:    assert (phase_q inside {StNone, StWaits} || age_q == 3'd5);
      // Sums
      Pieces_A: assert (u_dut.piece_q == pieces_q && u_dut.survivors_q == survivors_q &&
                        survivors_q <= pieces_q && pieces_q <= 3'd6 &&
                        wide_t'(u_dut.sum_q) == sum_q && (all_q || pieces_q == '0));
      Sum_A:    assert (inside_of(sum_q, times(survivors_q, Most)));
      Whole_A:  assert (u_dut.valid_q[3:1] == '0 || whole_q >= counting);
      Total1_A: assert (phase_q != StWhole1 || (u_dut.valid_q[1] && wide_t'(u_dut.move1_q) ==
                        move_q && u_dut.total1_q == {tag_q.survivors, tag_q.sum[51:0], tag_q.row,
                                                     tag_q.cleared, tag_q.rotation, tag_q.column}));
      Total2_A: assert (phase_q != StWhole2 || (u_dut.valid_q[2] && wide_t'(u_dut.moves2_q) ==
                        times(tag_q.survivors, move_q) &&
                        u_dut.total2_q == {tag_q.survivors, tag_q.sum[51:0], tag_q.row,
                                           tag_q.cleared, tag_q.rotation, tag_q.column}));
      Total3_A: assert (phase_q != StWhole3 || (u_dut.valid_q[3] && counted == tag_q));
      Range_A:  assert (!(phase_q inside {StWhole1, StWhole2}) ||
                        inside_of(tag_q.sum, times(tag_q.survivors, Most)));
      // None of any first placement is too large.
      Moves_A:  assert (moves_ok);
      Range1_A: assert (!u_dut.valid_q[1] || (inside_of(wide_t'(u_dut.move1_q), MostMove) &&
                        inside_of(wide_t'(signed'(u_dut.total1_q.sum)),
                               times(u_dut.total1_q.survivors, Most))));
      Range2_A: assert (!u_dut.valid_q[2] || (inside_of(wide_t'(u_dut.moves2_q),
                                                     times(u_dut.total2_q.survivors, MostMove)) &&
                        inside_of(wide_t'(signed'(u_dut.total2_q.sum)),
                               times(u_dut.total2_q.survivors, Most))));
      Range3_A: assert (!u_dut.valid_q[3] || inside_of(counted.sum,
                                                    times(counted.survivors, Most + MostMove)));
      Range_kept_A: assert (inside_of(kept_q.sum, times(kept_q.survivors, Most + MostMove)));
      Best_is_A: assert (u_dut.best_q == {kept_q.survivors, kept_q.sum[51:0], kept_q.row,
                                          kept_q.cleared, kept_q.rotation, kept_q.column} &&
                        kept_q.sum == wide_t'(signed'(kept_q.sum[51:0])));
      // Counts, and the division
      Counts_A: assert (count_t'(u_dut.landed_q) == landed_q && landed_q <= count_t'(34) &&
                        whole_q == count_t'(u_dut.ended_q) + counting && whole_q <= given_q &&
                        u_dut.all_landed_q == end_q);
      Divides_A: assert (!(u_dut.divides_q && u_dut.divided_q) &&
                        (!(u_dut.divides_q || u_dut.divided_q) ||
                         (all_whole && counting == '0)) &&
                        (!u_dut.divides_q || kept_q.survivors > 3'd1) && done == u_dut.divided_q);
      Bits_A:   assert (!u_dut.divides_q || (u_dut.bits_q != '0 && u_dut.bits_q <= 6'(Bits) &&
                        waits_q + count_t'(u_dut.bits_q) <= count_t'(59)));
      Soon_A:   assert (u_dut.divides_q || done || waits_q <= (u_dut.valid_q[1] ? count_t'(0) :
                        u_dut.valid_q[2] ? count_t'(1) : u_dut.valid_q[3] ? count_t'(2)
                                                                          : count_t'(3)));
      Quotient_A: assert (!u_dut.divides_q || (wide_t'({1'b0, u_dut.rest_q}) + product_q ==
                        prefix_q && u_dut.rest_q < kept_q.survivors));
      Phase_A:  assert (phase_q <= StCounts);
    end
    Seven_C:  cover (rst_n && phase_q == StCounts && kept_q.survivors == 3'd7 &&
                     u_dut.divides_q && u_dut.bits_q == 6'd50);
    Tie_C:    cover (rst_n && phase_q == StCounts && kept_q.survivors != '0 &&
                     kept_q.sum == tag_q.sum && kept_q.survivors == tag_q.survivors &&
                     kept_q.column != tag_q.column);
    None_C:   cover (rst_n && done && landed_q == count_t'(2) && kept_q.survivors == '0);
  end

  for (genvar i = 0; i < 3; i++) begin : gen_term
    always_comb begin
      if (rst_n && first_q[2]) begin
        Low2_A:   assert (low2_q[i] == wide_t'({1'b0, u_dut.low2_q[i]}));
        High2_A:  assert (high2_q[i] == wide_t'(signed'(u_dut.high2_q[i])));
        Bound2_A: assert (bounded(low2_q[i], high2_q[i], 1, MostTerm));
      end
    end
  end
  // Divisor by divisor and bit by bit, which is easier to prove
  for (genvar n = 2; n <= 7; n++) begin : gen_divisor
    always_comb begin
      if (rst_n && (u_dut.divides_q || (done && !done_q)) && kept_q.survivors == 3'(n)) begin
        Product_A: assert (product_q == times(3'(n), wide_t'({1'b0, quotient_q})));
      end
    end
  end
  for (genvar i = 1; i < Bits; i++) begin : gen_bits
    always_comb begin
      if (rst_n && u_dut.divides_q && u_dut.bits_q == 6'(i)) begin
        Left_A:   assert (u_dut.dividend_q[Bits-1 -: i] == dividend[i-1:0]);
        Prefix_A: assert (prefix_q == dividend >>> i);
        Given_A:  assert (u_dut.dividend_q[Bits-i-1:0] == quotient_q[Bits-i-1:0] &&
                          quotient_q >> (Bits - i) == '0);
      end
    end
  end
  always_comb begin
    if (rst_n && u_dut.divides_q && u_dut.bits_q == 6'(Bits)) begin
      Begin_A: assert (u_dut.dividend_q == dividend[Bits-1:0] && prefix_q == '0 &&
                       quotient_q == '0);
    end
    if (rst_n && done && !done_q && kept_q.survivors > 3'd1) begin
      End_A:   assert (u_dut.dividend_q == quotient_q && prefix_q == dividend &&
                       wide_t'({1'b0, u_dut.rest_q}) + product_q == dividend &&
                       u_dut.rest_q < kept_q.survivors);
    end
  end

endmodule
