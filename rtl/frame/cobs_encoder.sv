// COBS encoder: raw bytes of one frame in, delimited bytes out.
//
// Drive it: raw bytes with `raw_valid_i`/`raw_ready_o`, one a cycle, the last
// one marked. Four cycles after the last one the encoded frame comes out with
// `byte_valid_o`/`byte_ready_i`, one a cycle at best: one byte more than the
// raw ones, then the delimiter. Raw bytes are taken again when the delimiter
// has been taken. `abort_i` drops the frame being filled in; one that is being
// read out (`sending_o`, until its delimiter has been taken) is finished.
//
// A byte's place in the encoded frame is its place in the raw one plus one,
// and a zero's place is the place of the next code. So a zero is not written but
// closes the group before it: one write a byte. Frames are shorter than COBS's
// longest group, no group has to be split.
module cobs_encoder (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       abort_i,
  input  logic       raw_valid_i,
  output logic       raw_ready_o,
  input  logic [7:0] raw_data_i,
  input  logic       raw_last_i,
  output logic       sending_o,
  output logic       byte_valid_o,
  input  logic       byte_ready_i,
  output logic [7:0] byte_data_o
);

  localparam int unsigned EncodedBytes = link_proto_pkg::MaxRawBytes + 1;
  localparam int unsigned AddrWidth    = $clog2(EncodedBytes);
  // Counts to EncodedBytes, the place of the delimiter.
  localparam int unsigned PlaceWidth   = $clog2(EncodedBytes + 1);

  typedef enum logic [1:0] {
    StFill,
    StClose,  // writes the last group's code
    StRead,   // the encoded bytes and the delimiter
    StDrain   // until the delimiter has been taken
  } state_e;

  state_e                state_q, state_d;
  logic [PlaceWidth-1:0] place_q, place_d;  // filling: next place; then: its end
  logic [PlaceWidth-1:0] code_q, code_d;    // place of the open group's code
  logic [PlaceWidth-1:0] read_q, read_d;    // next place to be read
  logic                  rvalid_q, rvalid_d;  // rdata_q goes to the buffer
  logic [7:0]            rdata_q, rdata_d;

  logic                  we;
  logic [AddrWidth-1:0]  waddr;
  logic [7:0]            wdata;
  logic [7:0]            buffer_q [2**AddrWidth];
  logic                  out_ready;

  always_comb begin
    state_d     = state_q;
    place_d     = place_q;
    code_d      = code_q;
    read_d      = read_q;
    rvalid_d    = rvalid_q && !out_ready;
    rdata_d     = rdata_q;
    raw_ready_o = 1'b0;
    we          = 1'b0;
    waddr       = AddrWidth'(place_q);
    wdata       = raw_data_i;

    unique case (state_q)
      StFill: begin
        raw_ready_o = 1'b1;
        if (raw_valid_i) begin
          we      = 1'b1;
          place_d = place_q + 1'b1;
          if (raw_data_i == '0) begin
            waddr  = AddrWidth'(code_q);
            wdata  = 8'(place_q - code_q);
            code_d = place_q;
          end
          if (raw_last_i) state_d = StClose;
        end
      end

      StClose: begin
        we      = 1'b1;
        waddr   = AddrWidth'(code_q);
        wdata   = 8'(place_q - code_q);
        state_d = StRead;
      end

      StRead: if (!rvalid_q || out_ready) begin
        rvalid_d = 1'b1;
        rdata_d  = (read_q == place_q) ? '0 : buffer_q[AddrWidth'(read_q)];
        read_d   = read_q + 1'b1;
        if (read_q == place_q) state_d = StDrain;
      end

      StDrain: if (!rvalid_q && !byte_valid_o) state_d = StFill;

      default: state_d = StFill;
    endcase

    if (abort_i && (state_q == StFill || state_q == StClose)) state_d = StFill;

    // Place 0 is the first group's code.
    if (state_d == StFill && (state_q != StFill || abort_i)) begin
      place_d = PlaceWidth'(1);
      code_d  = '0;
      read_d  = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= StFill;
      place_q  <= PlaceWidth'(1);
      code_q   <= '0;
      read_q   <= '0;
      rvalid_q <= 1'b0;
    end else begin
      state_q  <= state_d;
      place_q  <= place_d;
      code_q   <= code_d;
      read_q   <= read_d;
      rvalid_q <= rvalid_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (we) buffer_q[waddr] <= wdata;
    rdata_q <= rdata_d;
  end

  assign sending_o = state_q == StRead || state_q == StDrain;

  // The UART's readiness ends here.
  stream_buffer #(
    .Width (8)
  ) u_stream_buffer (
    .clk_i,
    .rst_ni,
    .valid_i (rvalid_q),
    .ready_o (out_ready),
    .data_i  (rdata_q),
    .valid_o (byte_valid_o),
    .ready_i (byte_ready_i),
    .data_o  (byte_data_o)
  );

`ifndef SYNTHESIS
  // Zero only as the delimiter.
  ZeroEnds_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    rvalid_q && rdata_q == '0 |-> state_q == StDrain);
  Fits_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    raw_valid_i && raw_ready_o |-> place_q < PlaceWidth'(EncodedBytes));
  RawHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni || abort_i)
    raw_valid_i && !raw_ready_o |=>
    raw_valid_i && $stable(raw_data_i) && $stable(raw_last_i));
`endif

endmodule
