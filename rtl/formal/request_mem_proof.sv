// request_mem: a read gives, two cycles later and until the next read, what was written to that
// byte last.
//
// The tag is one byte of any address: what holds for it holds for every one. A byte is never
// written and read at once: a slot is the receiver's or the reader's.
module request_mem_proof #(
  parameter int unsigned AddrWidth = 3  // of the RTL's 9 only to keep the proof short
) (
  input logic                 clk_i,
  input logic                 wr_en_i,
  input logic [AddrWidth-1:0] wr_addr_i,
  input logic [7:0]           wr_data_i,
  input logic                 rd_en_i,
  input logic [AddrWidth-1:0] rd_addr_i,
  input logic [AddrWidth-1:0] tag_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [7:0] rd_data;

  request_mem #(
    .AddrWidth (AddrWidth)
  ) u_dut (
    .clk_i,
    .wr_en_i,
    .wr_addr_i,
    .wr_data_i,
    .rd_en_i,
    .rd_addr_i,
    .rd_data_o (rd_data)
  );

  logic [AddrWidth-1:0] tag_q;
  logic                 known_q;  // the byte was written
  logic [7:0]           byte_q;   // ... with that
  // What was read of it, one and two cycles ago
  logic                 known1_q, known2_q;
  logic [7:0]           byte1_q, byte2_q;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      tag_q    <= tag_i;
      known_q  <= 1'b0;
      known1_q <= 1'b0;
      known2_q <= 1'b0;
    end else begin
      if (wr_en_i && wr_addr_i == tag_q) begin
        known_q <= 1'b1;
        byte_q  <= wr_data_i;
      end
      if (rd_en_i) begin
        known1_q <= known_q && rd_addr_i == tag_q;
        byte1_q  <= byte_q;
      end
      known2_q <= known1_q;
      byte2_q  <= byte1_q;
    end
  end

  always_comb begin
    Apart_M: assume (!(wr_en_i && rd_en_i) || wr_addr_i != rd_addr_i);
    if (rst_n) begin
      Read_A:    assert (!known2_q || rd_data == byte2_q);
      // How it keeps this
      Between_A: assert (!known1_q || u_dut.read_q == byte1_q);
      Kept_A:    assert (!known_q || u_dut.mem_q[tag_q] == byte_q);
    end
    Read_C:   cover (rst_n && known2_q && rd_data == 8'h5a);
    Before_C: cover (rst_n && known2_q && known_q && byte_q != byte2_q);
  end

endmodule
