// Dispatcher: answers the requests of the queue, in order.
//
// Drive it: the oldest request on `req_*`; `req_ready_o` is high in the cycle that ends
// it: in which the last byte of its reply is taken or, of a game's request, in which its
// payload has been read (`game_loaded_i`). Replies leave as a header (`header_*`) and
// payload bytes (`payload_*`, absent when `header_empty_o`).
// The dispatcher itself answers ping, info, stats, reset, set_rate, cancel, credit, buttons
// and what is wrong with a frame; every other request is handed to the game's reader on
// `game_*`, up to two of them, and that reader's replies are passed on, in the order of
// their requests. A reset request was carried out when its frame came (by this module's
// reset, too): here it is only answered.
//
// A reply of the game's with `part`, which is not an empty one, is a part of a stream: more
// follow. What is answered between its parts order_pkg says. A part needs
// credit: there is as much as link_proto_pkg says at the beginning, `credit_i` adds as much
// again, and `cancelling_i` lets everything pass. `part_allowed_o` says whether there is credit.
//
// `game_owes_o` is high while the game has not answered all that it was given, and
// `stopped_o` while nothing is done but on the host's account: a part waits for credit, and the
// oldest request, if there is one, for that part.
//
// `rate_valid_o` is high in the cycle in which the header of a set_rate's good
// reply is taken, with the increment.
//
// Header after the request is offered: 2 cycles, ping 12, set_rate 10; of the game's
// reply, a cycle after it is offered. Memory: `mem_rdata_i` follows `mem_en_o` by two
// cycles.
module command
  import frame_pkg::header_t, frame_pkg::mem_addr_t, frame_pkg::offset_t, frame_pkg::request_t,
         frame_pkg::slot_t;
#(
  // Payload bytes of the game's requests
  parameter link_proto_pkg::lengths_t GameLengths = '0
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // What the core says it is, steady
  input  link_proto_pkg::info_reply_t  info_i,
  input  link_proto_pkg::stats_reply_t stats_i,
  // Presses of the board's buttons
  input  link_proto_pkg::buttons_reply_t buttons_i,
  // Streams
  input  logic                    credit_i,
  input  logic                    cancelling_i,
  output logic                    part_allowed_o,
  output logic                    game_owes_o,
  output logic                    stopped_o,
  // Another rate of the line
  output logic                    rate_valid_o,
  output logic [23:0]             rate_inc_o,
  // Oldest request
  input  logic                    req_valid_i,
  output logic                    req_ready_o,
  input  request_t                req_i,
  // Request memory, read only
  output logic                    mem_en_o,
  output mem_addr_t               mem_addr_o,
  input  logic [7:0]              mem_rdata_i,
  // The game's reader
  output logic                    game_req_valid_o,
  input  logic                    game_req_ready_i,
  output logic [7:0]              game_req_msg_o,
  output slot_t                   game_req_slot_o,
  input  logic                    game_loaded_i,
  input  game_pkg::reply_t        game_reply_i,
  output game_pkg::reply_ack_t    game_ack_o,
  // Reply
  output logic                    header_valid_o,
  input  logic                    header_ready_i,
  output header_t                 header_o,
  output logic                    header_empty_o,
  output logic                    payload_valid_o,
  input  logic                    payload_ready_i,
  output logic [7:0]              payload_data_o,
  output logic                    payload_last_o
);

  typedef enum logic [2:0] {
    StIdle,   // looks for a reply of the game's, or a request
    StDecode, // is it one that can be served, and now?
    StLoad,   // a ping's or set_rate's payload from memory
    StRate,   // is it a rate? Two cycles, for the limits
    StRated,
    StGame,   // the reader takes the request
    StHeader, // of a reply
    StBytes
  } state_e;

  // The longest reply of the dispatcher's own.
  localparam int unsigned DataWidth  = $bits(link_proto_pkg::info_reply_t);
  // The longest request's: a payload that is loaded ends at this bit.
  localparam int unsigned LoadWidth  = $bits(link_proto_pkg::ping_t);
  localparam int unsigned CountWidth = $clog2(DataWidth / 8 + 1);
  typedef logic [CountWidth-1:0] count_t;

  state_e               state_q, state_d;
  logic                 game_q, game_d;    // the reply is the reader's
  logic [7:0]           msg_q, msg_d;      // reply
  count_t               count_q, count_d;  // bytes requested; then: bytes left to send
  logic                 reading_q;         // the next payload byte is a cycle away
  logic                 rvalid_q;          // mem_rdata_i is it
  logic [DataWidth-1:0] data_q, data_d;

  // The game's requests that were handed over: the number of those that have no reply
  // yet or not all of it, and their sequence numbers, the oldest one's first
  logic [1:0]           pending_q, pending_d;
  logic [15:0]          seq_q, seq_d, next_seq_q, next_seq_d;
  logic                 taken_q, taken_d;          // the request offered is the last of them
  logic                 streaming_q, streaming_d;  // a part of the oldest one's reply has left
  logic                 part_q, part_d;            // the reply under way is a part
  logic                 turn_q, turn_d;            // a request comes before the next part
  logic [7:0]           credit_q, credit_d;        // parts that may leave
  logic                 part_left_q;               // and one that has just left
  logic                 waits_q, waits_d;          // the oldest request waits for the game

  function automatic link_proto_pkg::lengths_t all_lengths();
    link_proto_pkg::lengths_t lengths;
    lengths = GameLengths;
    for (int unsigned i = 0; i < order_pkg::FirstOfGame; i++) begin
      lengths[i] = link_proto_pkg::RequestLengths[i];
    end
    return lengths;
  endfunction

  localparam link_proto_pkg::lengths_t Lengths = all_lengths();

  logic [7:0] request, request_length;
  assign request        = req_i.header.msg;
  assign request_length = request[7] ? link_proto_pkg::NotRequest : Lengths[request[6:0]];

  // What is wrong with the request itself; the first reason of several. Found while idle.
  logic       refused, refused_q;
  logic [7:0] code, code_q;
  count_t     load_length_q;
  always_comb begin
    refused = 1'b1;
    code    = link_proto_pkg::ErrBusy;
    if (req_i.busy) code = link_proto_pkg::ErrBusy;
    else if (request_length == link_proto_pkg::NotRequest) code = link_proto_pkg::ErrUnknownType;
    else if (req_i.length != request_length) code = link_proto_pkg::ErrBadLength;
    else refused = 1'b0;
  end

  logic load_done;
  assign load_done  = count_q == load_length_q;

  assign mem_en_o   = state_q == StLoad && !load_done;
  assign mem_addr_o = '{slot: req_i.slot, offset: offset_t'(count_q)};

  assign game_req_valid_o = state_q == StGame;
  assign game_req_msg_o   = request;
  assign game_req_slot_o  = req_i.slot;

  // A set_rate's payload; it lies there until its reply, which is empty, has gone
  link_proto_pkg::set_rate_t rate;
  logic                      rate_ok_q;
  assign rate         = data_q[LoadWidth-1 -: $bits(link_proto_pkg::set_rate_t)];
  assign rate_valid_o = header_valid_o && header_ready_i && !game_q &&
                        msg_q == link_proto_pkg::MsgSetRateReply;
  assign rate_inc_o   = rate.increment[23:0];

  assign part_allowed_o = credit_q != '0;

  // The reader's reply or the own one
  logic game_valid;
  assign game_valid         = game_reply_i.valid &&
                              (!game_reply_i.part || credit_q != '0 || cancelling_i);
  assign header_valid_o     = state_q == StHeader && (!game_q || game_valid);
  assign header_o           = game_q ? '{seq: seq_q, msg: game_reply_i.msg}
                                     : '{seq: req_i.header.seq, msg: msg_q};
  assign header_empty_o     = game_q ? game_reply_i.empty : count_q == '0;

  assign game_owes_o = pending_q != '0;
  assign stopped_o   = (state_q == StIdle || state_q == StDecode) &&
                       streaming_q && game_reply_i.valid && !game_valid &&
                       (!req_valid_i || taken_q || waits_q);

  assign payload_valid_o    = state_q == StBytes && (!game_q || game_reply_i.byte_valid);
  assign payload_data_o     = game_q ? game_reply_i.byte_data : data_q[7:0];
  assign payload_last_o     = game_q ? game_reply_i.byte_last : count_q == count_t'(1);

  assign game_ack_o.ready      = header_valid_o && game_q && header_ready_i;
  assign game_ack_o.byte_ready = state_q == StBytes && game_q && payload_ready_i;

  // A reply has left
  logic begun, done;
  assign begun = header_valid_o && header_ready_i;
  assign done  = (begun && header_empty_o) ||
                 (payload_valid_o && payload_ready_i && payload_last_o);

  assign req_ready_o = (done && !game_q) || (taken_q && game_loaded_i);

  logic may_begin;
  assign may_begin = order_pkg::may_begin(request, refused_q,
                                          order_pkg::game_state(pending_q, streaming_q));

  always_comb begin
    state_d = state_q;
    game_d  = game_q;
    msg_d   = msg_q;
    count_d = count_q;
    data_d  = data_q;

    pending_d   = pending_q;
    seq_d       = seq_q;
    next_seq_d  = next_seq_q;
    taken_d     = taken_q && !game_loaded_i;
    streaming_d = streaming_q;
    part_d      = part_q;
    turn_d      = turn_q;
    waits_d     = waits_q && !done;

    if (rvalid_q) data_d[LoadWidth-1:0] = {mem_rdata_i, data_q[LoadWidth-1:8]};

    unique case (state_q)
      StIdle: if (game_valid && !(turn_q && req_valid_i && !taken_q)) begin
        state_d = StHeader;
        game_d  = 1'b1;
      end else if (req_valid_i && !taken_q) begin
        state_d = StDecode;
      end

      StDecode: begin
        state_d = StHeader;
        game_d  = 1'b0;
        turn_d  = 1'b0;
        // Until found otherwise below
        msg_d   = link_proto_pkg::MsgError;
        count_d = count_t'(link_proto_pkg::ErrorBytes);
        data_d  = DataWidth'(frame_pkg::error_payload(code_q, request));
        if (!refused_q) begin
          msg_d = request | link_proto_pkg::ReplyBit;
          if (request >= 8'(order_pkg::FirstOfGame)) state_d = StGame;
          else unique case (request)
            link_proto_pkg::MsgPing, link_proto_pkg::MsgSetRate: begin
              state_d = StLoad;
              count_d = '0;
            end
            link_proto_pkg::MsgInfo: begin
              data_d  = DataWidth'(info_i);
              count_d = count_t'(link_proto_pkg::InfoReplyBytes);
            end
            link_proto_pkg::MsgStats: begin
              data_d  = DataWidth'(stats_i);
              count_d = count_t'(link_proto_pkg::StatsReplyBytes);
            end
            link_proto_pkg::MsgButtons: begin
              data_d  = DataWidth'(buttons_i);
              count_d = count_t'(link_proto_pkg::ButtonsReplyBytes);
            end
            link_proto_pkg::MsgReset: count_d = count_t'(link_proto_pkg::ResetReplyBytes);
            link_proto_pkg::MsgCancel: count_d = count_t'(link_proto_pkg::CancelReplyBytes);
            link_proto_pkg::MsgCredit: count_d = count_t'(link_proto_pkg::CreditReplyBytes);
            default: ;
          endcase
        end
        waits_d = !may_begin;
        if (waits_d) state_d = StIdle;
      end

      StLoad: begin
        // The last byte arrives in the cycle that leaves. A pong is as long as
        // its ping.
        if (!load_done) count_d = count_q + 1'b1;
        else if (!reading_q) state_d = (request == link_proto_pkg::MsgSetRate) ? StRate : StHeader;
      end

      StRate: state_d = StRated;

      StRated: begin
        state_d = StHeader;
        count_d = count_t'(link_proto_pkg::SetRateReplyBytes);
        if (!rate_ok_q) begin
          msg_d   = link_proto_pkg::MsgError;
          count_d = count_t'(link_proto_pkg::ErrorBytes);
          data_d  = DataWidth'(frame_pkg::error_payload(link_proto_pkg::ErrBadRate, request));
        end
      end

      StGame: if (game_req_ready_i) begin
        state_d   = StIdle;
        pending_d = pending_q + 2'd1;
        taken_d   = 1'b1;
        if (pending_q == '0) seq_d = req_i.header.seq;
        else next_seq_d = req_i.header.seq;
      end

      StHeader: if (begun) begin
        state_d = header_empty_o ? StIdle : StBytes;
        part_d  = game_q && game_reply_i.part;
        if (part_d) streaming_d = 1'b1;
      end

      StBytes: if (payload_ready_i) begin
        // Nobody looks at them when the bytes are the reader's.
        count_d = count_q - 1'b1;
        data_d  = data_q >> 8;
        if (payload_valid_o && payload_last_o) state_d = StIdle;
      end

      default: state_d = StIdle;
    endcase

    if (done && game_q) begin
      turn_d = 1'b1;
      if (!part_d) begin
        pending_d   = pending_q - 2'd1;
        seq_d       = next_seq_q;
        streaming_d = 1'b0;
      end
    end
  end

  // Saturates; a cancelled stream may go below what it has. Counted in the cycle after
  // the part's header left, for much hangs on that: before the next header, because a
  // part has a payload.
  always_comb begin
    credit_d = credit_q;
    if (!streaming_q) begin
      credit_d = link_proto_pkg::StreamCredit;
    end else begin
      if (part_left_q && credit_q != '0) credit_d = credit_q - 8'd1;
      if (credit_i) begin
        credit_d = (credit_d > 8'hff - link_proto_pkg::StreamCredit) ? 8'hff
                 : credit_d + link_proto_pkg::StreamCredit;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    rate_ok_q <= rate.increment >= link_proto_pkg::MinIncrement &&
                 rate.increment <= link_proto_pkg::MaxIncrement;
    if (state_q == StIdle) begin
      load_length_q <= count_t'(request_length);
      refused_q     <= refused;
      code_q        <= code;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q     <= StIdle;
      game_q      <= 1'b0;
      msg_q       <= '0;
      count_q     <= '0;
      reading_q   <= 1'b0;
      rvalid_q    <= 1'b0;
      data_q      <= '0;
      pending_q   <= '0;
      seq_q       <= '0;
      next_seq_q  <= '0;
      taken_q     <= 1'b0;
      streaming_q <= 1'b0;
      part_q      <= 1'b0;
      turn_q      <= 1'b0;
      part_left_q <= 1'b0;
      waits_q     <= 1'b0;
      credit_q    <= link_proto_pkg::StreamCredit;
    end else begin
      state_q     <= state_d;
      game_q      <= game_d;
      msg_q       <= msg_d;
      count_q     <= count_d;
      reading_q   <= mem_en_o;
      rvalid_q    <= reading_q;
      data_q      <= data_d;
      pending_q   <= pending_d;
      seq_q       <= seq_d;
      next_seq_q  <= next_seq_d;
      taken_q     <= taken_d;
      streaming_q <= streaming_d;
      part_q      <= part_d;
      turn_q      <= turn_d;
      waits_q     <= waits_d;
      part_left_q <= begun && game_q && game_reply_i.part;
      credit_q    <= credit_d;
    end
  end

`ifndef SYNTHESIS
  HeaderHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    header_valid_o && !header_ready_i |=>
    header_valid_o && $stable(header_o) && $stable(header_empty_o));
  PayloadHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    payload_valid_o && !payload_ready_i |=>
    payload_valid_o && $stable(payload_data_o) && $stable(payload_last_o));
  EndsARequest_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    req_ready_o |-> req_valid_i);
  GameAsked_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    game_reply_i.valid |-> pending_q != '0);
  PartsHavePayloads_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    game_reply_i.valid && game_reply_i.part |-> !game_reply_i.empty);
  Loaded_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    game_loaded_i |-> taken_q);
  OwnBetweenParts_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    streaming_q && begun && !game_q);
  RateInLimits_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    rate_valid_o |-> rate_ok_q);
`endif

endmodule
