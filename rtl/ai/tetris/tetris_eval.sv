// The features of a placement, from its rows.
//
// Takes one row a cycle, top row first, and offers the features two cycles after row 0 is taken,
// in the order of the placements. A result not taken at once stops the rows.
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
         tetris_pkg::RowsWithHoles, tetris_pkg::WellSums, tetris_pkg::beat_t,
         tetris_pkg::features_t, tetris_pkg::ones, tetris_pkg::placement_t, tetris_pkg::planes_add,
         tetris_pkg::planes_t, tetris_pkg::row_t;
(
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       beat_valid_i,
  output logic       beat_ready_o,
  input  beat_t      beat_i,
  input  placement_t placement_i,

  output logic       features_valid_o,
  input  logic       features_ready_i,
  output features_t  features_o,     // without meaning if the placement is not legal
  output placement_t placement_o
);

  import fault_pkg::Fault, fault_pkg::FaultClearedRowCovers, fault_pkg::FaultErodedNotMultiplied,
         fault_pkg::FaultFloorEmpty, fault_pkg::FaultFullRowTransitions,
         fault_pkg::FaultLandingHeightOffByOne, fault_pkg::FaultStaleRun,
         fault_pkg::FaultWellAtWall, fault_pkg::FaultWellDepthSaturates;

  // As designed unless a fault is seeded
  logic       right_wall_filled, clear_run, wells_saturate, full_row_covers, full_row_counts;
  logic       floor_filled, eroded_times_rows;
  logic [1:0] landing_extra;  // to the doubled landing height: 2 * row + piece height - 1

  assign right_wall_filled = Fault != FaultWellAtWall;
  assign clear_run         = Fault != FaultStaleRun;
  assign wells_saturate    = Fault == FaultWellDepthSaturates;
  assign full_row_covers   = Fault == FaultClearedRowCovers;
  assign full_row_counts   = Fault == FaultFullRowTransitions;
  assign floor_filled      = Fault != FaultFloorEmpty;
  assign eroded_times_rows = Fault != FaultErodedNotMultiplied;
  assign landing_extra     = (Fault == FaultLandingHeightOffByOne) ? 2'd1 : 2'd0;

  localparam int unsigned Pairs = Columns - 1;
  typedef logic [Pairs-1:0] pairs_t;  // [c] = between columns c and c + 1

  logic advance, valid2_q;  // the stages move; the last one holds features
  assign advance      = !valid2_q || features_ready_i;
  assign beat_ready_o = advance;

  // ============================================== stage 1: masks of one row, and its counts
  // What is known of the rows above (removed rows left out).
  row_t    covered_q, covered;  // some cell above is filled
  row_t    above_q, above;      // the cell directly above is filled
  planes_t run_q, run;          // length of the filled run that ends directly above
  planes_t wells_q, wells;      // well cells in the empty run that ends directly above
  planes_t depth_q, depth;      // length of that run from its topmost well cell
  pairs_t  by1_q, by1;          // heights differ by at least 1 so far, 2, 3
  pairs_t  by2_q, by2;
  pairs_t  by3_q, by3;
  pairs_t  left_q, left;        // the left column of the pair is the higher one

  row_t    filled, empty, left_filled, right_filled, well;
  row_t    silhouette;
  pairs_t  steps;
  logic    full;
  planes_t run_next, wells_next, depth_next;

  assign filled       = beat_i.filled;
  assign empty        = ~filled;
  assign full         = &filled;
  assign left_filled  = {filled[Columns-2:0], 1'b1};
  assign right_filled = {right_wall_filled, filled[Columns-1:1]};
  assign well         = empty & left_filled & right_filled;

  // Above the first row of a placement everything is empty.
  assign covered = beat_i.first ? '0 : covered_q;
  assign above   = beat_i.first ? '0 : above_q;
  assign wells   = beat_i.first ? '0 : wells_q;
  assign depth   = beat_i.first ? '0 : depth_q;
  assign run     = (beat_i.first && clear_run) ? '0 : run_q;
  assign by1     = beat_i.first ? '0 : by1_q;
  assign by2     = beat_i.first ? '0 : by2_q;
  assign by3     = beat_i.first ? '0 : by3_q;
  assign left    = beat_i.first ? '0 : left_q;

  assign silhouette = covered | filled;
  assign steps      = silhouette[Columns-2:0] ^ silhouette[Columns-1:1];

  // Counts up in the columns of mask, falls to 0 outside keep.
  function automatic planes_t well_count(planes_t planes, row_t mask, row_t keep, logic saturate);
    planes_t sum;
    row_t    at_limit;
    at_limit = saturate ? (planes[1] & planes[0]) : '0;
    sum      = planes_add(planes, mask & ~at_limit);
    for (int unsigned k = 0; k < 5; k++) sum[k] &= keep;
    return sum;
  endfunction

  function automatic planes_t run_count(planes_t planes, row_t keep);
    planes_t sum;
    sum = planes_add(planes, keep);
    for (int unsigned k = 0; k < 5; k++) sum[k] &= keep;
    return sum;
  endfunction

  row_t in_well;  // below a well cell of the same empty run, or one itself

  assign in_well    = well | depth[0] | depth[1] | depth[2] | depth[3] | depth[4];
  assign wells_next = well_count(wells, well, empty, wells_saturate);
  assign depth_next = well_count(depth, in_well, empty, wells_saturate);
  assign run_next   = run_count(run, filled);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      covered_q <= '0;
      above_q   <= '0;
      run_q     <= '0;
      wells_q   <= '0;
      depth_q   <= '0;
      by1_q     <= '0;
      by2_q     <= '0;
      by3_q     <= '0;
      left_q    <= '0;
    end else if (advance && beat_valid_i) begin
      covered_q <= (full && !full_row_covers) ? covered : silhouette;
      above_q   <= full ? above : filled;
      run_q     <= full ? run   : run_next;
      wells_q   <= full ? wells : wells_next;
      depth_q   <= full ? depth : depth_next;
      by1_q     <= full ? by1   : by1 | steps;
      by2_q     <= full ? by2   : by2 | (by1 & steps);
      by3_q     <= full ? by3   : by3 | (by2 & steps);
      left_q    <= full ? left  : left | (steps & silhouette[Columns-2:0]);
    end
  end

  // Sum of the counters in the columns of mask, as one count a bit plane.
  typedef logic [4:0][3:0] plane_counts_t;

  function automatic plane_counts_t plane_counts(planes_t planes, row_t mask);
    plane_counts_t counts;
    for (int unsigned k = 0; k < 5; k++) counts[k] = ones(planes[k] & mask);
    return counts;
  endfunction

  function automatic logic [7:0] weigh(plane_counts_t counts);  // at most 10 * 20
    logic [7:0] sum;
    sum = '0;
    for (int unsigned k = 0; k < 5; k++) sum += 8'(counts[k]) << k;
    return sum;
  endfunction

  logic          valid1_q, first1_q, last1_q, full1_q;
  placement_t    placement1_q;
  logic [1:0]    rise1_q;
  logic [3:0]    gaps1_q, edges1_q, holes1_q, area1_q, steps1_q;
  logic [2:0]    piece1_q;
  plane_counts_t run1_q, wells1_q, depth1_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid1_q     <= 1'b0;
      first1_q     <= 1'b0;
      last1_q      <= 1'b0;
      full1_q      <= 1'b0;
      placement1_q <= '0;
      rise1_q      <= '0;
      gaps1_q      <= '0;
      edges1_q     <= '0;
      holes1_q     <= '0;
      area1_q      <= '0;
      steps1_q     <= '0;
      piece1_q     <= '0;
      run1_q       <= '0;
      wells1_q     <= '0;
      depth1_q     <= '0;
    end else if (advance) begin
      valid1_q <= beat_valid_i;
      if (beat_valid_i) begin
        first1_q     <= beat_i.first;
        last1_q      <= beat_i.last;
        full1_q      <= full;
        placement1_q <= placement_i;
        rise1_q      <= beat_i.rise;
        gaps1_q      <= ones(empty & left_filled);
        // With an empty floor the empty cells above a filled one would make the pairs.
        edges1_q     <= floor_filled ? ones(above & empty) : ones(~above & filled);
        holes1_q     <= ones(covered & empty);
        area1_q      <= ones(silhouette);
        steps1_q     <= ones({1'b0, steps});
        piece1_q     <= 3'(ones(beat_i.piece));
        run1_q       <= plane_counts(run, empty);
        wells1_q     <= plane_counts(wells_next, '1);
        depth1_q     <= plane_counts(depth_next, '1);
      end
    end
  end

  // ==================================================== stage 2: sums over the placement
  placement_t placement2_q;
  logic [1:0] rise2_q;
  logic [4:0] cleared2_q, max_height2_q, hole_rows2_q;
  logic [2:0] eroded2_q, diversity2_q;
  logic [7:0] gaps2_q, edges2_q, holes2_q, area2_q, steps2_q, run2_q;
  logic [FeatureWidth-1:0] wells2_q, depth2_q;

  logic [4:0] cleared2_d, max_height2_d, hole_rows2_d;
  logic [2:0] eroded2_d, diversity2_d;
  logic [7:0] gaps2_d, edges2_d, holes2_d, area2_d, steps2_d, run2_d;
  logic [FeatureWidth-1:0] wells2_d, depth2_d;

  always_comb begin
    cleared2_d    = first1_q ? '0 : cleared2_q;
    eroded2_d     = first1_q ? '0 : eroded2_q;
    gaps2_d       = first1_q ? 8'(Rows) : gaps2_q;
    edges2_d      = first1_q ? '0 : edges2_q;
    holes2_d      = first1_q ? '0 : holes2_q;
    hole_rows2_d  = first1_q ? '0 : hole_rows2_q;
    area2_d       = first1_q ? '0 : area2_q;
    steps2_d      = first1_q ? '0 : steps2_q;
    max_height2_d = first1_q ? '0 : max_height2_q;
    run2_d        = first1_q ? '0 : run2_q;
    wells2_d      = first1_q ? '0 : wells2_q;
    depth2_d      = first1_q ? '0 : depth2_q;
    if (full1_q) begin
      cleared2_d += 5'd1;
      eroded2_d  += piece1_q;
    end else begin
      edges2_d      += 8'(edges1_q);
      holes2_d      += 8'(holes1_q);
      hole_rows2_d  += 5'(|holes1_q);
      area2_d       += 8'(area1_q);
      steps2_d      += 8'(steps1_q);
      max_height2_d += 5'(|area1_q);
      run2_d        += weigh(run1_q);
      wells2_d      += FeatureWidth'(weigh(wells1_q));
      depth2_d      += FeatureWidth'(weigh(depth1_q));
    end
    // The row was counted as an empty one, with a single gap, at the start.
    if (!full1_q || full_row_counts) gaps2_d += 8'(gaps1_q) - 8'd1;
    // The pairs are those of the last row: stage 1 has finished with it.
    diversity2_d = 3'(|(~by1_q))
                 + 3'(|(by1_q & ~by2_q & left_q)) + 3'(|(by1_q & ~by2_q & ~left_q))
                 + 3'(|(by2_q & ~by3_q & left_q)) + 3'(|(by2_q & ~by3_q & ~left_q));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid2_q      <= 1'b0;
      placement2_q  <= '0;
      rise2_q       <= '0;
      cleared2_q    <= '0;
      eroded2_q     <= '0;
      gaps2_q       <= '0;
      edges2_q      <= '0;
      holes2_q      <= '0;
      hole_rows2_q  <= '0;
      area2_q       <= '0;
      steps2_q      <= '0;
      max_height2_q <= '0;
      run2_q        <= '0;
      wells2_q      <= '0;
      depth2_q      <= '0;
      diversity2_q  <= '0;
    end else if (advance) begin
      valid2_q <= valid1_q && last1_q;
      if (valid1_q) begin
        placement2_q  <= placement1_q;
        rise2_q       <= rise1_q;
        cleared2_q    <= cleared2_d;
        eroded2_q     <= eroded2_d;
        gaps2_q       <= gaps2_d;
        edges2_q      <= edges2_d;
        holes2_q      <= holes2_d;
        hole_rows2_q  <= hole_rows2_d;
        area2_q       <= area2_d;
        steps2_q      <= steps2_d;
        max_height2_q <= max_height2_d;
        run2_q        <= run2_d;
        wells2_q      <= wells2_d;
        depth2_q      <= depth2_d;
        diversity2_q  <= diversity2_d;
      end
    end
  end

  // ================================================================== the features themselves
  assign features_valid_o = valid2_q;
  assign placement_o      = placement2_q;

  always_comb begin
    features_o = '0;
    features_o[LandingHeight]     = FeatureWidth'({placement2_q.row, 1'b0})
                                  + FeatureWidth'(rise2_q)
                                  + FeatureWidth'(landing_extra);
    features_o[ErodedCells]       = FeatureWidth'(eroded2_q)
                                  * (eroded_times_rows ? FeatureWidth'(cleared2_q)
                                                     : FeatureWidth'(1));
    features_o[RowsCleared]       = FeatureWidth'(cleared2_q);
    features_o[RowTransitions]    = FeatureWidth'({gaps2_q, 1'b0});
    features_o[ColumnTransitions] = FeatureWidth'({edges2_q, 1'b0})
                                  + (floor_filled ? FeatureWidth'(Columns) : '0);
    features_o[Holes]             = FeatureWidth'(holes2_q);
    features_o[CumulativeWells]   = wells2_q;
    features_o[WellSums]          = depth2_q;
    features_o[HoleDepth]         = FeatureWidth'(run2_q);
    features_o[RowsWithHoles]     = FeatureWidth'(hole_rows2_q);
    features_o[Diversity]         = FeatureWidth'(diversity2_q);
    features_o[AggregateHeight]   = FeatureWidth'(area2_q);
    features_o[Bumpiness]         = FeatureWidth'(steps2_q);
    features_o[MaxHeight]         = FeatureWidth'(max_height2_q);
  end

`ifndef SYNTHESIS
  FeaturesHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    features_valid_o && !features_ready_i |=> features_valid_o && $stable(placement_o));
`endif

endmodule
