// Turns placements into a stream of rows: for each placement its rows from the topmost one that
// is not empty down to row 0, the piece merged into the board.
//
// One row a cycle without a gap between placements; the first row of a placement is offered two
// cycles after the placement is taken. An illegal placement becomes a single row with no meaning.
// beat_o.first and .last mark the rows of a placement, placement_o goes with each of them.
// board_i must be stable while placements are under way.
module tetris_rows
  import tetris_pkg::PieceSpan, tetris_pkg::Rows, tetris_pkg::beat_t, tetris_pkg::board_t,
         tetris_pkg::height_t, tetris_pkg::placement_t, tetris_pkg::row_t, tetris_pkg::scan_t;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  board_t     board_i,

  input  logic       placement_valid_i,
  output logic       placement_ready_o,
  input  placement_t placement_i,
  input  scan_t      scan_i,

  output logic       beat_valid_o,
  input  logic       beat_ready_i,
  output beat_t      beat_o,
  output placement_t placement_o
);

  // The placement under way
  logic                 busy_q, busy_d;
  placement_t           placement_q, placement_d;
  row_t [PieceSpan-1:0] cells_q, cells_d;
  logic [1:0]           rise_q, rise_d;
  height_t              row_q, row_d;      // next row to send
  logic                 first_q, first_d;
  // The row offered, and its placement
  logic                 valid_q, valid_d;
  beat_t                beat_q, beat_d;
  placement_t           sent_q, sent_d;

  logic                 advance;  // the row offered leaves, or there is none
  logic                 step;     // row_q is sent in this cycle
  height_t              offset;   // of row_q from the bottom row of the piece
  row_t                 piece;

  assign advance           = !valid_q || beat_ready_i;
  assign step              = busy_q && advance;
  assign placement_ready_o = !busy_q || (step && row_q == '0);

  assign offset = row_q - placement_q.row;
  // Below the piece the difference wraps to 12 or more (the piece is at row 20 at most).
  assign piece  = (offset < height_t'(PieceSpan)) ? cells_q[offset[1:0]] : '0;

  always_comb begin
    busy_d      = busy_q;
    placement_d = placement_q;
    cells_d     = cells_q;
    rise_d      = rise_q;
    row_d       = row_q;
    first_d     = first_q;
    valid_d     = valid_q;
    beat_d      = beat_q;
    sent_d      = sent_q;

    if (advance) valid_d = busy_q;
    if (step) begin
      beat_d  = '{filled: board_i[row_q] | piece, piece: piece, rise: rise_q,
                  first: first_q, last: row_q == '0};
      sent_d  = placement_q;
      row_d   = row_q - height_t'(1);
      first_d = 1'b0;
    end
    if (placement_ready_o) begin
      busy_d = placement_valid_i;
      if (placement_valid_i) begin
        placement_d = placement_i;
        cells_d     = scan_i.cells;
        rise_d      = scan_i.rise;
        row_d       = scan_i.top;
        first_d     = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q      <= 1'b0;
      placement_q <= '0;
      cells_q     <= '0;
      rise_q      <= '0;
      row_q       <= '0;
      first_q     <= 1'b0;
      valid_q     <= 1'b0;
      beat_q      <= '0;
      sent_q      <= '0;
    end else begin
      busy_q      <= busy_d;
      placement_q <= placement_d;
      cells_q     <= cells_d;
      rise_q      <= rise_d;
      row_q       <= row_d;
      first_q     <= first_d;
      valid_q     <= valid_d;
      beat_q      <= beat_d;
      sent_q      <= sent_d;
    end
  end

  assign beat_valid_o = valid_q;
  assign beat_o       = beat_q;
  assign placement_o  = sent_q;

`ifndef SYNTHESIS
  BeatHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    beat_valid_o && !beat_ready_i |=> beat_valid_o && $stable(beat_o));
  InsideBoard_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    busy_q |-> row_q < height_t'(Rows));
`endif

endmodule
