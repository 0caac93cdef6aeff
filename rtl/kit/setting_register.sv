// Keeps a setting that the host writes by one request and reads back by another: a game's weights.
// docs/kit.md has the contract.
//
// Drive it: `load_i` for each byte of the payload, on `byte_i`, the first one first; `Bytes` of
// them replace the setting, which `value_o` has then, the first byte lowest. `set_i` makes it
// valid; `set_o` is high from the next cycle on. To read it back take `byte_o` with `turn_i`,
// `Bytes` times: each rotates the register by a byte, and until the last `value_o` is not valid.
//
// With TwoSets the bytes that are loaded wait in a second set: `set_i` puts it into use, from the
// next cycle on. So the next setting is loaded while the one before is in use or read back.
module setting_register #(
  parameter int unsigned Bytes   = 4,    // at least 2
  parameter bit          TwoSets = 1'b0
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // Written
  input  logic               load_i,
  input  logic [7:0]         byte_i,
  input  logic               set_i,
  // Read back
  input  logic               turn_i,
  output logic [7:0]         byte_o,
  // In use
  output logic               set_o,
  output logic [8*Bytes-1:0] value_o
);

  logic [Bytes-1:0][7:0] value_q;
  logic                  set_q;

  assign byte_o  = value_q[0];
  assign set_o   = set_q;
  assign value_o = value_q;

  // No reset: it means something once it was set.
  if (TwoSets) begin : gen_two
    logic [Bytes-1:0][7:0] next_q;
    always_ff @(posedge clk_i) begin
      if (load_i) next_q <= {byte_i, next_q[Bytes-1:1]};
      if (set_i) value_q <= next_q;
      else if (turn_i) value_q <= {value_q[0], value_q[Bytes-1:1]};
    end
  end else begin : gen_one
    always_ff @(posedge clk_i) begin
      if (load_i || turn_i) value_q <= {load_i ? byte_i : value_q[0], value_q[Bytes-1:1]};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) set_q <= 1'b0;
    else if (set_i) set_q <= 1'b1;
  end

`ifndef SYNTHESIS
  OneWay_A: assert property (@(posedge clk_i) disable iff (!rst_ni) !(turn_i && (TwoSets ? set_i : load_i)));
`endif

endmodule
