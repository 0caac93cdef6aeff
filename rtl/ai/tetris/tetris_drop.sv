// Drops a candidate on the board: landing row, legality, and where to begin the scan.
//
// Candidates go in and placements come out in the same order, four cycles later at the earliest and
// one a cycle at most; none is left out, an illegal one comes out with placement_o.legal = 0.
// piece_i, heights_i and stack_i must be stable from the first candidate to the last placement.
//
// All stages move together, or none does: when a placement is offered and not taken.
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

  typedef logic [4:0] shape_index_t;  // {piece, rotation}

  function automatic height_t higher(height_t a, height_t b);
    return (a > b) ? a : b;
  endfunction

  logic move;
  logic valid1_q, valid2_q, valid3_q, valid4_q;
  assign move              = !valid4_q || placement_ready_i;
  assign candidate_ready_o = move;

  // ------------------------------------------------ stage 1: the heights under the piece
  candidate_t              candidate1_q, candidate1_d;
  height_t [PieceSpan-1:0] under1_q, under1_d;

  // Empty columns to the right let the window of a narrow piece run over the edge.
  height_t [Columns+PieceSpan-2:0] heights_padded;
  assign heights_padded = {{(PieceSpan-1){height_t'(0)}}, heights_i};

  assign candidate1_d = candidate_i;
  assign under1_d     = heights_padded[candidate_i.column +: PieceSpan];

  // --------------------------------------- stage 2: where each column of the piece would rest
  candidate_t              candidate2_q, candidate2_d;
  height_t [PieceSpan-1:0] contact2_q, contact2_d;
  shape_index_t            shape1;

  assign shape1       = {piece_i, candidate1_q.rotation};
  assign candidate2_d = candidate1_q;

  // Row of the piece at which its column dx would come to rest if it were alone. Never below row
  // 0: some column of every shape has a cell on its bottom line.
  always_comb begin
    contact2_d = '0;
    for (int unsigned dx = 0; dx < PieceSpan; dx++) begin
      if (Shapes[shape1].occupied[dx] && under1_q[dx] > height_t'(Shapes[shape1].bottom[dx])) begin
        contact2_d[dx] = under1_q[dx] - height_t'(Shapes[shape1].bottom[dx]);
      end
    end
  end

  // ------------------------------------------------------------- stage 3: the landing row
  candidate_t candidate3_q, candidate3_d;
  height_t    row3_q, row3_d;

  assign candidate3_d = candidate2_q;
  assign row3_d       = higher(higher(contact2_q[0], contact2_q[1]),
                               higher(contact2_q[2], contact2_q[3]));

  // --------------------------------------------------------------------- stage 4: the outcome
  placement_t   placement4_q, placement4_d;
  scan_t        scan4_q, scan4_d;
  shape_index_t shape3;
  height_t      piece_top;  // highest row of the piece; at most 20 + 3, so it does not wrap
  logic         legal;

  assign shape3       = {piece_i, candidate3_q.rotation};
  assign piece_top    = row3_q + height_t'(Shapes[shape3].rise);
  // All its cells lie on the board, before any row is cleared.
  assign legal        = piece_top < height_t'(Rows);
  assign placement4_d = '{candidate: candidate3_q, legal: legal, row: row3_q};

  always_comb begin
    // stack_i > piece_top says that the stack is the higher of the two, stack_i - 1 its top row.
    scan4_d = '{cells: '0, rise: Shapes[shape3].rise, top: '0};
    if (legal) scan4_d.top = (stack_i > piece_top) ? stack_i - height_t'(1) : piece_top;
    for (int unsigned dy = 0; dy < PieceSpan; dy++) begin
      scan4_d.cells[dy] = row_t'(Shapes[shape3].cells[dy]) << candidate3_q.column;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid1_q <= 1'b0;
      valid2_q <= 1'b0;
      valid3_q <= 1'b0;
      valid4_q <= 1'b0;
    end else if (move) begin
      valid1_q <= candidate_valid_i;
      valid2_q <= valid1_q;
      valid3_q <= valid2_q;
      valid4_q <= valid3_q;
    end
  end

  // These mean something along with a valid bit alone.
  always_ff @(posedge clk_i) begin
    if (move) begin
      candidate1_q <= candidate1_d;
      under1_q     <= under1_d;
      candidate2_q <= candidate2_d;
      contact2_q   <= contact2_d;
      candidate3_q <= candidate3_d;
      row3_q       <= row3_d;
      placement4_q <= placement4_d;
      scan4_q      <= scan4_d;
    end
  end

  assign placement_valid_o = valid4_q;
  assign placement_o       = placement4_q;
  assign scan_o            = scan4_q;

`ifndef SYNTHESIS
  PlacementHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    placement_valid_o && !placement_ready_i |=>
    placement_valid_o && $stable(placement_o) && $stable(scan_o));
  LandsOnBoard_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    placement_valid_o |-> placement_o.row <= height_t'(Rows));
  Waits_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    placement_valid_o && !placement_ready_i);
`endif

endmodule
