// tetris_board: a board that was cleared and loaded is what was loaded; a put leaves it as the
// definition says, whatever it was and wherever the piece goes: the piece's cells are on it, every
// full row is gone, those that are not full are there in their order, and empty ones above them.
// It is over after as many cycles as the module's header says. A take moves the rows down by one.
//
// What is put is as tetris_drop is proved to give it: on the board, over empty cells. One column
// is watched, any of the ten: what holds for it holds for all, because which rows are full is the
// same for each.
module tetris_board_proof
  import tetris_def_pkg::Columns, tetris_def_pkg::Rows, tetris_def_pkg::board_t,
         tetris_def_pkg::cells, tetris_def_pkg::cells_t, tetris_def_pkg::fits;
(
  input logic       clk_i,
  input logic [3:0] tag_i,
  input logic       clear_i,
  input logic       load_i,
  input board_t     load_board_i,
  input logic       put_i,
  input logic [2:0] piece_i,
  input logic [1:0] rotation_i,
  input logic [3:0] column_i,
  input logic [4:0] row_i,
  input logic       take_i
);

  typedef logic [Rows-1:0] column_t;  // [row from the bottom]

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [3:0] tag_q;
  always_ff @(posedge clk_i) if (!rst_n) tag_q <= tag_i;

  logic   ready;
  board_t board;

  tetris_board u_dut (
    .clk_i,
    .rst_ni       (rst_n),
    .clear_i,
    .load_i,
    .load_board_i,
    .put_valid_i  (put_i),
    .put_ready_o  (ready),
    .piece_i,
    .rotation_i,
    .column_i,
    .row_i,
    .take_i,
    .board_o      (board)
  );

  // ------------------------------------------------------------------------- by the definition
  // A board that holds the piece alone
  function automatic board_t of_piece(logic [2:0] piece, logic [1:0] rotation,
                                      logic [3:0] column, logic [4:0] row);
    board_t out;
    cells_t shape;
    out   = '0;
    shape = cells(piece, rotation);
    for (int unsigned dy = 0; dy < 4; dy++) begin
      for (int unsigned dx = 0; dx < 4; dx++) begin
        if (shape[dy][dx] && 32'(row) + dy < Rows && 32'(column) + dx < Columns) begin
          out[32'(row)+dy][32'(column)+dx] = 1'b1;
        end
      end
    end
    return out;
  endfunction

  function automatic logic [2:0] height_of(cells_t shape);
    logic [2:0] height;
    height = '0;
    for (int unsigned dy = 0; dy < 4; dy++) if (shape[dy] != '0) height = 3'(dy + 1);
    return height;
  endfunction

  function automatic column_t full_rows(board_t of);
    column_t full;
    for (int unsigned r = 0; r < Rows; r++) full[r] = of[r] == '1;
    return full;
  endfunction

  function automatic column_t column_of(board_t of, logic [3:0] column);
    column_t out;
    for (int unsigned r = 0; r < Rows; r++) out[r] = of[r][column];
    return out;
  endfunction

  // What stays of a column when rows are taken out of it
  function automatic column_t without(column_t of, column_t rows);
    column_t    out;
    logic [4:0] to;
    out = '0;
    to  = '0;
    for (int unsigned r = 0; r < Rows; r++) begin
      if (!rows[r]) begin
        out[to] = of[r];
        to      = to + 5'd1;
      end
    end
    return out;
  endfunction

  board_t     piece_cells;
  logic [2:0] height;
  logic       legal;
  assign piece_cells = of_piece(piece_i, rotation_i, column_i, row_i);
  assign height      = height_of(cells(piece_i, rotation_i));
  assign legal       = fits(piece_i, rotation_i, column_i) && 32'(row_i) + 32'(height) <= Rows &&
                       (board & piece_cells) == '0;

  // ------------------------------------------------------------------------ what is under way
  logic       putting_q;     // a put, since an earlier cycle
  board_t     after_q;       // with the piece, before rows are removed
  column_t    want_q;        // the tagged column in the end
  column_t    column_q;      // it now, when there is no put
  logic       taking_q;
  logic [5:0] cycles_q;      // of the put, so far
  logic [5:0] latency_q;
  logic [4:0] removed;
  logic [17:0] put_q;
  board_t     put_board;
  assign put_board = board | piece_cells;

  always_comb begin
    column_t full;
    full    = full_rows(put_board);
    removed = '0;
    for (int unsigned r = 0; r < Rows; r++) removed = removed + 5'(full[r]);
  end

  always_ff @(posedge clk_i) begin
    put_q    <= {piece_i, rotation_i, column_i, row_i, 4'd0};
    taking_q <= take_i;
    cycles_q <= cycles_q + 6'd1;
    if (!rst_n) begin
      putting_q <= 1'b0;
      taking_q  <= 1'b0;
      column_q  <= '0;
    end else begin
      putting_q <= put_i && !ready;
      if (put_i && !putting_q) begin
        after_q   <= put_board;
        want_q    <= without(column_of(put_board, tag_q), full_rows(put_board));
        cycles_q  <= 6'd1;
        latency_q <= 6'(height) + 6'd4 + {removed, 1'b0};
      end
      if (taking_q) column_q <= column_q >> 1;
      if (load_i) column_q <= column_q | column_of(load_board_i, tag_q);
      if (clear_i) column_q <= '0;
      if (ready) column_q <= want_q;
    end
  end

  // --------------------------------------------------------- auxiliary invariants of the induction
  localparam logic [2:0] StPut = 3'd0, StWait = 3'd1, StLook = 3'd2, StRemove = 3'd3,
                         StRemoved = 3'd4, StDone = 3'd5;
  logic [2:0] state;
  board_t     now, rest;  // the board when what is under way has been done; cells not yet put
  column_t    marks;      // and the marks of full rows
  logic [4:0] marked;
  assign state = u_dut.state_q;

  always_comb begin
    now   = board;
    marks = u_dut.full_q;
    for (int unsigned r = 0; r < Rows; r++) begin
      if (u_dut.put_q[r]) now[r] = board[r] | u_dut.cells_q;
      if (u_dut.moved_q[r]) begin
        now[r]   = (r + 1 < Rows) ? board[(r+1)%Rows] : '0;
        marks[r] = (r + 1 < Rows) ? u_dut.full_q[(r+1)%Rows] : 1'b0;
      end
    end
    rest = '0;
    for (int unsigned r = 0; r < Rows; r++) begin
      if (state == StPut && r >= 32'(row_i) + 32'(u_dut.dy_q)) rest[r] = piece_cells[r];
    end
    marked = '0;
    for (int unsigned r = 0; r < Rows; r++) marked = marked + 5'(marks[r]);
  end

  always_comb begin
    Tag_M:   assume (tag_i < 4'(Columns));
    One_M:   assume ($countones({clear_i, load_i, put_i, take_i, taking_q}) <= 1);
    Legal_M: assume (!(put_i && !putting_q) || legal);
    Held_M:  assume (!putting_q || (put_i &&
                     {piece_i, rotation_i, column_i, row_i, 4'd0} == put_q));
    if (rst_n) begin
      Ready_A:   assert (!ready || (putting_q && column_of(board, tag_q) == want_q));
      None_A:    assert (!ready || full_rows(board) == '0);
      Latency_A: assert (!putting_q || (cycles_q < latency_q &&
                         ready == (cycles_q + 6'd1 == latency_q)));
      Column_A:  assert (putting_q || column_of(board, tag_q) == column_q);
      // How it does it
      Tag_A:     assert (tag_q < 4'(Columns));
      State_A:   assert (state <= StDone && (putting_q || (state == StPut && u_dut.dy_q == '0)) &&
                         (state == StPut || u_dut.dy_q == '0));
      Taking_A:  assert (putting_q || u_dut.moved_q == {Rows{taking_q}});
      Put_A:     assert ((putting_q && (state == StPut || state == StWait)) || u_dut.put_q == '0);
      Fits_A:    assert (!putting_q || (fits(piece_i, rotation_i, column_i) &&
                         32'(row_i) + 32'(height) <= Rows));
      Dy_A:      assert (!(putting_q && state == StPut) || (u_dut.dy_q != '0 &&
                         32'(u_dut.dy_q) < 32'(height)));
      After_A:   assert (!(putting_q && (state == StPut || state == StWait)) ||
                         ((now | rest) == after_q && u_dut.moved_q == '0));
      Look_A:    assert (state != StLook || (board == after_q && u_dut.moved_q == '0));
      Want_A:    assert (!putting_q || state > StLook || want_q ==
                         without(column_of(after_q, tag_q), full_rows(after_q)));
      Active_A:  assert (u_dut.active_q || (state != StLook && u_dut.put_q == '0 &&
                         u_dut.moved_q == '0));
      Still_A:   assert (!(state == StRemove || state == StDone) || u_dut.moved_q == '0);
      Marks_A:   assert (state <= StLook || marks == full_rows(now));
      Rest_A:    assert (state <= StLook || without(column_of(now, tag_q), marks) == want_q);
      Done_A:    assert (state != StDone || marks == '0);
      Count_A:   assert (!putting_q || state > StLook || latency_q == 6'(height) + 6'd4 +
                         6'($countones(full_rows(after_q)) * 2));
      Cycles_A:  assert (!putting_q || cycles_q == (state == StPut ? 6'(u_dut.dy_q) :
                         state == StWait ? 6'(height) : state == StLook ? 6'(height) + 6'd1 :
                         state == StDone ? latency_q - 6'd1 :
                         latency_q - 6'd2 - {marked, 1'b0} - 6'(state == StRemoved)));
    end
    Four_C:    cover (rst_n && state == StRemove && marked == 5'd4 && piece_i == 3'd0);
    Removed_C: cover (rst_n && ready && latency_q == 6'd10 && want_q == 20'd5);
    Taken_C:   cover (rst_n && taking_q && column_q == 20'd6);
  end

endmodule
