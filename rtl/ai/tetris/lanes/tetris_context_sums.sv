// Sums over a board's groups of rows. Takes what tetris_context_step gives, group after group, and
// gives the features two cycles after the last group of a board, for one cycle; diversity and
// bumpiness are not among them. `hole_rows_o` says, a cycle after a group, which of its rows have
// a hole.
//
// In the first cycle the cells of the group are counted, in the second the counts are added to
// those of the groups before.
module tetris_context_sums
  import tetris_pkg::Columns, tetris_pkg::FeatureWidth, tetris_pkg::Rows, tetris_pkg::height_t,
         tetris_pkg::ones, tetris_pkg::row_t,
         tetris_lanes_pkg::board_features_t;
#(
  parameter int unsigned RowsPerCycle = 2,
  localparam int unsigned CountWidth = $clog2(RowsPerCycle + 1),
  localparam int unsigned OwnWidth   = $clog2(RowsPerCycle * (RowsPerCycle + 1) / 2 + 1),
  localparam int unsigned TimesWidth = 5 + CountWidth - 1
) (
  input  logic                               clk_i,
  input  logic [1:0]                         valid_i,        // [k]: there was a group k cycles ago
  input  logic                               first_i,
  input  logic                               last_i,
  input  row_t [4:0]                         base_i,         // bits of ten numbers
  input  row_t [RowsPerCycle-1:0]            gaps_i,
  input  row_t [RowsPerCycle-1:0]            edges_i,
  input  row_t [RowsPerCycle-1:0]            holes_i,
  input  row_t [RowsPerCycle-1:0]            filled_i,
  input  logic [CountWidth-1:0]              tall_i,
  input  logic [CountWidth-1:0]              cleared_i,
  input  row_t [TimesWidth-1:0]              wells_times_i,  // likewise, and the next three
  input  row_t [OwnWidth-1:0]                wells_own_i,
  input  row_t [TimesWidth-1:0]              depth_times_i,
  input  row_t [OwnWidth-1:0]                depth_own_i,
  output logic [RowsPerCycle-1:0]            hole_rows_o,
  output board_features_t                    features_o,
  output height_t                            cleared_o
);

  typedef logic [CountWidth-1:0]   small_t;
  typedef logic [FeatureWidth-1:0] sum_t;

  // ------------------------------------------------------------------ cells counted
  typedef logic [3:0] ones_t;
  // Ten numbers as how many of them have bit k
  typedef ones_t [TimesWidth-1:0]   times_ones_t;
  typedef ones_t [OwnWidth-1:0]     own_ones_t;

  function automatic times_ones_t times_ones(row_t [TimesWidth-1:0] bits);
    for (int unsigned k = 0; k < TimesWidth; k++) times_ones[k] = ones(bits[k]);
  endfunction

  function automatic own_ones_t own_ones(row_t [OwnWidth-1:0] bits);
    for (int unsigned k = 0; k < OwnWidth; k++) own_ones[k] = ones(bits[k]);
  endfunction

  // A few numbers that add up to a longer one, so that it is not on the way of all of them
  typedef sum_t [2:0] parts_t;

  typedef struct {
    logic                    first;
    sum_t                    gaps;       // less one a row
    sum_t                    edges;
    sum_t                    holes;
    sum_t                    filled;
    sum_t [1:0]              base;
    logic [RowsPerCycle-1:0] hole_rows;
    small_t                  tall;
    small_t                  cleared;
    parts_t                  wells;
    parts_t                  depth;
  } group_t;

  function automatic sum_t rows_sum(row_t [RowsPerCycle-1:0] masks);
    sum_t sum;
    sum = '0;
    for (int unsigned i = 0; i < RowsPerCycle; i++) sum = sum + sum_t'(ones(masks[i]));
    return sum;
  endfunction

  // Counts four bits apart do not overlap: they are one number.
  function automatic parts_t parts(times_ones_t times, own_ones_t own);
    logic [6:0][3:0] t;
    logic [3:0][3:0] o;
    t = 28'(times);
    o = 16'(own);
    parts[0] = sum_t'({t[4], t[0]}) + (sum_t'({t[5], t[1]}) << 1);
    parts[1] = (sum_t'({t[6], t[2]}) << 2) + (sum_t'(t[3]) << 3);
    parts[2] = (sum_t'(o[0]) + sum_t'({o[1], 1'b0}))
             + (sum_t'({o[2], 2'b0}) + sum_t'({o[3], 3'b0}));
    return parts;
  endfunction

  group_t group_q;
  always_ff @(posedge clk_i) begin
    if (valid_i[0]) begin
      automatic logic [4:0][3:0] count = '0;
      group_q.first   <= first_i;
      group_q.gaps    <= rows_sum(gaps_i) - sum_t'(RowsPerCycle);
      group_q.edges   <= rows_sum(edges_i);
      group_q.holes   <= rows_sum(holes_i);
      group_q.filled  <= rows_sum(filled_i);
      group_q.tall    <= tall_i;
      group_q.cleared <= cleared_i;
      group_q.wells   <= parts(times_ones(wells_times_i), own_ones(wells_own_i));
      group_q.depth   <= parts(times_ones(depth_times_i), own_ones(depth_own_i));
      for (int unsigned i = 0; i < RowsPerCycle; i++) group_q.hole_rows[i] <= |holes_i[i];
      // The filled cells on the floor count once, with the last group.
      for (int unsigned k = 0; k < 5; k++) count[k] = ones(base_i[k] & {Columns{last_i}});
      group_q.base[0] <= sum_t'({count[4], count[0]}) + (sum_t'(count[1]) << 1);
      group_q.base[1] <= (sum_t'(count[2]) << 2) + (sum_t'(count[3]) << 3);
    end
  end

  // ------------------------------------------------------------------ the board
  typedef struct {
    logic [7:0] gaps;
    logic [7:0] edges;
    logic [7:0] holes;
    logic [7:0] area;       // holes and filled cells
    logic [7:0] over_hole;  // filled cells that have a hole below
    height_t    hole_rows;
    height_t    tall;
    height_t    cleared;
    sum_t       wells;
    sum_t       depth;
  } board_sums_t;

  // Before the first group: 20 empty rows, each with one gap; ten columns, each with one transition
  // at the floor, which is half an edge.
  localparam board_sums_t NoRows = '{gaps: 8'(Rows), edges: 8'(Columns / 2), default: '0};

  board_sums_t sums_q;
  always_ff @(posedge clk_i) begin
    if (valid_i[1]) begin
      automatic board_sums_t sums = group_q.first ? NoRows : sums_q;
      sums.gaps      = sums.gaps      + group_q.gaps[7:0];
      sums.edges     = sums.edges     + group_q.edges[7:0];
      sums.holes     = sums.holes     + group_q.holes[7:0];
      sums.area      = sums.area      + (group_q.holes[7:0] + group_q.filled[7:0]);
      sums.over_hole = (sums.over_hole + group_q.filled[7:0])
                     - (group_q.base[0][7:0] + group_q.base[1][7:0]);
      sums.hole_rows = sums.hole_rows + height_t'($countones(group_q.hole_rows));
      sums.tall      = sums.tall      + height_t'(group_q.tall);
      sums.cleared   = sums.cleared   + height_t'(group_q.cleared);
      sums.wells     = (sums.wells + group_q.wells[0]) + (group_q.wells[1] + group_q.wells[2]);
      sums.depth     = (sums.depth + group_q.depth[0]) + (group_q.depth[1] + group_q.depth[2]);
      sums_q <= sums;
    end
  end

  assign hole_rows_o = group_q.hole_rows;
  assign cleared_o   = sums_q.cleared;
  assign features_o  = '{
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
