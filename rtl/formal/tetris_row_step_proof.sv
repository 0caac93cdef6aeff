// tetris_row_step, by induction over the rows of a board from the top down: what is known of the
// rows above, and what is counted in a row, is what the definitions say (the README of the game),
// and each count is what the row adds to its feature.
//
// One column is watched, any of the ten, with its two neighbours: `own_i`, `left_i` and `right_i`
// are their cells in the rows above, removed rows left out ([0] is directly above; the empty rows
// over the board follow). The step is given what the definition says of them, and anything of the
// other columns, and has to give what the definition says of them with the row below. It begins
// with all zeros, the values for no rows (Begin_A). So it holds for every row of every
// board, and a feature is the sum over its rows and columns of what they add, begun at the feature
// of an empty board: 0, but 1 a column for the floor (transitions). Features of the rows above
// alone count as if the floor were directly below them.
//
// A full row changes nothing that is known (Removed_A): all counts are those of the board without
// it. Nothing is moved, so no cell is lost or made.
//
// The tallest column grows by one with every row that has a silhouette: a column grows by at most
// one (Height_A), the tallest by one if it is not empty (Covered_A, Silhouette_A).
module tetris_row_step_proof
  import tetris_def_pkg::Columns, tetris_def_pkg::Rows;
(
  input logic               clk_i,
  input logic [3:0]         c_i,      // the column
  input logic [Rows-2:0]    own_i,
  input logic [Rows-2:0]    left_i,
  input logic [Rows-2:0]    right_i,
  input logic [Columns-1:0] row_i,
  input tetris_pkg::above_t known_i
);

  typedef logic [4:0]      count_t;
  typedef logic [7:0]      sum_t;
  typedef logic [Rows-1:0] column_t;  // [0] = lowest cell

  // ----------------------------------------------------------------- the definitions, of a column
  function automatic count_t height(column_t cells);
    count_t top;
    top = '0;
    for (int unsigned k = 0; k < Rows; k++) if (cells[k]) top = 5'(k + 1);
    return top;
  endfunction

  // Length of the filled run at the bottom
  function automatic count_t run(column_t cells);
    count_t length;
    logic   unbroken;
    length   = '0;
    unbroken = 1'b1;
    for (int unsigned k = 0; k < Rows; k++) begin
      unbroken = unbroken && cells[k];
      if (unbroken) length = 5'(k + 1);
    end
    return length;
  endfunction

  // Well cells in the empty run at the bottom
  function automatic count_t wells_at_bottom(column_t cells, column_t wells);
    count_t number;
    logic   unbroken;
    number   = '0;
    unbroken = 1'b1;
    for (int unsigned k = 0; k < Rows; k++) begin
      unbroken = unbroken && !cells[k];
      if (unbroken && wells[k]) number = number + 5'd1;
    end
    return number;
  endfunction

  // Cells of that run from its topmost well cell on
  function automatic count_t depth(column_t cells, column_t wells);
    count_t length;
    logic   unbroken;
    length   = '0;
    unbroken = 1'b1;
    for (int unsigned k = 0; k < Rows; k++) begin
      unbroken = unbroken && !cells[k];
      if (unbroken && wells[k]) length = 5'(k + 1);
    end
    return length;
  endfunction

  // ---------------------------------------------------------------- ... and the column's features
  // Changes between adjacent cells: empty above the top row, the floor filled.
  function automatic sum_t transitions(column_t cells);
    sum_t sum;
    sum = sum_t'(cells[Rows-1]);
    for (int k = int'(Rows) - 1; k >= 1; k--) sum = sum + sum_t'(cells[k] != cells[k-1]);
    return sum + sum_t'(!cells[0]);
  endfunction

  // Empty cells with a filled one anywhere above
  function automatic sum_t holes(column_t cells);
    sum_t sum;
    logic covered;
    sum     = '0;
    covered = 1'b0;
    for (int k = int'(Rows) - 1; k >= 0; k--) begin
      sum     = sum + sum_t'(covered && !cells[k]);
      covered = covered || cells[k];
    end
    return sum;
  endfunction

  // Filled cells in the runs that lie directly over a hole
  function automatic sum_t hole_depth(column_t cells);
    sum_t   sum;
    count_t length;
    sum    = '0;
    length = '0;
    for (int k = int'(Rows) - 1; k >= 0; k--) begin
      if (!cells[k]) sum = sum + sum_t'(length);
      length = cells[k] ? length + 5'd1 : 5'd0;
    end
    return sum;
  endfunction

  // For each well cell: 1 + the empty cells directly below it. Those are the pairs of a well cell
  // and an empty cell of its run, not above it; here they are counted by the lower one.
  function automatic sum_t cumulative_wells(column_t cells, column_t wells);
    sum_t   sum;
    count_t over;  // well cells of the run so far
    sum  = '0;
    over = '0;
    for (int k = int'(Rows) - 1; k >= 0; k--) begin
      over = cells[k] ? 5'd0 : over + 5'(wells[k]);
      sum  = sum + sum_t'(over);
    end
    return sum;
  endfunction

  // For each empty run: 1 + 2 + ... + n, n counted from its topmost well cell to its end
  function automatic sum_t well_sums(column_t cells, column_t wells);
    sum_t   sum;
    count_t n;
    sum = '0;
    n   = '0;
    for (int k = int'(Rows) - 1; k >= 0; k--) begin
      if (cells[k]) begin
        sum = sum + triangle(n);
        n   = '0;
      end else if (n != '0 || wells[k]) begin
        n = n + 5'd1;
      end
    end
    return sum + triangle(n);
  endfunction

  function automatic sum_t triangle(count_t n);
    sum_t sum;
    sum = '0;
    for (int unsigned i = 1; i <= Rows; i++) if (n == 5'(i)) sum = sum_t'(i * (i + 1) / 2);
    return sum;
  endfunction

  // -------------------------------------------------------------------------- the step on them
  tetris_pkg::above_t known;
  tetris_pkg::marks_t marks;

  tetris_row_step u_dut (
    .above_i  (known_i),
    .filled_i (row_i),
    .above_o  (known),
    .marks_o  (marks)
  );

  // A column of counters by bit plane
  function automatic count_t value(tetris_pkg::planes_t planes, logic [3:0] c);
    count_t number;
    for (int unsigned k = 0; k < 5; k++) number[k] = planes[k][c];
    return number;
  endfunction

  logic pair;  // there is a right neighbour
  assign pair = c_i != 4'(Columns - 1);

  // Walls are filled. There is room for a row more: the top row is empty.
  column_t above, above_left, above_right, own, left, right;
  assign above       = {1'b0, own_i};
  assign above_left  = (c_i == 4'd0) ? '1 : {1'b0, left_i};
  assign above_right = pair ? {1'b0, right_i} : '1;
  // With the new row below
  assign own   = {own_i, row_i[c_i]};
  assign left  = (c_i == 4'd0) ? '1 : {left_i, row_i[c_i-4'd1]};
  assign right = pair ? {right_i, row_i[c_i+4'd1]} : '1;

  // The empty top row has none: no column lies between two walls.
  column_t above_wells, wells;
  assign above_wells = {1'b0, ~own_i & above_left[Rows-2:0] & above_right[Rows-2:0]};
  assign wells       = ~own & left & right;

  logic              full;
  // The left column's height less the right one's, of the pair with the right neighbour
  logic signed [5:0] lead_above, lead;
  assign full       = row_i == '1;
  assign lead_above = signed'({1'b0, height(above)}) - signed'({1'b0, height(above_right)});
  assign lead       = signed'({1'b0, height(own)}) - signed'({1'b0, height(right)});

  // Changes between adjacent cells of the row, both walls filled
  logic [3:0] row_transitions, gaps;
  always_comb begin
    row_transitions = 4'(!row_i[0]) + 4'(!row_i[Columns-1]);
    gaps            = '0;
    for (int unsigned c = 0; c < Columns; c++) begin
      if (c != 0) row_transitions = row_transitions + 4'(row_i[c] != row_i[c-1]);
      gaps = gaps + 4'(marks.gaps[c]);
    end
  end

  // The engine wants a register.
  logic live_q = 1'b0;
  always_ff @(posedge clk_i) live_q <= 1'b1;

  always_comb begin
    Column_M: assume (c_i < 4'(Columns));
    // What is known of the column is what the definition says.
    Known_M: assume (known_i.covered[c_i] == (above != '0) && known_i.above[c_i] == above[0] &&
                     value(known_i.run, c_i) == run(above) &&
                     value(known_i.wells, c_i) == wells_at_bottom(above, above_wells) &&
                     value(known_i.depth, c_i) == depth(above, above_wells));
    Neighbour_M: assume (!pair || known_i.covered[c_i+4'd1] == (above_right != '0));
    Pair_M:  assume (!pair || (known_i.by1[c_i] == (lead_above >= 1 || lead_above <= -1) &&
                               known_i.by2[c_i] == (lead_above >= 2 || lead_above <= -2) &&
                               known_i.by3[c_i] == (lead_above >= 3 || lead_above <= -3) &&
                               known_i.left[c_i] == (lead_above > 0)));

    if (live_q) begin
      Full_A:           assert (marks.full == full);
      Removed_A:        assert (!full || known == known_i);
      RowTransitions_A: assert (row_transitions == {gaps[2:0], 1'b0});
      Silhouette_A:     assert (marks.silhouette[c_i] == (own != '0));
      if (!full) begin
        // What is known after the row
        Covered_A: assert (known.covered[c_i] == (own != '0));
        Above_A:   assert (known.above[c_i] == own[0]);
        Run_A:     assert (value(known.run, c_i) == run(own));
        Wells_A:   assert (value(known.wells, c_i) == wells_at_bottom(own, wells));
        Depth_A:   assert (value(known.depth, c_i) == depth(own, wells));
        // What the row adds to the features
        ColumnTransitions_A: assert (transitions(own) == transitions(above) +
                                     {6'd0, marks.edges[c_i], 1'b0});
        Holes_A:             assert (holes(own) == holes(above) + sum_t'(marks.holes[c_i]));
        HoleDepth_A:         assert (hole_depth(own) == hole_depth(above) +
                                     sum_t'(value(marks.buried, c_i)));
        CumulativeWells_A:   assert (cumulative_wells(own, wells) ==
                                     cumulative_wells(above, above_wells) +
                                     sum_t'(value(known.wells, c_i)));
        WellSums_A:          assert (well_sums(own, wells) == well_sums(above, above_wells) +
                                     sum_t'(value(known.depth, c_i)));
        Height_A:            assert (height(own) == height(above) + 5'(marks.silhouette[c_i]));
        if (pair) begin
          By1_A:       assert (known.by1[c_i] == (lead >= 1 || lead <= -1));
          By2_A:       assert (known.by2[c_i] == (lead >= 2 || lead <= -2));
          By3_A:       assert (known.by3[c_i] == (lead >= 3 || lead <= -3));
          Left_A:      assert (known.left[c_i] == (lead > 0));
          Bumpiness_A: assert ((lead < 0 ? -lead : lead) ==
                               (lead_above < 0 ? -lead_above : lead_above) +
                               6'(marks.steps[c_i]));
        end
      end
      // Of no rows at all zeros are right, whatever the column.
      Begin_A: assert (above != '0 || above_wells != '0 || above_right != '0 ||
                       {known_i.covered[c_i], known_i.above[c_i], value(known_i.run, c_i),
                        value(known_i.wells, c_i), value(known_i.depth, c_i)} == '0);
    end
    Full_C:  cover (live_q && full && above != '0);
    Deep_C:  cover (live_q && !full && c_i == 4'd3 && value(known.depth, c_i) == 5'd15 &&
                    value(known.wells, c_i) == 5'd9);
    Wall_C:  cover (live_q && !full && c_i == 4'd9 && well_sums(own, wells) == 8'd190);
  end

endmodule
