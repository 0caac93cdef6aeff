// Tetris' side of the wire: serves the game's requests with the AI core, on the kit.
// docs/kit.md has the contract of `req_i` and `rsp_o`.
//
// The next request is read while one is served, but for what a game draws from and, without lanes,
// weights: they would replace those in use. The parts of a stream wait for the link; streams end
// early while `req_i.cancel` is high.
//
// Header after the request was taken: get_weights 4 cycles, set_weights 61, a refused decide or
// trace 32, a decide 33 plus the decision's `cycles`.
module tetris_reader
  import tetris_proto_pkg::*, tetris_kind_pkg::kind_t;
#(
  parameter int unsigned Lanes       = 0,  // of the AI core; 0: placements one after the other
  parameter int unsigned Multipliers = 4   // without lanes, 1 .. NumFeatures
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  game_pkg::game_req_t req_i,
  output game_pkg::game_rsp_t rsp_o,
  // For a board's display: a decision was answered, and the rows it clears
  output logic                lines_valid_o,
  output logic [4:0]          lines_o,
  // For a picture. Games side by side show only that a decision was answered.
  output tetris_pkg::view_t   view_o
);

  typedef enum logic [2:0] {
    SvIdle,    // is what was loaded a request that can be served?
    SvServe,   // it is, or why not
    SvAsk,     // the AI core takes the board
    SvDecide,  // the AI core decides
    SvPlay,    // a game goes on: is there a part to send?
    SvBoard,   // it is over: the check value of its board, row by row
    SvReply    // the reply, or a part
  } state_e;

  state_e      state_q, state_d;
  logic [7:0]  msg_q, msg_d;      // request
  logic        error_q, error_d;  // it is refused
  logic [7:0]  code_q, code_d;    // why
  logic        part_q, part_d;    // the reply is a part
  logic        cut_q, cut_d;      // the trace was cancelled
  logic        cancel_q;          // cancel a cycle ago: much hangs on it
  logic [31:0] crc_q, crc_d;      // of the boards
  logic [8:0]  rows_q, rows_d;    // of them that are still to be looked at

  kind_t kind_q, kind_d;  // what is served
  logic  decides, plays;
  assign decides = kind_q.decides || kind_q.traces;
  assign plays   = kind_q.gives || kind_q.draws;

  // Parts wait for room.
  logic unused_room;
  assign unused_room = req_i.room;

  // ------------------------------------------------------------------------ the request
  logic        loaded, release_load, refused;
  logic [7:0]  loaded_msg, code;
  kind_t       loaded_kind;
  logic [15:0] pieces;
  logic        weights_we, pieces_we, draws_shift;
  logic [6:0]  pieces_addr;
  logic [31:0] draws_pieces, draws_spacing;
  logic        weights_set;

  tetris_pkg::board_t asked_board;
  tetris_pkg::piece_t asked_piece, asked_next;
  logic               asked_ahead, asked_all;
  logic [4:0]         asked_games;

  tetris_request #(
    .HasLanes (Lanes != 0)
  ) u_tetris_request (
    .clk_i,
    .rst_ni,
    .req_i           (req_i.load),
    .rsp_o           (rsp_o.load),
    .idle_i          (state_q == SvIdle),
    .loaded_o        (loaded),
    .release_i       (release_load),
    .msg_o           (loaded_msg),
    .kind_o          (loaded_kind),
    .board_o         (asked_board),
    .piece_o         (asked_piece),
    .ahead_o         (asked_ahead),
    .all_o           (asked_all),
    .next_o          (asked_next),
    .pieces_o        (pieces),
    .games_o         (asked_games),
    .refused_o       (refused),
    .code_o          (code),
    .weights_we_o    (weights_we),
    .pieces_we_o     (pieces_we),
    .pieces_addr_o   (pieces_addr),
    .draws_shift_o   (draws_shift),
    .weights_set_i   (weights_set),
    .draws_pieces_i  (draws_pieces),
    .draws_spacing_i (draws_spacing)
  );

  logic                 set_weights, weights_turn;
  logic [7:0]           weights_byte;
  tetris_pkg::weights_t weights;

  // The features of tetris_pkg have the wire's order.
  setting_register #(
    .Bytes   (SetWeightsBytes),
    .TwoSets (Lanes != 0)
  ) u_weights (
    .clk_i,
    .rst_ni,
    .load_i  (weights_we),
    .byte_i  (req_i.load.rdata),
    .set_i   (set_weights),
    .turn_i  (weights_turn),
    .byte_o  (weights_byte),
    .set_o   (weights_set),
    .value_o (weights)
  );

  if (tetris_pkg::Columns != Columns || tetris_pkg::Rows != Rows ||
      $bits(tetris_pkg::weights_t) != $bits(set_weights_t)) begin : gen_mismatch
    $error("tetris_pkg and the wire's layout differ in size");
  end

  // ---------------------------------------------------------------- the AI core, the game
  logic                  ai_req_ready, ai_rsp_valid, ai_rsp_ready, trace_valid, trace_ready;
  tetris_pkg::decision_t decision;
  tetris_pkg::traced_t   traced;
  tetris_pkg::board_t    board;

  logic               play_start, play_take, play_finish, play_done, unfinished;
  logic               play_ask_valid, play_rsp_ready, move_ready;
  tetris_pkg::piece_t play_ask_piece;
  logic [6:0]         moves;
  logic [5:0]         move;
  logic               board_clear, board_load, checkpoint_valid, checkpoint_ready;
  tetris_pkg::tally_t tally;
  logic [63:0]        signature;

  // A core with lanes plays several games side by side.
  localparam int unsigned Games = (Lanes == 0) ? 1 : 32'(SelfPlayGames);

  logic                  side_by_side, boards_valid, boards_ready, best_valid, counts;
  tetris_pkg::board_t    boards;
  tetris_pkg::decision_t best, counted;
  tetris_pkg::row_t      row;

  logic               ai_req_valid;
  tetris_pkg::piece_t ai_req_piece;
  assign ai_req_valid = state_q == SvAsk || play_ask_valid;
  assign ai_req_piece = state_q == SvAsk ? asked_piece : play_ask_piece;

  if (Lanes == 0) begin : gen_serial
    logic unused;
    assign unused       = ^{side_by_side, boards_valid, boards};
    assign boards_ready = 1'b0;
    assign best_valid   = 1'b0;
    assign best         = '0;

    tetris_ai #(
      .Multipliers (Multipliers)
    ) u_tetris_ai (
      .clk_i,
      .rst_ni,
      .weights_i     (weights),
      .req_valid_i   (ai_req_valid),
      .req_ready_o   (ai_req_ready),
      .req_board_i   (board),
      .req_piece_i   (ai_req_piece),
      .rsp_valid_o   (ai_rsp_valid),
      .rsp_ready_i   (ai_rsp_ready),
      .rsp_o         (decision),
      .trace_i       (kind_q.traces),
      .trace_valid_o (trace_valid),
      .trace_ready_i (trace_ready),
      .trace_o       (traced)
    );
  end else begin : gen_lanes
    // The next request may be loaded while the AI core decides.
    logic               ahead_q, all_q;
    tetris_pkg::piece_t next_q;
    always_ff @(posedge clk_i) begin
      if (state_q == SvServe) begin
        ahead_q <= asked_ahead;
        all_q   <= asked_all;
        next_q  <= asked_next;
      end
    end

    tetris_lanes_ai #(
      .Lanes (Lanes)
    ) u_tetris_lanes_ai (
      .clk_i,
      .rst_ni,
      .weights_i      (weights),
      .req_valid_i    (ai_req_valid),
      .req_ready_o    (ai_req_ready),
      .req_board_i    (board),
      .req_piece_i    (ai_req_piece),
      .ahead_i        (ahead_q),
      .all_i          (all_q),
      .next_i         (next_q),
      .rsp_valid_o    (ai_rsp_valid),
      .rsp_ready_i    (ai_rsp_ready),
      .rsp_o          (decision),
      .trace_i        (kind_q.traces),
      .trace_valid_o  (trace_valid),
      .trace_ready_i  (trace_ready),
      .trace_o        (traced),
      .side_by_side_i (side_by_side),
      .boards_valid_i (boards_valid),
      .boards_ready_o (boards_ready),
      .boards_i       (boards),
      .boards_piece_i (play_ask_piece),
      .best_valid_o   (best_valid),
      .best_o         (best)
    );
  end

  tetris_play #(
    .Pieces     (32'(PlayPieces)),
    .Moves      (64),
    .Games      (Games),
    .TakesEarly (Lanes >= 8)
  ) u_tetris_play (
    .clk_i,
    .rst_ni,
    .clear_i            (board_clear),
    .load_i             (board_load),
    .load_board_i       (asked_board),
    .take_i             (play_take),
    .board_o            (board),
    .row_o              (row),
    .piece_we_i         (pieces_we),
    .piece_addr_i       (pieces_addr),
    .piece_data_i       (req_i.load.rdata),
    .draws_shift_i      (draws_shift),
    .draws_byte_i       (req_i.load.rdata),
    .draws_pieces_o     (draws_pieces),
    .draws_spacing_o    (draws_spacing),
    .start_i            (play_start),
    .drawn_i            (kind_q.draws),
    .games_i            (asked_games),
    .pieces_i           (pieces),
    .stop_i             (cancel_q),
    .done_o             (play_done),
    .finish_i           (play_finish),
    .ask_valid_o        (play_ask_valid),
    .ask_ready_i        (ai_req_ready),
    .ask_piece_o        (play_ask_piece),
    .rsp_valid_i        (ai_rsp_valid),
    .rsp_ready_o        (play_rsp_ready),
    .rsp_i              (decision),
    .side_by_side_o     (side_by_side),
    .boards_valid_o     (boards_valid),
    .boards_ready_i     (boards_ready),
    .boards_o           (boards),
    .best_valid_i       (best_valid),
    .best_i             (best),
    .counts_o           (counts),
    .counted_o          (counted),
    .moves_o            (moves),
    .move_o             (move),
    .move_ready_i       (move_ready),
    .checkpoint_valid_o (checkpoint_valid),
    .checkpoint_ready_i (checkpoint_ready),
    .tally_o            (tally),
    .signature_o        (signature),
    .unfinished_o       (unfinished)
  );

  // ------------------------------------------------------------------------ the replies
  frame_pkg::offset_t length, index;
  logic               sent, fetch, sent_part, sent_end;
  logic [7:0]         data;
  logic [15:0]        parts;

  tetris_replies u_tetris_replies (
    .clk_i,
    .valid_i        (state_q == SvReply),
    .kind_i         (kind_q),
    .part_i         (part_q),
    .length_o       (length),
    .fetch_i        (fetch),
    .index_i        (index),
    .byte_o         (data),
    .weights_byte_i (weights_byte),
    .weights_turn_o (weights_turn),
    .parts_i        (parts),
    .cut_i          (cut_q),
    .decision_i     (decision),
    .traced_i       (traced),
    .tally_i        (tally),
    .signature_i    (signature),
    .unfinished_i   (unfinished),
    .board_crc_i    (~crc_q),
    .moves_i        (moves),
    .move_i         (move),
    .move_ready_o   (move_ready)
  );

  reply_sender u_reply_sender (
    .clk_i,
    .rst_ni,
    .valid_i   (state_q == SvReply),
    .sent_o    (sent),
    .request_i (msg_q),
    .part_i    (part_q),
    .error_i   (error_q),
    .code_i    (code_q),
    .length_i  (length),
    .fetch_o   (fetch),
    .index_o   (index),
    .byte_i    (data),
    .parts_o   (parts),
    .reply_o   (rsp_o.reply),
    .ack_i     (req_i.reply)
  );

  // What a reply says is offered until its last byte has left.
  assign sent_part        = sent && part_q;
  assign sent_end         = sent && !part_q && !error_q;
  assign trace_ready      = (state_q == SvDecide && cancel_q) || (sent_part && kind_q.traces);
  assign checkpoint_ready = sent_part && kind_q.draws;
  assign ai_rsp_ready     = (sent_end && decides) || play_rsp_ready;
  assign play_finish      = sent_end && plays;
  assign lines_valid_o    = counts || (sent_end && kind_q.decides);

  tetris_pkg::decision_t answer;
  assign answer           = counts ? counted : decision;
  assign lines_o          = answer.rows_cleared;
  assign view_o.taken     = ai_req_valid && ai_req_ready;
  assign view_o.board     = board;
  assign view_o.piece     = ai_req_piece;
  assign view_o.is_next   = state_q == SvAsk && asked_ahead && !asked_all;
  assign view_o.next      = asked_next;
  assign view_o.answered  = lines_valid_o;
  assign view_o.legal     = answer.legal;
  assign view_o.rotation  = answer.rotation;
  assign view_o.column    = answer.column;
  assign view_o.row       = answer.row;

  logic unused_answer;
  assign unused_answer = ^answer;

  // -------------------------------------------------------------------------- in order
  always_comb begin
    state_d      = state_q;
    msg_d        = msg_q;
    kind_d       = kind_q;
    error_d      = error_q;
    code_d       = code_q;
    part_d       = part_q;
    cut_d        = cut_q;
    crc_d        = crc_q;
    rows_d       = rows_q;
    release_load = 1'b0;
    set_weights  = 1'b0;
    board_clear  = 1'b0;
    board_load   = 1'b0;
    play_start   = 1'b0;
    play_take    = 1'b0;

    unique case (state_q)
      SvIdle: if (loaded) begin
        state_d     = SvServe;
        msg_d       = loaded_msg;
        kind_d      = loaded_kind;
        error_d     = refused;
        code_d      = code;
        part_d      = 1'b0;
        cut_d       = 1'b0;
        crc_d       = crc32_pkg::Init;
        rows_d      = 9'(tetris_pkg::Rows);
        board_clear = 1'b1;
      end

      SvServe: begin
        state_d      = SvReply;
        release_load = 1'b1;
        board_load   = 1'b1;
        set_weights  = kind_q.sets;
        if (Games > 1 && kind_q.draws) rows_d = 9'(tetris_pkg::Rows) * 9'(asked_games);
        if (!error_q && plays) begin
          state_d    = SvPlay;
          play_start = 1'b1;
        end else if (!error_q && decides) begin
          state_d      = SvAsk;
          release_load = 1'b0;
        end
      end

      SvAsk: if (ai_req_ready) begin
        state_d      = SvDecide;
        release_load = 1'b1;
      end

      SvDecide: if (trace_valid) begin
        if (cancel_q) begin
          cut_d   = 1'b1;
        end else begin
          state_d = SvReply;
          part_d  = 1'b1;
        end
      end else if (ai_rsp_valid) begin
        state_d = SvReply;
        part_d  = 1'b0;
      end

      SvPlay: begin
        part_d = 1'b1;
        if (checkpoint_valid || (kind_q.gives && (moves >= 7'(PartMoves) ||
                                                  (play_done && moves != '0)))) begin
          state_d = SvReply;
        end else if (play_done) begin
          state_d   = SvBoard;
          play_take = 1'b1;
        end
      end

      SvBoard: begin
        play_take = 1'b1;
        rows_d    = rows_q - 9'd1;
        for (int unsigned c = 0; c < tetris_pkg::Columns; c++) begin
          crc_d = crc32_pkg::update_bit(crc_d, row[c]);
        end
        if (rows_q == 9'd1) begin
          state_d = SvReply;
          part_d  = 1'b0;
        end
      end

      SvReply: if (sent) state_d = !part_q ? SvIdle : plays ? SvPlay : SvDecide;

      default: state_d = SvIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= SvIdle;
      cancel_q <= 1'b0;
    end else begin
      state_q  <= state_d;
      cancel_q <= req_i.cancel;
    end
  end

  // What a request sets needs no reset.
  always_ff @(posedge clk_i) begin
    msg_q   <= msg_d;
    kind_q  <= kind_d;
    error_q <= error_d;
    code_q  <= code_d;
    part_q  <= part_d;
    cut_q   <= cut_d;
    crc_q   <= crc_d;
    rows_q  <= rows_d;
  end

`ifndef SYNTHESIS
  BoardSteady_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    view_o.taken |=> $stable(view_o.board));
  // The AI core answers only a request.
  Asked_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    ai_rsp_valid |-> state_q inside {SvDecide, SvPlay} ||
                     ((decides || part_q) && !error_q && state_q == SvReply));
  LoadsWhileServing_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    rsp_o.load.loaded && state_q == SvDecide);
`endif

endmodule
