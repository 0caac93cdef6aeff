// A lane: what a placement does to the features of its board, one placement a cycle.
//
// Drive it: a placement in any cycle; the lane never stalls. Its landing is there 6 cycles later,
// with landing_valid_o, and `placed_o` 9 cycles later, with placed_valid_o. Of a placement that is
// not legal the row has no meaning; of one that removes rows the features have none.
//
// Each field of the context is used in one cycle alone, counted from the placement's:
//   0 heights · 2 columns · 6 clean, occurs, bumps · 8 features · 4 all others.
// A context may be held from its first placement until 8 cycles after its last one. Or its fields
// change one by one, each that many cycles after the placements do: then the placements of the next
// board may follow in the next cycle. Of a board with a full row only the columns, the heights
// and `full` need be right. Of `clean`, only differences matter.
//
// Lane `Lane` of `Lanes` gets placements in the columns Lane, Lane + Lanes, ... only. Of 4 lanes
// and more, lane 1 also gets those in column 8.
module tetris_lane
  import tetris_pkg::*;
  import tetris_lanes_pkg::*;
  import tetris_lane_pkg::*;
#(
  parameter int unsigned Lane  = 0,
  parameter int unsigned Lanes = 4
) (
  input  logic     clk_i,
  input  logic     rst_ni,
  input  context_t context_i,
  input  logic     placing_valid_i,
  input  placing_t placing_i,
  output logic     landing_valid_o,
  output landing_t landing_o,
  output logic     placed_valid_o,
  output placed_t  placed_o
);

  localparam int unsigned Landed  = 6;
  localparam int unsigned Latency = 9;

  function automatic row_t seen();
    for (int unsigned c = 0; c < Columns; c++) begin
      seen[c] = c % Lanes == Lane || (Lanes >= 4 && Lane == 1 && c == 8);
    end
  endfunction

  localparam row_t Seen  = seen();
  localparam row_t Right = (Seen << 1) | (Seen << 2) | (Seen << 3) | (Seen << 4);

  // [k]: of k cycles ago. A stage works only on a placement: simulations are slow otherwise.
  logic [Latency:1] valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else valid_q <= {valid_q[Latency-1:1], placing_valid_i};
  end

  // -------------------------------------------------------------------------- stages 1 to 4
  landed_t landed;
  form_t   form;

  tetris_lane_land #(.Seen(Seen)) u_land (
    .clk_i    (clk_i),
    .valid_i  ({valid_q[3:1], placing_valid_i}),
    .heights_i(context_i.heights),
    .columns_i(context_i.columns),
    .placing_i(placing_i),
    .landed_o (landed),
    .form_o   (form)
  );

  // ------------------------------------------------------------------------ stages 5 to 8: wells
  logic signed [9:0]  cumulative_a, cumulative_b;
  logic signed [10:0] sums_a, sums_b, sums_c;
  logic               hung_gap;
  logic [1:0]         hung_cells;

  tetris_lane_wells #(.Seen(Seen)) u_wells (
    .clk_i         (clk_i),
    .valid_i       (valid_q[7:4]),
    .well_top_i    (context_i.well_top),
    .open_wells_i  (context_i.open_wells),
    .near_wells_i  (context_i.near_wells),
    .far_wells_i   (context_i.far_wells),
    .landed_i      (landed),
    .form_i        (form),
    .cumulative_a_o(cumulative_a),
    .cumulative_b_o(cumulative_b),
    .sums_a_o      (sums_a),
    .sums_b_o      (sums_b),
    .sums_c_o      (sums_c),
    .hung_gap_o    (hung_gap),
    .hung_cells_o  (hung_cells)
  );

  // ------------------------------------------------------------- stage 5: gaps, rows, the surface
  // The results of stage 5, delayed until those of the wells are there
  typedef struct {
    landing_t          landing;
    logic [5:0]        height;       // landing height, doubled
    height_t           top;          // one more than its highest row
    logic signed [3:0] transitions;  // of rows, halved
    logic [1:0]        gaps;         // columns with one
    logic [2:0]        hole_depth;
  } early_t;

  early_t     early5_q, early6_q, early7_q, early8_q;
  logic [PieceSpan-1:0][2:0] row_cells5;
  logic [PieceSpan-1:0][2:0] empty5_q;  // empty cells of the rows of the piece, 5 for more
  row_t       left_at5_q, left_at6_q, right_at5_q, right_at6_q;
  span_t      gapped, buried;
  gaps_t      gaps;
  logic [PieceSpan-1:0][1:0] bottom;
  logic [PieceSpan-1:0][2:0] column_cells;
  logic [2:0] hole_depth;
  assign gaps = landed.gaps;
  assign bottom = form.bottom;
  assign column_cells = form.column_cells;
  logic [1:0] hole_bottom;  // the highest lower end of a column of the piece over a gap
  occurring_t occurs5_q;
  logic [4:0] left_bump5_q, right_bump5_q;
  logic [2:0] inner_bumps5_q;
  logic [5:0] gap_low5_q, gap_high5_q;
  height_t    lowest5_q, highest5_q;

  for (genvar i = 0; i < PieceSpan; i++) begin : gen_buried
    tetris_lane_pick #(.Width(1), .Of(Seen << i)) u_buried (
      .values_i(context_i.buried),
      .at_i    (landed.at << i),
      .value_o (buried[i])
    );
  end

  // Which difference a step is, if any of -2 .. 2; lowest first
  function automatic occurring_t occurring(logic signed [5:0] step);
    for (int k = 0; k < 5; k++) occurring[k] = step == 6'(k - 2);
  endfunction

  function automatic logic [4:0] magnitude(logic signed [5:0] step);
    return step < 0 ? 5'(-step) : 5'(step);
  endfunction

  logic at_left_wall, at_right_wall;
  assign at_left_wall  = landed.at[0];
  assign at_right_wall = landed.right_at == '0;

  always_comb begin
    hole_bottom = '0;
    hole_depth  = '0;
    for (int unsigned i = 0; i < PieceSpan; i++) begin
      gapped[i] = gaps[i] != '0;
      if (gapped[i]) hole_bottom |= bottom[i];
    end

    for (int unsigned i = 0; i < PieceSpan; i++) begin
      if (gapped[i] || buried[i]) hole_depth += column_cells[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_q[4]) begin
      early5_q.landing     <= '{placing: landed.placing, legal: landed.legal, removes: context_i.full,
                                 row: landed.row};
      early5_q.height      <= {landed.row, 1'b0} + 6'(form.rise);
      early5_q.top         <= landed.row + 5'(form.rise) + 5'd1;
      // Two for each row of the piece, less two for each filled cell beside it
      early5_q.transitions <= 4'(form.rise) + 4'd1 - 4'($countones(landed.left & form.left_cells))
                               - 4'($countones(landed.right & form.right_cells)) - 4'(hung_cells);
      early5_q.gaps        <= 2'($countones(gapped));
      early5_q.hole_depth  <= hole_depth;
      occurs5_q      <= form.occurs
                      | (at_left_wall ? '0 : occurring(landed.left_step))
                      | (at_right_wall ? '0 : occurring(-landed.right_step));
      left_bump5_q   <= at_left_wall ? '0 : magnitude(landed.left_step);
      right_bump5_q  <= at_right_wall ? '0 : magnitude(landed.right_step);
      empty5_q       <= empty_slice(context_i.empty, landed.peak);
      left_at5_q     <= landed.at >> 1;
      right_at5_q    <= landed.right_at;
      inner_bumps5_q <= form.bumps;
      gap_low5_q     <= 6'(landed.gaps[0]) + 6'(landed.gaps[1]);
      gap_high5_q    <= 6'(landed.gaps[2]) + 6'(landed.gaps[3]);
      // The rows of new holes are all those from the lowest height up to the highest gap's end, as
      // the piece rests on a column. But where an overhang of two rows has a gap of one, the other
      // column is lower, without a gap.
      lowest5_q      <= hung_gap ? landed.row + 5'd1 : landed.lowest;
      highest5_q     <= landed.row + 5'(hole_bottom);
    end
  end

  // ---------------------------------------------------------------- stage 6: removal, small sums
  logic       fills;  // a row
  logic [5:0] holes6_q, holes7_q, holes8_q;
  height_t    lowest6_q, highest6_q;
  occurring_t occurs6_q;
  bumps_t     bumps6_q;

  form_t form5;
  assign form5 = Forms[{early5_q.landing.placing.piece, early5_q.landing.placing.rotation}];
  assign row_cells5 = form5.row_cells;

  logic unused;
  assign unused = ^form5;

  always_comb begin
    fills = 1'b0;
    for (int unsigned d = 0; d < PieceSpan; d++) begin
      // A row that the piece does not reach has empty cells, or the board has a full row.
      if (empty5_q[d] == row_cells5[d]) begin
        fills = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_q[5]) begin
      early6_q    <= early5_q;
      early6_q.landing.removes <= early5_q.landing.legal && (early5_q.landing.removes || fills);
      holes6_q    <= gap_low5_q + gap_high5_q;
      lowest6_q   <= lowest5_q;
      highest6_q  <= highest5_q;
      left_at6_q  <= left_at5_q;
      right_at6_q <= right_at5_q;
      occurs6_q   <= occurs5_q;
      bumps6_q    <= bumps_t'(left_bump5_q) + bumps_t'(right_bump5_q) + bumps_t'(inner_bumps5_q);
    end
  end

  // ------------------------------------------------- stage 7: the rest of the surface, rows below
  occurring_t occurs_left, occurs_right, occurs7_q;
  bumps_t     bumps_left, bumps_right, bumps_left7_q, bumps_right7_q, bumps7_q;
  height_t    clean_high7_q, clean_low7_q;
  height_t [Rows:0] clean;
  assign clean = context_i.clean;

  // Pairs of columns that the piece leaves as they are end at the column left of it, or begin at
  // the one right of it: at the walls there are none.
  tetris_lane_pick #(.Width(5), .Of(Seen >> 1)) u_occurs_left (
    .values_i(context_i.occurs_left),
    .at_i    (left_at6_q),
    .value_o (occurs_left)
  );
  tetris_lane_pick #(.Width(5), .Of(Right)) u_occurs_right (
    .values_i(context_i.occurs_right),
    .at_i    (right_at6_q),
    .value_o (occurs_right)
  );
  tetris_lane_pick #(.Width(8), .Of(Seen >> 1)) u_bumps_left (
    .values_i(context_i.bumps_left),
    .at_i    (left_at6_q),
    .value_o (bumps_left)
  );
  tetris_lane_pick #(.Width(8), .Of(Right)) u_bumps_right (
    .values_i(context_i.bumps_right),
    .at_i    (right_at6_q),
    .value_o (bumps_right)
  );

  always_ff @(posedge clk_i) begin
    if (valid_q[6]) begin
      early7_q       <= early6_q;
      holes7_q       <= holes6_q;
      // Without a gap there is no interval.
      clean_high7_q  <= early6_q.gaps == '0 ? '0 : clean[highest6_q];
      clean_low7_q   <= early6_q.gaps == '0 ? '0 : clean[lowest6_q];
      occurs7_q      <= occurs6_q | occurs_left | occurs_right;
      bumps_left7_q  <= bumps_left;
      bumps_right7_q <= bumps_right;
      bumps7_q       <= bumps6_q;
    end
  end

  // ---------------------------------------------------------------------------- stage 8: sums
  height_t    hole_rows8_q;
  logic [2:0] diversity8_q;
  bumps_t     bumps8_q;

  always_ff @(posedge clk_i) begin
    if (valid_q[7]) begin
      early8_q     <= early7_q;
      holes8_q     <= holes7_q;
      hole_rows8_q <= clean_high7_q - clean_low7_q;
      diversity8_q <= 3'($countones(occurs7_q));
      bumps8_q     <= bumps_left7_q + bumps_right7_q + bumps7_q;
    end
  end

  // ------------------------------------------------------------------------ stage 9: features
  board_features_t board;
  placed_t         placed9_q;

  assign board = context_i.features;

  logic signed [4:0] transitions;
  assign transitions = {early8_q.transitions, 1'b0};

  // Sums modulo 2^12: what is added may be negative, the feature is not.
  always_ff @(posedge clk_i) begin
    if (valid_q[8]) begin
      placed9_q.landing <= early8_q.landing;
      placed9_q.features[ErodedCells] <= '0;
      placed9_q.features[RowsCleared] <= '0;
      placed9_q.features[LandingHeight]     <= feature_t'(early8_q.height);
      placed9_q.features[RowTransitions]    <= board.row_transitions + feature_t'(transitions);
      placed9_q.features[ColumnTransitions] <= board.column_transitions
                                           + feature_t'({early8_q.gaps, 1'b0});
      placed9_q.features[Holes]             <= board.holes + feature_t'(holes8_q);
      placed9_q.features[CumulativeWells]   <= board.cumulative_wells + feature_t'(cumulative_a)
                                           + feature_t'(cumulative_b);
      placed9_q.features[WellSums]          <= board.well_sums + feature_t'(sums_a)
                                           + feature_t'(sums_b) + feature_t'(sums_c);
      placed9_q.features[HoleDepth]         <= board.hole_depth + feature_t'(early8_q.hole_depth);
      placed9_q.features[RowsWithHoles]     <= board.rows_with_holes + feature_t'(hole_rows8_q);
      placed9_q.features[Diversity]         <= feature_t'(diversity8_q);
      placed9_q.features[AggregateHeight]   <= board.aggregate_height + feature_t'(holes8_q) + 12'd4;
      placed9_q.features[Bumpiness]         <= feature_t'(bumps8_q);
      placed9_q.features[MaxHeight]         <= board.max_height > feature_t'(early8_q.top)
                                           ? board.max_height : feature_t'(early8_q.top);
    end
  end

  assign landing_valid_o = valid_q[Landed];
  assign landing_o       = early6_q.landing;
  assign placed_valid_o  = valid_q[Latency];
  assign placed_o        = placed9_q;

endmodule
