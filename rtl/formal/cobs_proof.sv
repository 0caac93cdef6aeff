// cobs_encoder and cobs_decoder: frames of one to four bytes, any bytes with any pauses on both
// sides, come back as they were, one after the other; a frame takes two bytes more on the line.
module cobs_proof (
  input logic       clk_i,
  input logic       raw_valid_i,
  input logic [7:0] raw_data_i,
  input logic       raw_last_i,
  input logic       ready_i
);

  localparam int unsigned Longest = 4;

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic       raw_ready, unused_sending, byte_valid, got_valid, got_end, malformed;
  logic [7:0] byte_data, got_data;

  cobs_encoder u_encoder (
    .clk_i,
    .rst_ni       (rst_n),
    .abort_i      (1'b0),
    .raw_valid_i,
    .raw_ready_o  (raw_ready),
    .raw_data_i,
    .raw_last_i,
    .sending_o    (unused_sending),
    .byte_valid_o (byte_valid),
    .byte_ready_i (ready_i),
    .byte_data_o  (byte_data)
  );

  cobs_decoder u_decoder (
    .clk_i,
    .rst_ni          (rst_n),
    .valid_i         (byte_valid && ready_i),
    .data_i          (byte_data),
    .err_i           (1'b0),
    .raw_valid_o     (got_valid),
    .raw_data_o      (got_data),
    .end_o           (got_end),
    .end_malformed_o (malformed)
  );

  // The frame that went in, and how far it has come out
  logic [7:0][7:0] frame_q;
  logic [3:0]      in_q, out_q, line_q;
  logic            whole_q;  // its last byte went in
  logic            held_q;   // a raw byte was offered and not taken
  logic [8:0]      offer_q;

  always_ff @(posedge clk_i) begin
    offer_q <= {raw_data_i, raw_last_i};
    held_q  <= rst_n && raw_valid_i && !raw_ready;
    if (!rst_n) begin
      in_q    <= '0;
      out_q   <= '0;
      line_q  <= '0;
      whole_q <= 1'b0;
    end else begin
      if (byte_valid && ready_i) line_q <= line_q + 4'd1;
      if (got_valid) out_q <= out_q + 4'd1;
      if (got_end) begin
        in_q    <= '0;
        out_q   <= '0;
        line_q  <= '0;
        whole_q <= 1'b0;
      end
      if (raw_valid_i && raw_ready) begin
        in_q                <= in_q + 4'd1;
        frame_q[in_q[2:0]]  <= raw_data_i;
        whole_q             <= raw_last_i;
      end
    end
  end

  always_comb begin
    Held_M:  assume (!held_q || (raw_valid_i && offer_q == {raw_data_i, raw_last_i}));
    Short_M: assume (!raw_valid_i || raw_last_i == (in_q == 4'(Longest - 1)) ||
                     (raw_last_i && in_q < 4'(Longest)));
    if (rst_n) begin
      // The encoder takes the next frame only when the one before has left.
      Apart_A:  assert (!(whole_q && raw_ready) || got_end);
      Byte_A:   assert (!got_valid || (whole_q && out_q < in_q &&
                        got_data == frame_q[out_q[2:0]]));
      End_A:    assert (!got_end || (!malformed && out_q == in_q && line_q == in_q + 4'd2));
    end
    Zeros_C: cover (rst_n && got_end && in_q == 4'd3 && frame_q[2] == '0 && frame_q[0] == '0);
  end

endmodule
