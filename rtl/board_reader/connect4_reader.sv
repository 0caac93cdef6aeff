// Connect Four's side of the wire: serves the game's requests with the core, on the kit.
// docs/kit.md has the contract of `req_i` and `rsp_o`.
//
// The next request is read while one is served, but for `set_weights`, whose bytes replace the
// weights in use. A stream's part is copied when it is made, so that the search goes on while it
// is sent: the first part of a search at once, then one for each depth that is complete, and one
// `Interval` cycles after the last. Without room for it, a part of a search is dropped.
// A trace waits with the next column until there is room.
//
// Header after the request was taken: set_weights 47 cycles, get_weights 4, the refusal of a
// search or trace 20; the first part of a search 21.
module connect4_reader
  import connect4_proto_pkg::*;
#(
  parameter int unsigned Interval = ProgressCycles  // most cycles between two parts of a search
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  game_pkg::game_req_t req_i,
  output game_pkg::game_rsp_t rsp_o
);

  typedef enum logic [1:0] {
    RdIdle,   // is what was loaded a request that can be served?
    RdServe,  // it is, or why not
    RdSearch, // the core searches; parts
    RdReply   // the reply, or the end of a stream
  } state_e;

  state_e     state_q, state_d;
  logic [7:0] msg_q, msg_d;      // request
  logic       error_q, error_d;  // it is refused
  logic [7:0] code_q, code_d;    // why

  set_weights_t weights_q, weights_d;
  logic         weights_set_q, weights_set_d;

  // ------------------------------------------------------------------------ the request
  logic               hold, load_byte, loaded, release_load;
  frame_pkg::offset_t unused_index;
  logic [7:0]         loaded_msg;
  search_t            request;

  request_loader #(
    .Bytes (SearchBytes)
  ) u_request_loader (
    .clk_i,
    .rst_ni,
    .req_valid_i  (req_i.valid),
    .req_ready_o  (rsp_o.ready),
    .req_msg_i    (req_i.msg),
    .req_slot_i   (req_i.slot),
    .req_length_i (frame_pkg::offset_t'(RequestLengths[req_i.msg[6:0]])),
    .req_loaded_o (rsp_o.loaded),
    .mem_en_o     (rsp_o.mem_en),
    .mem_addr_o   (rsp_o.mem_addr),
    .mem_rdata_i  (req_i.rdata),
    .hold_i       (hold),
    .byte_valid_o (load_byte),
    .byte_index_o (unused_index),
    .loaded_o     (loaded),
    .release_i    (release_load),
    .msg_o        (loaded_msg),
    .payload_o    (request)
  );

  assign hold = loaded_msg == MsgSetWeights && state_q != RdIdle;
  always_comb begin
    weights_d = weights_q;
    if (load_byte && loaded_msg == MsgSetWeights) begin
      weights_d = {req_i.rdata, weights_q[$bits(weights_q)-1:8]};
    end
  end

  // What is wrong with a position
  connect4_pkg::board_t own, opponent;
  logic                 bad_board, full, own_four, opponent_four, bad_depth;
  always_comb begin
    bad_board = 1'b0;
    full      = 1'b1;
    for (int unsigned c = 0; c < Columns; c++) begin
      logic [7:0] mine, others, stones;
      mine   = request.own[8*c +: 8];
      others = request.opponent[8*c +: 8];
      stones = mine | others;
      // Stones without a gap beneath them are a number of the form 2^n - 1.
      if ((mine & others) != '0 || stones[7:Rows] != '0 || (stones & (stones + 8'd1)) != '0) begin
        bad_board = 1'b1;
      end
      if (!stones[Rows-1]) full = 1'b0;
      own[c]      = mine[Rows:0];
      opponent[c] = others[Rows:0];
    end
  end
  assign bad_depth = request.depth == '0 || request.depth > 8'(Columns * Rows);

  connect4_win u_own_win (
    .board_i (own),
    .four_o  (own_four)
  );
  connect4_win u_opponent_win (
    .board_i (opponent),
    .four_o  (opponent_four)
  );

  // --------------------------------------------------------------------------- the core
  logic                     searches, traces, start, core_ready, depth_done, cancelled;
  logic                     candidate_valid, candidate_ready, core_done, core_take;
  connect4_pkg::progress_t  progress;
  connect4_pkg::candidate_t candidate;
  assign traces   = msg_q == MsgTrace;
  assign searches = msg_q == MsgSearch || traces;

  connect4_search u_connect4_search (
    .clk_i,
    .rst_ni,
    .weights_i         (weights_q),
    .cancel_i          (req_i.cancel),
    .req_valid_i       (start),
    .req_ready_o       (core_ready),
    .req_i             ('{own: own, opponent: opponent, depth: request.depth[5:0],
                          trace: traces}),
    .depth_done_o      (depth_done),
    .progress_o        (progress),
    .candidate_valid_o (candidate_valid),
    .candidate_ready_i (candidate_ready),
    .candidate_o       (candidate),
    .rsp_valid_o       (core_done),
    .rsp_ready_i       (core_take),
    .cancelled_o       (cancelled)
  );

  if (connect4_pkg::Columns != Columns || connect4_pkg::Rows != Rows ||
      connect4_pkg::Win != signed'(Win) ||
      $bits(connect4_pkg::weights_t) != $bits(set_weights_t)) begin : gen_mismatch
    $error("connect4_pkg and the wire's layout differ");
  end

  // -------------------------------------------------------------------------- the parts
  localparam int unsigned SinceWidth = $clog2(Interval);
  typedef logic [SinceWidth-1:0] since_t;

  progress_t   part_q, part_d;              // the part that is sent; a candidate is shorter
  logic        part_valid_q, part_valid_d;
  logic        first_q, first_d;            // no part was made yet
  since_t      since_q, since_d;            // cycles since the last one
  logic        make_part, part_due, sent;
  logic [15:0] parts;

  logic [7:0] column;
  assign column = (progress.depth == '0) ? 8'hff : 8'(progress.column);

  assign part_due = depth_done || (since_q == since_t'(Interval - 1) && !core_done);
  always_comb begin
    make_part = state_q == RdSearch && !part_valid_q;
    if (traces) make_part = make_part && candidate_valid;
    else make_part = make_part && (first_q || (part_due && req_i.room));
  end
  assign candidate_ready = make_part && traces;

  always_comb begin
    part_d       = part_q;
    part_valid_d = part_valid_q && !sent;
    first_d      = first_q && !make_part;
    since_d      = since_q;
    if (since_q != since_t'(Interval - 1)) since_d = since_q + 1'b1;
    if (make_part) begin
      part_valid_d = 1'b1;
      since_d      = '0;
      part_d = '{part: parts, depth: 8'(progress.depth), column: column, value: progress.value,
                 nodes: progress.nodes, cycles: progress.cycles};
      if (traces) begin
        part_d[8*CandidateBytes-1:0] = candidate_t'{
          part: parts, column: 8'(candidate.column), legal: 8'(candidate.legal),
          value: candidate.value, nodes: candidate.nodes};
      end
    end
    if (start) first_d = 1'b1;
  end

  // ------------------------------------------------------------------------ the replies
  found_t found;
  always_comb begin
    found = '{parts: parts, cancelled: 8'(cancelled), column: column, value: progress.value,
              depth: 8'(progress.depth), nodes: progress.nodes, cycles: progress.cycles};
    if (traces && cancelled) found = '{parts: parts, cancelled: 8'd1, default: '0};
  end

  frame_pkg::offset_t length, index;
  weights_t           payload;  // the longest
  logic               unused_fetch;
  always_comb begin
    length  = '0;
    payload = weights_q;
    if (part_valid_q) begin
      length  = frame_pkg::offset_t'(traces ? CandidateBytes : ProgressBytes);
      payload = $bits(payload)'(part_q);
    end else if (searches) begin
      length  = frame_pkg::offset_t'(FoundBytes);
      payload = $bits(payload)'(found);
    end else if (msg_q == MsgGetWeights) begin
      length  = frame_pkg::offset_t'(WeightsBytes);
    end
  end

  reply_sender u_reply_sender (
    .clk_i,
    .rst_ni,
    .valid_i       (part_valid_q || state_q == RdReply),
    .sent_o        (sent),
    .request_i     (msg_q),
    .part_i        (part_valid_q),
    .error_i       (error_q),
    .code_i        (code_q),
    .length_i      (length),
    .fetch_o       (unused_fetch),
    .index_o       (index),
    .byte_i        (8'(payload >> {index, 3'b0})),
    .parts_o       (parts),
    .reply_valid_o (rsp_o.reply_valid),
    .reply_ready_i (req_i.reply_ready),
    .reply_msg_o   (rsp_o.reply_msg),
    .reply_empty_o (rsp_o.reply_empty),
    .reply_part_o  (rsp_o.reply_part),
    .byte_valid_o  (rsp_o.byte_valid),
    .byte_ready_i  (req_i.byte_ready),
    .byte_data_o   (rsp_o.byte_data),
    .byte_last_o   (rsp_o.byte_last)
  );

  // ------------------------------------------------------------------------- in order
  always_comb begin
    state_d       = state_q;
    msg_d         = msg_q;
    error_d       = error_q;
    code_d        = code_q;
    weights_set_d = weights_set_q;
    release_load  = 1'b0;
    start         = 1'b0;
    core_take     = 1'b0;

    unique case (state_q)
      RdIdle: if (loaded) begin
        state_d = RdServe;
        msg_d   = loaded_msg;
        code_d  = ErrWeightsUnset;
        error_d = !weights_set_q;
        unique case (loaded_msg)
          MsgSetWeights: error_d = 1'b0;
          MsgGetWeights: ;
          // A search or trace
          default: begin
            if (bad_board || full || own_four || opponent_four || bad_depth) error_d = 1'b1;
            if (bad_depth) code_d = ErrBadDepth;
            if (full || own_four || opponent_four) code_d = ErrGameOver;
            if (bad_board) code_d = ErrBadBoard;
          end
        endcase
      end

      RdServe: begin
        start = searches && !error_q;
        if (!start || core_ready) begin
          state_d      = start ? RdSearch : RdReply;
          release_load = 1'b1;
        end
        if (msg_q == MsgSetWeights) weights_set_d = 1'b1;
      end

      RdSearch: if (core_done && !part_valid_q && !make_part) state_d = RdReply;

      RdReply: if (sent) begin
        state_d   = RdIdle;
        core_take = searches && !error_q;
      end

      default: state_d = RdIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q       <= RdIdle;
      weights_set_q <= 1'b0;
      part_valid_q  <= 1'b0;
    end else begin
      state_q       <= state_d;
      weights_set_q <= weights_set_d;
      part_valid_q  <= part_valid_d;
    end
  end

  // What a request sets needs no reset.
  always_ff @(posedge clk_i) begin
    msg_q     <= msg_d;
    error_q   <= error_d;
    code_q    <= code_d;
    weights_q <= weights_d;
    part_q    <= part_d;
    first_q   <= first_d;
    since_q   <= since_d;
  end

`ifndef SYNTHESIS
  PartOfStream_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    part_valid_q |-> state_q == RdSearch);
  LoadsWhileSearching_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    rsp_o.loaded && state_q == RdSearch);
`endif

endmodule
