// tetris_context_sums: two cycles after any group of rows its features are the sums over the
// groups so far of what tetris_context_step gives, for any of it: row transitions are two for each
// run of empty cells, as an empty row's for a row that was not given; column transitions two for
// each empty cell under a filled one and one for each column; the area under the heights is the
// holes and the filled cells; hole depth, the filled cells without those on the floor, which come
// with the last group. A cycle after a group hole_rows_o says which of its rows have a hole.
//
// Assumptions: ten groups at most from a first one on; in each row 1 to 5 runs of
// empty cells, and holes where no filled cell is; wells as the definitions have them, 2100 at most.
// With these bounds no sum is too narrow.
module tetris_context_sums_proof
  import tetris_def_pkg::Columns, tetris_lanes_pkg::board_features_t;
#(
  parameter int unsigned RowsPerCycle = 2
) (
  input logic                                  clk_i,
  input logic                                  valid_i,
  input logic                                  first_i,
  input logic                                  last_i,
  input logic [4:0][Columns-1:0]               base_i,
  input logic [RowsPerCycle-1:0][Columns-1:0]  gaps_i,
  input logic [RowsPerCycle-1:0][Columns-1:0]  edges_i,
  input logic [RowsPerCycle-1:0][Columns-1:0]  holes_i,
  input logic [RowsPerCycle-1:0][Columns-1:0]  filled_i,
  input logic [1:0]                            tall_i,
  input logic [1:0]                            cleared_i,
  input logic [5:0][Columns-1:0]               wells_times_i,
  input logic [1:0][Columns-1:0]               wells_own_i,
  input logic [5:0][Columns-1:0]               depth_times_i,
  input logic [1:0][Columns-1:0]               depth_own_i
);

  localparam int unsigned Groups = 20 / RowsPerCycle;

  typedef logic [15:0] sum_t;  // wide enough for any sum

  logic live_q = 1'b0;
  logic valid_q = 1'b0;
  always_ff @(posedge clk_i) begin
    live_q  <= 1'b1;
    valid_q <= valid_i;
  end

  logic [RowsPerCycle-1:0] hole_rows;
  board_features_t         features;
  logic [4:0]              cleared;

  tetris_context_sums #(
    .RowsPerCycle (RowsPerCycle)
  ) u_dut (
    .clk_i,
    .valid_i     ({valid_q, valid_i}),
    .first_i,
    .last_i,
    .base_i,
    .gaps_i,
    .edges_i,
    .holes_i,
    .filled_i,
    .tall_i,
    .cleared_i,
    .wells_times_i,
    .wells_own_i,
    .depth_times_i,
    .depth_own_i,
    .hole_rows_o (hole_rows),
    .features_o  (features),
    .cleared_o   (cleared)
  );

  // ------------------------------------------------------------------------------- reference model
  function automatic sum_t ones(logic [Columns-1:0] cells);
    ones = '0;
    for (int unsigned c = 0; c < Columns; c++) ones = ones + sum_t'(cells[c]);
  endfunction

  function automatic sum_t cells(logic [RowsPerCycle-1:0][Columns-1:0] rows);
    cells = '0;
    for (int unsigned i = 0; i < RowsPerCycle; i++) cells = cells + ones(rows[i]);
  endfunction

  // A number of each column, bit by bit: [k] has bit k of all
  function automatic sum_t numbers(logic [5:0][Columns-1:0] bits);
    numbers = '0;
    for (int unsigned k = 0; k < 6; k++) numbers = numbers + (ones(bits[k]) << k);
  endfunction

  typedef struct packed {
    sum_t groups;
    sum_t gaps;
    sum_t edges;
    sum_t holes;
    sum_t filled;
    sum_t base;
    sum_t hole_rows;
    sum_t tall;
    sum_t cleared;
    sum_t wells;
    sum_t depth;
  } sums_t;

  sums_t group, sums, sums1_q, sums2_q;  // with the group that comes, of a cycle ago, of two
  logic  begun_q;                        // there was a first group
  logic  begun1_q;                       // a cycle ago
  logic [RowsPerCycle-1:0] hole_rows_q, with_holes;
  always_comb begin
    for (int unsigned i = 0; i < RowsPerCycle; i++) with_holes[i] = holes_i[i] != '0;
    group           = '0;
    group.groups    = 16'd1;
    group.gaps      = cells(gaps_i);
    group.edges     = cells(edges_i);
    group.holes     = cells(holes_i);
    group.filled    = cells(filled_i);
    group.base      = last_i ? numbers(60'(base_i)) : '0;
    group.tall      = sum_t'(tall_i);
    group.cleared   = sum_t'(cleared_i);
    group.wells     = numbers(wells_times_i) + numbers(60'(wells_own_i));
    group.depth     = numbers(depth_times_i) + numbers(60'(depth_own_i));
    for (int unsigned i = 0; i < RowsPerCycle; i++) begin
      group.hole_rows = group.hole_rows + sum_t'(with_holes[i]);
    end
    sums           = first_i ? '0 : sums1_q;
    sums.groups    = sums.groups + group.groups;
    sums.gaps      = sums.gaps + group.gaps;
    sums.edges     = sums.edges + group.edges;
    sums.holes     = sums.holes + group.holes;
    sums.filled    = sums.filled + group.filled;
    sums.base      = sums.base + group.base;
    sums.hole_rows = sums.hole_rows + group.hole_rows;
    sums.tall      = sums.tall + group.tall;
    sums.cleared   = sums.cleared + group.cleared;
    sums.wells     = sums.wells + group.wells;
    sums.depth     = sums.depth + group.depth;
  end

  always_ff @(posedge clk_i) begin
    if (!live_q) begin
      begun_q <= 1'b0;
    end else if (valid_i) begin
      begun_q     <= 1'b1;
      sums1_q     <= sums;
      hole_rows_q <= with_holes;
    end
    begun1_q <= live_q && begun_q;
    sums2_q  <= sums1_q;
  end

  logic rows_ok;
  always_comb begin
    rows_ok = 1'b1;
    for (int unsigned i = 0; i < RowsPerCycle; i++) begin
      if (gaps_i[i] == '0 || ones(gaps_i[i]) > 16'd5 || (holes_i[i] & filled_i[i]) != '0) begin
        rows_ok = 1'b0;
      end
    end
  end

  function automatic logic bounded(sums_t of);
    return of.groups <= sum_t'(Groups) && of.gaps <= of.groups * 16'd10 &&
           of.gaps >= of.groups * 16'd2 && of.edges <= of.groups * 16'd20 &&
           of.holes + of.filled <= of.groups * 16'd20 && of.holes <= of.groups * 16'd20 &&
           of.filled <= of.groups * 16'd20 && of.hole_rows <= of.groups * 16'd2 &&
           of.tall <= of.groups * 16'd2 && of.cleared <= of.groups * 16'd2 &&
           of.base <= of.filled && of.wells <= 16'd2100 && of.depth <= 16'd2100;
  endfunction

  always_comb begin
    Live_M:   assume (live_q || !valid_i);
    First_M:  assume (!valid_i || first_i || begun_q);
    Rows_M:   assume (!valid_i || (rows_ok && tall_i <= 2'd2 && cleared_i <= 2'd2));
    Bounds_M: assume (!valid_i || (sums.groups <= sum_t'(Groups) && sums.base <= sums.filled &&
                      sums.wells <= 16'd2100 && sums.depth <= 16'd2100));
    if (live_q) begin
      Begun_A: assert ((!begun1_q || begun_q) && (!valid_q || begun_q));
      if (begun_q) begin
        Hole_rows_A: assert (hole_rows == hole_rows_q);
        Bounded1_A:  assert (bounded(sums1_q));
      end
      // The group of a cycle ago, and the sums without it
      if (begun_q && valid_q) begin
        Gaps1_A:  assert (8'(sums1_q.gaps - 16'd2 * sums1_q.groups) == 8'(u_dut.group_q.gaps +
                          (u_dut.group_q.first ? 8'd0 : u_dut.sums_q.gaps - 8'd20)));
        Edges1_A: assert (8'(sums1_q.edges) == 8'(u_dut.group_q.edges +
                          (u_dut.group_q.first ? 8'd0 : u_dut.sums_q.edges - 8'd5)));
        Holes1_A: assert (8'(sums1_q.holes) == 8'(u_dut.group_q.holes +
                          (u_dut.group_q.first ? 8'd0 : u_dut.sums_q.holes)));
        Area1_A:  assert (8'(sums1_q.holes + sums1_q.filled) == 8'(u_dut.group_q.holes +
                          u_dut.group_q.filled + (u_dut.group_q.first ? 8'd0
                                                                      : u_dut.sums_q.area)));
        Over1_A:  assert (8'(sums1_q.filled - sums1_q.base) == 8'(u_dut.group_q.filled -
                          u_dut.group_q.base[0] - u_dut.group_q.base[1] +
                          (u_dut.group_q.first ? 8'd0 : u_dut.sums_q.over_hole)));
        Hole1_A:  assert (5'(sums1_q.hole_rows) == 5'(5'($countones(hole_rows)) +
                          (u_dut.group_q.first ? 5'd0 : u_dut.sums_q.hole_rows)));
        Tall1_A:  assert (5'(sums1_q.tall) == 5'(5'(u_dut.group_q.tall) +
                          (u_dut.group_q.first ? 5'd0 : u_dut.sums_q.tall)));
        Cleared1_A: assert (5'(sums1_q.cleared) == 5'(5'(u_dut.group_q.cleared) +
                          (u_dut.group_q.first ? 5'd0 : cleared)));
        Wells1_A: assert (12'(sums1_q.wells) == 12'(u_dut.group_q.wells[0] +
                          u_dut.group_q.wells[1] + u_dut.group_q.wells[2] +
                          (u_dut.group_q.first ? 12'd0 : u_dut.sums_q.wells)));
        Depth1_A: assert (12'(sums1_q.depth) == 12'(u_dut.group_q.depth[0] +
                          u_dut.group_q.depth[1] + u_dut.group_q.depth[2] +
                          (u_dut.group_q.first ? 12'd0 : u_dut.sums_q.depth)));
      end
      if (begun_q && !valid_q) begin
        Same_A:   assert (begun1_q && sums2_q == sums1_q);
      end
      if (begun1_q) begin
        Bounded2_A:  assert (bounded(sums2_q));
        RowTransitions_A: assert (sum_t'(features.row_transitions) == 16'd2 * (sums2_q.gaps +
                          16'd20 - 16'd2 * sums2_q.groups));
        ColumnTransitions_A: assert (sum_t'(features.column_transitions) ==
                          16'd2 * sums2_q.edges + 16'd10);
        Holes_A:  assert (sum_t'(features.holes) == sums2_q.holes);
        Area_A:   assert (sum_t'(features.aggregate_height) == sums2_q.holes + sums2_q.filled);
        Over_A:   assert (sum_t'(features.hole_depth) == sums2_q.filled - sums2_q.base);
        HoleRows_A: assert (sum_t'(features.rows_with_holes) == sums2_q.hole_rows);
        Tall_A:   assert (sum_t'(features.max_height) == sums2_q.tall);
        Cleared_A: assert (sum_t'(cleared) == sums2_q.cleared);
        Wells_A:  assert (sum_t'(features.cumulative_wells) == sums2_q.wells);
        Depth_A:  assert (sum_t'(features.well_sums) == sums2_q.depth);
      end
    end
    Ten_C:  cover (begun1_q && sums2_q.groups == 16'd10 && features.column_transitions == 12'd200);
    Deep_C: cover (begun1_q && features.well_sums == 12'd2100 && features.hole_depth == 12'd7);
  end

endmodule
