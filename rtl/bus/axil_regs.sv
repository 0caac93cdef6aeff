// AXI4-Lite subordinate of 32 bits: takes reads and writes off the bus and offers them to
// registers, one of each at a time. Knows nothing of what the registers are.
//
// The bus: the five channels as the standard (ARM IHI 0022) has them. Address and data of a write
// may come in any order; every output comes from a register, so that no channel hangs on another in
// the same cycle. AxPROT is not looked at and has no port. OKAY is 0b00, SLVERR 0b10.
//
// The registers: write_valid_o offers a write, which stays until write_ready_i takes it, at once or
// later; write_error_i then says whether it is refused (SLVERR). read_valid_o requests a register;
// read_data_i and read_error_i answer in the same cycle. Addresses count words: the two
// lowest bits of a byte address are left out.
//
// Latency: a write is offered in the cycle after both its address and data were taken, and answered
// (bvalid) in the cycle after it was taken by the registers; a read is requested in the cycle after
// its address was taken, and answered (rvalid) in the next one. While an answer waits, one more
// request is taken and waits, too.
module axil_regs #(
  parameter int unsigned AddrWidth = 12  // bits of a byte address
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // AXI4-Lite
  input  logic                 axil_awvalid_i,
  output logic                 axil_awready_o,
  input  logic [AddrWidth-1:0] axil_awaddr_i,
  input  logic                 axil_wvalid_i,
  output logic                 axil_wready_o,
  input  logic [31:0]          axil_wdata_i,
  input  logic [3:0]           axil_wstrb_i,
  output logic                 axil_bvalid_o,
  input  logic                 axil_bready_i,
  output logic [1:0]           axil_bresp_o,
  input  logic                 axil_arvalid_i,
  output logic                 axil_arready_o,
  input  logic [AddrWidth-1:0] axil_araddr_i,
  output logic                 axil_rvalid_o,
  input  logic                 axil_rready_i,
  output logic [31:0]          axil_rdata_o,
  output logic [1:0]           axil_rresp_o,
  // Registers
  output logic                 write_valid_o,
  input  logic                 write_ready_i,
  output logic [AddrWidth-3:0] write_addr_o,
  output logic [31:0]          write_data_o,
  output logic [3:0]           write_strb_o,
  input  logic                 write_error_i,
  output logic                 read_valid_o,
  output logic [AddrWidth-3:0] read_addr_o,
  input  logic [31:0]          read_data_i,
  input  logic                 read_error_i
);

  // Waiting: write address, write data, read address. Answered: write, read.
  logic                 aw_full_q, aw_full_d, w_full_q, w_full_d, ar_full_q, ar_full_d;
  logic                 b_valid_q, b_valid_d, r_valid_q, r_valid_d;
  logic                 b_error_q, b_error_d, r_error_q, r_error_d;
  logic [AddrWidth-3:0] aw_addr_q, aw_addr_d, ar_addr_q, ar_addr_d;
  logic [31:0]          w_data_q, w_data_d, r_data_q, r_data_d;
  logic [3:0]           w_strb_q, w_strb_d;

  always_comb begin
    aw_full_d = aw_full_q;
    aw_addr_d = aw_addr_q;
    w_full_d  = w_full_q;
    w_data_d  = w_data_q;
    w_strb_d  = w_strb_q;
    b_valid_d = b_valid_q;
    b_error_d = b_error_q;

    if (axil_bready_i) b_valid_d = 1'b0;
    if (write_valid_o && write_ready_i) begin
      aw_full_d = 1'b0;
      w_full_d  = 1'b0;
      b_valid_d = 1'b1;
      b_error_d = write_error_i;
    end
    if (axil_awvalid_i && axil_awready_o) begin
      aw_full_d = 1'b1;
      aw_addr_d = axil_awaddr_i[AddrWidth-1:2];
    end
    if (axil_wvalid_i && axil_wready_o) begin
      w_full_d = 1'b1;
      w_data_d = axil_wdata_i;
      w_strb_d = axil_wstrb_i;
    end
  end

  always_comb begin
    ar_full_d = ar_full_q;
    ar_addr_d = ar_addr_q;
    r_valid_d = r_valid_q;
    r_error_d = r_error_q;
    r_data_d  = r_data_q;

    if (axil_rready_i) r_valid_d = 1'b0;
    if (read_valid_o) begin
      ar_full_d = 1'b0;
      r_valid_d = 1'b1;
      r_error_d = read_error_i;
      r_data_d  = read_data_i;
    end
    if (axil_arvalid_i && axil_arready_o) begin
      ar_full_d = 1'b1;
      ar_addr_d = axil_araddr_i[AddrWidth-1:2];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_full_q <= 1'b0;
      w_full_q  <= 1'b0;
      ar_full_q <= 1'b0;
      b_valid_q <= 1'b0;
      r_valid_q <= 1'b0;
    end else begin
      aw_full_q <= aw_full_d;
      w_full_q  <= w_full_d;
      ar_full_q <= ar_full_d;
      b_valid_q <= b_valid_d;
      r_valid_q <= r_valid_d;
    end
  end

  // These mean something along with the registers above alone.
  always_ff @(posedge clk_i) begin
    aw_addr_q <= aw_addr_d;
    w_data_q  <= w_data_d;
    w_strb_q  <= w_strb_d;
    b_error_q <= b_error_d;
    ar_addr_q <= ar_addr_d;
    r_error_q <= r_error_d;
    r_data_q  <= r_data_d;
  end

  assign axil_awready_o = !aw_full_q;
  assign axil_wready_o  = !w_full_q;
  assign axil_bvalid_o  = b_valid_q;
  assign axil_bresp_o   = {b_error_q, 1'b0};
  assign axil_arready_o = !ar_full_q;
  assign axil_rvalid_o  = r_valid_q;
  assign axil_rdata_o   = r_data_q;
  assign axil_rresp_o   = {r_error_q, 1'b0};

  assign write_valid_o = aw_full_q && w_full_q && !b_valid_q;
  assign write_addr_o  = aw_addr_q;
  assign write_data_o  = w_data_q;
  assign write_strb_o  = w_strb_q;
  assign read_valid_o  = ar_full_q && !r_valid_q;
  assign read_addr_o   = ar_addr_q;

  // The bytes of a word have its address.
  logic unused_address;
  assign unused_address = ^{axil_awaddr_i[1:0], axil_araddr_i[1:0]};

`ifndef SYNTHESIS
  WriteAddressHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    axil_awvalid_i && !axil_awready_o |=> axil_awvalid_i && $stable(axil_awaddr_i));
  WriteDataHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    axil_wvalid_i && !axil_wready_o |=>
    axil_wvalid_i && $stable(axil_wdata_i) && $stable(axil_wstrb_i));
  ReadAddressHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    axil_arvalid_i && !axil_arready_o |=> axil_arvalid_i && $stable(axil_araddr_i));
  WriteAnswerHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    axil_bvalid_o && !axil_bready_i |=> axil_bvalid_o && $stable(axil_bresp_o));
  ReadAnswerHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    axil_rvalid_o && !axil_rready_i |=>
    axil_rvalid_o && $stable(axil_rdata_o) && $stable(axil_rresp_o));
`endif

endmodule
