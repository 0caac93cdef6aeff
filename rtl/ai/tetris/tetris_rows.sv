// Turns placements into a stream of rows: for each placement its rows from the topmost one that
// is not empty down to row 0, the piece merged into the board.
//
// One row a cycle without a gap between placements; the first row of a placement is offered two
// cycles after the placement is taken. An illegal placement becomes a single row with no meaning.
// beat_o.first and .last mark the rows of a placement, placement_o goes with each of them.
// board_i must be stable while placements are under way.
module tetris_rows import tetris_pkg::*; (
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

  logic                 busy_q;
  placement_t           placement_q;
  row_t [PieceSpan-1:0] cells_q;
  logic [1:0]           rise_q;
  height_t              row_q;    // next row to send
  logic                 first_q;

  logic                 step;     // row_q is sent in this cycle
  height_t              offset;   // of row_q from the bottom row of the piece
  row_t                 piece;

  assign step              = busy_q && (!beat_valid_o || beat_ready_i);
  assign placement_ready_o = !busy_q || (step && row_q == '0);

  assign offset = row_q - placement_q.row;
  // Below the piece the difference wraps to 12 or more (the piece is at row 20 at most).
  assign piece  = (offset < height_t'(PieceSpan)) ? cells_q[offset[1:0]] : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q      <= 1'b0;
      placement_q <= '0;
      cells_q     <= '0;
      rise_q      <= '0;
      row_q       <= '0;
      first_q     <= 1'b0;
    end else begin
      if (step) begin
        row_q   <= row_q - height_t'(1);
        first_q <= 1'b0;
      end
      if (placement_ready_o) begin
        busy_q <= placement_valid_i;
        if (placement_valid_i) begin
          placement_q <= placement_i;
          cells_q     <= scan_i.cells;
          rise_q      <= scan_i.rise;
          row_q       <= scan_i.top;
          first_q     <= 1'b1;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beat_valid_o <= 1'b0;
      beat_o       <= '0;
      placement_o  <= '0;
    end else begin
      if (!beat_valid_o || beat_ready_i) beat_valid_o <= busy_q;
      if (step) begin
        beat_o      <= '{filled: board_i[row_q] | piece, piece: piece, rise: rise_q,
                         first: first_q, last: row_q == '0};
        placement_o <= placement_q;
      end
    end
  end

`ifndef SYNTHESIS
  BeatHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    beat_valid_o && !beat_ready_i |=> beat_valid_o && $stable(beat_o));
  InsideBoard_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    busy_q |-> row_q < height_t'(Rows));
`endif

endmodule
