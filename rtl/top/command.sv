// Dispatcher: answers the requests of the queue one after the other.
//
// Drive it: the oldest request on `req_*`; `req_ready_o` is high in the cycle
// in which the last byte of its reply is taken. Replies leave as a header
// (`header_*`) and payload bytes (`payload_*`, absent when `header_empty_o`).
// The dispatcher itself answers ping, info, stats, reset, set_rate and what is
// wrong with a frame; every other request is handed to the game's reader on `game_*`
// and that reader's reply is passed on. A reset request was carried out when
// its frame came (by this module's reset, too): here it is only answered.
//
// `rate_valid_o` is high in the cycle in which the header of a set_rate's good
// reply is taken, with the increment.
//
// Header after the request is offered: 2 cycles, ping 12, set_rate 10. Memory:
// `mem_rdata_i` follows `mem_en_o` by two cycles.
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
  input  logic                    game_reply_valid_i,
  output logic                    game_reply_ready_o,
  input  logic [7:0]              game_reply_msg_i,
  input  logic                    game_reply_empty_i,
  input  logic                    game_byte_valid_i,
  output logic                    game_byte_ready_o,
  input  logic [7:0]              game_byte_data_i,
  input  logic                    game_byte_last_i,
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
    StIdle,
    StDecode, // is it one that can be served?
    StLoad,   // a ping's or set_rate's payload from memory
    StRate,   // is it a rate? Two cycles, for the limits
    StRated,
    StGame,   // the reader takes the request
    StHeader,
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
  count_t               count_q, count_d;  // bytes asked for; then: bytes left to send
  logic                 reading_q;         // the next payload byte is a cycle away
  logic                 rvalid_q;          // mem_rdata_i is it
  logic [DataWidth-1:0] data_q, data_d;

  // The link's requests and the game's
  function automatic link_proto_pkg::lengths_t all_lengths();
    link_proto_pkg::lengths_t lengths;
    lengths = GameLengths;
    for (int unsigned i = 0; i < 128; i++) begin
      if (link_proto_pkg::RequestLengths[i] != link_proto_pkg::NotRequest) begin
        lengths[i] = link_proto_pkg::RequestLengths[i];
      end
    end
    return lengths;
  endfunction

  localparam link_proto_pkg::lengths_t Lengths = all_lengths();

  logic [7:0] request, request_length;
  assign request        = req_i.header.msg;
  // Looked up while idle
  logic [7:0] request_length_q;
  assign request_length = request_length_q;

  // What is wrong with the request itself; the first reason of several
  logic       refused;
  logic [7:0] code;
  always_comb begin
    refused = 1'b1;
    code    = link_proto_pkg::ErrBusy;
    if (req_i.busy) code = link_proto_pkg::ErrBusy;
    else if (request_length == link_proto_pkg::NotRequest) code = link_proto_pkg::ErrUnknownType;
    else if (req_i.length != request_length) code = link_proto_pkg::ErrBadLength;
    else refused = 1'b0;
  end

  logic load_done;
  assign load_done  = count_q == count_t'(request_length);

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

  // The reader's reply or the own one
  assign header_valid_o     = state_q == StHeader && (!game_q || game_reply_valid_i);
  assign header_o           = '{seq: req_i.header.seq, msg: game_q ? game_reply_msg_i : msg_q};
  assign header_empty_o     = game_q ? game_reply_empty_i : count_q == '0;
  assign game_reply_ready_o = state_q == StHeader && game_q && header_ready_i;

  assign payload_valid_o    = state_q == StBytes && (!game_q || game_byte_valid_i);
  assign payload_data_o     = game_q ? game_byte_data_i : data_q[7:0];
  assign payload_last_o     = game_q ? game_byte_last_i : count_q == count_t'(1);
  assign game_byte_ready_o  = state_q == StBytes && game_q && payload_ready_i;

  assign req_ready_o = (header_valid_o && header_ready_i && header_empty_o) ||
                       (payload_valid_o && payload_ready_i && payload_last_o);

  always_comb begin
    state_d = state_q;
    game_d  = game_q;
    msg_d   = msg_q;
    count_d = count_q;
    data_d  = data_q;

    if (rvalid_q) data_d[LoadWidth-1:0] = {mem_rdata_i, data_q[LoadWidth-1:8]};

    unique case (state_q)
      StIdle: if (req_valid_i) state_d = StDecode;

      StDecode: begin
        state_d = StHeader;
        game_d  = 1'b0;
        // Until found otherwise below
        msg_d   = link_proto_pkg::MsgError;
        count_d = count_t'(link_proto_pkg::ErrorBytes);
        data_d  = DataWidth'(frame_pkg::error_payload(code, request));
        if (!refused) begin
          msg_d = request | link_proto_pkg::ReplyBit;
          unique case (request)
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
            link_proto_pkg::MsgReset: count_d = count_t'(link_proto_pkg::ResetReplyBytes);
            default: begin
              state_d = StGame;
              game_d  = 1'b1;
            end
          endcase
        end
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

      StGame: if (game_req_ready_i) state_d = StHeader;

      StHeader: if (header_valid_o && header_ready_i) state_d = header_empty_o ? StIdle : StBytes;

      StBytes: if (payload_valid_o && payload_ready_i) begin
        count_d = count_q - 1'b1;
        data_d  = data_q >> 8;
        if (payload_last_o) state_d = StIdle;
      end

      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    rate_ok_q <= rate.increment >= link_proto_pkg::MinIncrement &&
                 rate.increment <= link_proto_pkg::MaxIncrement;
    if (state_q == StIdle) begin
      request_length_q <= request[7] ? link_proto_pkg::NotRequest : Lengths[request[6:0]];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= StIdle;
      game_q    <= 1'b0;
      msg_q     <= '0;
      count_q   <= '0;
      reading_q <= 1'b0;
      rvalid_q  <= 1'b0;
      data_q    <= '0;
    end else begin
      state_q   <= state_d;
      game_q    <= game_d;
      msg_q     <= msg_d;
      count_q   <= count_d;
      reading_q <= mem_en_o;
      rvalid_q  <= reading_q;
      data_q    <= data_d;
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
  RateInLimits_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    rate_valid_o |-> rate_ok_q);
`endif

endmodule
