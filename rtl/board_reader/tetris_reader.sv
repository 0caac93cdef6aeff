// Tetris side of the wire: serves the game's requests from the request memory.
//
// Drive it: offer a request with `req_valid_i`/`req_ready_o`, its payload (of
// the message's length, checked by the caller) in slot `req_slot_i` until
// `req_loaded_o`, which is high for a cycle when it has been read. Its reply comes as a
// header (`reply_valid_o`/`reply_ready_i`, message number, empty or not) and, unless
// empty, its payload bytes on `byte_*`, the last one marked. With `reply_part_o` it is
// a part of a stream: more replies to the same request follow. The next request is
// taken and its payload read while one is served; replies keep the order. Streams end
// early while `cancel_i` is high, which stays so until they have. A reset drops all, the
// decision under way and the weights included.
//
// Header after the request was taken: get_weights 4 cycles, set_weights 61, a
// refused decide or trace 32, a decide 33 plus the decision's `cycles`. Memory:
// `mem_rdata_i` follows `mem_en_o` by two cycles.
//
// This port list is all that the dispatcher knows of a game: another game's
// reader, with its own AI core inside, can stand in its place.
module tetris_reader
  import frame_pkg::mem_addr_t, frame_pkg::offset_t, frame_pkg::slot_t;
#(
  parameter int unsigned Multipliers = 4  // of the AI core, 1 .. NumFeatures
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       cancel_i,
  // Request
  input  logic       req_valid_i,
  output logic       req_ready_o,
  input  logic [7:0] req_msg_i,
  input  slot_t      req_slot_i,
  output logic       req_loaded_o,
  // Request memory, read only
  output logic       mem_en_o,
  output mem_addr_t  mem_addr_o,
  input  logic [7:0] mem_rdata_i,
  // Reply
  output logic       reply_valid_o,
  input  logic       reply_ready_i,
  output logic [7:0] reply_msg_o,
  output logic       reply_empty_o,
  output logic       reply_part_o,
  output logic       byte_valid_o,
  input  logic       byte_ready_i,
  output logic [7:0] byte_data_o,
  output logic       byte_last_o,
  // For a board's display: a decision was answered, and the rows it clears
  output logic       lines_valid_o,
  output logic [4:0] lines_o
);

  typedef enum logic [3:0] {
    SvIdle,    // is what was loaded one that can be served?
    SvServe,   // it is, or why not
    SvAsk,     // the AI core takes the board
    SvDecide,  // the AI core decides
    SvPlay,    // a game goes on: is there something to tell?
    SvBoard,   // it is over: the check value of its board, row by row
    SvHeader,
    SvBytes
  } serve_e;

  serve_e      state_q, state_d;
  logic [7:0]  msg_q, msg_d;        // request
  offset_t     count_q, count_d;    // bytes left to send
  logic        error_q, error_d;    // the reply is an error
  logic [7:0]  code_q, code_d;      // why
  logic        part_q, part_d;      // the reply is a part
  logic [15:0] parts_q, parts_d;    // number of the next part
  logic        cut_q, cut_d;        // the stream was cancelled
  logic        cancel_q;            // cancel_i a cycle ago: much hangs on it
  logic [31:0] crc_q, crc_d;        // of the board
  logic [4:0]  rows_q, rows_d;      // of it that are still to be looked at
  logic [5:0]  moves_q, moves_d;    // left of the part under way
  offset_t     next_q, next_d;      // number of the byte behind the one offered
  logic [7:0]  byte_q, byte_d;      // the one offered
  logic        sent;                // the last one is taken

  tetris_proto_pkg::set_weights_t weights_q, weights_d;
  logic                           weights_set_q, weights_set_d;

  // The request that was loaded; of a play, what is in a decide's place, and its pieces
  logic                      loaded, release_load, loaded_gives, loaded_draws;
  logic [7:0]                loaded_msg;
  tetris_proto_pkg::decide_t decide;
  logic [15:0]               play_pieces;
  logic                      bad_piece, bad_next_piece, next_known, bad_count, bad_numbers;
  assign bad_piece      = decide.piece > tetris_proto_pkg::PieceL;
  assign next_known     = decide.next_piece != tetris_proto_pkg::NoPiece;
  assign bad_next_piece = next_known && decide.next_piece > tetris_proto_pkg::PieceL;
  assign bad_count      = play_pieces == '0 || play_pieces > tetris_proto_pkg::PlayPieces;

  // Bytes of it that go elsewhere
  logic       weights_we, play_piece_we, play_draws_shift;
  logic [6:0] play_piece_addr;

  // What is served is a trace, a play or a self_play
  logic decides_q, decides_d;  // or a decide
  logic traces_q, traces_d;
  logic play_gives_q, play_gives_d, play_draws_q, play_draws_d, plays;
  assign plays = play_gives_q || play_draws_q;

  // The game that is played
  logic                 play_start, play_finish, play_take;
  logic [31:0]          draws_pieces, draws_spacing;
  logic                 unfinished;  // it was stopped before its last piece
  logic                 play_done, play_ask_valid, play_rsp_ready;
  tetris_pkg::piece_t   play_ask_piece;
  logic [6:0]           moves_held;
  logic [5:0]           move;
  logic                 move_ready, checkpoint_valid, checkpoint_ready;
  tetris_pkg::tally_t   tally;
  logic [63:0]          signature;
  tetris_pkg::board_t   board;
  logic                 board_clear, board_load;

  // The AI core
  logic                  ai_req_valid, ai_req_ready;
  tetris_pkg::piece_t    ai_req_piece;
  logic                  ai_rsp_valid, ai_rsp_ready;
  tetris_pkg::decision_t decision;
  logic                  trace_valid, trace_ready;
  tetris_pkg::traced_t   traced;

  // The AI numbers the features itself: each weight goes to its own by name.
  tetris_pkg::weights_t ai_weights;
  always_comb begin
    ai_weights                                = '0;
    ai_weights[tetris_pkg::LandingHeight]     = weights_q.landing_height;
    ai_weights[tetris_pkg::ErodedCells]       = weights_q.eroded_cells;
    ai_weights[tetris_pkg::RowsCleared]       = weights_q.rows_cleared;
    ai_weights[tetris_pkg::RowTransitions]    = weights_q.row_transitions;
    ai_weights[tetris_pkg::ColumnTransitions] = weights_q.column_transitions;
    ai_weights[tetris_pkg::Holes]             = weights_q.holes;
    ai_weights[tetris_pkg::CumulativeWells]   = weights_q.cumulative_wells;
    ai_weights[tetris_pkg::WellSums]          = weights_q.well_sums;
    ai_weights[tetris_pkg::HoleDepth]         = weights_q.hole_depth;
    ai_weights[tetris_pkg::RowsWithHoles]     = weights_q.rows_with_holes;
    ai_weights[tetris_pkg::Diversity]         = weights_q.diversity;
    ai_weights[tetris_pkg::AggregateHeight]   = weights_q.aggregate_height;
    ai_weights[tetris_pkg::Bumpiness]         = weights_q.bumpiness;
    ai_weights[tetris_pkg::MaxHeight]         = weights_q.max_height;
  end

  if (tetris_pkg::Columns != tetris_proto_pkg::Columns ||
      tetris_pkg::Rows != tetris_proto_pkg::Rows ||
      $bits(tetris_pkg::weights_t) != $bits(tetris_proto_pkg::set_weights_t)) begin : gen_mismatch
    $error("tetris_pkg and the wire's layout differ in size");
  end

  tetris_loader u_tetris_loader (
    .clk_i,
    .rst_ni,
    .req_valid_i,
    .req_ready_o,
    .req_msg_i,
    .req_slot_i,
    .req_loaded_o,
    .mem_en_o,
    .mem_addr_o,
    .mem_rdata_i,
    .idle_i        (state_q == SvIdle),
    .loaded_o      (loaded),
    .release_i     (release_load),
    .msg_o         (loaded_msg),
    .gives_o       (loaded_gives),
    .draws_o       (loaded_draws),
    .request_o     (decide),
    .pieces_o      (play_pieces),
    .bad_numbers_o (bad_numbers),
    .weights_we_o  (weights_we),
    .piece_we_o    (play_piece_we),
    .piece_addr_o  (play_piece_addr),
    .draws_shift_o (play_draws_shift)
  );

  tetris_ai #(
    .Multipliers (Multipliers)
  ) u_tetris_ai (
    .clk_i,
    .rst_ni,
    .weights_i     (ai_weights),
    .req_valid_i   (ai_req_valid),
    .req_ready_o   (ai_req_ready),
    .req_board_i   (board),
    .req_piece_i   (ai_req_piece),
    .rsp_valid_o   (ai_rsp_valid),
    .rsp_ready_i   (ai_rsp_ready),
    .rsp_o         (decision),
    .trace_i       (traces_q),
    .trace_valid_o (trace_valid),
    .trace_ready_i (trace_ready),
    .trace_o       (traced)
  );

  tetris_play #(
    .Pieces (32'(tetris_proto_pkg::PlayPieces)),
    .Moves  (64)
  ) u_tetris_play (
    .clk_i,
    .rst_ni,
    .clear_i            (board_clear),
    .load_i             (board_load),
    .load_board_i       (decide.board),
    .take_i             (play_take),
    .board_o            (board),
    .piece_we_i         (play_piece_we),
    .piece_addr_i       (play_piece_addr),
    .piece_data_i       (mem_rdata_i),
    .draws_shift_i      (play_draws_shift),
    .draws_byte_i       (mem_rdata_i),
    .draws_pieces_o     (draws_pieces),
    .draws_spacing_o    (draws_spacing),
    .start_i            (play_start),
    .drawn_i            (play_draws_q),
    .pieces_i           (play_pieces),
    .stop_i             (cancel_q),
    .done_o             (play_done),
    .finish_i           (play_finish),
    .ask_valid_o        (play_ask_valid),
    .ask_ready_i        (ai_req_ready),
    .ask_piece_o        (play_ask_piece),
    .rsp_valid_i        (ai_rsp_valid),
    .rsp_ready_o        (play_rsp_ready),
    .rsp_i              (decision),
    .moves_o            (moves_held),
    .move_o             (move),
    .move_ready_i       (move_ready),
    .checkpoint_valid_o (checkpoint_valid),
    .checkpoint_ready_i (checkpoint_ready),
    .tally_o            (tally),
    .signature_o        (signature),
    .unfinished_o       (unfinished)
  );

  // The replies
  tetris_proto_pkg::decision_t decision_payload;
  assign decision_payload = '{
    legal:        8'(decision.legal),
    rotation:     8'(decision.rotation),
    column:       8'(decision.column),
    row:          8'(decision.row),
    rows_cleared: 8'(decision.rows_cleared),
    score:        64'(decision.score),
    cycles:       decision.cycles
  };

  tetris_proto_pkg::placement_t placement_payload;
  assign placement_payload = '{
    part:               parts_q,
    rotation:           8'(traced.placement.candidate.rotation),
    column:             8'(traced.placement.candidate.column),
    legal:              8'(traced.placement.legal),
    row:                8'(traced.placement.row),
    landing_height:     16'(traced.features[tetris_pkg::LandingHeight]),
    eroded_cells:       16'(traced.features[tetris_pkg::ErodedCells]),
    rows_cleared:       16'(traced.features[tetris_pkg::RowsCleared]),
    row_transitions:    16'(traced.features[tetris_pkg::RowTransitions]),
    column_transitions: 16'(traced.features[tetris_pkg::ColumnTransitions]),
    holes:              16'(traced.features[tetris_pkg::Holes]),
    cumulative_wells:   16'(traced.features[tetris_pkg::CumulativeWells]),
    well_sums:          16'(traced.features[tetris_pkg::WellSums]),
    hole_depth:         16'(traced.features[tetris_pkg::HoleDepth]),
    rows_with_holes:    16'(traced.features[tetris_pkg::RowsWithHoles]),
    diversity:          16'(traced.features[tetris_pkg::Diversity]),
    aggregate_height:   16'(traced.features[tetris_pkg::AggregateHeight]),
    bumpiness:          16'(traced.features[tetris_pkg::Bumpiness]),
    max_height:         16'(traced.features[tetris_pkg::MaxHeight]),
    score:              64'(traced.score)
  };

  // A play's end; and a checkpoint, which is the same as far as it goes.
  tetris_proto_pkg::played_t played_payload;
  assign played_payload = '{
    parts:        parts_q,
    pieces:       tally.pieces,
    games:        tally.games,
    rows_cleared: tally.rows_cleared,
    score:        tally.score,
    cycles:       tally.cycles,
    signature:    signature,
    cancelled:    8'(unfinished),
    board_crc:    ~crc_q
  };

  // Of a part of a play the number and the count come first, then the moves.
  logic [5:0] told;
  assign told = (moves_held > 7'(tetris_proto_pkg::PartMoves))
              ? 6'(tetris_proto_pkg::PartMoves) : moves_held[5:0];

  logic sends_moves;
  assign sends_moves = play_gives_q && part_q &&
                       count_q <= offset_t'(tetris_proto_pkg::PartMoves);
  assign move_ready  = state_q == SvBytes && byte_ready_i && sends_moves && moves_q != '0;

  assign ai_req_valid  = state_q == SvAsk || play_ask_valid;
  assign ai_req_piece  = (state_q == SvAsk) ? decide.piece[2:0] : play_ask_piece;
  // What a reply tells is offered until its last byte has left.
  assign ai_rsp_ready  = (sent && !part_q && decides_q && !error_q) || play_rsp_ready;
  assign lines_valid_o = ai_rsp_valid && ai_rsp_ready && !traces_q;
  assign lines_o       = decision.rows_cleared;
  assign trace_ready   = (state_q == SvDecide && cancel_q) || (sent && part_q && traces_q);
  assign reply_valid_o = state_q == SvHeader;
  assign reply_empty_o = count_q == '0;
  assign reply_part_o  = part_q;
  assign byte_valid_o  = state_q == SvBytes;
  assign byte_last_o   = count_q == offset_t'(1);
  // The weights are sent straight from their register, which turns once round.
  logic send_weights;
  assign send_weights  = msg_q == tetris_proto_pkg::MsgGetWeights && !error_q;
  always_comb begin
    byte_data_o = byte_q;
    if (send_weights) byte_data_o = weights_q[7:0];
    else if (sends_moves) byte_data_o = (moves_q != '0) ? 8'(move) : '0;
  end

  assign sent = state_q == SvBytes && byte_ready_i && byte_last_o;

  // Every other byte is taken from its payload, a cycle before it is offered. A decision lies
  // behind what a trace's end has before it. The zeros behind each payload are read with its last
  // byte, and never offered.
  localparam int unsigned TracedHead = 32'(tetris_proto_pkg::TracedBytes) -
                                       32'(tetris_proto_pkg::DecisionBytes);
  logic [31:0][7:0] decision_bytes;
  logic [63:0][7:0] placement_bytes, played_bytes;
  assign decision_bytes  = $bits(decision_bytes)'({decision_payload, {(8 * TracedHead) {1'b0}}});
  assign placement_bytes = $bits(placement_bytes)'(placement_payload);
  assign played_bytes    = $bits(played_bytes)'(played_payload);

  logic [7:0] next_byte;
  always_comb begin
    next_byte = decision_bytes[next_q[4:0]];
    if (play_gives_q && part_q) next_byte = 8'(moves_q);
    else if (plays) next_byte = played_bytes[next_q[5:0]];
    else if (part_q) next_byte = placement_bytes[next_q[5:0]];
    else if (traces_q && cut_q) next_byte = '0;

    if (plays || traces_q) begin
      if (next_q == offset_t'(0)) next_byte = parts_q[7:0];
      if (next_q == offset_t'(1)) next_byte = parts_q[15:8];
    end
    if (traces_q && !part_q && next_q == offset_t'(2)) next_byte = 8'(cut_q);

    if (error_q) next_byte = (next_q == '0) ? code_q : msg_q;
  end

  always_comb begin
    reply_msg_o = msg_q | link_proto_pkg::ReplyBit;
    if (part_q) reply_msg_o = reply_msg_o | link_proto_pkg::PartBit;
    if (error_q) reply_msg_o = link_proto_pkg::MsgError;
  end

  // Their register takes bytes at its upper end: those that are loaded, or its own when it turns.
  logic turn_weights;
  assign turn_weights = state_q == SvBytes && byte_ready_i && send_weights;
  always_comb begin
    weights_d = weights_q;
    if (weights_we || turn_weights) begin
      weights_d = {weights_we ? mem_rdata_i : weights_q[7:0], weights_q[$bits(weights_q)-1:8]};
    end
  end

  always_comb begin
    state_d       = state_q;
    msg_d         = msg_q;
    count_d       = count_q;
    weights_set_d = weights_set_q;
    error_d       = error_q;
    code_d        = code_q;
    part_d        = part_q;
    parts_d       = parts_q;
    cut_d         = cut_q;
    crc_d         = crc_q;
    rows_d        = rows_q;
    moves_d       = moves_q;
    next_d        = next_q;
    byte_d        = byte_q;
    decides_d     = decides_q;
    traces_d      = traces_q;
    play_gives_d  = play_gives_q;
    play_draws_d  = play_draws_q;
    release_load  = 1'b0;

    board_clear      = 1'b0;
    board_load       = 1'b0;
    play_start       = 1'b0;
    play_take        = 1'b0;
    play_finish      = 1'b0;
    checkpoint_ready = 1'b0;

    unique case (state_q)
      SvIdle: if (loaded) begin
        state_d      = SvServe;
        msg_d        = loaded_msg;
        board_clear  = 1'b1;
        traces_d     = loaded_msg == tetris_proto_pkg::MsgTrace;
        decides_d    = traces_d || loaded_msg == tetris_proto_pkg::MsgDecide;
        play_gives_d = loaded_gives;
        play_draws_d = loaded_draws;
        error_d      = 1'b1;
        part_d       = 1'b0;
        parts_d      = '0;
        cut_d        = 1'b0;
        unique case (loaded_msg)
          tetris_proto_pkg::MsgSetWeights: error_d = 1'b0;

          tetris_proto_pkg::MsgGetWeights: begin
            code_d  = tetris_proto_pkg::ErrWeightsUnset;
            error_d = !weights_set_q;
          end

          tetris_proto_pkg::MsgDecide, tetris_proto_pkg::MsgTrace: begin
            if (bad_piece) code_d = tetris_proto_pkg::ErrBadPiece;
            else if (bad_next_piece) code_d = tetris_proto_pkg::ErrBadNextPiece;
            // The AI core looks at one piece only.
            else if (next_known) code_d = link_proto_pkg::ErrUnsupported;
            else if (!weights_set_q) code_d = tetris_proto_pkg::ErrWeightsUnset;
            else error_d = 1'b0;
          end

          tetris_proto_pkg::MsgPlay: begin
            if (bad_count) code_d = tetris_proto_pkg::ErrBadCount;
            else if (bad_numbers) code_d = tetris_proto_pkg::ErrBadPiece;
            else begin
              code_d  = tetris_proto_pkg::ErrWeightsUnset;
              error_d = !weights_set_q;
            end
          end

          tetris_proto_pkg::MsgSelfPlay: begin
            if (draws_pieces == '0 || draws_spacing == '0) code_d = tetris_proto_pkg::ErrBadCount;
            else begin
              code_d  = tetris_proto_pkg::ErrWeightsUnset;
              error_d = !weights_set_q;
            end
          end

          // A request, but another game's.
          default: code_d = link_proto_pkg::ErrUnknownType;
        endcase
      end

      SvServe: begin
        state_d      = SvHeader;
        release_load = 1'b1;
        board_load   = 1'b1;
        if (error_q) begin
          count_d = offset_t'(link_proto_pkg::ErrorBytes);
        end else if (plays) begin  // before the others: what hangs on it is far away
          state_d    = SvPlay;
          play_start = 1'b1;
          crc_d      = crc32_pkg::Init;
          rows_d     = 5'(tetris_pkg::Rows);
        end else if (msg_q == tetris_proto_pkg::MsgSetWeights) begin
          count_d       = offset_t'(tetris_proto_pkg::SetWeightsReplyBytes);
          weights_set_d = 1'b1;
        end else if (msg_q == tetris_proto_pkg::MsgGetWeights) begin
          count_d = offset_t'(tetris_proto_pkg::WeightsBytes);
        end else begin
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
          state_d = SvHeader;
          part_d  = 1'b1;
          count_d = offset_t'(tetris_proto_pkg::PlacementBytes);
        end
      end else if (ai_rsp_valid) begin
        state_d = SvHeader;
        part_d  = 1'b0;
        if (traces_q) begin
          count_d = offset_t'(tetris_proto_pkg::TracedBytes);
        end else begin
          count_d = offset_t'(tetris_proto_pkg::DecisionBytes);
          next_d  = offset_t'(TracedHead);
        end
      end

      SvPlay: begin
        part_d = 1'b1;
        if (play_gives_q && (moves_held >= 7'(tetris_proto_pkg::PartMoves) ||
                             (play_done && moves_held != '0))) begin
          state_d = SvHeader;
          moves_d = told;
          count_d = offset_t'(tetris_proto_pkg::MovesBytes);
        end else if (checkpoint_valid) begin
          state_d = SvHeader;
          count_d = offset_t'(tetris_proto_pkg::CheckpointBytes);
        end else if (play_done) begin
          state_d   = SvBoard;
          play_take = 1'b1;
        end
      end

      SvBoard: begin
        play_take = 1'b1;
        rows_d    = rows_q - 5'd1;
        for (int unsigned c = 0; c < tetris_pkg::Columns; c++) begin
          crc_d = crc32_pkg::update_bit(crc_d, board[0][c]);
        end
        if (rows_q == 5'd1) begin
          state_d = SvHeader;
          part_d  = 1'b0;
          count_d = offset_t'(tetris_proto_pkg::PlayedBytes);
        end
      end

      SvHeader: begin
        byte_d = next_byte;
        if (reply_ready_i) begin
          state_d = SvBytes;
          next_d  = next_q + 1'b1;
          if (reply_empty_o) begin
            state_d = SvIdle;
            next_d  = '0;
          end
        end
      end

      SvBytes: if (byte_ready_i) begin
        count_d = count_q - 1'b1;
        if (move_ready) moves_d = moves_q - 6'd1;
        byte_d  = next_byte;
        next_d  = next_q + 1'b1;
        if (byte_last_o) begin
          next_d           = '0;
          state_d          = !part_q ? SvIdle : plays ? SvPlay : SvDecide;
          parts_d          = parts_q + 16'(part_q);
          checkpoint_ready = part_q && play_draws_q;
          play_finish      = !part_q && plays;
        end
      end

      default: state_d = SvIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q       <= SvIdle;
      msg_q         <= '0;
      count_q       <= '0;
      weights_set_q <= 1'b0;
      error_q       <= 1'b0;
      code_q        <= '0;
      part_q        <= 1'b0;
      parts_q       <= '0;
      cut_q         <= 1'b0;
      cancel_q      <= 1'b0;
      crc_q         <= '0;
      rows_q        <= '0;
      moves_q       <= '0;
      next_q        <= '0;
      byte_q        <= '0;
      decides_q     <= 1'b0;
      traces_q      <= 1'b0;
      play_gives_q  <= 1'b0;
      play_draws_q  <= 1'b0;
    end else begin
      state_q       <= state_d;
      msg_q         <= msg_d;
      count_q       <= count_d;
      weights_set_q <= weights_set_d;
      error_q       <= error_d;
      code_q        <= code_d;
      part_q        <= part_d;
      parts_q       <= parts_d;
      cut_q         <= cut_d;
      cancel_q      <= cancel_i;
      crc_q         <= crc_d;
      rows_q        <= rows_d;
      moves_q       <= moves_d;
      next_q        <= next_d;
      byte_q        <= byte_d;
      decides_q     <= decides_d;
      traces_q      <= traces_d;
      play_gives_q  <= play_gives_d;
      play_draws_q  <= play_draws_d;
    end
  end

  // No reset: they are looked at once weights were set.
  always_ff @(posedge clk_i) weights_q <= weights_d;

`ifndef SYNTHESIS
  ReplyHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    reply_valid_o && !reply_ready_i |=>
    reply_valid_o && $stable(reply_msg_o) && $stable(reply_empty_o) && $stable(reply_part_o));
  ByteHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    byte_valid_o && !byte_ready_i |=>
    byte_valid_o && $stable(byte_data_o) && $stable(byte_last_o));
  // The core must not answer what it was not asked.
  Asked_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    ai_rsp_valid |-> state_q inside {SvDecide, SvPlay} ||
                     ((decides_q || part_q) && !error_q && state_q inside {SvHeader, SvBytes}));
  LoadsWhileServing_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    req_loaded_o && state_q == SvDecide);
`endif

endmodule
