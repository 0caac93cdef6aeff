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

module video_timing_rules #(
  parameter int unsigned HSync    = 96,
  parameter int unsigned HBack    = 48,
  parameter int unsigned HVisible = 640,
  parameter int unsigned HFront   = 16,
  parameter int unsigned VSync    = 2,
  parameter int unsigned VBack    = 33,
  parameter int unsigned VVisible = 480,
  parameter int unsigned VFront   = 10
) (
  input logic clk_i,
  input logic rst_ni,
  input logic en_i
);

  localparam int unsigned Pixels = HSync + HBack + HVisible + HFront;
  localparam int unsigned Lines  = VSync + VBack + VVisible + VFront;
  localparam int unsigned Left   = HSync + HBack;
  localparam int unsigned Top    = VSync + VBack;

  logic [9:0] x, y;
  logic       visible, hsync_n, vsync_n, blank;

  video_timing #(
    .HVisible (HVisible), .HFront (HFront), .HSync (HSync), .HBack (HBack),
    .VVisible (VVisible), .VFront (VFront), .VSync (VSync), .VBack (VBack)
  ) u_dut (
    .clk_i,
    .rst_ni,
    .en_i,
    .x_o       (x),
    .y_o       (y),
    .visible_o (visible),
    .hsync_no  (hsync_n),
    .vsync_no  (vsync_n),
    .blank_o   (blank)
  );

  // The pixel of the line since its HSYNC began, the line since the VSYNC began. After a reset they
  // are before the first pixel behind the last visible line.
  logic [9:0] pixel_q, line_q;
  logic       there_q = 1'b0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pixel_q <= 10'(Left - 1);
      line_q  <= 10'(Top + VVisible);
      there_q <= 1'b1;
    end else if (en_i) begin
      pixel_q <= (pixel_q == 10'(Pixels - 1)) ? '0 : pixel_q + 1'b1;
      if (pixel_q == 10'(Pixels - 1)) line_q <= (line_q == 10'(Lines - 1)) ? '0 : line_q + 1'b1;
    end
  end

  // The line that the visible pixels behind this one are in
  logic [10:0] next_line;
  assign next_line = 11'(line_q) + ((pixel_q < 10'(Left)) ? 11'(Lines - 1) : 11'(Lines)) - 11'(Top);

  always_comb begin
    if (there_q && rst_ni) begin
      Range_A:   assert (pixel_q < 10'(Pixels) && line_q < 10'(Lines));
      Hsync_A:   assert (hsync_n == (pixel_q >= 10'(HSync)));
      Vsync_A:   assert (vsync_n == (line_q >= 10'(VSync)));
      Visible_A: assert (visible == (pixel_q >= 10'(Left) && pixel_q < 10'(Left + HVisible) &&
                                     line_q >= 10'(Top) && line_q < 10'(Top + VVisible)));
      X_A:       assert (x == ((pixel_q >= 10'(Left)) ? pixel_q - 10'(Left)
                                                      : pixel_q + 10'(Pixels - Left)));
      Y_A:       assert (11'(y) == ((next_line >= 11'(Lines)) ? next_line - 11'(Lines) : next_line));
      Blank_A:   assert (blank == (pixel_q == 10'(Left) && line_q == 10'(Top + VVisible)));
    end
  end

endmodule
