// Request memory: the payloads of the requests held, one slot each.
//
// A simple dual-port RAM, a byte wide. Drive it: `wr_en_i` writes `wr_data_i` to `wr_addr_i`;
// `rd_en_i` reads `rd_addr_i`, and `rd_data_o` has that byte two cycles later, the second one in the
// block's own output register, until another read. To read the byte that is being written is not
// supported: a slot belongs to the receiver or to the reader, never to both. The contents are not
// reset.
module request_mem #(
  parameter int unsigned AddrWidth = $bits(frame_pkg::mem_addr_t)  // bytes = 2^AddrWidth
) (
  input  logic                 clk_i,
  // Written by the frame receiver
  input  logic                 wr_en_i,
  input  logic [AddrWidth-1:0] wr_addr_i,
  input  logic [7:0]           wr_data_i,
  // Read by the module that serves the request
  input  logic                 rd_en_i,
  input  logic [AddrWidth-1:0] rd_addr_i,
  output logic [7:0]           rd_data_o
);

  // What a read gives of the byte being written does not matter (see above).
  (* no_rw_check *) logic [7:0] mem_q [2**AddrWidth];
  logic [7:0] read_q;

  always_ff @(posedge clk_i) begin
    if (wr_en_i) mem_q[wr_addr_i] <= wr_data_i;
  end

  always_ff @(posedge clk_i) begin
    if (rd_en_i) read_q <= mem_q[rd_addr_i];
    rd_data_o <= read_q;
  end

`ifndef SYNTHESIS
  PortsApart_A: assert property (@(posedge clk_i) wr_en_i && rd_en_i |-> wr_addr_i != rd_addr_i);
`endif

endmodule
