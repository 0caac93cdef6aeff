// What the picture of a Tetris game shows: the board that the core decided last with the placement
// that it chose, the piece and the next one, how many rows were cleared and decisions answered since
// the reset. A board whose decision is not answered yet is shown without a placement.
//
// Drive it: `view_i` and `lines_i` from the core, which are seen a cycle later. After `load_i` the bits
// of that moment are on `bit_o`, as video_pkg has their order, from the next cycle on; each `next_i` goes on by one.
module tetris_scene
  import tetris_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  view_t      view_i,
  input  logic [4:0] lines_i,  // with view_i.answered
  input  logic       load_i,
  input  logic       next_i,
  output logic       bit_o
);

  // --------------------------------------------------------------------- what there is to show
  board_t     board_q;
  piece_t     piece_q, next_q;
  logic       is_piece_q, is_next_q;  // there is one
  logic       waits_q;                // for its answer
  logic       placed_q;
  rotation_t  rotation_q;
  logic [3:0] column_q;
  height_t    row_q;

  // The core's signals leave late in their cycle; the board is steady for one more.
  view_t      view_q;
  logic [4:0] lines_q;
  always_ff @(posedge clk_i) begin
    view_q          <= view_i;
    view_q.board    <= '0;
    view_q.taken    <= rst_ni && view_i.taken;
    view_q.answered <= rst_ni && view_i.answered;
    lines_q         <= lines_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      board_q    <= '0;
      is_piece_q <= 1'b0;
      is_next_q  <= 1'b0;
      waits_q    <= 1'b0;
      placed_q   <= 1'b0;
    end else if (view_q.taken) begin
      board_q    <= view_i.board;
      is_piece_q <= 1'b1;
      is_next_q  <= view_q.is_next;
      waits_q    <= 1'b1;
      placed_q   <= 1'b0;
    end else if (view_q.answered) begin
      waits_q    <= 1'b0;
      if (waits_q) placed_q <= view_q.legal;
    end
  end

  always_ff @(posedge clk_i) begin
    if (view_q.taken) begin
      piece_q <= view_q.piece;
      next_q  <= view_q.next;
    end
    if (view_q.answered && waits_q) begin
      rotation_q <= view_q.rotation;
      column_q   <= view_q.column;
      row_q      <= view_q.row;
    end
  end

  logic unused_board;
  assign unused_board = ^view_q.board;

  video_pkg::panel_t panel;

  bcd_counter #(
    .Digits (video_pkg::Digits)
  ) u_lines (
    .clk_i,
    .rst_ni,
    .valid_i  (view_q.answered),
    .amount_i (lines_q),
    .digits_o (panel.numbers[0])
  );

  bcd_counter #(
    .Digits      (video_pkg::Digits),
    .AmountWidth (1)
  ) u_moves (
    .clk_i,
    .rst_ni,
    .valid_i  (view_q.answered),
    .amount_i (1'b1),
    .digits_o (panel.numbers[1])
  );

  // A piece in its first rotation
  function automatic video_pkg::piece_t shown(piece_t piece, logic is_one);
    drawing_t lines = drawing(piece);
    return is_one ? {lines[3][3], lines[2][3], lines[1][3], lines[0][3]} : '0;
  endfunction

  assign panel.now  = shown(piece_q, is_piece_q);
  assign panel.next = shown(next_q, is_next_q);
  assign panel.turn = '0;

  // --------------------------------------------------------------------------- bit by bit
  localparam int unsigned Last = Columns - 1;

  board_t            rows_q;    // the highest row of those left is the next, column 0 its lowest bit
  video_pkg::panel_t panel_q;
  rotation_t         shape_q;   // the placement of that moment
  piece_t            kind_q;
  logic              shows_q;
  logic [3:0]        left_q;    // its column
  height_t           base_q;    // its row
  height_t           height_q;  // row of the cell that is next
  logic [3:0]        across_q;  // its column
  logic              second_q;  // bit of the cell
  logic              done_q;    // with the board

  // The piece's cells in the cell's row and column
  logic [PieceSpan-1:0][PieceSpan-1:0] cells;
  height_t                             up;
  logic [3:0]                          right;
  logic                                is_placed, is_filled;
  assign cells     = Shapes[{kind_q, shape_q}].cells;
  assign up        = height_q - base_q;
  assign right     = across_q - left_q;
  assign is_placed = shows_q && up < height_t'(PieceSpan) && right < 4'(PieceSpan) &&
                     cells[up[1:0]][right[1:0]];
  assign is_filled = rows_q[Rows-1][0];

  // A cell of the board has colour 1, one of the placement colour 2.
  assign bit_o = done_q ? panel_q[$bits(panel_q)-1] : second_q ? is_filled && !is_placed : is_placed;

  always_ff @(posedge clk_i) begin
    if (load_i) begin
      rows_q   <= board_q;
      panel_q  <= panel;
      kind_q   <= piece_q;
      shows_q  <= placed_q;
      shape_q  <= rotation_q;
      left_q   <= column_q;
      base_q   <= row_q;
      height_q <= height_t'(Rows - 1);
      across_q <= '0;
      second_q <= 1'b0;
      done_q   <= 1'b0;
    end else if (next_i) begin
      second_q <= !second_q;
      if (done_q) panel_q <= panel_q << 1;
      if (!done_q && second_q) begin
        across_q         <= across_q + 1'b1;
        rows_q[Rows-1]   <= rows_q[Rows-1] >> 1;
        if (across_q == 4'(Last)) begin
          across_q <= '0;
          height_q <= height_q - 1'b1;
          rows_q   <= rows_q << Columns;
          done_q   <= height_q == '0;
        end
      end
    end
  end

endmodule
