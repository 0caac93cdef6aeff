// The Tetris core as a peripheral: AXI4-Lite registers, the board in a memory of its own port.
//
// A program writes a board and a piece into the memory, their address and a start bit into
// registers, and reads rotation, column and the rest when `done` is set or irq_o rises. The
// registers are described in docs/bus.md, the memory at tetris_fetch.
//
// A write that is refused (SLVERR) changes nothing: of an unknown or read-only register, of a
// weight while a decision is under way, a start then, a start with a piece in memory that is none.
// Writes go to bytes by their strobes. Weights may be written between decisions; after a reset they
// are InitialWeights, so that no weight has to be written at all.
//
// Latency: as axil_regs; a start is answered two cycles later than other writes. From the
// cycle in which it is taken (tetris_fetch's checked_o) to the first one with `done` it takes 22
// and the decision's CYCLES; irq_o rises a cycle later.
//
// irq_o is a level, high while a decision is there and its interrupt is enabled. Nothing
// acknowledges it, so that reads change nothing: a handler clears the enable bit or starts the next
// decision before it returns.
module tetris_axil
  import tetris_pkg::NumFeatures, tetris_pkg::board_t, tetris_pkg::decision_t,
         tetris_pkg::piece_t, tetris_pkg::weights_t;
#(
  parameter int unsigned Multipliers    = 4,   // of the AI core, 1 .. NumFeatures
  parameter int unsigned MemAddrWidth   = 32,  // bits of the memory's byte addresses, 7 .. 32
  parameter weights_t    InitialWeights = tetris_axil_pkg::el_tetris(),
  localparam int unsigned AddrWidth     = tetris_axil_pkg::AddrWidth
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // AXI4-Lite
  input  logic                    axil_awvalid_i,
  output logic                    axil_awready_o,
  input  logic [AddrWidth-1:0]    axil_awaddr_i,
  input  logic                    axil_wvalid_i,
  output logic                    axil_wready_o,
  input  logic [31:0]             axil_wdata_i,
  input  logic [3:0]              axil_wstrb_i,
  output logic                    axil_bvalid_o,
  input  logic                    axil_bready_i,
  output logic [1:0]              axil_bresp_o,
  input  logic                    axil_arvalid_i,
  output logic                    axil_arready_o,
  input  logic [AddrWidth-1:0]    axil_araddr_i,
  output logic                    axil_rvalid_o,
  input  logic                    axil_rready_i,
  output logic [31:0]             axil_rdata_o,
  output logic [1:0]              axil_rresp_o,
  // A decision is there, and the program wants to hear of it; level, from a register
  output logic                    irq_o,
  // Memory, read only: the word in the cycle after mem_en_o
  output logic                    mem_en_o,
  output logic [MemAddrWidth-1:0] mem_addr_o,
  input  logic [31:0]             mem_rdata_i
);

  typedef logic [MemAddrWidth-1:0] mem_addr_t;
  typedef tetris_axil_pkg::index_t index_t;

  // What the strobes select of a write, the rest as it is
  function automatic logic [31:0] merged(logic [31:0] old, logic [31:0] data, logic [3:0] strb);
    logic [31:0] word;
    for (int unsigned b = 0; b < 4; b++) begin
      word[8*b+:8] = strb[b] ? data[8*b+:8] : old[8*b+:8];
    end
    return word;
  endfunction

  // ------------------------------------------------------------------------------- the bus
  logic        write_valid, write_ready, write_error, read_valid, read_error;
  index_t      write_index, read_index;
  logic [31:0] write_data, read_data;
  logic [3:0]  write_strb;

  axil_regs #(
    .AddrWidth (AddrWidth)
  ) u_axil_regs (
    .clk_i,
    .rst_ni,
    .axil_awvalid_i,
    .axil_awready_o,
    .axil_awaddr_i,
    .axil_wvalid_i,
    .axil_wready_o,
    .axil_wdata_i,
    .axil_wstrb_i,
    .axil_bvalid_o,
    .axil_bready_i,
    .axil_bresp_o,
    .axil_arvalid_i,
    .axil_arready_o,
    .axil_araddr_i,
    .axil_rvalid_o,
    .axil_rready_i,
    .axil_rdata_o,
    .axil_rresp_o,
    .write_valid_o (write_valid),
    .write_ready_i (write_ready),
    .write_addr_o  (write_index),
    .write_data_o  (write_data),
    .write_strb_o  (write_strb),
    .write_error_i (write_error),
    .read_valid_o  (read_valid),
    .read_addr_o   (read_index),
    .read_data_i   (read_data),
    .read_error_i  (read_error)
  );

  // --------------------------------------------------------------------- board and decision
  mem_addr_t address_q, address_d;
  logic      irq_enable_q, irq_enable_d, seed_pieces_q, seed_pieces_d;
  weights_t  weights_q, weights_d;
  logic      irq_q, irq_d;

  logic      start, checked, bad_piece, fetching, busy, done;
  logic      req_valid, req_ready, rsp_valid, rsp_ready;
  board_t    board;
  piece_t    piece;
  decision_t decision;

  // The numbering holds for the start that it is written along with.
  logic seed_pieces;

  tetris_fetch #(
    .AddrWidth (MemAddrWidth)
  ) u_tetris_fetch (
    .clk_i,
    .rst_ni,
    .start_i       (start),
    .base_i        (address_q),
    .seed_pieces_i (seed_pieces),
    .checked_o     (checked),
    .bad_piece_o   (bad_piece),
    .busy_o        (fetching),
    .mem_en_o,
    .mem_addr_o,
    .mem_rdata_i,
    .req_valid_o   (req_valid),
    .req_ready_i   (req_ready),
    .req_board_o   (board),
    .req_piece_o   (piece)
  );

  // No placements are reported.
  tetris_pkg::traced_t unused_trace;
  logic                unused_trace_valid;

  tetris_ai #(
    .Multipliers (Multipliers)
  ) u_tetris_ai (
    .clk_i,
    .rst_ni,
    .weights_i     (weights_q),
    .req_valid_i   (req_valid),
    .req_ready_o   (req_ready),
    .req_board_i   (board),
    .req_piece_i   (piece),
    .rsp_valid_o   (rsp_valid),
    .rsp_ready_i   (rsp_ready),
    .rsp_o         (decision),
    .trace_i       (1'b0),
    .trace_valid_o (unused_trace_valid),
    .trace_ready_i (1'b1),
    .trace_o       (unused_trace)
  );

  // The core keeps its answer until the next decision begins.
  assign rsp_ready = checked && !bad_piece;
  assign done      = rsp_valid;
  assign busy      = fetching || (!req_ready && !rsp_valid);

  // -------------------------------------------------------------------------------- writes
  logic   write_control, write_weight, wants_start;
  index_t write_number;  // of the weight

  assign write_control = write_index == tetris_axil_pkg::Control;
  assign write_number  = write_index - tetris_axil_pkg::Weights;
  assign write_weight  = write_index >= tetris_axil_pkg::Weights &&
                         write_number < index_t'(NumFeatures);
  assign wants_start   = write_control && write_strb[0] &&
                         write_data[tetris_axil_pkg::ControlStart];
  assign start         = write_valid && wants_start && !busy;
  assign seed_pieces   = write_strb[0] ? write_data[tetris_axil_pkg::ControlSeedPieces]
                                       : seed_pieces_q;
  assign write_ready   = !start || checked;

  always_comb begin
    write_error   = 1'b0;
    address_d     = address_q;
    irq_enable_d  = irq_enable_q;
    seed_pieces_d = seed_pieces_q;
    weights_d     = weights_q;

    if (write_index == tetris_axil_pkg::Address) begin
      if (write_valid) begin
        address_d      = mem_addr_t'(merged(32'(address_q), write_data, write_strb));
        address_d[1:0] = '0;
      end
    end else if (write_control) begin
      write_error = wants_start && (busy || bad_piece);
      if (write_valid && write_ready && !write_error) begin
        seed_pieces_d = seed_pieces;
        if (write_strb[0]) irq_enable_d = write_data[tetris_axil_pkg::ControlIrqEnable];
      end
    end else if (write_weight) begin
      write_error = busy;
      for (int unsigned w = 0; w < NumFeatures; w++) begin
        if (write_valid && !busy && write_number == index_t'(w)) begin
          weights_d[w] = merged(weights_q[w], write_data, write_strb);
        end
      end
    end else begin
      write_error = 1'b1;
    end
  end

  // --------------------------------------------------------------------------------- reads
  index_t read_number;  // of the weight
  assign read_number = read_index - tetris_axil_pkg::Weights;

  decision_t   answer;  // nothing while there is none
  logic [63:0] score;
  assign answer = done ? decision : '0;
  assign score  = 64'(answer.score);

  always_comb begin
    read_error = 1'b0;
    read_data  = '0;
    unique case (read_index)
      tetris_axil_pkg::Address: read_data = 32'(address_q);

      tetris_axil_pkg::Control: begin
        read_data[tetris_axil_pkg::ControlIrqEnable]  = irq_enable_q;
        read_data[tetris_axil_pkg::ControlSeedPieces] = seed_pieces_q;
      end

      tetris_axil_pkg::Result:
        read_data = {done, answer.legal, 1'b0, answer.rows_cleared, 3'b0, answer.row,
                     4'b0, answer.column, 6'b0, answer.rotation};

      tetris_axil_pkg::Status: begin
        read_data[tetris_axil_pkg::StatusBusy] = busy;
        read_data[tetris_axil_pkg::StatusDone] = done;
      end

      tetris_axil_pkg::ScoreLow:  read_data = score[31:0];
      tetris_axil_pkg::ScoreHigh: read_data = score[63:32];
      tetris_axil_pkg::Cycles:    read_data = answer.cycles;
      tetris_axil_pkg::Id:        read_data = tetris_axil_pkg::IdValue;

      default: begin
        read_error = 1'b1;
        for (int unsigned w = 0; w < NumFeatures; w++) begin
          if (read_index >= tetris_axil_pkg::Weights && read_number == index_t'(w)) begin
            read_error = 1'b0;
            read_data  = weights_q[w];
          end
        end
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      address_q     <= '0;
      irq_enable_q  <= 1'b0;
      seed_pieces_q <= 1'b0;
      weights_q     <= InitialWeights;
      irq_q         <= 1'b0;
    end else begin
      address_q     <= address_d;
      irq_enable_q  <= irq_enable_d;
      seed_pieces_q <= seed_pieces_d;
      weights_q     <= weights_d;
      irq_q         <= irq_d;
    end
  end

  // It falls along with done.
  assign irq_d = done && !rsp_ready && irq_enable_d;
  assign irq_o = irq_q;

  // Reads change nothing.
  logic unused_read_valid;
  assign unused_read_valid = read_valid;

`ifndef SYNTHESIS
  StartTaken_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    checked && !bad_piece |=> busy && !done);
  NotBoth_A: assert property (@(posedge clk_i) disable iff (!rst_ni) !(busy && done));
  DoneHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    done && !rsp_ready |=> done && $stable(answer));
`endif

endmodule
