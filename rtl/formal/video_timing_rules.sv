// A video_timing beside the rules of its signals, for video_timing_proof.
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
  // are before the first pixel after the last visible line.
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

  // The line that the visible pixels after this one are in
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
