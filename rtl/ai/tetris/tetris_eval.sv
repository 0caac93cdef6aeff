// The features of a placement, from its rows.
//
// Takes one row a cycle, top row first, and gives the features three cycles after row 0, in the
// order of the placements. Nothing holds it up: what sends the rows of the next placement does
// not send its row 0 before the features can be taken.
//
// A full row changes nothing but rows_cleared and the eroded cells: to leave it out of the scan is
// to remove it, so nothing is ever moved. Rows not scanned and rows removed are the empty rows on
// top of the board afterwards; they matter to the row transitions alone, 2 each, which is why that
// count begins at the full 20 rows. For the other features:
//  - every row of the board is bounded by filled walls, so its transitions are twice its runs of
//    empty cells; every column begins empty and ends on a filled floor, so its transitions are
//    twice the empty cells under a filled one, plus one for the floor;
//  - the silhouette of a row is the cells at or below some filled cell. Summed over the rows it
//    gives the heights, its steps from column to column the differences between heights.
module tetris_eval
  import tetris_pkg::AggregateHeight, tetris_pkg::Bumpiness, tetris_pkg::ColumnTransitions,
         tetris_pkg::Columns, tetris_pkg::CumulativeWells, tetris_pkg::Diversity,
         tetris_pkg::ErodedCells, tetris_pkg::FeatureWidth, tetris_pkg::HoleDepth,
         tetris_pkg::Holes, tetris_pkg::LandingHeight, tetris_pkg::MaxHeight,
         tetris_pkg::RowTransitions, tetris_pkg::Rows, tetris_pkg::RowsCleared,
         tetris_pkg::RowsWithHoles, tetris_pkg::WellSums, tetris_pkg::above_t,
         tetris_pkg::beat_t, tetris_pkg::features_t, tetris_pkg::marks_t, tetris_pkg::ones,
         tetris_pkg::pairs_t, tetris_pkg::placement_t, tetris_pkg::planes_t;
(
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       beat_valid_i,
  input  beat_t      beat_i,
  input  placement_t placement_i,

  output logic       features_valid_o,
  output features_t  features_o,     // without meaning if the placement is not legal
  output placement_t placement_o
);

  // What goes with a row through the stages
  typedef struct packed {
    logic       first;
    logic       last;
    logic [1:0] rise;
    placement_t placement;
  } tag_t;

  // ------------------------------------------------------------------- stage 1: the row step
  above_t above_q, above_d, above, above_next;
  marks_t marks, marks1_q, marks1_d;
  tag_t   tag1_q, tag1_d;
  logic   valid1_q, valid1_d;
  logic [2:0] piece1_q, piece1_d;  // cells of the piece in the row

  assign above = beat_i.first ? '0 : above_q;

  tetris_row_step u_row_step (
    .above_i (above),
    .filled_i(beat_i.filled),
    .above_o (above_next),
    .marks_o (marks)
  );

  always_comb begin
    valid1_d = beat_valid_i;
    above_d  = above_q;
    marks1_d = marks1_q;
    tag1_d   = tag1_q;
    piece1_d = piece1_q;
    if (beat_valid_i) begin
      above_d  = above_next;
      marks1_d = marks;
      piece1_d = 3'(ones(beat_i.piece));
      tag1_d   = '{first: beat_i.first, last: beat_i.last, rise: beat_i.rise,
                   placement: placement_i};
    end
  end

  // ------------------------------------------------------------------- stage 2: what is counted
  // Counters of some columns as one count a bit plane
  typedef logic [4:0][3:0] plane_counts_t;

  typedef struct packed {
    logic          full;
    logic [2:0]    piece;
    logic [3:0]    gaps;
    logic [3:0]    edges;
    logic [3:0]    holes;
    logic [3:0]    area;
    logic [3:0]    steps;
    plane_counts_t buried;
    plane_counts_t wells;
    plane_counts_t depth;
    logic [2:0]    diversity;  // of the rows so far
  } counts_t;

  function automatic plane_counts_t plane_counts(planes_t planes);
    plane_counts_t counts;
    for (int unsigned k = 0; k < 5; k++) counts[k] = ones(planes[k]);
    return counts;
  endfunction

  // How many of the five differences between neighbours there are: 0, one up or down, two
  function automatic logic [2:0] kinds(pairs_t by1, pairs_t by2, pairs_t by3, pairs_t left);
    pairs_t one, two;
    one = by1 & ~by2;
    two = by2 & ~by3;
    return 3'(|(~by1)) + 3'(|(one & left)) + 3'(|(one & ~left))
                       + 3'(|(two & left)) + 3'(|(two & ~left));
  endfunction

  logic    valid2_q, valid2_d;
  tag_t    tag2_q, tag2_d;
  counts_t counts2_q, counts2_d;

  always_comb begin
    valid2_d  = valid1_q;
    tag2_d    = tag2_q;
    counts2_d = counts2_q;
    if (valid1_q) begin
      tag2_d    = tag1_q;
      // above_q is what stage 1 has left behind with this row.
      counts2_d = '{
        full:      marks1_q.full,
        piece:     piece1_q,
        gaps:      ones(marks1_q.gaps),
        edges:     ones(marks1_q.edges),
        holes:     ones(marks1_q.holes),
        area:      ones(marks1_q.silhouette),
        steps:     ones({1'b0, marks1_q.steps}),
        buried:    plane_counts(marks1_q.buried),
        wells:     plane_counts(above_q.wells),
        depth:     plane_counts(above_q.depth),
        diversity: kinds(above_q.by1, above_q.by2, above_q.by3, above_q.left)
      };
      // A full row adds nothing to the longest sums. To leave it out here keeps them to one adder.
      if (marks1_q.full) {counts2_d.buried, counts2_d.wells, counts2_d.depth} = '0;
    end
  end

  // --------------------------------------------------------- stage 3: sums over the placement
  typedef struct packed {
    logic [4:0]              cleared;
    logic [2:0]              eroded;
    logic [7:0]              gaps;
    logic [7:0]              edges;
    logic [7:0]              holes;
    logic [4:0]              hole_rows;
    logic [7:0]              area;
    logic [7:0]              steps;
    logic [4:0]              max_height;
    logic [7:0]              buried;
    logic [FeatureWidth-1:0] wells;
    logic [FeatureWidth-1:0] depth;
    logic [2:0]              diversity;
  } sums_t;

  // A sum with what the counters add, at most 10 * 20. One expression, so that a tool can add all
  // six at once, with a single carry chain.
  function automatic logic [FeatureWidth-1:0] plus(logic [FeatureWidth-1:0] sum,
                                                   plane_counts_t counts);
    return sum + FeatureWidth'(counts[0]) + FeatureWidth'({counts[1], 1'b0})
               + FeatureWidth'({counts[2], 2'b0}) + FeatureWidth'({counts[3], 3'b0})
               + FeatureWidth'({counts[4], 4'b0});
  endfunction

  // Before the first row: 20 rows that are empty, each with one gap
  localparam sums_t NoRows = '{gaps: 8'(Rows), default: '0};

  logic  valid3_q, valid3_d;
  tag_t  tag3_q, tag3_d;
  sums_t sums3_q, sums3_d, sums;

  always_comb begin
    sums = tag2_q.first ? NoRows : sums3_q;
    if (counts2_q.full) begin
      sums.cleared += 5'd1;
      sums.eroded  += counts2_q.piece;
    end else begin
      sums.edges      += 8'(counts2_q.edges);
      sums.holes      += 8'(counts2_q.holes);
      sums.hole_rows  += 5'(|counts2_q.holes);
      sums.area       += 8'(counts2_q.area);
      sums.steps      += 8'(counts2_q.steps);
      sums.max_height += 5'(|counts2_q.area);
      // The row was counted as an empty one, with a single gap, at the start.
      sums.gaps       += 8'(counts2_q.gaps) - 8'd1;
    end
    sums.buried    = 8'(plus(FeatureWidth'(sums.buried), counts2_q.buried));
    sums.wells     = plus(sums.wells, counts2_q.wells);
    sums.depth     = plus(sums.depth, counts2_q.depth);
    sums.diversity = counts2_q.diversity;
  end

  always_comb begin
    valid3_d = valid2_q && tag2_q.last;
    tag3_d   = tag3_q;
    sums3_d  = sums3_q;
    if (valid2_q) begin
      tag3_d  = tag2_q;
      sums3_d = sums;
    end
  end

  // ------------------------------------------------------------------- the features themselves
  // A product of small numbers, in a few LUT: a multiplier block is far away.
  function automatic logic [FeatureWidth-1:0] times(logic [2:0] cells, logic [4:0] rows);
    logic [FeatureWidth-1:0] product;
    product = '0;
    for (int unsigned k = 0; k < 3; k++) begin
      if (cells[k]) product += FeatureWidth'(rows) << k;
    end
    return product;
  endfunction

  always_comb begin
    features_o = '0;
    features_o[LandingHeight]     = FeatureWidth'({tag3_q.placement.row, 1'b0})
                                  + FeatureWidth'(tag3_q.rise);
    features_o[ErodedCells]       = times(sums3_q.eroded, sums3_q.cleared);
    features_o[RowsCleared]       = FeatureWidth'(sums3_q.cleared);
    features_o[RowTransitions]    = FeatureWidth'({sums3_q.gaps, 1'b0});
    features_o[ColumnTransitions] = FeatureWidth'({sums3_q.edges, 1'b0})
                                  + FeatureWidth'(Columns);
    features_o[Holes]             = FeatureWidth'(sums3_q.holes);
    features_o[CumulativeWells]   = sums3_q.wells;
    features_o[WellSums]          = sums3_q.depth;
    features_o[HoleDepth]         = FeatureWidth'(sums3_q.buried);
    features_o[RowsWithHoles]     = FeatureWidth'(sums3_q.hole_rows);
    features_o[Diversity]         = FeatureWidth'(sums3_q.diversity);
    features_o[AggregateHeight]   = FeatureWidth'(sums3_q.area);
    features_o[Bumpiness]         = FeatureWidth'(sums3_q.steps);
    features_o[MaxHeight]         = FeatureWidth'(sums3_q.max_height);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
    end else begin
      valid1_q <= valid1_d;
      valid2_q <= valid2_d;
      valid3_q <= valid3_d;
    end
  end

  // These are meaningful only while the valid bit of their stage is set.
  always_ff @(posedge clk_i) begin
    above_q   <= above_d;
    marks1_q  <= marks1_d;
    piece1_q  <= piece1_d;
    tag1_q    <= tag1_d;
    counts2_q <= counts2_d;
    tag2_q    <= tag2_d;
    sums3_q   <= sums3_d;
    tag3_q    <= tag3_d;
  end

  assign features_valid_o = valid3_q;
  assign placement_o      = tag3_q.placement;

`ifndef SYNTHESIS
  // A placement begins where the one before has ended.
  logic inside_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) inside_q <= 1'b0;
    else if (beat_valid_i) inside_q <= !beat_i.last;
  end
  FirstOnce_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    beat_valid_i |-> beat_i.first != inside_q);
`endif

endmodule
