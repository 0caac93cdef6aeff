// Generated from protocol/src/layout/gomoku.rs by `make generate`: do not edit.
//
// Message numbers, payload lengths and layouts of the wire, as packed structs
// (first byte on the wire = least significant byte). docs/wire.md has the rest.

// The table is whole; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package gomoku_proto_pkg;

  // Number of the game in info_reply.
  localparam logic [7:0] GameNumber = 8'h03;
  // Hash of the link's table and this one, for info_reply.
  localparam logic [31:0] LayoutHash = 32'h6a5c78c2;
  // Columns of the board.
  localparam int unsigned Columns = 15;
  // Rows of the board.
  localparam int unsigned Rows = 15;
  // Shapes with a weight.
  localparam int unsigned Shapes = 7;
  // The profile wujian.
  localparam logic [7:0] ProfileWujian = 8'h00;
  // The profile lines.
  localparam logic [7:0] ProfileLines = 8'h01;
  // The greatest depth, and in lines the last ply at which a block continues a search.
  localparam logic [7:0] MaxDepth = 8'h18;
  // The point of an answer without one.
  localparam logic [7:0] NoPoint = 8'hff;
  // Most parts of a trace: its first nodes. The search goes on after them.
  localparam logic [15:0] TraceNodes = 16'hffff;
  // Most clock cycles between two parts of a search that has credit.
  localparam int unsigned ProgressCycles = 1048576;

  typedef enum logic [7:0] {
    // Sets all parameters but the depth.
    MsgSetWeights = 8'h10,
    // Reply to set_weights: they hold for every request after it.
    MsgSetWeightsReply = 8'h90,
    // Asks for the parameters back.
    MsgGetWeights = 8'h11,
    // Reply to get_weights.
    MsgWeights = 8'h91,
    // Asks for the best point: a stream.
    MsgSearch = 8'h12,
    // Part of a search: how far it has come.
    MsgProgress = 8'hb2,
    // The end of a search.
    MsgFound = 8'h92,
    // Asks for the best point and for the nodes of the search: a stream.
    MsgTrace = 8'h13,
    // Part of a trace: one node.
    MsgNode = 8'hb3,
    // The end of a trace.
    MsgTraced = 8'h93
  } msg_e;

  typedef enum logic [7:0] {
    // The stones are no position: two lie on one point, or one outside of the board.
    ErrBadBoard = 8'h40,
    // The depth is 0, more than 24, or more than this core searches.
    ErrBadDepth = 8'h41,
    // No weights were set since power-up or the last reset.
    ErrWeightsUnset = 8'h42,
    // The profile, width, extend or a key is out of range, or the core lacks the profile. The
    // weights set before still hold.
    ErrBadWeights = 8'h43
  } err_e;

  localparam int unsigned SetWeightsBytes = 38;
  typedef struct packed {
    // Weights of the shapes 1 to 7 in the order of candidates, each a byte of 0 to 31.
    logic [55:0] key;
    // Weights of the opponent's shapes 1 to 7 in the score, each i16.
    logic [111:0] defend;
    // Weights of the mover's shapes 1 to 7 in the score, each i16.
    logic [111:0] attack;
    // 1 if forced blocks continue below the horizon, otherwise 0.
    logic [7:0] extend;
    // Most candidates of a node, 0 to 225; 0 is no limit.
    logic [7:0] width;
    // The search: 0 is wujian, 1 is lines. The fields after it belong to lines, and wujian ignores
    // their values.
    logic [7:0] profile;
  } set_weights_t;

  localparam int unsigned SetWeightsReplyBytes = 0;

  localparam int unsigned GetWeightsBytes = 0;

  localparam int unsigned WeightsBytes = 38;
  typedef struct packed {
    // Weights of the shapes 1 to 7 in the order of candidates, each a byte of 0 to 31.
    logic [55:0] key;
    // Weights of the opponent's shapes 1 to 7 in the score, each i16.
    logic [111:0] defend;
    // Weights of the mover's shapes 1 to 7 in the score, each i16.
    logic [111:0] attack;
    // 1 if forced blocks continue below the horizon, otherwise 0.
    logic [7:0] extend;
    // Most candidates of a node, 0 to 225; 0 is no limit.
    logic [7:0] width;
    // The search: 0 is wujian, 1 is lines. The fields after it belong to lines, and wujian ignores
    // their values.
    logic [7:0] profile;
  } weights_t;

  localparam int unsigned SearchBytes = 61;
  typedef struct packed {
    // Stones to look ahead, 1 to 24.
    logic [7:0] depth;
    // Stones of the other side, in the same way.
    logic [239:0] opponent;
    // Stones of the side to move: a u16 a row, row 0 first; bit x is column x, bit 15 is 0.
    logic [239:0] own;
  } search_t;

  localparam int unsigned ProgressBytes = 24;
  typedef struct packed {
    // Clock cycles until now.
    logic [63:0] cycles;
    // Nodes until now.
    logic [63:0] nodes;
    // Value of that point for the side to move; 0 before the first.
    logic signed [31:0] value;
    // Best point of those searched so far, 0 to 224; 255 before the first.
    logic [7:0] point;
    // Depth of the search.
    logic [7:0] depth;
    // Number of the part, from 0 on.
    logic [15:0] part;
  } progress_t;

  localparam int unsigned FoundBytes = 24;
  typedef struct packed {
    // Clock cycles from the beginning to the end; of a trace those among them in which parts were
    // waited for.
    logic [63:0] cycles;
    // Nodes of the search.
    logic [63:0] nodes;
    // Value for the side to move.
    logic signed [31:0] value;
    // Point chosen, 0 to 224; 255 if there is none.
    logic [7:0] point;
    // 1 if it was cancelled, otherwise 0. A cancelled trace has 0 in every field after it.
    logic [7:0] cancelled;
    // Parts sent before.
    logic [15:0] parts;
  } found_t;

  localparam int unsigned TraceBytes = 61;
  typedef struct packed {
    // Stones to look ahead, 1 to 24.
    logic [7:0] depth;
    // Stones of the other side, in the same way.
    logic [239:0] opponent;
    // Stones of the side to move: a u16 a row, row 0 first; bit x is column x, bit 15 is 0.
    logic [239:0] own;
  } trace_t;

  localparam int unsigned NodeBytes = 8;
  typedef struct packed {
    // Value of the node as its parent compares it: in lines for the side of the stone, in wujian
    // for the side to move at the root.
    logic signed [31:0] value;
    // Point of the stone, 0 to 224.
    logic [7:0] point;
    // Stones since the root, this one included: 1 and more.
    logic [7:0] ply;
    // Number of the part, from 0 on.
    logic [15:0] part;
  } node_t;

  localparam int unsigned TracedBytes = 24;
  typedef struct packed {
    // Clock cycles from the beginning to the end; of a trace those among them in which parts were
    // waited for.
    logic [63:0] cycles;
    // Nodes of the search.
    logic [63:0] nodes;
    // Value for the side to move.
    logic signed [31:0] value;
    // Point chosen, 0 to 224; 255 if there is none.
    logic [7:0] point;
    // 1 if it was cancelled, otherwise 0. A cancelled trace has 0 in every field after it.
    logic [7:0] cancelled;
    // Parts sent before.
    logic [15:0] parts;
  } traced_t;

  function automatic link_proto_pkg::lengths_t request_lengths();
    link_proto_pkg::lengths_t lengths;
    lengths = {128{link_proto_pkg::NotRequest}};
    lengths[7'h10] = 8'd38;  // set_weights
    lengths[7'h11] = 8'd0;  // get_weights
    lengths[7'h12] = 8'd61;  // search
    lengths[7'h13] = 8'd61;  // trace
    return lengths;
  endfunction

  // Payload bytes of each request of this table.
  localparam link_proto_pkg::lengths_t RequestLengths = request_lengths();

endpackage
// verilator lint_on UNUSEDPARAM
