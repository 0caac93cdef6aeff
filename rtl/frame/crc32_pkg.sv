// CRC-32/ISO-HDLC (reflected polynomial 0xEDB88320), a byte a call.
//
// Start from `Init`, `update` with every byte; the CRC on the wire is the
// complement of the state, least significant byte first. A receiver updates
// with the four CRC bytes as well and compares the state with `Residue`.
package crc32_pkg;

  localparam logic [31:0] Init = 32'hffff_ffff;
  localparam logic [31:0] Polynomial = 32'hedb8_8320;
  // State after any data followed by its own CRC.
  localparam logic [31:0] Residue = 32'hdebb_20e3;

  function automatic logic [31:0] update(logic [31:0] state, logic [7:0] data);
    logic [31:0] crc;
    crc = state ^ {24'h0, data};
    for (int unsigned i = 0; i < 8; i++) begin
      crc = {1'b0, crc[31:1]} ^ (crc[0] ? Polynomial : 32'h0);
    end
    return crc;
  endfunction

endpackage
