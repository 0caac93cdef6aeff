// The position of a Gomoku search: its lines, the counts of its classes, its candidates.
//
// Drive it: `valid_i` for a cycle begins an operation; point, colour and operation stay for two
// cycles. The next operation may begin two cycles later, but not three if this one puts or takes a
// stone. `kill_i` drops the operations in progress; none of them may put or take a stone, unless
// the board is cleared next. `clear_i` for 64 cycles, with `clear_addr_i` counting from 0, empties
// the board; it must not begin in an operation's cycle 1.
//
// Cycle 0 of an operation is that of `valid_i`. Rows and columns are read in it, the diagonals in
// the next one. Index 0 is the colour of the stone, index 1 the other one.
//  - In cycle 6 `counts_o` are the counts with the stone. In `lines` `five_o`, `open4_o` are high
//    if there is a point with a FIVE, an OPEN4 of that colour; in `wujian` `run_o` is high if the
//    stone's colour has a run of five. All hold until the next operation's cycle 5.
//  - `five_soon_o`, `open4_soon_o` are the same for the stone's colour, one cycle earlier.
//  - From cycle 6 on `candidates_o` are the candidates after the operation.
//  - In cycle 6 of an OpLook `look_five_o`, `look_open4_o` are high if colour 0, the side to move
//    at the root, has a FIVE, an OPEN4 at the point.
//  - In cycle 6 of the last operation `fives_o` are the colours that had five in a row after any
//    operation, an OpScore too, since the board was empty.
module gomoku_board
  import gomoku_pkg::*;
(
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      lines_i,
  input  logic [7:1][4:0]           key_i,
  input  logic                      clear_i,
  input  logic [5:0]                clear_addr_i,
  input  logic                      kill_i,
  input  logic                      valid_i,
  input  point_t                    point_i,
  input  logic                      colour_i,
  input  op_e                       op_i,
  output count_t                    counts_o,
  output logic [1:0]                five_o,
  output logic [1:0]                open4_o,
  output logic                      five_soon_o,
  output logic                      open4_soon_o,
  output logic                      run_o,
  output logic [1:0]                fives_o,
  output logic                      look_five_o,
  output logic                      look_open4_o,
  input  kind_t                     kind_i,
  output map_t                      candidates_o,
  output key_t [Side-1:0][Side-1:0] keys_o
);

  logic [4:1] under_way_q;  // an operation's first half is in that cycle
  logic       second;       // its second half is in cycle 0
  // The profile and its keys, near the columns
  logic            lines_q;
  logic [7:1][4:0] key_q;
  logic       clear_q;      // a cycle later is soon enough for all that is not a memory
  assign second = under_way_q[1];

  // ------------------------------------------------------------------------------- the lines
  logic [4:0] falling_q, rising_q;

  // What an empty line has on the board: diagonals grow up to the middle one, and shrink.
  places_t on, diagonal_q, diagonal_d;
  assign on = (clear_addr_i < 6'd32) ? '1 : diagonal_q;
  always_comb begin
    diagonal_d = (clear_addr_i < 6'(32 + Side - 1)) ? {diagonal_q[Side-2:0], 1'b1}
                                                    : {diagonal_q[Side-2:0], 1'b0};
    if (clear_addr_i < 6'd32) diagonal_d = places_t'(1);
  end

  logic          changed, unused_changed, write, unused_write;
  places_t       row, column;
  diagonals_t    falling, rising;
  key_change_t   row_change, column_change;
  flags_t        row_flags, column_flags;
  line_count_t   row_counts, column_counts, row_before, column_before;
  highest_t      row_highest, column_highest;
  logic [1:0]    row_five, column_five;
  logic          row_look_five, column_look_five, row_look_open4, column_look_open4;

  gomoku_lines u_rows (
    .clk_i,
    .rst_ni,
    .lines_i,
    .key_i,
    .clear_i,
    .clear_addr_i,
    .clear_on_i     (on),
    .kill_i,
    .valid_i        (valid_i || second),
    .diagonal_i     (second),
    .straight_addr_i(point_i.y),
    .diagonal_addr_i(falling_q),
    .place_i        (point_i.x),
    .colour_i,
    .op_i,
    .changed_o      (changed),
    .write_o        (write),
    .straight_o     (row),
    .diagonal_o     (falling),
    .key_change_o   (row_change),
    .flags_o        (row_flags),
    .count_o        (row_counts),
    .count_before_o (row_before),
    .highest_o      (row_highest),
    .five_o         (row_five),
    .place_five_o   (row_look_five),
    .place_open4_o  (row_look_open4)
  );

  gomoku_lines u_columns (
    .clk_i,
    .rst_ni,
    .lines_i        (lines_q),
    .key_i          (key_q),
    .clear_i,
    .clear_addr_i,
    .clear_on_i     (on),
    .kill_i,
    .valid_i        (valid_i || second),
    .diagonal_i     (second),
    .straight_addr_i(point_i.x),
    .diagonal_addr_i(rising_q),
    .place_i        (point_i.y),
    .colour_i,
    .op_i,
    .changed_o      (unused_changed),
    .write_o        (unused_write),
    .straight_o     (column),
    .diagonal_o     (rising),
    .key_change_o   (column_change),
    .flags_o        (column_flags),
    .count_o        (column_counts),
    .count_before_o (column_before),
    .highest_o      (column_highest),
    .five_o         (column_five),
    .place_five_o   (column_look_five),
    .place_open4_o  (column_look_open4)
  );

  gomoku_maps u_maps (
    .clk_i,
    .clear_i         (clear_q),
    .row_i           (row),
    .falling_i       (falling),
    .row_change_i    (row_change),
    .row_flags_i     (row_flags),
    .column_i        (column),
    .rising_i        (rising),
    .column_change_i (column_change),
    .column_flags_i  (column_flags),
    .kind_i,
    .candidates_o,
    .keys_o
  );

  // ------------------------------------------------------------------------------ the counts
  typedef logic [1:0][7:6][9:0] rest_t;
  typedef logic [1:0][7:1][4:0] there_t;

  count_t     board_q;          // of the stones on the board
  count_t     half_q, counts_d; // after the first two lines, after all
  count_t     counts_q;         // of the stone's colour, of the other one
  there_t     there_q;          // of the lines that are looked at, before
  rest_t      rest_q, rest_d;   // without the first two lines that are looked at
  highest_t   others;           // there are some without the other two, too
  highest_t   highest_q, highest_d;  // in those
  logic [4:1] colour_q;         // of what is under way
  logic [1:0] five_d, open4_d;  // known at the last two lines
  logic [1:0] five_q, open4_q, run_q, run_d, fives_q;
  logic       run_mine_q, look_five_q, look_open4_q;
  logic       first;
  assign first = under_way_q[4];

  always_comb begin
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 1; k < 8; k++) begin
        counts_d[c][k] = (first ? board_q[c][k] : half_q[c][k]) + 10'(row_counts[c][k]) +
                         10'(column_counts[c][k]) - 10'(there_q[c][k]);
      end
    end
  end

  // Whether there is any of the highest classes is known before their counts are.
  assign run_d = row_five | column_five | (first ? '0 : run_q);
  always_comb begin
    highest_d = row_highest | column_highest | highest_q;
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 6; k < 8; k++) begin
        rest_d[c][k] = board_q[c][k] - 10'(there_q[c][k]);
        others[c][k] = rest_q[c][k] != 10'(there_q[c][k]);
      end
    end
    for (int unsigned c = 0; c < 2; c++) begin
      logic of;  // the stone's colour, then the other one
      of         = 1'(c) ^ colour_q[4];
      five_d[c]  = lines_q && (highest_d[of][7] || others[of][7]);
      open4_d[c] = lines_q && (highest_d[of][6] || others[of][6]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || kill_i) under_way_q <= '0;
    else under_way_q <= {under_way_q[3:1], valid_i};
  end

  // What a clear sets needs no reset.
  always_ff @(posedge clk_i) begin
    lines_q    <= lines_i;
    key_q      <= key_i;
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 1; k < 8; k++) begin
        there_q[c][k] <= 5'(row_before[c][k]) + 5'(column_before[c][k]);
      end
    end
    clear_q    <= clear_i;
    diagonal_q <= diagonal_d;
    falling_q  <= 5'(Side - 1) + 5'(point_i.x) - 5'(point_i.y);
    rising_q   <= 5'(point_i.x) + 5'(point_i.y);
    colour_q   <= {colour_q[3:1], colour_i};
    if (changed) begin
      if (first) begin
        half_q    <= counts_d;
        rest_q    <= rest_d;
        highest_q <= row_highest | column_highest;
      end
      for (int unsigned c = 0; c < 2; c++) begin
        counts_q[1'(c) ^ colour_q[4]] <= counts_d[c];
      end
      five_q       <= five_d;
      open4_q      <= open4_d;
      run_q        <= run_d;
      run_mine_q   <= !lines_q && run_d[colour_q[4]];
      fives_q      <= run_d | fives_q;
      look_five_q  <= row_look_five || column_look_five || (!first && look_five_q);
      look_open4_q <= row_look_open4 || column_look_open4 || (!first && look_open4_q);
      if (write && !first) board_q <= counts_d;
    end
    if (clear_q) begin
      board_q  <= '0;
      five_q   <= '0;
      open4_q  <= '0;
      fives_q  <= '0;
    end
  end

  assign counts_o     = counts_q;
  assign five_o       = five_q;
  assign open4_o      = open4_q;
  assign five_soon_o  = five_d[0];
  assign open4_soon_o = open4_d[0];
  assign run_o        = run_mine_q;
  assign fives_o      = fives_q;
  assign look_five_o  = look_five_q;
  assign look_open4_o = look_open4_q;

`ifndef SYNTHESIS
  Apart_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    valid_i && !kill_i |=> !valid_i);
  Held_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    valid_i && !kill_i |=> $stable({point_i, colour_i, op_i}));
  OneHalf_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    unused_changed == changed && unused_write == write);
`endif

endmodule
