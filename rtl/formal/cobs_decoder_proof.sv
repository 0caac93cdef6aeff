// cobs_decoder: after every delimiter it is as after a reset, whatever came before (so it
// resynchronises, and no state is without a way out); it never gives more bytes than came in;
// what it gives is the decoding of docs/wire.md, judged at the delimiter.
//
// The reference decodes by the definition: a code byte n is followed by n - 1 bytes as they are
// and, unless the frame ends there, by a zero.
module cobs_decoder_proof (
  input logic       clk_i,
  input logic       valid_i,
  input logic [7:0] data_i,
  input logic       err_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic       raw_valid, frame_end, malformed;
  logic [7:0] raw_data;

  cobs_decoder u_dut (
    .clk_i,
    .rst_ni          (rst_n),
    .valid_i,
    .data_i,
    .err_i,
    .raw_valid_o     (raw_valid),
    .raw_data_o      (raw_data),
    .end_o           (frame_end),
    .end_malformed_o (malformed)
  );

  // The reference
  logic       begun_q;    // a byte came since the delimiter
  logic       damaged_q;  // one of them was damaged
  logic [7:0] code_q;     // code of the group under way
  logic [7:0] done_q;     // bytes of it that came, the code included
  logic       raw_q, end_q, malformed_q;
  logic [7:0] byte_q;
  logic [15:0] in_q, out_q;  // bytes since the delimiter

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      begun_q     <= 1'b0;
      damaged_q   <= 1'b0;
      code_q      <= 8'd1;
      done_q      <= 8'd1;
      raw_q       <= 1'b0;
      end_q       <= 1'b0;
      malformed_q <= 1'b0;
      byte_q      <= '0;
    end else begin
      raw_q       <= 1'b0;
      end_q       <= 1'b0;
      malformed_q <= 1'b0;
      if (valid_i && data_i == '0) begin
        // Zeros between frames are nothing; a damaged one spoils the frame it ends.
        end_q       <= begun_q;
        malformed_q <= begun_q && (damaged_q || err_i || done_q < code_q);
        begun_q     <= 1'b0;
        damaged_q   <= 1'b0;
        code_q      <= 8'd1;
        done_q      <= 8'd1;
      end else if (valid_i && err_i) begin
        // Nothing that the frame holds matters any more.
        begun_q   <= 1'b1;
        damaged_q <= 1'b1;
      end else if (valid_i) begin
        begun_q <= 1'b1;
        if (done_q == code_q) begin
          // The group is complete: the next code, and a zero between the two.
          raw_q  <= begun_q;
          byte_q <= '0;
          code_q <= data_i;
          done_q <= 8'd1;
        end else begin
          raw_q  <= 1'b1;
          byte_q <= data_i;
          done_q <= done_q + 8'd1;
        end
      end
    end
  end

  // Bytes in and out since the delimiter
  always_ff @(posedge clk_i) begin
    if (!rst_n || (valid_i && data_i == '0)) in_q <= '0;
    else if (valid_i && in_q != '1) in_q <= in_q + 16'd1;
    if (!rst_n || frame_end) out_q <= '0;
    else if (raw_valid) out_q <= out_q + 16'd1;
  end

  // As it is after a reset
  logic fresh_q;
  always_ff @(posedge clk_i) fresh_q <= !rst_n || (valid_i && data_i == '0);

  always_comb begin
    if (rst_n) begin
      Raw_A:       assert (raw_valid == raw_q && (!raw_q || raw_data == byte_q));
      End_A:       assert (frame_end == end_q && malformed == malformed_q);
      Fresh_A:     assert (!fresh_q || {u_dut.inside_q, u_dut.err_q, u_dut.left_q} == '0);
      // The two count the same from the two ends of a group.
      Left_A:      assert (u_dut.left_q == code_q - done_q && done_q <= code_q && done_q != '0);
      Inside_A:    assert (u_dut.inside_q == begun_q && u_dut.err_q == damaged_q);
      Begun_A:     assert (begun_q || (code_q == 8'd1 && done_q == 8'd1 && !damaged_q));
      Count_A:     assert (begun_q == (in_q != '0) && !(end_q && begun_q));
      Fewer_A:     assert (frame_end || in_q == '1 || out_q + 16'(raw_valid) < in_q ||
                           (in_q == '0 && out_q == '0 && !raw_valid));
    end
    Good_C:      cover (rst_n && frame_end && !malformed && out_q == 16'd3);
    Malformed_C: cover (rst_n && frame_end && malformed && !damaged_q);
  end

endmodule
