// axil_regs: the rules of AXI4-Lite that a subordinate has to keep. What is offered stays until it
// is taken; every write, address and data in any order, and every read is answered once, in order
// and with what the registers answered, and nothing else is; the registers get each
// once, and the rest waits. Any master, keeping its own rules or not, and any registers.
module axil_regs_proof #(
  parameter int unsigned AddrWidth = 5  // of the RTL's 12 only to keep the proof short
) (
  input logic                 clk_i,
  input logic                 awvalid_i,
  input logic [AddrWidth-1:0] awaddr_i,
  input logic                 wvalid_i,
  input logic [31:0]          wdata_i,
  input logic [3:0]           wstrb_i,
  input logic                 bready_i,
  input logic                 arvalid_i,
  input logic [AddrWidth-1:0] araddr_i,
  input logic                 rready_i,
  input logic                 write_ready_i,
  input logic                 write_error_i,
  input logic [31:0]          read_data_i,
  input logic                 read_error_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic                 awready, wready, bvalid, arready, rvalid, write_valid, read_valid;
  logic [1:0]           bresp, rresp;
  logic [31:0]          rdata, write_data;
  logic [3:0]           write_strb;
  logic [AddrWidth-3:0] write_addr, read_addr;

  axil_regs #(
    .AddrWidth (AddrWidth)
  ) u_dut (
    .clk_i,
    .rst_ni         (rst_n),
    .axil_awvalid_i (awvalid_i),
    .axil_awready_o (awready),
    .axil_awaddr_i  (awaddr_i),
    .axil_wvalid_i  (wvalid_i),
    .axil_wready_o  (wready),
    .axil_wdata_i   (wdata_i),
    .axil_wstrb_i   (wstrb_i),
    .axil_bvalid_o  (bvalid),
    .axil_bready_i  (bready_i),
    .axil_bresp_o   (bresp),
    .axil_arvalid_i (arvalid_i),
    .axil_arready_o (arready),
    .axil_araddr_i  (araddr_i),
    .axil_rvalid_o  (rvalid),
    .axil_rready_i  (rready_i),
    .axil_rdata_o   (rdata),
    .axil_rresp_o   (rresp),
    .write_valid_o  (write_valid),
    .write_ready_i,
    .write_addr_o   (write_addr),
    .write_data_o   (write_data),
    .write_strb_o   (write_strb),
    .write_error_i,
    .read_valid_o   (read_valid),
    .read_addr_o    (read_addr),
    .read_data_i,
    .read_error_i
  );

  // Taken on the bus and not yet done by the registers; done and not yet answered. More than one
  // of any would show below.
  logic [1:0]           aw_q, w_q, b_q, ar_q, r_q;
  logic [AddrWidth-1:0] aw_addr_q, ar_addr_q;
  logic [31:0]          w_data_q, r_data_q;
  logic [3:0]           w_strb_q;
  logic                 b_error_q, r_error_q;
  // Offered in the cycle before, and not taken
  logic                 b_held_q, r_held_q, write_held_q;
  logic [1:0]           bresp_q, rresp_q;
  logic [31:0]          rdata_q, write_data_q;
  logic [3:0]           write_strb_q;
  logic [AddrWidth-3:0] write_addr_q;

  logic aw, w, ar, b, r, wrote;
  assign aw    = awvalid_i && awready;
  assign w     = wvalid_i && wready;
  assign ar    = arvalid_i && arready;
  assign b     = bvalid && bready_i;
  assign r     = rvalid && rready_i;
  assign wrote = write_valid && write_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      aw_q         <= '0;
      w_q          <= '0;
      b_q          <= '0;
      ar_q         <= '0;
      r_q          <= '0;
      b_held_q     <= 1'b0;
      r_held_q     <= 1'b0;
      write_held_q <= 1'b0;
    end else begin
      aw_q         <= aw_q + 2'(aw) - 2'(wrote);
      w_q          <= w_q + 2'(w) - 2'(wrote);
      b_q          <= b_q + 2'(wrote) - 2'(b);
      ar_q         <= ar_q + 2'(ar) - 2'(read_valid);
      r_q          <= r_q + 2'(read_valid) - 2'(r);
      b_held_q     <= bvalid && !bready_i;
      r_held_q     <= rvalid && !rready_i;
      write_held_q <= write_valid && !write_ready_i;
    end
    if (aw) aw_addr_q <= awaddr_i;
    if (w) {w_data_q, w_strb_q} <= {wdata_i, wstrb_i};
    if (ar) ar_addr_q <= araddr_i;
    if (wrote) b_error_q <= write_error_i;
    if (read_valid) {r_data_q, r_error_q} <= {read_data_i, read_error_i};
    {bresp_q, rresp_q, rdata_q}                <= {bresp, rresp, rdata};
    {write_addr_q, write_data_q, write_strb_q} <= {write_addr, write_data, write_strb};
  end

  always_comb begin
    if (rst_n) begin
      // What is offered stays, and stays as it is.
      WriteAnswerHeld_A: assert (!b_held_q || (bvalid && bresp == bresp_q));
      ReadAnswerHeld_A:  assert (!r_held_q || (rvalid && rdata == rdata_q && rresp == rresp_q));
      WriteHeld_A:       assert (!write_held_q || (write_valid && write_addr == write_addr_q &&
                                                   write_data == write_data_q &&
                                                   write_strb == write_strb_q));
      // An answer for each request, and none without; no request is taken over another one.
      WriteAnswered_A: assert (bvalid == (b_q == 2'd1) && b_q < 2'd2);
      ReadAnswered_A:  assert (rvalid == (r_q == 2'd1) && r_q < 2'd2);
      AddressTaken_A:  assert (awready == (aw_q == 2'd0) && aw_q < 2'd2);
      DataTaken_A:     assert (wready == (w_q == 2'd0) && w_q < 2'd2);
      ReadTaken_A:     assert (arready == (ar_q == 2'd0) && ar_q < 2'd2);
      // The registers get it as soon as there is room for the answer.
      WriteAsked_A: assert (write_valid == (aw_q != '0 && w_q != '0 && b_q == '0));
      ReadAsked_A:  assert (read_valid == (ar_q != '0 && r_q == '0));
      // All of it the request's own.
      WriteOwn_A:       assert (!write_valid || (write_addr == aw_addr_q[AddrWidth-1:2] &&
                                                 write_data == w_data_q &&
                                                 write_strb == w_strb_q));
      ReadOwn_A:        assert (!read_valid || read_addr == ar_addr_q[AddrWidth-1:2]);
      WriteAnswerOwn_A: assert (!bvalid || bresp == {b_error_q, 1'b0});
      ReadAnswerOwn_A:  assert (!rvalid || (rdata == r_data_q && rresp == {r_error_q, 1'b0}));
      // How it keeps this
      WriteKept_A: assert ((aw_q == '0 || u_dut.aw_addr_q == aw_addr_q[AddrWidth-1:2]) &&
                           (w_q == '0 || (u_dut.w_data_q == w_data_q &&
                                          u_dut.w_strb_q == w_strb_q)));
      ReadKept_A:  assert (ar_q == '0 || u_dut.ar_addr_q == ar_addr_q[AddrWidth-1:2]);
    end
    DataFirst_C: cover (rst_n && w_q != '0 && aw && b_q == '0);
    Full_C:      cover (rst_n && aw_q != '0 && w_q != '0 && bvalid && bresp == 2'b10);
    ReadFull_C:  cover (rst_n && ar_q != '0 && rvalid && rresp == 2'b10);
  end

endmodule
