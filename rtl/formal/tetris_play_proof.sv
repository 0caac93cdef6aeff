// tetris_play: a game requests a decision on each of its pieces, in the order of the memory or as
// they are drawn, one after the other, and for no more; each decision is signed once, with the
// number of its move, counted once and, when it is legal, put once, before the next piece is
// requested. Moves of a game that is given leave in their order, none lost or doubled. A lost game
// ends when its pieces are given and goes on with an empty board when they are drawn. Checkpoints
// come after every `spacing` decisions and nowhere else. It ends after the last piece, a lost
// game that was given, or a stop; the counts are the sums then and in a checkpoint. No deadlock:
// it waits for no more than the cycles that its memory takes but for others.
//
// Board and generator are stubs that are done at any time; draw_sign and tetris_board are
// proved by themselves. The memory has 8 pieces for 160, moves wait in a queue of 4 for 64.
module tetris_play_proof
  import tetris_pkg::board_t, tetris_pkg::decision_t, tetris_pkg::tally_t;
#(
  parameter int unsigned Pieces = 8,
  parameter int unsigned Moves  = 4
) (
  input logic       clk_i,
  input logic [2:0] piece_tag_i,
  input logic [3:0] move_tag_i,
  input logic       piece_we_i,
  input logic [6:0] piece_addr_i,
  input logic [7:0] piece_data_i,
  input logic       draws_shift_i,
  input logic [7:0] draws_byte_i,
  input logic       start_i,
  input logic       drawn_i,
  input logic [15:0] pieces_i,
  input logic       stop_i,
  input logic       finish_i,
  input logic       ask_ready_i,
  input logic       rsp_valid_i,
  input decision_t  rsp_i,
  input logic       move_ready_i,
  input logic       checkpoint_ready_i,
  input logic       put_ready_i,
  input logic       drawn_now_i,
  input logic       signed_now_i,
  input logic [2:0] drawn_piece_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [2:0] piece_tag_q;
  logic [3:0] move_tag_q;
  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      piece_tag_q <= piece_tag_i;
      move_tag_q  <= move_tag_i;
    end
  end

  logic [31:0] pieces, spacing;
  logic        done, unfinished, ask, rsp_ready, checkpoint;
  logic [2:0]  ask_piece, moves;
  logic [5:0]  move;
  tally_t      tally;

  tetris_play #(
    .Pieces (Pieces),
    .Moves  (Moves)
  ) u_dut (
    .clk_i,
    .rst_ni             (rst_n),
    .clear_i            (1'b0),
    .load_i             (1'b0),
    .load_board_i       ('0),
    .take_i             (1'b0),
    .piece_we_i,
    .piece_addr_i,
    .piece_data_i,
    .draws_shift_i,
    .draws_byte_i,
    .draws_pieces_o     (pieces),
    .draws_spacing_o    (spacing),
    .start_i,
    .drawn_i,
    .games_i            (5'd1),
    .pieces_i,
    .stop_i,
    .done_o             (done),
    .unfinished_o       (unfinished),
    .finish_i,
    .ask_valid_o        (ask),
    .ask_ready_i,
    .ask_piece_o        (ask_piece),
    .rsp_valid_i,
    .rsp_ready_o        (rsp_ready),
    .rsp_i,
    .boards_ready_i     (1'b0),
    .best_valid_i       (1'b0),
    .best_i             ('0),
    .moves_o            (moves),
    .move_o             (move),
    .move_ready_i,
    .checkpoint_valid_o (checkpoint),
    .checkpoint_ready_i,
    .tally_o            (tally)
  );

  logic       sign, put, emptied, drawn_valid, signing;
  logic [7:0] value;
  assign sign        = u_dut.u_draw_sign.sign_i;
  assign value       = u_dut.u_draw_sign.value_i;
  assign signing     = u_dut.u_draw_sign.signing_o;
  assign drawn_valid = u_dut.u_draw_sign.drawn_valid_o;
  assign put         = u_dut.u_board.put_valid_i && u_dut.u_board.put_ready_o;
  assign emptied     = u_dut.u_board.clear_i;

  // ------------------------------------------------------------------- the game, as it has to be
  logic        playing_q, drawn_q;
  logic [31:0] todo_q, every_q;         // pieces in all, and between checkpoints
  logic [31:0] asked_q, signed_q, since_q;
  logic        waiting_q;               // requested, and the answer not taken
  logic        counted_q;               // the answer was signed
  logic        lost_q;                  // the last one signed was no legal one, and not seen to
  logic        over_q;                  // ... in a game that was given
  logic        stop_q;                  // there was a stop while it could end
  logic [2:0]  piece_q;                 // of the last request
  tally_t      tally_q;
  logic [3:0]  next_piece_q, this_piece_q;  // the tagged one, of the next game and of this one
  logic        next_known_q, this_known_q;  // it was written
  logic [3:0]  pushed_q, taken_q;
  logic [5:0]  tag_move_q;
  logic        answer_held_q;
  decision_t   answer_q;
  logic [2:0]  idle_q;

  logic       writes_tag, push;
  logic [3:0] written;
  assign writes_tag = piece_we_i && piece_addr_i[1:0] == piece_tag_q[2:1];
  assign written    = piece_tag_q[0] ? piece_data_i[7:4] : piece_data_i[3:0];
  assign push       = sign && !drawn_q && rsp_i.legal;

  logic begins;
  assign begins = start_i && !playing_q;

  always_ff @(posedge clk_i) begin
    answer_held_q <= rsp_valid_i && !rsp_ready;
    answer_q      <= rsp_i;
    if (writes_tag) next_piece_q <= written;
    if (!rst_n) begin
      next_known_q <= 1'b0;
      this_known_q <= 1'b0;
      playing_q <= 1'b0;
      waiting_q <= 1'b0;
      pushed_q  <= '0;
      taken_q   <= '0;
      idle_q    <= '0;
    end else begin
      idle_q <= (playing_q && !done && !ask && !checkpoint && !waiting_q && drawn_valid &&
                 !signing) ? idle_q + 3'd1 : '0;
      if (writes_tag) next_known_q <= 1'b1;
      if (begins) begin
        this_known_q <= writes_tag || next_known_q;
        next_known_q <= 1'b0;
        playing_q    <= 1'b1;
        drawn_q      <= drawn_i;
        todo_q       <= drawn_i ? pieces : 32'(pieces_i);
        every_q      <= spacing;
        asked_q      <= '0;
        signed_q     <= '0;
        since_q      <= '0;
        waiting_q    <= 1'b0;
        counted_q    <= 1'b0;
        lost_q       <= 1'b0;
        over_q       <= 1'b0;
        stop_q       <= 1'b0;
        tally_q      <= '0;
        pushed_q     <= '0;
        taken_q      <= '0;
        this_piece_q <= writes_tag ? written : next_piece_q;
      end
      if (playing_q && stop_i && !waiting_q) stop_q <= 1'b1;
      if (ask && ask_ready_i) begin
        asked_q   <= asked_q + 32'd1;
        waiting_q <= 1'b1;
        counted_q <= 1'b0;
        piece_q   <= ask_piece;
      end
      if (sign) begin
        signed_q  <= signed_q + 32'd1;
        since_q   <= since_q + 32'd1;
        counted_q <= 1'b1;
        lost_q    <= !rsp_i.legal;
        over_q    <= !rsp_i.legal && !drawn_q;
        tally_q   <= '{
          pieces:       tally_q.pieces + 32'd1,
          games:        tally_q.games + 32'(!rsp_i.legal),
          rows_cleared: tally_q.rows_cleared + 32'(rsp_i.rows_cleared),
          score:        tally_q.score + 64'(rsp_i.score),
          cycles:       tally_q.cycles + 64'(rsp_i.cycles)
        };
      end
      if (rsp_valid_i && rsp_ready) waiting_q <= 1'b0;
      if (emptied) lost_q <= 1'b0;
      if (checkpoint && checkpoint_ready_i) since_q <= '0;
      if (push) pushed_q <= pushed_q + 4'd1;
      if (push && pushed_q == move_tag_q) tag_move_q <= {rsp_i.rotation, rsp_i.column};
      if (move_ready_i) taken_q <= taken_q + 4'd1;
      if (done && finish_i) playing_q <= 1'b0;
    end
  end

  localparam logic [2:0] StOff = 3'd0, StAsk = 3'd1, StDecide = 3'd2, StPlace = 3'd3,
                         StClear = 3'd4, StTell = 3'd5, StDone = 3'd6;
  logic [2:0] state;
  assign state = u_dut.state_q;

  function automatic logic [3:0] nibble(logic [7:0] of);
    return piece_tag_q[0] ? of[7:4] : of[3:0];
  endfunction

  // The memory's byte of the tagged piece, in the bank of this game or the next one
  function automatic logic [3:0] held(logic bank);
    logic [7:0] of;
    of = u_dut.u_pieces.mem_q[{bank, piece_tag_q[2:1]}];
    return nibble(of);
  endfunction

  logic reads;  // the tagged piece is the next one
  assign reads = playing_q && !drawn_q && this_known_q && u_dut.number_q == piece_tag_q;

  always_comb begin
    // Who requests the game, and the AI core
    Start_M:   assume (!begins || (drawn_valid && !signing && pushed_q == taken_q &&
                       (drawn_i ? pieces != '0 && spacing != '0
                                : pieces_i != '0 && pieces_i <= 16'(Pieces))));
    Shift_M:   assume (!draws_shift_i || (!playing_q && !start_i));
    Moves_M:   assume (!move_ready_i || moves != '0);
    Answer_M:  assume (!rsp_valid_i || waiting_q);
    Held_M:    assume (!answer_held_q || (rsp_valid_i && rsp_i == answer_q));
    Stop_M:    assume (!stop_q || stop_i || !playing_q);
    if (rst_n) begin
      Ask_A:     assert (!ask || (playing_q && !waiting_q && asked_q == signed_q &&
                         asked_q < todo_q && !lost_q && !over_q && !stop_i &&
                         !(drawn_q && since_q == every_q)));
      Given_A:   assert (!(ask && !drawn_q && this_known_q && asked_q == 32'(piece_tag_q)) ||
                         ask_piece == this_piece_q[2:0]);
      Drawn_A:   assert (!(ask && drawn_q) || (drawn_valid &&
                         ask_piece == u_dut.u_draw_sign.drawn_o));
      Taken_A:   assert (!rsp_ready || !rsp_valid_i || (waiting_q && (counted_q || sign)));
      Sign_A:    assert (!sign || (waiting_q && !counted_q && rsp_valid_i && !signing &&
                         value == (rsp_i.legal ? 8'(rsp_i.rotation) * 8'd10 + 8'(rsp_i.column)
                                               : 8'd255)));
      Put_A:     assert (!u_dut.u_board.put_valid_i || (waiting_q && counted_q && !lost_q &&
                         u_dut.u_board.piece_i == piece_q && rsp_valid_i &&
                         put == (rsp_valid_i && rsp_ready)));
      PutOnce_A: assert (!(rsp_valid_i && rsp_ready) || put || (sign && !rsp_i.legal));
      Emptied_A: assert (!emptied || (drawn_q && lost_q && playing_q && !waiting_q));
      Check_A:   assert (!checkpoint || (playing_q && drawn_q && since_q == every_q &&
                         !waiting_q && !lost_q && !signing && tally == tally_q));
      Every_A:   assert (!playing_q || !drawn_q || since_q <= every_q);
      Done_A:    assert (!done || (playing_q && !waiting_q && !signing && tally == tally_q &&
                         asked_q == signed_q && !(drawn_q && (lost_q || since_q == every_q)) &&
                         (over_q || asked_q == todo_q || stop_q) &&
                         unfinished == (!over_q && asked_q != todo_q)));
      Moves_A:   assert (4'(moves) == pushed_q - taken_q && moves <= 3'(Moves));
      Move_A:    assert (!(moves != '0 && taken_q == move_tag_q) || move == tag_move_q);
      Stuck_A:   assert (idle_q < 3'd6);
      // How it keeps all this
      State_A:   assert (state <= StDone && playing_q == (state != StOff));
      Waiting_A: assert (waiting_q == (state == StDecide || state == StPlace) &&
                         (!waiting_q || counted_q == (state == StPlace)));
      Lost_A:    assert (!playing_q || (lost_q == (state == StClear || (over_q && lost_q))));
      Over_A:    assert (!playing_q || !over_q || (state == StDone && lost_q && !drawn_q));
      Kind_A:    assert (!playing_q || u_dut.drawn_q == drawn_q);
      Cleared_A: assert (!(state == StClear || state == StTell) || drawn_q);
      Left_A:    assert (!playing_q || (u_dut.left_q == todo_q - asked_q && asked_q <= todo_q &&
                         todo_q != '0));
      None_A:    assert (state != StAsk || u_dut.none_left_q == (u_dut.left_q == '0));
      Count_A:   assert (!playing_q || (asked_q == signed_q + 32'(state == StDecide) &&
                         signed_q <= asked_q));
      Spacing_A: assert (!(playing_q && drawn_q) || (u_dut.spacing_q == every_q &&
                         every_q != '0 && u_dut.until_q == every_q - since_q));
      Due_A:     assert (!(playing_q && drawn_q) ||
                         ((state == StTell) ? since_q == every_q :
                          (state == StPlace || state == StClear) ? since_q <= every_q :
                          since_q < every_q));
      Placed_A:  assert (state != StPlace || (rsp_valid_i && rsp_i.legal));
      Ended_A:   assert (!playing_q || ((state != StDone || over_q || asked_q == todo_q ||
                         stop_q) && u_dut.stopped_q == (state == StDone && !over_q &&
                         asked_q != todo_q)));
      Tally_A:   assert (!playing_q || tally == tally_q);
      Piece_A:   assert (!waiting_q || u_dut.piece_q == piece_q);
      Number_A:  assert (!(playing_q && !drawn_q) || (u_dut.number_q[2:0] == asked_q[2:0] &&
                         todo_q <= 32'(Pieces)));
      Bank_A:    assert (!next_known_q || held(!u_dut.bank_q) == next_piece_q);
      This_A:    assert (!this_known_q || !playing_q || held(u_dut.bank_q) == this_piece_q);
      Read_A:    assert (!(reads && !u_dut.fetch_q) || nibble(u_dut.u_pieces.read_q) ==
                         this_piece_q);
      Fetched_A: assert (!(reads && !u_dut.fetching_q && !u_dut.fetch_q) ||
                         nibble(u_dut.fetched) == this_piece_q);
      Fetch_A:   assert (!u_dut.fetch_q || (playing_q && !drawn_q && (state == StDecide ||
                         (state == StAsk && asked_q == '0))));
      Fetch1_A:  assert (!u_dut.fetching_q || !(state == StAsk && asked_q != '0));
      Queue_A:   assert (u_dut.held_q == moves && u_dut.tail_q == u_dut.head_q + moves[1:0]);
      Pushed_A:  assert (pushed_q <= 4'(Pieces) && taken_q <= pushed_q &&
                         (!(playing_q && drawn_q) || pushed_q == '0));
      Signed_A:  assert (!playing_q || drawn_q || 32'(pushed_q) <= signed_q);
      Idle_A:    assert (idle_q <= (state == StAsk ? (u_dut.fetch_q ? 3'd0 :
                         u_dut.fetching_q ? 3'd1 : 3'd2) : state == StTell ? 3'd1 :
                         state == StDone ? 3'd3 : 3'd0));
      Tag_A:     assert (!(pushed_q > move_tag_q && taken_q <= move_tag_q) || u_dut.moves_q[
                         2'(u_dut.head_q + 2'(move_tag_q - taken_q))] == tag_move_q);
    end
    Lost_C:   cover (rst_n && done && over_q && !unfinished && signed_q == 32'd2);
    Stop_C:   cover (rst_n && done && unfinished && signed_q == 32'd1);
    Two_C:    cover (rst_n && checkpoint && signed_q == 32'd4 && every_q == 32'd2);
    Full_C:   cover (rst_n && moves == 3'(Moves) && waiting_q && rsp_valid_i && !sign);
  end

endmodule
