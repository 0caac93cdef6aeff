// Reset of a clock domain from one that has no clock: low at once, and high again with the clock,
// Stages edges after `rst_ni` has risen. Whatever runs at `clk_i` takes `rst_no` as its reset.
//
// However short `rst_ni` is low, `rst_no` is low for Stages cycles, if the clock runs.
module reset_sync #(
  parameter int unsigned Stages = 4  // at least 2; the first one may be metastable
) (
  input  logic clk_i,
  input  logic rst_ni,  // asynchronous
  output logic rst_no
);

  (* async_reg = "true" *) logic [Stages-1:0] sync_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) sync_q <= '0;
    else         sync_q <= {sync_q[Stages-2:0], 1'b1};
  end

  assign rst_no = sync_q[Stages-1];

endmodule
