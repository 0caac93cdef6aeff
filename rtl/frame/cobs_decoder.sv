// COBS decoder: delimited bytes in, raw bytes and frame ends out.
//
// Drive it: one byte in any cycle with `valid_i`, no back-pressure. One cycle
// later there is at most one raw byte (`raw_valid_o`) or, for a delimiter, the
// end of a frame (`end_o`). `end_malformed_o` comes with `end_o`: a group
// reached past the delimiter or a byte had `err_i`. Delimiters after another
// are an idle line and give nothing. A zero with `err_i` (a break, a damaged
// stop bit) ends its frame as malformed and leaves the next one alone.
//
// The frame cap is far below the 254 bytes of COBS's longest group (code 255,
// without an implied zero), so that group is not told apart here: the frame is
// refused by its length.
module cobs_decoder (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       valid_i,
  input  logic [7:0] data_i,
  input  logic       err_i,            // framing error in this byte
  output logic       raw_valid_o,
  output logic [7:0] raw_data_o,
  output logic       end_o,
  output logic       end_malformed_o
);

  logic       inside_q, inside_d;  // bytes came since the last delimiter
  logic       err_q, err_d;        // one of them with an error
  logic [7:0] left_q, left_d;      // bytes left in the group
  logic       raw_valid_q, raw_valid_d;
  logic [7:0] raw_data_q, raw_data_d;
  logic       end_q, end_d;
  logic       end_malformed_q, end_malformed_d;

  always_comb begin
    inside_d        = inside_q;
    err_d           = err_q;
    left_d          = left_q;
    raw_valid_d     = 1'b0;
    raw_data_d      = data_i;
    end_d           = 1'b0;
    end_malformed_d = 1'b0;

    if (valid_i && err_i && data_i != '0) begin
      inside_d = 1'b1;
      err_d    = 1'b1;
    end else if (valid_i && data_i == '0) begin
      end_d           = inside_q;
      end_malformed_d = inside_q && (err_i || err_q || left_q != '0);
      inside_d        = 1'b0;
      err_d           = 1'b0;
      left_d          = '0;
    end else if (valid_i && left_q == '0) begin
      // A code byte: between two groups there is a zero.
      raw_valid_d = inside_q;
      raw_data_d  = '0;
      inside_d    = 1'b1;
      left_d      = data_i - 8'd1;
    end else if (valid_i) begin
      raw_valid_d = 1'b1;
      left_d      = left_q - 8'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      inside_q        <= 1'b0;
      err_q           <= 1'b0;
      left_q          <= '0;
      raw_valid_q     <= 1'b0;
      raw_data_q      <= '0;
      end_q           <= 1'b0;
      end_malformed_q <= 1'b0;
    end else begin
      inside_q        <= inside_d;
      err_q           <= err_d;
      left_q          <= left_d;
      raw_valid_q     <= raw_valid_d;
      raw_data_q      <= raw_data_d;
      end_q           <= end_d;
      end_malformed_q <= end_malformed_d;
    end
  end

  assign raw_valid_o     = raw_valid_q;
  assign raw_data_o      = raw_data_q;
  assign end_o           = end_q;
  assign end_malformed_o = end_malformed_q;

`ifndef SYNTHESIS
  ByteOrEnd_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(raw_valid_o && end_o));
  MalformedEnds_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    end_malformed_o |-> end_o);
  Malformed_C: cover property (@(posedge clk_i) disable iff (!rst_ni) end_malformed_o);
`endif

endmodule
