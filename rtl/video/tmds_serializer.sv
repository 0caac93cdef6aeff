// Sends words of ten bits a pixel, two bits with each cycle of a clock that is five times as fast,
// for a register at the pin that sends them one after the other.
//
// Drive it: `words_i` from registers of `pixel_clk_i`. Both clocks have to come from one PLL. In the
// fast clock there is nothing else: a ring of five bits takes the words, once it has found out when
// they change; by then they have stood for two to four of its five cycles. `pairs_o` is [0] first.
// Latency: a word's first pair is three or four cycles after its pixel's edge.
module tmds_serializer #(
  parameter int unsigned Lanes = 4
) (
  input  logic                  pixel_clk_i,
  input  logic                  pixel_rst_ni,
  input  logic [Lanes-1:0][9:0] words_i,
  input  logic                  clk_i,
  input  logic                  rst_ni,
  output logic [Lanes-1:0][1:0] pairs_o
);

  // Changes with each word
  logic turn_q;

  always_ff @(posedge pixel_clk_i) begin
    if (!pixel_rst_ni) turn_q <= 1'b0;
    else               turn_q <= !turn_q;
  end

  (* async_reg = "true" *) logic [1:0] turn_sync_q;

  logic                  turn_before_q, found_q;
  logic [4:0]            ring_q;
  logic [Lanes-1:0][9:0] shift_q;

  // Words do not change while it is enabled. rtl/crossings.py knows the attribute.
  (* steady_when_enabled = "true" *) logic [Lanes-1:0][9:0] words_q;

  // Once: where both clocks rise together, the synchroniser may say it a cycle sooner or later.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      turn_sync_q   <= '0;
      turn_before_q <= 1'b0;
      found_q       <= 1'b0;
      ring_q        <= '0;
    end else begin
      turn_sync_q   <= {turn_sync_q[0], turn_q};
      turn_before_q <= turn_sync_q[1];
      ring_q        <= {ring_q[3:0], ring_q[4]};
      if (!found_q && turn_sync_q[1] != turn_before_q) begin
        found_q <= 1'b1;
        ring_q  <= 5'b00001;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (ring_q[4]) words_q <= words_i;
  end

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    always_ff @(posedge clk_i) begin
      shift_q[lane] <= ring_q[0] ? words_q[lane] : {2'b00, shift_q[lane][9:2]};
    end
    assign pairs_o[lane] = shift_q[lane][1:0];
  end

`ifndef SYNTHESIS
  OneOfRing_A: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(ring_q));
`endif

endmodule
