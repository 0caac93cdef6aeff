// tetris_lane: where a placement lands, and what it changes in the features that are sums over the
// piece's columns: holes, column transitions, hole depth, aggregate height; and landing height and
// max height. Each is what the definitions say (the README of the game), on any board without
// rows removed.
//
// The cells of the columns under the piece are any; their heights, and which of them have a hole,
// follow from the definitions. The context of other columns and the board's features are any. One
// of the piece's columns is watched: its features with the piece's cells in it are worked out cell
// by cell. Then each feature is the sum of the board's and of what the columns add.
//
// One placement goes through the lane, with its context held. A lane has no state but its pipeline,
// 9 cycles long.
module tetris_lane_columns_proof
  import tetris_def_pkg::Columns, tetris_def_pkg::Rows, tetris_def_pkg::cells,
         tetris_def_pkg::cells_t, tetris_def_pkg::fits, tetris_lanes_pkg::context_t,
         tetris_lanes_pkg::landing_t, tetris_lanes_pkg::placed_t, tetris_lanes_pkg::placing_t;
(
  input logic                 clk_i,
  input logic [3:0][Rows-1:0] columns_i,  // those under the piece, [row from the bottom]
  input logic [1:0]           watch_i,
  input placing_t             placing_i,
  input context_t             context_i   // of the rest
);

  typedef logic [Rows-1:0] column_t;
  typedef logic [4:0]      count_t;
  typedef logic [11:0]     sum_t;

  // All stays what it is in the first cycle.
  logic [3:0]            cycle_q = '0;
  logic [3:0][Rows-1:0]  columns_q;
  logic [1:0]            watch_q;
  placing_t              placing_q;
  context_t              given_q;
  always_ff @(posedge clk_i) begin
    if (cycle_q == '0) begin
      columns_q <= columns_i;
      watch_q   <= watch_i;
      placing_q <= placing_i;
      given_q   <= context_i;
    end
    if (cycle_q != '1) cycle_q <= cycle_q + 4'd1;
  end

  // ----------------------------------------------------------------- the definitions, of a column
  function automatic count_t height(column_t column);
    count_t top;
    top = '0;
    for (int unsigned k = 0; k < Rows; k++) if (column[k]) top = 5'(k + 1);
    return top;
  endfunction

  // Empty cells with a filled one anywhere above
  function automatic column_t holes(column_t column);
    logic covered;
    covered = 1'b0;
    for (int k = int'(Rows) - 1; k >= 0; k--) begin
      holes[k] = covered && !column[k];
      covered  = covered || column[k];
    end
  endfunction

  // Cells that differ from the one below them; the floor is filled, above the top row it is empty
  function automatic logic [Rows:0] changes(column_t column);
    return {column, 1'b1} ^ {1'b0, column};
  endfunction

  // Filled cells in the runs that lie directly over a hole
  function automatic column_t over_hole(column_t column);
    over_hole[0] = 1'b0;
    for (int unsigned k = 1; k < Rows; k++) begin
      over_hole[k] = column[k] && (!column[k-1] || over_hole[k-1]);
    end
  endfunction

  function automatic count_t number(logic [Rows:0] mask);
    count_t sum;
    sum = '0;
    for (int unsigned k = 0; k <= Rows; k++) sum = sum + count_t'(mask[k]);
    return sum;
  endfunction

  // -------------------------------------------------------------------------------- the placement
  cells_t      shape;
  logic        overlaps;
  logic [4:0]  expected_row;
  logic        expected_legal, falling;
  logic [2:0]  piece_height;
  always_comb begin
    shape        = cells(placing_q.piece, placing_q.rotation);
    piece_height = '0;
    for (int unsigned dy = 0; dy < 4; dy++) if (shape[dy] != '0) piece_height = 3'(dy + 1);
    // Down from above the board, as far as nothing is in the way
    expected_row = 5'(Rows);
    falling      = 1'b1;
    for (int r = int'(Rows) - 1; r >= 0; r--) begin
      overlaps = 1'b0;
      for (int dy = 0; dy < 4; dy++) begin
        for (int dx = 0; dx < 4; dx++) begin
          if (r + dy < int'(Rows) && shape[dy][dx] && columns_q[dx][(r+dy)%int'(Rows)]) begin
            overlaps = 1'b1;
          end
        end
      end
      if (overlaps) falling = 1'b0;
      if (falling) expected_row = 5'(r);
    end
    expected_legal = 6'(expected_row) + 6'(piece_height) <= 6'(Rows);
  end

  // ------------------------------------------------------------------------------------- the lane
  context_t context_;
  always_comb begin
    context_ = given_q;
    for (int unsigned c = 0; c < Columns; c++) begin
      for (int unsigned i = 0; i < 4; i++) begin
        if (c == 32'(placing_q.column) + i) begin
          context_.heights[c] = height(columns_q[i]);
          context_.buried[c]  = holes(columns_q[i]) != '0;
        end
      end
    end
  end

  logic     landing_valid, placed_valid;
  landing_t landing;
  placed_t  placed;

  tetris_lane #(
    .Lane  (0),
    .Lanes (1)
  ) u_dut (
    .clk_i,
    .rst_ni          (1'b1),
    .context_i       (context_),
    .placing_valid_i (1'b1),
    .placing_i       (placing_q),
    .landing_valid_o (landing_valid),
    .landing_o       (landing),
    .placed_valid_o  (placed_valid),
    .placed_o        (placed)
  );

  // ------------------------------------------------------------------------- the watched column
  column_t    before_piece, after_piece;
  logic       occupied;
  logic [2:0] own_cells, own_top;
  logic [4:0] gap;
  always_comb begin
    before_piece = columns_q[watch_q];
    after_piece  = before_piece;
    own_cells    = '0;
    own_top      = '0;
    for (int unsigned dy = 0; dy < 4; dy++) begin
      if (shape[dy][watch_q]) begin
        own_cells = own_cells + 3'd1;
        own_top   = 3'(dy + 1);
        for (int unsigned r = 0; r < Rows; r++) begin
          if (6'(u_dut.landed.row) + 6'(dy) == 6'(r)) after_piece[r] = 1'b1;
        end
      end
    end
    occupied = own_cells != '0;
    gap      = u_dut.landed.gaps[watch_q];
  end

  // What all columns add
  sum_t       all_gaps, gapped, deep;
  logic [2:0] cells_of;
  logic       hole;
  always_comb begin
    all_gaps = (sum_t'(u_dut.landed.gaps[0]) + sum_t'(u_dut.landed.gaps[1])) +
               (sum_t'(u_dut.landed.gaps[2]) + sum_t'(u_dut.landed.gaps[3]));
    gapped   = '0;
    deep     = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      cells_of = '0;
      for (int unsigned dy = 0; dy < 4; dy++) cells_of = cells_of + 3'(shape[dy][i]);
      hole = u_dut.landed.gaps[i] != '0;
      if (hole) gapped = gapped + 12'd1;
      if (hole || holes(columns_q[i]) != '0) deep = deep + sum_t'(cells_of);
    end
  end

  logic landed, given;
  assign landed = cycle_q >= 4'd5 && expected_legal;
  assign given  = cycle_q >= 4'd10 && expected_legal;

  always_comb begin
    Fits_M: assume (cycle_q != '0 ||
                    fits(placing_i.piece, placing_i.rotation, placing_i.column));
    if (cycle_q == 4'd5) begin
      Legal_A: assert (u_dut.landed.legal == expected_legal);
      Row_A:   assert (!landed || u_dut.landed.row == expected_row);
      if (u_dut.landed.legal && occupied) begin
        Free_A:        assert ((before_piece & after_piece) == before_piece &&
                               number({1'b0, before_piece}) + 5'(own_cells) ==
                               number({1'b0, after_piece}));
        Holes_A:       assert (number({1'b0, holes(after_piece)}) ==
                               number({1'b0, holes(before_piece)}) + gap);
        Transitions_A: assert (number(changes(after_piece)) ==
                               number(changes(before_piece)) + (gap != '0 ? 5'd2 : 5'd0));
        Depth_A:       assert (number({1'b0, over_hole(after_piece)}) ==
                               number({1'b0, over_hole(before_piece)}) +
                               (gap != '0 || holes(before_piece) != '0 ? 5'(own_cells) : 5'd0));
        Height_A:      assert (height(after_piece) == u_dut.landed.row + 5'(own_top) &&
                               height(after_piece) == height(before_piece) + gap + 5'(own_cells));
      end
      Empty_A: assert (occupied || gap == '0);
    end
    if (cycle_q == 4'd10) begin
      Landing_A: assert (placed.landing.legal == u_dut.landed.legal &&
                         placed.landing.row == u_dut.landed.row &&
                         placed.landing.placing == placing_q);
      Landing_height_A: assert (placed.features[0] == sum_t'({u_dut.landed.row, 1'b0}) +
                                sum_t'(piece_height) - 12'd1);
      Column_transitions_A: assert (placed.features[4] ==
                                    given_q.features.column_transitions + {gapped[10:0], 1'b0});
      All_holes_A: assert (placed.features[5] == given_q.features.holes + all_gaps);
      Hole_depth_A: assert (placed.features[8] == given_q.features.hole_depth + deep);
      Aggregate_height_A: assert (placed.features[11] ==
                                  given_q.features.aggregate_height + all_gaps + 12'd4);
      if (u_dut.landed.legal) begin
        Max_height_A: assert (placed.features[13] ==
                              (given_q.features.max_height >
                               sum_t'(u_dut.landed.row) + sum_t'(piece_height)
                               ? given_q.features.max_height
                               : sum_t'(u_dut.landed.row) + sum_t'(piece_height)));
      end
    end
    Gaps_C:    cover (given && gapped == 12'd2 && all_gaps == 12'd5 && expected_row == 5'd17);
    Illegal_C: cover (cycle_q == 4'd10 && !placed.landing.legal);
  end

  logic unused;
  assign unused = ^{landing_valid, placed_valid, landing};

endmodule
