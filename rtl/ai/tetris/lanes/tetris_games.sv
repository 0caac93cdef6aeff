// The boards of games that are played side by side. The AI core decides several boards at once.
//
// Drive it: `start_i` sets the boards of `games_i` games, 1 or more, to `board_i`, which is steady
// for as many cycles. Game after game `board_valid_o` offers its board at `board_o`; `take_i` says
// that the AI core takes it, with `piece_i`. Its decisions come by `best_valid_i`, in the order of
// the boards, and wait at `result_o` (its `cycles` are 0) until `result_ready_i` puts the piece on
// its board, or empties the board if no placement is legal; `put_ready_o` has to be high then.
// `idle_o` is high when no piece is under way; `deciding_o`, while the AI core has boards to decide.
//
// To read the boards out: `rewind_i` for a cycle; once `board_valid_o` is high, row_o is the lowest
// row of game 0's. `next_row_i` moves on, a cycle later: after a board's rows come the next game's.
module tetris_games
  import tetris_pkg::Rows, tetris_pkg::ScoreWidth, tetris_pkg::board_t, tetris_pkg::decision_t,
         tetris_pkg::height_t, tetris_pkg::piece_t, tetris_pkg::rotation_t, tetris_pkg::row_t;
#(
  parameter int unsigned Games      = 16,   // at most; a power of 2
  parameter bit          TakesEarly = 1'b0  // see tetris_maker
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   start_i,
  input  logic [$clog2(Games):0] games_i,
  input  board_t                 board_i,
  // Boards to be decided
  output logic                   board_valid_o,
  output board_t                 board_o,
  input  logic                   take_i,
  input  piece_t                 piece_i,
  // Decisions
  input  logic                   best_valid_i,
  input  decision_t              best_i,
  output logic                   result_valid_o,
  output decision_t              result_o,
  output logic                   put_ready_o,
  input  logic                   result_ready_i,
  output logic                   idle_o,
  output logic                   deciding_o,
  // The boards' rows
  input  logic                   rewind_i,
  input  logic                   next_row_i,
  output row_t                   row_o
);

  localparam int unsigned TurnWidth = $clog2(Games);
  typedef logic [TurnWidth-1:0] turn_t;   // number of a game
  typedef logic [TurnWidth:0]   count_t;

  count_t games_q;
  turn_t  last;  // number of the last game
  assign last = turn_t'(games_q - 1'b1);

  function automatic turn_t after(turn_t turn);
    return (turn == last) ? '0 : turn + 1'b1;
  endfunction

  // ------------------------------------------------------------------------------- boards
  board_t boards_q [Games];
  logic   fills_q;         // with the board that all begin on
  turn_t  fill_q;
  logic   put, lost_q, made_valid;  // lost_q: an empty board is written
  turn_t  put_turn_q, made_turn_q;
  board_t made;

  logic   write;
  turn_t  write_turn;
  board_t written;
  assign write      = fills_q || made_valid || lost_q;
  assign write_turn = fills_q ? fill_q : made_turn_q;
  assign written    = fills_q ? board_i : made_valid ? made : '0;

  always_ff @(posedge clk_i) if (write) boards_q[write_turn] <= written;

  turn_t  next_turn_q;  // of the game whose board is offered next
  board_t put_board;
  assign put_board = boards_q[put_turn_q];

  // ------------------------------------------------------------------------- boards on offer
  // The pieces under way are those of the games before the next one. With fewer pieces than games,
  // the next game's board is there.
  count_t               under_way_q, deciding_q;
  logic                 next_valid_q, load, row_q_last;
  board_t               next_q;
  logic [4:0]           row_q;
  logic                 next_row_q;

  assign row_q_last = next_row_q && row_q == 5'(Rows - 1);
  assign load       = (!next_valid_q || row_q_last) && !fills_q && under_way_q < games_q;

  always_ff @(posedge clk_i) if (load) next_q <= boards_q[next_turn_q];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      games_q      <= '0;
      fills_q      <= 1'b0;
      fill_q       <= '0;
      next_valid_q <= 1'b0;
      next_turn_q  <= '0;
      row_q        <= '0;
      next_row_q   <= 1'b0;
      under_way_q  <= '0;
      deciding_q   <= '0;
    end else begin
      if (start_i) games_q <= games_i;
      fills_q      <= start_i || (fills_q && fill_q != last);
      fill_q       <= fills_q ? fill_q + 1'b1 : '0;
      next_valid_q <= (load || (next_valid_q && !take_i)) && !start_i && !rewind_i;
      next_row_q   <= next_row_i;
      if (start_i || rewind_i) next_turn_q <= '0;
      else if (load) next_turn_q <= after(next_turn_q);
      if (rewind_i || row_q_last) row_q <= '0;
      else if (next_row_q) row_q <= row_q + 5'd1;
      unique case ({take_i, made_valid || lost_q})
        2'b10:   under_way_q <= under_way_q + 1'b1;
        2'b01:   under_way_q <= under_way_q - 1'b1;
        default: under_way_q <= under_way_q;
      endcase
      unique case ({take_i, best_valid_i})
        2'b10:   deciding_q <= deciding_q + 1'b1;
        2'b01:   deciding_q <= deciding_q - 1'b1;
        default: deciding_q <= deciding_q;
      endcase
    end
  end

  assign board_valid_o = next_valid_q;
  assign board_o       = next_q;
  assign row_o         = next_q[row_q];
  assign idle_o        = under_way_q == '0;
  assign deciding_o    = take_i || deciding_q != '0;

  // ---------------------------------------------------------------------- pieces and decisions
  typedef struct packed {
    logic                         legal;
    rotation_t                    rotation;
    logic [3:0]                   column;
    height_t                      row;
    logic [4:0]                   rows_cleared;
    logic signed [ScoreWidth-1:0] score;
  } result_t;

  piece_t  pieces_q [Games];
  result_t results_q [Games], result_q;
  piece_t  result_piece_q;
  turn_t   taken_q, decided_q, first_q;  // places in these queues
  count_t  results_held_q;               // without the one in result_q
  logic    result_valid_q, result_load;

  always_ff @(posedge clk_i) begin
    if (take_i) pieces_q[taken_q] <= piece_i;
    if (best_valid_i) begin
      results_q[decided_q] <= '{legal: best_i.legal, rotation: best_i.rotation,
                                column: best_i.column, row: best_i.row,
                                rows_cleared: best_i.rows_cleared, score: best_i.score};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      taken_q        <= '0;
      decided_q      <= '0;
      first_q        <= '0;
      results_held_q <= '0;
      result_valid_q <= 1'b0;
      put_turn_q     <= '0;
    end else begin
      if (take_i) taken_q <= taken_q + 1'b1;
      if (best_valid_i) decided_q <= decided_q + 1'b1;
      if (result_load) first_q <= first_q + 1'b1;
      result_valid_q <= result_load || (result_valid_q && !result_ready_i);
      if (start_i) put_turn_q <= '0;
      else if (result_ready_i) put_turn_q <= after(put_turn_q);
      unique case ({best_valid_i, result_load})
        2'b10:   results_held_q <= results_held_q + 1'b1;
        2'b01:   results_held_q <= results_held_q - 1'b1;
        default: results_held_q <= results_held_q;
      endcase
    end
  end

  // The first result is read out of the queue a cycle before it is put.
  assign result_load = (!result_valid_q || result_ready_i) && results_held_q != '0;

  always_ff @(posedge clk_i) begin
    if (result_load) begin
      result_q       <= results_q[first_q];
      result_piece_q <= pieces_q[first_q];
    end
  end

  assign result_valid_o = result_valid_q;
  assign result_o       = '{legal: result_q.legal, rotation: result_q.rotation,
                            column: result_q.column, row: result_q.row,
                            rows_cleared: result_q.rows_cleared, score: result_q.score,
                            cycles: '0};

  // ------------------------------------------------------------------------------ the maker
  logic maker_ready;
  // A lost game's board is emptied a cycle later: none is given by the maker then.
  assign put_ready_o = maker_ready;
  assign put         = result_ready_i && result_q.legal;

  always_ff @(posedge clk_i) begin
    lost_q <= rst_ni && result_ready_i && !result_q.legal;
    if (result_ready_i) made_turn_q <= put_turn_q;
  end

  tetris_lanes_pkg::placing_t made_placing;
  height_t                    made_row, made_cleared;
  logic [6:0]                 made_eroded;

  tetris_maker #(
    .TakesEarly (TakesEarly)
  ) u_maker (
    .clk_i,
    .rst_ni,
    .valid_i   (put),
    .ready_o   (maker_ready),
    .board_i   (put_board),
    .placing_i ('{piece: result_piece_q, rotation: result_q.rotation, column: result_q.column}),
    .row_i     (result_q.row),
    .valid_o   (made_valid),
    .ready_i   (1'b1),
    .board_o   (made),
    .placing_o (made_placing),
    .row_o     (made_row),
    .cleared_o (made_cleared),
    .eroded_o  (made_eroded)
  );

  logic unused;
  assign unused = ^{made_placing, made_row, made_cleared, made_eroded, best_i.cycles};

`ifndef SYNTHESIS
  StartIdle_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    start_i |-> idle_o && games_i != '0 && games_i <= (TurnWidth+1)'(Games));
  Takes_A: assert property (@(posedge clk_i) disable iff (!rst_ni) take_i |-> board_valid_o);
  Results_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    best_valid_i |-> results_held_q < games_q);
  Puts_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    result_ready_i |-> result_valid_o && put_ready_o);
  Waits_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    result_valid_o && !put_ready_o);
  All_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    games_q > 5'd1 && under_way_q == games_q);
`endif

endmodule
