// Turns placements into a stream of rows: for each placement its rows from the topmost one that
// is not empty down to row 0, the piece merged into the board.
//
// One row a cycle without a gap between placements; the first row of a placement is given two
// cycles after the placement is taken. An illegal placement becomes a single row with no meaning.
// beat_o.first and .last mark the rows of a placement, placement_o goes with each of them.
// board_i must be stable while placements are under way.
//
// Nothing holds the rows up once they are given. Instead this module sets the pace: the last row
// of a placement waits until Pace cycles have passed since the last row of the placement before, if
// that was a legal one. So what takes a legal placement's features has Pace cycles for them. And
// it waits while hold_i is high.
module tetris_rows
  import tetris_pkg::PieceSpan, tetris_pkg::Rows, tetris_pkg::beat_t, tetris_pkg::board_t,
         tetris_pkg::height_t, tetris_pkg::placement_t, tetris_pkg::row_t, tetris_pkg::scan_t;
#(
  parameter int unsigned Pace = 1  // cycles, at least 1
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  board_t     board_i,
  input  logic       hold_i,

  input  logic       placement_valid_i,
  output logic       placement_ready_o,
  input  placement_t placement_i,
  input  scan_t      scan_i,

  output logic       beat_valid_o,
  output beat_t      beat_o,
  output placement_t placement_o,
  output logic       last_row_o    // the row of the next cycle is the last one of its placement
);

  localparam int unsigned PaceWidth = (Pace > 1) ? $clog2(Pace) : 1;
  typedef logic [PaceWidth-1:0] pace_t;

  // The placement under way
  logic       busy_q, busy_d;
  placement_t placement_q, placement_d;
  scan_t      scan_q, scan_d;     // .top: the next row to send
  logic       first_q, first_d;
  logic       last_q, last_d;     // that row is row 0: known early, because the way back is long
  pace_t      pace_q, pace_d;     // cycles that a last row has to wait still
  logic       due_q, due_d;       // none: known early, too
  // The row given, and its placement
  logic       valid_q, valid_d;
  beat_t      beat_q, beat_d;
  placement_t sent_q, sent_d;

  height_t    row, offset;  // the next row, and how far it is from the bottom row of the piece
  row_t       piece;
  logic       paced, step;

  assign row    = scan_q.top;
  assign paced  = due_q && !hold_i;
  assign step   = busy_q && (!last_q || paced);
  assign offset = row - placement_q.row;
  // Below the piece the difference wraps to 12 or more (the piece is at row 20 at most).
  assign piece  = (offset < height_t'(PieceSpan)) ? scan_q.cells[offset[1:0]] : '0;

  assign placement_ready_o = !busy_q || (last_q && paced);

  always_comb begin
    busy_d      = busy_q;
    placement_d = placement_q;
    scan_d      = scan_q;
    first_d     = first_q;
    last_d      = last_q;
    pace_d      = (pace_q == '0) ? '0 : pace_q - pace_t'(1);
    valid_d     = step;
    beat_d      = beat_q;
    sent_d      = sent_q;

    if (step) begin
      beat_d     = '{filled: board_i[row] | piece, piece: piece, rise: scan_q.rise,
                     first: first_q, last: last_q};
      sent_d     = placement_q;
      scan_d.top = row - height_t'(1);
      first_d    = 1'b0;
      last_d     = row == height_t'(1);
      if (last_q && placement_q.legal) pace_d = pace_t'(Pace - 1);
    end
    due_d = pace_d == '0;
    if (placement_ready_o) begin
      busy_d = placement_valid_i;
      if (placement_valid_i) begin
        placement_d = placement_i;
        scan_d      = scan_i;
        first_d     = 1'b1;
        last_d      = scan_i.top == '0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      valid_q <= 1'b0;
      pace_q  <= '0;
      due_q   <= 1'b1;
    end else begin
      busy_q  <= busy_d;
      valid_q <= valid_d;
      pace_q  <= pace_d;
      due_q   <= due_d;
    end
  end

  // These mean something along with busy_q or valid_q alone.
  always_ff @(posedge clk_i) begin
    placement_q <= placement_d;
    scan_q      <= scan_d;
    first_q     <= first_d;
    last_q      <= last_d;
    beat_q      <= beat_d;
    sent_q      <= sent_d;
  end

  assign beat_valid_o = valid_q;
  assign beat_o       = beat_q;
  assign placement_o  = sent_q;
  assign last_row_o   = step && last_q;

`ifndef SYNTHESIS
  InsideBoard_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    busy_q |-> row < height_t'(Rows));
  LastIsRow0_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    busy_q |-> last_q == (row == '0));
  LastRow_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    last_row_o |=> beat_valid_o && beat_o.last);
  DueIsNone_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    due_q == (pace_q == '0));
  OneRowIfIllegal_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    valid_q && !sent_q.legal |-> beat_q.first && beat_q.last);
  Waits_C: cover property (@(posedge clk_i) disable iff (!rst_ni) busy_q && !step);
`endif

endmodule
