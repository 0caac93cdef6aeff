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

  // How far a cell is from the column's top, if it is above. Whether it is could be told from the
  // heights too, but later.
  heights_t [RowsPerCycle-1:0] distance;
  row_t [RowsPerCycle-1:0]     open;
  row_t                        covered_q, covered;
  always_comb begin
    covered = first_q ? '0 : covered_q;
    for (int i = int'(RowsPerCycle) - 1; i >= 0; i--) begin
      covered |= rows_q[i];
      open[i]  = ~covered;
      for (int unsigned c = 0; c < Columns; c++) distance[i][c] = number_q[i] - heights_i[c];
    end
  end
  always_ff @(posedge clk_i) covered_q <= covered;

  // ------------------------------------------------------------------ what a column keeps
  for (genvar c = 0; c < Columns; c++) begin : gen_column
    logic        seen_q, seen;            // a well cell at all
    logic [2:0]  open_seen_q, open_seen;  // one, two, three above the column's top
    logic [3:0]  near_q, near_d;  // [d-1]: the cell at distance d from the last row above the top
    height_t     far_q;           // well cells that are further up
    small_t      passed;
    height_t     top_q, top;
    open_wells_t open_q, open_d;
    logic        top_en;
    logic [2:0]  open_en;

    always_comb begin
      seen      = !first_q && seen_q;
      open_seen = first_q ? '0 : open_seen_q;
      near_d    = first_q ? '0 : near_q;
      passed    = '0;
      // Nothing, or what comes
      top       = '0;
      open_d    = '0;
      top_en    = first_q;
      open_en   = {3{first_q}};
      for (int i = int'(RowsPerCycle) - 1; i >= 0; i--) begin
        if (well_q[i][c] && !seen) begin
          top   |= number_q[i];
          top_en = 1'b1;
        end
        seen |= well_q[i][c];
        for (int k = 2; k >= 0; k--) begin
          if (well_q[i][c] && open[i][c] && !open_seen[k] && (k == 0 || open_seen[(k+2)%3])) begin
            open_d[k]   |= distance[i][c];
            open_en[k]   = 1'b1;
            open_seen[k] = 1'b1;
          end
        end
        if (open[i][c]) begin
          passed = passed + small_t'(near_d[3]);
          near_d = {near_d[2:0], well_q[i][c]};
        end
      end
    end

    always_ff @(posedge clk_i) begin
      seen_q      <= seen;
      open_seen_q <= open_seen;
      near_q      <= near_d;
      far_q       <= (first_q ? '0 : far_q) + height_t'(passed);
      if (top_en) top_q <= top;
      for (int unsigned k = 0; k < 3; k++) begin
        if (open_en[k]) open_q[k] <= open_d[k];
      end
    end

    assign top_o[c]  = top_q;
    assign open_o[c] = open_q;
    assign far_o[c]  = far_q;
    always_comb begin
      near_o[c] = '0;
      for (int unsigned d = 0; d < 4; d++) begin
        if (near_q[d]) near_o[c] = near_o[c] + 4'(d + 1);
      end
    end
  end

endmodule
