// tetris_games: each of the games that are played side by side has its own board. Boards are
// offered game after game, each once the game's last piece was put on it, and as it was left then:
// after a start, the board that was given. The n-th decision goes to the game of the n-th board
// taken. Decisions are results in their order, unchanged. The piece that came with the board is put
// on that game's board, or the board is emptied. Rows read out are those of the boards, game after
// game. There is no deadlock: a board is offered, and a decision is at result_o, in the cycle after
// it can be. idle_o and deciding_o are high as the module's header says.
//
// One game is watched, any of them: what holds for it holds for all. The maker is a stub: the
// board it gives differs from the one it took in any cells. The environment keeps the rules of the
// module's header: a start or a rewind when no piece is under way, and no board taken between a
// rewind and the next start.
module tetris_games_proof
  import tetris_pkg::board_t, tetris_pkg::decision_t, tetris_pkg::piece_t, tetris_pkg::row_t;
#(
  parameter int unsigned Games = 4  // for 16 only to keep the proof short
) (
  input logic                     clk_i,
  input logic                     start_i,
  input logic [$clog2(Games):0]   games_i,
  input board_t                   board_i,
  input logic                     take_i,
  input piece_t                   piece_i,
  input logic                     best_valid_i,
  input decision_t                best_i,
  input logic                     result_ready_i,
  input logic                     rewind_i,
  input logic                     next_row_i,
  input logic [$clog2(Games)-1:0] tag_i,      // the game that is watched
  input logic [4:0]               removes_i,  // the maker's
  input board_t                   changes_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic      board_valid, result_valid, put_ready, idle, deciding;
  board_t    board;
  decision_t result;
  row_t      row;

  tetris_games #(
    .Games (Games)
  ) u_dut (
    .clk_i,
    .rst_ni         (rst_n),
    .start_i,
    .games_i,
    .board_i,
    .board_valid_o  (board_valid),
    .board_o        (board),
    .take_i,
    .piece_i,
    .best_valid_i,
    .best_i,
    .result_valid_o (result_valid),
    .result_o       (result),
    .put_ready_o    (put_ready),
    .result_ready_i,
    .idle_o         (idle),
    .deciding_o     (deciding),
    .rewind_i,
    .next_row_i,
    .row_o          (row)
  );

  assign u_dut.u_maker.removes = removes_i;
  assign u_dut.u_maker.erodes  = '0;
  assign u_dut.u_maker.changes = changes_i;

  typedef logic [$clog2(Games)-1:0] turn_t;
  typedef logic [7:0]               count_t;

  // ------------------------------------------------------------------------------- reference model
  count_t     games_q;
  count_t     fills_q;            // cycles in which the boards are filled
  logic       reads_q;            // after a rewind
  turn_t      take_q, best_q, put_q, read_q;  // whose turn it is
  count_t     undecided_q, decided_q;         // pieces; not put
  logic       making, made, lost_q;           // a piece is put
  turn_t      made_q;             // on this one's board
  logic [4:0] row_q;              // that is read out
  logic       next_row_q;
  count_t     under_way;

  function automatic turn_t after(turn_t turn);
    return count_t'(turn) + 1'b1 == games_q ? '0 : turn + 1'b1;
  endfunction

  // Turns from one to another
  function automatic count_t turns(turn_t from, turn_t to);
    return to >= from ? count_t'(to) - count_t'(from)
                      : count_t'(to) + games_q - count_t'(from);
  endfunction

  assign made      = u_dut.u_maker.valid_o;
  assign making    = u_dut.u_maker.busy_q;
  assign under_way = undecided_q + decided_q + count_t'(making) + count_t'(lost_q);

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      games_q     <= '0;
      fills_q     <= '0;
      reads_q     <= 1'b0;
      undecided_q <= '0;
      decided_q   <= '0;
      lost_q      <= 1'b0;
      next_row_q  <= 1'b0;
    end else begin
      fills_q     <= start_i ? count_t'(games_i) : fills_q - count_t'(fills_q != '0);
      undecided_q <= undecided_q + count_t'(take_i) - count_t'(best_valid_i);
      decided_q   <= decided_q + count_t'(best_valid_i) - count_t'(result_ready_i);
      lost_q      <= result_ready_i && !result.legal;
      next_row_q  <= next_row_i;
      if (take_i) take_q <= after(take_q);
      if (best_valid_i) best_q <= after(best_q);
      if (result_ready_i) put_q <= after(put_q);
      if (result_ready_i) made_q <= put_q;
      if (next_row_q) row_q <= row_q == 5'd19 ? '0 : row_q + 5'd1;
      if (next_row_q && row_q == 5'd19) read_q <= after(read_q);
      if (rewind_i) begin
        reads_q <= 1'b1;
        read_q  <= '0;
        row_q   <= '0;
      end
      if (start_i) begin
        games_q <= count_t'(games_i);
        reads_q <= 1'b0;
        take_q  <= '0;
        best_q  <= '0;
        put_q   <= '0;
      end
    end
  end

  // The watched game
  typedef enum logic [1:0] {
    StRest,
    StTaken,
    StDecided,
    StPut
  } phase_e;

  turn_t      tag_q;
  phase_e     phase_q;
  board_t     own_q;     // its board, or what it will be when its piece is put
  piece_t     piece_q;
  decision_t  decision_q;
  logic       rests_q, waits_q;  // it could be offered in the cycle before; its result could
  turn_t      place_q;   // in the queues
  logic       own_put;
  assign own_put = result_ready_i && put_q == tag_q;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      tag_q   <= tag_i;
      phase_q <= StRest;
    end else begin
      if (take_i && take_q == tag_q) begin
        phase_q <= StTaken;
        piece_q <= piece_i;
        place_q <= u_dut.taken_q;
      end
      if (best_valid_i && best_q == tag_q) begin
        phase_q    <= StDecided;
        decision_q <= best_i;
      end
      if (own_put) begin
        phase_q <= StPut;
        own_q   <= decision_q.legal ? own_q ^ changes_i : '0;
      end
      if ((made || lost_q) && made_q == tag_q) phase_q <= StRest;
      if (start_i) own_q <= board_i;
    end
    rests_q <= rst_n && !start_i && !rewind_i && fills_q == '0 && games_q != '0 && !board_valid &&
               take_q == tag_q && phase_q == StRest;
    waits_q <= rst_n && !result_valid && put_q == tag_q && phase_q == StDecided;
  end

  // --------------------------------------------------------------------------- the environment
  board_t start_board_q;
  always_ff @(posedge clk_i) if (start_i) start_board_q <= board_i;

  // --------------------------------------------------------- auxiliary invariants of the induction
  count_t held;         // results in the queue
  count_t own_turns;    // before it is the watched game's turn to be put
  assign held      = decided_q - count_t'(result_valid);
  assign own_turns = turns(put_q, tag_q);

  always_comb begin
    Start_M:  assume (!start_i || (idle && fills_q == '0 && games_i != '0 &&
                                   count_t'(games_i) <= count_t'(Games)));
    Steady_M: assume (fills_q == '0 || board_i == start_board_q);
    Rewind_M: assume (!rewind_i || (idle && fills_q == '0 && games_q != '0 && !start_i && !take_i));
    Take_M:   assume (!take_i || (board_valid && !reads_q && !start_i));
    Best_M:   assume (!best_valid_i || undecided_q != '0);
    Put_M:    assume (!result_ready_i || (result_valid && put_ready));
    Row_M:    assume (!next_row_i || (reads_q && board_valid && !start_i && !rewind_i));
    Rows_M:   assume (removes_i <= 5'd20);
    if (rst_n) begin
      Board_A:   assert (!(board_valid && !reads_q && take_q == tag_q) ||
                         (phase_q == StRest && board == own_q));
      Game_A:    assert (!board_valid || reads_q || take_q < games_q);
      Result_A:  assert (!(result_valid && put_q == tag_q) || (phase_q == StDecided &&
                         {result.legal, result.rotation, result.column, result.row,
                          result.rows_cleared, result.score} ==
                         {decision_q.legal, decision_q.rotation, decision_q.column, decision_q.row,
                          decision_q.rows_cleared, decision_q.score} && result.cycles == '0));
      Results_A: assert (!result_valid || decided_q != '0);
      Made_A:    assert (!(phase_q == StPut && making && made_q == tag_q) ||
                         (decision_q.legal && u_dut.made == own_q && u_dut.made_row ==
                          decision_q.row && u_dut.made_placing ==
                          {piece_q, decision_q.rotation, decision_q.column}));
      Put_A:     assert (put_ready == !making);
      Row_A:     assert (!(reads_q && board_valid && read_q == tag_q) ||
                         (board == own_q && row == own_q[row_q]));
      Reads_A:   assert (!(reads_q && board_valid) || phase_q == StRest);
      Idle_A:    assert (idle == (under_way == '0));
      Deciding_A: assert (deciding == (take_i || undecided_q != '0));
      Stuck_A:   assert ((!rests_q || board_valid) && (!waits_q || result_valid));
      // Auxiliary invariants of the induction
      Games_A:   assert (u_dut.games_q == games_q && games_q <= count_t'(Games));
      Counts_A:  assert (under_way <= games_q && u_dut.under_way_q == under_way &&
                         u_dut.deciding_q == undecided_q && u_dut.results_held_q == held &&
                         undecided_q <= games_q && decided_q <= games_q && !(making && lost_q) &&
                         lost_q == u_dut.lost_q);
      Held_A:    assert (held <= games_q);
      Queues_A:  assert (turn_t'(u_dut.taken_q - u_dut.decided_q) == turn_t'(undecided_q) &&
                         turn_t'(u_dut.decided_q - u_dut.first_q) == turn_t'(held));
      Turns_A:   assert (games_q == '0 || (take_q < games_q && best_q < games_q &&
                         put_q < games_q && u_dut.put_turn_q == put_q &&
                         (turns(put_q, best_q) == decided_q ||
                          (decided_q == games_q && best_q == put_q)) &&
                         (turns(put_q, take_q) == decided_q + undecided_q ||
                          (decided_q + undecided_q == games_q && take_q == put_q))));
      Made_turn_A: assert (!(making || lost_q) || (after(made_q) == put_q && made_q < games_q &&
                         u_dut.made_turn_q == made_q));
      Phase_A:   assert (phase_q == (tag_q >= games_q ? StRest :
                         ((making || lost_q) && made_q == tag_q) ? StPut :
                         own_turns < decided_q ? StDecided :
                         own_turns < decided_q + undecided_q ? StTaken : StRest));
      Place_A:   assert (!(phase_q inside {StTaken, StDecided}) || place_q ==
                         turn_t'(u_dut.first_q + turn_t'(own_turns) - turn_t'(result_valid)));
      Piece_A:   assert (!(phase_q inside {StTaken, StDecided}) ||
                         (result_valid && put_q == tag_q ? u_dut.result_piece_q
                                                         : u_dut.pieces_q[place_q]) == piece_q);
      Kept_A:    assert (!(phase_q == StDecided && !(result_valid && put_q == tag_q)) ||
                         u_dut.results_q[place_q] ==
                         {decision_q.legal, decision_q.rotation, decision_q.column, decision_q.row,
                          decision_q.rows_cleared, decision_q.score});
      Fills_A:   assert (u_dut.fills_q == (fills_q != '0) && fills_q <= games_q &&
                         (fills_q == '0 || (under_way == '0 && !board_valid && !reads_q &&
                          start_board_q == own_q)) &&
                         (fills_q == '0 || u_dut.fill_q == turn_t'(games_q - fills_q)));
      Own_A:     assert (phase_q == StPut || tag_q >= games_q ||
                         count_t'(tag_q) >= games_q - fills_q || u_dut.boards_q[tag_q] == own_q);
      Lost_A:    assert (!(lost_q && made_q == tag_q) || own_q == '0);
      Next_A:    assert (games_q == '0 || u_dut.next_turn_q == (reads_q ?
                         (board_valid ? after(read_q) : '0) :
                         (board_valid ? after(take_q) : take_q)));
      Valid_A:   assert (!board_valid || (games_q != '0 && (reads_q || under_way < games_q)));
      Read_A:    assert ((!reads_q || (under_way == '0 && row_q < 5'd20 && u_dut.row_q == row_q &&
                          games_q != '0 && read_q < games_q && (board_valid || read_q == '0))) &&
                         u_dut.next_row_q == next_row_q &&
                         (!next_row_q || (reads_q && board_valid)));
    end
    Lost_C:   cover (rst_n && lost_q && made_q == tag_q && games_q == count_t'(3));
    All_C:    cover (rst_n && under_way == count_t'(4) && phase_q == StDecided && put_q != tag_q);
    Again_C:  cover (rst_n && board_valid && !reads_q && take_q == tag_q && tag_q == 2'd1 &&
                     own_q == board_t'(200'd5) && start_board_q == '0);
    Rows_C:   cover (rst_n && reads_q && board_valid && read_q == 2'd1);
  end

endmodule
