// What the lanes of the Tetris core share: the context of a board, which is worked out once, and
// what passes through a lane.
package tetris_lanes_pkg;
  import tetris_pkg::*;

  // Number of a board that is being decided
  localparam int unsigned SlotWidth = 4;
  typedef logic [SlotWidth-1:0] slot_t;

  // The features of a board alone: what a placement is a difference to.
  typedef struct {
    logic [FeatureWidth-1:0] row_transitions;
    logic [FeatureWidth-1:0] column_transitions;
    logic [FeatureWidth-1:0] holes;
    logic [FeatureWidth-1:0] cumulative_wells;
    logic [FeatureWidth-1:0] well_sums;
    logic [FeatureWidth-1:0] hole_depth;
    logic [FeatureWidth-1:0] rows_with_holes;
    logic [FeatureWidth-1:0] aggregate_height;
    logic [FeatureWidth-1:0] max_height;
  } board_features_t;

  // Which of the differences -2 .. 2 occur, lowest first; the sum of absolute differences.
  typedef logic [4:0] occurring_t;
  typedef logic [7:0] bumps_t;

  // The three topmost well cells above a column's top, each as its distance from the top (1: the
  // cell on it), 0 where there is none.
  typedef height_t [2:0] open_wells_t;

  typedef logic [Rows-1:0]       column_t;  // of a board
  typedef column_t [Columns-1:0] columns_t;

  // Of a board as it came, full rows included.
  typedef struct {
    board_t                    rows;
    columns_t                  columns;     // the same by column
    heights_t                  heights;
    logic                      full;        // it has a full row: each placement removes rows
    board_features_t           features;    // nothing removed
    row_t                      buried;      // columns with a hole
    heights_t                  well_top;    // 1 more than the row of the highest well cell; 0: none
    open_wells_t [Columns-1:0] open_wells;
    logic [Columns-1:0][3:0]   near_wells;  // sum of those distances up to 4, of all well cells
    heights_t                  far_wells;   // number of well cells further up
    logic [Rows-1:0][2:0]      empty;       // empty cells of a row, 5 for more
    height_t [Rows:0]          clean;       // [r]: 20 less rows from r on without a hole
    occurring_t [Columns-1:0]  occurs_left;   // [c]: among the pairs of columns up to column c
    occurring_t [Columns-1:0]  occurs_right;  // [c]: among those from column c on
    bumps_t [Columns-1:0]      bumps_left;
    bumps_t [Columns-1:0]      bumps_right;
  } context_t;

  // A placement on its way into a lane. Among placements of equal scores the one of the lower
  // {rotation, column} is better.
  typedef struct packed {
    piece_t     piece;
    rotation_t  rotation;
    logic [3:0] column;
  } placing_t;

  // Where it lands. If it `removes` rows, its board is made, the rows are removed, and the board is
  // scanned like a request's.
  typedef struct packed {
    placing_t placing;
    logic     legal;
    logic     removes;  // a row is full; 0 if it is not legal
    height_t  row;
  } landing_t;

  typedef logic [FeatureWidth-1:0] feature_t;

  // What a lane says of it. If it is not legal or removes rows, the features mean nothing.
  typedef struct {
    landing_t landing;
    feature_t features [NumFeatures];  // eroded cells and rows cleared are 0
  } placed_t;

  // What decides between two placements: the higher rank is better.
  typedef struct packed {
    logic signed [ScoreWidth-1:0] score;
    rotation_t                    not_rotation;
    logic [3:0]                   not_column;
  } rank_t;

  // The best placement of a board and a piece
  typedef struct packed {
    logic       legal;         // there is one
    rank_t      rank;
    height_t    row;
    logic [4:0] rows_cleared;
  } best_t;

endpackage
