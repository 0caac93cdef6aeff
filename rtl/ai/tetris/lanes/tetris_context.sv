// The context of a board, and its features once its full rows are removed.
//
// Drive it: a board is offered with `board_valid_i` until `board_ready_o`. It is taken in cycle 0,
// with `request_i` if the context is wanted. With s rows from the floor to its highest filled cell
// it takes p = s / RowsPerCycle cycles, rounded up, and at least one, or two for a request: the next
// board is taken in cycle p at the earliest. The outputs are never held back:
//  - cycles 1 .. p, `reads_other_o`, if it is no request.
//  - cycle 2, `heights_valid_o`: context_o.rows, .columns, .heights and .full, if it is a request.
//    They stay until cycle 1 of the next request.
//  - cycle p - 1, `ending_o`, if it is a request: its scan ends soon.
//  - cycle p + 2, `scanned_valid_o`: .buried, .well_top, .open_wells, .near_wells, .far_wells and
//    .empty, if it is a request, in this cycle alone.
//  - cycle p + 4, `features_valid_o`, with `features_request_o`: .features, .clean, .occurs_* and
//    .bumps_*, and `features_o` of the board without its full rows; in this cycle alone. The first
//    two features of features_o are 0.
// With a full row all of the context but .rows, .columns, .heights and .full is meaningless.
//
// The module that keeps contexts takes each part in its cycle, and offers a board only when there
// will be room for it.
module tetris_context
  import tetris_pkg::Bumpiness, tetris_pkg::Columns, tetris_pkg::Diversity,
         tetris_pkg::FeatureWidth, tetris_pkg::Rows, tetris_pkg::board_t, tetris_pkg::features_t,
         tetris_pkg::height_t, tetris_pkg::pairs_t, tetris_pkg::row_t, tetris_lanes_pkg::context_t;
#(
  parameter int unsigned RowsPerCycle = 2  // 1, 2 or 4; with 4 the clock is slower
) (
  input  logic      clk_i,
  input  logic      rst_ni,

  input  logic      board_valid_i,
  output logic      board_ready_o,
  input  board_t    board_i,
  input  logic      request_i,

  output logic      reads_other_o,
  output logic      heights_valid_o,
  output logic      ending_o,
  output logic      scanned_valid_o,
  output logic      features_valid_o,
  output logic      features_request_o,
  output context_t  context_o,
  output features_t features_o
);

  localparam int unsigned Groups     = Rows / RowsPerCycle;
  localparam int unsigned CountWidth = $clog2(RowsPerCycle + 1);
  localparam int unsigned OwnWidth   = $clog2(RowsPerCycle * (RowsPerCycle + 1) / 2 + 1);
  localparam int unsigned TimesWidth = 5 + CountWidth - 1;

  // ------------------------------------------------------------------ groups of rows
  // What goes with a group through the stages
  typedef struct packed {
    logic  valid;
    logic  first;
    logic  last;
    logic  request;
  } tag_t;

  tag_t                    tag;
  tag_t                    tag_q [1:4];  // [k]: of the group of k cycles ago
  logic [3:2]              whole;        // likewise, and it was a board's last
  row_t [RowsPerCycle-1:0] rows;
  logic [RowsPerCycle-1:0] full;
  logic [Groups-1:0]       group;

  tetris_context_reader #(.RowsPerCycle(RowsPerCycle)) u_reader (
    .clk_i, .rst_ni,
    .board_valid_i, .board_ready_o, .board_i, .request_i,
    .valid_o      (tag.valid),
    .rows_o       (rows),
    .full_o       (full),
    .group_o      (group),
    .first_o      (tag.first),
    .last_o       (tag.last),
    .request_o    (tag.request),
    .board_o      (context_o.rows),
    .columns_o    (context_o.columns),
    .heights_o    (context_o.heights),
    .full_board_o (context_o.full)
  );

  always_comb begin
    for (int unsigned k = 2; k <= 3; k++) whole[k] = tag_q[k].valid && tag_q[k].last;
  end

  // ------------------------------------------------------------------ two cycles: columns, rows
  row_t [4:0]                         base;
  height_t [Columns-2:0]              bumps;
  pairs_t                             left;
  row_t [RowsPerCycle-1:0]            gaps, edges, holes, filled;
  logic [CountWidth-1:0]              tall, cleared;
  row_t [TimesWidth-1:0]              wells_times, depth_times;
  row_t [OwnWidth-1:0]                wells_own, depth_own;

  tetris_context_step #(.RowsPerCycle(RowsPerCycle)) u_step (
    .clk_i,
    .first_i       (tag.first),
    .rows_i        (rows),
    .full_i        (full),
    .buried_o      (context_o.buried),
    .base_o        (base),
    .bumps_o       (bumps),
    .left_o        (left),
    .gaps_o        (gaps),
    .edges_o       (edges),
    .holes_o       (holes),
    .filled_o      (filled),
    .tall_o        (tall),
    .cleared_o     (cleared),
    .wells_times_o (wells_times),
    .wells_own_o   (wells_own),
    .depth_times_o (depth_times),
    .depth_own_o   (depth_own)
  );

  tetris_context_wells #(.RowsPerCycle(RowsPerCycle)) u_wells (
    .clk_i,
    .first_i   (tag.first),
    .group_i   (group),
    .rows_i    (rows),
    .heights_i (context_o.heights),
    .top_o     (context_o.well_top),
    .open_o    (context_o.open_wells),
    .near_o    (context_o.near_wells),
    .far_o     (context_o.far_wells)
  );

  logic [RowsPerCycle-1:0] hole_rows;

  tetris_context_by_row #(.RowsPerCycle(RowsPerCycle)) u_by_row (
    .clk_i,
    .first_i     (tag.first),
    .group_i     (group),
    .rows_i      (rows),
    .hole_rows_i (hole_rows),
    .empty_o     (context_o.empty),
    .clean_o     (context_o.clean)
  );

  // ------------------------------------------------------------------ two more: sums
  height_t         cleared_sum;

  tetris_context_sums #(.RowsPerCycle(RowsPerCycle)) u_sums (
    .clk_i,
    .valid_i       ({tag_q[3].valid, tag_q[2].valid}),
    .first_i       (tag_q[2].first),
    .last_i        (tag_q[2].last),
    .base_i        (base),
    .gaps_i        (gaps),
    .edges_i       (edges),
    .holes_i       (holes),
    .filled_i      (filled),
    .tall_i        (tall),
    .cleared_i     (cleared),
    .wells_times_i (wells_times),
    .wells_own_i   (wells_own),
    .depth_times_i (depth_times),
    .depth_own_i   (depth_own),
    .hole_rows_o   (hole_rows),
    .features_o    (context_o.features),
    .cleared_o     (cleared_sum)
  );

  logic [2:0]               diversity;

  tetris_context_pairs u_pairs (
    .clk_i,
    .valid_i        (whole),
    .bumps_i        (bumps),
    .left_i         (left),
    .occurs_left_o  (context_o.occurs_left),
    .occurs_right_o (context_o.occurs_right),
    .bumps_left_o   (context_o.bumps_left),
    .bumps_right_o  (context_o.bumps_right),
    .diversity_o    (diversity)
  );

  // ------------------------------------------------------------------ what is given
  always_ff @(posedge clk_i) begin
    tag_q[1] <= tag;
    for (int unsigned k = 2; k <= 4; k++) tag_q[k] <= tag_q[k-1];
    heights_valid_o <= rst_ni && tag.valid && tag.first && tag.request;
    if (!rst_ni) begin
      for (int unsigned k = 1; k <= 4; k++) tag_q[k].valid <= 1'b0;
    end
  end

  assign reads_other_o      = tag.valid && !tag.request;
  assign ending_o           = tag.valid && tag.request && group[1];
  assign scanned_valid_o    = tag_q[2].valid && tag_q[2].last && tag_q[2].request;
  assign features_valid_o   = tag_q[4].valid && tag_q[4].last;
  assign features_request_o = tag_q[4].request;

  always_comb begin
    features_o = '0;
    features_o[tetris_pkg::RowsCleared]       = FeatureWidth'(cleared_sum);
    features_o[tetris_pkg::RowTransitions]    = context_o.features.row_transitions;
    features_o[tetris_pkg::ColumnTransitions] = context_o.features.column_transitions;
    features_o[tetris_pkg::Holes]             = context_o.features.holes;
    features_o[tetris_pkg::CumulativeWells]   = context_o.features.cumulative_wells;
    features_o[tetris_pkg::WellSums]          = context_o.features.well_sums;
    features_o[tetris_pkg::HoleDepth]         = context_o.features.hole_depth;
    features_o[tetris_pkg::RowsWithHoles]     = context_o.features.rows_with_holes;
    features_o[Diversity]                     = FeatureWidth'(diversity);
    features_o[tetris_pkg::AggregateHeight]   = context_o.features.aggregate_height;
    features_o[Bumpiness]                     = FeatureWidth'(context_o.bumps_left[Columns-1]);
    features_o[tetris_pkg::MaxHeight]         = context_o.features.max_height;
  end

`ifndef SYNTHESIS
  Offered_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    board_valid_i && !board_ready_o |=> board_valid_i && $stable(board_i)
                                        && $stable(request_i));
`endif

endmodule
