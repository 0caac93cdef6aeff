// Sums over a board's groups of rows. Takes what tetris_context_step gives, group after group, and
// gives the features three cycles after the last group of a board, for one cycle; diversity and
// bumpiness are not among them. `hole_rows_o` says, two cycles after a group, which of its rows have
// a hole.
//
// In the first cycle cells are counted, in the second the counts of the group are added, in the
// third those of the groups.
module tetris_context_sums
  import tetris_pkg::Columns, tetris_pkg::FeatureWidth, tetris_pkg::Rows, tetris_pkg::heights_t,
         tetris_pkg::height_t, tetris_pkg::ones, tetris_pkg::row_t,
         tetris_lanes_pkg::board_features_t;
#(
  parameter int unsigned RowsPerCycle = 2,
  localparam int unsigned CountWidth = $clog2(RowsPerCycle + 1),
  localparam int unsigned OwnWidth   = $clog2(RowsPerCycle * (RowsPerCycle + 1) / 2 + 1),
  localparam int unsigned TimesWidth = 5 + CountWidth - 1
) (
  input  logic                               clk_i,
  input  logic                               first_i,
  input  logic                               last_i,
  input  heights_t                           base_i,
  input  row_t [RowsPerCycle-1:0]            gaps_i,
  input  row_t [RowsPerCycle-1:0]            edges_i,
  input  row_t [RowsPerCycle-1:0]            holes_i,
  input  row_t [RowsPerCycle-1:0]            filled_i,
  input  logic [CountWidth-1:0]              tall_i,
  input  logic [CountWidth-1:0]              cleared_i,
  input  logic [Columns-1:0][TimesWidth-1:0] wells_times_i,
  input  logic [Columns-1:0][OwnWidth-1:0]   wells_own_i,
  input  logic [Columns-1:0][TimesWidth-1:0] depth_times_i,
  input  logic [Columns-1:0][OwnWidth-1:0]   depth_own_i,
  output logic [RowsPerCycle-1:0]            hole_rows_o,
  output board_features_t                    features_o,
  output height_t                            cleared_o
);

  typedef logic [CountWidth-1:0]   small_t;
  typedef logic [FeatureWidth-1:0] sum_t;

  // ------------------------------------------------------------------ cells counted
  typedef logic [3:0] ones_t;
  typedef ones_t [RowsPerCycle-1:0] by_row_t;
  // Ten numbers as how many of them have bit k
  typedef ones_t [TimesWidth-1:0]   times_ones_t;
  typedef ones_t [OwnWidth-1:0]     own_ones_t;

  typedef struct packed {
    logic                    first;
    by_row_t                 gaps;
    by_row_t                 edges;
    by_row_t                 holes;
    by_row_t                 filled;
    logic [RowsPerCycle-1:0] hole_rows;
    small_t                  tall;
    small_t                  cleared;
    times_ones_t             wells_times;
    own_ones_t               wells_own;
    times_ones_t             depth_times;
    own_ones_t               depth_own;
    ones_t [4:0]             base;
  } counts_t;

  function automatic times_ones_t times_ones(logic [Columns-1:0][TimesWidth-1:0] numbers);
    times_ones_t counts;
    for (int unsigned k = 0; k < TimesWidth; k++) begin
      automatic row_t bits = '0;
      for (int unsigned c = 0; c < Columns; c++) bits[c] = numbers[c][k];
      counts[k] = ones(bits);
    end
    return counts;
  endfunction

  function automatic own_ones_t own_ones(logic [Columns-1:0][OwnWidth-1:0] numbers);
    own_ones_t counts;
    for (int unsigned k = 0; k < OwnWidth; k++) begin
      automatic row_t bits = '0;
      for (int unsigned c = 0; c < Columns; c++) bits[c] = numbers[c][k];
      counts[k] = ones(bits);
    end
    return counts;
  endfunction

  counts_t counts_q, counts;
  always_comb begin
    counts.first       = first_i;
    counts.tall        = tall_i;
    counts.cleared     = cleared_i;
    counts.wells_times = times_ones(wells_times_i);
    counts.wells_own   = own_ones(wells_own_i);
    counts.depth_times = times_ones(depth_times_i);
    counts.depth_own   = own_ones(depth_own_i);
    for (int unsigned i = 0; i < RowsPerCycle; i++) begin
      counts.gaps[i]      = ones(gaps_i[i]);
      counts.edges[i]     = ones(edges_i[i]);
      counts.holes[i]     = ones(holes_i[i]);
      counts.filled[i]    = ones(filled_i[i]);
      counts.hole_rows[i] = |holes_i[i];
    end
    // The filled cells on the floor count once.
    for (int unsigned k = 0; k < 5; k++) begin
      automatic row_t bits = '0;
      for (int unsigned c = 0; c < Columns; c++) bits[c] = base_i[c][k] && last_i;
      counts.base[k] = ones(bits);
    end
  end

  // ------------------------------------------------------------------ the group
  typedef struct packed {
    logic   first;
    sum_t   gaps;       // less one a row
    sum_t   edges;
    sum_t   holes;
    sum_t   area;       // holes and filled cells
    sum_t   over_hole;  // filled cells that have a hole below
    small_t hole_rows;
    small_t tall;
    small_t cleared;
    sum_t [1:0] wells;  // two parts, for time
    sum_t [1:0] depth;
  } group_t;

  function automatic sum_t rows_sum(by_row_t counts_);
    sum_t sum;
    sum = '0;
    for (int unsigned i = 0; i < RowsPerCycle; i++) sum = sum + sum_t'(counts_[i]);
    return sum;
  endfunction

  // Counts four bits apart do not overlap: they are one number.
  function automatic sum_t [1:0] parts(times_ones_t times, own_ones_t own);
    logic [6:0][3:0] t;
    logic [3:0][3:0] o;
    t = 28'(times);
    o = 16'(own);
    parts[0] = (sum_t'({t[4], t[0]}) + (sum_t'({t[5], t[1]}) << 1)) + (sum_t'({o[3], 3'b0})
             + sum_t'({o[2], 2'b0}));
    parts[1] = (sum_t'({t[6], t[2]}) << 2) + (sum_t'(t[3]) << 3) + (sum_t'({o[1], 1'b0})
             + sum_t'(o[0]));
    return parts;
  endfunction

  group_t group_q, group;
  always_comb begin
    automatic sum_t base;
    base = (sum_t'({counts_q.base[4], counts_q.base[0]}) + (sum_t'(counts_q.base[1]) << 1))
         + ((sum_t'(counts_q.base[2]) << 2) + (sum_t'(counts_q.base[3]) << 3));
    group.first     = counts_q.first;
    group.gaps      = rows_sum(counts_q.gaps) - sum_t'(RowsPerCycle);
    group.edges     = rows_sum(counts_q.edges);
    group.holes     = rows_sum(counts_q.holes);
    group.area      = rows_sum(counts_q.holes) + rows_sum(counts_q.filled);
    group.over_hole = rows_sum(counts_q.filled) - base;
    group.hole_rows = small_t'($countones(counts_q.hole_rows));
    group.tall      = counts_q.tall;
    group.cleared   = counts_q.cleared;
    group.wells     = parts(counts_q.wells_times, counts_q.wells_own);
    group.depth     = parts(counts_q.depth_times, counts_q.depth_own);
  end

  // ------------------------------------------------------------------ the board
  typedef struct packed {
    logic [7:0] gaps;
    logic [7:0] edges;
    logic [7:0] holes;
    logic [7:0] area;
    logic [7:0] over_hole;
    height_t    hole_rows;
    height_t    tall;
    height_t    cleared;
    sum_t       wells;
    sum_t       depth;
  } board_sums_t;

  // Before the first group: 20 empty rows, each with one gap; ten columns, each with one transition
  // at the floor, which is half an edge.
  localparam board_sums_t NoRows = '{gaps: 8'(Rows), edges: 8'(Columns / 2), default: '0};

  board_sums_t sums_q, sums;
  always_comb begin
    sums = group_q.first ? NoRows : sums_q;
    sums.gaps      = sums.gaps      + group_q.gaps[7:0];
    sums.edges     = sums.edges     + group_q.edges[7:0];
    sums.holes     = sums.holes     + group_q.holes[7:0];
    sums.area      = sums.area      + group_q.area[7:0];
    sums.over_hole = sums.over_hole + group_q.over_hole[7:0];
    sums.hole_rows = sums.hole_rows + height_t'(group_q.hole_rows);
    sums.tall      = sums.tall      + height_t'(group_q.tall);
    sums.cleared   = sums.cleared   + height_t'(group_q.cleared);
    sums.wells     = sums.wells     + (group_q.wells[0] + group_q.wells[1]);
    sums.depth     = sums.depth     + (group_q.depth[0] + group_q.depth[1]);
  end

  always_ff @(posedge clk_i) begin
    counts_q    <= counts;
    group_q     <= group;
    sums_q      <= sums;
    hole_rows_o <= counts_q.hole_rows;
  end

  assign cleared_o  = sums_q.cleared;
  assign features_o = '{
    row_transitions:    sum_t'({sums_q.gaps, 1'b0}),
    column_transitions: sum_t'({sums_q.edges, 1'b0}),
    holes:              sum_t'(sums_q.holes),
    cumulative_wells:   sums_q.wells,
    well_sums:          sums_q.depth,
    hole_depth:         sum_t'(sums_q.over_hole),
    rows_with_holes:    sum_t'(sums_q.hole_rows),
    aggregate_height:   sum_t'(sums_q.area),
    max_height:         sum_t'(sums_q.tall)
  };

endmodule
