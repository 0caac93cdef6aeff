// Reads Gomoku's next request while the one before is served, and says why it is refused.
//
// Drive it: `req_i` offers a request. Once its payload is there `loaded_o` is high until
// `release_i`, and what follows it stays: the message, the position, the weights, and whether the
// request is refused, with the first reason of docs/wire.md. Latency: that of request_loader.
module gomoku_request
  import gomoku_proto_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // The link
  input  game_pkg::load_req_t req_i,
  output game_pkg::load_rsp_t rsp_o,
  // What was loaded
  output logic                loaded_o,
  input  logic                release_i,
  output logic [7:0]          msg_o,
  output gomoku_pkg::map_t    own_o,
  output gomoku_pkg::map_t    opponent_o,
  output gomoku_pkg::ply_t    depth_o,
  output set_weights_t        weights_o,
  output logic                refused_o,
  output logic [7:0]          code_o,
  // Whether there are any
  input  logic                weights_set_i
);

  logic               unused_byte_valid;
  frame_pkg::offset_t unused_index;
  search_t            request;

  request_loader #(
    .Bytes (SearchBytes)
  ) u_request_loader (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_o,
    .length_i     (frame_pkg::offset_t'(RequestLengths[req_i.msg[6:0]])),
    .hold_i       (1'b0),
    .byte_valid_o (unused_byte_valid),
    .byte_index_o (unused_index),
    .loaded_o,
    .release_i,
    .msg_o,
    .payload_o    (request)
  );

  // What is wrong with a position; the stones are there before the depth, the last byte.
  logic bad_board, bad_board_q, bad_depth;
  always_ff @(posedge clk_i) bad_board_q <= bad_board;
  always_comb begin
    bad_board = 1'b0;
    for (int unsigned y = 0; y < Rows; y++) begin
      logic [15:0] mine, others;
      mine   = request.own[16*y +: 16];
      others = request.opponent[16*y +: 16];
      if ((mine & others) != '0 || mine[15] || others[15]) bad_board = 1'b1;
      own_o[y]      = mine[Columns-1:0];
      opponent_o[y] = others[Columns-1:0];
    end
  end
  assign bad_depth = request.depth == '0 || request.depth > MaxDepth;
  assign depth_o   = request.depth[4:0];

  // With weights
  logic bad_weights;
  assign weights_o = request[8*SetWeightsBytes-1:0];
  always_comb begin
    bad_weights = weights_o.profile > ProfileLines || weights_o.width > 8'(Columns * Rows) ||
                  weights_o.extend > 8'd1;
    for (int unsigned k = 0; k < Shapes; k++) begin
      if (weights_o.key[8*k+5 +: 3] != '0) bad_weights = 1'b1;
    end
  end

  always_comb begin
    refused_o = !weights_set_i;
    code_o    = ErrWeightsUnset;
    unique case (msg_o)
      MsgSetWeights: begin
        refused_o = bad_weights;
        code_o    = ErrBadWeights;
      end
      MsgGetWeights: ;
      // A search or trace
      default: begin
        if (bad_board_q || bad_depth) refused_o = 1'b1;
        if (bad_depth) code_o = ErrBadDepth;
        if (bad_board_q) code_o = ErrBadBoard;
      end
    endcase
  end

endmodule
