// Types shared by everything between the serial bytes and the game.
package frame_pkg;

  // What precedes the payload; first byte on the wire = least significant byte.
  typedef struct packed {
    logic [7:0]  msg;
    logic [15:0] seq;
  } header_t;

  localparam int unsigned HeaderBytes = $bits(header_t) / 8;
  localparam int unsigned CrcBytes    = link_proto_pkg::FrameOverheadBytes - HeaderBytes;

  // Index of a raw byte, and number of raw bytes up to the cap.
  localparam int unsigned RawWidth = $clog2(link_proto_pkg::MaxRawBytes + 1);

  // A slot of the request memory holds a payload and the CRC after it.
  localparam int unsigned OffsetWidth = $clog2(link_proto_pkg::MaxPayloadBytes + CrcBytes);
  // Slots that a core may have, at least 2
  localparam int unsigned MaxWindow   = 16;
  localparam int unsigned SlotWidth   = $clog2(MaxWindow);

  typedef logic [OffsetWidth-1:0] offset_t;
  typedef logic [SlotWidth-1:0]   slot_t;

  // Address in the request memory.
  typedef struct packed {
    slot_t   slot;
    offset_t offset;
  } mem_addr_t;

  // A good frame as it waits for its answer; the payload lies in its slot.
  typedef struct packed {
    header_t    header;
    logic [7:0] length;  // payload bytes
    slot_t      slot;
    logic       busy;    // it found no slot: there is no payload
  } request_t;

  // The payload of an error reply.
  function automatic link_proto_pkg::error_t error_payload(logic [7:0] code, logic [7:0] request);
    return '{code: code, request: request};
  endfunction

endpackage
