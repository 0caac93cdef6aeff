// The picture of the Tetris core, as every board has it: what is left to a board's own top are the
// clock of the pixels and its pins.
//
// Drive it: `view_i` and `lines_i` from the core at `clk_i`; `pixel_clk_i` with `pixel_en_i` high
// for a cycle with each pixel, 25 or 25.175 million times a second. The core's clock is at most five
// times as fast as `pixel_clk_i`, and at least 50 MHz, so that a scene is there in time.
module tetris_video (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  tetris_pkg::view_t  view_i,
  input  logic [4:0]         lines_i,
  input  logic               pixel_clk_i,
  input  logic               pixel_rst_ni,
  input  logic               pixel_en_i,
  output video_pkg::colour_t colour_o,
  output logic               visible_o,
  output logic               hsync_no,
  output logic               vsync_no
);

  import tetris_pkg::Columns, tetris_pkg::Rows;

  localparam int unsigned Cells = Columns * Rows;

  logic ask, load, next_bit, scene_bit, sent_bit, strobe;

  tetris_scene u_tetris_scene (
    .clk_i,
    .rst_ni,
    .view_i,
    .lines_i,
    .load_i (load),
    .next_i (next_bit),
    .bit_o  (scene_bit)
  );

  scene_sender #(
    .Bits (video_pkg::scene_bits(Cells))
  ) u_scene_sender (
    .clk_i,
    .rst_ni,
    .ask_i    (ask),
    .load_o   (load),
    .next_o   (next_bit),
    .bit_i    (scene_bit),
    .bit_o    (sent_bit),
    .strobe_o (strobe)
  );

  logic                     blank, visible, hsync_n, vsync_n, shown;
  video_pkg::place_t        x, y;
  video_pkg::panel_t        panel;
  video_pkg::cell_t         board_cell;
  logic [$clog2(Cells)-1:0] cell_addr;

  scene_receiver #(
    .Cells (Cells)
  ) u_scene_receiver (
    .clk_i       (pixel_clk_i),
    .rst_ni      (pixel_rst_ni),
    .en_i        (pixel_en_i),
    .blank_i     (blank),
    .ask_o       (ask),
    .bit_i       (sent_bit),
    .strobe_i    (strobe),
    .shown_o     (shown),
    .panel_o     (panel),
    .cell_addr_i (cell_addr),
    .cell_o      (board_cell)
  );

  video_timing u_video_timing (
    .clk_i     (pixel_clk_i),
    .rst_ni    (pixel_rst_ni),
    .en_i      (pixel_en_i),
    .x_o       (x),
    .y_o       (y),
    .visible_o (visible),
    .hsync_no  (hsync_n),
    .vsync_no  (vsync_n),
    .blank_o   (blank)
  );

  video_picture #(
    .Columns (Columns),
    .Rows    (Rows)
  ) u_video_picture (
    .clk_i       (pixel_clk_i),
    .en_i        (pixel_en_i),
    .x_i         (x),
    .y_i         (y),
    .visible_i   (visible),
    .hsync_ni    (hsync_n),
    .vsync_ni    (vsync_n),
    .shown_i     (shown),
    .panel_i     (panel),
    .cell_addr_o (cell_addr),
    .cell_i      (board_cell),
    .colour_o,
    .visible_o,
    .hsync_no,
    .vsync_no
  );

endmodule
