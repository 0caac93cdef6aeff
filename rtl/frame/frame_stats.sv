// Statistics of the receiver. Drive it: one-cycle events in, counters out in
// the next cycle. Reset it to start from zero.
module frame_stats #(
  parameter int unsigned Width = 32  // bits of a counter, at most its field's
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    good_i,
  input  logic                    bad_crc_i,
  input  logic                    malformed_i,
  input  logic                    overrun_i,
  output proto_pkg::stats_reply_t stats_o
);

  logic [Width-1:0] good, bad_crc, malformed, overrun;

  sat_counter #(.Width(Width)) u_good (
    .clk_i, .rst_ni, .inc_i(good_i), .count_o(good)
  );
  sat_counter #(.Width(Width)) u_bad_crc (
    .clk_i, .rst_ni, .inc_i(bad_crc_i), .count_o(bad_crc)
  );
  sat_counter #(.Width(Width)) u_malformed (
    .clk_i, .rst_ni, .inc_i(malformed_i), .count_o(malformed)
  );
  sat_counter #(.Width(Width)) u_overrun (
    .clk_i, .rst_ni, .inc_i(overrun_i), .count_o(overrun)
  );

  always_comb begin
    stats_o             = '0;
    stats_o.frames_good = $bits(stats_o.frames_good)'(good);
    stats_o.bad_crc     = $bits(stats_o.bad_crc)'(bad_crc);
    stats_o.malformed   = $bits(stats_o.malformed)'(malformed);
    stats_o.overrun     = $bits(stats_o.overrun)'(overrun);
  end

endmodule
