// Reads the payload of the game's next request, while the one before is served.
//
// Drive it: offer a request with `req_valid_i`/`req_ready_o`, its payload in slot `req_slot_i`
// until `req_loaded_o`, which is high for a cycle when all of it has been read. From the next cycle
// on `loaded_o` is high, and what was loaded stays, until `release_i`; then the next one is taken.
// A byte is read in each cycle, `mem_rdata_i` follows `mem_en_o` by two cycles.
//
// The first bytes are held in `request_o`, those of a decide or trace, and as much of a play or
// self_play. Others go where they are needed, in the cycle in which `mem_rdata_i` is one: weights
// (`weights_we_o`), the pieces of a play (`piece_we_o`), what a self_play begins with
// (`draws_shift_o`). Weights and the latter take the place of what a request under way needs: they
// are read while `idle_i` says that there is none.
module tetris_loader
  import frame_pkg::mem_addr_t, frame_pkg::offset_t, frame_pkg::slot_t;
(
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // Request
  input  logic                      req_valid_i,
  output logic                      req_ready_o,
  input  logic [7:0]                req_msg_i,
  input  slot_t                     req_slot_i,
  output logic                      req_loaded_o,
  // Request memory, read only
  output logic                      mem_en_o,
  output mem_addr_t                 mem_addr_o,
  input  logic [7:0]                mem_rdata_i,
  // What was loaded
  input  logic                      idle_i,
  output logic                      loaded_o,
  input  logic                      release_i,
  output logic [7:0]                msg_o,
  output logic                      gives_o,        // it is a play
  output logic                      draws_o,        // it is a self_play
  output tetris_proto_pkg::decide_t request_o,
  output logic [15:0]               pieces_o,       // of a play
  output logic                      bad_numbers_o,  // one of them is none
  // Bytes on their way
  output logic                      weights_we_o,
  output logic                      piece_we_o,
  output logic [6:0]                piece_addr_o,
  output logic                      draws_shift_o
);

  typedef enum logic [1:0] {
    LdIdle,
    LdLoad,  // payload bytes from memory
    LdDone   // waits to be served
  } load_e;

  localparam int unsigned LoadWidth = $bits(tetris_proto_pkg::decide_t);
  // Bytes of the payload before a play's pieces, and of the board.
  localparam int unsigned LoadBytes  = LoadWidth / 8;
  localparam int unsigned BoardBytes = $bits(tetris_pkg::board_t) / 8;

  load_e                state_q, state_d;
  logic [7:0]           msg_q, msg_d;
  slot_t                slot_q, slot_d;
  offset_t              asked_q, asked_d;  // bytes asked for
  offset_t              came_q, came_d;    // bytes that came
  logic [6:0]           place_q, place_d;  // of the next byte among a play's pieces
  logic                 reading_q;         // the next payload byte is a cycle away
  logic                 rvalid_q;          // mem_rdata_i is it
  logic [LoadWidth-1:0] load_q, load_d;
  logic                 bad_numbers_q, bad_numbers_d;

  // Known once, because much hangs on them
  logic weights_q, weights_d, gives_q, gives_d, draws_q, draws_d;

  logic may_load, load_done;
  assign may_load  = !(weights_q || draws_q) || idle_i;
  assign load_done = asked_q == offset_t'(tetris_proto_pkg::RequestLengths[msg_q[6:0]]);

  // Of a play: what lies where the pieces are in a decide
  assign pieces_o = load_q[LoadWidth-1 -: 16];

  // Of the byte that came: the number of its first piece
  logic [15:0] number;
  assign number = 16'({place_q, 1'b0});

  // Whether one of a game's pieces is no piece
  function automatic logic bad_number(logic [3:0] piece, logic [15:0] at, logic [15:0] pieces);
    return 8'(piece) > tetris_proto_pkg::PieceL && at < pieces;
  endfunction

  assign req_ready_o   = state_q == LdIdle;
  assign req_loaded_o  = state_q == LdLoad && state_d == LdDone;
  assign mem_en_o      = state_q == LdLoad && may_load && !load_done;
  assign mem_addr_o    = '{slot: slot_q, offset: asked_q};
  assign loaded_o      = state_q == LdDone;
  assign msg_o         = msg_q;
  assign gives_o       = gives_q;
  assign draws_o       = draws_q;
  assign request_o     = load_q;
  assign bad_numbers_o = bad_numbers_q;
  assign weights_we_o  = rvalid_q && weights_q;
  assign piece_we_o    = rvalid_q && gives_q && came_q >= offset_t'(LoadBytes);
  assign piece_addr_o  = place_q;
  assign draws_shift_o = rvalid_q && draws_q && came_q >= offset_t'(BoardBytes);

  always_comb begin
    state_d       = state_q;
    msg_d         = msg_q;
    weights_d     = weights_q;
    gives_d       = gives_q;
    draws_d       = draws_q;
    slot_d        = slot_q;
    asked_d       = asked_q;
    came_d        = came_q;
    place_d       = place_q;
    load_d        = load_q;
    bad_numbers_d = bad_numbers_q;

    if (rvalid_q) begin
      came_d = came_q + 1'b1;
      if (came_q < offset_t'(LoadBytes) && !weights_q) begin
        load_d = {mem_rdata_i, load_q[LoadWidth-1:8]};
      end
    end
    if (piece_we_o) begin
      place_d = place_q + 1'b1;
      if (bad_number(mem_rdata_i[3:0], number, pieces_o) ||
          bad_number(mem_rdata_i[7:4], number | 16'd1, pieces_o)) bad_numbers_d = 1'b1;
    end

    unique case (state_q)
      LdIdle: if (req_valid_i) begin
        state_d       = LdLoad;
        msg_d         = req_msg_i;
        weights_d     = req_msg_i == tetris_proto_pkg::MsgSetWeights;
        gives_d       = req_msg_i == tetris_proto_pkg::MsgPlay;
        draws_d       = req_msg_i == tetris_proto_pkg::MsgSelfPlay;
        slot_d        = req_slot_i;
        asked_d       = '0;
        came_d        = '0;
        place_d       = '0;
        bad_numbers_d = 1'b0;
      end

      LdLoad: if (may_load) begin
        // The last byte arrives in the cycle that leaves.
        if (!load_done) asked_d = asked_q + 1'b1;
        else if (!reading_q) state_d = LdDone;
      end

      LdDone: if (release_i) state_d = LdIdle;

      default: state_d = LdIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q       <= LdIdle;
      msg_q         <= '0;
      weights_q     <= 1'b0;
      gives_q       <= 1'b0;
      draws_q       <= 1'b0;
      slot_q        <= '0;
      asked_q       <= '0;
      came_q        <= '0;
      place_q       <= '0;
      reading_q     <= 1'b0;
      rvalid_q      <= 1'b0;
      bad_numbers_q <= 1'b0;
    end else begin
      state_q       <= state_d;
      msg_q         <= msg_d;
      weights_q     <= weights_d;
      gives_q       <= gives_d;
      draws_q       <= draws_d;
      slot_q        <= slot_d;
      asked_q       <= asked_d;
      came_q        <= came_d;
      place_q       <= place_d;
      reading_q     <= mem_en_o;
      rvalid_q      <= reading_q;
      bad_numbers_q <= bad_numbers_d;
    end
  end

  // No reset: it means something once it was loaded.
  always_ff @(posedge clk_i) load_q <= load_d;

`ifndef SYNTHESIS
  RequestHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    req_valid_i && !req_ready_o |=>
    req_valid_i && $stable(req_msg_i) && $stable(req_slot_i));
  LoadedHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    loaded_o && !release_i |=>
    loaded_o && $stable(msg_o) && $stable(request_o) && $stable(bad_numbers_o));
  ReleasedThere_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    release_i |-> loaded_o);
`endif

endmodule
