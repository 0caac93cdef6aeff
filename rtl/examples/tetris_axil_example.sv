// tetris_axil as a system on chip instantiates it: AXI4-Lite with the names that tools look for,
// and a memory of 1,024 words whose other port belongs to the processor.
//
// Drive it: s_axi_* is the peripheral's bus, its registers as in docs/bus.md. bram_* is the
// memory's other port, for a block RAM controller on the processor's bus: addresses of bytes, a
// write enable for each byte, the word read in the cycle after bram_en (what was there before, if
// it writes). Writing a word of the board while the peripheral reads it gives the old or the new
// one.
//
// Latency: as tetris_axil.
module tetris_axil_example (
  input  logic        s_axi_aclk,
  input  logic        s_axi_aresetn,
  input  logic [11:0] s_axi_awaddr,
  input  logic [2:0]  s_axi_awprot,
  input  logic        s_axi_awvalid,
  output logic        s_axi_awready,
  input  logic [31:0] s_axi_wdata,
  input  logic [3:0]  s_axi_wstrb,
  input  logic        s_axi_wvalid,
  output logic        s_axi_wready,
  output logic [1:0]  s_axi_bresp,
  output logic        s_axi_bvalid,
  input  logic        s_axi_bready,
  input  logic [11:0] s_axi_araddr,
  input  logic [2:0]  s_axi_arprot,
  input  logic        s_axi_arvalid,
  output logic        s_axi_arready,
  output logic [31:0] s_axi_rdata,
  output logic [1:0]  s_axi_rresp,
  output logic        s_axi_rvalid,
  input  logic        s_axi_rready,
  output logic        irq,

  input  logic        bram_en,
  input  logic [3:0]  bram_we,
  input  logic [11:0] bram_addr,
  input  logic [31:0] bram_wrdata,
  output logic [31:0] bram_rddata
);

  logic        mem_en;
  logic [11:0] mem_addr;
  logic [31:0] mem_rdata;

  tetris_axil #(
    .MemAddrWidth (12)
  ) u_tetris_axil (
    .clk_i          (s_axi_aclk),
    .rst_ni         (s_axi_aresetn),
    .axil_awvalid_i (s_axi_awvalid),
    .axil_awready_o (s_axi_awready),
    .axil_awaddr_i  (s_axi_awaddr),
    .axil_wvalid_i  (s_axi_wvalid),
    .axil_wready_o  (s_axi_wready),
    .axil_wdata_i   (s_axi_wdata),
    .axil_wstrb_i   (s_axi_wstrb),
    .axil_bvalid_o  (s_axi_bvalid),
    .axil_bready_i  (s_axi_bready),
    .axil_bresp_o   (s_axi_bresp),
    .axil_arvalid_i (s_axi_arvalid),
    .axil_arready_o (s_axi_arready),
    .axil_araddr_i  (s_axi_araddr),
    .axil_rvalid_o  (s_axi_rvalid),
    .axil_rready_i  (s_axi_rready),
    .axil_rdata_o   (s_axi_rdata),
    .axil_rresp_o   (s_axi_rresp),
    .irq_o          (irq),
    .mem_en_o       (mem_en),
    .mem_addr_o     (mem_addr),
    .mem_rdata_i    (mem_rdata)
  );

  logic [31:0] mem_q [1024];

  always_ff @(posedge s_axi_aclk) begin
    if (mem_en) mem_rdata <= mem_q[mem_addr[11:2]];
  end

  always_ff @(posedge s_axi_aclk) begin
    if (bram_en) begin
      bram_rddata <= mem_q[bram_addr[11:2]];
      for (int unsigned b = 0; b < 4; b++) begin
        if (bram_we[b]) mem_q[bram_addr[11:2]][8*b+:8] <= bram_wrdata[8*b+:8];
      end
    end
  end

  logic unused;
  assign unused = ^{s_axi_awprot, s_axi_arprot, mem_addr[1:0], bram_addr[1:0]};

endmodule
