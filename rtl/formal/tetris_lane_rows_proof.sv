// tetris_lane: whether a placement fills a row, and what it adds to the row transitions and the
// rows with holes of its board, row by row by the definitions (the README of the game).
//
// As in a lane, transitions and holes are counted on the board with the piece before full rows are
// removed: of a placement that removes rows they mean nothing. Transitions change in the rows of
// the piece alone. A row has a new hole exactly if it is in the lane's interval (Holes_A), and the
// lane counts the rows of the interval that had no hole before (Hole_rows_A).
//
// The board is any. What the context says of it follows from the definitions; the rest of the
// context is any. The landing row is the lane's own (tetris_lane_columns proves it). One placement
// goes through the lane, with its context held. A lane has no state but its pipeline, 9 cycles
// long.
module tetris_lane_rows_proof
  import tetris_def_pkg::Columns, tetris_def_pkg::Rows, tetris_def_pkg::board_t,
         tetris_def_pkg::cells, tetris_def_pkg::cells_t, tetris_def_pkg::fits,
         tetris_def_pkg::height, tetris_lanes_pkg::context_t, tetris_lanes_pkg::landing_t,
         tetris_lanes_pkg::placed_t, tetris_lanes_pkg::placing_t;
(
  input logic     clk_i,
  input board_t   board_i,
  input placing_t placing_i,
  input context_t context_i  // of the board without the placement
);

  typedef logic [Columns-1:0] row_t;
  typedef logic [Rows-1:0]    marks_t;  // [row from the bottom]
  typedef logic signed [11:0] sum_t;

  // All stays what it is in the first cycle.
  logic [3:0] cycle_q = '0;
  board_t     board_q;
  placing_t   placing_q;
  context_t   given_q;
  always_ff @(posedge clk_i) begin
    if (cycle_q == '0) begin
      board_q   <= board_i;
      placing_q <= placing_i;
      given_q   <= context_i;
    end
    if (cycle_q != '1) cycle_q <= cycle_q + 4'd1;
  end

  // ---------------------------------------------------------------------------- the definitions
  // Changes between adjacent cells of a row, both walls filled
  function automatic logic [Columns:0] changes(row_t row);
    return {1'b1, row} ^ {row, 1'b1};
  endfunction

  // Rows with an empty cell that has a filled one anywhere above
  function automatic marks_t with_holes(board_t board);
    row_t covered;
    covered = '0;
    for (int r = int'(Rows) - 1; r >= 0; r--) begin
      with_holes[r] = (covered & ~board[r]) != '0;
      covered       = covered | board[r];
    end
  endfunction

  function automatic logic [3:0] number(row_t row);
    number = '0;
    for (int unsigned c = 0; c < Columns; c++) number = number + 4'(row[c]);
  endfunction

  // ----------------------------------------------------------------------------------- the lane
  marks_t     hole_before;
  logic [4:0] without;  // rows from one on without a hole
  context_t   context_;
  always_comb begin
    hole_before    = with_holes(board_q);
    without        = '0;
    context_       = given_q;
    context_.full  = 1'b0;
    context_.clean[Rows] = 5'(Rows);
    for (int unsigned c = 0; c < Columns; c++) begin
      context_.heights[c] = height(board_q, c);
      for (int unsigned r = 0; r < Rows; r++) context_.columns[c][r] = board_q[r][c];
    end
    for (int r = int'(Rows) - 1; r >= 0; r--) begin
      if (board_q[r] == '1) context_.full = 1'b1;
      context_.empty[r] = number(~board_q[r]) > 4'd5 ? 3'd5 : 3'(number(~board_q[r]));
      if (!hole_before[r]) without = without + 5'd1;
      context_.clean[r] = 5'(Rows) - without;
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

  // ---------------------------------------------------------------------- the board with the piece
  cells_t     shape;
  logic [4:0] row, at;
  board_t     after;
  marks_t     hole_after;
  logic       full_after;
  sum_t       transitions;  // the difference
  logic [Columns:0] changes_before, changes_after;
  always_comb begin
    shape = cells(placing_q.piece, placing_q.rotation);
    row   = u_dut.landed.row;
    after = board_q;
    for (int unsigned r = 0; r < Rows; r++) begin
      for (int unsigned dy = 0; dy < 4; dy++) begin
        if (6'(r) == 6'(row) + 6'(dy)) begin
          after[r] = board_q[r] | (row_t'(shape[dy]) << placing_q.column);
        end
      end
    end
    hole_after = with_holes(after);
    full_after = 1'b0;
    for (int unsigned r = 0; r < Rows; r++) if (after[r] == '1) full_after = 1'b1;

    transitions = '0;
    for (int unsigned dy = 0; dy < 4; dy++) begin
      at             = row + 5'(dy);
      changes_before = changes(board_q[at]);
      changes_after  = changes(after[at]);
      for (int unsigned p = 0; p <= Columns; p++) begin
        if (at < 5'(Rows)) begin
          transitions = transitions + (sum_t'({1'b0, changes_after[p]}) -
                                       sum_t'({1'b0, changes_before[p]}));
        end
      end
    end
  end

  // The interval of the rows with new holes
  logic       gapped;
  logic [4:0] low, high, fresh;
  marks_t     between;
  always_comb begin
    gapped = u_dut.early6_q.gaps != '0;
    low    = u_dut.lowest6_q;
    high   = u_dut.highest6_q;
    fresh  = '0;
    for (int r = int'(Rows) - 1; r >= 0; r--) begin
      between[r] = gapped && low <= 5'(r) && 5'(r) < high;
      if (between[r] && !hole_before[r]) fresh = fresh + 5'd1;
    end
  end

  logic ready, legal;
  assign ready = cycle_q == 4'd10;
  assign legal = ready && u_dut.landed.legal;

  always_comb begin
    Fits_M: assume (cycle_q != '0 ||
                    fits(placing_i.piece, placing_i.rotation, placing_i.column));
    if (ready) begin
      Same_A:    assert (landing == placed.landing && landing.legal == u_dut.landed.legal);
      Illegal_A: assert (legal || !landing.removes);
    end
    if (legal) begin
      Hole_rows_A: assert (u_dut.hole_rows8_q == fresh);
      Added_A:     assert (placed.features[9] ==
                           given_q.features.rows_with_holes + 12'(u_dut.hole_rows8_q));
    end
    Four_C:  cover (legal && placing_q.piece == 3'd0 && transitions == 12'sd8);
    Holes_C: cover (legal && fresh == 5'd4 && high == low + 5'd6 && !landing.removes);
    Fills_C: cover (legal && landing.removes && !context_.full);
  end

  // Landing row by landing row, which is easier to prove
  for (genvar r = 0; r < Rows; r++) begin : gen_row
    always_comb begin
      if (legal && row == 5'(r)) begin
        Removes_A:     assert (landing.removes == full_after);
        Transitions_A: assert (placed.features[3] ==
                               given_q.features.row_transitions + transitions);
        Holes_A:       assert (hole_after == (hole_before | between));
      end
    end
  end

  logic unused;
  assign unused = ^{landing_valid, placed_valid};

endmodule
