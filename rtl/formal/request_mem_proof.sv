// request_mem: a read gives, two cycles later and until the next access of its port, what was
// written to that byte last, on whichever port; a port that writes reads what was there before.
//
// The tag is one byte of any address: what holds for it holds for every one. Both ports are never
// on one byte at once, one of them writing: a slot is the receiver's or the reader's.
module request_mem_proof #(
  parameter int unsigned AddrWidth = 3  // of the RTL's 9 only to keep the proof short
) (
  input logic                      clk_i,
  input logic [1:0]                en_i,  // [0] port A, [1] port B
  input logic [1:0]                we_i,
  input logic [1:0][AddrWidth-1:0] addr_i,
  input logic [1:0][7:0]           wdata_i,
  input logic [AddrWidth-1:0]      tag_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [1:0][7:0] rdata, read;

  request_mem #(
    .AddrWidth (AddrWidth)
  ) u_dut (
    .clk_i,
    .a_en_i    (en_i[0]),
    .a_we_i    (we_i[0]),
    .a_addr_i  (addr_i[0]),
    .a_wdata_i (wdata_i[0]),
    .a_rdata_o (rdata[0]),
    .b_en_i    (en_i[1]),
    .b_we_i    (we_i[1]),
    .b_addr_i  (addr_i[1]),
    .b_wdata_i (wdata_i[1]),
    .b_rdata_o (rdata[1])
  );

  assign read = {u_dut.b_read_q, u_dut.a_read_q};

  logic [AddrWidth-1:0] tag_q;
  logic                 known_q;  // the byte was written
  logic [7:0]           byte_q;   // ... with that
  // What the ports read, one and two cycles ago
  logic [1:0]           known1_q, known2_q;
  logic [1:0][7:0]      byte1_q, byte2_q;
  logic                 from_q;   // the port that wrote it

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      tag_q    <= tag_i;
      known_q  <= 1'b0;
      known1_q <= '0;
      known2_q <= '0;
    end else begin
      for (int unsigned p = 0; p < 2; p++) begin
        if (en_i[p] && we_i[p] && addr_i[p] == tag_q) begin
          known_q <= 1'b1;
          byte_q  <= wdata_i[p];
          from_q  <= 1'(p);
        end
        if (en_i[p]) begin
          known1_q[p] <= known_q && addr_i[p] == tag_q;
          byte1_q[p]  <= byte_q;
        end
      end
      known2_q <= known1_q;
      byte2_q  <= byte1_q;
    end
  end

  always_comb begin
    Apart_M: assume (!(en_i == '1 && we_i != '0) || addr_i[0] != addr_i[1]);
    if (rst_n) begin
      ReadA_A:    assert (!known2_q[0] || rdata[0] == byte2_q[0]);
      ReadB_A:    assert (!known2_q[1] || rdata[1] == byte2_q[1]);
      // How it keeps this
      BetweenA_A: assert (!known1_q[0] || read[0] == byte1_q[0]);
      BetweenB_A: assert (!known1_q[1] || read[1] == byte1_q[1]);
      Kept_A:     assert (!known_q || u_dut.mem_q[tag_q] == byte_q);
    end
    AtoB_C:   cover (rst_n && known2_q[1] && !from_q && rdata[1] == 8'h5a);
    Before_C: cover (rst_n && known2_q[0] && known_q && byte_q != byte2_q[0]);
  end

endmodule
