// Draws the picture of a game, pixel by pixel: the board, and on its right a panel with a title, the
// piece that is placed and the next one, and for each of two seats a label and a number. The label
// of the seat to move is underlined.
//
// Drive it: `en_i`, place, sync and visible from video_timing. `cell_i` is the cell of
// `cell_addr_o` (row by row from the upper left one) an enabled cycle later. Nothing is shown but
// black while `shown_i` is low. Latency: what comes out belongs to the pixel that came in four
// enabled cycles before.
//
// The panel has 8 x 15 characters of 16 x 32 pixels each: 3 x 5 dots of 4 x 4 pixels, with one dot
// of room on their left, top and right.
module video_picture
  import video_pkg::*;
#(
  // The board
  parameter int unsigned Columns = 10,
  parameter int unsigned Rows    = 20,
  parameter int unsigned Cell    = 22,   // pixels, at most 64
  parameter int unsigned Left    = 114,  // its first pixel; at least 4, its last one before the panel
  parameter int unsigned Top     = 20,
  // Its colours, by cell_t: empty, then the others. Seat s has colour s + 1.
  parameter colour_t [3:0] Palette = {12'hfff, 12'hfa2, 12'h48c, 12'h112},
  // Texts of eight characters
  parameter logic [63:0]      Title  = "TETRIS  ",
  parameter logic [63:0]      Pieces = "NOW NEXT",
  parameter logic [1:0][63:0] Labels = {"MOVES   ", "LINES   "}
) (
  input  logic    clk_i,
  input  logic    en_i,
  input  place_t  x_i,
  input  place_t  y_i,
  input  logic    visible_i,
  input  logic    hsync_ni,
  input  logic    vsync_ni,
  input  logic    shown_i,
  input  panel_t  panel_i,
  output logic [$clog2(Columns*Rows)-1:0] cell_addr_o,
  input  cell_t   cell_i,
  output colour_t colour_o,
  output logic    visible_o,
  output logic    hsync_no,
  output logic    vsync_no
);

  localparam colour_t Black  = 12'h000;
  localparam colour_t Ground = 12'h000;
  localparam colour_t Grid   = 12'h224;
  localparam colour_t Frame  = 12'h88a;
  localparam colour_t Text   = 12'hddd;

  localparam int unsigned FrameWidth = 4;                   // pixels
  localparam place_t      Right      = place_t'(Left + Columns * Cell);
  localparam place_t      Bottom     = place_t'(Top + Rows * Cell);
  localparam place_t      PanelLeft  = 10'd448;             // a multiple of 64
  localparam place_t      PanelRight = PanelLeft + 10'd128;

  // Rows of the panel
  localparam logic [3:0] TitleRow  = 4'd1;
  localparam logic [3:0] PiecesRow = 4'd3;         // their labels, the pieces in the next two
  localparam logic [1:0][3:0] LabelRow = {4'd11, 4'd8};  // of the seats, their numbers in the next

  if (Left < FrameWidth || Top < FrameWidth || Cell > 64 || 32'(Right) + FrameWidth > 32'(PanelLeft))
  begin : gen_place
    $error("the board does not fit beside the panel");
  end

  // ------------------------------------------------------------------------- 1: where it is
  typedef logic [5:0]                         inside_t;
  typedef logic [$clog2(Columns*Rows)-1:0]    addr_t;

  inside_t    in_x_q, in_x_d, in_y_q, in_y_d;  // place in the cell
  addr_t      column_q, column_d;
  addr_t      row_q, row_d;                    // address of the row's first cell
  logic       board1_q, frame1_q, panel1_q;
  logic [2:0] text_column_q;
  logic [3:0] text_row_q;
  logic [1:0] dot_x1_q;
  logic [2:0] dot_y1_q;
  logic [1:0] piece_x_q, piece_y_q;

  // In each cycle: nobody asks for the pixels left of the board and right of it.
  always_comb begin
    in_x_d   = in_x_q + 1'b1;
    column_d = column_q;
    if (x_i == place_t'(Left)) begin
      in_x_d   = '0;
      column_d = '0;
    end else if (in_x_q == inside_t'(Cell - 1)) begin
      in_x_d   = '0;
      column_d = column_q + 1'b1;
    end
    in_y_d = in_y_q;
    row_d  = row_q;
    if (x_i == '0) begin
      in_y_d = in_y_q + 1'b1;
      if (y_i == place_t'(Top)) begin
        in_y_d = '0;
        row_d  = '0;
      end else if (in_y_q == inside_t'(Cell - 1)) begin
        in_y_d = '0;
        row_d  = row_q + addr_t'(Columns);
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      in_x_q   <= in_x_d;
      in_y_q   <= in_y_d;
      column_q <= column_d;
      row_q    <= row_d;
      board1_q <= (x_i >= place_t'(Left)) && (x_i < Right) &&
                  (y_i >= place_t'(Top)) && (y_i < Bottom);
      frame1_q <= (x_i >= place_t'(Left - FrameWidth)) && (x_i < Right + place_t'(FrameWidth)) &&
                  (y_i >= place_t'(Top - FrameWidth)) && (y_i < Bottom + place_t'(FrameWidth));
      panel1_q      <= (x_i >= PanelLeft) && (x_i < PanelRight);
      text_column_q <= x_i[6:4] - PanelLeft[6:4];
      text_row_q    <= y_i[8:5];
      dot_x1_q      <= x_i[3:2];
      dot_y1_q      <= y_i[4:2];
      piece_x_q     <= x_i[5:4];
      // They begin at a multiple of 64.
      piece_y_q     <= y_i[5:4];
    end
  end

  assign cell_addr_o = row_q + column_q;

  // ------------------------------------------------------------- 2: the cell, the character
  logic       board2_q, frame2_q, grid2_q, piece2_q, line2_q, line2_d, piece2_d;
  logic [7:0] character_q, character_d;
  logic [1:0] dot_x2_q;
  logic [2:0] dot_y2_q;
  cell_t      ink2_q, ink2_d;  // of the character: 0 is the text's

  // The character of a text
  function automatic logic [7:0] letter(logic [63:0] text, logic [2:0] column);
    return text[8*(3'd7-column)+:8];
  endfunction

  always_comb begin
    character_d = " ";
    line2_d     = 1'b0;
    ink2_d      = '0;
    if (text_row_q == TitleRow) character_d = letter(Title, text_column_q);
    if (text_row_q == PiecesRow) character_d = letter(Pieces, text_column_q);
    for (int unsigned seat = 0; seat < 2; seat++) begin
      if (text_row_q == LabelRow[seat]) begin
        character_d = letter(Labels[seat], text_column_q);
        line2_d     = panel_i.turn[seat] && dot_y1_q == 3'd7;
        ink2_d      = cell_t'(seat + 1);
      end
      if (text_row_q == LabelRow[seat] + 4'd1 && text_column_q < 3'(Digits)) begin
        character_d = {4'h3, panel_i.numbers[seat][3'(Digits - 1) - text_column_q]};
      end
    end
    piece2_d = text_column_q[2] ? panel_i.next[~{piece_y_q, piece_x_q}]
                                : panel_i.now[~{piece_y_q, piece_x_q}];
    if (text_row_q != PiecesRow + 4'd1 && text_row_q != PiecesRow + 4'd2) piece2_d = 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      board2_q    <= board1_q;
      frame2_q    <= frame1_q;
      grid2_q     <= in_x_q == '0 || in_y_q == '0;
      piece2_q    <= panel1_q && piece2_d;
      line2_q     <= panel1_q && line2_d;
      character_q <= panel1_q ? character_d : " ";
      dot_x2_q    <= dot_x1_q;
      dot_y2_q    <= dot_y1_q;
      ink2_q      <= ink2_d;
    end
  end

  // --------------------------------------------------------------------------- 3: the dot
  logic  board3_q, frame3_q, grid3_q, piece3_q, dot3_q;
  cell_t cell3_q, ink3_q;

  logic [14:0] dots;
  logic [2:0]  dot_row;
  logic        dot;
  assign dots    = glyph(character_q);
  assign dot_row = dot_y2_q - 3'd1;

  always_comb begin
    dot = 1'b0;
    for (int unsigned row = 0; row < 5; row++) begin
      for (int unsigned column = 0; column < 3; column++) begin
        if (dot_row == 3'(row) && dot_x2_q == 2'(column)) dot = dots[14-3*row-column];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      board3_q <= board2_q;
      frame3_q <= frame2_q;
      grid3_q  <= grid2_q;
      piece3_q <= piece2_q;
      dot3_q   <= dot || line2_q;
      cell3_q  <= cell_i;
      ink3_q   <= ink2_q;
    end
  end

  // ------------------------------------------------------------------------- 4: the colour
  colour_t    colour_q, colour_d;
  logic [2:0] visible_q, hsync_nq, vsync_nq;
  logic       visible4_q, hsync4_nq, vsync4_nq;

  always_comb begin
    colour_d = Ground;
    if (board3_q) colour_d = grid3_q ? Grid : Palette[cell3_q];
    else if (frame3_q) colour_d = Frame;
    else if (piece3_q) colour_d = Palette[2];
    else if (dot3_q) colour_d = (ink3_q == '0) ? Text : Palette[ink3_q];
    if (!visible_q[2] || !shown_i) colour_d = Black;
  end

  always_ff @(posedge clk_i) begin
    if (en_i) begin
      visible_q  <= {visible_q[1:0], visible_i};
      hsync_nq   <= {hsync_nq[1:0], hsync_ni};
      vsync_nq   <= {vsync_nq[1:0], vsync_ni};
      visible4_q <= visible_q[2];
      hsync4_nq  <= hsync_nq[2];
      vsync4_nq  <= vsync_nq[2];
      colour_q   <= colour_d;
    end
  end

  assign colour_o  = colour_q;
  assign visible_o = visible4_q;
  assign hsync_no  = hsync4_nq;
  assign vsync_no  = vsync4_nq;

endmodule
