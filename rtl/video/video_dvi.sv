// The words of DVI for a picture: blue, green and red, each with 4 bits spread over the range of 8,
// and the clock's. The sync pulses, at their levels, go with blue where nothing is visible.
//
// Drive it: a pixel with every cycle. Latency: two cycles.
module video_dvi (
  input  logic               clk_i,
  input  video_pkg::colour_t colour_i,
  input  logic               visible_i,
  input  logic               hsync_i,
  input  logic               vsync_i,
  output logic [3:0][9:0]    words_o  // blue, green, red, clock
);

  logic [2:0][3:0] channels;
  assign channels = {colour_i.red, colour_i.green, colour_i.blue};

  for (genvar channel = 0; channel < 3; channel++) begin : gen_channel
    tmds_encoder u_tmds_encoder (
      .clk_i,
      .visible_i,
      .data_i    ({2{channels[channel]}}),
      .control_i (channel == 0 ? {vsync_i, hsync_i} : 2'b00),
      .word_o    (words_o[channel])
    );
  end

  assign words_o[3] = 10'b0000011111;

endmodule
