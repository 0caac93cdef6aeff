// Generated from protocol/src/layout/connect4.rs by `make generate`: do not edit.
//
// Message numbers, payload lengths and layouts of the wire, as packed structs
// (first byte on the wire = least significant byte). docs/wire.md has the rest.

// The table is whole; no design uses all of it.
// verilator lint_off UNUSEDPARAM
package connect4_proto_pkg;

  // Number of the game in info_reply.
  localparam logic [7:0] GameNumber = 8'h02;
  // Hash of the link's table and this one, for info_reply.
  localparam logic [31:0] LayoutHash = 32'hac697acc;
  // Columns of the board.
  localparam int unsigned Columns = 7;
  // Rows of the board.
  localparam int unsigned Rows = 6;
  // Value of a win; each stone up to it, itself included, takes 1 off.
  localparam logic [15:0] Win = 16'h2710;
  // Most clock cycles between two parts of a search that has credit.
  localparam int unsigned ProgressCycles = 1048576;

  typedef enum logic [7:0] {
    // Sets all weights.
    MsgSetWeights = 8'h10,
    // Reply to set_weights: they hold for every request after it.
    MsgSetWeightsReply = 8'h90,
    // Asks for the weights back.
    MsgGetWeights = 8'h11,
    // Reply to get_weights.
    MsgWeights = 8'h91,
    // Asks for the best column: a stream.
    MsgSearch = 8'h12,
    // Part of a search: how far it has come.
    MsgProgress = 8'hb2,
    // The end of a search.
    MsgFound = 8'h92,
    // Asks for the value of every column, and for the best of them: a stream.
    MsgTrace = 8'h13,
    // Part of a trace: one column.
    MsgCandidate = 8'hb3,
    // The end of a trace.
    MsgTraced = 8'h93
  } msg_e;

  typedef enum logic [7:0] {
    // The stones are no position: one lies above an empty cell, two in one cell, or one outside of
    // the board.
    ErrBadBoard = 8'h40,
    // The game is over: a side has four in a row, or no cell is empty.
    ErrGameOver = 8'h41,
    // The depth is 0 or more than 42.
    ErrBadDepth = 8'h42,
    // No weights were set since power-up or the last reset.
    ErrWeightsUnset = 8'h43
  } err_e;

  localparam int unsigned SetWeightsBytes = 42;
  typedef struct packed {
    // One signed byte a cell: byte 6 c + r is the weight of column c, row r from the bottom.
    logic [335:0] weights;
  } set_weights_t;

  localparam int unsigned SetWeightsReplyBytes = 0;

  localparam int unsigned GetWeightsBytes = 0;

  localparam int unsigned WeightsBytes = 42;
  typedef struct packed {
    // One signed byte a cell: byte 6 c + r is the weight of column c, row r from the bottom.
    logic [335:0] weights;
  } weights_t;

  localparam int unsigned SearchBytes = 15;
  typedef struct packed {
    // Moves to look ahead, 1 to 42; at most as many as there are empty cells are made.
    logic [7:0] depth;
    // Stones of the other side, in the same way.
    logic [55:0] opponent;
    // Stones of the side to move: byte c is column c, bit r is row r from the bottom. Bits 6 and 7
    // are 0.
    logic [55:0] own;
  } search_t;

  localparam int unsigned ProgressBytes = 22;
  typedef struct packed {
    // Clock cycles until now.
    logic [63:0] cycles;
    // Stones dropped until now.
    logic [63:0] nodes;
    // Value of that column for the side to move; 0 before the first.
    logic signed [15:0] value;
    // Column chosen at that depth, 0 to 6; 255 before the first.
    logic [7:0] column;
    // The last depth that was completed; 0 before the first.
    logic [7:0] depth;
    // Number of the part, from 0 on.
    logic [15:0] part;
  } progress_t;

  localparam int unsigned FoundBytes = 23;
  typedef struct packed {
    // Clock cycles from the beginning to the end; of a trace those among them in which parts were
    // waited for.
    logic [63:0] cycles;
    // Stones dropped.
    logic [63:0] nodes;
    // The last depth that was completed; 0 before the first.
    logic [7:0] depth;
    // Value of that column for the side to move.
    logic signed [15:0] value;
    // Column chosen, 0 to 6. 255 when a search was cancelled before its first depth was complete.
    logic [7:0] column;
    // 1 if it was cancelled, otherwise 0. A cancelled trace has 0 in every field after it.
    logic [7:0] cancelled;
    // Parts sent before.
    logic [15:0] parts;
  } found_t;

  localparam int unsigned TraceBytes = 15;
  typedef struct packed {
    // Moves to look ahead, 1 to 42; at most as many as there are empty cells are made.
    logic [7:0] depth;
    // Stones of the other side, in the same way.
    logic [55:0] opponent;
    // Stones of the side to move: byte c is column c, bit r is row r from the bottom. Bits 6 and 7
    // are 0.
    logic [55:0] own;
  } trace_t;

  localparam int unsigned CandidateBytes = 14;
  typedef struct packed {
    // Stones dropped to find it, the one in this column included.
    logic [63:0] nodes;
    // Value of the column for the side to move.
    logic signed [15:0] value;
    // 1 if a stone can be dropped there, otherwise 0.
    logic [7:0] legal;
    // Column, 0 to 6.
    logic [7:0] column;
    // Number of the part, from 0 on: the columns in the order 3, 2, 4, 1, 5, 0, 6.
    logic [15:0] part;
  } candidate_t;

  localparam int unsigned TracedBytes = 23;
  typedef struct packed {
    // Clock cycles from the beginning to the end; of a trace those among them in which parts were
    // waited for.
    logic [63:0] cycles;
    // Stones dropped.
    logic [63:0] nodes;
    // The last depth that was completed; 0 before the first.
    logic [7:0] depth;
    // Value of that column for the side to move.
    logic signed [15:0] value;
    // Column chosen, 0 to 6. 255 when a search was cancelled before its first depth was complete.
    logic [7:0] column;
    // 1 if it was cancelled, otherwise 0. A cancelled trace has 0 in every field after it.
    logic [7:0] cancelled;
    // Parts sent before.
    logic [15:0] parts;
  } traced_t;

  function automatic link_proto_pkg::lengths_t request_lengths();
    link_proto_pkg::lengths_t lengths;
    lengths = {128{link_proto_pkg::NotRequest}};
    lengths[7'h10] = 8'd42;  // set_weights
    lengths[7'h11] = 8'd0;  // get_weights
    lengths[7'h12] = 8'd15;  // search
    lengths[7'h13] = 8'd15;  // trace
    return lengths;
  endfunction

  // Payload bytes of each request of this table.
  localparam link_proto_pkg::lengths_t RequestLengths = request_lengths();

endpackage
// verilator lint_on UNUSEDPARAM
