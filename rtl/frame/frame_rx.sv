// Frame receiver: bytes in, checked frames out, payload straight into memory.
//
// Drive it: one byte in any cycle with `byte_valid_i`, no back-pressure. Two
// cycles after the delimiter of a frame exactly one of `good_o`, `bad_crc_o`,
// `malformed_o` is high for one cycle (never for an idle line). With `good_o`
// come the header, the payload length and whether the payload was stored.
//
// The slot is chosen with the last header byte: with `slot_free_i` the bytes
// after the header are written into slot `slot_i` as they arrive (the CRC as
// well, it fits after the longest payload), without it the payload is lost.
// The slot is the frame's only when `good_o` and `stored_o` say so.
module frame_rx
  import frame_pkg::HeaderBytes, frame_pkg::RawWidth, frame_pkg::header_t, frame_pkg::mem_addr_t,
         frame_pkg::offset_t, frame_pkg::slot_t;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  // Bytes from the link
  input  logic       byte_valid_i,
  input  logic [7:0] byte_data_i,
  input  logic       byte_err_i,
  // Slot of the next request
  input  logic       slot_free_i,
  input  slot_t      slot_i,
  // Request memory, write only
  output logic       mem_en_o,
  output mem_addr_t  mem_addr_o,
  output logic [7:0] mem_wdata_o,
  // Verdict
  output logic       good_o,
  output logic       bad_crc_o,
  output logic       malformed_o,
  output header_t    header_o,
  output logic [7:0] length_o,
  output slot_t      slot_o,
  output logic       stored_o
);

  localparam logic [RawWidth-1:0] LastHeaderByte = RawWidth'(HeaderBytes - 1);
  localparam logic [RawWidth-1:0] FirstPayload   = RawWidth'(HeaderBytes);
  localparam logic [RawWidth-1:0] MinRaw         = RawWidth'(link_proto_pkg::FrameOverheadBytes);
  localparam logic [RawWidth-1:0] MaxRaw         = RawWidth'(link_proto_pkg::MaxRawBytes);

  logic       raw_valid, frame_end, end_malformed;
  logic [7:0] raw_data;

  cobs_decoder u_cobs_decoder (
    .clk_i,
    .rst_ni,
    .valid_i         (byte_valid_i),
    .data_i          (byte_data_i),
    .err_i           (byte_err_i),
    .raw_valid_o     (raw_valid),
    .raw_data_o      (raw_data),
    .end_o           (frame_end),
    .end_malformed_o (end_malformed)
  );

  logic [RawWidth-1:0] count_q, count_d;  // raw bytes so far, stops at the cap
  logic                long_q, long_d;    // one more than the cap
  logic [31:0]         crc_q, crc_d;
  header_t             header_q, header_d;
  slot_t               slot_q, slot_d;
  logic                stored_q, stored_d;
  logic [RawWidth-1:0] length_q, length_d;
  logic                good_q, good_d;
  logic                bad_crc_q, bad_crc_d;
  logic                malformed_q, malformed_d;

  always_comb begin
    count_d     = count_q;
    long_d      = long_q;
    crc_d       = crc_q;
    header_d    = header_q;
    slot_d      = slot_q;
    stored_d    = stored_q;
    length_d    = length_q;
    good_d      = 1'b0;
    bad_crc_d   = 1'b0;
    malformed_d = 1'b0;

    if (raw_valid) begin
      crc_d = crc32_pkg::update(crc_q, raw_data);
      if (count_q == MaxRaw) long_d = 1'b1;
      else count_d = count_q + 1'b1;
      if (count_q < FirstPayload) header_d = {raw_data, header_q[$bits(header_t)-1:8]};
      if (count_q == LastHeaderByte) begin
        slot_d   = slot_i;
        stored_d = slot_free_i;
      end
    end

    if (frame_end) begin
      length_d = count_q - MinRaw;
      if (end_malformed || long_q || count_q < MinRaw) malformed_d = 1'b1;
      else if (crc_q != crc32_pkg::Residue) bad_crc_d = 1'b1;
      else good_d = 1'b1;
      count_d = '0;
      long_d  = 1'b0;
      crc_d   = crc32_pkg::Init;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q     <= '0;
      long_q      <= 1'b0;
      crc_q       <= crc32_pkg::Init;
      header_q    <= '0;
      slot_q      <= '0;
      stored_q    <= 1'b0;
      length_q    <= '0;
      good_q      <= 1'b0;
      bad_crc_q   <= 1'b0;
      malformed_q <= 1'b0;
    end else begin
      count_q     <= count_d;
      long_q      <= long_d;
      crc_q       <= crc_d;
      header_q    <= header_d;
      slot_q      <= slot_d;
      stored_q    <= stored_d;
      length_q    <= length_d;
      good_q      <= good_d;
      bad_crc_q   <= bad_crc_d;
      malformed_q <= malformed_d;
    end
  end

  assign mem_en_o    = raw_valid && stored_q && count_q >= FirstPayload && count_q != MaxRaw;
  assign mem_addr_o  = '{slot: slot_q, offset: offset_t'(count_q - FirstPayload)};
  assign mem_wdata_o = raw_data;

  assign good_o      = good_q;
  assign bad_crc_o   = bad_crc_q;
  assign malformed_o = malformed_q;
  assign header_o    = header_q;
  assign length_o    = 8'(length_q);
  assign slot_o      = slot_q;
  assign stored_o    = stored_q;

`ifndef SYNTHESIS
  OneVerdict_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    $onehot0({good_o, bad_crc_o, malformed_o}));
  LengthInCap_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    good_o |-> length_o <= 8'(link_proto_pkg::MaxPayloadBytes));
`endif

endmodule
