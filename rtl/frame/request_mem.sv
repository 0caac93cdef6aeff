// Request memory: the payloads of the requests held, one slot each.
//
// A true dual-port RAM, a byte wide. Drive it: each port on its own, `en_i`
// for an access, `we_i` for a write; `rdata_o` follows a read by two cycles, the
// second one in the block's own output register, and keeps its value without
// `en_i`. A port that writes reads what was there before. Both ports on one byte
// at once, one of them writing, is not supported: a slot belongs to the receiver
// or to the reader, never to both. The contents are not reset.
module request_mem #(
  parameter int unsigned AddrWidth = $bits(frame_pkg::mem_addr_t)  // bytes = 2^AddrWidth
) (
  input  logic                 clk_i,
  // Port A: the frame receiver
  input  logic                 a_en_i,
  input  logic                 a_we_i,
  input  logic [AddrWidth-1:0] a_addr_i,
  input  logic [7:0]           a_wdata_i,
  output logic [7:0]           a_rdata_o,
  // Port B: who serves the requests
  input  logic                 b_en_i,
  input  logic                 b_we_i,
  input  logic [AddrWidth-1:0] b_addr_i,
  input  logic [7:0]           b_wdata_i,
  output logic [7:0]           b_rdata_o
);

  // What the other port reads of a byte being written does not matter (see above).
  (* no_rw_check *) logic [7:0] mem_q [2**AddrWidth];
  logic [7:0] a_read_q, b_read_q;

  // Plain `always`, one a port: the form from which tools infer a block RAM;
  // always_ff would allow a single writer only.
  always @(posedge clk_i) begin
    if (a_en_i) begin
      a_read_q <= mem_q[a_addr_i];
      if (a_we_i) mem_q[a_addr_i] <= a_wdata_i;
    end
  end

  always @(posedge clk_i) begin
    if (b_en_i) begin
      b_read_q <= mem_q[b_addr_i];
      if (b_we_i) mem_q[b_addr_i] <= b_wdata_i;
    end
  end

  always_ff @(posedge clk_i) begin
    a_rdata_o <= a_read_q;
    b_rdata_o <= b_read_q;
  end

`ifndef SYNTHESIS
  PortsApart_A: assert property (@(posedge clk_i)
    a_en_i && b_en_i && (a_we_i || b_we_i) |-> a_addr_i != b_addr_i);
`endif

endmodule
