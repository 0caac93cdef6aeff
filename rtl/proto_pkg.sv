// Generated from protocol/src/layout.rs by `make generate`: do not edit.
//
// Message numbers, payload lengths and layouts of the wire, as packed structs
// (first byte on the wire = least significant byte).

// The table is whole; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package proto_pkg;

  localparam logic [15:0] ProtocolVersion = 16'h0001;
  localparam logic [31:0] LayoutHash = 32'h07e075f4;
  localparam int unsigned MaxPayloadBytes = 120;
  // Sequence number, type and CRC around a payload.
  localparam int unsigned FrameOverheadBytes = 7;
  localparam int unsigned MaxRawBytes = 127;
  localparam int unsigned Window = 4;
  localparam logic [7:0] ReplyBit = 8'h80;
  localparam logic [7:0] NoPiece = 8'hff;
  localparam int unsigned TetrisColumns = 10;
  localparam int unsigned TetrisRows = 20;
  localparam logic [7:0] GameTetris = 8'h01;
  localparam logic [31:0] CapabilityLookahead = 32'h00000001;

  typedef enum logic [7:0] {
    MsgPing = 8'h01,
    MsgPong = 8'h81,
    MsgInfo = 8'h02,
    MsgInfoReply = 8'h82,
    MsgReset = 8'h03,
    MsgResetReply = 8'h83,
    MsgStats = 8'h04,
    MsgStatsReply = 8'h84,
    MsgSetWeights = 8'h10,
    MsgSetWeightsReply = 8'h90,
    MsgGetWeights = 8'h11,
    MsgWeights = 8'h91,
    MsgDecide = 8'h12,
    MsgDecision = 8'h92,
    MsgError = 8'hff
  } msg_e;

  typedef enum logic [7:0] {
    ErrUnknownType = 8'h01,
    ErrBadLength = 8'h02,
    ErrBadPiece = 8'h03,
    ErrBadNextPiece = 8'h04,
    ErrUnsupported = 8'h05,
    ErrWeightsUnset = 8'h06,
    ErrBusy = 8'h07
  } err_e;

  typedef enum logic [2:0] {
    PieceI = 3'h00,
    PieceO = 3'h01,
    PieceT = 3'h02,
    PieceS = 3'h03,
    PieceZ = 3'h04,
    PieceJ = 3'h05,
    PieceL = 3'h06
  } piece_e;

  localparam int unsigned PingBytes = 8;
  typedef struct packed {
    logic [63:0] nonce;
  } ping_t;

  localparam int unsigned PongBytes = 8;
  typedef struct packed {
    logic [63:0] nonce;
  } pong_t;

  localparam int unsigned InfoBytes = 0;

  localparam int unsigned InfoReplyBytes = 23;
  typedef struct packed {
    logic [31:0] capabilities;
    logic [31:0] clock_hz;
    logic [7:0] window;
    logic [7:0] lanes;
    logic [7:0] rows;
    logic [7:0] columns;
    logic [7:0] game;
    logic [31:0] build_id;
    logic [31:0] layout_hash;
    logic [15:0] protocol_version;
  } info_reply_t;

  localparam int unsigned ResetBytes = 0;

  localparam int unsigned ResetReplyBytes = 0;

  localparam int unsigned StatsBytes = 0;

  localparam int unsigned StatsReplyBytes = 16;
  typedef struct packed {
    logic [31:0] overrun;
    logic [31:0] malformed;
    logic [31:0] bad_crc;
    logic [31:0] frames_good;
  } stats_reply_t;

  localparam int unsigned SetWeightsBytes = 56;
  typedef struct packed {
    logic signed [31:0] max_height;
    logic signed [31:0] bumpiness;
    logic signed [31:0] aggregate_height;
    logic signed [31:0] diversity;
    logic signed [31:0] rows_with_holes;
    logic signed [31:0] hole_depth;
    logic signed [31:0] well_sums;
    logic signed [31:0] cumulative_wells;
    logic signed [31:0] holes;
    logic signed [31:0] column_transitions;
    logic signed [31:0] row_transitions;
    logic signed [31:0] rows_cleared;
    logic signed [31:0] eroded_cells;
    logic signed [31:0] landing_height;
  } set_weights_t;

  localparam int unsigned SetWeightsReplyBytes = 0;

  localparam int unsigned GetWeightsBytes = 0;

  localparam int unsigned WeightsBytes = 56;
  typedef struct packed {
    logic signed [31:0] max_height;
    logic signed [31:0] bumpiness;
    logic signed [31:0] aggregate_height;
    logic signed [31:0] diversity;
    logic signed [31:0] rows_with_holes;
    logic signed [31:0] hole_depth;
    logic signed [31:0] well_sums;
    logic signed [31:0] cumulative_wells;
    logic signed [31:0] holes;
    logic signed [31:0] column_transitions;
    logic signed [31:0] row_transitions;
    logic signed [31:0] rows_cleared;
    logic signed [31:0] eroded_cells;
    logic signed [31:0] landing_height;
  } weights_t;

  localparam int unsigned DecideBytes = 27;
  typedef struct packed {
    logic [7:0] next_piece;
    logic [7:0] piece;
    logic [199:0] board;
  } decide_t;

  localparam int unsigned DecisionBytes = 17;
  typedef struct packed {
    logic [31:0] cycles;
    logic signed [63:0] score;
    logic [7:0] rows_cleared;
    logic [7:0] row;
    logic [7:0] column;
    logic [7:0] rotation;
    logic [7:0] legal;
  } decision_t;

  localparam int unsigned ErrorBytes = 2;
  typedef struct packed {
    logic [7:0] request;
    logic [7:0] code;
  } error_t;

  // Whether a number is that of a request.
  function automatic logic is_request(logic [7:0] msg);
    unique case (msg)
      8'h01: return 1'b1; // ping
      8'h02: return 1'b1; // info
      8'h03: return 1'b1; // reset
      8'h04: return 1'b1; // stats
      8'h10: return 1'b1; // set_weights
      8'h11: return 1'b1; // get_weights
      8'h12: return 1'b1; // decide
      default: return 1'b0;
    endcase
  endfunction

  // Payload bytes of a request; 0 for a number that is not one.
  function automatic logic [7:0] request_bytes(logic [7:0] msg);
    unique case (msg)
      8'h01: return 8'd8; // ping
      8'h02: return 8'd0; // info
      8'h03: return 8'd0; // reset
      8'h04: return 8'd0; // stats
      8'h10: return 8'd56; // set_weights
      8'h11: return 8'd0; // get_weights
      8'h12: return 8'd27; // decide
      default: return 8'd0;
    endcase
  endfunction

endpackage
// verilator lint_on UNUSEDPARAM
