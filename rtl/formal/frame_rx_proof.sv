// frame_rx: whatever came before, after a delimiter it is as after a reset, so that the next good
// frame is taken as good; one verdict a frame, two cycles after its delimiter; a good frame has 7
// to 127 bytes and its length is reported; bytes are written one after the other, within the
// slot that was free, and the counters do not run over.
module frame_rx_proof
  import frame_pkg::header_t, frame_pkg::mem_addr_t, frame_pkg::slot_t;
(
  input logic       clk_i,
  input logic       valid_i,
  input logic [7:0] data_i,
  input logic       err_i,
  input logic       slot_free_i,
  input slot_t      slot_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic       mem_en, good, bad_crc, malformed, stored;
  mem_addr_t  mem_addr;
  logic [7:0] mem_wdata, length;
  header_t    header;
  slot_t      slot;

  frame_rx u_dut (
    .clk_i,
    .rst_ni       (rst_n),
    .byte_valid_i (valid_i),
    .byte_data_i  (data_i),
    .byte_err_i   (err_i),
    .slot_free_i,
    .slot_i,
    .mem_en_o     (mem_en),
    .mem_addr_o   (mem_addr),
    .mem_wdata_o  (mem_wdata),
    .good_o       (good),
    .bad_crc_o    (bad_crc),
    .malformed_o  (malformed),
    .header_o     (header),
    .length_o     (length),
    .slot_o       (slot),
    .stored_o     (stored)
  );

  // What the decoder gives (proved by itself)
  logic       raw, frame_end, end_malformed;
  logic [7:0] raw_data;
  assign raw           = u_dut.u_cobs_decoder.raw_valid_o;
  assign raw_data      = u_dut.u_cobs_decoder.raw_data_o;
  assign frame_end     = u_dut.u_cobs_decoder.end_o;
  assign end_malformed = u_dut.u_cobs_decoder.end_malformed_o;

  // The reference: raw bytes of the frame, as far as they matter, and its CRC bit by bit
  logic [7:0]  bytes_q;    // stops at 128
  logic [31:0] crc_q;
  logic [23:0] header_q;
  logic        free_q;     // there was a slot when the header was complete
  slot_t       slot_q;
  logic        good_q, bad_crc_q, malformed_q;
  logic [7:0]  length_q;
  logic        ended_q;    // the delimiter's end was in the cycle before

  function automatic logic [31:0] crc_with(logic [31:0] crc, logic [7:0] data);
    logic [31:0] next;
    next = crc;
    for (int unsigned i = 0; i < 8; i++) begin
      next = (next[0] != data[i]) ? (next >> 1) ^ 32'hedb8_8320 : next >> 1;
    end
    return next;
  endfunction

  always_ff @(posedge clk_i) begin
    ended_q <= !rst_n || frame_end;
    if (!rst_n) begin
      bytes_q     <= '0;
      crc_q       <= '1;
      good_q      <= 1'b0;
      bad_crc_q   <= 1'b0;
      malformed_q <= 1'b0;
    end else begin
      good_q      <= 1'b0;
      bad_crc_q   <= 1'b0;
      malformed_q <= 1'b0;
      if (raw) begin
        crc_q <= crc_with(crc_q, raw_data);
        if (bytes_q < 8'd3) header_q[8*bytes_q[1:0] +: 8] <= raw_data;
        if (bytes_q == 8'd2) begin
          free_q <= slot_free_i;
          slot_q <= slot_i;
        end
        if (bytes_q < 8'd128) bytes_q <= bytes_q + 8'd1;
      end
      if (frame_end) begin
        // docs/wire.md, "what is not a frame"
        malformed_q <= end_malformed || bytes_q < 8'd7 || bytes_q > 8'd127;
        bad_crc_q   <= !(end_malformed || bytes_q < 8'd7 || bytes_q > 8'd127) &&
                       crc_q != 32'hdebb_20e3;
        good_q      <= !(end_malformed || bytes_q < 8'd7 || bytes_q > 8'd127) &&
                       crc_q == 32'hdebb_20e3;
        length_q    <= bytes_q - 8'd7;
        bytes_q     <= '0;
        crc_q       <= '1;
      end
    end
  end

  always_comb begin
    if (rst_n) begin
      Verdict_A: assert ({good, bad_crc, malformed} == {good_q, bad_crc_q, malformed_q});
      Length_A:  assert (!good_q || length == length_q);
      Header_A:  assert (!good_q || (header == header_q && stored == free_q));
      Slot_A:    assert (!(good_q && free_q) || slot == slot_q);
      Write_A:   assert (mem_en == (raw && bytes_q >= 8'd3 && bytes_q < 8'd127 && free_q));
      Address_A: assert (!mem_en || (mem_addr.slot == slot_q && mem_wdata == raw_data &&
                                     8'(mem_addr.offset) == bytes_q - 8'd3));
      // As after a reset
      Fresh_A:   assert (!ended_q || (u_dut.count_q == '0 && !u_dut.long_q && u_dut.crc_q == '1));
      // How it keeps all this
      Count_A:   assert (bytes_q <= 8'd128 && u_dut.long_q == (bytes_q == 8'd128) &&
                         8'(u_dut.count_q) == (u_dut.long_q ? 8'd127 : bytes_q));
      Crc_A:     assert (u_dut.crc_q == crc_q);
      Kept_A:    assert ((bytes_q < 8'd3 && !good_q) || (u_dut.stored_q == free_q &&
                         u_dut.slot_q == slot_q && u_dut.header_q == header_q));
      Parts_A:   assert (bytes_q != 8'd1 || u_dut.header_q[23:16] == header_q[7:0]);
      Parts2_A:  assert (bytes_q != 8'd2 || u_dut.header_q[23:8] == header_q[15:0]);
      Empty_A:   assert (!(good_q || bad_crc_q || malformed_q) || bytes_q <= 8'd1);
      One_A:     assert (!(raw && frame_end));
    end
    Good_C:  cover (rst_n && good && stored);
    Bad_C:   cover (rst_n && bad_crc);
    Short_C: cover (rst_n && malformed && !u_dut.u_cobs_decoder.inside_q);
  end

endmodule
