// Statistics of the receiver. Drive it: one-cycle events in, counters out in
// the next cycle. Reset it to start from zero.
module frame_stats (
  input  logic                         clk_i,
  input  logic                    rst_ni,
  input  logic                         good_i,
  input  logic                         bad_crc_i,
  input  logic                         malformed_i,
  input  logic                         overrun_i,
  output link_proto_pkg::stats_reply_t stats_o
);

  // Four fields of the same width; the ports below would not fit otherwise.
  localparam int unsigned Width = $bits(link_proto_pkg::stats_reply_t) / 4;

  sat_counter #(.Width(Width)) u_good (
    .clk_i, .rst_ni, .inc_i(good_i), .count_o(stats_o.frames_good)
  );
  sat_counter #(.Width(Width)) u_bad_crc (
    .clk_i, .rst_ni, .inc_i(bad_crc_i), .count_o(stats_o.bad_crc)
  );
  sat_counter #(.Width(Width)) u_malformed (
    .clk_i, .rst_ni, .inc_i(malformed_i), .count_o(stats_o.malformed)
  );
  sat_counter #(.Width(Width)) u_overrun (
    .clk_i, .rst_ni, .inc_i(overrun_i), .count_o(stats_o.overrun)
  );

endmodule
