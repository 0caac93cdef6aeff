// Reads Connect Four's next request while the one before is served, and says why it is refused.
//
// Drive it: `req_i` offers a request. Once its payload is there `loaded_o` is high until
// `release_i`, and what follows it stays: the message, the position, and whether the request is
// refused, with the first reason of docs/wire.md. Weights go to `weights_we_o`, in the cycle in
// which `req_i.rdata` is one of them; they are read while `idle_i` says that no request uses the
// old ones. Latency: as request_loader.
module connect4_request
  import connect4_proto_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // The link
  input  game_pkg::load_req_t  req_i,
  output game_pkg::load_rsp_t  rsp_o,
  // What was loaded
  input  logic                 idle_i,
  output logic                 loaded_o,
  input  logic                 release_i,
  output logic [7:0]           msg_o,
  output connect4_pkg::board_t own_o,
  output connect4_pkg::board_t opponent_o,
  output connect4_pkg::count_t depth_o,
  output logic                 refused_o,
  output logic [7:0]           code_o,
  // Weights on their way, and whether there are any
  output logic                 weights_we_o,
  input  logic                 weights_set_i
);

  logic               byte_valid, weights;
  frame_pkg::offset_t unused_index;
  search_t            request;
  assign weights      = msg_o == MsgSetWeights;
  assign weights_we_o = byte_valid && weights;

  request_loader #(
    .Bytes (SearchBytes)
  ) u_request_loader (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_o,
    .length_i     (frame_pkg::offset_t'(RequestLengths[req_i.msg[6:0]])),
    .hold_i       (weights && !idle_i),
    .byte_valid_o (byte_valid),
    .byte_index_o (unused_index),
    .loaded_o,
    .release_i,
    .msg_o,
    .payload_o    (request)
  );

  // What is wrong with a position
  logic bad_board, full, own_four, opponent_four, bad_depth;
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
      own_o[c]      = mine[Rows:0];
      opponent_o[c] = others[Rows:0];
    end
  end
  assign bad_depth = request.depth == '0 || request.depth > 8'(Columns * Rows);
  assign depth_o   = request.depth[5:0];

  connect4_win u_own_win (
    .board_i (own_o),
    .four_o  (own_four)
  );
  connect4_win u_opponent_win (
    .board_i (opponent_o),
    .four_o  (opponent_four)
  );

  always_comb begin
    refused_o = !weights_set_i;
    code_o    = ErrWeightsUnset;
    unique case (msg_o)
      MsgSetWeights: refused_o = 1'b0;
      MsgGetWeights: ;
      // A search or trace
      default: begin
        if (bad_board || full || own_four || opponent_four || bad_depth) refused_o = 1'b1;
        if (bad_depth) code_o = ErrBadDepth;
        if (full || own_four || opponent_four) code_o = ErrGameOver;
        if (bad_board) code_o = ErrBadBoard;
      end
    endcase
  end

endmodule
