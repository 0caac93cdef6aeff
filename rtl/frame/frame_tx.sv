// Frame transmitter: header and payload in, bytes of the link out.
//
// Drive it: offer the header with `header_valid_i`/`header_ready_o`; ready only
// when the frame before has left altogether. Unless `header_empty_i` came with
// it, payload bytes follow with `payload_valid_i`/`payload_ready_o`, the last
// one marked. The CRC is added here. The first byte is offered 11 cycles after
// the header's cycle plus one per payload byte. `abort_i` drops a frame that is
// not being sent yet (`sending_o`) and refuses a header in the same cycle; a
// frame being sent is always finished.
module frame_tx
  import frame_pkg::CrcBytes, frame_pkg::HeaderBytes, frame_pkg::header_t;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       abort_i,
  input  logic       header_valid_i,
  output logic       header_ready_o,
  input  header_t    header_i,
  input  logic       header_empty_i,
  input  logic       payload_valid_i,
  output logic       payload_ready_o,
  input  logic [7:0] payload_data_i,
  input  logic       payload_last_i,
  output logic       sending_o,
  output logic       byte_valid_o,
  input  logic       byte_ready_i,
  output logic [7:0] byte_data_o
);

  typedef enum logic [1:0] {
    StIdle,
    StHeader,
    StPayload,
    StCrc
  } state_e;

  localparam int unsigned CountWidth = $clog2(CrcBytes);

  state_e                state_q, state_d;
  header_t               header_q, header_d;
  logic                  empty_q, empty_d;
  logic [CountWidth-1:0] count_q, count_d;  // bytes of the header or the CRC done
  logic [31:0]           crc_q, crc_d;

  logic       raw_valid, raw_ready, raw_last;
  logic [7:0] raw_data;

  assign header_ready_o  = state_q == StIdle && raw_ready && !abort_i;
  // The encoder takes a whole frame without a pause.
  assign payload_ready_o = state_q == StPayload;

  always_comb begin
    state_d   = state_q;
    header_d  = header_q;
    empty_d   = empty_q;
    count_d   = count_q;
    crc_d     = crc_q;
    raw_valid = 1'b0;
    raw_data  = payload_data_i;
    raw_last  = 1'b0;

    unique case (state_q)
      StIdle: if (header_valid_i && header_ready_o) begin
        state_d  = StHeader;
        header_d = header_i;
        empty_d  = header_empty_i;
        count_d  = '0;
        crc_d    = crc32_pkg::Init;
      end

      StHeader: begin
        raw_valid = 1'b1;
        raw_data  = header_q[7:0];
        header_d  = header_q >> 8;
        crc_d     = crc32_pkg::update(crc_q, raw_data);
        count_d   = count_q + 1'b1;
        if (count_q == CountWidth'(HeaderBytes - 1)) begin
          count_d = '0;
          state_d = empty_q ? StCrc : StPayload;
        end
      end

      StPayload: begin
        raw_valid = payload_valid_i;
        if (payload_valid_i) begin
          crc_d = crc32_pkg::update(crc_q, raw_data);
          if (payload_last_i) state_d = StCrc;
        end
      end

      StCrc: begin
        raw_valid = 1'b1;
        raw_data  = ~crc_q[7:0];
        raw_last  = count_q == CountWidth'(CrcBytes - 1);
        crc_d     = crc_q >> 8;
        count_d   = count_q + 1'b1;
        if (raw_last) state_d = StIdle;
      end

      default: state_d = StIdle;
    endcase

    if (abort_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= StIdle;
      header_q <= '0;
      empty_q  <= 1'b0;
      count_q  <= '0;
      crc_q    <= crc32_pkg::Init;
    end else begin
      state_q  <= state_d;
      header_q <= header_d;
      empty_q  <= empty_d;
      count_q  <= count_d;
      crc_q    <= crc_d;
    end
  end

  cobs_encoder u_cobs_encoder (
    .clk_i,
    .rst_ni,
    .abort_i,
    .raw_valid_i (raw_valid),
    .raw_ready_o (raw_ready),
    .raw_data_i  (raw_data),
    .raw_last_i  (raw_last),
    .sending_o,
    .byte_valid_o,
    .byte_ready_i,
    .byte_data_o
  );

`ifndef SYNTHESIS
  EncoderTakes_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q != StIdle |-> raw_ready);
  HeaderHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni || abort_i)
    header_valid_i && !header_ready_o |=>
    header_valid_i && $stable(header_i) && $stable(header_empty_i));
  PayloadHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni || abort_i)
    payload_valid_i && !payload_ready_o |=>
    payload_valid_i && $stable(payload_data_i) && $stable(payload_last_i));
  ByteHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    byte_valid_o && !byte_ready_i |=> byte_valid_o && $stable(byte_data_o));
  Aborted_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    abort_i && state_q != StIdle);
`endif

endmodule
