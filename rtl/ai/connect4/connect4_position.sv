// The position of a Connect Four search: its stones, dropped and taken back one by one.
//
// Drive it, with at most one of these in a cycle:
//  - `load_i` takes a position, and looks at its first cell;
//  - `look_i`, in the Cells cycles after that, looks at the next cell, column by column from the
//    bottom up; `last_cell_o` is high at the last one. `empty_o` is right from the cycle after it;
//  - `drop_i` drops a stone of the side to move into the column `column_i`, if it has room;
//  - `take_i` takes the topmost stone of that column, one of that side, back;
//  - `turn_i` makes it the other side's turn.
// `column_i` is one-hot. The stones have changed in the next cycle, and `open_o` with them.
//
// A cycle after each look `own_o` and `other_o` say whose stone lies in the cell, if there is one,
// and `weight_o` what it is worth. Two cycles after a drop `weight_o` is the weight of its cell,
// and `four_o` and `full_o` say how the game stands: whether it made four in a row, and whether no
// column has room.
module connect4_position
  import connect4_pkg::*;
(
  input  logic         clk_i,
  input  weights_t     weights_i,
  input  logic         load_i,
  input  board_t [1:0] stones_i,     // 0: of the side to move
  input  logic         look_i,
  input  logic         drop_i,
  input  logic         take_i,
  input  logic         turn_i,
  input  columns_t     column_i,
  output columns_t     open_o,       // columns with room
  output logic         last_cell_o,
  output count_t       empty_o,      // cells without a stone, of the position loaded
  output logic         own_o,        // of the side to move
  output logic         other_o,
  output value_t       weight_o,
  output logic         four_o,
  output logic         full_o
);

  typedef logic [Columns-1:0][Rows-1:0] cells_t;

  board_t [1:0] stones_q, stones_d;  // 0: of the side to move
  cells_t       cell_q, cell_d;      // looked at, one-hot, or where the last stone fell
  count_t       empty_q, empty_d;
  logic         own_q, other_q, four_q, full_q;
  logic [7:0]   weight_q, weight_d;

  // Where a stone falls to in the column, and the topmost one there is; none if there is no such
  cells_t own, other, landing, top;
  always_comb begin
    for (int unsigned c = 0; c < Columns; c++) begin
      logic [Rows:0] stones;
      stones    = stones_q[0][c] | stones_q[1][c];
      own[c]    = stones_q[0][c][Rows-1:0];
      other[c]  = stones_q[1][c][Rows-1:0];
      open_o[c] = !stones[Rows-1];
      for (int unsigned r = 0; r < Rows; r++) begin
        landing[c][r] = column_i[c] && !stones[r] && (r == 0 || stones[(r+Rows-1)%Rows]);
        top[c][r]     = column_i[c] && stones[r] && !stones[r+1];
      end
    end
  end

  logic here;  // there is a stone in the cell
  assign here = |((own | other) & cell_q);

  always_comb begin
    stones_d = stones_q;
    cell_d   = cell_q;
    empty_d  = empty_q;
    for (int unsigned c = 0; c < Columns; c++) begin
      for (int unsigned r = 0; r < Rows; r++) begin
        if (drop_i && landing[c][r]) stones_d[0][c][r] = 1'b1;
        if (take_i && top[c][r]) stones_d[0][c][r] = 1'b0;
      end
    end
    if (turn_i) stones_d = {stones_q[0], stones_q[1]};
    if (drop_i) cell_d = landing;
    if (look_i) begin
      cell_d = cell_q << 1;
      if (here) empty_d = empty_q - 1'b1;
    end
    if (load_i) begin
      stones_d = stones_i;
      cell_d   = cells_t'(1);
      empty_d  = count_t'(Cells);
    end
  end

  always_comb begin
    weight_d = '0;
    for (int unsigned c = 0; c < Columns; c++) begin
      for (int unsigned r = 0; r < Rows; r++) begin
        if (cell_q[c][r]) weight_d |= weights_i[c][r];
      end
    end
  end

  logic four;
  connect4_win u_connect4_win (
    .board_i (stones_q[0]),
    .four_o  (four)
  );

  // What a load sets needs no reset.
  always_ff @(posedge clk_i) begin
    stones_q <= stones_d;
    cell_q   <= cell_d;
    empty_q  <= empty_d;
    own_q    <= look_i && |(own & cell_q);
    other_q  <= look_i && |(other & cell_q);
    weight_q <= weight_d;
    four_q   <= four;
    full_q   <= open_o == '0;
  end

  assign last_cell_o = cell_q[Columns-1][Rows-1];
  assign empty_o     = empty_q;
  assign own_o       = own_q;
  assign other_o     = other_q;
  assign weight_o    = value_t'(signed'(weight_q));
  assign four_o      = four_q;
  assign full_o      = full_q;

endmodule
