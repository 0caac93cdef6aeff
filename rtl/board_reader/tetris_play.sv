// Plays by itself: has the AI core decide piece after piece, puts each where it says, and counts.
//
// Drive it: `clear_i` empties the board (`board_o`), `load_i` loads it (see tetris_board). The AI
// core decides on that board, whether this module or another one requests it.
// A game's pieces lie in a memory that is written by `piece_*`, two of four bits a byte, the
// lower bits first; or, with `drawn_i`, they are drawn: `draws_shift_i` brings in signature,
// generator, spacing and pieces first (see draw_sign; 24 bytes, the number of pieces first).
// `start_i` for a cycle begins, with the number of pieces, 1 or more, at `pieces_i` unless they are
// drawn.
//
// A game given piece by piece ends when one finds no place; with drawn pieces the board is
// emptied then and the next game begins. Its moves leave by `move_*`: `moves_o` says how many
// there are, and `move_ready_i` takes one. With drawn pieces they are not taken; after every
// `spacing` pieces `checkpoint_valid_o` is high until `checkpoint_ready_i`: the game stands
// still until then. Moves are signed, from 0 on unless the pieces are drawn. `stop_i` ends all
// before the next piece.
//
// With Games > 1 a self-play has `games_i` games side by side, by an AI core that decides several
// boards at once: piece n goes to game n modulo `games_i`, and each begins on the board that was
// loaded. Boards are offered on `boards_*` with `ask_piece_o`, and decided on `best_*`, in their
// order. The cycles of the counts are then those in which a board was being decided.
//
// `done_o` is high once it is over: `tally_o` holds, then, and in a checkpoint, the counts, and
// `finish_i` leaves it. `take_i` reads the board, row by row from the bottom (row_o); after it, the
// boards of the other games.
module tetris_play
  import tetris_pkg::board_t, tetris_pkg::decision_t, tetris_pkg::piece_t, tetris_pkg::row_t,
         tetris_pkg::tally_t;
#(
  parameter int unsigned Pieces     = 160,  // that the memory holds
  parameter int unsigned Moves      = 64,   // that wait to be taken, a power of 2
  parameter int unsigned Games      = 1,    // side by side at most: 1, or a power of 2 above
  parameter bit          TakesEarly = 1'b0  // see tetris_maker
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  // The board
  input  logic        clear_i,
  input  logic        load_i,
  input  board_t      load_board_i,
  input  logic        take_i,
  output board_t      board_o,
  output row_t        row_o,
  // Pieces, for the next game: by number of their byte
  input  logic        piece_we_i,
  input  logic [6:0]  piece_addr_i,
  input  logic [7:0]  piece_data_i,
  input  logic        draws_shift_i,
  input  logic [7:0]  draws_byte_i,
  // What a game of drawn pieces was given, steady until start_i
  output logic [31:0] draws_pieces_o,
  output logic [31:0] draws_spacing_o,
  // Begin and end
  input  logic        start_i,
  input  logic        drawn_i,
  input  logic [4:0]  games_i,
  input  logic [15:0] pieces_i,
  input  logic        stop_i,
  output logic        done_o,
  output logic        unfinished_o,  // stop_i ended it
  input  logic        finish_i,
  // The AI core
  output logic        ask_valid_o,
  input  logic        ask_ready_i,
  output piece_t      ask_piece_o,
  input  logic        rsp_valid_i,
  output logic        rsp_ready_o,
  input  decision_t   rsp_i,
  output logic        side_by_side_o,
  output logic        boards_valid_o,
  input  logic        boards_ready_i,
  output board_t      boards_o,
  input  logic        best_valid_i,
  input  decision_t   best_i,
  // What comes of it
  output logic        counts_o,  // the decision of a board
  output decision_t   counted_o,
  output logic [$clog2(Moves):0] moves_o,
  output logic [5:0]  move_o,  // {rotation, column}
  input  logic        move_ready_i,
  output logic        checkpoint_valid_o,
  input  logic        checkpoint_ready_i,
  output tally_t      tally_o,
  output logic [63:0] signature_o  // of the moves
);

  typedef enum logic [2:0] {
    StOff,
    StAsk,
    StDecide,
    StPlace,
    StClear,  // the board, for the next game
    StTell,   // a checkpoint
    StDone
  } state_e;

  typedef logic [31:0] count_t;

  state_e state_q, state_d;
  logic   drawn_q, drawn_d;      // the pieces are
  logic   stopped_q, stopped_d;  // before the last piece
  logic   bank_q, bank_d;        // of the memory, in use by the game under way
  logic   start;
  logic   none_left_q;           // left_q was 0 in the cycle before
  count_t left_q, left_d;        // pieces
  count_t spacing_q, spacing_d;
  count_t until_q, until_d;      // pieces until the next checkpoint
  tally_t tally_q, tally_d;

  assign start = start_i && state_q == StOff;

  // ------------------------------------------------------------------------- pieces, given
  localparam int unsigned AddrWidth = $clog2(Pieces / 2);

  logic [AddrWidth:0]     number_q, number_d;  // of the next piece
  logic                   fetch_q, fetch_d;    // it is read
  logic                   fetching_q;          // its byte is a cycle away
  logic [7:0]             fetched;
  piece_t                 piece_q, piece_d;    // the one that is decided

  request_mem #(
    .AddrWidth (AddrWidth + 1)
  ) u_pieces (
    .clk_i,
    .wr_en_i   (piece_we_i),
    .wr_addr_i ({!bank_q, AddrWidth'(piece_addr_i)}),
    .wr_data_i (piece_data_i),
    .rd_en_i   (fetch_q),
    .rd_addr_i ({bank_q, number_q[AddrWidth:1]}),
    .rd_data_o (fetched)
  );

  // -------------------------------------------------------------------------- pieces, drawn
  logic        draw, drawn_valid, sign, sign_ready, signing;
  logic [7:0]  sign_value, draws_byte;
  logic [2:0]  drawn;
  logic [63:0] signature;

  draw_sign u_draw_sign (
    .clk_i,
    .rst_ni,
    .clear_i       (start && !drawn_i),
    .shift_i       (draws_shift_i),
    .byte_i        (draws_byte_i),
    .byte_o        (draws_byte),
    .draw_i        (draw),
    .drawn_valid_o (drawn_valid),
    .drawn_o       (drawn),
    .sign_i        (sign),
    .sign_ready_o  (sign_ready),
    .value_i       (sign_value),
    .signing_o     (signing),
    .signature_o   (signature)
  );

  // The number of the move, rotation by rotation; Lost stands for a lost game, and for no move.
  localparam logic [7:0] Lost = 8'd255;

  // Products known beforehand: a multiplier block is far away.
  localparam logic [3:0][7:0] FirstMoves = {8'(3 * tetris_pkg::Columns),
                                            8'(2 * tetris_pkg::Columns),
                                            8'(tetris_pkg::Columns), 8'd0};

  decision_t decided;  // what is counted
  assign sign_value = !decided.legal ? Lost
                    : FirstMoves[decided.rotation] + 8'(decided.column);

  // --------------------------------------------------------------------------------- moves
  localparam int unsigned PtrWidth = $clog2(Moves);

  logic [5:0]          moves_q [Moves];
  logic [PtrWidth-1:0] head_q, tail_q;
  logic [PtrWidth:0]   held_q, more, less;
  logic                push, full;

  assign more    = held_q + 1'b1;
  assign less    = held_q - 1'b1;
  assign full    = held_q[PtrWidth];
  assign moves_o = held_q;
  assign move_o  = moves_q[head_q];

  always_ff @(posedge clk_i) if (push) moves_q[tail_q] <= {rsp_i.rotation, rsp_i.column};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q <= '0;
      tail_q <= '0;
      held_q <= '0;
    end else begin
      if (push) tail_q <= tail_q + 1'b1;
      if (move_ready_i) head_q <= head_q + 1'b1;
      // Added before it is known which: the reply's bytes leave late in their cycle.
      unique case ({push, move_ready_i})
        2'b10:   held_q <= more;
        2'b01:   held_q <= less;
        default: held_q <= held_q;
      endcase
    end
  end

  // ---------------------------------------------------------------------------------- game
  logic   put_valid, put_ready, lost;
  logic   piece_valid;
  piece_t next_piece;
  assign piece_valid = drawn_q ? drawn_valid : !fetch_q && !fetching_q;
  assign next_piece  = drawn_q ? drawn : number_q[0] ? fetched[6:4] : fetched[2:0];

  logic unused_bits;
  assign unused_bits = fetched[7] ^ fetched[3];

  tetris_board u_board (
    .clk_i,
    .rst_ni,
    .clear_i      (clear_i || state_q == StClear),
    .load_i,
    .load_board_i,
    .put_valid_i  (put_valid),
    .put_ready_o  (put_ready),
    .piece_i      (piece_q),
    .rotation_i   (rsp_i.rotation),
    .column_i     (rsp_i.column),
    .row_i        (rsp_i.row),
    .take_i,
    .board_o
  );

  // A decision is counted when there is room for its move and it can be signed.
  logic side_by_side, counts, boards_take, games_idle, games_ready, deciding;
  assign side_by_side_o = side_by_side && state_q != StOff;
  assign ask_valid_o = state_q == StAsk && !side_by_side && piece_valid && !none_left_q && !stop_i;
  assign ask_piece_o = next_piece;
  assign put_valid   = state_q == StPlace;
  assign lost        = counts && !decided.legal;
  assign sign        = counts;
  assign push        = counts && !drawn_q && decided.legal;
  assign rsp_ready_o = (state_q == StDecide && lost) || (put_valid && put_ready);
  assign counts_o    = counts;
  assign counted_o   = decided;

  assign checkpoint_valid_o = state_q == StTell && !signing;
  assign done_o             = state_q == StDone && !signing && drawn_valid && games_ready;

  if (Games == 1) begin : gen_one
    assign side_by_side   = 1'b0;
    assign decided        = rsp_i;
    assign counts         = state_q == StDecide && rsp_valid_i && sign_ready && !full;
    assign boards_valid_o = 1'b0;
    assign boards_o       = '0;
    assign boards_take    = 1'b0;
    assign games_idle     = 1'b1;
    assign games_ready    = 1'b1;
    assign deciding       = 1'b0;
    assign row_o          = board_o[0];

    logic unused;
    assign unused = ^{games_i, boards_ready_i, best_valid_i, best_i, TakesEarly};
  end else begin : gen_games
    logic      board_valid, result_valid, put_game_ready, taken_q, due_q, starts_q, done_q;
    decision_t result;
    row_t      row;

    assign side_by_side = drawn_q;
    assign decided      = drawn_q ? result : rsp_i;
    assign counts       = sign_ready && (drawn_q ? result_valid && put_game_ready
                                                 : state_q == StDecide && rsp_valid_i && !full);
    // What is left after a piece is known a cycle later.
    assign boards_valid_o = state_q == StAsk && drawn_q && board_valid && piece_valid && !taken_q &&
                            !due_q && !none_left_q && !stop_i;
    assign boards_take    = boards_valid_o && boards_ready_i;
    assign games_ready    = !drawn_q || (board_valid && done_q);
    assign row_o          = drawn_q ? row : board_o[0];

    always_ff @(posedge clk_i) begin
      taken_q  <= boards_take;
      due_q    <= until_q == '0;
      starts_q <= rst_ni && start && drawn_i;
      done_q   <= state_q == StDone;
    end

    tetris_games #(
      .Games      (Games),
      .TakesEarly (TakesEarly)
    ) u_games (
      .clk_i,
      .rst_ni,
      .start_i        (starts_q),
      .games_i        (games_i[$clog2(Games):0]),
      .board_i        (board_o),
      .board_valid_o  (board_valid),
      .board_o        (boards_o),
      .take_i         (boards_take),
      .piece_i        (next_piece),
      .best_valid_i,
      .best_i,
      .result_valid_o (result_valid),
      .result_o       (result),
      .put_ready_o    (put_game_ready),
      .result_ready_i (counts && drawn_q),
      .idle_o         (games_idle),
      .deciding_o     (deciding),
      .rewind_i       (state_q == StDone && !done_q),
      .next_row_i     (take_i),
      .row_o          (row)
    );
  end

  logic over, due;
  // There is a piece at the start, and time enough before the next one is requested.
  assign over = none_left_q || stop_i;
  assign due  = drawn_q && until_q == '0;

  always_comb begin
    state_d   = state_q;
    drawn_d   = drawn_q;
    stopped_d = stopped_q;
    bank_d    = bank_q;
    left_d    = left_q;
    spacing_d = spacing_q;
    until_d   = until_q;
    tally_d   = tally_q;
    number_d  = number_q;
    piece_d   = piece_q;
    fetch_d   = 1'b0;
    draw      = 1'b0;

    unique case (state_q)
      StOff: if (start) begin
        state_d  = StAsk;
        drawn_d  = drawn_i;
        stopped_d = 1'b0;
        bank_d   = !bank_q;
        left_d   = drawn_i ? left_q : count_t'(pieces_i);
        until_d  = spacing_q;
        tally_d  = '0;
        number_d = '0;
        fetch_d  = !drawn_i;
        draw     = drawn_i;
      end

      StAsk: begin
        if (side_by_side && !games_idle) begin
          state_d = StAsk;
        end else if (side_by_side && due) begin
          state_d = StTell;
        end else if (over) begin
          state_d   = StDone;
          stopped_d = !none_left_q;
        end else if (ask_valid_o && ask_ready_i) begin
          state_d  = StDecide;
          piece_d  = next_piece;
          left_d   = left_q - count_t'(1);
          number_d = number_q + 1'b1;
          fetch_d  = !drawn_q;
          draw     = drawn_q;
        end
      end

      StDecide: if (counts) begin
        until_d = until_q - count_t'(1);
        state_d = StPlace;
        if (lost) begin
          state_d = StClear;
          if (!drawn_q) state_d = StDone;
        end
      end

      StPlace: if (put_ready) state_d = due ? StTell : StAsk;

      StClear: state_d = due ? StTell : StAsk;

      StTell: if (checkpoint_valid_o && checkpoint_ready_i) begin
        state_d = StAsk;
        until_d = spacing_q;
      end

      StDone: if (done_o && finish_i) state_d = StOff;

      default: state_d = StOff;
    endcase

    if (boards_take) begin
      left_d  = left_q - count_t'(1);
      until_d = until_q - count_t'(1);
      draw    = 1'b1;
    end

    if (counts) begin
      tally_d.pieces       = tally_q.pieces + 32'd1;
      tally_d.games        = tally_q.games + 32'(lost);
      tally_d.rows_cleared = tally_q.rows_cleared + 32'(decided.rows_cleared);
      tally_d.score        = tally_q.score + 64'(decided.score);
    end
    if (counts || deciding) begin
      tally_d.cycles = tally_q.cycles + (side_by_side ? 64'(deciding) : 64'(decided.cycles));
    end

    if (draws_shift_i) begin
      left_d    = {spacing_q[7:0], left_q[31:8]};
      spacing_d = {draws_byte, spacing_q[31:8]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= StOff;
      bank_q      <= 1'b0;
      fetch_q     <= 1'b0;
      fetching_q  <= 1'b0;
      none_left_q <= 1'b0;
    end else begin
      state_q     <= state_d;
      bank_q      <= bank_d;
      fetch_q     <= fetch_d;
      fetching_q  <= fetch_q;
      none_left_q <= state_q != StOff && left_q == '0;
    end
  end

  // Written before they are looked at
  always_ff @(posedge clk_i) begin
    drawn_q   <= drawn_d;
    stopped_q <= stopped_d;
    left_q    <= left_d;
    spacing_q <= spacing_d;
    until_q   <= until_d;
    tally_q   <= tally_d;
    number_q  <= number_d;
    piece_q   <= piece_d;
  end

  assign draws_pieces_o  = left_q;
  assign draws_spacing_o = spacing_q;
  assign tally_o         = tally_q;
  assign signature_o     = signature;
  assign unfinished_o    = stopped_q;

`ifndef SYNTHESIS
  ShiftsWhenOff_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    draws_shift_i |-> state_q == StOff && !start_i);
  TakesAMove_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    move_ready_i |-> held_q != '0);
  MovesTaken_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    start |-> held_q == '0);
  SomeLeft_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    start |=> left_q != '0);
  NoneLeft_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q == StAsk && !$past(boards_take) |-> none_left_q == (left_q == '0));
  FitsMemory_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    start && !drawn_i |-> pieces_i <= 16'(Pieces));
  MovesFull_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    state_q == StDecide && rsp_valid_i && full);
  LostAtCheckpoint_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    state_q == StClear && due);
`endif

endmodule
