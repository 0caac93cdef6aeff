// Makes the board after a placement: puts the piece on it and removes the full rows, those that
// were full before, too.
//
// A board and a placement, a legal one, are taken in cycle 0 (valid_i and ready_o). If n rows are
// removed, the board is given from cycle n + 2 on, until it is taken (valid_o and ready_i); with it
// the number of rows removed and the feature eroded cells, which is that number times the piece's
// cells in these rows. The next board can be taken in the cycle in which this one is.
module tetris_maker
  import tetris_pkg::PieceSpan, tetris_pkg::Rows, tetris_pkg::board_t, tetris_pkg::height_t,
         tetris_pkg::ones, tetris_pkg::row_t, tetris_lanes_pkg::placing_t;
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
    StFirst,   // its cells in full rows are counted, and the first full row is removed
    StRemove   // the other ones
  } state_e;

  state_e               state_q, state_d;
  board_t               board_q, board_d;
  marks_t               full_q, full_d;      // rows still to be removed
  row_t [PieceSpan-1:0] cells_q;             // the piece's rows
  placing_t             placing_q;
  height_t              row_q;
  height_t              cleared_q, cleared_d;
  logic [2:0]           eroded_q, eroded;    // cells of the piece in full rows
  logic                 take;

  assign valid_o = (state_q == StFirst || state_q == StRemove) && full_q == '0;
  assign ready_o = state_q == StIdle || (valid_o && ready_i);
  assign take    = valid_i && ready_o;

  row_t [PieceSpan-1:0] cells;
  always_comb begin
    for (int unsigned dy = 0; dy < PieceSpan; dy++) begin
      cells[dy] = row_t'(tetris_pkg::Shapes[{placing_i.piece, placing_i.rotation}].cells[dy])
                << placing_i.column;
    end
  end

  always_comb begin
    automatic logic at_or_below = 1'b0;
    board_d   = board_q;
    full_d    = full_q;
    cleared_d = cleared_q;
    if (state_q == StPut) begin
      cleared_d = '0;
      for (int unsigned r = 0; r < Rows; r++) begin
        for (int unsigned dy = 0; dy < PieceSpan; dy++) begin
          if (dy <= r && row_q == height_t'(r - dy)) board_d[r] |= cells_q[dy];
        end
        full_d[r] = &board_d[r];
      end
    end else begin
      cleared_d = cleared_q + height_t'(full_q != '0);
      // What stands above the lowest full row moves down by one.
      for (int unsigned r = 0; r < Rows; r++) begin
        at_or_below |= full_q[r];
        if (at_or_below) begin
          board_d[r] = (r + 1 < Rows) ? board_q[(r+1)%Rows] : '0;
          full_d[r]  = (r + 1 < Rows) ? full_q[(r+1)%Rows] : 1'b0;
        end
      end
    end
  end

  always_comb begin
    eroded = '0;
    for (int unsigned dy = 0; dy < PieceSpan; dy++) begin
      automatic logic full = 1'b0;
      for (int unsigned r = dy; r < Rows; r++) begin
        if (row_q == height_t'(r - dy)) full |= full_q[r];
      end
      if (full) eroded = eroded + 3'(ones(cells_q[dy]));
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

  // These mean something while a board is under way.
  always_ff @(posedge clk_i) begin
    board_q   <= take ? board_i : board_d;
    full_q    <= full_d;
    cleared_q <= cleared_d;
    if (state_q == StFirst) eroded_q <= eroded;
    if (take) begin
      cells_q   <= cells;
      placing_q <= placing_i;
      row_q     <= row_i;
    end
  end

  assign board_o   = board_q;
  assign placing_o = placing_q;
  assign row_o     = row_q;
  assign cleared_o = cleared_q;
  // Four cells at most. If no row is removed, the count of cells is not there yet, and not needed.
  assign eroded_o  = (eroded_q[2] ? {cleared_q, 2'b0} : '0)
                   + (7'(eroded_q[1] ? {cleared_q, 1'b0} : '0)
                   + 7'(eroded_q[0] ? cleared_q : '0));

endmodule
