// Drops a candidate on the board: landing row, legality, and where to begin the scan.
//
// Candidates go in and placements come out in the same order, two cycles later at the earliest and
// one a cycle at most; none is left out, an illegal one comes out with placement_o.legal = 0.
// piece_i, heights_i and stack_i must be stable from the first candidate to the last placement.
module tetris_drop
  import tetris_pkg::Columns, tetris_pkg::PieceSpan, tetris_pkg::Rows, tetris_pkg::Shapes,
         tetris_pkg::candidate_t, tetris_pkg::height_t, tetris_pkg::heights_t, tetris_pkg::piece_t,
         tetris_pkg::placement_t, tetris_pkg::row_t, tetris_pkg::scan_t;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  piece_t     piece_i,
  input  heights_t   heights_i,
  input  height_t    stack_i,    // tallest column

  input  logic       candidate_valid_i,
  output logic       candidate_ready_o,
  input  candidate_t candidate_i,

  output logic       placement_valid_o,
  input  logic       placement_ready_i,
  output placement_t placement_o,
  output scan_t      scan_o
);

  // A placement is legal when all its cells lie inside these rows, before any row is cleared.
  height_t usable_rows;
  assign usable_rows = (fault_pkg::Fault == fault_pkg::FaultTopRowLost) ? height_t'(Rows - 1)
                                                                        : height_t'(Rows);

  // ------------------------------------------------ stage 1: the heights under the piece
  typedef logic [PieceSpan-1:0][PieceSpan-1:0] cells_t;  // [dy][dx]

  logic                      valid1_q;
  candidate_t                candidate1_q;
  logic [PieceSpan-1:0]      occupied1_q;
  logic [PieceSpan-1:0][1:0] bottom1_q;
  logic [1:0]                rise1_q;
  cells_t                    cells1_q;
  height_t [PieceSpan-1:0]   under1_q;
  logic [4:0]                index;  // of the shape
  logic                      ready1;

  assign index = {piece_i, candidate_i.rotation};

  // Empty columns to the right let the window of a narrow piece run over the edge.
  height_t [Columns+PieceSpan-2:0] heights_padded;
  assign heights_padded = {{(PieceSpan-1){height_t'(0)}}, heights_i};

  assign candidate_ready_o = !valid1_q || ready1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid1_q     <= 1'b0;
      candidate1_q <= '0;
      occupied1_q  <= '0;
      bottom1_q    <= '0;
      rise1_q      <= '0;
      cells1_q     <= '0;
      under1_q     <= '0;
    end else if (candidate_ready_o) begin
      valid1_q <= candidate_valid_i;
      if (candidate_valid_i) begin
        candidate1_q <= candidate_i;
        occupied1_q  <= Shapes[index].occupied;
        bottom1_q    <= Shapes[index].bottom;
        rise1_q      <= Shapes[index].rise;
        cells1_q     <= Shapes[index].cells;
        under1_q     <= heights_padded[candidate_i.column +: PieceSpan];
      end
    end
  end

  // ------------------------------------------------------------- stage 2: the landing row
  logic                    valid2_q;
  candidate_t              candidate2_q;
  logic [1:0]              rise2_q;
  cells_t                  cells2_q;
  height_t                 row2_q;
  height_t                 landing;
  height_t [PieceSpan-1:0] contact;

  // Row of the piece at which its column dx would come to rest if it were alone. Never below row
  // 0: some column of every shape has a cell on its bottom line.
  always_comb begin
    contact = '0;
    for (int unsigned dx = 0; dx < PieceSpan; dx++) begin
      if (occupied1_q[dx] && under1_q[dx] > height_t'(bottom1_q[dx])) begin
        contact[dx] = under1_q[dx] - height_t'(bottom1_q[dx]);
      end
    end
  end

  function automatic height_t higher(height_t a, height_t b);
    return (a > b) ? a : b;
  endfunction

  assign landing = higher(higher(contact[0], contact[1]), higher(contact[2], contact[3]));
  assign ready1  = !valid2_q || placement_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid2_q     <= 1'b0;
      candidate2_q <= '0;
      rise2_q      <= '0;
      cells2_q     <= '0;
      row2_q       <= '0;
    end else if (ready1) begin
      valid2_q <= valid1_q;
      if (valid1_q) begin
        candidate2_q <= candidate1_q;
        rise2_q      <= rise1_q;
        cells2_q     <= cells1_q;
        row2_q       <= landing;
      end
    end
  end

  // --------------------------------------------------------------------------- the outcome
  height_t piece_top;  // highest row of the piece; at most 20 + 3, so it does not wrap
  logic    legal;

  assign piece_top = row2_q + height_t'(rise2_q);
  assign legal     = piece_top < usable_rows;

  assign placement_valid_o = valid2_q;
  assign placement_o       = '{candidate: candidate2_q, legal: legal, row: row2_q};

  always_comb begin
    // stack_i > piece_top says that the stack is the higher of the two, stack_i - 1 its top row.
    scan_o = '{cells: '0, rise: rise2_q, top: '0};
    if (legal) scan_o.top = (stack_i > piece_top) ? stack_i - height_t'(1) : piece_top;
    for (int unsigned dy = 0; dy < PieceSpan; dy++) begin
      scan_o.cells[dy] = row_t'(cells2_q[dy]) << candidate2_q.column;
    end
  end

`ifndef SYNTHESIS
  PlacementHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    placement_valid_o && !placement_ready_i |=> placement_valid_o && $stable(placement_o));
  LandsOnBoard_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    placement_valid_o |-> row2_q <= height_t'(Rows));
`endif

endmodule
