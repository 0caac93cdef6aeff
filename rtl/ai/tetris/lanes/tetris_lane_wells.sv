// What a placement adds to the cumulative wells and the well sums of its board: stages 5 to 8 of a
// lane. Four cycles after `landed_i`, the cumulative wells change by `cumulative_a_o` plus `_b_o`,
// the well sums by `sums_a_o` plus `_b_o` plus `_c_o`. The fields of the context are used in the
// cycle of `landed_i`.
//
// A well cell comes into being in four places: in the column on either side of the piece, where
// the cell beyond is filled; under an overhang of the piece, likewise; and on top of an edge column
// that is lower than its neighbour in the piece. Well cells are lost only where the piece now
// is: in the lower column beside an overhang, where both of its sides were filled, and in the
// column in which an I stands upright.
//
// A run of empty cells counts in the well sums from its topmost well cell. The new well cells are
// above all that their run had, so a run gives the triangle of its new topmost well cell's distance
// from the floor, less that of the topmost it had.
module tetris_lane_wells
  import tetris_pkg::Columns, tetris_pkg::height_t, tetris_pkg::heights_t, tetris_pkg::row_t;
  import tetris_lanes_pkg::open_wells_t;
  import tetris_lane_pkg::*;
#(
  parameter row_t Seen = '1  // columns in which a placement can be
) (
  input  logic                      clk_i,
  input  logic [7:4]                valid_i,  // [k]: the placement of k cycles ago is one
  // Of the context
  input  heights_t                  well_top_i,
  input  open_wells_t [Columns-1:0] open_wells_i,
  input  logic [Columns-1:0][3:0]   near_wells_i,
  input  heights_t                  far_wells_i,

  input  landed_t                   landed_i,
  input  form_t                     form_i,       // of the same
  output logic signed [9:0]         cumulative_a_o,
  output logic signed [9:0]         cumulative_b_o,
  output logic signed [10:0]        sums_a_o,
  output logic signed [10:0]        sums_b_o,
  output logic signed [10:0]        sums_c_o,
  output logic                      hung_gap_o,   // in the cycle of landed_i: gap of one row
  output logic [1:0]                hung_cells_o  // filled cells under overhangs, beside the piece
);

  // A column with new well cells in the run that reaches below the piece
  typedef struct {
    logic [2:0]        number;  // new well cells
    height_t           top;     // one more than the row of the topmost
    height_t           floor;
    height_t           old;     // one more than the row of the topmost that the column had
  } run_t;

  localparam row_t Right = (Seen << 1) | (Seen << 2) | (Seen << 3) | (Seen << 4);
  localparam row_t Inner = Seen | (Seen << 1) | (Seen << 2);  // of an overhang

  logic unused;  // what others need of a placement
  assign unused = ^form_i;

  // ------------------------------------------------------------- stage 5: cases, floors, columns
  height_t     left_floor, right_floor, hung_floor;
  height_t     left_old, right_old, hung_old;
  open_wells_t shut_wells;
  height_t     second_old;
  logic [3:0]  near;
  height_t     far;

  tetris_lane_floor u_left_floor (.below_i(landed_i.left_below), .floor_o(left_floor));
  tetris_lane_floor u_right_floor (.below_i(landed_i.right_below), .floor_o(right_floor));
  tetris_lane_floor u_hung_floor (.below_i(landed_i.hung_below), .floor_o(hung_floor));

  tetris_lane_pick #(.Width(5), .Of(Seen >> 1)) u_left_old (
    .values_i(well_top_i),
    .at_i    (landed_i.at >> 1),
    .value_o (left_old)
  );
  tetris_lane_pick #(.Width(5), .Of(Right)) u_right_old (
    .values_i(well_top_i),
    .at_i    (landed_i.right_at),
    .value_o (right_old)
  );
  tetris_lane_pick #(.Width(5), .Of(Inner)) u_hung_old (
    .values_i(well_top_i),
    .at_i    (landed_i.hung_at),
    .value_o (hung_old)
  );
  tetris_lane_pick #(.Width(15), .Of(Inner)) u_shut_wells (
    .values_i(open_wells_i),
    .at_i    (landed_i.shut_at),
    .value_o (shut_wells)
  );
  // The right overhang of a T, which has no hole below it when it has a gap
  heights_t first_wells;
  always_comb begin
    for (int unsigned c = 0; c < Columns; c++) first_wells[c] = open_wells_i[c][0];
  end
  tetris_lane_pick #(.Width(5), .Of(Seen << 2)) u_second_old (
    .values_i(first_wells),
    .at_i    (landed_i.at << 2),
    .value_o (second_old)
  );
  // An upright I
  tetris_lane_pick #(.Width(4), .Of(Seen)) u_near (
    .values_i(near_wells_i),
    .at_i    (landed_i.at),
    .value_o (near)
  );
  tetris_lane_pick #(.Width(5), .Of(Seen)) u_far (
    .values_i(far_wells_i),
    .at_i    (landed_i.at),
    .value_o (far)
  );

  // Beside the piece
  logic [2:0] left_number, right_number, left_top, right_top, left_sums, right_sums;
  logic signed [4:0] left_change, right_change;

  // From a row of the piece's box up
  function automatic span_t from(span_t cells, logic [1:0] row);
    return row == 2'd0 ? cells : row == 2'd1 ? cells >> 1 : cells >> 2;
  endfunction

  tetris_lane_side u_left_side (
    .cells_i (from(landed_i.left, form_i.left_bottom)),
    .beyond_i(from(landed_i.far_left & form_i.left_cells, form_i.left_bottom)),
    .number_o(left_number),
    .top_o   (left_top),
    .change_o(left_change),
    .sums_o  (left_sums)
  );
  tetris_lane_side u_right_side (
    .cells_i (from(landed_i.right, form_i.right_bottom)),
    .beyond_i(from(landed_i.far_right & form_i.right_cells, form_i.right_bottom)),
    .number_o(right_number),
    .top_o   (right_top),
    .change_o(right_change),
    .sums_o  (right_sums)
  );

  // Under an overhang and beside it. Of the cells beyond, in the two rows of the overhang at most
  height_t    hung_gap, shut_gap;
  logic       hung_none, second_none;  // no gap
  logic [1:0] hung_filled, beyond, opposite, hung_new, shut_lost;
  logic       second_new;

  always_comb begin
    case (form_i.hung)
      2'd0:    hung_gap = landed_i.gaps[0];
      2'd1:    hung_gap = landed_i.gaps[1];
      default: hung_gap = landed_i.gaps[2];
    endcase
    case (form_i.shut)
      2'd0:    shut_gap = landed_i.gaps[0];
      2'd1:    shut_gap = landed_i.gaps[1];
      default: shut_gap = landed_i.gaps[2];
    endcase
    hung_none   = hung_gap == '0;
    second_none = landed_i.gaps[2] == '0;
    // The cell directly below an overhanging column is filled without a gap.
    hung_filled = form_i.hangs_two ? {hung_none, landed_i.hung_cell} : {1'b0, hung_none};
    if (form_i.hangs_inside) begin
      beyond = {1'b0, form_i.hangs_left ? landed_i.gaps[0] == '0 : second_none};
    end else begin
      beyond = form_i.hangs_left ? landed_i.left[1:0] : landed_i.right[1:0];
    end
    if (form_i.hangs_twice) opposite = {1'b0, second_none};
    else opposite = form_i.hangs_left ? landed_i.right[1:0] : landed_i.left[1:0];
    hung_new   = {form_i.hangs_two, form_i.hangs} & ~hung_filled & beyond;
    shut_lost  = {form_i.hangs_two, form_i.shuts} & hung_filled & opposite;
    second_new = form_i.hangs_twice && !second_none && landed_i.right[0];
    hung_gap_o   = form_i.hangs_two && hung_gap == 5'd1;
    hung_cells_o = form_i.hangs ? 2'(hung_filled[0]) + 2'(hung_filled[1])
                                + 2'(form_i.hangs_twice && second_none) : 2'd0;
  end

  // On top of an edge column: one cell, or two in J and L
  function automatic logic [1:0] on_top(span_t cells, span_t above, logic [1:0] from_row);
    on_top = 2'(from(cells & above, from_row) >> 1);
  endfunction

  logic [1:0] left_on, right_on;
  assign left_on  = on_top(landed_i.left, form_i.left_above, form_i.left_top);
  assign right_on = on_top(landed_i.right, form_i.right_above, form_i.right_top);

  run_t left5_q, right5_q, hung5_q;
  logic signed [4:0] left_change5_q, right_change5_q;
  logic [2:0] left_sums5_q, right_sums5_q;
  logic [1:0] left_on5_q, right_on5_q;
  logic       hung_both5_q, upright5_q;
  height_t    second_gap5_q, second_old5_q, shut_gap5_q;
  logic [1:0] lost5_q;
  open_wells_t shut_wells5_q;
  logic [3:0] near5_q;
  height_t    far5_q;

  always_ff @(posedge clk_i) begin
    if (valid_i[4]) begin
      left5_q.number <= left_number;
      left5_q.top    <= landed_i.row + height_t'(form_i.left_bottom) + height_t'(left_top);
      left5_q.floor  <= left_floor;
      left5_q.old    <= left_old;
      right5_q.number <= right_number;
      right5_q.top    <= landed_i.row + height_t'(form_i.right_bottom) + height_t'(right_top);
      right5_q.floor  <= right_floor;
      right5_q.old    <= right_old;
      hung5_q.number <= {1'b0, hung_new == 2'b11, ^hung_new};
      hung5_q.top    <= landed_i.row + (hung_new[1] ? 5'd2 : 5'd1);
      hung5_q.floor  <= hung_none ? hung_floor : landed_i.hung_height;
      hung5_q.old    <= hung_old;
      hung_both5_q    <= &hung_new;
      left_change5_q  <= left_change;
      right_change5_q <= right_change;
      left_sums5_q    <= left_sums;
      right_sums5_q   <= right_sums;
      left_on5_q      <= left_on;
      right_on5_q     <= right_on;
      second_gap5_q   <= second_new ? landed_i.gaps[2] : '0;
      second_old5_q   <= second_new ? second_old : '0;
      upright5_q      <= form_i.width == 3'd1;
      shut_gap5_q     <= shut_gap;
      lost5_q         <= shut_lost;
      shut_wells5_q   <= shut_wells;
      near5_q         <= near;
      far5_q          <= far;
    end
  end

  // ------------------------------------------------------------ stage 6: distances, small sums
  typedef struct {
    logic [2:0] number;
    height_t    depth;  // the topmost's distance from the floor; 0 without a new one
    height_t    old;    // that of the topmost the run had
  } depths_t;

  function automatic depths_t depths(run_t run);
    depths = '{default: '0};
    if (run.number != '0) begin
      depths.number = run.number;
      depths.depth  = run.top - run.floor;
      if (run.old > run.floor) depths.old = run.old - run.floor;
    end
  endfunction

  depths_t    left6_q, right6_q, hung6_q;
  height_t    second6_q, second_old6_q, shut6_q, shut_old6_q;
  logic [6:0] lost, lost6_q;           // cumulative wells where the piece now is
  logic signed [6:0] small6_q;         // what new well cells add besides the products
  logic [3:0] sums6_q;
  height_t    shut, shut_old;

  // One cell, the distance one; or the second, or both
  function automatic logic [1:0] on_top_sum(logic [1:0] on);
    return on[1] ? 2'd3 : {1'b0, on[0]};
  endfunction

  always_comb begin
    lost     = '0;
    shut     = '0;
    shut_old = shut_wells5_q[0];
    if (upright5_q) begin
      lost = 7'(near5_q) + {far5_q, 2'b0};
      if (shut_wells5_q[0] > 5'd4) shut = shut_wells5_q[0] - 5'd4;
    end else begin
      case (lost5_q)
        2'b01:   lost = 7'(shut_gap5_q) + 7'd1;
        2'b10:   lost = 7'(shut_gap5_q) + 7'd2;
        2'b11:   lost = {1'b0, shut_gap5_q, 1'b0} + 7'd3;
        default: shut_old = '0;
      endcase
      case (lost5_q)
        2'b01, 2'b10: shut = shut_wells5_q[1];
        2'b11:        shut = shut_wells5_q[2];
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid_i[5]) begin
      left6_q       <= depths(left5_q);
      right6_q      <= depths(right5_q);
      hung6_q       <= depths(hung5_q);
      second6_q     <= second_gap5_q;
      second_old6_q <= second_old5_q;
      shut6_q       <= shut;
      shut_old6_q   <= shut_old;
      lost6_q       <= lost;
      small6_q      <= 7'(left_change5_q) + 7'(right_change5_q) - 7'(hung_both5_q)
                     + signed'({5'b0, left_on5_q}) + signed'({5'b0, right_on5_q})
                     + signed'({2'b0, second_gap5_q});
      sums6_q       <= 4'(left_sums5_q) + 4'(right_sums5_q) + 4'(on_top_sum(left_on5_q))
                     + 4'(on_top_sum(right_on5_q));
    end
  end

  // -------------------------------------------------------------- stage 7: products, triangles
  // Of at most four cells and their distance
  function automatic logic [6:0] product(logic [2:0] number, height_t depth);
    if (number[2]) return {depth, 2'b0};
    return (number[0] ? 7'(depth) : '0) + (number[1] ? {1'b0, depth, 1'b0} : '0);
  endfunction

  function automatic logic signed [8:0] gain(height_t depth, height_t old);
    return signed'({1'b0, Triangles[depth]}) - signed'({1'b0, Triangles[old]});
  endfunction

  logic [6:0]        left7_q, right7_q, hung7_q;
  logic signed [7:0] rest7_q;
  logic signed [8:0] left_gain7_q, right_gain7_q, hung_gain7_q, second_gain7_q, shut_gain7_q;
  logic [3:0]        sums7_q;

  always_ff @(posedge clk_i) begin
    if (valid_i[6]) begin
      left7_q        <= product(left6_q.number, left6_q.depth);
      right7_q       <= product(right6_q.number, right6_q.depth);
      hung7_q        <= product(hung6_q.number, hung6_q.depth);
      rest7_q        <= 8'(small6_q) - signed'({1'b0, lost6_q});
      left_gain7_q   <= gain(left6_q.depth, left6_q.old);
      right_gain7_q  <= gain(right6_q.depth, right6_q.old);
      hung_gain7_q   <= gain(hung6_q.depth, hung6_q.old);
      second_gain7_q <= gain(second6_q, second_old6_q);
      shut_gain7_q   <= gain(shut6_q, shut_old6_q);
      sums7_q        <= sums6_q;
    end
  end

  // ---------------------------------------------------------------------------- stage 8: sums
  always_ff @(posedge clk_i) begin
    if (valid_i[7]) begin
      cumulative_a_o <= signed'(10'(left7_q)) + signed'(10'(right7_q));
      cumulative_b_o <= signed'(10'(hung7_q)) + 10'(rest7_q);
      sums_a_o       <= 11'(left_gain7_q) + 11'(right_gain7_q);
      sums_b_o       <= 11'(hung_gain7_q) + 11'(second_gain7_q);
      sums_c_o       <= 11'(shut_gain7_q) + signed'(11'(sums7_q));
    end
  end

endmodule
