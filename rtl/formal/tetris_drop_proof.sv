// tetris_drop: the piece comes to rest in the lowest row that it reaches straight down from above
// the board: it overlaps nothing there nor on its way, and rests on the floor or on a filled cell.
// It is legal when all its cells are on the board. The scan has its cells, in its columns, and
// begins in the highest row that is not empty then.
//
// The board is any board; its heights are as defined (tetris_heights is proved to give them).
module tetris_drop_proof
  import tetris_def_pkg::Columns, tetris_def_pkg::Rows, tetris_def_pkg::board_t,
         tetris_def_pkg::cells, tetris_def_pkg::cells_t, tetris_def_pkg::fits,
         tetris_def_pkg::height;
(
  input logic                   clk_i,
  input board_t                 board_i,
  input logic [2:0]             piece_i,
  input logic                   valid_i,
  input tetris_pkg::candidate_t candidate_i,
  input logic                   ready_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // Held while placements are under way
  board_t     board_q;
  logic [2:0] piece_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      board_q <= board_i;
      piece_q <= piece_i;
    end
  end

  tetris_pkg::heights_t heights;
  logic [4:0]           stack;
  always_comb begin
    stack = '0;
    for (int unsigned c = 0; c < Columns; c++) begin
      heights[c] = height(board_q, c);
      if (heights[c] > stack) stack = heights[c];
    end
  end

  logic                   ready, valid;
  tetris_pkg::placement_t placement;
  tetris_pkg::scan_t      scan;

  tetris_drop u_dut (
    .clk_i,
    .rst_ni            (rst_n),
    .piece_i           (piece_q),
    .heights_i         (heights),
    .stack_i           (stack),
    .candidate_valid_i (valid_i),
    .candidate_ready_o (ready),
    .candidate_i,
    .placement_valid_o (valid),
    .placement_ready_i (ready_i),
    .placement_o       (placement),
    .scan_o            (scan)
  );

  // ------------------------------------------------------------------------- by the definition
  typedef logic [3:0][Columns-1:0] rows_t;  // a piece in its columns of the board, [dy]

  typedef struct packed {
    rows_t      cells;
    logic [1:0] rise;
    logic [4:0] row;    // where it rests
    logic       legal;
    logic [4:0] top;    // highest row that is not empty then
  } landing_t;

  function automatic logic overlaps(board_t board, rows_t rows, int unsigned at);
    logic hit;
    hit = 1'b0;
    for (int unsigned dy = 0; dy < 4; dy++) begin
      if (at + dy < Rows && (rows[dy] & board[at+dy]) != '0) hit = 1'b1;
    end
    return hit;
  endfunction

  function automatic landing_t landing(board_t board, logic [2:0] piece,
                                       tetris_pkg::candidate_t candidate);
    landing_t result;
    cells_t   shape;
    logic     falling;
    shape  = cells(piece, candidate.rotation);
    result = '0;
    for (int unsigned dy = 0; dy < 4; dy++) begin
      result.cells[dy] = Columns'(shape[dy]) << candidate.column;
      if (shape[dy] != '0) result.rise = 2'(dy);
    end
    // Down from above the board, as far as nothing is in the way.
    result.row = 5'(Rows);
    falling    = 1'b1;
    for (int r = int'(Rows) - 1; r >= 0; r--) begin
      if (overlaps(board, result.cells, unsigned'(r))) falling = 1'b0;
      if (falling) result.row = 5'(r);
    end
    result.legal = 32'(result.row) + 32'(result.rise) < Rows;
    if (result.legal) begin
      for (int unsigned r = 0; r < Rows; r++) begin
        if (board[r] != '0 || r == 32'(result.row) + 32'(result.rise)) result.top = 5'(r);
      end
    end
    return result;
  endfunction

  landing_t expected;
  assign expected = landing(board_q, piece_q, placement.candidate);

  // What the stages before the last one hold
  landing_t expected3;
  logic     under_ok, contact_ok;
  assign expected3 = landing(board_q, piece_q, u_dut.candidate3_q);
  always_comb begin
    under_ok   = 1'b1;
    contact_ok = 1'b1;
    for (int unsigned dx = 0; dx < 4; dx++) begin
      if (u_dut.under1_q[dx] != under(heights, u_dut.candidate1_q.column, dx)) under_ok = 1'b0;
      if (u_dut.contact2_q[dx] !=
          contact(cells(piece_q, u_dut.candidate2_q.rotation), dx,
                  under(heights, u_dut.candidate2_q.column, dx))) contact_ok = 1'b0;
    end
  end

  function automatic logic [4:0] under(tetris_pkg::heights_t all, logic [3:0] column,
                                       int unsigned dx);
    return (32'(column) + dx < Columns) ? all[4'(32'(column) + dx)] : 5'd0;
  endfunction

  // The lowest row at which no cell of the piece's column dx is below that height
  function automatic logic [4:0] contact(cells_t shape, int unsigned dx, logic [4:0] below);
    logic [4:0] lowest;
    lowest = '0;
    for (int unsigned dy = 0; dy < 4; dy++) begin
      if (shape[dy][dx] && below > lowest + 5'(dy)) lowest = below - 5'(dy);
    end
    return lowest;
  endfunction

  always_comb begin
    Fits_M: assume (!valid_i || fits(piece_q, candidate_i.rotation, candidate_i.column));
    if (rst_n) begin
      if (valid) begin
        Row_A:   assert (placement.row == expected.row);
        Legal_A: assert (placement.legal == expected.legal);
        Cells_A: assert (scan.cells == expected.cells && scan.rise == expected.rise);
        Top_A:   assert (scan.top == expected.top);
      end
      Fits1_A: assert (!u_dut.valid1_q || fits(piece_q, u_dut.candidate1_q.rotation,
                                               u_dut.candidate1_q.column));
      Fits2_A: assert (!u_dut.valid2_q || fits(piece_q, u_dut.candidate2_q.rotation,
                                               u_dut.candidate2_q.column));
      Fits3_A: assert (!u_dut.valid3_q || fits(piece_q, u_dut.candidate3_q.rotation,
                                               u_dut.candidate3_q.column));
      Stage1_A: assert (!u_dut.valid1_q || under_ok);
      Stage2_A: assert (!u_dut.valid2_q || contact_ok);
      Stage3_A: assert (!u_dut.valid3_q || u_dut.row3_q == expected3.row);
    end
    Rests_C:    cover (rst_n && valid && placement.legal && placement.row == 5'd9);
    Illegal_C:  cover (rst_n && valid && !placement.legal);
    Waits_C:    cover (rst_n && valid && !ready_i);
  end

endmodule
