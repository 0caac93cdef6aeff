// Makes the board after a placement: puts the piece on it and removes the full rows, those that
// were full before, too.
//
// A board and a placement, a legal one, are taken in cycle 0 (valid_i and ready_o). If n rows are
// removed, the board is given from cycle n + 3 on, until it is taken (valid_o and ready_i); with it
// the number of rows removed and the feature eroded cells, which is that number times the piece's
// cells in these rows. The next board can be taken in the cycle after; with TakesEarly in the one in
// which this one is.
module tetris_maker
  import tetris_pkg::Columns, tetris_pkg::PieceSpan, tetris_pkg::Rows, tetris_pkg::board_t,
         tetris_pkg::height_t, tetris_pkg::ones, tetris_pkg::row_t, tetris_lanes_pkg::placing_t;
#(
  parameter bit TakesEarly = 1'b0  // ready_o depends on ready_i
) (
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
    StPut,    // the piece is put on the board
    StMark,   // which rows of the piece are full
    StRemove  // the full rows
  } state_e;

  state_e                    state_q, state_d;
  logic                      valid_q, valid_d;
  board_t                    board_q;
  marks_t                    full_q;     // full rows, without the one that moves_q removes
  marks_t                    moves_q;    // rows that take what is above them
  marks_t                    at_q;       // the piece's bottom row, one bit
  row_t [PieceSpan-1:0]      cells_q;    // the piece's rows
  logic [PieceSpan-1:0][2:0] ones_q;     // cells in each of them
  logic [PieceSpan-1:0]      removed_q;  // which of them are full
  placing_t                  placing_q;
  height_t                   row_q;
  height_t                   cleared_q;
  logic                      put, mark, take;
  logic                      loads, idle_q;  // loads: board_i comes in, offered or not

  assign put     = state_q == StPut;
  assign mark    = state_q == StMark;
  assign valid_o = valid_q;
  assign ready_o = state_q == StIdle || (TakesEarly && valid_q && ready_i);
  assign take    = valid_i && ready_o;
  assign loads   = idle_q || (TakesEarly && valid_q && ready_i);

  // What comes in
  logic [PieceSpan-1:0][3:0] shape;
  assign shape = tetris_pkg::Shapes[{placing_i.piece, placing_i.rotation}].cells;

  // The highest full row and those above it: counted from the top, the bits that change when one is
  // subtracted. A chain of carries is faster than the gates that search for it.
  function automatic marks_t highest_up(marks_t full);
    marks_t from_top;
    from_top = {<<{full}};
    from_top = (from_top - 1'b1) ^ from_top;
    return {<<{from_top}};
  endfunction

  logic some;  // row is full
  assign some = full_q != '0;

  always_comb begin
    state_d = state_q;
    valid_d = 1'b0;
    case (state_q)
      StIdle: state_d = StIdle;
      StPut:  state_d = StMark;
      StMark: begin
        state_d = StRemove;
        valid_d = !some;
      end
      default: begin
        valid_d = !some && !(valid_q && ready_i);
        if (valid_q && ready_i) state_d = StIdle;
      end
    endcase
    if (take) state_d = StPut;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      idle_q  <= 1'b1;
      valid_q <= 1'b0;
      moves_q <= '0;
    end else begin
      state_q <= state_d;
      idle_q  <= state_d == StIdle;
      valid_q <= valid_d;
      moves_q <= '0;
      // The highest full row is removed first: the others stay where they are then. It and those
      // above take what is above them.
      if (mark || state_q == StRemove) moves_q <= highest_up(full_q) & {Rows{some}};
    end
  end

  // These mean something while a board is under way.
  always_ff @(posedge clk_i) begin
    if (put) begin
      for (int unsigned r = 0; r < Rows; r++) begin
        automatic row_t with_piece = board_q[r];
        for (int unsigned dy = 0; dy < PieceSpan && dy <= r; dy++) begin
          with_piece |= cells_q[dy] & {Columns{at_q[r-dy]}};
        end
        board_q[r] <= with_piece;
        full_q[r]  <= &with_piece;
      end
    end else if (loads) begin
      board_q <= board_i;
    end else if (state_q != StIdle) begin
      for (int unsigned r = 0; r < Rows; r++) begin
        if (moves_q[r]) board_q[r] <= (r + 1 < Rows) ? board_q[(r+1)%Rows] : '0;
      end
      full_q <= full_q & ~highest_up(full_q);
    end
    if (put) cleared_q <= '0;
    else if (moves_q[Rows-1]) cleared_q <= cleared_q + height_t'(1);
    if (mark) begin
      for (int unsigned dy = 0; dy < PieceSpan; dy++) begin
        removed_q[dy] <= |((at_q << dy) & full_q);
      end
    end
    if (take) begin
      at_q <= marks_t'(1) << row_i;
      for (int unsigned dy = 0; dy < PieceSpan; dy++) begin
        cells_q[dy] <= row_t'(shape[dy]) << placing_i.column;
        ones_q[dy]  <= 3'(ones(row_t'(shape[dy])));
      end
      placing_q <= placing_i;
      row_q     <= row_i;
    end
  end

  logic [2:0] eroded;  // four cells at most
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
  assign eroded_o  = (eroded[2] ? {cleared_q, 2'b0} : '0)
                   + (7'(eroded[1] ? {cleared_q, 1'b0} : '0)
                   + 7'(eroded[0] ? cleared_q : '0));

endmodule
