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
  row_t [RowsPerCycle-1:0]    well_q;
  always_ff @(posedge clk_i) begin
    first_q  <= first_i;
    number_q <= number;
    well_q   <= well;
  end

  // How far a cell is from the column's top, if it is above
  heights_t [RowsPerCycle-1:0] distance;
  row_t [RowsPerCycle-1:0]     open;
  always_comb begin
    for (int unsigned i = 0; i < RowsPerCycle; i++) begin
      for (int unsigned c = 0; c < Columns; c++) begin
        distance[i][c] = number_q[i] - heights_i[c];
        open[i][c]     = number_q[i] > heights_i[c];
      end
    end
  end

  // ------------------------------------------------------------------ what a column keeps
  typedef struct packed {
    logic        seen;       // a well cell at all
    height_t     top;
    logic [2:0]  open_seen;  // one, two, three well cells above the column's top
    open_wells_t open;
    logic [3:0]  close;      // [d-1]: the cell at distance d from the last row above the top is one
    height_t     distant;    // well cells that are further up
  } column_t;

  function automatic column_t with_cell(column_t above, logic is_well, logic is_open,
                                        height_t row_number, height_t from_top);
    column_t column;
    column = above;
    if (is_well && !above.seen) begin
      column.seen = 1'b1;
      column.top  = row_number;
    end
    if (is_well && is_open) begin
      column.open_seen = {above.open_seen[1:0], 1'b1};
      for (int unsigned k = 0; k < 3; k++) begin
        if (column.open_seen[k] && !above.open_seen[k]) column.open[k] = from_top;
      end
    end
    if (is_open) column.close = {above.close[2:0], is_well};
    return column;
  endfunction

  column_t [Columns-1:0] column_q, column;
  always_comb begin
    for (int unsigned c = 0; c < Columns; c++) begin
      automatic small_t passed = '0;
      column[c] = first_q ? '0 : column_q[c];
      for (int i = int'(RowsPerCycle) - 1; i >= 0; i--) begin
        passed    = passed + small_t'(open[i][c] && column[c].close[3]);
        column[c] = with_cell(column[c], well_q[i][c], open[i][c], number_q[i],
                              distance[i][c]);
      end
      column[c].distant = column[c].distant + height_t'(passed);
    end
  end

  always_ff @(posedge clk_i) column_q <= column;

  always_comb begin
    for (int unsigned c = 0; c < Columns; c++) begin
      top_o[c]  = column_q[c].top;
      open_o[c] = column_q[c].open;
      far_o[c]  = column_q[c].distant;
      near_o[c] = '0;
      for (int unsigned d = 0; d < 4; d++) begin
        if (column_q[c].close[d]) near_o[c] = near_o[c] + 4'(d + 1);
      end
    end
  end

endmodule
