// Connect Four's side of the wire: serves the game's requests with the core, on the kit.
// docs/kit.md has the contract of `req_i` and `rsp_o`.
//
// The next request is read while one is served, but for `set_weights`, whose bytes replace the
// weights in use. The core works on while a part of its stream is sent.
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
    RdIdle,   // waits for a request and checks it
    RdServe,  // begins to serve it, or to refuse it
    RdSearch, // the core searches; parts
    RdReply   // the reply, or the end of a stream
  } state_e;

  state_e     state_q, state_d;
  logic [7:0] msg_q, msg_d;      // request
  logic       error_q, error_d;  // it is refused
  logic [7:0] code_q, code_d;    // why

  logic searches, traces, start;  // a search or trace is served
  assign traces   = msg_q == MsgTrace;
  assign searches = (msg_q == MsgSearch || traces) && !error_q;

  // ------------------------------------------------------------------------ the request
  logic                 loaded, release_load, refused, weights_we, weights_set;
  logic [7:0]           loaded_msg, code;
  connect4_pkg::board_t own, opponent;
  connect4_pkg::count_t depth;

  connect4_request u_connect4_request (
    .clk_i,
    .rst_ni,
    .req_i         (req_i.load),
    .rsp_o         (rsp_o.load),
    .idle_i        (state_q == RdIdle),
    .loaded_o      (loaded),
    .release_i     (release_load),
    .msg_o         (loaded_msg),
    .own_o         (own),
    .opponent_o    (opponent),
    .depth_o       (depth),
    .refused_o     (refused),
    .code_o        (code),
    .weights_we_o  (weights_we),
    .weights_set_i (weights_set)
  );

  connect4_pkg::weights_t weights;
  logic [7:0]             weights_byte;
  logic                   weights_turn;

  setting_register #(
    .Bytes (SetWeightsBytes)
  ) u_weights (
    .clk_i,
    .rst_ni,
    .load_i  (weights_we),
    .byte_i  (req_i.load.rdata),
    .set_i   (state_q == RdServe && msg_q == MsgSetWeights),
    .turn_i  (weights_turn),
    .byte_o  (weights_byte),
    .set_o   (weights_set),
    .value_o (weights)
  );

  // --------------------------------------------------------------------------- the core
  logic                     core_ready, core_done, cancelled, depth_done;
  logic                     candidate_valid, candidate_ready;
  connect4_pkg::progress_t  progress;
  connect4_pkg::candidate_t candidate;
  logic                     sent;

  connect4_search u_connect4_search (
    .clk_i,
    .rst_ni,
    .weights_i         (weights),
    .cancel_i          (req_i.cancel),
    .req_valid_i       (start),
    .req_ready_o       (core_ready),
    .req_i             ('{own: own, opponent: opponent, depth: depth, trace: traces}),
    .depth_done_o      (depth_done),
    .progress_o        (progress),
    .candidate_valid_o (candidate_valid),
    .candidate_ready_i (candidate_ready),
    .candidate_o       (candidate),
    .rsp_valid_o       (core_done),
    .rsp_ready_i       (state_q == RdReply && sent && searches),
    .cancelled_o       (cancelled)
  );

  if (connect4_pkg::Columns != Columns || connect4_pkg::Rows != Rows ||
      connect4_pkg::Win != signed'(Win) ||
      $bits(connect4_pkg::weights_t) != $bits(set_weights_t)) begin : gen_mismatch
    $error("connect4_pkg and the wire's layout differ");
  end

  // ------------------------------------------------------------------------ the replies
  frame_pkg::offset_t length, index;
  logic               fetch, making, part;
  logic [7:0]         data;
  logic [15:0]        parts;

  connect4_replies #(
    .Interval (Interval)
  ) u_connect4_replies (
    .clk_i,
    .rst_ni,
    .start_i           (start),
    .searching_i       (state_q == RdSearch),
    .room_i            (req_i.room),
    .making_o          (making),
    .part_o            (part),
    .sent_i            (sent),
    .msg_i             (msg_q),
    .length_o          (length),
    .fetch_i           (fetch),
    .index_i           (index),
    .byte_o            (data),
    .weights_byte_i    (weights_byte),
    .weights_turn_o    (weights_turn),
    .parts_i           (parts),
    .depth_done_i      (depth_done),
    .progress_i        (progress),
    .candidate_valid_i (candidate_valid),
    .candidate_ready_o (candidate_ready),
    .candidate_i       (candidate),
    .done_i            (core_done),
    .cancelled_i       (cancelled)
  );

  reply_sender u_reply_sender (
    .clk_i,
    .rst_ni,
    .valid_i   (part || state_q == RdReply),
    .sent_o    (sent),
    .request_i (msg_q),
    .part_i    (part),
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

  // -------------------------------------------------------------------------- in order
  assign start = state_q == RdServe && searches;
  always_comb begin
    state_d      = state_q;
    msg_d        = msg_q;
    error_d      = error_q;
    code_d       = code_q;
    release_load = 1'b0;

    unique case (state_q)
      RdIdle: if (loaded) begin
        state_d = RdServe;
        msg_d   = loaded_msg;
        error_d = refused;
        code_d  = code;
      end

      RdServe: if (!start || core_ready) begin
        state_d      = start ? RdSearch : RdReply;
        release_load = 1'b1;
      end

      RdSearch: if (core_done && !part && !making) state_d = RdReply;

      RdReply: if (sent) state_d = RdIdle;

      default: state_d = RdIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= RdIdle;
    else state_q <= state_d;
  end

  // What a request sets needs no reset.
  always_ff @(posedge clk_i) begin
    msg_q   <= msg_d;
    error_q <= error_d;
    code_q  <= code_d;
  end

`ifndef SYNTHESIS
  PartOfStream_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    part |-> state_q == RdSearch);
  LoadsWhileSearching_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    rsp_o.load.loaded && state_q == RdSearch);
`endif

endmodule
