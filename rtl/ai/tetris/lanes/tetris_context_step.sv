// Counts of one group of a board's rows, and each column's result after its last group.
//
// Takes a group each cycle, upper groups first. Everything given belongs to the group of two cycles
// before. A full row is left out: so it is removed.
//
// In the first cycle a column of the group is put into a few numbers that do not depend on what is
// above; in the second they meet the counters. `wells` counts well cells of the empty run above a
// row, `depth` the run's cells from its topmost well cell. Both are summed over all empty cells:
// the group adds the counter times the cells of its run that are in the group, and a number of its
// own.
//
// A number of each column is kept bit by bit: [k] has bit k of all columns. So one operation works
// on all of them, which makes the simulation faster.
module tetris_context_step
  import tetris_pkg::Columns, tetris_pkg::height_t, tetris_pkg::pairs_t, tetris_pkg::row_t;
#(
  parameter int unsigned RowsPerCycle = 2,
  localparam int unsigned CountWidth = $clog2(RowsPerCycle + 1),
  localparam int unsigned OwnWidth   = $clog2(RowsPerCycle * (RowsPerCycle + 1) / 2 + 1),
  localparam int unsigned CounterWidth = $bits(height_t),
  localparam int unsigned TimesWidth = CounterWidth + CountWidth - 1
) (
  input  logic                               clk_i,
  input  logic                               first_i,
  input  row_t [RowsPerCycle-1:0]            rows_i,
  input  logic [RowsPerCycle-1:0]            full_i,

  // The columns after the last group; the heights' differences by their size
  output row_t                               buried_o,  // a hole
  output row_t [CounterWidth-1:0]            base_o,    // filled cells from the floor up
  output height_t [Columns-2:0]              bumps_o,   // [c] = columns c and c + 1
  output pairs_t                             left_o,    // the left column is the higher one

  // What is to be summed over the groups
  output row_t [RowsPerCycle-1:0]            gaps_o,    // runs of empty cells; a full row has one
  output row_t [RowsPerCycle-1:0]            edges_o,   // empty cells under a filled one
  output row_t [RowsPerCycle-1:0]            holes_o,
  output row_t [RowsPerCycle-1:0]            filled_o,
  output logic [CountWidth-1:0]              tall_o,    // rows in or below the stack's top
  output logic [CountWidth-1:0]              cleared_o,
  output row_t [TimesWidth-1:0]              wells_times_o,
  output row_t [OwnWidth-1:0]                wells_own_o,
  output row_t [TimesWidth-1:0]              depth_times_o,
  output row_t [OwnWidth-1:0]                depth_own_o
);

  typedef logic [CountWidth-1:0]   small_t;
  typedef row_t [CounterWidth-1:0] counters_t;
  typedef row_t [TimesWidth-1:0]   times_t;

  // ------------------------------------------------------------------ the group by itself
  typedef row_t [CountWidth-1:0] smalls_t;
  typedef row_t [OwnWidth-1:0]   owns_t;

  // Cells of an empty run in the columns of the group
  typedef struct packed {
    row_t    in_well;  // the run at the group's end has a well cell
    smalls_t added;    // to the counter
    owns_t   own;      // sum over the cells of what is added so far
  } runs_t;

  // The numbers of some columns one higher
  function automatic smalls_t counted(smalls_t numbers, row_t columns);
    smalls_t sum;
    row_t    carry;
    carry = columns;
    for (int unsigned k = 0; k < CountWidth; k++) begin
      sum[k] = numbers[k] ^ carry;
      carry  = carry & numbers[k];
    end
    return sum;
  endfunction

  // The numbers of some columns higher by others
  function automatic owns_t summed(owns_t numbers, smalls_t others, row_t columns);
    owns_t sum;
    row_t  carry, other;
    carry = '0;
    for (int unsigned k = 0; k < OwnWidth; k++) begin
      other  = k < CountWidth ? others[k%CountWidth] & columns : '0;
      sum[k] = numbers[k] ^ other ^ carry;
      carry  = (numbers[k] & other) | (carry & (numbers[k] ^ other));
    end
    return sum;
  endfunction

  function automatic runs_t lengthened(runs_t above, row_t filled, row_t empty, row_t well);
    runs_t runs;
    runs         = above;
    runs.in_well = (above.in_well & ~filled) | well;
    runs.added   = counted(above.added & ~{CountWidth{filled}}, (above.in_well & empty) | well);
    runs.own     = summed(above.own, runs.added, empty);
    return runs;
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

  row_t    clear;     // the column's empty run ends in the group, or it is the first group
  smalls_t cells;     // in the group, of the run that comes from above
  smalls_t wells;
  owns_t   wells_own;
  runs_t   depth [2];  // [1]: the run has a well cell above the group
  row_t    on_base;   // no empty cell in the group, and it is not the first
  smalls_t base;
  always_comb begin
    clear            = '0;
    cells            = '0;
    wells            = '0;
    wells_own        = '0;
    depth[0]         = '0;
    depth[1]         = '0;
    depth[1].in_well = '1;
    on_base          = '1;
    base             = '0;
    for (int i = int'(RowsPerCycle) - 1; i >= 0; i--) begin
      clear     = clear | filled[i];
      wells     = counted(wells & ~{CountWidth{filled[i]}}, well[i]);
      wells_own = summed(wells_own, wells, empty[i]);
      cells     = counted(cells, empty[i] & ~clear);
      base      = counted(base & ~{CountWidth{empty[i]}}, filled[i]);
      on_base   = on_base & ~empty[i];
      for (int unsigned d = 0; d < 2; d++) begin
        depth[d] = lengthened(depth[d], filled[i], empty[i], well[i]);
      end
    end
    if (first_i) begin
      clear    = '1;
      cells    = '0;
      depth[1] = depth[0];
      on_base  = '0;
    end
  end

  row_t                    clear_q, on_base_q;
  smalls_t                 cells_q, small_wells_q, base_q;
  owns_t                   wells_own_q;
  runs_t                   small_depth_q [2];
  row_t [RowsPerCycle-1:0] filled_q, empty_q, gaps_q;
  logic [RowsPerCycle-1:0] full_q, any_q;  // any: a filled cell
  logic                    first_q;
  always_ff @(posedge clk_i) begin
    clear_q       <= clear;
    cells_q       <= cells;
    small_wells_q <= wells;
    wells_own_q   <= wells_own;
    small_depth_q <= depth;
    on_base_q     <= on_base;
    base_q        <= base;
    filled_q      <= filled;
    empty_q       <= empty;
    gaps_q        <= gaps;
    full_q        <= full_i;
    first_q       <= first_i;
    for (int unsigned i = 0; i < RowsPerCycle; i++) any_q[i] <= |filled[i];
  end

  // ------------------------------------------------------------------ what is above
  row_t     covered_q, above_q, in_well_q;  // some cell above, the one directly above is filled
  logic     stack_q;                       // a row above is not empty
  counters_t wells_q, depth_q;

  // Adds a small number to each counter; to 0 in the columns that are not kept
  function automatic counters_t raised(counters_t counters, row_t kept, smalls_t numbers);
    counters_t sum;
    row_t      carry, counter, number;
    carry = '0;
    for (int unsigned k = 0; k < CounterWidth; k++) begin
      counter = counters[k] & kept;
      number  = k < CountWidth ? numbers[k%CountWidth] : '0;
      sum[k]  = counter ^ number ^ carry;
      carry   = (counter & number) | (carry & (counter ^ number));
    end
    return sum;
  endfunction

  // Counters times the cells of their runs in the group
  function automatic times_t times(counters_t counters, smalls_t numbers);
    times_t product, part;
    row_t   carry, both;
    product = '0;
    for (int unsigned n = 0; n < CountWidth; n++) begin
      part = times_t'(counters) << (n * Columns);
      part = part & {TimesWidth{numbers[n]}};
      // With two rows there are never three cells: the parts do not overlap.
      if (RowsPerCycle > 2) begin
        carry = '0;
        for (int unsigned k = 0; k < TimesWidth; k++) begin
          both       = product[k] ^ part[k];
          part[k]    = (product[k] & part[k]) | (carry & both);
          product[k] = both ^ carry;
          carry      = part[k];
        end
      end else begin
        product = product | part;
      end
    end
    return product;
  endfunction

  typedef logic [$bits(runs_t)-1:0] bits_t;
  bits_t runs_in_well;
  runs_t run;
  assign runs_in_well = {$bits(runs_t)/Columns{in_well_q}};
  assign run = (small_depth_q[0] & ~runs_in_well) | (small_depth_q[1] & runs_in_well);

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
    in_well_q     <= run.in_well;
    wells_q       <= raised(wells_q, ~clear_q, small_wells_q);
    depth_q       <= raised(depth_q, ~clear_q, run.added);
    base_o        <= raised(base_o, on_base_q, base_q);
    wells_times_o <= times(wells_q, cells_q);
    wells_own_o   <= wells_own_q;
    depth_times_o <= times(depth_q, cells_q);
    depth_own_o   <= run.own;
  end

endmodule
