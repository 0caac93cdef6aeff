// Makes the board after a placement: puts the piece on it and removes the full rows, those that
// were full before, too.
//
// A board and a placement, a legal one, are taken in cycle 0 (valid_i and ready_o). If n rows are
// removed, the board is given from cycle n + 2 on, until it is taken (valid_o and ready_i); with it
// the number of rows removed and the feature eroded cells, which is that number times the piece's
// cells in these rows. The next board can be taken in the cycle in which this one is.
module tetris_maker
  import tetris_pkg::Columns, tetris_pkg::PieceSpan, tetris_pkg::Rows, tetris_pkg::board_t,
         tetris_pkg::height_t, tetris_pkg::ones, tetris_pkg::row_t, tetris_lanes_pkg::placing_t;
(
  input  logic       clk_i,
  input  logic       rst_ni,

  input  logic       valid_i,
  output logic       ready_o,
  input  board_t     board_i,
  input  placing_t   placing_i,
  input  height_t    row_i,      // bottom row of the piece

  output logic       valid_o,
  input  logic       ready_i,
  output board_t     board_o,
  output placing_t   placing_o,
  output height_t    row_o,
  output height_t    cleared_o,
  output logic [6:0] eroded_o
);

  typedef logic [Rows-1:0] marks_t;  // [r] = row r

  typedef enum logic [1:0] {
    StIdle,
    StPut,     // the piece is put on the board
    StFirst,   // the first full row is removed, and which rows of the piece are full is kept
    StRemove   // the other ones
  } state_e;

  state_e                    state_q, state_d;
  board_t                    board_q;
  marks_t                    full_q;              // rows still to be removed
  marks_t                    at_q;                // the piece's bottom row, one bit
  row_t [PieceSpan-1:0]      cells_q;             // the piece's rows
  logic [PieceSpan-1:0][2:0] ones_q;              // cells in each of them
  logic [PieceSpan-1:0]      removed_q, removed;  // which of them are full
  placing_t                  placing_q;
  height_t                   row_q;
  height_t                   cleared_q;
  logic                      put, take;

  assign put     = state_q == StPut;
  assign valid_o = (state_q == StFirst || state_q == StRemove) && full_q == '0;
  assign ready_o = state_q == StIdle || (valid_o && ready_i);
  assign take    = valid_i && ready_o;

  // What comes in
  row_t [PieceSpan-1:0] cells;
  marks_t               at;
  always_comb begin
    for (int unsigned dy = 0; dy < PieceSpan; dy++) begin
      cells[dy] = row_t'(tetris_pkg::Shapes[{placing_i.piece, placing_i.rotation}].cells[dy])
                << placing_i.column;
    end
    for (int unsigned r = 0; r < Rows; r++) at[r] = row_i == height_t'(r);
  end

  // With the piece
  board_t with_piece;
  always_comb begin
    with_piece = board_q;
    for (int unsigned r = 0; r < Rows; r++) begin
      for (int unsigned dy = 0; dy < PieceSpan && dy <= r; dy++) begin
        with_piece[r] |= cells_q[dy] & {Columns{at_q[r-dy]}};
      end
    end
  end

  // The lowest full row and those above take what is above them. Doubling steps: a chain of twenty
  // would be long.
  marks_t moves;
  always_comb begin
    moves = full_q;
    for (int unsigned k = 1; k < Rows; k = k * 2) moves |= moves << k;
  end

  always_comb begin
    removed = '0;
    for (int unsigned r = 0; r < Rows; r++) begin
      for (int unsigned dy = 0; dy < PieceSpan && dy <= r; dy++) begin
        removed[dy] |= at_q[r-dy] & full_q[r];
      end
    end
  end

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  state_d = StIdle;
      StPut:   state_d = StFirst;
      default: state_d = (valid_o && ready_i) ? StIdle : StRemove;
    endcase
    if (take) state_d = StPut;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  // These mean something while a board is under way, but for full_q: without a board it is 0.
  always_ff @(posedge clk_i) begin
    for (int unsigned r = 0; r < Rows; r++) begin
      if (put || moves[r] || take) begin
        board_q[r] <= board_i[r];
        if (moves[r]) board_q[r] <= (r + 1 < Rows) ? board_q[(r+1)%Rows] : '0;
        if (put) board_q[r] <= with_piece[r];
      end
      if (put || moves[r]) begin
        full_q[r] <= (r + 1 < Rows) ? full_q[(r+1)%Rows] : 1'b0;
        if (put) full_q[r] <= &with_piece[r];
      end
    end
    if (!rst_ni) full_q <= '0;
    if (put) cleared_q <= '0;
    else if (full_q != '0) cleared_q <= cleared_q + height_t'(1);
    if (state_q == StFirst) removed_q <= removed;
    if (take) begin
      at_q      <= at;
      cells_q   <= cells;
      for (int unsigned dy = 0; dy < PieceSpan; dy++) ones_q[dy] <= 3'(ones(cells[dy]));
      placing_q <= placing_i;
      row_q     <= row_i;
    end
  end

  // Four cells at most. If no row is removed, it is not yet known which of the piece's rows are,
  // and not needed.
  logic [2:0] eroded;
  always_comb begin
    eroded = '0;
    for (int unsigned dy = 0; dy < PieceSpan; dy++) begin
      if (removed_q[dy]) eroded = eroded + ones_q[dy];
    end
  end

  assign board_o   = board_q;
  assign placing_o = placing_q;
  assign row_o     = row_q;
  assign cleared_o = cleared_q;
  // Four cells at most. If no row is removed, the count of cells is not there yet, and not needed.
  assign eroded_o  = (eroded[2] ? {cleared_q, 2'b0} : '0)
                   + (7'(eroded[1] ? {cleared_q, 1'b0} : '0)
                   + 7'(eroded[0] ? cleared_q : '0));

endmodule
