// Two places between a source and a sink, so that neither sees the other's logic: every output
// comes from a register.
//
// Drive it: valid/ready on both sides, one item a cycle without a gap; an item comes out in the
// cycle after it went in, or later.
module stream_buffer #(
  parameter int unsigned Width = 8  // bits
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             valid_i,
  output logic             ready_o,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  input  logic             ready_i,
  output logic [Width-1:0] data_o
);

  logic             first_valid_q, first_valid_d, second_valid_q, second_valid_d;
  logic [Width-1:0] first_q, first_d, second_q, second_d;

  always_comb begin
    first_valid_d  = first_valid_q;
    first_d        = first_q;
    second_valid_d = second_valid_q;
    second_d       = second_q;

    if (!first_valid_q || ready_i) begin
      first_valid_d  = second_valid_q || valid_i;
      first_d        = second_valid_q ? second_q : data_i;
      second_valid_d = 1'b0;
    end else if (valid_i && ready_o) begin
      second_valid_d = 1'b1;
      second_d       = data_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_valid_q  <= 1'b0;
      second_valid_q <= 1'b0;
    end else begin
      first_valid_q  <= first_valid_d;
      second_valid_q <= second_valid_d;
    end
  end

  always_ff @(posedge clk_i) begin
    first_q  <= first_d;
    second_q <= second_d;
  end

  assign ready_o = !second_valid_q;
  assign valid_o = first_valid_q;
  assign data_o  = first_q;

`ifndef SYNTHESIS
  OutputHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    valid_o && !ready_i |=> valid_o && $stable(data_o));
  InputHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    valid_i && !ready_o |=> valid_i && $stable(data_i));
  InOrder_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    second_valid_q |-> first_valid_q);
  Full_C: cover property (@(posedge clk_i) disable iff (!rst_ni) second_valid_q);
`endif

endmodule
