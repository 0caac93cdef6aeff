// tetris_lane: what a placement adds to the cumulative wells and the well sums of its board, by
// the definitions (the README of the game), on any board without rows removed.
//
// A placement changes well cells in its own columns and in the one on either side alone: a well
// cell depends on three columns. One of these is watched, any of them, before the piece is there
// and after. What each well cell adds is compared row by row, in the row of the well cell; the
// length of each run of empty cells from its topmost well cell on is compared in the row of the
// run's end. Where they differ, the lane has the difference (cumulative wells; short runs in the
// rows of the piece; one run that reaches below it); everywhere else they are equal (Elsewhere_A,
// Runs_A). The lane has the triangles of these lengths (Gains_A), and each feature is the sum of
// the board's and of what the lane has for the columns (All_cumulative_A, All_sums_A).
//
// The cells of these columns and of those beyond are any; their heights, and what the context says
// of their well cells, follow from the definitions. The rest of the context is any. The landing
// row is the lane's own (tetris_lane_columns proves it). One placement goes through the lane, with
// its context held. A lane has no state but its pipeline, 9 cycles long.
module tetris_lane_wells_proof
  import tetris_def_pkg::Columns, tetris_def_pkg::Rows, tetris_def_pkg::cells,
         tetris_def_pkg::cells_t, tetris_def_pkg::fits, tetris_lanes_pkg::context_t,
         tetris_lanes_pkg::landing_t, tetris_lanes_pkg::placed_t, tetris_lanes_pkg::placing_t;
(
  input logic                 clk_i,
  input logic [7:0][Rows-1:0] columns_i,  // from two columns left of the piece on
  input logic [2:0]           watch_i,    // 1: the column left of the piece, 2: its first column
  input placing_t             placing_i,
  input context_t             context_i   // of the rest
);

  typedef logic [Rows-1:0]       column_t;
  typedef logic [Rows-1:0][4:0]  by_row_t;
  typedef logic signed [11:0]    sum_t;

  // All stays what it is in the first cycle.
  logic [3:0]           cycle_q = '0;
  logic [7:0][Rows-1:0] columns_q;
  logic [2:0]           watch_q;
  placing_t             placing_q;
  context_t             given_q;
  always_ff @(posedge clk_i) begin
    if (cycle_q == '0) begin
      columns_q <= columns_i;
      watch_q   <= watch_i;
      placing_q <= placing_i;
      given_q   <= context_i;
    end
    if (cycle_q != '1) cycle_q <= cycle_q + 4'd1;
  end

  // ---------------------------------------------------------------------------- the definitions
  function automatic logic [4:0] height(column_t column);
    height = '0;
    for (int unsigned k = 0; k < Rows; k++) if (column[k]) height = 5'(k + 1);
  endfunction

  // For each empty cell: 1 + the empty cells directly below it, down to the first filled cell or
  // the floor
  function automatic by_row_t distances(column_t column);
    logic [4:0] below;  // the first row of the empty cells
    below = '0;
    for (int unsigned k = 0; k < Rows; k++) begin
      distances[k] = column[k] ? 5'd0 : 5'(k + 1) - below;
      if (column[k]) below = 5'(k + 1);
    end
  endfunction

  // In the row of a run's lowest cell: how many cells it has from its topmost well cell on
  function automatic by_row_t run_ends(column_t column, column_t wells);
    logic [4:0] top;  // one more than the row of that well cell, 0 without one
    top = '0;
    for (int k = int'(Rows) - 1; k >= 0; k--) begin
      if (column[k]) top = '0;
      else if (top == '0 && wells[k]) top = 5'(k + 1);
      run_ends[k] = top != '0 && (k == 0 || column[(k+int'(Rows)-1)%int'(Rows)]) ? top - 5'(k)
                                                                               : 5'd0;
    end
  endfunction

  function automatic sum_t triangle(logic [4:0] n);
    triangle = '0;
    for (int unsigned i = 1; i <= Rows; i++) if (n == 5'(i)) triangle = sum_t'(i * (i + 1) / 2);
  endfunction

  // ---------------------------------------------------------------------------------- the board
  cells_t               shape;
  int unsigned          width;
  logic [7:0][Rows-1:0] board;  // the columns, walls filled
  logic [7:0]           in_board;
  always_comb begin
    shape = cells(placing_q.piece, placing_q.rotation);
    width = 0;
    for (int unsigned dx = 0; dx < 4; dx++) begin
      for (int unsigned dy = 0; dy < 4; dy++) if (shape[dy][dx]) width = dx + 1;
    end
    for (int unsigned i = 0; i < 8; i++) begin
      in_board[i] = 32'(placing_q.column) + i >= 2 && 32'(placing_q.column) + i < Columns + 2;
      board[i]  = in_board[i] ? columns_q[i] : '1;
    end
  end

  // -------------------------------------------------------------------------- the watched column
  column_t own, left, right, own_after, left_after, right_after;
  column_t wells, wells_after;

  function automatic column_t with_piece(column_t column, cells_t piece, logic [2:0] i,
                                         logic [4:0] row);
    with_piece = column;
    for (int unsigned r = 0; r < Rows; r++) begin
      for (int unsigned dy = 0; dy < 4; dy++) begin
        if (i >= 3'd2 && i < 3'd6 && piece[dy][2'(i-3'd2)] && 6'(row) + 6'(dy) == 6'(r)) begin
          with_piece[r] = 1'b1;
        end
      end
    end
  endfunction

  always_comb begin
    left        = board[watch_q-3'd1];
    own         = board[watch_q];
    right       = board[watch_q+3'd1];
    left_after  = with_piece(left, shape, watch_q - 3'd1, u_dut.landed.row);
    own_after   = with_piece(own, shape, watch_q, u_dut.landed.row);
    right_after = with_piece(right, shape, watch_q + 3'd1, u_dut.landed.row);
    wells       = ~own & left & right;
    wells_after = ~own_after & left_after & right_after;
  end

  // What the context says of the columns' heights and cells, and of the watched one's well cells
  context_t        context_;
  logic [4:0]      top, seen, above, well_top, far;
  logic [2:0][4:0] open;
  logic [3:0]      near;
  always_comb begin
    top  = height(own);
    seen = '0;
    open = '0;
    near = '0;
    far  = '0;
    for (int k = int'(Rows) - 1; k >= 0; k--) begin
      above = 5'(k + 1) - top;
      if (wells[k] && 5'(k) >= top) begin
        if (seen < 5'd3) open[seen[1:0]] = above;
        if (above <= 5'd4) near = near + above[3:0];
        else far = far + 5'd1;
        seen = seen + 5'd1;
      end
    end
    well_top = height(wells);

    context_ = given_q;
    for (int unsigned c = 0; c < Columns; c++) begin
      for (int unsigned i = 0; i < 8; i++) begin
        if (32'(placing_q.column) + i == c + 2) begin
          context_.heights[c] = height(board[i]);
          context_.columns[c] = board[i];
        end
      end
      if (32'(placing_q.column) + 32'(watch_q) == c + 2) begin
        context_.well_top[c]   = well_top;
        context_.open_wells[c] = open;
        context_.near_wells[c] = near;
        context_.far_wells[c]  = far;
      end
    end
  end

  // ----------------------------------------------------------------------------------- the lane
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

  // Well cells change in the four rows of the piece alone; those above an upright I come four rows
  // closer to the filled cell below. Runs change if they end in these rows or, as they are cut in
  // two, in the row beyond them; and so does the run that reaches down from the piece's lowest cell
  // in that column, or beside it: it ends in `end_row`. Of it, an upright I leaves what is above.
  logic [4:0] row, base, end_row, at;
  logic       beside, upright;
  by_row_t    term, term_after, run_end, run_end_after;
  column_t    below_base;
  sum_t       cumulative, short_runs;  // the differences; without the run that ends in end_row
  logic [4:0] run, run_after;          // that run
  logic       elsewhere_ok, runs_ok;
  logic [1:0] column;  // of the piece
  always_comb begin
    row          = u_dut.landed.row;
    beside       = watch_q == 3'd1 || 32'(watch_q) == width + 2;
    upright      = width == 1 && !beside;
    column       = watch_q == 3'd1 ? 2'd0 : beside ? 2'(width - 1) : 2'(watch_q - 3'd2);
    base         = row;
    for (int dy = 3; dy >= 0; dy--) if (shape[dy][column]) base = row + 5'(dy);
    if (!beside && base != row && own[base-5'd1]) base = row;
    for (int unsigned r = 0; r < Rows; r++) below_base[r] = 5'(r) < base;
    end_row       = height(own & below_base);
    term          = distances(own);
    term_after    = distances(own_after);
    run_end       = run_ends(own, wells);
    run_end_after = run_ends(own_after, wells_after);
    cumulative    = '0;
    short_runs    = '0;
    elsewhere_ok  = 1'b1;
    runs_ok       = 1'b1;
    for (int unsigned r = 0; r < Rows; r++) begin
      if (!wells[r]) term[r] = '0;
      if (!wells_after[r]) term_after[r] = '0;
      if (5'(r) < row || 6'(r) > 6'(row) + 6'd3) begin
        if (term_after[r] !=
            ((upright && wells[r] && 5'(r) > row) ? term[r] - 5'd4 : term[r])) begin
          elsewhere_ok = 1'b0;
        end
      end
      if ((5'(r) < row && 5'(r) != end_row) || 6'(r) > 6'(row) + 6'd4) begin
        if (run_end_after[r] != run_end[r]) runs_ok = 1'b0;
      end
      if (upright && wells[r] && 6'(r) > 6'(row) + 6'd3) cumulative = cumulative - 12'sd4;
    end
    run       = run_end[end_row];
    run_after = run_end_after[end_row];
    if (upright) run_after = row < 5'd16 ? run_end_after[row+5'd4] : 5'd0;
    for (int unsigned k = 0; k < 5; k++) begin
      at = row + 5'(k);
      if (at < 5'(Rows)) begin
        if (k < 4) cumulative = cumulative + (sum_t'({1'b0, term_after[at]}) -
                                              sum_t'({1'b0, term[at]}));
        if (at != end_row && !(upright && k == 4)) begin
          short_runs = short_runs + (triangle(run_end_after[at]) - triangle(run_end[at]));
        end
      end
    end
  end

  // ------------------------------------------------------------------ what the lane has for each
  sum_t       watched_cumulative, watched_short, all_cumulative, all_sums;
  logic [4:0] watched_run, watched_after;  // its run, if one changes
  logic       gains_ok;

  function automatic sum_t on_top(logic [1:0] on);
    return on[1] ? 12'sd3 : sum_t'({1'b0, on[0]});
  endfunction

  function automatic logic gain_ok(logic signed [8:0] gain, logic [4:0] new_run,
                                   logic [4:0] old_run);
    return sum_t'(gain) == triangle(new_run) - triangle(old_run);
  endfunction

  always_comb begin
    watched_cumulative = '0;
    watched_short      = '0;
    watched_run        = '0;
    watched_after      = '0;
    if (watch_q == 3'd1) begin
      watched_cumulative = sum_t'({1'b0, u_dut.u_wells.left7_q}) +
                           sum_t'(u_dut.u_wells.left_change5_q);
      watched_short      = sum_t'({1'b0, u_dut.u_wells.left_sums5_q});
      watched_run        = u_dut.u_wells.left6_q.old;
      watched_after      = u_dut.u_wells.left6_q.depth;
    end else if (beside) begin
      watched_cumulative = sum_t'({1'b0, u_dut.u_wells.right7_q}) +
                           sum_t'(u_dut.u_wells.right_change5_q);
      watched_short      = sum_t'({1'b0, u_dut.u_wells.right_sums5_q});
      watched_run        = u_dut.u_wells.right6_q.old;
      watched_after      = u_dut.u_wells.right6_q.depth;
    end else begin
      if (watch_q == 3'd2) begin
        watched_cumulative = watched_cumulative + sum_t'({1'b0, u_dut.u_wells.left_on5_q});
        watched_short      = watched_short + on_top(u_dut.u_wells.left_on5_q);
      end
      if (32'(watch_q) == width + 1) begin
        watched_cumulative = watched_cumulative + sum_t'({1'b0, u_dut.u_wells.right_on5_q});
        watched_short      = watched_short + on_top(u_dut.u_wells.right_on5_q);
      end
      if (watch_q == 3'(u_dut.form.hung) + 3'd2) begin
        watched_cumulative = watched_cumulative + sum_t'({1'b0, u_dut.u_wells.hung7_q}) -
                             sum_t'({1'b0, u_dut.u_wells.hung_both5_q});
        watched_run        = watched_run + u_dut.u_wells.hung6_q.old;
        watched_after      = watched_after + u_dut.u_wells.hung6_q.depth;
      end
      if (watch_q == 3'd4) begin
        watched_cumulative = watched_cumulative + sum_t'({1'b0, u_dut.u_wells.second_gap5_q});
        watched_run        = watched_run + u_dut.u_wells.second_old6_q;
        watched_after      = watched_after + u_dut.u_wells.second6_q;
      end
      if (watch_q == 3'(u_dut.form.shut) + 3'd2) begin
        watched_cumulative = watched_cumulative - sum_t'({1'b0, u_dut.u_wells.lost6_q});
        watched_run        = watched_run + u_dut.u_wells.shut_old6_q;
        watched_after      = watched_after + u_dut.u_wells.shut6_q;
      end
    end
    gains_ok = gain_ok(u_dut.u_wells.left_gain7_q, u_dut.u_wells.left6_q.depth,
                       u_dut.u_wells.left6_q.old) &&
               gain_ok(u_dut.u_wells.right_gain7_q, u_dut.u_wells.right6_q.depth,
                       u_dut.u_wells.right6_q.old) &&
               gain_ok(u_dut.u_wells.hung_gain7_q, u_dut.u_wells.hung6_q.depth,
                       u_dut.u_wells.hung6_q.old) &&
               gain_ok(u_dut.u_wells.second_gain7_q, u_dut.u_wells.second6_q,
                       u_dut.u_wells.second_old6_q) &&
               gain_ok(u_dut.u_wells.shut_gain7_q, u_dut.u_wells.shut6_q,
                       u_dut.u_wells.shut_old6_q);
    // In the order in which the lane adds: it changes nothing, but another one is hard to prove.
    all_cumulative = (sum_t'({1'b0, u_dut.u_wells.left7_q}) +
                      sum_t'({1'b0, u_dut.u_wells.right7_q})) +
                     (sum_t'({1'b0, u_dut.u_wells.hung7_q}) +
                      (sum_t'(u_dut.u_wells.left_change5_q) +
                       sum_t'(u_dut.u_wells.right_change5_q) -
                       sum_t'({1'b0, u_dut.u_wells.hung_both5_q}) +
                       sum_t'({1'b0, u_dut.u_wells.left_on5_q}) +
                       sum_t'({1'b0, u_dut.u_wells.right_on5_q}) +
                       sum_t'({1'b0, u_dut.u_wells.second_gap5_q}) -
                       sum_t'({1'b0, u_dut.u_wells.lost6_q})));
    all_sums       = (sum_t'(u_dut.u_wells.left_gain7_q) + sum_t'(u_dut.u_wells.right_gain7_q)) +
                     (sum_t'(u_dut.u_wells.hung_gain7_q) + sum_t'(u_dut.u_wells.second_gain7_q)) +
                     (sum_t'(u_dut.u_wells.shut_gain7_q) +
                      (sum_t'({1'b0, u_dut.u_wells.left_sums5_q}) +
                       sum_t'({1'b0, u_dut.u_wells.right_sums5_q}) +
                       on_top(u_dut.u_wells.left_on5_q) + on_top(u_dut.u_wells.right_on5_q)));
  end

  logic run_ok;
  assign run_ok = watched_run == watched_after ? run == run_after :
                  run == watched_run && run_after == watched_after;

  // No board has more well cells in a column above its top.
  logic given_ok;
  always_comb begin
    given_ok = 1'b1;
    for (int unsigned c = 0; c < Columns; c++) begin
      if (given_q.near_wells[c] > 4'd10 || given_q.far_wells[c] > 5'd16) given_ok = 1'b0;
    end
  end

  logic legal, on_board;
  assign legal    = cycle_q == 4'd10 && u_dut.landed.legal;
  assign on_board = in_board[watch_q] && 32'(watch_q) <= width + 2;

  always_comb begin
    Fits_M:  assume (cycle_q != '0 ||
                     fits(placing_i.piece, placing_i.rotation, placing_i.column));
    Wells_M: assume (cycle_q == '0 || given_ok);
    Watch_M: assume (watch_i >= 3'd1 && watch_i <= 3'd6);
    if (legal) begin
      if (on_board) begin
        Elsewhere_A:  assert (elsewhere_ok);
        Runs_A:       assert (runs_ok);
      end else if (32'(watch_q) <= width + 2) begin
        Wall_A:       assert (watched_cumulative == '0 && watched_short == '0 &&
                              watched_run == watched_after);
      end
      Gains_A:          assert (gains_ok);
      All_cumulative_A: assert (placed.features[6] ==
                                given_q.features.cumulative_wells + all_cumulative);
      All_sums_A:       assert (placed.features[7] == given_q.features.well_sums + all_sums);
    end
    Lost_C: cover (legal && on_board && watch_q == 3'd2 && width == 1 && cumulative == -12'sd50);
    Hung_C: cover (legal && on_board && cumulative == 12'sd9 && run_after == 5'd5 &&
                   placing_q.piece == 3'd5 && width == 2);
  end

  // Landing row by landing row, which is easier to prove
  for (genvar r = 0; r < Rows; r++) begin : gen_row
    always_comb begin
      if (legal && on_board && row == 5'(r)) begin
        Short_A: assert (short_runs == watched_short);
        if (beside) begin
          Beside_cumulative_A: assert (cumulative == watched_cumulative);
          Beside_run_A:        assert (run_ok);
        end else begin
          Piece_cumulative_A: assert (cumulative == watched_cumulative);
          Piece_run_A:        assert (run_ok);
        end
      end
    end
  end

  logic unused;
  assign unused = ^{landing_valid, placed_valid, landing};

endmodule
