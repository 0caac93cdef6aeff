// tetris_eval: the features of a placement are the sums, over its rows, of what each row adds
// (tetris_row_step is proved to say that), and the features of an empty board; a full row adds
// nothing but a row cleared and the piece's cells in it. They come three cycles after row 0.
//
// The sums are compared in the widths of the RTL. A board's fit in them: no count of cells is above
// 200, wells of a row are 20 a column at most, well sums 210 a column. A sum of counters is the sum
// of their bit planes: what is counted in plane k weighs 2^k.
module tetris_eval_proof
  import tetris_pkg::above_t, tetris_pkg::beat_t, tetris_pkg::features_t, tetris_pkg::marks_t,
         tetris_pkg::placement_t, tetris_pkg::planes_t, tetris_pkg::row_t;
(
  input logic       clk_i,
  input logic       valid_i,
  input beat_t      beat_i,
  input placement_t placement_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic       valid;
  features_t  features;
  placement_t placement;

  tetris_eval u_dut (
    .clk_i,
    .rst_ni           (rst_n),
    .beat_valid_i     (valid_i),
    .beat_i,
    .placement_i,
    .features_valid_o (valid),
    .features_o       (features),
    .placement_o      (placement)
  );

  // ------------------------------------------------------------------ the rows, and what they add
  typedef logic [11:0] sum_t;

  above_t known, known_next, known_q;
  marks_t marks, marks_q;
  row_t   piece_q;
  assign known = beat_i.first ? '0 : known_q;

  tetris_row_step u_row_step (
    .above_i  (known),
    .filled_i (beat_i.filled),
    .above_o  (known_next),
    .marks_o  (marks)
  );

  typedef struct packed {
    sum_t landing_height, eroded, cleared, row_transitions, column_transitions, holes;
    sum_t cumulative_wells, well_sums, hole_depth, rows_with_holes, diversity, aggregate_height;
    sum_t bumpiness, max_height;
  } sums_t;

  // An empty board: each row has two transitions, each column one.
  localparam sums_t Empty = '{row_transitions: 12'd40, column_transitions: 12'd10, default: '0};

  function automatic sum_t cells(row_t row);
    return sum_t'($countones(row));
  endfunction

  function automatic sum_t total(planes_t planes);
    sum_t sum;
    sum = '0;
    for (int unsigned k = 0; k < 5; k++) sum = sum + sum_t'($countones(planes[k])) * sum_t'(1 << k);
    return sum;
  endfunction

  // How many of -2 .. 2 occur among the differences of adjacent heights
  function automatic sum_t diversity(above_t is);
    sum_t sum;
    sum = '0;
    for (int d = -2; d <= 2; d++) begin
      automatic logic occurs = 1'b0;
      for (int unsigned c = 0; c < 9; c++) begin
        automatic int size = is.by3[c] ? 3 : is.by2[c] ? 2 : is.by1[c] ? 1 : 0;
        if ((is.left[c] ? size : -size) == d) occurs = 1'b1;
      end
      sum = sum + sum_t'(occurs);
    end
    return sum;
  endfunction

  function automatic sums_t plus(sums_t before_row, marks_t row, above_t is, row_t piece);
    sums_t sums;
    sums = before_row;
    if (row.full) begin
      sums.cleared = sum_t'(5'(sums.cleared + 12'd1));
      sums.eroded  = sum_t'(3'(sums.eroded + cells(piece)));
    end else begin
      // Twice the gaps, instead of the two of an empty row
      sums.row_transitions    = sum_t'(9'(sums.row_transitions + 12'd2 * cells(row.gaps) - 12'd2));
      sums.column_transitions = 12'd10 + sum_t'(9'(sums.column_transitions - 12'd10 +
                                                  12'd2 * cells(row.edges)));
      sums.holes              = sum_t'(8'(sums.holes + cells(row.holes)));
      sums.rows_with_holes    = sum_t'(5'(sums.rows_with_holes + sum_t'(row.holes != '0)));
      sums.hole_depth         = sum_t'(8'(sums.hole_depth + total(row.buried)));
      sums.cumulative_wells   = sums.cumulative_wells + total(is.wells);
      sums.well_sums          = sums.well_sums + total(is.depth);
      sums.aggregate_height   = sum_t'(8'(sums.aggregate_height + cells(row.silhouette)));
      sums.bumpiness          = sum_t'(8'(sums.bumpiness + cells({1'b0, row.steps})));
      sums.max_height         = sum_t'(5'(sums.max_height + sum_t'(row.silhouette != '0)));
    end
    sums.diversity = diversity(is);
    return sums;
  endfunction

  // The rows a cycle and two cycles later, and the sums with them three cycles later
  marks_t     marks2_q;
  above_t     known2_q;
  row_t       piece2_q;
  sums_t      sums3_q;
  beat_t      beat_q, beat2_q, beat3_q;
  placement_t placement_q, placement2_q, placement3_q;
  logic       valid_q, valid2_q, valid3_q;
  logic       begun_q, begun2_q, begun3_q;  // a row has come there

  always_ff @(posedge clk_i) begin
    if (valid_i) begin
      known_q     <= known_next;
      marks_q     <= marks;
      piece_q     <= beat_i.piece;
      beat_q      <= beat_i;
      placement_q <= placement_i;
    end
    if (valid_q) begin
      known2_q     <= known_q;
      marks2_q     <= marks_q;
      piece2_q     <= piece_q;
      beat2_q      <= beat_q;
      placement2_q <= placement_q;
    end
    if (valid2_q) begin
      sums3_q      <= plus(beat2_q.first ? Empty : sums3_q, marks2_q, known2_q, piece2_q);
      beat3_q      <= beat2_q;
      placement3_q <= placement2_q;
    end
    if (!rst_n) begin
      {valid_q, valid2_q, valid3_q} <= '0;
      {begun_q, begun2_q, begun3_q} <= '0;
    end else begin
      {valid3_q, valid2_q, valid_q} <= {valid2_q, valid_q, valid_i};
      {begun3_q, begun2_q, begun_q} <= {begun2_q && (valid2_q || begun3_q),
                                        begun_q && (valid_q || begun2_q), begun_q || valid_i};
    end
  end

  sum_t [13:0] expected;
  assign expected = {sums3_q.max_height, sums3_q.bumpiness, sums3_q.aggregate_height,
                     sums3_q.diversity, sums3_q.rows_with_holes, sums3_q.hole_depth,
                     sums3_q.well_sums, sums3_q.cumulative_wells, sums3_q.holes,
                     sums3_q.column_transitions, sums3_q.row_transitions, sums3_q.cleared,
                     sum_t'(sums3_q.eroded * sums3_q.cleared),
                     sum_t'({placement3_q.row, 1'b0}) + sum_t'(beat3_q.rise)};

  logic planes_ok;
  row_t counts;  // where a row counts for its planes: nowhere if it is full
  always_comb begin
    planes_ok = 1'b1;
    counts    = marks2_q.full ? '0 : '1;
    for (int unsigned k = 0; k < 5; k++) begin
      if (u_dut.counts2_q.buried[k] != 4'(cells(marks2_q.buried[k] & counts)) ||
          u_dut.counts2_q.wells[k] != 4'(cells(known2_q.wells[k] & counts)) ||
          u_dut.counts2_q.depth[k] != 4'(cells(known2_q.depth[k] & counts))) planes_ok = 1'b0;
    end
  end

  always_comb begin
    First_M: assume (!valid_i || begun_q || beat_i.first);
    if (rst_n) begin
      Features_A:  assert (valid == (valid3_q && beat3_q.last));
      Placement_A: assert (!valid || placement == placement3_q);
      Equal_A:     assert (!valid || features == expected);
      // What the stages hold
      Valid_A:     assert ({u_dut.valid1_q, u_dut.valid2_q} == {valid_q, valid2_q} &&
                           (!valid_q || begun_q) && (!valid2_q || begun2_q) &&
                           (!valid3_q || begun3_q));
      Known_A:     assert (!begun_q || u_dut.above_q == known_q);
      Marks_A:     assert (!begun_q || (u_dut.marks1_q == marks_q &&
                           u_dut.piece1_q == 3'($countones(piece_q))));
      Begin_A:     assert ((begun_q || !begun2_q) && (begun2_q || !begun3_q) &&
                           (!begun_q || begun2_q || (valid_q && beat_q.first)) &&
                           (!begun2_q || begun3_q || (valid2_q && beat2_q.first)));
      Differ_A:    assert (!begun_q || ((known_q.by2 & ~known_q.by1) == '0 &&
                           (known_q.by3 & ~known_q.by2) == '0));
      Counts_A:    assert (!begun2_q || (u_dut.counts2_q.full == marks2_q.full &&
                           u_dut.counts2_q.piece == 3'(cells(piece2_q)) &&
                           u_dut.counts2_q.gaps == 4'(cells(marks2_q.gaps)) &&
                           u_dut.counts2_q.edges == 4'(cells(marks2_q.edges)) &&
                           u_dut.counts2_q.holes == 4'(cells(marks2_q.holes)) &&
                           u_dut.counts2_q.area == 4'(cells(marks2_q.silhouette)) &&
                           u_dut.counts2_q.steps == 4'(cells({1'b0, marks2_q.steps})) &&
                           u_dut.counts2_q.diversity == 3'(diversity(known2_q))));
      Planes_A:    assert (!begun2_q || planes_ok);
      Sums_A:      assert (!begun3_q || (u_dut.sums3_q.cleared == 5'(sums3_q.cleared) &&
                           u_dut.sums3_q.eroded == 3'(sums3_q.eroded) &&
                           {u_dut.sums3_q.gaps, 1'b0} == 9'(sums3_q.row_transitions) &&
                           12'({u_dut.sums3_q.edges, 1'b0}) + 12'd10 ==
                           sums3_q.column_transitions &&
                           u_dut.sums3_q.holes == 8'(sums3_q.holes) &&
                           u_dut.sums3_q.hole_rows == 5'(sums3_q.rows_with_holes) &&
                           u_dut.sums3_q.area == 8'(sums3_q.aggregate_height) &&
                           u_dut.sums3_q.steps == 8'(sums3_q.bumpiness) &&
                           u_dut.sums3_q.max_height == 5'(sums3_q.max_height) &&
                           u_dut.sums3_q.buried == 8'(sums3_q.hole_depth) &&
                           u_dut.sums3_q.wells == sums3_q.cumulative_wells &&
                           u_dut.sums3_q.depth == sums3_q.well_sums &&
                           u_dut.sums3_q.diversity == 3'(sums3_q.diversity)));
      Narrow_A:    assert (!begun3_q || (sums3_q.cleared < 12'd32 && sums3_q.eroded < 12'd8 &&
                           sums3_q.row_transitions < 12'd512 && !sums3_q.row_transitions[0] &&
                           sums3_q.holes < 12'd256 && sums3_q.rows_with_holes < 12'd32 &&
                           sums3_q.hole_depth < 12'd256 && sums3_q.aggregate_height < 12'd256 &&
                           sums3_q.bumpiness < 12'd256 && sums3_q.max_height < 12'd32 &&
                           sums3_q.diversity < 12'd6));
      Tag1_A:      assert (!begun_q || (u_dut.tag1_q.first == beat_q.first &&
                           u_dut.tag1_q.last == beat_q.last && u_dut.tag1_q.rise == beat_q.rise &&
                           u_dut.tag1_q.placement == placement_q));
      Tag2_A:      assert (!begun2_q || (u_dut.tag2_q.first == beat2_q.first &&
                           u_dut.tag2_q.last == beat2_q.last && u_dut.tag2_q.rise == beat2_q.rise &&
                           u_dut.tag2_q.placement == placement2_q));
      Tag3_A:      assert (!begun3_q || (u_dut.tag3_q.last == beat3_q.last &&
                           u_dut.tag3_q.rise == beat3_q.rise &&
                           u_dut.tag3_q.placement == placement3_q));
    end
    Clears_C: cover (rst_n && valid && features[2] == 12'd2 && features[1] == 12'd4);
    Deep_C:   cover (rst_n && valid && features[7] == 12'd3 && features[8] != 12'd0);
  end

endmodule
