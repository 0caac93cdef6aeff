// tetris_rows: each placement comes as its rows from scan.top down to 0, each once and in order,
// rows of the board with the piece's cells in it; the first and the last are marked; an
// illegal placement is a single row. Placements keep their order, none is lost or doubled. Rows
// follow each other without a gap, but for a last row, which comes Pace cycles or more after the
// last row of a legal placement before it, and waits for no longer than that.
//
// The board may change only while no placement is under way. What tetris_drop is proved to give is
// assumed: the scan of a legal placement begins on the board, of an illegal one in row 0.
module tetris_rows_proof
  import tetris_def_pkg::Columns, tetris_def_pkg::Rows, tetris_def_pkg::board_t,
         tetris_pkg::beat_t, tetris_pkg::placement_t, tetris_pkg::scan_t;
#(
  parameter int unsigned Pace = 4
) (
  input logic       clk_i,
  input board_t     board_i,
  input logic       hold_i,
  input logic       valid_i,
  input placement_t placement_i,
  input scan_t      scan_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic       ready, valid, last_row;
  beat_t      beat;
  placement_t placement;

  tetris_rows #(
    .Pace (Pace)
  ) u_dut (
    .clk_i,
    .rst_ni            (rst_n),
    .board_i,
    .hold_i,
    .placement_valid_i (valid_i),
    .placement_ready_o (ready),
    .placement_i,
    .scan_i,
    .beat_valid_o      (valid),
    .beat_o            (beat),
    .placement_o       (placement),
    .last_row_o        (last_row)
  );

  typedef struct packed {
    placement_t placement;
    scan_t      scan;
  } item_t;

  // Placements taken whose last row has not come: the front one's rows come next.
  logic       front_there_q, back_there_q;
  item_t      front_q, back_q;
  logic [4:0] next_q;   // row of the front one that comes next
  logic       first_q;  // none of its rows has come
  logic       taken_q;  // one was taken in the cycle before
  board_t     board_q;  // of the cycle before
  logic [7:0] waited_q; // cycles without a row, up to now, though there is a placement, not held
  logic       hold_q;   // the row of this cycle was held up
  logic       last_row_q;  // ... was said to be the last one
  logic [7:0] gap_q;    // cycles since the last row of a legal placement, stops at Pace

  logic in, last;
  assign in   = valid_i && ready;
  assign last = next_q == '0;

  logic push_front;  // what is taken becomes the front one
  assign push_front = !front_there_q || (valid && last && !back_there_q);

  always_ff @(posedge clk_i) begin
    board_q <= board_i;
    hold_q  <= hold_i;
    if (!rst_n) begin
      last_row_q    <= 1'b0;
      front_there_q <= 1'b0;
      back_there_q  <= 1'b0;
      taken_q       <= 1'b0;
      waited_q      <= '0;
      gap_q         <= 8'(Pace);
    end else begin
      last_row_q <= last_row;
      taken_q  <= in;
      waited_q <= (front_there_q && !valid) ? waited_q + 8'(!hold_q) : '0;
      if (valid && last && front_q.placement.legal) gap_q <= 8'd1;
      else if (gap_q < 8'(Pace)) gap_q <= gap_q + 8'd1;
      if (valid && !last) begin
        next_q  <= next_q - 5'd1;
        first_q <= 1'b0;
      end else if (valid) begin
        front_there_q <= back_there_q;
        back_there_q  <= 1'b0;
        front_q       <= back_q;
        next_q        <= back_q.scan.top;
        first_q       <= 1'b1;
      end
      if (in && push_front) begin
        front_there_q <= 1'b1;
        front_q       <= '{placement: placement_i, scan: scan_i};
        next_q        <= scan_i.top;
        first_q       <= 1'b1;
      end else if (in) begin
        back_there_q <= 1'b1;
        back_q       <= '{placement: placement_i, scan: scan_i};
      end
    end
  end

  // The piece's cells in the row
  logic [Columns-1:0] piece;
  always_comb begin
    piece = '0;
    for (int unsigned dy = 0; dy < 4; dy++) begin
      if (32'(next_q) == 32'(front_q.placement.row) + dy) piece = front_q.scan.cells[dy];
    end
  end

  // What the module holds of a placement, its next row being that
  function automatic logic holds(item_t item, logic [4:0] row, logic first);
    scan_t scan;
    scan     = item.scan;
    scan.top = row;
    return u_dut.busy_q && u_dut.placement_q == item.placement && u_dut.scan_q == scan &&
           u_dut.first_q == first;
  endfunction

  function automatic logic on_board(item_t item);
    return 32'(item.placement.row) <= Rows && 32'(item.scan.top) < Rows &&
           (item.placement.legal || item.scan.top == '0);
  endfunction

  always_comb begin
    Board_M: assume (!front_there_q || board_i == board_q);
    Drop_M:  assume (on_board('{placement: placement_i, scan: scan_i}));
    if (rst_n) begin
      None_A:      assert (!valid || front_there_q);
      Placement_A: assert (!valid || placement == front_q.placement);
      LastRow_A:   assert (!u_dut.busy_q || u_dut.last_q == (u_dut.scan_q.top == '0));
      Marks_A:     assert (!valid || (beat.first == first_q && beat.last == last));
      Last_row_A:  assert (last_row_q == (valid && last));
      Single_A:    assert (!valid || front_q.placement.legal || (beat.first && beat.last));
      Row_A:       assert (!valid || (beat.piece == piece && beat.rise == front_q.scan.rise &&
                           beat.filled == (board_q[next_q] | piece)));
      Pace_A:      assert (!(valid && last) || gap_q >= 8'(Pace));
      // Two cycles after it was taken, or after the row before
      AtOnce_A:    assert (!front_there_q || valid || taken_q || last);
      Waited_A:    assert (!front_there_q || valid ||
                           waited_q < 8'(Pace) + 8'(hold_q));
      Ready_A:     assert (front_there_q || ready);
      // How it keeps all this
      Item_A:      assert (!front_there_q || (on_board(front_q) && next_q <= front_q.scan.top &&
                           (front_q.placement.legal || first_q)));
      Back_A:      assert (!back_there_q || (valid && last && on_board(back_q)));
      Idle_A:      assert (front_there_q || !u_dut.busy_q);
      Next_A:      assert (!front_there_q || valid || holds(front_q, next_q, first_q));
      Going_A:     assert (!valid || last || holds(front_q, next_q - 5'd1, 1'b0));
      Behind_A:    assert (!(valid && last) || (back_there_q
                           ? holds(back_q, back_q.scan.top, 1'b1) : !u_dut.busy_q));
      Due_A:       assert (8'(u_dut.pace_q) == ((valid && last && front_q.placement.legal)
                           ? 8'(Pace - 1) : (gap_q >= 8'(Pace)) ? 8'd0 : 8'(Pace - 1) - gap_q));
      Paced_A:     assert (u_dut.due_q == (u_dut.pace_q == '0));
      Waiting_A:   assert (!front_there_q || valid ||
                           waited_q + 8'(u_dut.pace_q) < 8'(Pace) ||
                           (hold_q && u_dut.pace_q == '0 && waited_q <= 8'(Pace)));
      Held_A:      assert (!(hold_q && valid) || !last);
    end
    Tall_C:    cover (rst_n && valid && last && front_q.scan.top == 5'd9 && back_there_q);
    Waits_C:   cover (rst_n && front_there_q && !valid && waited_q == 8'd2);
    Illegal_C: cover (rst_n && valid && !placement.legal && back_there_q);
  end

endmodule
