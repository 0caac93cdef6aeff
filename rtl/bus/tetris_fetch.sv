// Reads a board and its piece from a memory of 32-bit words, and hands them to the AI core.
//
// Drive it: start_i, held until checked_o; base_i and seed_pieces_i must be stable meanwhile. Along
// with checked_o, bad_piece_o says that the memory's piece is none: then that was all. Otherwise
// busy_o is high from the next cycle on, until the core has taken the position (req_*). start_i
// must not rise while busy_o is high.
//
// The memory: word r, at byte address base_i + 4 r, is row r from the bottom, its bit 9 column 0
// and its bit 0 column 9, the bits above left out; word 20 is the piece, 0 .. 6 in all its 32 bits.
// Reads alone: mem_rdata_i is the word at mem_addr_o in the cycle after mem_en_o. There are no wait
// states, for it is meant to be a port of a block RAM of its own; a memory behind an arbiter
// needs such a RAM in between.
//
// Pieces have the numbers of this project (I O T S Z J L), with seed_pieces_i of the ECE532 design
// (I L J S Z O T).
//
// Latency: checked_o 2 cycles after start_i rises, the position offered 22 cycles after checked_o.
module tetris_fetch
  import tetris_pkg::Columns, tetris_pkg::Rows,
         tetris_pkg::board_t, tetris_pkg::piece_t, tetris_pkg::row_t;
#(
  parameter int unsigned AddrWidth = 32  // bits of a byte address, 7 .. 32
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 start_i,
  input  logic [AddrWidth-1:0] base_i,
  input  logic                 seed_pieces_i,
  output logic                 checked_o,
  output logic                 bad_piece_o,
  output logic                 busy_o,
  // Memory
  output logic                 mem_en_o,
  output logic [AddrWidth-1:0] mem_addr_o,
  input  logic [31:0]          mem_rdata_i,
  // AI core
  output logic                 req_valid_o,
  input  logic                 req_ready_i,
  output board_t               req_board_o,
  output piece_t               req_piece_o
);

  localparam int unsigned PieceWord = Rows;

  typedef logic [AddrWidth-1:0] addr_t;
  typedef logic [4:0]           count_t;  // 0 .. Rows

  typedef enum logic [2:0] {
    StIdle,   // waits for a start
    StPiece,  // the piece is read
    StCheck,  // ... and is there
    StRows,   // rows are read, the one before is there
    StLast,   // the last row is there
    StOffer   // the position is offered
  } state_e;

  state_e state_q, state_d;
  addr_t  addr_q, addr_d;
  count_t count_q, count_d;  // rows requested
  board_t board_q, board_d;
  piece_t piece_q, piece_d;

  // The seed's number to ours
  function automatic piece_t of_seed(piece_t number);
    unique case (number)
      3'd0:    return tetris_pkg::PieceI;
      3'd1:    return tetris_pkg::PieceL;
      3'd2:    return tetris_pkg::PieceJ;
      3'd3:    return tetris_pkg::PieceS;
      3'd4:    return tetris_pkg::PieceZ;
      3'd5:    return tetris_pkg::PieceO;
      default: return tetris_pkg::PieceT;
    endcase
  endfunction

  row_t row;  // the memory's word as a row
  always_comb begin
    for (int unsigned c = 0; c < Columns; c++) row[c] = mem_rdata_i[Columns-1-c];
  end

  assign bad_piece_o = mem_rdata_i > 32'd6;

  always_comb begin
    state_d = state_q;
    addr_d  = addr_q;
    count_d = count_q;
    board_d = board_q;
    piece_d = piece_q;

    unique case (state_q)
      StIdle: if (start_i) begin
        state_d = StPiece;
        addr_d  = base_i + addr_t'(4 * PieceWord);
      end

      StPiece: state_d = StCheck;

      StCheck: begin
        state_d = bad_piece_o ? StIdle : StRows;
        addr_d  = base_i;
        count_d = '0;
        piece_d = seed_pieces_i ? of_seed(mem_rdata_i[2:0]) : mem_rdata_i[2:0];
      end

      StRows: begin
        addr_d  = addr_q + addr_t'(4);
        count_d = count_q + 5'd1;
        if (count_q != '0) board_d = {row, board_q[Rows-1:1]};
        if (count_q == count_t'(Rows - 1)) state_d = StLast;
      end

      StLast: begin
        board_d = {row, board_q[Rows-1:1]};
        state_d = StOffer;
      end

      StOffer: if (req_ready_i) state_d = StIdle;

      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else         state_q <= state_d;
  end

  // These mean something in some states alone.
  always_ff @(posedge clk_i) begin
    addr_q  <= addr_d;
    count_q <= count_d;
    board_q <= board_d;
    piece_q <= piece_d;
  end

  assign checked_o   = state_q == StCheck;
  assign busy_o      = state_q == StRows || state_q == StLast || state_q == StOffer;
  assign mem_en_o    = state_q == StPiece || state_q == StRows;
  assign mem_addr_o  = addr_q;
  assign req_valid_o = state_q == StOffer;
  assign req_board_o = board_q;
  assign req_piece_o = piece_q;

`ifndef SYNTHESIS
  StartHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    start_i && !checked_o |=> start_i && $stable(base_i) && $stable(seed_pieces_i));
  NotBusy_A: assert property (@(posedge clk_i) disable iff (!rst_ni) start_i |-> !busy_o);
  RequestHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    req_valid_o && !req_ready_i |=>
    req_valid_o && $stable(req_board_o) && $stable(req_piece_o));
  PieceKnown_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    req_valid_o |-> req_piece_o < 3'd7);
`endif

endmodule
