// Reads Tetris' next request while the one before is served, and says why it is refused.
//
// Drive it: `req_i` offers a request. Once its payload is there `loaded_o` is high until
// `release_i`, and what follows it stays: the message, the board, a decide's piece, a play's number
// of pieces, a self_play's number of games; whether the request is refused, with the first reason
// of docs/wire.md.
//
// Other bytes go where they are needed, in the cycle in which `req_i.rdata` is one: weights
// (`weights_we_o`), the pieces of a play (`pieces_we_o`), what a self_play draws from
// (`draws_shift_o`). Draws, and weights without a second set, overwrite what a request under way
// needs: they are read while `idle_i` says that there is none. Latency: as request_loader.
module tetris_request
  import tetris_proto_pkg::*, tetris_kind_pkg::kind_t;
#(
  // The AI core has lanes: it looks a piece ahead, plays games side by side, and has two sets of
  // weights.
  parameter bit HasLanes = 1'b0
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // The link
  input  game_pkg::load_req_t req_i,
  output game_pkg::load_rsp_t rsp_o,
  // What was loaded
  input  logic                idle_i,
  output logic                loaded_o,
  input  logic                release_i,
  output logic [7:0]          msg_o,
  output kind_t               kind_o,
  output tetris_pkg::board_t  board_o,
  output tetris_pkg::piece_t  piece_o,
  output logic                ahead_o,  // a decide looks ahead: to all pieces, or to next_o
  output logic                all_o,
  output tetris_pkg::piece_t  next_o,
  output logic [15:0]         pieces_o,
  output logic [4:0]          games_o,
  output logic                refused_o,
  output logic [7:0]          code_o,
  // Bytes on their way
  output logic                weights_we_o,
  output logic                pieces_we_o,
  output logic [6:0]          pieces_addr_o,
  output logic                draws_shift_o,
  // What a request is judged by: are there weights, and what a self_play was given
  input  logic                weights_set_i,
  input  logic [31:0]         draws_pieces_i,
  input  logic [31:0]         draws_spacing_i
);

  // Games of a self_play at most
  localparam logic [7:0] MostGames = HasLanes ? SelfPlayGames : 8'd1;

  // Bytes of the board, and those before a play's pieces
  localparam int unsigned BoardBytes = $bits(tetris_pkg::board_t) / 8;
  localparam int unsigned HeadBytes  = DecideBytes;

  logic               byte_valid;
  frame_pkg::offset_t index;
  decide_t            head;  // a decide's payload; of the others as much as they have
  assign kind_o = tetris_kind_pkg::kind_of(msg_o);

  request_loader #(
    .Bytes (HeadBytes)
  ) u_request_loader (
    .clk_i,
    .rst_ni,
    .req_i,
    .rsp_o,
    .length_i     (frame_pkg::offset_t'(RequestLengths[req_i.msg[6:0]])),
    .hold_i       (((kind_o.sets && !HasLanes) || kind_o.draws) && !idle_i),
    .byte_valid_o (byte_valid),
    .byte_index_o (index),
    .loaded_o,
    .release_i,
    .msg_o,
    .payload_o    (head)
  );

  assign weights_we_o  = byte_valid && kind_o.sets;
  assign pieces_we_o   = byte_valid && kind_o.gives && index >= frame_pkg::offset_t'(HeadBytes);
  assign pieces_addr_o = index - frame_pkg::offset_t'(HeadBytes);
  assign draws_shift_o = byte_valid && kind_o.draws && index > frame_pkg::offset_t'(BoardBytes);
  assign board_o       = head.board;
  assign piece_o       = head.piece[2:0];
  assign pieces_o      = {head.next_piece, head.piece};
  assign games_o       = head.piece[4:0];

  // Whether one of a play's pieces is none: looked at on their way. The lower byte of their number
  // is enough, and is there before the upper one: more than PlayPieces are refused anyway.
  if (PlayPieces > 255) begin : gen_count
    $error("more pieces than a byte can count");
  end

  logic [7:0] left_q, left_d;  // pieces that did not come yet
  logic       bad_numbers_q, bad_numbers_d;
  always_comb begin
    bad_numbers_d = bad_numbers_q;
    left_d        = left_q;
    if (byte_valid && index == '0) bad_numbers_d = 1'b0;
    if (byte_valid && index == frame_pkg::offset_t'(HeadBytes - 1)) left_d = pieces_o[7:0];
    if (pieces_we_o) begin
      left_d = (left_q < 8'd2) ? '0 : left_q - 8'd2;
      if ((left_q != '0 && 8'(req_i.rdata[3:0]) > PieceL) ||
          (left_q > 8'd1 && 8'(req_i.rdata[7:4]) > PieceL)) bad_numbers_d = 1'b1;
    end
  end

  // No reset: they mean something once a play was loaded.
  always_ff @(posedge clk_i) begin
    bad_numbers_q <= bad_numbers_d;
    left_q        <= left_d;
  end

  assign ahead_o = kind_o.decides && head.next_piece != NoPiece;
  assign all_o   = head.next_piece == AnyPiece;
  assign next_o  = head.next_piece[2:0];

  logic next_known, bad;
  assign next_known = head.next_piece != NoPiece;
  always_comb begin
    bad    = 1'b1;
    code_o = ErrWeightsUnset;
    if (kind_o.decides || kind_o.traces) begin
      if (head.piece > PieceL) code_o = ErrBadPiece;
      else if (next_known && head.next_piece > PieceL && !all_o) code_o = ErrBadNextPiece;
      // A trace is of one piece's placements.
      else if (next_known && (!HasLanes || kind_o.traces)) begin
        code_o = link_proto_pkg::ErrUnsupported;
      end
      else bad = 1'b0;
    end else if (kind_o.gives) begin
      if (pieces_o == '0 || pieces_o > PlayPieces) code_o = ErrBadCount;
      else if (bad_numbers_q) code_o = ErrBadPiece;
      else bad = 1'b0;
    end else if (kind_o.draws) begin
      if (draws_pieces_i == '0 || draws_spacing_i == '0) code_o = ErrBadCount;
      else if (head.piece == '0 || head.piece > MostGames) code_o = ErrBadCount;
      else bad = 1'b0;
    end else begin
      bad = 1'b0;
    end
    refused_o = bad || (!weights_set_i && !kind_o.sets);
  end

endmodule
