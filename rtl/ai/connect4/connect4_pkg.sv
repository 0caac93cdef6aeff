// Connect Four: sizes, types and the order of the search.
package connect4_pkg;

  localparam int unsigned Columns = 7;
  localparam int unsigned Rows    = 6;
  localparam int unsigned Cells   = Columns * Rows;

  typedef logic [2:0] column_t;
  typedef logic [Columns-1:0] columns_t;  // bit c = column c
  typedef logic [5:0] count_t;  // stones, up to Cells

  // Stones of one side, column by column, the bottom row lowest. The row above the top one is
  // always empty: it keeps a line from reaching over into the next column.
  typedef logic [Columns-1:0][Rows:0] board_t;

  // What a stone is worth in each cell, in two's complement
  typedef logic [Columns-1:0][Rows-1:0][7:0] weights_t;

  typedef logic signed [15:0] value_t;
  localparam value_t Win   = 16'sd10000;  // of a win before the first stone
  localparam value_t Bound = 16'sd32000;  // beyond every value

  // Columns in the order in which they are tried
  localparam column_t [Columns-1:0] Order = {3'd6, 3'd0, 3'd5, 3'd1, 3'd4, 3'd2, 3'd3};

  // What is to be searched: a legal position of a game that is not over
  typedef struct packed {
    board_t own;       // stones of the side to move
    board_t opponent;
    count_t depth;     // 1 .. Cells
    logic   trace;     // report the value of every column
  } request_t;

  // How far a search has come
  typedef struct packed {
    count_t      depth;   // the last one completed, 0 before the first: column and value are 0 then
    column_t     column;
    value_t      value;
    logic [63:0] nodes;   // stones dropped
    logic [63:0] cycles;
  } progress_t;

  // A column of a trace
  typedef struct packed {
    column_t     column;
    logic        legal;  // it is not full; otherwise the rest is 0
    value_t      value;
    logic [63:0] nodes;
  } candidate_t;

  // a < b, as the sign of a difference: what Yosys makes of `<` leaves the carry chain twice
  function automatic logic less(value_t a, value_t b);
    return (17'(a) - 17'(b)) < 17'sd0;
  endfunction

  // The number of a column that is given one-hot
  function automatic column_t number(columns_t column);
    column_t sum;
    sum = '0;
    for (int unsigned c = 0; c < Columns; c++) if (column[c]) sum |= column_t'(c);
    return sum;
  endfunction

endpackage
