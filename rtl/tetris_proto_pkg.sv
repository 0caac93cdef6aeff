// Generated from protocol/src/layout/tetris.rs by `make generate`: do not edit.
//
// Message numbers, payload lengths and layouts of the wire, as packed structs
// (first byte on the wire = least significant byte). docs/wire.md has the rest.

// The table is whole; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package tetris_proto_pkg;

  // Number of the game in info_reply.
  localparam logic [7:0] GameNumber = 8'h01;
  // Hash of the link's table and this one, for info_reply.
  localparam logic [31:0] LayoutHash = 32'hb565f92e;
  // Columns of the board.
  localparam int unsigned Columns = 10;
  // Rows of the board.
  localparam int unsigned Rows = 20;
  // Value of `next_piece` without lookahead.
  localparam logic [7:0] NoPiece = 8'hff;
  // Value of `next_piece` when each piece may follow: the core plays for the mean.
  localparam logic [7:0] AnyPiece = 8'hfe;
  // Pieces that a `play` has room for.
  localparam logic [15:0] PlayPieces = 16'h00a0;
  // Moves in a part of a `play`, but for its last one.
  localparam logic [7:0] PartMoves = 8'h20;
  // Games that a self_play plays side by side at most.
  localparam logic [7:0] SelfPlayGames = 8'h10;
  // Number of the piece I.
  localparam logic [7:0] PieceI = 8'h00;
  // Number of the piece O.
  localparam logic [7:0] PieceO = 8'h01;
  // Number of the piece T.
  localparam logic [7:0] PieceT = 8'h02;
  // Number of the piece S.
  localparam logic [7:0] PieceS = 8'h03;
  // Number of the piece Z.
  localparam logic [7:0] PieceZ = 8'h04;
  // Number of the piece J.
  localparam logic [7:0] PieceJ = 8'h05;
  // Number of the piece L.
  localparam logic [7:0] PieceL = 8'h06;

  typedef enum logic [7:0] {
    // Sets all weights.
    MsgSetWeights = 8'h10,
    // Reply to set_weights: they hold for every request after it.
    MsgSetWeightsReply = 8'h90,
    // Asks for the weights back.
    MsgGetWeights = 8'h11,
    // Reply to get_weights.
    MsgWeights = 8'h91,
    // Asks for the best placement of a piece.
    MsgDecide = 8'h12,
    // Reply to decide: the legal placement with the highest score; of equal ones that of the lowest
    // rotation, then of the lowest column.
    MsgDecision = 8'h92,
    // Asks for the best placement, and for all others on the way to it: a stream.
    MsgTrace = 8'h13,
    // Part of a trace: one placement.
    MsgPlacement = 8'hb3,
    // The end of a trace: the decision.
    MsgTraced = 8'h93,
    // Asks for the placements of a run of pieces, each put where it is decided before the next one
    // is: a stream. It ends early when a piece finds no place.
    MsgPlay = 8'h14,
    // Part of a play: the next moves.
    MsgMoves = 8'hb4,
    // The end of a play.
    MsgPlayed = 8'h94,
    // Asks to play on with pieces that the core draws, from an empty board again when one finds no
    // place: a stream.
    MsgSelfPlay = 8'h15,
    // Part of a self-play: how far it has come, after every `spacing` pieces.
    MsgCheckpoint = 8'hb5,
    // The end of a self-play.
    MsgSelfPlayed = 8'h95
  } msg_e;

  typedef enum logic [7:0] {
    // The number of the piece is not 0 to 6.
    ErrBadPiece = 8'h40,
    // The next piece is neither a piece number nor the number for any or none.
    ErrBadNextPiece = 8'h41,
    // No weights were set since power-up or the last reset.
    ErrWeightsUnset = 8'h42,
    // A number of pieces, of those between checkpoints, or of games is out of its range.
    ErrBadCount = 8'h43
  } err_e;

  localparam int unsigned SetWeightsBytes = 56;
  typedef struct packed {
    // Weight of the height of the tallest column, in millionths.
    logic signed [31:0] max_height;
    // Weight of the sum of the steps between neighbouring columns, in millionths.
    logic signed [31:0] bumpiness;
    // Weight of the sum of the column heights, in millionths.
    logic signed [31:0] aggregate_height;
    // Weight of how many of the steps -2 to 2 occur between columns, in millionths.
    logic signed [31:0] diversity;
    // Weight of the rows with a hole, in millionths.
    logic signed [31:0] rows_with_holes;
    // Weight of the filled cells in unbroken runs over a hole, in millionths.
    logic signed [31:0] hole_depth;
    // Weight of the well sums, in millionths.
    logic signed [31:0] well_sums;
    // Weight of the cumulative wells, in millionths.
    logic signed [31:0] cumulative_wells;
    // Weight of the empty cells with a filled one above them, in millionths.
    logic signed [31:0] holes;
    // Weight of the changes between neighbouring cells of a column, in millionths.
    logic signed [31:0] column_transitions;
    // Weight of the changes between neighbouring cells of a row, in millionths.
    logic signed [31:0] row_transitions;
    // Weight of the rows cleared, in millionths.
    logic signed [31:0] rows_cleared;
    // Weight of the rows cleared times the piece's cells in them, in millionths.
    logic signed [31:0] eroded_cells;
    // Weight of the doubled landing height, in millionths: half the published weight.
    logic signed [31:0] landing_height;
  } set_weights_t;

  localparam int unsigned SetWeightsReplyBytes = 0;

  localparam int unsigned GetWeightsBytes = 0;

  localparam int unsigned WeightsBytes = 56;
  typedef struct packed {
    // Weight of the height of the tallest column, in millionths.
    logic signed [31:0] max_height;
    // Weight of the sum of the steps between neighbouring columns, in millionths.
    logic signed [31:0] bumpiness;
    // Weight of the sum of the column heights, in millionths.
    logic signed [31:0] aggregate_height;
    // Weight of how many of the steps -2 to 2 occur between columns, in millionths.
    logic signed [31:0] diversity;
    // Weight of the rows with a hole, in millionths.
    logic signed [31:0] rows_with_holes;
    // Weight of the filled cells in unbroken runs over a hole, in millionths.
    logic signed [31:0] hole_depth;
    // Weight of the well sums, in millionths.
    logic signed [31:0] well_sums;
    // Weight of the cumulative wells, in millionths.
    logic signed [31:0] cumulative_wells;
    // Weight of the empty cells with a filled one above them, in millionths.
    logic signed [31:0] holes;
    // Weight of the changes between neighbouring cells of a column, in millionths.
    logic signed [31:0] column_transitions;
    // Weight of the changes between neighbouring cells of a row, in millionths.
    logic signed [31:0] row_transitions;
    // Weight of the rows cleared, in millionths.
    logic signed [31:0] rows_cleared;
    // Weight of the rows cleared times the piece's cells in them, in millionths.
    logic signed [31:0] eroded_cells;
    // Weight of the doubled landing height, in millionths: half the published weight.
    logic signed [31:0] landing_height;
  } weights_t;

  localparam int unsigned DecideBytes = 27;
  typedef struct packed {
    // What the core looks ahead to: the number of the next piece, 0 to 6, or `any_piece` for each
    // of the seven; `no_piece` for nothing.
    logic [7:0] next_piece;
    // Number of the piece to place, 0 to 6.
    logic [7:0] piece;
    // The cells: bit 10 r + c is row r from the bottom, column c from the left; 1 is filled. Bit b
    // is bit b mod 8 of byte b / 8.
    logic [199:0] board;
  } decide_t;

  localparam int unsigned DecisionBytes = 17;
  typedef struct packed {
    // Clock cycles the AI core took for the decision.
    logic [31:0] cycles;
    // Score of the placement in millionths: the sum of weight times feature.
    logic signed [63:0] score;
    // Rows the placement clears, 0 to 20; more than 4 only if rows were full before.
    logic [7:0] rows_cleared;
    // Landing row, 0 to 19: the lowest row of the piece, before rows are cleared.
    logic [7:0] row;
    // Leftmost column of the piece, 0 to 9.
    logic [7:0] column;
    // Rotation, 0 to 3, as drawn in the game's definitions.
    logic [7:0] rotation;
    // 1 if some placement is legal, otherwise 0.
    logic [7:0] legal;
  } decision_t;

  localparam int unsigned TraceBytes = 27;
  typedef struct packed {
    // What the core looks ahead to: the number of the next piece, 0 to 6, or `any_piece` for each
    // of the seven; `no_piece` for nothing.
    logic [7:0] next_piece;
    // Number of the piece to place, 0 to 6.
    logic [7:0] piece;
    // The cells: bit 10 r + c is row r from the bottom, column c from the left; 1 is filled. Bit b
    // is bit b mod 8 of byte b / 8.
    logic [199:0] board;
  } trace_t;

  localparam int unsigned PlacementBytes = 42;
  typedef struct packed {
    // Score in millionths: the sum of weight times feature.
    logic signed [63:0] score;
    // The height of the tallest column.
    logic [15:0] max_height;
    // The sum of the steps between neighbouring columns.
    logic [15:0] bumpiness;
    // The sum of the column heights.
    logic [15:0] aggregate_height;
    // How many of the steps -2 to 2 occur between columns.
    logic [15:0] diversity;
    // The rows with a hole.
    logic [15:0] rows_with_holes;
    // The filled cells in unbroken runs over a hole.
    logic [15:0] hole_depth;
    // The well sums.
    logic [15:0] well_sums;
    // The cumulative wells.
    logic [15:0] cumulative_wells;
    // The empty cells with a filled one above them.
    logic [15:0] holes;
    // The changes between neighbouring cells of a column.
    logic [15:0] column_transitions;
    // The changes between neighbouring cells of a row.
    logic [15:0] row_transitions;
    // The rows cleared.
    logic [15:0] rows_cleared;
    // The rows cleared times the piece's cells in them.
    logic [15:0] eroded_cells;
    // The doubled landing height.
    logic [15:0] landing_height;
    // Landing row, 0 to 19.
    logic [7:0] row;
    // 1 if it is legal, otherwise 0.
    logic [7:0] legal;
    // Leftmost column of the piece, 0 to 9.
    logic [7:0] column;
    // Rotation, 0 to 3.
    logic [7:0] rotation;
    // Number of the part, from 0 on: that of the placement, rotations ascending, in each the
    // columns ascending.
    logic [15:0] part;
  } placement_t;

  localparam int unsigned TracedBytes = 20;
  typedef struct packed {
    // Clock cycles from the beginning to the end, those among them in which parts were waited for.
    logic [31:0] cycles;
    // Score of the placement in millionths.
    logic signed [63:0] score;
    // Rows the placement clears, 0 to 20.
    logic [7:0] rows_cleared;
    // Landing row, 0 to 19.
    logic [7:0] row;
    // Leftmost column of the piece, 0 to 9.
    logic [7:0] column;
    // Rotation, 0 to 3.
    logic [7:0] rotation;
    // The rest is the decision, see `decision`.
    logic [7:0] legal;
    // 1 if it was cancelled: what follows is 0 then. Otherwise 0.
    logic [7:0] cancelled;
    // Parts sent before.
    logic [15:0] parts;
  } traced_t;

  localparam int unsigned PlayBytes = 107;
  typedef struct packed {
    // Their numbers, 0 to 6, four bits each: piece i in byte i / 2, in its lower bits where i is
    // even. What lies after the last one counts for nothing.
    logic [639:0] numbers;
    // How many pieces: 1 to `play_pieces`.
    logic [15:0] pieces;
    // The cells, as in `decide`.
    logic [199:0] board;
  } play_t;

  localparam int unsigned MovesBytes = 35;
  typedef struct packed {
    // One a byte: 16 times the rotation plus the leftmost column. 0 after the last.
    logic [255:0] moves;
    // How many moves: `part_moves`, but for the last part.
    logic [7:0] count;
    // Number of the part, from 0 on.
    logic [15:0] part;
  } moves_t;

  localparam int unsigned PlayedBytes = 43;
  typedef struct packed {
    // CRC-32 of the board at the end, as `decide` would have it: of its 25 bytes. Of several games
    // the boards follow each other, game 0 first.
    logic [31:0] board_crc;
    // 1 if it was cancelled before the last piece, otherwise 0.
    logic [7:0] cancelled;
    // Signature of the moves.
    logic [63:0] signature;
    // Clock cycles in which a decision was under way.
    logic [63:0] cycles;
    // Sum of the scores of the placements, in millionths.
    logic signed [63:0] score;
    // Rows removed.
    logic [31:0] rows_cleared;
    // Games lost, each by a piece that found no place.
    logic [31:0] games;
    // Pieces decided, those that found no place among them.
    logic [31:0] pieces;
    // Parts sent before, modulo 65,536.
    logic [15:0] parts;
  } played_t;

  localparam int unsigned SelfPlayBytes = 50;
  typedef struct packed {
    // Signature of the moves before.
    logic [63:0] signature;
    // State of the generator before it draws the first piece.
    logic [63:0] generator;
    // Pieces from one checkpoint to the next, at least 1.
    logic [31:0] spacing;
    // How many pieces, at least 1.
    logic [31:0] pieces;
    // How many games are played side by side, 1 to `self_play_games`; 1 for a core without lanes.
    logic [7:0] games;
    // The cells, as in `decide`.
    logic [199:0] board;
  } self_play_t;

  localparam int unsigned CheckpointBytes = 38;
  typedef struct packed {
    // Signature of the moves.
    logic [63:0] signature;
    // Clock cycles in which a decision was under way.
    logic [63:0] cycles;
    // Sum of the scores of the placements, in millionths.
    logic signed [63:0] score;
    // Rows removed.
    logic [31:0] rows_cleared;
    // Games lost, each by a piece that found no place.
    logic [31:0] games;
    // Pieces decided, those that found no place among them.
    logic [31:0] pieces;
    // Number of the part, from 0 on, modulo 65,536.
    logic [15:0] part;
  } checkpoint_t;

  localparam int unsigned SelfPlayedBytes = 43;
  typedef struct packed {
    // CRC-32 of the board at the end, as `decide` would have it: of its 25 bytes. Of several games
    // the boards follow each other, game 0 first.
    logic [31:0] board_crc;
    // 1 if it was cancelled before the last piece, otherwise 0.
    logic [7:0] cancelled;
    // Signature of the moves.
    logic [63:0] signature;
    // Clock cycles in which a decision was under way.
    logic [63:0] cycles;
    // Sum of the scores of the placements, in millionths.
    logic signed [63:0] score;
    // Rows removed.
    logic [31:0] rows_cleared;
    // Games lost, each by a piece that found no place.
    logic [31:0] games;
    // Pieces decided, those that found no place among them.
    logic [31:0] pieces;
    // Parts sent before, modulo 65,536.
    logic [15:0] parts;
  } self_played_t;

  function automatic link_proto_pkg::lengths_t request_lengths();
    link_proto_pkg::lengths_t lengths;
    lengths = {128{link_proto_pkg::NotRequest}};
    lengths[7'h10] = 8'd56;  // set_weights
    lengths[7'h11] = 8'd0;  // get_weights
    lengths[7'h12] = 8'd27;  // decide
    lengths[7'h13] = 8'd27;  // trace
    lengths[7'h14] = 8'd107;  // play
    lengths[7'h15] = 8'd50;  // self_play
    return lengths;
  endfunction

  // Payload bytes of each request of this table.
  localparam link_proto_pkg::lengths_t RequestLengths = request_lengths();

endpackage
// verilator lint_on UNUSEDPARAM
