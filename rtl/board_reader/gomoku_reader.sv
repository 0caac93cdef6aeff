// Gomoku's side of the wire: serves the game's requests with the core, on the kit.
// docs/kit.md has the contract of `req_i` and `rsp_o`.
//
// The next request is read while one is served. Weights are checked before they replace those in
// use. The core works on while a part of its stream is sent.
// Between two searches it takes 64 cycles to empty its board: a search waits for that.
//
// Header after the request was taken: set_weights 43 cycles, get_weights 4, the refusal of a
// search or trace 66; the first part of a search 67.
module gomoku_reader
  import gomoku_proto_pkg::*;
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
  logic             loaded, release_load, refused;
  logic [7:0]       loaded_msg, code;
  gomoku_pkg::map_t own, opponent;
  gomoku_pkg::ply_t depth, depth_q;
  set_weights_t     weights, weights_q;
  logic             weights_set_q, weights_set_d;
  logic             take_q;  // the weights were found right

  gomoku_request u_gomoku_request (
    .clk_i,
    .rst_ni,
    .req_i         (req_i.load),
    .rsp_o         (rsp_o.load),
    .loaded_o      (loaded),
    .release_i     (release_load),
    .msg_o         (loaded_msg),
    .own_o         (own),
    .opponent_o    (opponent),
    .depth_o       (depth),
    .weights_o     (weights),
    .refused_o     (refused),
    .code_o        (code),
    .weights_set_i (weights_set_q)
  );

  // --------------------------------------------------------------------------- the core
  logic                  core_ready, core_done, cancelled, node_valid, node_ready;
  gomoku_pkg::weights_t  core_weights;
  gomoku_pkg::progress_t progress;
  gomoku_pkg::node_t     node;
  logic                  sent;

  always_comb begin
    core_weights.lines  = weights_q.profile[0];
    core_weights.width  = weights_q.width;
    core_weights.extend = weights_q.extend[0];
    core_weights.attack = weights_q.attack;
    core_weights.defend = weights_q.defend;
    for (int unsigned k = 0; k < Shapes; k++) core_weights.key[k+1] = weights_q.key[8*k +: 5];
  end

  // Its reset from a register of its own: the core is large.
  logic core_rst_nq;
  always_ff @(posedge clk_i) core_rst_nq <= rst_ni;

  gomoku_search u_gomoku_search (
    .clk_i,
    .rst_ni       (core_rst_nq),
    .weights_i    (core_weights),
    .cancel_i     (req_i.cancel),
    .req_valid_i  (start),
    .req_ready_o  (core_ready),
    .req_i        ('{own: own, opponent: opponent, depth: depth, trace: traces}),
    .progress_o   (progress),
    .node_valid_o (node_valid),
    .node_ready_i (node_ready),
    .node_o       (node),
    .rsp_valid_o  (core_done),
    .rsp_ready_i  (state_q == RdReply && sent && searches),
    .cancelled_o  (cancelled)
  );

  if (gomoku_pkg::Side != Columns || gomoku_pkg::Side != Rows ||
      gomoku_pkg::MaxDepth != 32'(MaxDepth) || gomoku_pkg::NoPoint != NoPoint) begin : gen_mismatch
    $error("gomoku_pkg and the wire's layout differ");
  end

  // ------------------------------------------------------------------------ the replies
  frame_pkg::offset_t length, index;
  logic               unused_fetch, unused_index, making, part;
  assign unused_index = index[6];
  logic [7:0]         data;
  logic [15:0]        parts;

  gomoku_replies #(
    .Interval (Interval)
  ) u_gomoku_replies (
    .clk_i,
    .rst_ni,
    .start_i        (start),
    .searching_i    (state_q == RdSearch),
    .room_i         (req_i.room),
    .making_o       (making),
    .part_o         (part),
    .sent_i         (sent),
    .msg_i          (msg_q),
    .length_o       (length),
    .index_i        (index[4:0]),
    .byte_o         (data),
    .weights_byte_i (weights_q[{index[5:0], 3'd0} +: 8]),
    .parts_i        (parts),
    .depth_i        (depth_q),
    .progress_i     (progress),
    .node_valid_i   (node_valid),
    .node_ready_o   (node_ready),
    .node_i         (node),
    .done_i         (core_done),
    .cancelled_i    (cancelled)
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
    .fetch_o   (unused_fetch),
    .index_o   (index),
    .byte_i    (data),
    .parts_o   (parts),
    .reply_o   (rsp_o.reply),
    .ack_i     (req_i.reply)
  );

  // -------------------------------------------------------------------------- in order
  logic set;
  assign set   = state_q == RdServe && msg_q == MsgSetWeights && !error_q;
  assign start = state_q == RdServe && searches;
  always_comb begin
    state_d       = state_q;
    msg_d         = msg_q;
    error_d       = error_q;
    code_d        = code_q;
    weights_set_d = weights_set_q || set;
    release_load  = 1'b0;

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
    if (!rst_ni) begin
      state_q       <= RdIdle;
      weights_set_q <= 1'b0;
    end else begin
      state_q       <= state_d;
      weights_set_q <= weights_set_d;
    end
  end

  // What a request sets needs no reset.
  always_ff @(posedge clk_i) begin
    msg_q   <= msg_d;
    error_q <= error_d;
    code_q  <= code_d;
    take_q  <= set;
    if (take_q) weights_q <= weights;
    if (start) depth_q <= depth;
  end

`ifndef SYNTHESIS
  PartOfStream_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    part |-> state_q == RdSearch);
  LoadsWhileSearching_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    rsp_o.load.loaded && state_q == RdSearch);
`endif

endmodule
