// tetris_drop: placements leave in the order of their candidates, none lost or doubled.
//
// The tag is one candidate of any number, in any cycle: what holds for it holds for every one.
module tetris_drop_order_proof (
  input logic                   clk_i,
  input logic                   valid_i,
  input tetris_pkg::candidate_t candidate_i,
  input logic                   ready_i,
  input logic                   tag_i         // the candidate taken now is the one watched
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic                   ready, valid;
  tetris_pkg::placement_t placement;
  tetris_pkg::scan_t      unused_scan;

  tetris_drop u_dut (
    .clk_i,
    .rst_ni            (rst_n),
    .piece_i           (3'd2),
    .heights_i         ('0),
    .stack_i           ('0),
    .candidate_valid_i (valid_i),
    .candidate_ready_o (ready),
    .candidate_i,
    .placement_valid_o (valid),
    .placement_ready_i (ready_i),
    .placement_o       (placement),
    .scan_o            (unused_scan)
  );

  logic                   in, out;
  logic [3:0]             under_way_q, before_q;
  logic                   tagged_q;
  tetris_pkg::candidate_t tag_q;
  // Cycles since the tagged one went in in which it could move
  logic [3:0]             moves_q;

  assign in  = valid_i && ready;
  assign out = valid && ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      under_way_q <= '0;
      tagged_q    <= 1'b0;
      before_q    <= '0;
    end else begin
      under_way_q <= under_way_q + 4'(in) - 4'(out);
      if (in && tag_i && !tagged_q) begin
        tagged_q <= 1'b1;
        before_q <= under_way_q - 4'(out);
        moves_q  <= '0;
        tag_q    <= candidate_i;
      end else if (tagged_q) begin
        moves_q <= moves_q + 4'(ready_i || !valid);
        if (out) begin
          tagged_q <= before_q != '0;
          before_q <= before_q - 4'd1;
        end
      end
    end
  end

  always_comb begin
    if (rst_n) begin
      None_A:    assert (!valid || under_way_q != '0);
      Few_A:     assert (under_way_q <= 4'd4);
      Ready_A:   assert (ready == (!valid || ready_i));
      Stream_A:  assert (!(tagged_q && before_q == '0 && valid) || placement.candidate == tag_q);
      Before_A:  assert (!tagged_q || before_q < under_way_q);
      Arrives_A: assert (!tagged_q || moves_q < 4'd4);
    end
    Waits_C: cover (rst_n && valid && !ready_i && under_way_q == 4'd4);
  end

endmodule
