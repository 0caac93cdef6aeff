// stream_buffer: what goes in comes out, once and in order, and nothing else does.
//
// The tag is one item of any number, in any cycle: what holds for it holds for every item.
module stream_buffer_proof #(
  parameter int unsigned Width = 8
) (
  input logic             clk_i,
  input logic             valid_i,
  input logic [Width-1:0] data_i,
  input logic             ready_i,
  input logic             tag_i     // the item taken in this cycle is the one to be watched
);

  logic             rst_n = 1'b0;
  logic             ready, valid;
  logic [Width-1:0] data;

  always_ff @(posedge clk_i) rst_n <= 1'b1;

  stream_buffer #(
    .Width (Width)
  ) u_dut (
    .clk_i,
    .rst_ni  (rst_n),
    .valid_i,
    .ready_o (ready),
    .data_i,
    .valid_o (valid),
    .ready_i,
    .data_o  (data)
  );

  logic in, out;
  assign in  = valid_i && ready;
  assign out = valid && ready_i;

  // Items inside, and those that leave before the tagged one does.
  logic [7:0]       inside_q;
  logic             tagged_q;
  logic [7:0]       before_q;
  logic [Width-1:0] item_q;
  // The cycle before
  logic             held_q, full_q;
  logic [Width-1:0] data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      inside_q <= '0;
      tagged_q <= 1'b0;
      before_q <= '0;
      held_q   <= 1'b0;
      full_q   <= 1'b0;
    end else begin
      inside_q <= inside_q + 8'(in) - 8'(out);
      if (in && tag_i && !tagged_q) begin
        tagged_q <= 1'b1;
        before_q <= inside_q - 8'(out);
        item_q   <= data_i;
      end else if (tagged_q && out) begin
        tagged_q <= before_q != '0;
        before_q <= before_q - 8'd1;
      end
      held_q <= valid && !ready_i;
      full_q <= !ready && ready_i;
    end
    data_q <= data;
  end

  always_comb begin
    if (rst_n) begin
      Valid_A: assert (valid == (inside_q != '0));
      Ready_A: assert (ready == (inside_q < 8'd2));
      Item_A:  assert (!(tagged_q && before_q == '0) || data == item_q);
      Inside_A: assert (!tagged_q || before_q < inside_q);
      Held_A:  assert (!held_q || (valid && data == data_q));
    end
    Full_C:  cover (rst_n && !ready);
    Flows_C: cover (rst_n && tagged_q && before_q != '0);
  end

endmodule
