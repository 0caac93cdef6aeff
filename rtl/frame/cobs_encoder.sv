// COBS encoder: raw bytes of one frame in, delimited bytes out.
//
// Drive it: raw bytes with `raw_valid_i`/`raw_ready_o`, one a cycle, the last
// one marked. Three cycles after the last one the encoded frame comes out with
// `byte_valid_o`/`byte_ready_i`, one a cycle at best: one byte more than the
// raw ones, then the delimiter. Raw bytes are taken again when the delimiter
// has been taken. `abort_i` drops the frame being filled in; one whose bytes
// are offered already is finished.
//
// A byte's place in the encoded frame is its place in the raw one plus one,
// and a zero's place is that of the next code. So a zero is not written but
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
    StFetch,  // the first byte is read
    StSend
  } state_e;

  state_e                state_q, state_d;
  logic [PlaceWidth-1:0] place_q, place_d;  // filling: next place; then: its end
  logic [PlaceWidth-1:0] code_q, code_d;    // place of the open group's code
  logic [PlaceWidth-1:0] read_q, read_d;    // place of the byte offered

  logic                  we;
  logic [AddrWidth-1:0]  waddr;
  logic [7:0]            wdata, rdata_q;

  always_comb begin
    state_d     = state_q;
    place_d     = place_q;
    code_d      = code_q;
    read_d      = read_q;
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
        state_d = StFetch;
      end

      StFetch: state_d = StSend;

      StSend: if (byte_ready_i) begin
        read_d = read_q + 1'b1;
        if (read_q == place_q) state_d = StFill;
      end

      default: state_d = StFill;
    endcase

    if (abort_i && state_q != StSend) state_d = StFill;

    // Place 0 is the first group's code.
    if (state_d == StFill && (state_q != StFill || abort_i)) begin
      place_d = PlaceWidth'(1);
      code_d  = '0;
      read_d  = '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StFill;
      place_q <= PlaceWidth'(1);
      code_q  <= '0;
      read_q  <= '0;
    end else begin
      state_q <= state_d;
      place_q <= place_d;
      code_q  <= code_d;
      read_q  <= read_d;
    end
  end

  // The buffer reads ahead, so that a byte can leave in every cycle.
  logic [7:0] buffer_q [2**AddrWidth];
  always_ff @(posedge clk_i) begin
    if (we) buffer_q[waddr] <= wdata;
    rdata_q <= buffer_q[AddrWidth'(read_d)];
  end

  assign byte_valid_o = state_q == StSend;
  assign byte_data_o  = (read_q == place_q) ? '0 : rdata_q;

`ifndef SYNTHESIS
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   byte_valid_o && !byte_ready_i |=> byte_valid_o && $stable(byte_data_o));
  // Zero only as the delimiter.
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   byte_valid_o && byte_data_o == '0 |-> read_q == place_q);
  assert property (@(posedge clk_i) disable iff (!rst_ni)
                   raw_valid_i && raw_ready_o |-> place_q < PlaceWidth'(EncodedBytes));
  assert property (@(posedge clk_i) disable iff (!rst_ni || abort_i)
                   raw_valid_i && !raw_ready_o |=>
                   raw_valid_i && $stable(raw_data_i) && $stable(raw_last_i));
`endif

endmodule
