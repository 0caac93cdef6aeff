// The game's requests and replies as docs/wire.md has them, for the proofs of the reader. Written
// from that page, not from the RTL.
package tetris_wire_pkg;

  localparam logic [7:0] SetWeights = 8'h10;
  localparam logic [7:0] GetWeights = 8'h11;
  localparam logic [7:0] Decide     = 8'h12;
  localparam logic [7:0] Trace      = 8'h13;
  localparam logic [7:0] Play       = 8'h14;
  localparam logic [7:0] SelfPlay   = 8'h15;

  // Where a play's number of pieces lies in its payload and, for a decide, its piece and the next;
  // where a self_play's number of games lies, and after it what it draws from
  localparam logic [7:0] PieceAt = 8'd25;
  localparam logic [7:0] DrawsAt = 8'd26;
  localparam logic [7:0] BoardBytes = 8'd25;
  localparam logic [7:0] NumbersAt = 8'd27;
  localparam logic [7:0] PartMoves = 8'd32;

  // Of the game's requests: the dispatcher hands no others over.
  function automatic logic is_request(logic [7:0] msg);
    return msg inside {SetWeights, GetWeights, Decide, Trace, Play, SelfPlay};
  endfunction

  function automatic logic [7:0] request_length(logic [7:0] msg);
    unique case (msg)
      SetWeights:    return 8'd56;
      GetWeights:    return 8'd0;
      Decide, Trace: return 8'd27;
      Play:          return 8'd107;
      default:       return 8'd50;
    endcase
  endfunction

  // The bytes of a payload that decide on a refusal
  typedef struct packed {
    logic [7:0]      piece;  // the bytes after the board
    logic [7:0]      next;
    logic [7:0][7:0] draws;  // the eight bytes from DrawsAt on
    logic            bad;    // a play has a number that counts and is no piece's
  } seen_t;

  // Error code of a refused request; 0 if it is served
  function automatic logic [7:0] refusal(logic [7:0] msg, seen_t seen, logic weights_set);
    logic [15:0] pieces;
    pieces = {seen.next, seen.piece};
    unique case (msg)
      SetWeights: return '0;
      GetWeights: ;
      Decide, Trace: begin
        if (seen.piece > 8'd6) return 8'h40;
        // 254 is any piece.
        if (seen.next != 8'hff) return (seen.next > 8'd6 && seen.next != 8'hfe) ? 8'h41 : 8'h03;
      end
      Play: begin
        if (pieces == '0 || pieces > 16'd160) return 8'h43;
        if (seen.bad) return 8'h40;
      end
      default: begin
        // A core without lanes plays one game.
        if (seen.draws[3:0] == '0 || seen.draws[7:4] == '0 || seen.piece != 8'd1) return 8'h43;
      end
    endcase
    return weights_set ? '0 : 8'h42;
  endfunction

  // What a game reports in a checkpoint and at its end
  typedef struct packed {
    logic               unfinished;
    logic [63:0]        signature;
    tetris_pkg::tally_t tally;
  } told_t;

  typedef logic [42:0][7:0] payload_t;

  function automatic payload_t error_payload(logic [7:0] code, logic [7:0] msg);
    payload_t bytes;
    bytes    = '0;
    bytes[0] = code;
    bytes[1] = msg;
    return bytes;
  endfunction

  function automatic payload_t decision_payload(tetris_pkg::decision_t decision);
    payload_t bytes;
    bytes        = '0;
    bytes[0]     = {7'd0, decision.legal};
    bytes[1]     = {6'd0, decision.rotation};
    bytes[2]     = {4'd0, decision.column};
    bytes[3]     = {3'd0, decision.row};
    bytes[4]     = {3'd0, decision.rows_cleared};
    bytes[12:5]  = {{16{decision.score[47]}}, decision.score};
    bytes[16:13] = decision.cycles;
    return bytes;
  endfunction

  function automatic payload_t placement_payload(logic [15:0] part, tetris_pkg::traced_t traced);
    payload_t bytes;
    bytes      = '0;
    bytes[1:0] = part;
    bytes[2]   = {6'd0, traced.placement.candidate.rotation};
    bytes[3]   = {4'd0, traced.placement.candidate.column};
    bytes[4]   = {7'd0, traced.placement.legal};
    bytes[5]   = {3'd0, traced.placement.row};
    for (int unsigned f = 0; f < 14; f++) bytes[6+2*f +: 2] = {4'd0, traced.features[f]};
    bytes[41:34] = {{16{traced.score[47]}}, traced.score};
    return bytes;
  endfunction

  // The decision's bytes are zeros when it was cancelled.
  function automatic payload_t traced_payload(logic [15:0] parts, logic cancelled,
                                              tetris_pkg::decision_t decision);
    payload_t bytes, decided;
    decided    = decision_payload(decision);
    bytes      = '0;
    bytes[1:0] = parts;
    bytes[2]   = {7'd0, cancelled};
    if (!cancelled) bytes[19:3] = decided[16:0];
    return bytes;
  endfunction

  // A checkpoint's is as much of it as goes before `cancelled`.
  function automatic payload_t played_payload(logic [15:0] parts, told_t told, logic [31:0] crc);
    payload_t bytes;
    bytes        = '0;
    bytes[1:0]   = parts;
    bytes[5:2]   = told.tally.pieces;
    bytes[9:6]   = told.tally.games;
    bytes[13:10] = told.tally.rows_cleared;
    bytes[21:14] = told.tally.score;
    bytes[29:22] = told.tally.cycles;
    bytes[37:30] = told.signature;
    bytes[38]    = {7'd0, told.unfinished};
    bytes[42:39] = crc;
    return bytes;
  endfunction

  // CRC-32 of frames, lowest bit of the data first, before it is inverted at the end
  function automatic logic [31:0] crc_of_row(logic [31:0] state, logic [9:0] row);
    logic [31:0] crc;
    crc = state;
    for (int unsigned c = 0; c < 10; c++) begin
      if (crc[0] != row[c]) crc = (crc >> 1) ^ 32'hedb8_8320;
      else crc = crc >> 1;
    end
    return crc;
  endfunction

endpackage
