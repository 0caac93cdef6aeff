// tetris_reader with requests of every kind, offered at any time, also while another one is served,
// and streams: a request is taken when there is room for it, its payload read in order, each byte
// once and none beyond its length, from its own slot, and reported as loaded once, when all of it
// has come. Weights, and what a self_play draws from, are read when nobody is served who may need
// the old ones. Requests are served in their order, each from its own payload: a decide's board and
// piece stay until the AI core has taken them. Refusals are as in docs/wire.md.
//
// The parts of a trace are numbered from 0 on, each with a placement as the core reported it: none
// is lost but for a cancel, doubled or out of order. Two cycles after cancel_i no part of a trace
// begins. Its end has their number, whether one was dropped, and the decision, zeros then. A play
// begins with its own board and number of pieces, and its numbers go to the memory of pieces, each
// from its byte; a self_play with what was shifted in. The parts of a play have 32 moves each, the
// last one what is left, in the order in which the game offers them; those of a self_play what the
// game reports in a checkpoint. The end has the game's sums and the CRC of the 20 rows that the
// board gave. Part marks, lengths and last bytes are right; what is offered is held until it is
// taken. There is no deadlock: each step is made as soon as it can be, a board's 20 rows are
// passed in as many. Resets may come at any time, and cancel_i may be anything.
//
// The AI core is tetris_ai_stub_streams, the game tetris_play_stub_streams: both free in their
// answers and times. That the game stops at a stop, what its moves and sums are, and which pieces
// it reads from its memory are tetris_play_proof's; that what is shifted in becomes the generator's
// state is draw_sign_proof's. How many cycles there are to a header is in tetris_reader_proof. The
// tags are one byte of the board and one of the weights: what holds for them holds for every byte.
module tetris_reader_streams_proof
  import frame_pkg::mem_addr_t, frame_pkg::slot_t, tetris_pkg::decision_t, tetris_pkg::traced_t;
  import tetris_wire_pkg::*;
(
  input logic       clk_i,
  input logic       reset_i,
  input logic       cancel_i,
  input logic       req_valid_i,
  input logic [7:0] req_msg_i,
  input slot_t      req_slot_i,
  input logic [7:0] mem_rdata_i,
  input logic       reply_ready_i,
  input logic       byte_ready_i,
  // The AI core, free
  input logic       ai_ready_i,
  input logic       ai_valid_i,
  input decision_t  ai_answer_i,
  input logic       ai_tells_i,
  input traced_t    ai_traced_i,
  // The game, free
  input logic       play_asks_i,
  input logic [2:0] play_piece_i,
  input logic       play_takes_i,
  input logic       play_moves_i,
  input logic [5:0] play_move_i,
  input logic       play_tells_i,
  input logic       play_over_i,
  input told_t      play_told_i,
  input logic [191:0] play_draws_i,
  input logic [199:0] play_board_i,
  // The tagged bytes; with `eager_i` the requests `second_i` and `third_i` come as early as allowed
  input logic [4:0] board_tag_i,
  input logic [5:0] weight_tag_i,
  input logic       eager_i,
  input logic [7:0] second_i,
  input logic [7:0] third_i,
  input logic       cancels_i
);

  logic begun = 1'b0;
  always_ff @(posedge clk_i) begun <= 1'b1;
  logic rst_n;
  assign rst_n = begun && !reset_i;

  game_pkg::game_req_t req;
  game_pkg::game_rsp_t rsp;
  assign req = '{load:  '{valid: req_valid_i, msg: req_msg_i, slot: req_slot_i,
                          rdata: mem_rdata_i}, cancel: cancel_i, room: 1'b0,
                 reply: '{ready: reply_ready_i, byte_ready: byte_ready_i}};

  logic       lines_valid;
  logic [4:0] lines;
  tetris_pkg::view_t unused_view;

  tetris_reader u_dut (
    .clk_i,
    .rst_ni        (rst_n),
    .req_i         (req),
    .rsp_o         (rsp),
    .lines_valid_o (lines_valid),
    .lines_o       (lines),
    .view_o        (unused_view)
  );

  logic       req_ready, loaded, mem_en, reply_valid, reply_empty, reply_part;
  logic       byte_valid, byte_last;
  mem_addr_t  mem_addr;
  logic [7:0] reply_msg, byte_data;
  assign {req_ready, loaded, mem_en, mem_addr} = rsp.load;
  assign {reply_valid, reply_msg, reply_empty, reply_part, byte_valid, byte_data, byte_last} =
         rsp.reply;

  // The AI core and the game
  logic             ai_req_valid, ai_req_fire, ai_answers, ai_taken, trace_valid, trace_fire;
  logic [24:0][7:0] board;
  logic [55:0][7:0] ai_weights;
  decision_t        answer;
  traced_t          traced;
  assign ai_req_valid = u_dut.gen_serial.u_tetris_ai.req_valid_i;
  assign ai_req_fire  = ai_req_valid && u_dut.gen_serial.u_tetris_ai.req_ready_o;
  assign ai_answers   = u_dut.gen_serial.u_tetris_ai.rsp_valid_o;
  assign ai_taken     = ai_answers && u_dut.gen_serial.u_tetris_ai.rsp_ready_i;
  assign ai_weights   = u_dut.gen_serial.u_tetris_ai.weights_i;
  assign answer       = u_dut.gen_serial.u_tetris_ai.rsp_o;
  assign trace_valid  = u_dut.gen_serial.u_tetris_ai.trace_valid_o;
  assign trace_fire   = trace_valid && u_dut.gen_serial.u_tetris_ai.trace_ready_i;
  assign traced       = u_dut.gen_serial.u_tetris_ai.trace_o;
  assign board        = u_dut.u_tetris_play.board_o;

  logic       play_ask, play_done, checkpoint, move_taken, starts;
  logic [6:0] moves;
  assign play_ask   = u_dut.u_tetris_play.ask_valid_o;
  assign play_done  = u_dut.u_tetris_play.done_o;
  assign checkpoint = u_dut.u_tetris_play.checkpoint_valid_o;
  assign moves      = u_dut.u_tetris_play.moves_o;
  assign move_taken = u_dut.u_tetris_play.move_ready_i;
  assign starts     = u_dut.u_tetris_play.start_i;

  // ------------------------------------------------------------------ the request that is read
  logic       load_q, wait_q;  // it is; all of it was, and it waits to be served
  logic [7:0] l_msg_q;
  slot_t      slot_q;
  logic [7:0] read_q, got_q;   // payload bytes read, arrived
  logic [1:0] way_q;           // bytes on their way
  seen_t      seen_q;
  logic [7:0] l_board_q, l_weight_q;  // the tagged bytes
  logic [4:0] board_tag_q;
  logic [5:0] weight_tag_q;

  logic [7:0] length;
  logic       alone;     // it takes the place of what another one may need
  assign length   = request_length(l_msg_q);
  assign alone    = l_msg_q == SetWeights || l_msg_q == SelfPlay;

  function automatic logic bad_number(logic [3:0] piece, logic [15:0] number);
    return piece > 4'd6 && number < {seen_q.next, seen_q.piece};
  endfunction

  // ---------------------------------------------------------------- the request that is served
  logic        busy_q, new_q;  // there is one; it began a cycle ago
  logic [7:0]  msg_q, code_q;
  logic [7:0]  piece_q, board_q;
  logic [15:0] pieces_q;
  logic        set_q;          // there are weights
  logic [7:0]  weight_q;       // the tagged byte
  logic        asked_q;        // the AI core took it
  logic        header_q, part_q;  // a reply's header was taken; it is a part
  logic [7:0]  sent_q;         // bytes of the reply
  logic [15:0] parts_q;        // parts that have left
  logic [5:0]  count_q;        // moves in the part
  logic        dropped_q;      // a placement was not sent
  logic [4:0]  rows_q;         // of the board at the end
  logic [31:0] crc_q;          // of them
  logic [1:0]  cancel_q;       // one and two cycles ago
  logic        due_q;          // there was something to send
  logic [4:0]  over_q;         // cycles since a game has had no more to send
  logic        first_q;        // a game's first cycle

  logic may_read, begins, decision, given, drawn, part;
  assign may_read = !(alone && busy_q);
  assign begins   = wait_q && !busy_q;
  assign decision = (msg_q == Decide || msg_q == Trace) && code_q == '0;
  assign given    = msg_q == Play && code_q == '0;
  assign drawn    = msg_q == SelfPlay && code_q == '0;
  assign part     = header_q ? part_q : reply_part;

  logic gets;  // the weights are sent
  assign gets = msg_q == GetWeights && code_q == '0;

  // Moves in the part: as many as it holds, or all there are
  logic [5:0] count;
  always_comb begin
    count = (moves > 7'd32) ? 6'd32 : moves[5:0];
    if (header_q) count = count_q;
  end

  // The reply's length, and its payload but for moves and weights
  logic [7:0] reply_length;
  payload_t   payload;
  always_comb begin
    payload = '0;
    if (code_q != '0) begin
      reply_length = 8'd2;
      payload      = error_payload(code_q, msg_q);
    end else unique case (msg_q)
      SetWeights: reply_length = 8'd0;
      GetWeights: reply_length = 8'd56;
      Decide: begin
        reply_length = 8'd17;
        payload      = decision_payload(answer);
      end
      Trace: begin
        reply_length = part ? 8'd42 : 8'd20;
        payload      = part ? placement_payload(parts_q, traced)
                            : traced_payload(parts_q, dropped_q, answer);
      end
      default: begin
        reply_length = !part ? 8'd43 : given ? 8'd35 : 8'd38;
        payload      = played_payload(parts_q, u_dut.u_tetris_play.told_q, ~crc_q);
        if (given && part) payload[2] = 8'(count);
      end
    endcase
  end

  // Each byte is made a cycle before it is offered. It may be a move's place; moves of the part
  // that were not taken yet.
  logic       moves_place, makes, move_told;
  logic [7:0] makes_at;
  logic [5:0] moves_left;
  logic [7:0] move_q;      // the place that is offered
  assign moves_place = given && part_q && sent_q >= 8'd3;
  assign makes       = byte_valid && byte_ready_i && sent_q + 8'd1 < reply_length;
  assign makes_at    = sent_q + 8'd1;
  assign moves_left  = (makes_at <= 8'd3) ? count_q :
                       (makes_at - 8'd3 < 8'(count_q)) ? count_q - 6'(makes_at - 8'd3) : '0;
  assign move_told   = makes && given && part_q && makes_at >= 8'd3 && moves_left != '0;

  logic last, ends;
  assign last = byte_valid && byte_ready_i && sent_q + 8'd1 == reply_length;
  assign ends = (last && !part_q) || (reply_valid && reply_ready_i && reply_length == '0);

  // There is something to send, and nothing is sent yet.
  logic quiet, due, over;
  assign quiet = busy_q && !new_q && !header_q && !reply_valid;
  assign due   = quiet && ((decision && ((trace_valid && !cancel_q[0]) || ai_answers)) ||
                           (given && (moves >= 7'd32 || (play_done && moves != '0))) ||
                           (drawn && checkpoint));
  assign over  = quiet && (given || drawn) && play_done && moves == '0;

  // The cycle before
  logic       reply_held_q, byte_held_q, ask_held_q;
  logic [9:0] reply_q;
  logic [8:0] byte_q;
  logic [2:0] ask_q;

  always_ff @(posedge clk_i) begin
    reply_q <= {reply_msg, reply_empty, reply_part};
    byte_q  <= {byte_data, byte_last};
    ask_q   <= u_dut.gen_serial.u_tetris_ai.req_piece_i;
    if (!begun) begin
      board_tag_q  <= board_tag_i;
      weight_tag_q <= weight_tag_i;
    end
    if (makes) move_q <= move_told ? {2'd0, u_dut.u_tetris_play.move_o} : '0;
    if (!rst_n) begin
      load_q       <= 1'b0;
      wait_q       <= 1'b0;
      way_q        <= '0;
      busy_q       <= 1'b0;
      new_q        <= 1'b0;
      set_q        <= 1'b0;
      header_q     <= 1'b0;
      cancel_q     <= '0;
      due_q        <= 1'b0;
      over_q       <= '0;
      first_q      <= 1'b0;
      reply_held_q <= 1'b0;
      byte_held_q  <= 1'b0;
      ask_held_q   <= 1'b0;
    end else begin
      reply_held_q <= reply_valid && !reply_ready_i;
      byte_held_q  <= byte_valid && !byte_ready_i;
      ask_held_q   <= ai_req_valid && !ai_req_fire && !play_ask;
      cancel_q     <= {cancel_q[0], cancel_i};
      due_q        <= due;
      over_q       <= over ? over_q + 5'd1 : '0;
      first_q      <= starts;
      way_q        <= {way_q[0], mem_en};

      // Read
      if (mem_en) read_q <= read_q + 8'd1;
      if (way_q[1]) begin
        got_q <= got_q + 8'd1;
        if (got_q == PieceAt) seen_q.piece <= mem_rdata_i;
        if (got_q == PieceAt + 8'd1) seen_q.next <= mem_rdata_i;
        if (got_q >= DrawsAt && got_q < DrawsAt + 8'd8) begin
          seen_q.draws[3'(got_q - DrawsAt)] <= mem_rdata_i;
        end
        if (got_q >= NumbersAt &&
            (bad_number(mem_rdata_i[3:0], 16'd2 * 16'(got_q - NumbersAt)) ||
             bad_number(mem_rdata_i[7:4], 16'd2 * 16'(got_q - NumbersAt) + 16'd1))) begin
          seen_q.bad <= 1'b1;
        end
        if (got_q == 8'(board_tag_q)) l_board_q <= mem_rdata_i;
        if (got_q == 8'(weight_tag_q)) l_weight_q <= mem_rdata_i;
      end
      if (loaded) begin
        load_q <= 1'b0;
        wait_q <= 1'b1;
      end
      if (req_valid_i && req_ready) begin
        load_q     <= 1'b1;
        l_msg_q    <= req_msg_i;
        slot_q     <= req_slot_i;
        read_q     <= '0;
        got_q      <= '0;
        seen_q.bad <= 1'b0;
      end

      // Served
      new_q <= begins;
      if (ai_req_fire) asked_q <= 1'b1;
      if (trace_fire && !header_q) dropped_q <= 1'b1;
      if (reply_valid && reply_ready_i) begin
        header_q <= reply_length != '0;
        part_q   <= reply_part;
        count_q  <= count;
        sent_q   <= '0;
      end
      if (byte_valid && byte_ready_i) sent_q <= sent_q + 8'd1;
      if (last) begin
        header_q <= 1'b0;
        if (part_q) parts_q <= parts_q + 16'd1;
      end
      if (ends) busy_q <= 1'b0;
      if (u_dut.u_tetris_play.taking_q && rows_q < 5'd20) begin
        rows_q <= rows_q + 5'd1;
        crc_q  <= crc_of_row(crc_q, u_dut.u_tetris_play.board_o[0]);
      end
      if (new_q && msg_q == SetWeights) begin
        set_q    <= 1'b1;
        weight_q <= l_weight_q;
      end
      if (begins) begin
        wait_q    <= 1'b0;
        busy_q    <= 1'b1;
        msg_q     <= l_msg_q;
        code_q    <= refusal(l_msg_q, seen_q, set_q);
        piece_q   <= seen_q.piece;
        pieces_q  <= {seen_q.next, seen_q.piece};
        board_q   <= l_board_q;
        asked_q   <= 1'b0;
        parts_q   <= '0;
        dropped_q <= 1'b0;
        rows_q    <= '0;
        crc_q     <= '1;
      end
    end
  end

  // ------------------------------------------------------------------- what the reader holds
  localparam logic [2:0] SvIdle = 3'd0, SvServe = 3'd1, SvAsk = 3'd2, SvDecide = 3'd3,
                         SvPlay = 3'd4, SvBoard = 3'd5, SvReply = 3'd6;
  localparam logic [1:0] LdIdle = 2'd0, LdLoad = 2'd1, LdDone = 2'd2;
  logic [2:0]       state;
  logic [26:0][7:0] load;
  logic [55:0][7:0] weights;
  logic [23:0][7:0] draws;
  assign state   = u_dut.state_q;
  assign load    = u_dut.u_tetris_request.u_request_loader.payload_q;
  assign weights = u_dut.u_weights.value_q;
  assign draws   = u_dut.u_tetris_play.draws_q;

  // What was read stays while it waits, while it begins, and until the AI core has taken it.
  logic held, there;
  assign held  = busy_q && (new_q || (decision && !asked_q));
  assign there = load_q || wait_q || held;

  // Pieces of a play that did not come yet.
  logic [8:0] came;
  logic [7:0] left;
  assign came = {got_q - NumbersAt, 1'b0};
  assign left = (came >= 9'(seen_q.piece)) ? '0 : seen_q.piece - came[7:0];

  // What came is what is kept.
  logic       seen_ok, draws_ok;
  always_comb begin
    seen_ok = (got_q <= 8'(board_tag_q) || load[board_tag_q] == l_board_q) &&
              (got_q <= 8'd25 || load[25] == seen_q.piece) &&
              (got_q <= 8'd26 || load[26] == seen_q.next) &&
              (l_msg_q != Play || (got_q == '0 ? !seen_q.bad :
               // Of more than 255 pieces none is looked at: their number is refused.
               (got_q >= NumbersAt && seen_q.next != '0) ||
               (u_dut.u_tetris_request.bad_numbers_q == seen_q.bad &&
                (got_q < NumbersAt || u_dut.u_tetris_request.left_q == left))));
    draws_ok = 1'b1;
    for (int unsigned k = 0; k < 8; k++) begin
      if (got_q > DrawsAt + 8'(k) && got_q <= 8'd50 &&
          draws[5'(8'd50 - got_q + 8'(k))] != seen_q.draws[k]) draws_ok = 1'b0;
    end
  end

  // The tagged byte of the weights goes round as they are read in and sent: one is ahead.
  logic       new_weights;
  logic [5:0] weight_at;
  logic [7:0] weight;
  always_comb begin
    new_weights = (load_q || wait_q || new_q) && l_msg_q == SetWeights && got_q != '0;
    weight_at   = weight_tag_q;
    if (new_weights) begin
      weight_at = 6'(8'd56 - got_q + 8'(weight_tag_q));
    end else if (header_q && gets) begin
      weight_at = (8'(weight_tag_q) > sent_q) ? weight_tag_q - 6'(sent_q + 8'd1)
                                              : weight_tag_q + 6'd56 - 6'(sent_q + 8'd1);
    end
    weight = weights[weight_at];
  end

  logic ai_busy, end_ok, part_ok, state_ok;
  always_comb begin
    // Which replies there may be, and what makes them right
    ai_busy = u_dut.gen_serial.u_tetris_ai.asked_q;
    part_ok = (msg_q == Trace && decision && trace_valid) ||
              (given && (header_q ? moves >= 7'(moves_left) && (count_q == 6'd32 ||
                                    (play_done && moves == 7'(moves_left)))
                                  : moves >= 7'd32 || (play_done && moves != '0))) ||
              (drawn && checkpoint);
    end_ok  = decision ? ai_answers && !trace_valid :
              !(given || drawn) || (play_done && moves == '0 && rows_q == 5'd20);
    unique case (state)
      SvIdle:   state_ok = !busy_q;
      SvServe:  state_ok = !asked_q && rows_q == '0 && crc_q == '1;
      SvAsk:    state_ok = decision && !asked_q;
      SvDecide: state_ok = decision && asked_q;
      SvPlay:   state_ok = (given || drawn) && rows_q == '0;
      SvBoard:  state_ok = (given || drawn) && play_done && moves == '0 && rows_q < 5'd20 &&
                           u_dut.u_tetris_play.taking_q && over_q == 5'd1 + rows_q;
      SvReply:  state_ok = (given || drawn || asked_q == decision) &&
                           (part ? part_ok && (decision || rows_q == '0) : end_ok);
      default:  state_ok = 1'b0;
    endcase
    state_ok = state_ok && busy_q == (state != SvIdle) && new_q == (state == SvServe) &&
               u_dut.u_reply_sender.bytes_q == header_q && (!header_q || state == SvReply) &&
               (!u_dut.u_tetris_play.taking_q || state == SvBoard ||
                (state == SvReply && !header_q && rows_q == 5'd20)) &&
               (state == SvBoard || over_q == '0 ||
                (state == SvReply && !header_q && over_q == 5'd21));
  end

  logic       eager_q, cancels_q;
  logic [7:0] second_q, third_q;
  logic [1:0] taken_q;  // requests
  always_ff @(posedge clk_i) begin
    if (!begun) begin
      eager_q   <= eager_i;
      second_q  <= second_i;
      third_q   <= third_i;
      cancels_q <= cancels_i;
    end
    if (!rst_n) taken_q <= '0;
    else if (req_valid_i && req_ready && taken_q != 2'd3) taken_q <= taken_q + 2'd1;
  end

  always_comb begin
    Game_M:   assume (!req_valid_i || is_request(req_msg_i));
    Board_M:  assume (board_tag_i < 5'd25);
    Weight_M: assume (weight_tag_i < 6'd56);
    // The covers are far away. Those who want to be there soon take everything at once, send two
    // requests after weights, and have a trace of two placements, a play of two parts or a
    // self_play of one checkpoint, or a cancel during each part.
    Eager_M:  assume (!(begun && eager_q) || (!reset_i && reply_ready_i && byte_ready_i &&
                      ai_ready_i && ai_valid_i && req_valid_i && req_msg_i ==
                      (taken_q == '0 ? SetWeights : taken_q == 2'd1 ? second_q : third_q) &&
                      cancel_i == (cancels_q && header_q) &&
                      ai_tells_i == (parts_q < 16'd2 && !dropped_q) && !play_asks_i &&
                      play_moves_i == (!cancels_q && parts_q == '0 && !header_q) &&
                      play_tells_i == (parts_q == '0) &&
                      play_over_i == (cancels_q || parts_q != '0)));
    if (begun) Tags_A: assert (board_tag_q < 5'd25 && weight_tag_q < 6'd56);
    if (rst_n) begin
      // Requests: each is taken when there is room, read as soon as it may be, and waits then
      Ready_A:   assert (req_ready == !there);
      Memory_A:  assert (mem_en == (load_q && read_q < length && may_read) &&
                         (!mem_en || (mem_addr.slot == slot_q && 8'(mem_addr.offset) == read_q)));
      Loaded_A:  assert (loaded == (load_q && read_q == length && !way_q[0]) &&
                         (!loaded || got_q + 8'(way_q[1]) == length));
      Numbers_A: assert (u_dut.u_tetris_play.piece_we_i ==
                         (way_q[1] && l_msg_q == Play && got_q >= NumbersAt) &&
                         (!u_dut.u_tetris_play.piece_we_i || (!starts &&
                         8'(u_dut.u_tetris_play.piece_addr_i) == got_q - NumbersAt &&
                         u_dut.u_tetris_play.piece_data_i == mem_rdata_i)));
      Draws_A:   assert (u_dut.u_tetris_play.draws_shift_i ==
                         (way_q[1] && l_msg_q == SelfPlay && got_q >= DrawsAt) &&
                         (!u_dut.u_tetris_play.draws_shift_i || (!starts &&
                         !u_dut.u_tetris_play.playing_q &&
                         u_dut.u_tetris_play.draws_byte_i == mem_rdata_i)));

      // The AI core and the game get what was requested
      Ask_A:     assert (!(ai_req_valid && !play_ask) || (busy_q && decision && !asked_q &&
                         !new_q && 8'(u_dut.gen_serial.u_tetris_ai.req_piece_i) == piece_q &&
                         board[board_tag_q] == board_q));
      Asks_A:    assert (!(busy_q && !new_q && decision && !asked_q) || ai_req_valid);
      AskHeld_A: assert (!ask_held_q || (ai_req_valid && u_dut.gen_serial.u_tetris_ai.req_piece_i == ask_q));
      PlayAsk_A: assert (!play_ask || (busy_q && (given || drawn) && ai_req_valid &&
                         u_dut.gen_serial.u_tetris_ai.req_piece_i == u_dut.u_tetris_play.ask_piece_o));
      Weights_A: assert (!(ai_req_valid || ai_busy) || ai_weights[weight_tag_q] == weight_q);
      Traces_A:  assert (!ai_busy || u_dut.gen_serial.u_tetris_ai.trace_i == (msg_q == Trace));
      Answer_A:  assert (ai_taken == (ai_answers && ((last && !part_q && decision) ||
                         u_dut.u_tetris_play.rsp_ready_o)));
      Lines_A:   assert (lines_valid == (ai_taken && msg_q != Trace) &&
                         (!lines_valid || lines == answer.rows_cleared));
      Start_A:   assert (starts == (new_q && (given || drawn)) && (!starts ||
                         (!u_dut.u_tetris_play.playing_q && moves == '0 &&
                         u_dut.u_tetris_play.drawn_i == drawn &&
                         (drawn ? {u_dut.u_tetris_play.draws_spacing_o,
                                   u_dut.u_tetris_play.draws_pieces_o} == seen_q.draws &&
                                  seen_q.draws[3:0] != '0 && seen_q.draws[7:4] != '0
                                : u_dut.u_tetris_play.pieces_i == pieces_q &&
                                  pieces_q != '0 && pieces_q <= 16'd160))));
      Start1_A:  assert (!first_q || board[board_tag_q] == board_q);
      Stop_A:    assert (u_dut.u_tetris_play.stop_i == cancel_q[0]);
      Clear_A:   assert (u_dut.u_tetris_play.clear_i == begins &&
                         u_dut.u_tetris_play.load_i == new_q);
      Take_A:    assert (!u_dut.u_tetris_play.take_i || (busy_q && (given || drawn) &&
                         play_done && moves == '0));
      Finish_A:  assert (u_dut.u_tetris_play.finish_i == (last && !part_q && (given || drawn)));

      // Replies: in order, each what it has to be
      Header_A:  assert (!reply_valid || (busy_q && !new_q && !header_q &&
                         reply_empty == (reply_length == '0) && (reply_part ? part_ok : end_ok) &&
                         reply_msg == (code_q != '0 ? 8'hff :
                                       msg_q | 8'h80 | (reply_part ? 8'h20 : 8'h00))));
      Byte_A:    assert (byte_valid == (busy_q && header_q) && (!byte_valid ||
                         (sent_q < reply_length && byte_last == (sent_q + 8'd1 == reply_length))));
      Data_A:    assert (!byte_valid || gets || moves_place ||
                         byte_data == payload[sent_q[5:0]]);
      Move_A:    assert (!(byte_valid && moves_place) || byte_data == move_q);
      Moves_A:   assert (move_taken == move_told && (!move_taken || moves != '0));
      Sent_A:    assert (!(byte_valid && gets) || sent_q != 8'(weight_tag_q) ||
                         byte_data == weight_q);
      Told_A:    assert (trace_fire == (trace_valid &&
                         ((last && part_q) || (quiet && cancel_q[0]))));
      Check_A:   assert (u_dut.u_tetris_play.checkpoint_ready_i == (last && part_q &&
                         msg_q == SelfPlay));
      Cancel_A:  assert (!(reply_valid && reply_part && !reply_held_q && msg_q == Trace) ||
                         !cancel_q[1]);
      ReplyHeld_A: assert (!reply_held_q || (reply_valid &&
                           {reply_msg, reply_empty, reply_part} == reply_q));
      ByteHeld_A:  assert (!byte_held_q || (byte_valid && {byte_data, byte_last} == byte_q));
      // There is no deadlock
      Plain_A:   assert (!(quiet && !(decision || given || drawn)));
      Due_A:     assert (!due_q || reply_valid);
      Over_A:    assert (over_q <= 5'd21 && (over_q != 5'd21 || reply_valid));

      // How it keeps all this
      State_A:   assert (state_ok);
      Load_A:    assert (u_dut.u_tetris_request.u_request_loader.state_q ==
                         (load_q ? LdLoad : (wait_q || held) ? LdDone : LdIdle) &&
                         !(load_q && wait_q) && !(held && (load_q || wait_q)));
      Message_A: assert ((!there || u_dut.u_tetris_request.u_request_loader.msg_q == l_msg_q) &&
                         (!busy_q || u_dut.msg_q == msg_q) &&
                         (!load_q || u_dut.u_tetris_request.u_request_loader.slot_q == slot_q));
      Kinds_A:   assert ((!there || is_request(l_msg_q)) && (!busy_q || is_request(msg_q)));
      Way_A:     assert (u_dut.u_tetris_request.u_request_loader.reading_q == way_q[0] &&
                         u_dut.u_tetris_request.u_request_loader.rvalid_q == way_q[1]);
      Came_A:    assert (!there || (got_q <= length &&
                         8'(u_dut.u_tetris_request.u_request_loader.came_q) == got_q &&
                         8'(u_dut.u_tetris_request.u_request_loader.length_q) == length));
      Read_A:    assert ((!load_q || (
                         8'(u_dut.u_tetris_request.u_request_loader.issued_q) == read_q &&
                         read_q <= length && got_q + 8'(way_q[0]) + 8'(way_q[1]) == read_q)) &&
                         (load_q || way_q == '0) && (!(wait_q || held) || got_q == length));
      Alone_A:   assert (!(alone && busy_q) || (!wait_q && (!load_q || read_q == '0)));
      Held_A:    assert (!held || (l_msg_q == msg_q && seen_q.piece == piece_q &&
                         l_board_q == board_q && {seen_q.next, seen_q.piece} == pieces_q));
      Why_A:     assert (!held || code_q == refusal(l_msg_q, seen_q, set_q));
      Seen_A:    assert (!there || l_msg_q == SetWeights || seen_ok);
      Draws1_A:  assert (!there || l_msg_q != SelfPlay || draws_ok);
      Set_A:     assert (u_dut.u_weights.set_q == set_q);
      Weight_A:  assert (new_weights ? got_q <= 8'(weight_tag_q) || weight == l_weight_q
                                     : !set_q || weight == weight_q);
      Code_A:    assert (!busy_q || (u_dut.error_q == (code_q != '0) &&
                         (code_q == '0 || u_dut.code_q == code_q)));
      Refused_A: assert (!busy_q || (code_q != '0) || (msg_q inside {SetWeights, GetWeights,
                         Decide, Trace, Play, SelfPlay} && (set_q || msg_q == SetWeights)));
      Empty_A:   assert (!new_q || board[board_tag_q] == '0);
      Served_A:  assert (!busy_q || u_dut.kind_q == {msg_q == SetWeights, msg_q == GetWeights,
                         msg_q == Decide, msg_q == Trace, msg_q == Play, msg_q == SelfPlay});
      Parts_A:   assert (u_dut.u_reply_sender.parts_q == (busy_q ? parts_q : '0) && (!busy_q ||
                         (u_dut.cut_q == dropped_q &&
                         (!new_q || (parts_q == '0 && !dropped_q)))));
      Part_A:    assert (!(state == SvReply) || u_dut.part_q == part);
      NoPart_A:  assert (!(busy_q && (new_q || !(given || drawn || (decision &&
                         msg_q == Trace)))) || !u_dut.part_q);
      Sending_A: assert (!header_q || sent_q < reply_length);
      Next_A:    assert (8'(u_dut.u_reply_sender.index_q) == (header_q ? sent_q + 8'd1 : 8'd0));
      Payload_A: assert (!header_q || gets || u_dut.u_reply_sender.data_q ==
                         (moves_place ? move_q : payload[sent_q[5:0]]));
      Left_A:    assert (!(given && part && state == SvReply) ||
                         (u_dut.u_tetris_replies.moves_q == (header_q ? moves_left : count) &&
                          (!header_q || (count_q != '0 && count_q <= 6'd32))));
      Crc_A:     assert (!(busy_q && (given || drawn)) || (u_dut.crc_q == crc_q &&
                         u_dut.rows_q == 9'd20 - 9'(rows_q)));
      Game_A:    assert (u_dut.u_tetris_play.playing_q == (busy_q && !new_q && (given || drawn)) &&
                         (!u_dut.u_tetris_play.playing_q || u_dut.u_tetris_play.drawn_q == drawn) &&
                         (u_dut.u_tetris_play.playing_q || (!checkpoint && !play_done &&
                         moves == '0 && !u_dut.u_tetris_play.waiting_q)));
      Game1_A:   assert ((!checkpoint || (drawn && !play_done)) && (!drawn || moves == '0) &&
                         moves <= 7'd64 && (!(checkpoint || play_done) ||
                         !u_dut.u_tetris_play.waiting_q));
      Core_A:    assert (ai_busy == ((busy_q && !new_q && decision && asked_q) ||
                         u_dut.u_tetris_play.waiting_q) &&
                         (!(u_dut.gen_serial.u_tetris_ai.told_q || u_dut.gen_serial.u_tetris_ai.offered_q) || ai_busy) &&
                         !(u_dut.gen_serial.u_tetris_ai.told_q && u_dut.gen_serial.u_tetris_ai.offered_q) &&
                         (!u_dut.gen_serial.u_tetris_ai.told_q || msg_q == Trace));
    end
    // A trace is read while another one is sent, weights wait for its end.
    Overlap_C:    cover (rst_n && eager_q && second_q == Trace && third_q == Trace && !cancels_q &&
                         loaded && l_msg_q == Trace && byte_valid && part_q && msg_q == Trace);
    Waits_C:      cover (rst_n && eager_q && second_q == Trace && third_q == SetWeights &&
                         !cancels_q && last && !part_q && parts_q == 16'd2 && load_q);
    Cancelled_C:  cover (rst_n && eager_q && second_q == Trace && third_q == Trace && cancels_q &&
                         last && !part_q && parts_q == 16'd1 && dropped_q);
    Checkpoint_C: cover (rst_n && eager_q && second_q == SelfPlay && third_q == Trace &&
                         !cancels_q && last && part_q && drawn);
    Moves_C:      cover (rst_n && eager_q && second_q == Play && third_q == Trace && !cancels_q &&
                         last && part_q && given && count_q < 6'd32 && parts_q == 16'd1);
    Played_C:     cover (rst_n && eager_q && second_q == Play && third_q == Trace && cancels_q &&
                         last && !part_q && given);
    Numbers_C:    cover (rst_n && eager_q && second_q == Play && third_q == Trace && cancels_q &&
                         last && code_q == 8'h40);
    Count_C:      cover (rst_n && eager_q && second_q == SelfPlay && third_q == Trace &&
                         cancels_q && last && code_q == 8'h43);
  end

endmodule
