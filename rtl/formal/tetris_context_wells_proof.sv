// tetris_context_wells: after the scan of any board, what it gives for each column is what the
// definitions say (the README of the game): one more than the row of its topmost well cell; of the
// well cells above the column's top, the distances of the three topmost ones from the top, the sum
// of the distances up to 4, and the number of those further up.
// tetris_context_by_row: likewise the empty cells of each row, and how many rows below have no
// hole.
//
// The groups of rows are given one a cycle, from any group down to the lowest; the rows above are
// empty. The board's heights and its rows with holes are by the definitions, in their cycles. What
// the registers held before is any. One column is watched, any of the ten: what holds for it holds
// for all.
module tetris_context_wells_proof
  import tetris_def_pkg::Columns, tetris_def_pkg::Rows, tetris_def_pkg::board_t,
         tetris_def_pkg::height, tetris_lanes_pkg::open_wells_t;
#(
  parameter int unsigned RowsPerCycle = 2
) (
  input logic       clk_i,
  input board_t     board_i,
  input logic [3:0] first_i,  // group
  input logic [3:0] watch_i   // column
);

  localparam int unsigned Groups = Rows / RowsPerCycle;

  typedef logic [Rows-1:0]    column_t;  // [row from the bottom]
  typedef logic [Columns-1:0] row_t;

  // All stays what it is in the first cycle.
  logic [4:0] cycle_q = '0;
  board_t     board_q;
  logic [3:0] first_q, watch_q;
  always_ff @(posedge clk_i) begin
    if (cycle_q == '0) begin
      board_q <= board_i;
      first_q <= first_i;
      watch_q <= watch_i;
    end
    if (cycle_q != '1) cycle_q <= cycle_q + 5'd1;
  end

  // Rows with an empty cell that has a filled one anywhere above
  function automatic column_t with_holes(board_t board);
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

  // ---------------------------------------------------------------------------------- the scan
  // Groups are given from cycle 1 on; the last one, group 0, in cycle first_q + 1.
  logic [Columns-1:0][4:0]      heights;
  logic [Groups-1:0]            group;
  row_t [RowsPerCycle-1:0]      rows;
  logic [RowsPerCycle-1:0]      hole_rows;
  column_t                      hole;
  always_comb begin
    group     = '0;
    rows      = '0;
    hole_rows = '0;
    hole      = with_holes(board_q);
    for (int unsigned c = 0; c < Columns; c++) heights[c] = height(board_q, c);
    for (int unsigned g = 0; g < Groups; g++) begin
      if (32'(cycle_q) + g == 32'(first_q) + 1) begin
        group[g] = 1'b1;
        for (int unsigned i = 0; i < RowsPerCycle; i++) rows[i] = board_q[g*RowsPerCycle+i];
      end
      if (32'(cycle_q) + g == 32'(first_q) + 4) begin
        for (int unsigned i = 0; i < RowsPerCycle; i++) hole_rows[i] = hole[g*RowsPerCycle+i];
      end
    end
  end

  logic [Columns-1:0][4:0]      tops, fars;
  open_wells_t [Columns-1:0]    opens;
  logic [Columns-1:0][3:0]      nears;
  logic [Rows-1:0][2:0]         empty;
  logic [Rows:0][4:0]           clean;

  tetris_context_wells #(
    .RowsPerCycle (RowsPerCycle)
  ) u_wells (
    .clk_i,
    .first_i   (cycle_q == 5'd1),
    .group_i   (group),
    .rows_i    (rows),
    .heights_i (heights),
    .top_o     (tops),
    .open_o    (opens),
    .near_o    (nears),
    .far_o     (fars)
  );

  tetris_context_by_row #(
    .RowsPerCycle (RowsPerCycle)
  ) u_by_row (
    .clk_i,
    .first_i     (cycle_q == 5'd1),
    .group_i     (group),
    .rows_i      (rows),
    .hole_rows_i (hole_rows),
    .empty_o     (empty),
    .clean_o     (clean)
  );

  // --------------------------------------------------------------------------- the definitions
  column_t         own, wells;
  logic [15:0]     walled;  // a row between its walls
  logic [4:0]      own_top, top, above, far;
  logic [2:0][4:0] open;
  logic [3:0]      near;
  logic            empty_ok, clean_ok;
  logic [4:0]      below;  // rows below one without a hole
  // What the module gives for the watched column
  logic [4:0]      given_top, given_far;
  logic [2:0][4:0] given_open;
  logic [3:0]      given_near;
  always_comb begin
    own_top    = '0;
    given_top  = '0;
    given_far  = '0;
    given_open = '0;
    given_near = '0;
    for (int unsigned c = 0; c < Columns; c++) begin
      if (watch_q == 4'(c)) begin
        own_top    = heights[c];
        given_top  = tops[c];
        given_far  = fars[c];
        given_open = opens[c];
        given_near = nears[c];
      end
    end
    top      = '0;
    open     = '0;
    near     = '0;
    far      = '0;
    empty_ok = 1'b1;
    clean_ok = 1'b1;
    for (int k = int'(Rows) - 1; k >= 0; k--) begin
      walled   = 16'({1'b1, board_q[k], 1'b1});
      own[k]   = walled[watch_q+4'd1];
      wells[k] = !own[k] && walled[watch_q] && walled[watch_q+4'd2];
      above    = 5'(k + 1) - own_top;
      if (wells[k] && top == '0) top = 5'(k + 1);
      if (wells[k] && 5'(k) >= own_top) begin
        if (open[0] == '0) open[0] = above;
        else if (open[1] == '0) open[1] = above;
        else if (open[2] == '0) open[2] = above;
        if (above <= 5'd4) near = near + above[3:0];
        else far = far + 5'd1;
      end
      if (empty[k] != (number(~board_q[k]) > 4'd5 ? 3'd5 : 3'(number(~board_q[k])))) begin
        empty_ok = 1'b0;
      end
    end
    // Only differences matter.
    below = clean[0];
    for (int unsigned r = 0; r < Rows; r++) begin
      if (clean[r] != below) clean_ok = 1'b0;
      if (!hole[r]) below = below + 5'd1;
    end
    if (clean[Rows] != below) clean_ok = 1'b0;
  end

  logic rows_above_ok;
  always_comb begin
    rows_above_ok = first_q < 4'(Groups);
    for (int unsigned r = 0; r < Rows; r++) begin
      if (r >= (32'(first_q) + 1) * RowsPerCycle && board_q[r] != '0) rows_above_ok = 1'b0;
    end
  end

  logic scanned;
  assign scanned = cycle_q == 5'(first_q) + 5'd3;  // two cycles after the last group

  always_comb begin
    Watch_M: assume (watch_q < 4'(Columns) || cycle_q == '0);
    Above_M: assume (rows_above_ok || cycle_q == '0);
    if (cycle_q != '0 && scanned) begin
      Top_A:   assert (given_top == top);
      Near_A:  assert (given_near == near);
      Far_A:   assert (given_far == far);
      Empty_A: assert (empty_ok);
    end
    if (cycle_q == 5'(first_q) + 5'd5) Clean_A: assert (clean_ok);
    Deep_C:  cover (scanned && first_q == 4'd9 && far == 5'd9 && near == 4'd4);
    Short_C: cover (scanned && first_q == 4'd0 && open == {5'd0, 5'd1, 5'd2});
  end

  // Height by height of the column, which is easier to prove
  for (genvar h = 0; h <= Rows; h++) begin : gen_height
    always_comb begin
      if (cycle_q != '0 && scanned && own_top == 5'(h)) begin
        Open_A: assert (given_open == open);
      end
    end
  end

endmodule
