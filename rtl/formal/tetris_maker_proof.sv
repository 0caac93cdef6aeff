// tetris_maker: from any board, full rows on it or not, and any legal placement it makes the board
// that the definition says (the README of the game): the piece's cells are on it, every full row
// is gone, those that are not full are there in their order, and empty ones above them. With it
// come the number of rows removed, and that number times the piece's cells in removed rows. With n
// rows removed, it is offered n + 3 cycles after the board was taken, not earlier and not later,
// and stays as it is until it is taken. The next board can be taken in the cycle after, or, if the
// module takes early, in the same.
//
// A placement is legal: on the board, over empty cells. One row is watched, any of the twenty: if
// it is not full, it is in the end above as many rows as there were below it that are not full.
// What holds for it holds for all. As many rows at the top as were removed are empty. Both kinds
// of the module are looked at. Resets come at any time.
module tetris_maker_proof
  import tetris_def_pkg::Columns, tetris_def_pkg::Rows, tetris_def_pkg::board_t,
         tetris_def_pkg::cells, tetris_def_pkg::cells_t, tetris_def_pkg::fits,
         tetris_lanes_pkg::placing_t;
(
  input logic       clk_i,
  input logic       rst_i,
  input logic [4:0] tag_i,   // the watched row
  input logic [1:0] valid_i,  // [1]: the module takes early
  input board_t     board_i,
  input placing_t   placing_i,
  input logic [4:0] row_i,
  input logic [1:0] ready_i
);

  typedef logic [Rows-1:0]    column_t;  // a mark for each row
  typedef logic [Columns-1:0] row_t;

  logic live_q = 1'b0;
  logic rst_n;
  always_ff @(posedge clk_i) live_q <= 1'b1;
  assign rst_n = live_q && !rst_i;

  logic [4:0] tag_q;
  always_ff @(posedge clk_i) if (!rst_n) tag_q <= tag_i;

  // ------------------------------------------------------------------------- by the definition
  // A board that holds the piece alone
  function automatic board_t of_piece(placing_t placing, logic [4:0] row);
    board_t out;
    cells_t shape;
    out   = '0;
    shape = cells(placing.piece, placing.rotation);
    for (int unsigned dy = 0; dy < 4; dy++) begin
      for (int unsigned dx = 0; dx < 4; dx++) begin
        if (shape[dy][dx] && 32'(row) + dy < Rows && 32'(placing.column) + dx < Columns) begin
          out[32'(row)+dy][32'(placing.column)+dx] = 1'b1;
        end
      end
    end
    return out;
  endfunction

  function automatic logic [2:0] height_of(cells_t shape);
    height_of = '0;
    for (int unsigned dy = 0; dy < 4; dy++) if (shape[dy] != '0) height_of = 3'(dy + 1);
  endfunction

  function automatic column_t full_rows(board_t of);
    for (int unsigned r = 0; r < Rows; r++) full_rows[r] = of[r] == '1;
  endfunction

  // Rows below one
  function automatic column_t under(logic [4:0] row);
    for (int unsigned r = 0; r < Rows; r++) under[r] = 5'(r) < row;
  endfunction

  function automatic row_t row_of(board_t of, logic [4:0] row);
    row_of = '0;
    for (int unsigned r = 0; r < Rows; r++) if (row == 5'(r)) row_of = of[r];
  endfunction

  // The highest of some rows
  function automatic logic [4:0] highest(column_t rows);
    highest = '0;
    for (int unsigned r = 0; r < Rows; r++) if (rows[r]) highest = 5'(r);
  endfunction

  function automatic logic [4:0] number(column_t marks);
    number = '0;
    for (int unsigned r = 0; r < Rows; r++) number = number + 5'(marks[r]);
  endfunction

  // The piece's cells in those rows
  function automatic logic [2:0] cells_in(column_t rows, placing_t placing, logic [4:0] row);
    cells_t shape;
    shape    = cells(placing.piece, placing.rotation);
    cells_in = '0;
    for (int unsigned dy = 0; dy < 4; dy++) begin
      if (6'(row) + 6'(dy) < 6'(Rows) && rows[row+5'(dy)]) begin
        for (int unsigned dx = 0; dx < 4; dx++) cells_in = cells_in + 3'(shape[dy][dx]);
      end
    end
  endfunction

  board_t     piece_cells, put_board;
  column_t    full;
  logic       legal;
  logic [2:0] cells_removed;  // of the piece
  always_comb begin
    piece_cells   = of_piece(placing_i, row_i);
    put_board     = board_i | piece_cells;
    full          = full_rows(put_board);
    legal         = fits(placing_i.piece, placing_i.rotation, placing_i.column) &&
                    6'(row_i) + 6'(height_of(cells(placing_i.piece, placing_i.rotation))) <=
                    6'(Rows) && (board_i & piece_cells) == '0;
    cells_removed = cells_in(full, placing_i, row_i);
  end

  for (genvar e = 0; e < 2; e++) begin : gen_maker
    logic       ready, valid;
    board_t     made;
    placing_t   placing;
    logic [4:0] row, cleared;
    logic [6:0] eroded;

    tetris_maker #(
      .TakesEarly (e == 1)
    ) u_dut (
      .clk_i,
      .rst_ni    (rst_n),
      .valid_i   (valid_i[e]),
      .ready_o   (ready),
      .board_i,
      .placing_i,
      .row_i,
      .valid_o   (valid),
      .ready_i   (ready_i[e]),
      .board_o   (made),
      .placing_o (placing),
      .row_o     (row),
      .cleared_o (cleared),
      .eroded_o  (eroded)
    );

    logic       busy_q;     // a board was taken and is not given
    board_t     after_q;    // with the piece, before rows are removed
    column_t    full_q;     // of it
    row_t       want_q;     // the watched row, if it stays
    logic       stays_q;
    logic [4:0] final_q;    // where it is in the end
    logic [4:0] at_q;       // and now: the highest full row goes first
    logic [4:0] removed_q;  // rows
    logic [2:0] cells_q;    // of the piece in them
    placing_t   placing_q;
    logic [4:0] row_q, cycles_q;
    logic       given, take;
    localparam logic [1:0] StIdle = 2'd0, StPut = 2'd1, StMark = 2'd2, StRemove = 2'd3;
    logic [1:0] state;
    assign state = u_dut.state_q;
    assign given = valid && ready_i[e];
    assign take  = valid_i[e] && ready;

    always_ff @(posedge clk_i) begin
      if (!rst_n) begin
        busy_q <= 1'b0;
      end else begin
        busy_q <= take || (busy_q && !given);
        if (cycles_q != '1) cycles_q <= cycles_q + 5'd1;
        if (take) begin
          after_q   <= put_board;
          full_q    <= full;
          want_q    <= row_of(put_board, tag_q);
          stays_q   <= row_of(put_board, tag_q) != '1;
          final_q   <= tag_q - number(full & under(tag_q));
          at_q      <= tag_q;
          removed_q <= number(full);
          cells_q   <= cells_removed;
          placing_q <= placing_i;
          row_q     <= row_i;
          cycles_q  <= 5'd1;
        end else if (state >= StMark && u_dut.full_q != '0 && highest(u_dut.full_q) < at_q) begin
          at_q <= at_q - 5'd1;
        end
      end
    end

    // ------------------------------------------------------- auxiliary invariants of the induction
    board_t     now;           // the board when what is under way has been done
    cells_t     shape;
    logic [3:0][Columns-1:0] rows;  // of the piece
    logic [2:0] in_row;
    logic [2:0] eroded_cells;
    logic       ones_ok, top_empty;
    always_comb begin
      now = made;
      for (int unsigned r = 0; r < Rows; r++) begin
        if (u_dut.moves_q[r]) now[r] = (r + 1 < Rows) ? made[(r+1)%Rows] : '0;
      end
      shape        = cells(placing_q.piece, placing_q.rotation);
      eroded_cells = '0;
      ones_ok      = 1'b1;
      top_empty    = 1'b1;
      for (int unsigned r = 0; r < Rows; r++) begin
        if (6'(r) + 6'(removed_q) >= 6'(Rows) + 6'(number(u_dut.full_q)) && now[r] != '0) begin
          top_empty = 1'b0;
        end
      end
      for (int unsigned dy = 0; dy < 4; dy++) begin
        rows[dy] = Columns'(shape[dy]) << placing_q.column;
        in_row   = '0;
        for (int unsigned dx = 0; dx < 4; dx++) in_row = in_row + 3'(shape[dy][dx]);
        if (u_dut.ones_q[dy] != in_row) ones_ok = 1'b0;
        if (u_dut.removed_q[dy]) eroded_cells = eroded_cells + in_row;
      end
    end

    always_comb begin
      Tag_M:   assume (tag_i < 5'(Rows));
      Legal_M: assume (!valid_i[e] || legal);
      if (rst_n) begin
        Ready_A: assert (ready == (!busy_q || (e == 1 && given)));
        // How it does it
        State_A: assert (busy_q == (state != StIdle) && u_dut.idle_q == !busy_q &&
                         (state == StRemove || (!valid && u_dut.moves_q == '0)));
        if (busy_q) begin
          Cycles_A: assert (valid == (cycles_q >= removed_q + 5'd3));
          Given_A:  assert (placing == placing_q && row == row_q);
          Piece_A:  assert (fits(placing_q.piece, placing_q.rotation, placing_q.column) &&
                            6'(row_q) + 6'(height_of(shape)) <= 6'(Rows) && ones_ok &&
                            u_dut.at_q == column_t'(1) << row_q && u_dut.cells_q == rows);
          Put_A:    assert (state != StPut || (made | of_piece(placing_q, row_q)) == after_q);
          Mark_A:   assert (state != StMark || (made == after_q && u_dut.full_q == full_q &&
                                                cleared == '0));
          Full_A:   assert (state == StRemove || full_q == full_rows(after_q));
          Want_A:   assert (state == StRemove || (at_q == tag_q &&
                            want_q == row_of(after_q, tag_q)));
          Stays_A:  assert (stays_q == (want_q != '1) && at_q <= tag_q);
          Final_A:  assert (final_q == tag_q - number(full_q & under(tag_q)));
          if (state >= StMark && stays_q) begin
            Same_A:  assert (at_q != tag_q || (u_dut.full_q & under(tag_q)) ==
                                              (full_q & under(tag_q)));
            Above_A: assert ((u_dut.full_q & ~under(at_q)) == '0 || at_q == tag_q);
            Place_A: assert (state == StMark || (u_dut.full_q & ~under(at_q)) != '0 ||
                             at_q + cleared + 5'(!valid) == final_q + removed_q);
          end
          Count_A:  assert (state == StRemove || (removed_q == number(full_q) &&
                            cells_q == cells_in(full_q, placing_q, row_q)));
          Early_A:  assert (state == StRemove || cycles_q == 5'(state));
          if (state == StRemove) begin
            Moves_A:   assert (u_dut.moves_q[Rows-1] == !valid &&
                               (!valid || {u_dut.moves_q, u_dut.full_q} == '0));
            Marks_A:   assert (u_dut.full_q == full_rows(now));
            Top_A:     assert (top_empty);
            Left_A:    assert (cleared + number(u_dut.full_q) + 5'(!valid) == removed_q &&
                               removed_q <= 5'(Rows));
            Time_A:    assert (valid || cycles_q == cleared + 5'd3);
            Cells_A:   assert (eroded_cells == cells_q && cells_q <= 3'd4);
          end
          if (valid) begin
            Board_A:   assert (!stays_q || row_of(made, final_q) == want_q);
            Full_rows_A: assert (full_rows(made) == '0);
            Cleared_A: assert (cleared == removed_q);
            Eroded_A:  assert (eroded == 7'(removed_q) * 7'(cells_q));
          end
        end
      end
      Tag_A: assert (!live_q || tag_q < 5'(Rows));
    end
    // Place by place, which is easier to prove
    for (genvar r = 0; r < Rows; r++) begin : gen_row
      always_comb begin
        if (rst_n && state >= StMark && stays_q && at_q == 5'(r)) begin
          Kept_A: assert (now[r] == want_q);
        end
      end
    end

    Four_C: cover (rst_n && valid && removed_q == 5'd4 && cells_q == 3'd4 && stays_q &&
                   want_q == 10'd5 && final_q == 5'd1);
  end

endmodule
