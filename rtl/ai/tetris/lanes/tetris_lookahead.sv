// The best placement with a look at the next piece.
//
// A first placement is followed by the best one of the next piece, or of each of the seven
// (`all_i`). Of two first placements the better one survives with more of these pieces; if both
// survive with as many, its mean score is higher; if that is the same, it has the lower
// {rotation, column}. A sequence scores what its last placement does, and what the first move
// adds: landing height, eroded cells, rows cleared.
//
// Drive it: `start_i` forgets everything. `landed_i` marks legal first placements, and
// `landed_end_i` comes with the last ones. `first_i` gives each of them once its board is given to
// the lanes, `best_valid_i` the best placement of each next piece, in the same order. `plain_i` is
// the best placement without lookahead, which is the answer if no first placement survives.
// In the first cycle of `done_o`, `best_o` is the answer. Its score is the mean, rounded down.
module tetris_lookahead
  import tetris_pkg::ErodedCells, tetris_pkg::LandingHeight, tetris_pkg::RowsCleared,
         tetris_pkg::ScoreWidth, tetris_pkg::Shapes, tetris_pkg::WeightWidth, tetris_pkg::height_t,
         tetris_pkg::rotation_t, tetris_pkg::weight_t, tetris_pkg::weights_t;
  import tetris_lanes_pkg::best_t, tetris_lanes_pkg::placing_t;
#(
  parameter int unsigned Lanes = 4
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  weights_t         weights_i,
  input  logic             start_i,
  input  logic             all_i,
  input  logic [Lanes-1:0] landed_i,
  input  logic             landed_end_i,
  input  logic             first_i,
  input  placing_t         placing_i,
  input  height_t          row_i,
  input  height_t          cleared_i,
  input  logic [6:0]       eroded_i,
  input  logic             best_valid_i,
  input  best_t            best_i,
  input  best_t            plain_i,
  output logic             done_o,
  output best_t            best_o
);

  localparam int unsigned Pieces    = 7;
  localparam int unsigned SumWidth  = ScoreWidth + 4;  // of seven sequences, signed
  localparam int unsigned Firsts    = 16;              // that the lanes work on
  localparam int unsigned PtrWidth  = $clog2(Firsts);

  typedef logic signed [SumWidth-1:0]   sum_t;
  typedef logic signed [ScoreWidth-1:0] score_t;
  typedef logic [2:0]                   pieces_t;
  typedef logic [5:0]                   count_t;  // of the placements of a piece
  typedef logic [PtrWidth-1:0]          ptr_t;

  typedef struct packed {
    height_t    row;
    height_t    cleared;
    rotation_t  rotation;
    logic [3:0] column;
  } first_t;

  // ---------------------------------------------------------------------- what a first move adds
  // In four steps: what is multiplied; the products of a weight's lower bits and of its upper ones
  // with the sign, each small enough for one multiplier block; their sums; both together.
  localparam int unsigned Terms      = 3;
  localparam int unsigned TermWidth  = 7;
  localparam int unsigned LowBits    = 17;
  localparam int unsigned HighBits   = WeightWidth - LowBits;

  typedef logic [LowBits+TermWidth+1:0]        low_t;   // room for the sum of three
  typedef logic signed [HighBits+TermWidth+2:0] high_t;

  weight_t [Terms-1:0]             weights;
  logic [Terms-1:0][TermWidth-1:0] terms_q;
  low_t [Terms-1:0]                low2_q;
  high_t [Terms-1:0]               high2_q;
  low_t                            low3_q;
  high_t                           high3_q;
  score_t                          move_score_q;
  logic [4:1]                      move_q;  // it was given so many cycles ago
  logic                            move_valid;

  assign weights    = {weights_i[RowsCleared], weights_i[ErodedCells], weights_i[LandingHeight]};
  assign move_valid = move_q[4];

  always_ff @(posedge clk_i) begin
    if (first_i) begin
      terms_q[0] <= TermWidth'({row_i, 1'b0})  // the landing height, doubled
                  + TermWidth'(Shapes[{placing_i.piece, placing_i.rotation}].rise);
      terms_q[1] <= eroded_i;
      terms_q[2] <= TermWidth'(cleared_i);
    end
    if (move_q[1]) begin
      for (int unsigned i = 0; i < Terms; i++) begin
        // read_slang takes a part-select of a named signed type for signed; IEEE 1800, 11.8.1,
        // says unsigned: hence the cast.
        low2_q[i]  <= low_t'(unsigned'(weights[i][LowBits-1:0])) * low_t'(terms_q[i]);
        high2_q[i] <= high_t'(signed'(weights[i][WeightWidth-1:LowBits]))
                    * high_t'(signed'({1'b0, terms_q[i]}));
      end
    end
    if (move_q[2]) begin
      low3_q  <= low2_q[0] + low2_q[1] + low2_q[2];
      high3_q <= high2_q[0] + high2_q[1] + high2_q[2];
    end
    if (move_q[3]) begin
      move_score_q <= (score_t'(high3_q) <<< LowBits) + score_t'(signed'({1'b0, low3_q}));
    end
    move_q       <= rst_ni && !start_i ? {move_q[3:1], first_i} : '0;
  end

  // ---------------------------------------------------------------------- those under way
  first_t firsts_q [Firsts];
  score_t moves_q [Firsts];
  ptr_t   write_q, moves_write_q, read_q;

  always_ff @(posedge clk_i) begin
    if (first_i) begin
      firsts_q[write_q] <= '{row: row_i, cleared: cleared_i, rotation: placing_i.rotation,
                             column: placing_i.column};
    end
    if (move_valid) moves_q[moves_write_q] <= move_score_q;
  end

  // ---------------------------------------------------------------------- sum of a first's pieces
  sum_t    sum_q, sum;
  pieces_t survivors_q, survivors, piece_q;
  logic    whole;  // it is the last piece

  assign sum       = sum_q + (best_i.legal ? sum_t'(signed'(best_i.rank.score)) : '0);
  assign survivors = survivors_q + pieces_t'(best_i.legal);
  assign whole     = best_valid_i && (!all_i || piece_q == pieces_t'(Pieces - 1));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) begin
      write_q       <= '0;
      moves_write_q <= '0;
      read_q        <= '0;
      sum_q         <= '0;
      survivors_q   <= '0;
      piece_q       <= '0;
    end else begin
      if (first_i) write_q <= write_q + 1'b1;
      if (move_valid) moves_write_q <= moves_write_q + 1'b1;
      if (whole) read_q <= read_q + 1'b1;
      if (best_valid_i) begin
        sum_q       <= whole ? '0 : sum;
        survivors_q <= whole ? '0 : survivors;
        piece_q     <= whole ? '0 : piece_q + 3'd1;
      end
    end
  end

  // -------------------------------------------- three steps more: the moves', the sum, the best
  typedef struct packed {
    pieces_t survivors;
    sum_t    sum;
    first_t  first;
  } total_t;

  total_t     total1_q, total2_q, total3_q, best_q;
  score_t     move1_q;
  sum_t       moves2_q;
  logic [3:1] valid_q;

  // A sum as an unsigned number of the same order
  function automatic logic [SumWidth-1:0] unsigned_of(sum_t s);
    return {~s[SumWidth-1], s[SumWidth-2:0]};
  endfunction

  logic better;
  assign better = {total3_q.survivors, unsigned_of(total3_q.sum), ~total3_q.first.rotation,
                   ~total3_q.first.column} >
                  {best_q.survivors, unsigned_of(best_q.sum), ~best_q.first.rotation,
                   ~best_q.first.column};

  always_ff @(posedge clk_i) begin
    if (whole) begin
      total1_q <= '{survivors: survivors, sum: sum, first: firsts_q[read_q]};
      move1_q  <= moves_q[read_q];
    end
    if (valid_q[1]) begin
      total2_q <= total1_q;
      moves2_q <= (total1_q.survivors[0] ? sum_t'(move1_q) : '0)
                + (total1_q.survivors[1] ? sum_t'(move1_q) <<< 1 : '0)
                + (total1_q.survivors[2] ? sum_t'(move1_q) <<< 2 : '0);
    end
    if (valid_q[2]) begin
      total3_q     <= total2_q;
      total3_q.sum <= total2_q.sum + moves2_q;
    end
  end

  // ------------------------------------------------------------------------- all of them
  count_t landed_q, ended_q;
  logic   all_landed_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) begin
      valid_q      <= '0;
      landed_q     <= '0;
      ended_q      <= '0;
      all_landed_q <= 1'b0;
      best_q       <= '0;
    end else begin
      valid_q  <= {valid_q[2:1], whole};
      landed_q <= landed_q + count_t'($countones(landed_i));
      if (landed_end_i) all_landed_q <= 1'b1;
      if (valid_q[3]) begin
        ended_q <= ended_q + count_t'(1);
        if (total3_q.survivors != '0 && better) best_q <= total3_q;
      end
    end
  end

  // ------------------------------------------------------------------------- the mean
  // The sum is divided bit by bit, the highest one first. An offset, which is a multiple of the
  // divisor, makes it positive: so it is rounded down.
  typedef logic [SumWidth+2:0] dividend_t;
  localparam int unsigned Bits = SumWidth + 3;

  dividend_t  dividend_q;   // the bits that are left, and those of the quotient
  logic [2:0] rest_q;       // below the divisor
  logic [3:0] rest;
  logic [5:0] bits_q;       // still to be divided
  logic       divides_q, divided_q, ended;

  assign ended = all_landed_q && ended_q == landed_q;
  assign rest  = {rest_q, dividend_q[Bits-1]};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) begin
      divides_q <= 1'b0;
      divided_q <= 1'b0;
    end else if (ended && !divides_q && !divided_q) begin
      divides_q <= best_q.survivors > 3'd1;
      divided_q <= best_q.survivors <= 3'd1;
    end else if (divides_q && bits_q == 6'd1) begin
      divides_q <= 1'b0;
      divided_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!divides_q) begin
      // The divisor times 2 ** (SumWidth - 1) is added.
      dividend_q <= dividend_t'(best_q.sum) + (dividend_t'(best_q.survivors) << (SumWidth - 1));
      rest_q     <= '0;
      bits_q     <= 6'(Bits);
    end else begin
      bits_q <= bits_q - 6'd1;
      if (rest >= 4'(best_q.survivors)) begin
        rest_q     <= 3'(rest - 4'(best_q.survivors));
        dividend_q <= {dividend_q[Bits-2:0], 1'b1};
      end else begin
        rest_q     <= 3'(rest);
        dividend_q <= {dividend_q[Bits-2:0], 1'b0};
      end
    end
  end

  sum_t quotient;
  assign quotient = sum_t'(dividend_q - (dividend_t'(1) << (SumWidth - 1)));

  assign done_o = divided_q;

  always_comb begin
    best_o = plain_i;
    if (best_q.survivors != '0) begin
      best_o.legal             = 1'b1;
      best_o.rank.not_rotation = ~best_q.first.rotation;
      best_o.rank.not_column   = ~best_q.first.column;
      best_o.row               = best_q.first.row;
      best_o.rows_cleared      = best_q.first.cleared;
      best_o.rank.score        = best_q.survivors > 3'd1 ? score_t'(quotient)
                                                         : score_t'(best_q.sum);
    end
  end

  logic unused;
  assign unused = ^{weights_i, placing_i, best_i, quotient[SumWidth-1:ScoreWidth],
                    best_q.sum[SumWidth-1:ScoreWidth]};

`ifndef SYNTHESIS
  FirstsFit_A: assert property (@(posedge clk_i) disable iff (!rst_ni || start_i)
    first_i |-> write_q + 1'b1 != read_q);
  MoveScored_A: assert property (@(posedge clk_i) disable iff (!rst_ni || start_i)
    whole |-> read_q != moves_write_q);
  NoMoreThanLanded_A: assert property (@(posedge clk_i) disable iff (!rst_ni || start_i)
    ended_q <= landed_q);
`endif

endmodule
