// Counts the pixels of a picture and makes its sync pulses; by default 640 x 480 at 60 pictures a
// second, of VESA's and CEA-861's timings: 25.175 MHz, or 25 MHz, which is 0.7 % slower.
//
// Drive it: `en_i` is high for a cycle of `clk_i` with each pixel; all outputs change with it, and
// tell of the same pixel. Both pulses are low. VSYNC begins and ends with the beginning of an HSYNC.
// `blank_o` is high with the first pixel after the picture: from there on nobody looks at a picture
// for VFront + VSync + VBack lines.
module video_timing
  import video_pkg::place_t;
#(
  // Pixels
  parameter int unsigned HVisible = 640,
  parameter int unsigned HFront   = 16,
  parameter int unsigned HSync    = 96,
  parameter int unsigned HBack    = 48,
  // Lines
  parameter int unsigned VVisible = 480,
  parameter int unsigned VFront   = 10,
  parameter int unsigned VSync    = 2,
  parameter int unsigned VBack    = 33
) (
  input  logic   clk_i,
  input  logic   rst_ni,
  input  logic   en_i,
  output place_t x_o,
  output place_t y_o,
  output logic   visible_o,
  output logic   hsync_no,
  output logic   vsync_no,
  output logic   blank_o
);

  localparam place_t LastX     = place_t'(HVisible + HFront + HSync + HBack - 1);
  localparam place_t LastY     = place_t'(VVisible + VFront + VSync + VBack - 1);
  localparam place_t SyncX     = place_t'(HVisible + HFront);
  localparam place_t SyncEndX  = place_t'(HVisible + HFront + HSync);
  // A line of the timings begins with its HSYNC, one here with its first visible pixel.
  localparam place_t SyncY     = place_t'(VVisible + VFront - 1);
  localparam place_t SyncEndY  = place_t'(VVisible + VFront + VSync - 1);

  place_t x_q, x_d, y_q, y_d;
  logic   visible_q, hsync_q, hsync_d, vsync_q, vsync_d, blank_q;

  always_comb begin
    x_d = x_q + 1'b1;
    y_d = y_q;
    if (x_q == LastX) begin
      x_d = '0;
      y_d = (y_q == LastY) ? '0 : y_q + 1'b1;
    end
    hsync_d = (x_d >= SyncX) && (x_d < SyncEndX);
    vsync_d = vsync_q;
    if (x_d == SyncX) vsync_d = (y_d >= SyncY) && (y_d < SyncEndY);
  end

  // It begins with the last pixel of a picture, so that the first scene is asked for at once.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      x_q       <= LastX;
      y_q       <= place_t'(VVisible - 1);
      visible_q <= 1'b0;
      hsync_q   <= 1'b0;
      vsync_q   <= 1'b0;
      blank_q   <= 1'b0;
    end else if (en_i) begin
      x_q       <= x_d;
      y_q       <= y_d;
      visible_q <= (x_d < place_t'(HVisible)) && (y_d < place_t'(VVisible));
      hsync_q   <= hsync_d;
      vsync_q   <= vsync_d;
      blank_q   <= (x_d == '0) && (y_d == place_t'(VVisible));
    end
  end

  assign x_o       = x_q;
  assign y_o       = y_q;
  assign visible_o = visible_q;
  assign hsync_no  = !hsync_q;
  assign vsync_no  = !vsync_q;
  assign blank_o   = blank_q;

`ifndef SYNTHESIS
  SyncIsDark_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    visible_o |-> hsync_no && vsync_no);
  InPicture_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    x_o <= LastX && y_o <= LastY);
`endif

endmodule
