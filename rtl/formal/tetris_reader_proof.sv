// tetris_reader: every request gets one reply, the header first, then the bytes of its length, the
// last one marked; all of what docs/wire.md says, an error's code too. When it is over the next
// request is taken; what is offered is held until it is taken. The payload is read from the
// request's slot, in order, each byte once and none beyond its length. The AI core gets one request
// for each decide that can be served, and no other: with its board and piece and the weights set
// last; its answer is taken with the last byte. The header is offered as many cycles after the
// request as the module's header says. Resets may come at any time.
//
// Requests are offered one at a time, and none of them is a trace or a play: what is read while
// another request is served, and streams, are in tetris_reader_streams_proof.
//
// The AI core is tetris_ai_stub, the game tetris_play_stub. The tags are one byte of the board and
// one of the weights: what holds for them holds for every byte.
module tetris_reader_proof
  import frame_pkg::mem_addr_t, frame_pkg::slot_t, tetris_pkg::decision_t;
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
  input logic       ai_ready_i,
  input logic       ai_valid_i,
  input decision_t  ai_answer_i,
  input logic [4:0] board_tag_i,
  input logic [5:0] weight_tag_i,
  input logic       eager_i
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

  logic       unused_lines_valid;
  logic [4:0] unused_lines;
  tetris_pkg::view_t unused_view;

  tetris_reader u_dut (
    .clk_i,
    .rst_ni        (rst_n),
    .req_i         (req),
    .rsp_o         (rsp),
    .lines_valid_o (unused_lines_valid),
    .lines_o       (unused_lines),
    .view_o        (unused_view)
  );

  logic       req_ready, mem_en, loaded, reply_valid, reply_empty, reply_part;
  logic       byte_valid, byte_last;
  mem_addr_t  mem_addr;
  logic [7:0] reply_msg, byte_data;
  assign {req_ready, loaded, mem_en, mem_addr} = rsp.load;
  assign {reply_valid, reply_msg, reply_empty, reply_part, byte_valid, byte_data, byte_last} =
         rsp.reply;

  logic             ai_req_valid, ai_answers, ai_taken;
  logic [24:0][7:0] ai_board;
  logic [55:0][7:0] ai_weights;
  logic [2:0]       ai_piece;
  assign ai_req_valid = u_dut.gen_serial.u_tetris_ai.req_valid_i;
  assign ai_answers   = u_dut.gen_serial.u_tetris_ai.rsp_valid_o;
  assign ai_taken     = ai_answers && u_dut.gen_serial.u_tetris_ai.rsp_ready_i;
  assign ai_board     = u_dut.gen_serial.u_tetris_ai.req_board_i;
  assign ai_piece     = u_dut.gen_serial.u_tetris_ai.req_piece_i;
  assign ai_weights   = u_dut.gen_serial.u_tetris_ai.weights_i;

  // The request under way and what has come of it
  logic       busy_q;
  logic [7:0] msg_q;
  slot_t      slot_q;
  logic [7:0] read_q, got_q;   // payload bytes read, arrived
  logic [1:0] way_q;           // bytes on their way
  logic       asked_q, answered_q, header_q;
  decision_t  answer_q;
  logic [7:0] sent_q;          // bytes of the reply
  logic [7:0] cycles_q;        // since the request was taken, to the header or the AI core
  // What arrived
  logic [7:0] piece_q, next_q;
  logic [4:0] board_tag_q;
  logic [7:0] board_q;         // the tagged byte
  logic       set_q;           // there are weights
  logic [5:0] weight_tag_q;
  logic [7:0] weight_q;        // the tagged byte

  logic [7:0] length, code, reply_length, latency;
  logic       decision;        // a decide to be served
  assign length   = request_length(msg_q);
  assign decision = msg_q == Decide && code == '0;
  assign latency  = length + 8'(length != '0) + 8'd3;

  // Why it is refused; 0 if it is served
  seen_t seen;
  assign seen = '{piece: piece_q, next: next_q, draws: '0, bad: 1'b0};
  assign code = refusal(msg_q, seen, set_q);
  always_comb begin
    if (code != '0) reply_length = 8'd2;
    else if (msg_q == SetWeights) reply_length = 8'd0;
    else if (msg_q == GetWeights) reply_length = 8'd56;
    else reply_length = 8'd17;
  end

  // The reply's payload, but for the weights
  payload_t payload;
  assign payload = (code != '0) ? error_payload(code, msg_q) : decision_payload(answer_q);

  // The cycle before
  logic       reply_held_q, byte_held_q, ask_held_q;
  logic [8:0] reply_q, byte_q;
  logic [2:0] ask_q;

  always_ff @(posedge clk_i) begin
    reply_q <= {reply_msg, reply_empty};
    byte_q  <= {byte_data, byte_last};
    ask_q   <= ai_piece;
    if (!begun) begin
      board_tag_q  <= board_tag_i;
      weight_tag_q <= weight_tag_i;
    end
    if (!rst_n) begin
      busy_q       <= 1'b0;
      set_q        <= 1'b0;
      way_q        <= '0;
      reply_held_q <= 1'b0;
      byte_held_q  <= 1'b0;
      ask_held_q   <= 1'b0;
    end else begin
      reply_held_q <= reply_valid && !reply_ready_i;
      byte_held_q  <= byte_valid && !byte_ready_i;
      ask_held_q   <= ai_req_valid && !u_dut.gen_serial.u_tetris_ai.req_ready_o;
      way_q        <= {way_q[0], mem_en};
      if (busy_q && cycles_q < latency) cycles_q <= cycles_q + 8'd1;
      if (mem_en) read_q <= read_q + 8'd1;
      if (way_q[1]) begin
        got_q <= got_q + 8'd1;
        if (got_q == 8'd25) piece_q <= mem_rdata_i;
        if (got_q == 8'd26) next_q <= mem_rdata_i;
        if (got_q == 8'(board_tag_q)) board_q <= mem_rdata_i;
        if (got_q == 8'(weight_tag_q) && msg_q == SetWeights) weight_q <= mem_rdata_i;
      end
      if (ai_req_valid && u_dut.gen_serial.u_tetris_ai.req_ready_o) asked_q <= 1'b1;
      if (ai_answers && !answered_q) begin
        answered_q <= 1'b1;
        answer_q   <= u_dut.gen_serial.u_tetris_ai.rsp_o;
      end
      if (reply_valid && reply_ready_i) begin
        header_q <= 1'b1;
        busy_q   <= reply_length != '0;
        if (msg_q == SetWeights) set_q <= 1'b1;
      end
      if (byte_valid && byte_ready_i) begin
        sent_q <= sent_q + 8'd1;
        if (sent_q + 8'd1 == reply_length) busy_q <= 1'b0;
      end
      if (req_valid_i && req_ready) begin
        busy_q     <= 1'b1;
        msg_q      <= req_msg_i;
        slot_q     <= req_slot_i;
        read_q     <= '0;
        got_q      <= '0;
        asked_q    <= 1'b0;
        answered_q <= 1'b0;
        header_q   <= 1'b0;
        sent_q     <= '0;
        cycles_q   <= '0;
      end
    end
  end

  // ------------------------------------------------------------------- what the reader holds
  localparam logic [2:0] StIdle = 3'd0, StLoad = 3'd1, StCheck = 3'd2, StServe = 3'd3,
                         StAsk = 3'd4, StDecide = 3'd5, StHeader = 3'd6, StBytes = 3'd7;
  logic [2:0]       state;
  logic [26:0][7:0] load;
  logic [55:0][7:0] weights;
  assign load    = u_dut.u_tetris_request.u_request_loader.payload_q;
  assign weights = u_dut.u_weights.value_q;

  // Loading and serving, one after the other here
  localparam logic [2:0] SvIdle = 3'd0, SvServe = 3'd1, SvAsk = 3'd2, SvDecide = 3'd3,
                         SvReply = 3'd6;
  localparam logic [1:0] LdIdle = 2'd0, LdLoad = 2'd1, LdDone = 2'd2;
  logic [1:0] loads;
  assign loads = u_dut.u_tetris_request.u_request_loader.state_q;
  always_comb begin
    unique case (u_dut.state_q)
      SvServe:  state = StServe;
      SvAsk:    state = StAsk;
      SvDecide: state = StDecide;
      SvReply:  state = u_dut.u_reply_sender.bytes_q ? StBytes : StHeader;
      default:  state = 3'(loads);
    endcase
  end

  logic arriving;  // the payload is a decide's, and still there
  logic piece_ok, next_ok, board_ok;
  assign arriving = busy_q && msg_q == Decide && state >= StLoad && state <= StAsk;
  assign piece_ok = got_q <= 8'd25 || load[25] == piece_q;
  assign next_ok  = got_q <= 8'd26 || load[26] == next_q;
  assign board_ok = got_q <= 8'(board_tag_q) || load[board_tag_q] == board_q;

  // The tagged byte of the weights goes round as they are read in and sent: one is ahead.
  logic       weight_there;
  logic [7:0] weight_at, turns;
  always_comb begin
    weight_there = set_q;
    weight_at    = 8'(weight_tag_q);
    turns        = sent_q + 8'd1;
    if (busy_q && msg_q == SetWeights) begin
      weight_there = got_q > 8'(weight_tag_q);
      weight_at    = 8'd56 - got_q + 8'(weight_tag_q);
    end else if (state == StBytes && msg_q == GetWeights && code == '0) begin
      weight_at = (8'(weight_tag_q) >= turns) ? 8'(weight_tag_q) - turns
                                              : 8'(weight_tag_q) + 8'd56 - turns;
    end
  end

  logic state_ok;
  always_comb begin
    unique case (state)
      StIdle:   state_ok = !busy_q;
      StLoad:   state_ok = cycles_q <= latency - 8'd3;
      StCheck:  state_ok = cycles_q == latency - 8'd2;
      StServe:  state_ok = cycles_q == latency - 8'd1;
      StAsk:    state_ok = decision && !asked_q && !answered_q;
      StDecide: state_ok = decision && asked_q && !answered_q;
      default:  state_ok = answered_q == decision && asked_q == decision;
    endcase
    if (state != StIdle) state_ok = state_ok && busy_q && header_q == (state == StBytes);
    if (state != StIdle && state <= StServe) state_ok = state_ok && !asked_q && !answered_q;
    if (state >= StAsk) state_ok = state_ok && cycles_q == latency;
  end

  // The covers are far away. Runs that reach them soon take everything at once, and request
  // a decision after weights have been set.
  logic eager_q;
  always_ff @(posedge clk_i) if (!begun) eager_q <= eager_i;

  always_comb begin
    Eager_M:  assume (!(begun && eager_q) || (!reset_i && reply_ready_i && byte_ready_i &&
                      ai_ready_i && ai_valid_i && req_valid_i == !busy_q &&
                      req_msg_i == (!set_q ? SetWeights : weight_q[0] ? GetWeights : Decide)));
    Board_M:  assume (board_tag_i < 5'd25);
    Weight_M: assume (weight_tag_i < 6'd56);
    Alone_M:  assume (!(req_valid_i && busy_q));
    Stream_M: assume (!req_valid_i || req_msg_i inside {SetWeights, GetWeights, Decide});
    if (begun) Tags_A: assert (board_tag_q < 5'd25 && weight_tag_q < 6'd56);
    if (rst_n) begin
      Request_A: assert (busy_q || req_ready);
      Loaded1_A: assert (!loaded || (busy_q && 8'(got_q) + 8'(way_q[1]) == length));
      Part_A:    assert (!(reply_valid && reply_part));
      Memory_A:  assert (!mem_en || (busy_q && mem_addr.slot == slot_q && read_q < length &&
                         8'(mem_addr.offset) == read_q));
      Ask_A:     assert (!ai_req_valid || (busy_q && decision && got_q == length && !asked_q &&
                         8'(ai_piece) == piece_q && ai_board[board_tag_q] == board_q));
      Weights_A: assert (!(ai_req_valid || u_dut.gen_serial.u_tetris_ai.asked_q) ||
                         ai_weights[weight_tag_q] == weight_q);
      Header_A:  assert (!reply_valid || (busy_q && !header_q && got_q == length &&
                         answered_q == decision && reply_empty == (reply_length == '0) &&
                         reply_msg == (code != '0 ? 8'hff : msg_q | 8'h80)));
      Byte_A:    assert (!byte_valid || (busy_q && header_q && sent_q < reply_length &&
                         byte_last == (sent_q + 8'd1 == reply_length)));
      Data_A:    assert (!byte_valid || (msg_q == GetWeights && code == '0) ||
                         byte_data == payload[sent_q[5:0]]);
      Sent_A:    assert (!(byte_valid && msg_q == GetWeights && code == '0) ||
                         sent_q != 8'(weight_tag_q) || byte_data == weight_q);
      ReplyHeld_A: assert (!reply_held_q || (reply_valid && {reply_msg, reply_empty} == reply_q));
      ByteHeld_A:  assert (!byte_held_q || (byte_valid && {byte_data, byte_last} == byte_q));
      AskHeld_A:   assert (!ask_held_q || (ai_req_valid && ai_piece == ask_q));
      // There is no deadlock: the header, or the request to the AI core, comes in time.
      Latency_A: assert (!(reply_valid || ai_req_valid) || cycles_q == latency);
      Due_A:     assert (!(busy_q && !header_q && cycles_q == latency) || reply_valid ||
                         ai_req_valid || (asked_q && !answered_q));
      Answer_A:  assert (!ai_taken || (decision && byte_valid && byte_ready_i && byte_last));
      Bytes_A:   assert (!(busy_q && header_q) || byte_valid);
      // How it keeps all this
      State_A:   assert (state_ok && (!busy_q || cycles_q <= latency));
      Taken_A:   assert (!busy_q || u_dut.u_tetris_request.u_request_loader.slot_q == slot_q);
      Message_A: assert (!busy_q || msg_q == (state <= StCheck ?
                         u_dut.u_tetris_request.u_request_loader.msg_q : u_dut.msg_q));
      States_A:  assert (u_dut.state_q inside {SvIdle, SvServe, SvAsk, SvDecide, SvReply} &&
                         loads == (state == StLoad ? LdLoad :
                         (state >= StCheck && state <= StAsk) ? LdDone : LdIdle));
      Loads_A:   assert (!(state == StServe || state == StAsk) ||
                         u_dut.u_tetris_request.u_request_loader.msg_q == msg_q);
      Asked_A:   assert (!busy_q || msg_q inside {SetWeights, GetWeights, Decide});
      Came_A:    assert (!busy_q || (8'(u_dut.u_tetris_request.u_request_loader.came_q) == got_q &&
                         8'(u_dut.u_tetris_request.u_request_loader.length_q) == length));
      Board_A:   assert (!(state == StServe) || ai_board[board_tag_q] == '0);
      Asks_A:    assert (!(state == StAsk) || ai_board[board_tag_q] == board_q);
      NoPart_A:  assert (state < StServe || !u_dut.part_q);
      Way_A:     assert (u_dut.u_tetris_request.u_request_loader.reading_q == way_q[0] &&
                         u_dut.u_tetris_request.u_request_loader.rvalid_q == way_q[1]);
      Load_A:    assert (state != StLoad || (
                         8'(u_dut.u_tetris_request.u_request_loader.issued_q) == read_q &&
                         read_q == (cycles_q < length ? cycles_q : length) &&
                         got_q + 8'(way_q[0]) + 8'(way_q[1]) == read_q &&
                         way_q[0] == (cycles_q != '0 && cycles_q <= length) &&
                         way_q[1] == (cycles_q > 8'd1 && cycles_q <= length + 8'd1)));
      Loaded_A:  assert (state == StLoad || (way_q == '0 && (!busy_q || got_q == length)));
      Error_A:   assert (state < StServe || (u_dut.error_q == (code != '0) &&
                         (code == '0 || u_dut.code_q == code)));
      Sending_A: assert (!(state == StBytes) || sent_q < reply_length);
      Nothing_A: assert (!busy_q || state == StBytes || sent_q == '0);
      Next_A:    assert (u_dut.u_reply_sender.bytes_q == (state == StBytes) &&
                         8'(u_dut.u_reply_sender.index_q) ==
                         (state == StBytes ? sent_q + 8'd1 : 8'd0));
      Payload_A: assert (state != StBytes || (msg_q == GetWeights && code == '0) ||
                         u_dut.u_reply_sender.data_q == payload[sent_q[5:0]]);
      Kind_A:    assert (state < StServe || u_dut.kind_q == {msg_q == SetWeights,
                         msg_q == GetWeights, msg_q == Decide, 3'b000});
      Decide_A:  assert (!arriving || (piece_ok && next_ok && board_ok));
      Set_A:     assert (u_dut.u_weights.set_q ==
                         (set_q || (state == StHeader && msg_q == SetWeights)));
      Weight_A:  assert (!weight_there || weights[weight_at[5:0]] == weight_q);
      Stub_A:    assert (u_dut.gen_serial.u_tetris_ai.asked_q == (busy_q && asked_q) &&
                         u_dut.gen_serial.u_tetris_ai.offered_q == (busy_q && answered_q) &&
                         (!(busy_q && answered_q) || u_dut.gen_serial.u_tetris_ai.answer_q == answer_q));
    end
    Decision_C: cover (rst_n && eager_q && !weight_q[0] && byte_valid && byte_last && decision &&
                       piece_q == 8'd5);
    Weights_C:  cover (rst_n && eager_q && byte_valid && msg_q == GetWeights && sent_q == 8'd9 &&
                       weight_tag_q == 6'd9 && weight_q == 8'h5b);
    Refused_C:  cover (rst_n && eager_q && !weight_q[0] && byte_valid && byte_last &&
                       code == 8'h41);
  end

endmodule
