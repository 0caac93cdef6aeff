// A group of a board's rows: what there is to count in it, and what is known of a column when its
// last group has passed.
//
// Takes a group each cycle, upper groups first. Everything given belongs to the group of two cycles
// before. A full row is left out: so it is removed.
//
// In the first cycle a column of the group is put into a few numbers that do not depend on what is
// above; in the second they meet the counters. `wells` counts well cells of the empty run above a
// row, `depth` the run's cells from its topmost well cell. Both are summed over all empty cells:
// the group adds the counter times the cells of its run that are in the group, and a number of its
// own.
module tetris_context_step
  import tetris_pkg::Columns, tetris_pkg::height_t, tetris_pkg::heights_t, tetris_pkg::pairs_t,
         tetris_pkg::row_t;
#(
  parameter int unsigned RowsPerCycle = 2,
  localparam int unsigned CountWidth = $clog2(RowsPerCycle + 1),
  localparam int unsigned OwnWidth   = $clog2(RowsPerCycle * (RowsPerCycle + 1) / 2 + 1),
  localparam int unsigned TimesWidth = 5 + CountWidth - 1
) (
  input  logic                               clk_i,
  input  logic                               first_i,
  input  row_t [RowsPerCycle-1:0]            rows_i,
  input  logic [RowsPerCycle-1:0]            full_i,

  // The columns after the last group; the heights' differences by their size
  output row_t                               buried_o,  // a hole
  output heights_t                           base_o,    // filled cells from the floor up
  output height_t [Columns-2:0]              bumps_o,   // [c] = columns c and c + 1
  output pairs_t                             left_o,    // the left column is the higher one

  // What is to be summed over the groups
  output row_t [RowsPerCycle-1:0]            gaps_o,    // runs of empty cells; a full row has one
  output row_t [RowsPerCycle-1:0]            edges_o,   // empty cells under a filled one
  output row_t [RowsPerCycle-1:0]            holes_o,
  output row_t [RowsPerCycle-1:0]            filled_o,
  output logic [CountWidth-1:0]              tall_o,    // rows in or below the stack's top
  output logic [CountWidth-1:0]              cleared_o,
  output logic [Columns-1:0][TimesWidth-1:0] wells_times_o,
  output logic [Columns-1:0][OwnWidth-1:0]   wells_own_o,
  output logic [Columns-1:0][TimesWidth-1:0] depth_times_o,
  output logic [Columns-1:0][OwnWidth-1:0]   depth_own_o
);

  typedef logic [CountWidth-1:0] small_t;
  typedef logic [OwnWidth-1:0]   own_t;
  typedef logic [TimesWidth-1:0] times_t;

  // ------------------------------------------------------------------ the group by itself
  // Cells of an empty run in a column of the group
  typedef struct packed {
    logic   in_well;  // the run at the group's end has a well cell
    small_t added;   // to the counter
    own_t   own;     // sum over the cells of what is added so far
  } run_t;

  typedef struct packed {
    logic       clear;    // the column's empty run ends in the group, or it is the first group
    small_t     cells;    // in the group, of the run that comes from above
    small_t     wells;
    own_t       wells_own;
    run_t [1:0] depth;    // [1]: the run has a well cell above the group
    logic       on_base;  // no empty cell in the group, and it is not the first
    small_t     base;
  } column_t;

  function automatic run_t lengthened(run_t above, logic filled, logic empty, logic well);
    run_t run;
    run = above;
    if (filled) begin
      run.in_well = 1'b0;
      run.added  = '0;
    end
    if (empty) begin
      run.in_well = above.in_well || well;
      run.added  = above.added + small_t'(run.in_well);
      run.own    = above.own + own_t'(run.added);
    end
    return run;
  endfunction

  row_t [RowsPerCycle-1:0] filled, empty, well, gaps;
  always_comb begin
    for (int unsigned i = 0; i < RowsPerCycle; i++) begin
      automatic row_t left_filled  = {rows_i[i][Columns-2:0], 1'b1};
      automatic row_t right_filled = {1'b1, rows_i[i][Columns-1:1]};
      filled[i] = full_i[i] ? '0 : rows_i[i];
      empty[i]  = ~rows_i[i];
      well[i]   = empty[i] & left_filled & right_filled;
      gaps[i]   = empty[i] & left_filled;
      if (full_i[i]) gaps[i][0] = 1'b1;  // what is removed becomes an empty row on top
    end
  end

  column_t [Columns-1:0] column;
  always_comb begin
    for (int unsigned c = 0; c < Columns; c++) begin
      automatic column_t k = '0;
      k.depth[1].in_well = 1'b1;
      k.on_base         = 1'b1;
      for (int i = int'(RowsPerCycle) - 1; i >= 0; i--) begin
        if (filled[i][c]) begin
          k.clear = 1'b1;
          k.wells = '0;
          k.base  = k.base + small_t'(1);
        end
        if (empty[i][c]) begin
          k.wells     = k.wells + small_t'(well[i][c]);
          k.wells_own = k.wells_own + own_t'(k.wells);
          if (!k.clear) k.cells = k.cells + small_t'(1);
          k.base    = '0;
          k.on_base = 1'b0;
        end
        for (int unsigned d = 0; d < 2; d++) begin
          k.depth[d] = lengthened(k.depth[d], filled[i][c], empty[i][c], well[i][c]);
        end
      end
      if (first_i) begin
        k.clear    = 1'b1;
        k.cells    = '0;
        k.depth[1] = k.depth[0];
        k.on_base  = 1'b0;
      end
      column[c] = k;
    end
  end

  column_t [Columns-1:0]   column_q;
  row_t [RowsPerCycle-1:0] filled_q, empty_q, gaps_q;
  logic [RowsPerCycle-1:0] full_q, any_q;  // any: a filled cell
  logic                    first_q;
  always_ff @(posedge clk_i) begin
    column_q <= column;
    filled_q <= filled;
    empty_q  <= empty;
    gaps_q   <= gaps;
    full_q   <= full_i;
    first_q  <= first_i;
    for (int unsigned i = 0; i < RowsPerCycle; i++) any_q[i] <= |filled[i];
  end

  // ------------------------------------------------------------------ what is above
  row_t     covered_q, above_q, in_well_q;  // some cell above, the one directly above is filled
  logic     stack_q;                       // a row above is not empty
  heights_t wells_q, depth_q;

  // A counter times the cells of its run in the group
  function automatic times_t times(height_t counter, small_t cells);
    times_t product;
    product = '0;
    for (int unsigned k = 0; k < CountWidth; k++) begin
      // With two rows there are never three cells: the parts do not overlap.
      if (RowsPerCycle > 2) product = product + (cells[k] ? times_t'(counter) << k : '0);
      else product |= cells[k] ? times_t'(counter) << k : '0;
    end
    return product;
  endfunction

  row_t                    covered, above, buried;
  logic                    stack;
  pairs_t                  left;
  height_t [Columns-2:0]   bumps;
  small_t                  tall, cleared;
  row_t [RowsPerCycle-1:0] edges, holes;
  always_comb begin
    automatic small_t [Columns-2:0] steps = '0;
    covered  = first_q ? '0 : covered_q;
    above    = first_q ? '0 : above_q;
    stack    = !first_q && stack_q;
    buried   = first_q ? '0 : buried_o;
    left     = first_q ? '0 : left_o;
    tall     = '0;
    cleared  = '0;
    for (int i = int'(RowsPerCycle) - 1; i >= 0; i--) begin
      automatic pairs_t step;
      holes[i] = covered & empty_q[i];
      edges[i] = above & empty_q[i];
      buried  |= holes[i];
      covered |= filled_q[i];
      above    = full_q[i] ? above : filled_q[i];
      stack   |= any_q[i];
      tall     = tall + small_t'(stack && !full_q[i]);
      cleared  = cleared + small_t'(full_q[i]);
      step     = full_q[i] ? '0 : covered[Columns-2:0] ^ covered[Columns-1:1];
      left    |= step & covered[Columns-2:0];
      for (int unsigned c = 0; c < Columns - 1; c++) steps[c] = steps[c] + small_t'(step[c]);
    end
    for (int unsigned c = 0; c < Columns - 1; c++) begin
      bumps[c] = (first_q ? '0 : bumps_o[c]) + height_t'(steps[c]);
    end
  end

  always_ff @(posedge clk_i) begin
    covered_q <= covered;
    above_q   <= above;
    stack_q   <= stack;
    buried_o  <= buried;
    left_o    <= left;
    bumps_o   <= bumps;
    gaps_o    <= gaps_q;
    edges_o   <= edges;
    holes_o   <= holes;
    filled_o  <= filled_q;
    tall_o    <= tall;
    cleared_o <= cleared;
    for (int unsigned c = 0; c < Columns; c++) begin
      automatic column_t k   = column_q[c];
      automatic run_t    run = k.depth[in_well_q[c]];
      in_well_q[c]      <= run.in_well;
      wells_q[c]       <= (k.clear ? '0 : wells_q[c]) + height_t'(k.wells);
      depth_q[c]       <= (k.clear ? '0 : depth_q[c]) + height_t'(run.added);
      base_o[c]        <= (k.on_base ? base_o[c] : '0) + height_t'(k.base);
      wells_times_o[c] <= times(wells_q[c], k.cells);
      wells_own_o[c]   <= k.wells_own;
      depth_times_o[c] <= times(depth_q[c], k.cells);
      depth_own_o[c]   <= run.own;
    end
  end

endmodule
