// Gives a board's rows from its highest filled row to the floor, a group of rows a cycle, and the
// heights of its columns.
//
// Group k holds rows RowsPerCycle * k and up. A board taken in cycle 0 (board_valid_i and
// board_ready_o) is output in cycles 1 .. p: p is the number of the group that holds the highest
// filled row, plus 1; it is 1 for an empty board, and at least 2 for a request. The next board is
// taken in cycle p at the earliest; then its first group follows this board's last one without a gap.
// `board_o`, `columns_o`, `heights_o` and `full_board_o` are valid from cycle 2 of a request to
// cycle 1 of the next one.
module tetris_context_reader
  import tetris_pkg::Columns, tetris_pkg::Rows, tetris_pkg::board_t, tetris_pkg::height_t,
         tetris_pkg::heights_t, tetris_pkg::row_t;
  import tetris_lanes_pkg::column_t, tetris_lanes_pkg::columns_t;
#(
  parameter int unsigned RowsPerCycle = 2,
  localparam int unsigned Groups = Rows / RowsPerCycle
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  input  logic                    board_valid_i,
  output logic                    board_ready_o,
  input  board_t                  board_i,
  input  logic                    request_i,

  output logic                    valid_o,
  output row_t [RowsPerCycle-1:0] rows_o,        // [i] = row i of the group
  output logic [RowsPerCycle-1:0] full_o,        // which of them are full
  output logic [Groups-1:0]       group_o,       // one bit is set, that of the group
  output logic                    first_o,
  output logic                    last_o,
  output logic                    request_o,
  output board_t                  board_o,
  output columns_t                columns_o,     // the same by column
  output heights_t                heights_o,
  output logic                    full_board_o   // a row is full
);

  typedef logic [Groups-1:0] groups_t;

  // The board that is read
  logic            busy_q, first_q;
  logic            ready_q;  // it is not busy, or gives the last group
  board_t          board_q;
  logic [Rows-1:0] full_q;
  groups_t         group_q;
  logic            request_q;
  groups_t         group_d;
  logic            busy_d, last, take;

  // The highest bit that is set, by a chain of carries
  function automatic groups_t highest(groups_t mask);
    groups_t from_top;
    from_top = {<<{mask}};
    from_top = from_top & (~from_top + 1'b1);
    return {<<{from_top}};
  endfunction

  // One more than the row of a column's highest filled cell; 0 without one. The 24 heights are six
  // groups of four: the upper bits say which group, and nothing is added.
  function automatic height_t height_of(column_t column);
    logic [23:0] at;     // [h]: there is a cell below height h
    logic [5:0]  fours;
    logic [3:0]  four;
    height_t     height;
    logic        above;
    at     = 24'({column, 1'b0});
    four   = '0;
    height = '0;
    above  = 1'b0;
    for (int unsigned k = 0; k < 6; k++) fours[k] = |at[4*k+:4];
    for (int k = 5; k >= 0; k--) begin
      if (fours[k] && !above) begin
        four        |= at[4*k+:4];
        height[4:2] |= 3'(k);
      end
      above |= fours[k];
    end
    height[1] = four[3] || four[2];
    height[0] = four[3] || (!four[2] && four[1]);
    return height;
  endfunction

  assign last          = group_q[0];
  assign board_ready_o = ready_q;
  assign take          = board_valid_i && board_ready_o;

  // What comes in
  groups_t         filled;
  logic [Rows-1:0] full;
  always_comb begin
    for (int unsigned g = 0; g < Groups; g++) begin
      filled[g] = |board_i[g*RowsPerCycle+:RowsPerCycle];
    end
    filled[0]  = 1'b1;  // it is read whatever it holds
    filled[1] |= request_i;
    for (int unsigned r = 0; r < Rows; r++) full[r] = &board_i[r];
  end

  // What is read
  always_comb begin
    rows_o = '0;
    full_o = '0;
    for (int unsigned g = 0; g < Groups; g++) begin
      rows_o |= board_q[g*RowsPerCycle+:RowsPerCycle] & {RowsPerCycle*Columns{group_q[g]}};
      full_o |= full_q[g*RowsPerCycle+:RowsPerCycle] & {RowsPerCycle{group_q[g]}};
    end
  end

  assign busy_d  = take || (busy_q && !last);
  assign group_d = take ? highest(filled) : group_q >> 1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      ready_q <= 1'b1;
    end else begin
      busy_q  <= busy_d;
      ready_q <= !busy_d || group_d[0];
    end
  end

  // These mean something along with busy_q alone, or after a first group.
  always_ff @(posedge clk_i) begin
    first_q <= take;
    group_q <= group_d;
    // Whether it is offered or not
    if (ready_q) begin
      board_q   <= board_i;
      full_q    <= full;
      request_q <= request_i;
    end
    if (first_q && request_q) begin
      board_o      <= board_q;
      for (int unsigned c = 0; c < Columns; c++) begin
        automatic column_t column = '0;
        for (int unsigned r = 0; r < Rows; r++) column[r] = board_q[r][c];
        columns_o[c] <= column;
        heights_o[c] <= height_of(column);
      end
      full_board_o <= |full_q;
    end
  end

  assign valid_o   = busy_q;
  assign group_o   = group_q;
  assign first_o   = first_q;
  assign last_o    = last;
  assign request_o = request_q;

  if (Rows % RowsPerCycle != 0) begin : gen_uneven
    $error("the rows do not make whole groups");
  end

endmodule
