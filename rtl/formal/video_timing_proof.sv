// video_timing, of 640 x 480 and of a small picture: from the beginning of an HSYNC on, a line has
// its sync pulse, its back porch, the visible pixels and its front porch, and the lines of a picture
// likewise from the beginning of the first HSYNC of a VSYNC on. Both pulses are low. Nothing changes
// between two pixels.
module video_timing_proof (
  input logic clk_i,
  input logic rst_ni,
  input logic en_i
);

  logic begun = 1'b0;
  always_ff @(posedge clk_i) begun <= 1'b1;
  logic rst_n;
  assign rst_n = begun && rst_ni;

  video_timing_rules #(
    .HSync (96), .HBack (48), .HVisible (640), .HFront (16),
    .VSync (2),  .VBack (33), .VVisible (480), .VFront (10)
  ) u_whole (
    .clk_i,
    .rst_ni (rst_n),
    .en_i
  );

  video_timing_rules #(
    .HSync (2), .HBack (1), .HVisible (3), .HFront (2),
    .VSync (1), .VBack (2), .VVisible (2), .VFront (1)
  ) u_small (
    .clk_i,
    .rst_ni (rst_n),
    .en_i
  );

  // A picture of the small one begins and ends.
  logic [1:0] pictures_q;
  logic       vsync_nq;
  always_ff @(posedge clk_i) begin
    vsync_nq <= u_small.vsync_n;
    if (!rst_n) pictures_q <= '0;
    else if (vsync_nq && !u_small.vsync_n && pictures_q != '1) pictures_q <= pictures_q + 1'b1;
  end
  always_comb begin
    Pictures_C: cover (rst_n && pictures_q == 2'd2);
    Visible_C:  cover (rst_n && pictures_q == 2'd1 && u_small.visible);
    Hsync_C:    cover (rst_n && pictures_q == 2'd1 && !u_small.hsync_n && u_small.vsync_n);
  end

endmodule
