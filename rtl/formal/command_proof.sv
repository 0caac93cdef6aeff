// command: every reply leaves in its turn, as docs/wire.md has it:
//  - the reply to a request of the link, or to one that the link refuses, when all requests before
//    it are answered, or between the parts of a stream if that alone is left;
//  - the reply to a cancel that is not refused, only when all before it are answered;
//  - the game's replies in the order of its requests, each with its own sequence number;
//  - parts only with credit or when cancelled.
// The game is given at most two requests. Nothing that may leave is held up by what may not.
//
// The queue and the game are any that keep to their side of the handshakes. The properties look at
// what has left, not at the module's state.
module command_proof
  import frame_pkg::header_t, frame_pkg::mem_addr_t, frame_pkg::request_t, frame_pkg::slot_t;
(
  input logic       clk_i,
  input logic       rst_ni,
  input logic       credit_i,
  input logic       cancelling_i,
  input logic       req_valid_i,
  input request_t   req_i,
  input logic [7:0] mem_rdata_i,
  input logic       game_req_ready_i,
  input logic       game_loaded_i,
  input game_pkg::reply_t game_reply_i,
  input logic       header_ready_i,
  input logic       payload_ready_i
);

  // States of the dispatcher
  localparam logic [2:0] StIdle   = 3'd0;
  localparam logic [2:0] StDecode = 3'd1;
  localparam logic [2:0] StLoad   = 3'd2;
  localparam logic [2:0] StRate   = 3'd3;
  localparam logic [2:0] StRated  = 3'd4;
  localparam logic [2:0] StGame   = 3'd5;
  localparam logic [2:0] StHeader = 3'd6;
  localparam logic [2:0] StBytes  = 3'd7;

  logic started_q = 1'b0;
  logic rst_n;
  always_ff @(posedge clk_i) started_q <= 1'b1;
  assign rst_n = started_q && rst_ni;

  logic       req_ready, game_req_valid, game_reply_ready, unused_byte_ready;
  game_pkg::reply_ack_t game_ack;
  assign {game_reply_ready, unused_byte_ready} = game_ack;
  logic       header_valid, header_empty, payload_valid, payload_last;
  header_t    header;
  logic       owes, stopped;
  logic       unused_mem_en, unused_rate_valid;
  mem_addr_t  unused_mem_addr;
  logic [7:0] unused_game_msg, unused_payload;
  slot_t      unused_slot;
  logic [23:0] unused_rate;

  command u_dut (
    .clk_i,
    .rst_ni             (rst_n),
    .info_i             ('0),
    .stats_i            ('0),
    .buttons_i          ('0),
    .credit_i,
    .cancelling_i,
    .game_owes_o        (owes),
    .stopped_o          (stopped),
    .rate_valid_o       (unused_rate_valid),
    .rate_inc_o         (unused_rate),
    .req_valid_i,
    .req_ready_o        (req_ready),
    .req_i,
    .mem_en_o           (unused_mem_en),
    .mem_addr_o         (unused_mem_addr),
    .mem_rdata_i,
    .game_req_valid_o   (game_req_valid),
    .game_req_ready_i,
    .game_req_msg_o     (unused_game_msg),
    .game_req_slot_o    (unused_slot),
    .game_loaded_i,
    .game_reply_i,
    .game_ack_o         (game_ack),
    .header_valid_o     (header_valid),
    .header_ready_i,
    .header_o           (header),
    .header_empty_o     (header_empty),
    .payload_valid_o    (payload_valid),
    .payload_ready_i,
    .payload_data_o     (unused_payload),
    .payload_last_o     (payload_last)
  );

  // ------------------------------------------------------------ the oldest request, by docs/wire.md
  // Of the game's requests here each has no payload.
  logic refused, is_cancel, is_game, between;
  always_comb begin
    logic [7:0] length;
    unique case (req_i.header.msg)
      8'h01:   length = 8'd8;
      8'h05:   length = 8'd4;
      default: length = 8'd0;
    endcase
    refused   = req_i.busy || req_i.header.msg == 8'h00 || req_i.header.msg >= 8'h80 ||
                (req_i.header.msg >= 8'h09 && req_i.header.msg <= 8'h0f) || req_i.length != length;
    is_cancel = !refused && req_i.header.msg == 8'h06;
    is_game   = !refused && req_i.header.msg >= 8'h10;
    between   = !is_cancel && !is_game;
  end

  // ------------------------------------------------- what was given to the game, and what has left
  logic [1:0]  given_q;               // requests without their last reply
  logic [15:0] first_q, second_q;     // their sequence numbers
  logic        loading_q;             // the oldest request is the last of them
  logic        begun_q;               // a part of the first one's reply has left
  logic [7:0]  credit_q, credit;      // parts that may leave, once one has
  logic        bytes_q;               // a payload is under way:
  logic        game_q, part_q;        // ... it is the game's, a part's
  logic        give, own, last;

  // Who gets a header is told apart by the handshake with the game.
  assign own  = header_valid && header_ready_i && !game_reply_ready;
  assign give = game_req_valid && game_req_ready_i;
  assign last = (header_valid && header_ready_i && header_empty) ||
                (payload_valid && payload_ready_i && payload_last);

  logic game_now, part_now, ends;     // whose reply is leaving, and whether it ends the game's
  assign game_now = bytes_q ? game_q : game_reply_ready;
  assign part_now = bytes_q ? part_q : game_reply_i.part;
  assign ends     = last && game_now && !part_now;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      given_q   <= '0;
      loading_q <= 1'b0;
      begun_q   <= 1'b0;
      bytes_q   <= 1'b0;
    end else begin
      given_q   <= given_q + 2'(give) - 2'(ends);
      loading_q <= give || (loading_q && !game_loaded_i);
      if (give && given_q == '0) first_q <= req_i.header.seq;
      if (give && given_q != '0) second_q <= req_i.header.seq;
      if (ends) first_q <= second_q;
      begun_q <= !ends && (begun_q || (header_valid && header_ready_i && game_now && part_now));
      if (header_valid && header_ready_i) begin
        bytes_q <= !header_empty;
        game_q  <= game_reply_ready;
        part_q  <= game_reply_i.part;
      end else if (last) begin
        bytes_q <= 1'b0;
      end
    end
  end

  assign credit = !(credit_i && begun_q) ? credit_q : (credit_q > 8'd247) ? 8'd255 : credit_q + 8'd8;
  always_ff @(posedge clk_i) begin
    if (!(game_reply_ready && game_reply_i.part)) credit_q <= credit;
    else if (!begun_q) credit_q <= 8'd7;
    else credit_q <= (credit == '0) ? '0 : credit - 8'd1;
  end

  // Requests and replies that are offered stay until they are taken.
  logic     held_req_q, held_reply_q, cancelling_q;
  request_t req_q;
  logic [9:0] reply_q;
  always_ff @(posedge clk_i) begin
    held_req_q   <= rst_n && req_valid_i && !req_ready;
    req_q        <= req_i;
    held_reply_q <= rst_n && game_reply_i.valid && !game_reply_ready;
    // The cancel waits for what was given to the game before it.
    cancelling_q <= rst_n && cancelling_i && given_q != '0;
    reply_q      <= {game_reply_i.msg, game_reply_i.empty, game_reply_i.part};
  end

  // Cycles in which something may leave and nothing does
  logic [4:0] idle_q;
  logic       own_may, game_may, may_give, paid, busy;
  assign own_may  = req_valid_i && !loading_q && !is_game &&
                    (given_q == '0 || (given_q == 2'd1 && begun_q && between));
  assign paid     = !begun_q || credit_q != '0 || cancelling_i;
  assign may_give = req_valid_i && !loading_q && is_game && given_q < 2'd2;
  assign game_may = game_reply_i.valid && (!game_reply_i.part || paid);
  assign busy     = header_valid || bytes_q || game_req_valid;
  always_ff @(posedge clk_i) begin
    idle_q <= (rst_n && (own_may || game_may) && !busy) ? idle_q + 5'd1 : '0;
  end

  always_comb begin
    Req_M:    assume (!held_req_q || (req_valid_i && req_i == req_q));
    Reply_M:  assume (!held_reply_q || (game_reply_i.valid && reply_q ==
                      {game_reply_i.msg, game_reply_i.empty, game_reply_i.part}));
    Cancel_M: assume (!cancelling_q || cancelling_i);
    Game_M:   assume (!game_reply_i.valid || given_q != '0);
    // The first reply of a request comes after it was given, its payload read or not.
    Part_M:   assume (!game_reply_i.valid || !game_reply_i.part || !game_reply_i.empty);
    Loaded_M: assume (!game_loaded_i || loading_q);
    // A request is answered after its payload's end.
    Loads_M:  assume (!game_reply_i.valid || !loading_q || given_q == 2'd2);
    if (rst_n) begin
      Own_A:    assert (!own || (own_may && header.seq == req_i.header.seq));
      Theirs_A: assert (!game_reply_ready || (given_q != '0 && header.seq == first_q &&
                        header.msg == game_reply_i.msg && (!game_reply_i.part || paid)));
      Give_A:   assert (!game_req_valid || (req_valid_i && is_game && !loading_q &&
                        given_q < 2'd2));
      Ready_A:  assert (req_ready == ((last && !game_now) || (loading_q && game_loaded_i)));
      Owes_A:   assert (owes == (given_q != '0));
      // It stands still for want of credit alone, and says so then.
      Stops_A:  assert (!stopped || (game_reply_i.valid && !game_may && !own_may && !may_give &&
                        !busy));
      Waits_A:  assert (!u_dut.waits_q || (req_valid_i && !loading_q &&
                        (busy || (!own_may && !may_give))));
      Wait2_A:  assert (!u_dut.waits_q || u_dut.state_q inside {StIdle, StDecode} ||
                        (u_dut.state_q inside {StHeader, StBytes} && u_dut.game_q));
      Moves_A:  assert (idle_q < 5'd16);
      // How the dispatcher keeps all this
      Given_A:  assert (u_dut.pending_q == given_q && u_dut.taken_q == loading_q &&
                        u_dut.streaming_q == begun_q && given_q < 2'd3);
      First_A:  assert (given_q == '0 || u_dut.seq_q == first_q);
      Second_A: assert (given_q != 2'd2 || u_dut.next_seq_q == second_q);
      Begun_A:  assert (!begun_q || given_q != '0);
      Bytes_A:  assert (bytes_q == (u_dut.state_q == StBytes) && (!bytes_q ||
                        (game_q == u_dut.game_q && (!game_q || part_q == u_dut.part_q))));
      Game_A:   assert (!bytes_q || !game_q || (given_q != '0 && (!part_q || begun_q)));
      Header_A: assert (u_dut.state_q != StHeader || (u_dut.game_q ? game_may : own_may));
      Serves_A: assert (!(u_dut.state_q inside {StLoad, StRate, StRated}) ||
                        (own_may && !u_dut.game_q));
      Answer_A: assert (!bytes_q || game_q || own_may);
      Asked_A:  assert (u_dut.state_q != StGame || (req_valid_i && is_game && !loading_q));
      Decode_A: assert (u_dut.state_q != StDecode || (req_valid_i && !loading_q &&
                        u_dut.refused_q == refused));
      Load_A:   assert (u_dut.state_q != StLoad || (u_dut.count_q <= u_dut.load_length_q &&
                        u_dut.load_length_q == (req_i.header.msg == 8'h01 ? 5'd8 : 5'd4)));
      Credit_A: assert (!begun_q || credit_q ==
                        u_dut.credit_q - 8'(u_dut.part_left_q && u_dut.credit_q != '0));
      Left_A:   assert (!u_dut.part_left_q || (bytes_q && game_q && part_q));
      Reads_A:  assert (!u_dut.reading_q || u_dut.state_q == StLoad);
    end
    Between_C:  cover (rst_n && own && begun_q);
    Refused_C:  cover (rst_n && own && begun_q && refused && req_i.header.msg == 8'h06);
    Cancel_C:   cover (rst_n && own && is_cancel && idle_q == '0);
    Two_C:      cover (rst_n && given_q == 2'd2 && ends);
  end

endmodule
