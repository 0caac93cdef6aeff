// Reads the payload of a game's next request from the request memory. docs/kit.md has the contract.
//
// Drive it: `req_i` offers a request, whose payload has `length_i` bytes. `msg_o` is its message
// from the cycle after it was taken on; from the cycle after `rsp_o.loaded` on `loaded_o` is high,
// and `msg_o` and `payload_o` stay until `release_i`. Then the next one is taken.
//
// `payload_o` has the first `Bytes` bytes, byte k in bits 8k to 8k + 7. Each byte, those beyond
// too, is on `req_i.rdata` while `byte_valid_o` is high, its number on `byte_index_o`, for a game
// that keeps a long payload elsewhere. While `hold_i` is high nothing is read: a game that still
// needs what those bytes replace holds the request.
//
// A byte is read in each cycle; `req_i.rdata` follows `rsp_o.mem_en` by two cycles. So `loaded_o`
// follows the request by 3 cycles and one for each byte, 2 when there is none.
module request_loader
  import frame_pkg::offset_t, frame_pkg::slot_t;
#(
  parameter int unsigned Bytes = 8  // of a payload that are kept, at least 1
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // The link
  input  game_pkg::load_req_t req_i,
  output game_pkg::load_rsp_t rsp_o,
  input  offset_t             length_i,
  // Payload bytes on their way
  input  logic                hold_i,
  output logic                byte_valid_o,
  output offset_t             byte_index_o,
  // What was loaded
  output logic                loaded_o,
  input  logic                release_i,
  output logic [7:0]          msg_o,
  output logic [8*Bytes-1:0]  payload_o
);

  typedef enum logic [1:0] {
    LdIdle,
    LdLoad,  // payload bytes from memory
    LdDone   // waits to be served
  } state_e;

  state_e                state_q, state_d;
  logic [7:0]            msg_q, msg_d;
  slot_t                 slot_q, slot_d;
  offset_t               length_q, length_d;
  offset_t               issued_q, issued_d;  // bytes requested
  offset_t               came_q, came_d;      // bytes that came
  logic                  reading_q;           // the next payload byte is a cycle away
  logic                  rvalid_q;            // req_i.rdata is it
  logic [Bytes-1:0][7:0] payload_q, payload_d;

  logic all_issued;
  assign all_issued = issued_q == length_q;

  logic ends, reads;
  assign ends  = state_q == LdLoad && all_issued && !reading_q && !hold_i;
  assign reads = state_q == LdLoad && !all_issued && !hold_i;

  assign rsp_o.ready    = state_q == LdIdle;
  assign rsp_o.loaded   = ends;
  assign rsp_o.mem_en   = reads;
  assign rsp_o.mem_addr = '{slot: slot_q, offset: issued_q};

  assign byte_valid_o = rvalid_q;
  assign byte_index_o = came_q;
  assign loaded_o     = state_q == LdDone;
  assign msg_o        = msg_q;
  assign payload_o    = payload_q;

  always_comb begin
    state_d   = state_q;
    msg_d     = msg_q;
    slot_d    = slot_q;
    length_d  = length_q;
    issued_d  = issued_q;
    came_d    = came_q;
    payload_d = payload_q;

    if (reads) issued_d = issued_q + 1'b1;
    if (rvalid_q) begin
      came_d = came_q + 1'b1;
      for (int unsigned k = 0; k < Bytes; k++) begin
        if (came_q == offset_t'(k)) payload_d[k] = req_i.rdata;
      end
    end

    unique case (state_q)
      LdIdle: if (req_i.valid) begin
        state_d  = LdLoad;
        msg_d    = req_i.msg;
        slot_d   = req_i.slot;
        length_d = length_i;
        issued_d = '0;
        came_d   = '0;
      end

      // The last byte arrives in the cycle that leaves.
      LdLoad: if (ends) state_d = LdDone;

      LdDone: if (release_i) state_d = LdIdle;

      default: state_d = LdIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= LdIdle;
      reading_q <= 1'b0;
      rvalid_q  <= 1'b0;
    end else begin
      state_q   <= state_d;
      reading_q <= reads;
      rvalid_q  <= reading_q;
    end
  end

  // What a request sets needs no reset.
  always_ff @(posedge clk_i) begin
    msg_q     <= msg_d;
    slot_q    <= slot_d;
    length_q  <= length_d;
    issued_q  <= issued_d;
    came_q    <= came_d;
    payload_q <= payload_d;
  end

`ifndef SYNTHESIS
  RequestHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    req_i.valid && !rsp_o.ready |=>
    req_i.valid && $stable(req_i.msg) && $stable(req_i.slot) && $stable(length_i));
  LoadedHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    loaded_o && !release_i |=> loaded_o && $stable(msg_o) && $stable(payload_o));
  ReleasedThere_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    release_i |-> loaded_o);
`endif

endmodule
