// Constants of each piece and rotation for a lane, derived from Shapes.
package tetris_lane_pkg;
  import tetris_pkg::PieceSpan, tetris_pkg::Rows, tetris_pkg::Shapes, tetris_pkg::height_t,
         tetris_pkg::row_t, tetris_pkg::shape_t;
  import tetris_lanes_pkg::occurring_t, tetris_lanes_pkg::placing_t;

  typedef logic [PieceSpan-1:0] span_t;  // a bit for each row, or each column, of the piece's box

  // A column overhangs if its lowest cell is above that of the next column of the piece. The next
  // column, called the lower one, has a cell in the bottom row. In names `hung` stands for the
  // overhanging column, `shut` for the lower one. A piece has at most one overhang;
  // only the T that points down has two, one on each side.
  typedef struct packed {
    logic [2:0]                width;         // 1 .. 4
    logic [1:0]                rise;          // height - 1
    span_t                     occupied;      // column dx has a cell
    logic [PieceSpan-1:0][1:0] bottom;        // lowest cell in column dx; 0 where none
    logic [PieceSpan-1:0][2:0] column_cells;  // cells in column dx
    logic [PieceSpan-1:0][2:0] row_cells;     // cells in row dy
    span_t                     left_cells;    // rows in which the left column has a cell
    span_t                     right_cells;
    logic [1:0]                left_bottom;
    logic [1:0]                right_bottom;
    logic [1:0]                left_top;
    logic [1:0]                right_top;
    span_t                     left_above;    // rows above the left column, beside its neighbour
    span_t                     right_above;
    logic [2:0]                bumps;         // sum of the steps along the piece's own top
    occurring_t                occurs;        // and which steps there are
    logic                      hangs;         // a column overhangs
    logic                      hangs_left;    // to the left of the lower one
    logic                      hangs_inside;  // and it is not an edge column of the piece
    logic                      hangs_two;     // by two rows, not one
    logic                      hangs_twice;   // one on each side; the rest is of the left one
    logic [1:0]                hung;          // the column that overhangs
    logic                      shuts;         // the lower one may have had well cells
    logic [1:0]                shut;          // the lower column; 0 for an upright I
  } form_t;

  // Arrays without packed elements: Verilator can neither make one of structures nor read a packed
  // one in one step.
  typedef logic [$bits(form_t)-1:0] form_bits_t;
  typedef form_bits_t forms_t [32];  // index {piece, rotation}

  function automatic forms_t forms();
    forms_t table_;
    for (int unsigned p = 0; p < 32; p++) begin
      automatic shape_t s = Shapes[p];
      automatic form_t f = '0;
      automatic int top[PieceSpan];
      automatic int last = int'(s.width) - 1;
      for (int i = 0; i < int'(PieceSpan); i++) begin
        top[i] = 0;
        for (int d = 0; d < int'(PieceSpan); d++) begin
          if (s.cells[d][i]) begin
            top[i] = d;
            f.column_cells[i] += 3'd1;
            f.row_cells[d]    += 3'd1;
          end
        end
      end
      f.width    = s.width;
      f.rise     = s.rise;
      f.occupied = s.occupied;
      f.bottom   = s.bottom;
      if (s.used) begin
        for (int d = 0; d < int'(PieceSpan); d++) begin
          f.left_cells[d]  = s.cells[d][0];
          f.right_cells[d] = s.cells[d][last];
          if (last > 0) begin
            f.left_above[d]  = d > top[0] && d <= top[1];
            f.right_above[d] = d > top[last] && d <= top[last-1];
          end
        end
        f.left_bottom  = s.bottom[0];
        f.right_bottom = s.bottom[last];
        f.left_top     = 2'(top[0]);
        f.right_top    = 2'(top[last]);
        // From right to left, so that the left one of two overhangs stays.
        for (int i = last; i > 0; i--) begin
          automatic int step = top[i] - top[i-1];
          f.bumps += 3'(step < 0 ? -step : step);
          f.occurs[step+2] = 1'b1;
          if (s.bottom[i] != s.bottom[i-1]) begin
            f.hangs_twice  = f.hangs;
            f.hangs        = 1'b1;
            f.hangs_left   = s.bottom[i] < s.bottom[i-1];
            f.hung         = 2'(f.hangs_left ? i - 1 : i);
            f.shut         = 2'(f.hangs_left ? i : i - 1);
            f.hangs_two    = s.bottom[f.hung] == 2'd2;
          end
        end
        // In J and L upside down, the middle column overhangs.
        f.hangs_inside = f.hangs && (f.hangs_left ? f.hung != 2'd0 : f.hung != 2'(last));
        // The other neighbour of the lower column is an edge's or the second overhang; the piece's
        // own column there leaves it empty.
        f.shuts = f.hangs_twice || (f.hangs && (f.hangs_left ? f.shut == 2'(last)
                                                             : f.shut == 2'd0));
      end
      table_[p] = f;
    end
    return table_;
  endfunction

  localparam forms_t Forms = forms();

  // 1 + 2 + ... + n
  typedef logic [7:0] triangle_t;
  typedef triangle_t triangles_t [32];

  function automatic triangles_t triangles();
    triangles_t table_;
    for (int unsigned n = 0; n < 32; n++) table_[n] = n > 20 ? '0 : triangle_t'(n * (n + 1) / 2);
    return table_;
  endfunction

  localparam triangles_t Triangles = triangles();

  // ---------------------------------------------------------------------- rows of a placement

  // The peak is the landing row + 2: so no column that the piece may rest on gives a negative
  // one. Row r of a board is at r + 2 then.
  typedef logic [Rows-1:0] cells_t;  // a column of the board
  typedef logic [24:0]     tall_t;   // the same with 2 cells below and 3 above

  // The cells from a row up; in steps of 16, 8, 4, 2, 1, as the first steps leave the fewest.
  function automatic span_t slice(tall_t cells, height_t from);
    logic [18:0] s16;
    logic [10:0] s8;
    logic [6:0]  s4;
    logic [4:0]  s2;
    s16 = from[4] ? {10'b0, cells[24:16]} : cells[18:0];
    s8  = from[3] ? s16[18:8] : s16[10:0];
    s4  = from[2] ? s8[10:4] : s8[6:0];
    s2  = from[1] ? s4[6:2] : s4[4:0];
    return from[0] ? s2[4:1] : s2[3:0];
  endfunction

  // The same of the empty cells of rows: 0 in the two rows below the board, 7 in those above
  typedef logic [Rows-1:0][2:0] empty_t;

  function automatic logic [PieceSpan-1:0][2:0] empty_slice(empty_t empty, height_t from);
    logic [18:0][2:0] s16;
    logic [10:0][2:0] s8;
    logic [6:0][2:0]  s4;
    logic [4:0][2:0]  s2;
    s16 = from[4] ? {30'b0, 9'h1ff, empty[19:14]} : {empty[16:0], 6'b0};
    s8  = from[3] ? s16[18:8] : s16[10:0];
    s4  = from[2] ? s8[10:4] : s8[6:0];
    s2  = from[1] ? s4[6:2] : s4[4:0];
    return from[0] ? s2[4:1] : s2[3:0];
  endfunction

  // ------------------------------------------------------------------------ a placement landed
  typedef logic [PieceSpan-1:0][4:0] gaps_t;

  // What the landing finds, four cycles after the placement
  typedef struct {
    placing_t            placing;
    logic                legal;
    height_t             peak;         // landing row + 2
    height_t             row;
    row_t                at;           // column x
    row_t                right_at;     // the column right of the piece
    row_t                hung_at;      // the column of the (left) overhang
    row_t                shut_at;      // the lower column beside it
    gaps_t               gaps;         // empty cells under each column of the piece
    height_t             lowest;       // lowest height of these columns
    height_t             hung_height;
    logic signed [5:0]   left_step;    // from the height on the left to the piece's left top
    logic signed [5:0]   right_step;   // likewise from the right
    span_t               left;         // the columns beside the piece, rows of the piece's box
    span_t               far_left;     // the columns beyond
    span_t               right;
    span_t               far_right;
    logic                hung_cell;    // the column of hung_below, bottom row of the piece
    cells_t              left_below;   // the columns beside, below the piece's cells
    cells_t              right_below;
    cells_t              hung_below;   // the column of an overhang of two rows, below the piece
  } landed_t;

endpackage
