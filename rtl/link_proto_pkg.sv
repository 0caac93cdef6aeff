// Generated from protocol/src/layout/link.rs by `make generate`: do not edit.
//
// Message numbers, payload lengths and layouts of the wire, as packed structs
// (first byte on the wire = least significant byte). docs/wire.md has the rest.

// The table is whole; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package link_proto_pkg;

  // Version of the wire.
  localparam logic [15:0] ProtocolVersion = 16'h0002;
  // Longest payload in bytes; a longer frame is malformed.
  localparam int unsigned MaxPayloadBytes = 120;
  // Sequence number, type and CRC around a payload, in bytes.
  localparam int unsigned FrameOverheadBytes = 7;
  // Longest frame before COBS, in bytes.
  localparam int unsigned MaxRawBytes = 127;
  // Requests a core may hold unanswered.
  localparam int unsigned Window = 4;
  // Bit set in the number of every reply.
  localparam logic [7:0] ReplyBit = 8'h80;
  // Bit set as well in the number of every part of a stream.
  localparam logic [7:0] PartBit = 8'h20;
  // The core uses what comes next where a request gives it.
  localparam logic [31:0] CapabilityLookahead = 32'h00000001;
  // The cycles of a decision are those that the game gives for its position.
  localparam logic [31:0] CapabilityExactCycles = 32'h00000002;
  // The core reports every candidate of a decision where a request asks for them.
  localparam logic [31:0] CapabilityTrace = 32'h00000004;
  // The core plays on from a position: it carries out its own moves.
  localparam logic [31:0] CapabilityPlay = 32'h00000008;
  // The core plays by itself: it draws what chance brings, and signs its moves.
  localparam logic [31:0] CapabilitySelfPlay = 32'h00000010;
  // The board has buttons for a person who plays.
  localparam logic [31:0] CapabilityButtons = 32'h00000020;
  // Rate of a board's line after power-up, in baud.
  localparam int unsigned BaseBaud = 115200;
  // Least increment of set_rate: its rounding is 1 % at most.
  localparam int unsigned MinIncrement = 50;
  // Greatest increment of set_rate: 8 clock cycles a bit.
  localparam int unsigned MaxIncrement = 2097152;
  // Parts that a stream may send before a credit comes, and those that each credit allows it
  // beyond.
  localparam logic [7:0] StreamCredit = 8'h08;
  // Buttons that a board may have for a person who plays.
  localparam int unsigned ButtonCount = 6;

  // Payload bytes of each request, by its number; NotRequest where there is none.
  typedef logic [127:0][7:0] lengths_t;
  localparam logic [7:0] NotRequest = 8'hff;

  typedef enum logic [7:0] {
    // Asks for its own nonce back. It waits its turn like any request: once its reply comes, no
    // reply to an older request can follow.
    MsgPing = 8'h01,
    // Reply to a ping, with its nonce.
    MsgPong = 8'h81,
    // Asks what the core is.
    MsgInfo = 8'h02,
    // Reply to info: what the core is.
    MsgInfoReply = 8'h82,
    // Takes effect the moment it arrives, ahead of everything queued: drops requests and the
    // decision under way, forgets all settings of the game, zeroes the statistics.
    MsgReset = 8'h03,
    // Reply to a reset.
    MsgResetReply = 8'h83,
    // Asks for the receiver's statistics.
    MsgStats = 8'h04,
    // Reply to stats: frames since power-up or the last reset.
    MsgStatsReply = 8'h84,
    // Asks for another rate of the line, which holds once the reply has left.
    MsgSetRate = 8'h05,
    // Reply to set_rate, the last one at the old rate.
    MsgSetRateReply = 8'h85,
    // Ends, the moment it arrives, every stream that was asked for before it.
    MsgCancel = 8'h06,
    // Reply to cancel: those streams are over.
    MsgCancelReply = 8'h86,
    // Lets the stream under way send more parts, the moment it arrives: `stream_credit` of them.
    MsgCredit = 8'h07,
    // Reply to credit.
    MsgCreditReply = 8'h87,
    // Asks how often the buttons of the board were pressed.
    MsgButtons = 8'h08,
    // Reply to buttons; without the capability `buttons` each number is 0.
    MsgButtonsReply = 8'h88,
    // Reply to a request that cannot be served.
    MsgError = 8'hff
  } msg_e;

  typedef enum logic [7:0] {
    // The core knows no request of that number.
    ErrUnknownType = 8'h01,
    // The payload is not as long as the request's.
    ErrBadLength = 8'h02,
    // The core lacks the capability the request needs.
    ErrUnsupported = 8'h03,
    // More requests than the core's window; ask again once a reply has come.
    ErrBusy = 8'h04,
    // The core cannot run its line at that rate.
    ErrBadRate = 8'h05
  } err_e;

  localparam int unsigned PingBytes = 8;
  typedef struct packed {
    // Any number; the reply repeats it.
    logic [63:0] nonce;
  } ping_t;

  localparam int unsigned PongBytes = 8;
  typedef struct packed {
    // Any number; the reply repeats it.
    logic [63:0] nonce;
  } pong_t;

  localparam int unsigned InfoBytes = 0;

  localparam int unsigned InfoReplyBytes = 24;
  typedef struct packed {
    // What the core can do, one bit each, see the capabilities.
    logic [31:0] capabilities;
    // Clock of the core in hertz.
    logic [31:0] clock_hz;
    // Requests the core holds unanswered, at least 1.
    logic [7:0] window;
    // Products that each lane computes in a clock cycle; 0 if the game has none.
    logic [7:0] multipliers;
    // Candidates evaluated side by side, each in a clock cycle of its own; 0 if each takes several.
    logic [7:0] lanes;
    // Board height in cells.
    logic [7:0] rows;
    // Board width in cells.
    logic [7:0] columns;
    // Number of the core's game.
    logic [7:0] game;
    // Hash of the core's sources and parameters; 0 if it has none.
    logic [31:0] build_id;
    // Hash of the link's table and that of the core's game.
    logic [31:0] layout_hash;
    // Version of the wire the core speaks.
    logic [15:0] protocol_version;
  } info_reply_t;

  localparam int unsigned ResetBytes = 0;

  localparam int unsigned ResetReplyBytes = 0;

  localparam int unsigned StatsBytes = 0;

  localparam int unsigned StatsReplyBytes = 16;
  typedef struct packed {
    // Good frames beyond the window: refused as busy, or dropped.
    logic [31:0] overrun;
    // Bytes between two delimiters that are no frame; dropped.
    logic [31:0] malformed;
    // Well-formed frames with a wrong CRC; dropped.
    logic [31:0] bad_crc;
    // Frames with the right CRC, the request answered here included.
    logic [31:0] frames_good;
  } stats_reply_t;

  localparam int unsigned SetRateBytes = 4;
  typedef struct packed {
    // What the UART adds each clock cycle to a phase of 24 bits: baud x 2^24 / clock_hz, rounded.
    logic [31:0] increment;
  } set_rate_t;

  localparam int unsigned SetRateReplyBytes = 0;

  localparam int unsigned CancelBytes = 0;

  localparam int unsigned CancelReplyBytes = 0;

  localparam int unsigned CreditBytes = 0;

  localparam int unsigned CreditReplyBytes = 0;

  localparam int unsigned ButtonsBytes = 0;

  localparam int unsigned ButtonsReplyBytes = 6;
  typedef struct packed {
    // Presses since power-up or the board's reset, modulo 256, each by the number of its button:
    // left, right, up, down, fire 1, fire 2.
    logic [47:0] presses;
  } buttons_reply_t;

  localparam int unsigned ErrorBytes = 2;
  typedef struct packed {
    // Number of the request's message, as it was received.
    logic [7:0] request;
    // Number of the error code.
    logic [7:0] code;
  } error_t;

  function automatic lengths_t request_lengths();
    lengths_t lengths;
    lengths = {128{NotRequest}};
    lengths[7'h01] = 8'd8;  // ping
    lengths[7'h02] = 8'd0;  // info
    lengths[7'h03] = 8'd0;  // reset
    lengths[7'h04] = 8'd0;  // stats
    lengths[7'h05] = 8'd4;  // set_rate
    lengths[7'h06] = 8'd0;  // cancel
    lengths[7'h07] = 8'd0;  // credit
    lengths[7'h08] = 8'd0;  // buttons
    return lengths;
  endfunction

  // Payload bytes of each request of this table.
  localparam lengths_t RequestLengths = request_lengths();

endpackage
// verilator lint_on UNUSEDPARAM
