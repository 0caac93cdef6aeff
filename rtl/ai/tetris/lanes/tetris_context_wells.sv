// The well cells of a board's columns: the topmost one, and those above the column's top.
//
// Takes a group of rows each cycle, upper groups first, and a cycle after it the heights of its
// board. What is given after a board's last group is the board's, two cycles after that group, for
// one cycle. It means nothing if the board has a full row.
module tetris_context_wells
  import tetris_pkg::Columns, tetris_pkg::Rows, tetris_pkg::height_t, tetris_pkg::heights_t,
         tetris_pkg::row_t, tetris_lanes_pkg::open_wells_t;
#(
  parameter int unsigned RowsPerCycle = 2,
  localparam int unsigned Groups = Rows / RowsPerCycle
) (
  input  logic                      clk_i,
  input  logic                      first_i,
  input  logic [Groups-1:0]         group_i,
  input  row_t [RowsPerCycle-1:0]   rows_i,
  input  heights_t                  heights_i,
  output heights_t                  top_o,   // 1 more than the row of the highest one; 0: none
  output open_wells_t [Columns-1:0] open_o,
  output logic [Columns-1:0][3:0]   near_o,
  output heights_t                  far_o
);

  typedef logic [$clog2(RowsPerCycle+1)-1:0] small_t;

  // ------------------------------------------------------------------ where the cells are
  height_t [RowsPerCycle-1:0] number;  // a row's number plus 1
  row_t [RowsPerCycle-1:0]    well;
  always_comb begin
    number = '0;
    for (int unsigned i = 0; i < RowsPerCycle; i++) begin
      for (int unsigned g = 0; g < Groups; g++) begin
        if (group_i[g]) number[i] |= height_t'(g * RowsPerCycle + i + 1);
      end
      well[i] = ~rows_i[i] & {rows_i[i][Columns-2:0], 1'b1} & {1'b1, rows_i[i][Columns-1:1]};
    end
  end

  logic                       first_q;
  height_t [RowsPerCycle-1:0] number_q;
  row_t [RowsPerCycle-1:0]    well_q, rows_q;
  always_ff @(posedge clk_i) begin
    first_q  <= first_i;
    number_q <= number;
    well_q   <= well;
    rows_q   <= rows_i;
  end

  // Which cells are above their column's top. The heights would give it, too, but later.
  row_t [RowsPerCycle-1:0] open;
  row_t                    covered_q, covered;
  always_comb begin
    covered = first_q ? '0 : covered_q;
    for (int i = int'(RowsPerCycle) - 1; i >= 0; i--) begin
      covered |= rows_q[i];
      open[i]  = ~covered;
    end
  end
  always_ff @(posedge clk_i) covered_q <= covered;

  // ------------------------------------------------------------------ what a column keeps
  // A bit for each column
  row_t       seen_q, seen;            // a well cell at all
  row_t [2:0] open_seen_q, open_seen;  // one, two, three above the column's top
  row_t [3:0] near_q, near_d;  // [d-1]: the cell at distance d from the last row above the top
  row_t       top_en;
  row_t [2:0] open_en;
  // Of the rows of the group
  row_t [RowsPerCycle-1:0] topmost;         // the topmost well cell
  row_t [RowsPerCycle-1:0] opened [3];      // the first one above the top, the second, the third
  row_t [RowsPerCycle-1:0] passed;          // a well cell that gets further up than near

  always_comb begin
    seen      = first_q ? '0 : seen_q;
    open_seen = first_q ? '0 : open_seen_q;
    near_d    = first_q ? '0 : near_q;
    top_en    = {Columns{first_q}};
    open_en   = {3{top_en}};
    for (int i = int'(RowsPerCycle) - 1; i >= 0; i--) begin
      topmost[i] = well_q[i] & ~seen;
      seen      |= well_q[i];
      top_en    |= topmost[i];
      for (int k = 2; k >= 0; k--) begin
        opened[k][i] = well_q[i] & open[i] & ~open_seen[k] & (k == 0 ? '1 : open_seen[(k+2)%3]);
        open_seen[k] = open_seen[k] | opened[k][i];
        open_en[k]   = open_en[k] | opened[k][i];
      end
      passed[i] = near_d[3] & open[i];
      near_d    = (near_d & ~{4{open[i]}}) | ({near_d[2:0], well_q[i]} & {4{open[i]}});
    end
  end

  always_ff @(posedge clk_i) begin
    seen_q      <= seen;
    open_seen_q <= open_seen;
    near_q      <= near_d;
  end

  for (genvar c = 0; c < Columns; c++) begin : gen_column
    height_t     far_q;  // well cells that are further up
    height_t     top_q;
    open_wells_t open_q;

    always_ff @(posedge clk_i) begin
      automatic small_t  far = '0;
      automatic height_t top = '0;
      for (int unsigned i = 0; i < RowsPerCycle; i++) far = far + small_t'(passed[i][c]);
      far_q <= (first_q ? '0 : far_q) + height_t'(far);
      // Nothing, or what comes
      if (top_en[c]) begin
        for (int unsigned i = 0; i < RowsPerCycle; i++) top |= number_q[i] & {5{topmost[i][c]}};
        top_q <= top;
      end
      for (int unsigned k = 0; k < 3; k++) begin
        if (open_en[k][c]) begin
          automatic height_t distance = '0;
          for (int unsigned i = 0; i < RowsPerCycle; i++) begin
            distance |= (number_q[i] - heights_i[c]) & {5{opened[k][i][c]}};
          end
          open_q[k] <= distance;
        end
      end
    end

    assign top_o[c]  = top_q;
    assign open_o[c] = open_q;
    assign far_o[c]  = far_q;
    always_comb begin
      near_o[c] = '0;
      for (int unsigned d = 0; d < 4; d++) begin
        if (near_q[d][c]) near_o[c] = near_o[c] + 4'(d + 1);
      end
    end
  end

endmodule
