// CRC-32/ISO-HDLC (reflected polynomial 0xEDB88320), a byte or a bit a call.
//
// Start from `Init`, `update` with every byte, or `update_bit` with every bit of
// it, the lowest first; the CRC on the wire is the complement of the state, least
// significant byte first. A receiver updates with the four CRC bytes as well and
// compares the state with `Residue`.
package crc32_pkg;

  localparam logic [31:0] Init = 32'hffff_ffff;
  localparam logic [31:0] Polynomial = 32'hedb8_8320;
  // State after any data followed by its own CRC.
  localparam logic [31:0] Residue = 32'hdebb_20e3;

  function automatic logic [31:0] update_bit(logic [31:0] state, logic data);
    return {1'b0, state[31:1]} ^ ((state[0] ^ data) ? Polynomial : 32'h0);
  endfunction

  function automatic logic [31:0] update(logic [31:0] state, logic [7:0] data);
    logic [31:0] crc;
    crc = state;
    for (int unsigned i = 0; i < 8; i++) crc = update_bit(crc, data[i]);
    return crc;
  endfunction

endpackage
