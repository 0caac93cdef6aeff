// What the modules of the Tetris core share: sizes, feature numbers, piece drawings and the
// types that travel between the modules. Row 0 is the bottom row, column 0 the left column.
package tetris_pkg;

  localparam int unsigned Columns      = 10;
  localparam int unsigned Rows         = 20;
  localparam int unsigned PieceSpan    = 4;   // a piece fits in a box of 4 x 4 cells
  localparam int unsigned NumFeatures  = 14;
  localparam int unsigned FeatureWidth = 12;  // unsigned; well sums, the largest, <= 10 * 210
  localparam int unsigned WeightWidth  = 32;  // signed, in millionths
  localparam int unsigned ScoreWidth   = 48;  // signed, in millionths; cannot overflow

  // Order of the features in weights_t and features_t, the same as on the wire.
  localparam int unsigned LandingHeight     = 0;  // doubled, its weight is half the published one
  localparam int unsigned ErodedCells       = 1;
  localparam int unsigned RowsCleared       = 2;
  localparam int unsigned RowTransitions    = 3;
  localparam int unsigned ColumnTransitions = 4;
  localparam int unsigned Holes             = 5;
  localparam int unsigned CumulativeWells   = 6;
  localparam int unsigned WellSums          = 7;
  localparam int unsigned HoleDepth         = 8;
  localparam int unsigned RowsWithHoles     = 9;
  localparam int unsigned Diversity         = 10;
  localparam int unsigned AggregateHeight   = 11;
  localparam int unsigned Bumpiness         = 12;
  localparam int unsigned MaxHeight         = 13;

  typedef logic signed [WeightWidth-1:0]            weight_t;
  typedef weight_t [NumFeatures-1:0]                weights_t;
  typedef logic [NumFeatures-1:0][FeatureWidth-1:0] features_t;

  typedef logic [Columns-1:0]      row_t;      // bit c = column c
  typedef row_t [Rows-1:0]         board_t;    // [r] = row r
  typedef logic [4:0]              height_t;   // 0 .. Rows
  typedef height_t [Columns-1:0]   heights_t;  // [c] = column c

  // Ten 5-bit counters, one a column, stored by bit plane: [k][c] = bit k of column c's counter.
  // All ten then count with a few operations on 10-bit masks.
  typedef row_t [4:0] planes_t;

  // ---------------------------------------------------------------------------------- pieces

  typedef logic [2:0] piece_t;
  typedef logic [1:0] rotation_t;

  localparam piece_t PieceI = 3'd0;
  localparam piece_t PieceO = 3'd1;
  localparam piece_t PieceT = 3'd2;
  localparam piece_t PieceS = 3'd3;
  localparam piece_t PieceZ = 3'd4;
  localparam piece_t PieceJ = 3'd5;
  localparam piece_t PieceL = 3'd6;

  // Four rotations side by side, rotation 0 on the left, just as they look: the first line is the
  // top one, the first digit of each group the left column. Unused rotations are blank.
  typedef logic [PieceSpan-1:0][3:0][PieceSpan-1:0] drawing_t;

  function automatic drawing_t drawing(piece_t piece);
    unique case (piece)
      PieceI:
        return {16'b1000_0000_0000_0000,
                16'b1000_0000_0000_0000,
                16'b1000_0000_0000_0000,
                16'b1000_1111_0000_0000};
      PieceO:
        return {16'b0000_0000_0000_0000,
                16'b0000_0000_0000_0000,
                16'b1100_0000_0000_0000,
                16'b1100_0000_0000_0000};
      PieceT:
        return {16'b0000_0000_0000_0000,
                16'b0000_0100_0000_1000,
                16'b0100_1100_1110_1100,
                16'b1110_0100_0100_1000};
      PieceS:
        return {16'b0000_0000_0000_0000,
                16'b0000_1000_0000_0000,
                16'b0110_1100_0000_0000,
                16'b1100_0100_0000_0000};
      PieceZ:
        return {16'b0000_0000_0000_0000,
                16'b0000_0100_0000_0000,
                16'b1100_1100_0000_0000,
                16'b0110_1000_0000_0000};
      PieceJ:
        return {16'b0000_0000_0000_0000,
                16'b0000_0100_0000_1100,
                16'b1000_0100_1110_1000,
                16'b1110_1100_0010_1000};
      PieceL:
        return {16'b0000_0000_0000_0000,
                16'b0000_1000_0000_1100,
                16'b0010_1000_1110_0100,
                16'b1110_1100_1000_0100};
      default: return '0;  // no such piece
    endcase
  endfunction

  // A piece in one rotation, and what the drop needs to know about it.
  typedef struct packed {
    logic                                used;       // the piece has this rotation
    logic [2:0]                          width;      // 1 .. 4
    logic [1:0]                          rise;       // height - 1
    logic [PieceSpan-1:0][1:0]           bottom;     // lowest cell in column dx; 0 where none
    logic [PieceSpan-1:0]                occupied;   // column dx has a cell
    logic [PieceSpan-1:0][PieceSpan-1:0] cells;      // [dy][dx]
  } shape_t;

  typedef shape_t [31:0] shape_table_t;  // index {piece, rotation}

  function automatic shape_table_t shape_table();
    shape_table_t table_;
    table_ = '0;
    for (int unsigned p = 0; p < 7; p++) begin
      automatic drawing_t lines = drawing(piece_t'(p));
      for (int unsigned r = 0; r < 4; r++) begin
        automatic shape_t shape = '0;
        // Downwards, so that the lowest cell is the one that stays in bottom.
        for (int dy = int'(PieceSpan) - 1; dy >= 0; dy--) begin
          for (int unsigned dx = 0; dx < PieceSpan; dx++) begin
            if (lines[dy][3-r][3-dx]) begin
              shape.used          = 1'b1;
              shape.cells[dy][dx] = 1'b1;
              shape.occupied[dx]  = 1'b1;
              shape.bottom[dx]    = 2'(dy);
              if (shape.width < 3'(dx + 1)) shape.width = 3'(dx + 1);
              if (shape.rise < 2'(dy)) shape.rise = 2'(dy);
            end
          end
        end
        table_[p*4+r] = shape;
      end
    end
    return table_;
  endfunction

  localparam shape_table_t Shapes = shape_table();

  // -------------------------------------------------------------- what travels in the pipeline

  // A place for a piece that is still to be dropped. Candidates are numbered from 0 in the order
  // rotations ascending, in each the columns ascending. A T has 34 candidates. An I has the most in
  // one rotation, 10, but only two rotations: 17 in all.
  typedef logic [5:0] number_t;

  typedef struct packed {
    number_t    number;
    rotation_t  rotation;
    logic [3:0] column;  // leftmost column of the piece
  } candidate_t;

  // A candidate after the drop: what the answer says of it.
  typedef struct packed {
    candidate_t candidate;
    logic       legal;
    height_t    row;  // bottom row of the piece
  } placement_t;

  // What the scan needs besides.
  typedef struct packed {
    row_t [PieceSpan-1:0] cells;  // [dy] = row dy of the piece, in its columns of the board
    logic [1:0]           rise;   // piece height - 1
    height_t              top;    // highest row that is not empty; 0 if not legal
  } scan_t;

  // One row of the board with the piece in it, rows of a placement from the top down.
  typedef struct packed {
    row_t       filled;  // board and piece
    row_t       piece;   // piece alone
    logic [1:0] rise;    // piece height - 1, the same in all rows
    logic       first;   // top row of the placement
    logic       last;    // row 0
  } beat_t;

  // The answer. Without a legal placement all fields but cycles are 0.
  typedef struct packed {
    logic                         legal;
    logic [1:0]                   rotation;
    logic [3:0]                   column;
    logic [4:0]                   row;
    logic [4:0]                   rows_cleared;
    logic signed [ScoreWidth-1:0] score;
    logic [31:0]                  cycles;
  } decision_t;

  // For a picture: what the core works on, and what comes of it.
  typedef struct packed {
    logic       taken;     // for a cycle: the core begins with a board and a piece, the next four
    board_t     board;     // steady a cycle longer
    piece_t     piece;
    logic       is_next;   // the piece after it is known: next
    piece_t     next;
    logic       answered;  // for a cycle: a decision was answered, the next four
    logic       legal;
    rotation_t  rotation;
    logic [3:0] column;
    height_t    row;
  } view_t;

  // What came of a run of decisions.
  typedef struct packed {
    logic [31:0]        pieces;        // decided, those without a place among them
    logic [31:0]        games;         // lost, each with a piece that found no place
    logic [31:0]        rows_cleared;
    logic signed [63:0] score;         // sum of the decisions', as is
    logic [63:0]        cycles;        // the same
  } tally_t;

  // One placement on the way to it. If it is not legal, its row, features and score are 0.
  typedef struct packed {
    placement_t                   placement;
    features_t                    features;
    logic signed [ScoreWidth-1:0] score;
  } traced_t;

  // ---------------------------------------------------------------------------- the row step

  // What is known of the rows above a row; removed rows are left out.
  typedef logic [Columns-2:0] pairs_t;  // [c] = between columns c and c + 1

  typedef struct packed {
    row_t    covered;  // some cell above is filled
    row_t    above;    // the cell directly above is filled
    planes_t run;      // length of the filled run that ends directly above
    planes_t wells;    // well cells in the empty run that ends directly above
    planes_t depth;    // length of that run from its topmost well cell
    pairs_t  by1;      // heights differ by at least 1 so far
    pairs_t  by2;      // ... by at least 2
    pairs_t  by3;      // ... by at least 3
    pairs_t  left;     // the left column of the pair is the higher one
  } above_t;

  // What a row has to be counted in it, one mask a count.
  typedef struct packed {
    logic    full;        // it is removed
    row_t    gaps;        // empty cells with a filled one, or the wall, on their left
    row_t    edges;       // empty cells under a filled one
    row_t    holes;       // empty cells with a filled one somewhere above
    row_t    silhouette;  // cells at or below a filled one
    pairs_t  steps;       // where the silhouette begins or ends
    planes_t buried;      // length of the filled run directly above each empty cell
  } marks_t;

  // ----------------------------------------------------------------------------- counting

  function automatic logic [3:0] ones(row_t mask);
    return 4'($countones(mask));
  endfunction

  // Adds one to the counters of the columns in mask.
  function automatic planes_t planes_add(planes_t planes, row_t mask);
    planes_t sum;
    row_t    carry;
    carry = mask;
    for (int unsigned k = 0; k < 5; k++) begin
      sum[k] = planes[k] ^ carry;
      carry  = planes[k] & carry;
    end
    return sum;
  endfunction

endpackage
