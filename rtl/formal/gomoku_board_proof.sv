// gomoku_board: its totals are the sums of the lines' counts, and its answers are those that the
// lines report for the operation.
//
// Totals. A line's counts are those that gomoku_lines reported of the operation that wrote the line
// last, and it reports them as the counts before the next one (gomoku_lines_proof). So the counts
// of all lines add up to the changes of all operations that write, and the totals have to be this
// sum (`sum_q`). A score or a look changes none. A sum is no less than the counts of four lines,
// and no more than 900: 225 points with a class in each of four directions.
//
// Undo. A stone that is put and taken back leaves every total as it was before. One arbitrary stone
// is watched. Its lines change back when it is taken: their counts follow from their stones
// (gomoku_lines_proof). The stones put after it were taken before it (gomoku_search_proof) and
// changed nothing in sum, by induction over the stones.
//
// Answers. They come in the cycle that the header of gomoku_board names, and stay as long. The lines
// and their places are those of the point, and gomoku_maps gets what they report. A kill drops the
// operation in progress. The lines that a clear writes have the cells of an empty board.
//
// Assumptions: operations come in any order on points of the board, two cycles apart at least, and
// not three cycles after one that writes. No operation that writes is in progress at a kill, or the
// board is cleared next. gomoku_search_proof shows these distances and kills. A clear takes eight
// cycles at least, and does not begin in the cycle after an operation's first one. The profile and
// its keys change only on an empty board. Then gomoku_lines gets its lines as far apart as its head
// requires. gomoku_lines and gomoku_maps are stubs with arbitrary answers.
module gomoku_board_proof
  import gomoku_pkg::*;
(
  input logic                          clk_i,
  input gomoku_board_pkg::line_data_t  rows_i,
  input gomoku_board_pkg::line_data_t  columns_i,
  input gomoku_board_pkg::maps_data_t  maps_i,
  input logic                          watch_i,
  input logic                          lines_i,
  input logic [7:1][4:0]               key_i,
  input logic                          clear_i,
  input logic                          kill_i,
  input logic                          valid_i,
  input point_t                        point_i,
  input logic                          colour_i,
  input op_e                           op_i,
  input kind_t                         kind_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [5:0]                clear_addr_q;
  count_t                    counts;
  logic [1:0]                five, open4, fives;
  logic                      five_soon, open4_soon, run, look_five, look_open4;
  map_t                      candidates;
  key_t [Side-1:0][Side-1:0] keys;

  gomoku_board u_dut (
    .clk_i,
    .rst_ni       (rst_n),
    .lines_i,
    .key_i,
    .clear_i,
    .clear_addr_i (clear_addr_q),
    .kill_i,
    .valid_i,
    .point_i,
    .colour_i,
    .op_i,
    .counts_o     (counts),
    .five_o       (five),
    .open4_o      (open4),
    .five_soon_o  (five_soon),
    .open4_soon_o (open4_soon),
    .run_o        (run),
    .fives_o      (fives),
    .look_five_o  (look_five),
    .look_open4_o (look_open4),
    .kind_i,
    .candidates_o (candidates),
    .keys_o       (keys)
  );
  assign u_dut.u_rows.data    = rows_i;
  assign u_dut.u_columns.data = columns_i;
  assign u_dut.u_maps.data    = maps_i;

  // -------------------------------------------------------------------------- the operations
  typedef struct packed {
    point_t point;
    logic   colour;
    op_e    op;
  } operation_t;

  function automatic logic writes(operation_t asked);
    return asked.op == OpPut || asked.op == OpTake;
  endfunction

  logic [6:1]       given_q;    // so many cycles ago
  operation_t [6:1] operation_q;
  operation_t       operation;
  logic             begins, wrote, lost;
  logic             known_q;    // the board has been made empty
  logic             cleared_q;  // it was being made empty a cycle ago
  logic             used_q;     // something has been done since
  logic             killed_q;   // something has been killed since
  logic             lines_q;
  logic [7:1][4:0]  key_q;
  assign operation = '{point: point_i, colour: colour_i, op: op_i};
  assign begins    = valid_i && !kill_i;
  always_comb begin
    lost = 1'b0;
    for (int unsigned s = 1; s < 6; s++) begin
      if (kill_i && given_q[s] && writes(operation_q[s])) lost = 1'b1;
    end
  end
  assign wrote = given_q[5] && writes(operation_q[5]);

  always_ff @(posedge clk_i) begin
    lines_q      <= lines_i;
    key_q        <= key_i;
    cleared_q    <= clear_i;
    given_q      <= (!rst_n || kill_i) ? '0 : {given_q[5:1], valid_i};
    operation_q  <= {operation_q[5:1], operation};
    clear_addr_q <= (rst_n && clear_i) ? clear_addr_q + 6'd1 : '0;
    if (!rst_n || lost || (clear_i && clear_addr_q < 6'd7)) known_q <= 1'b0;
    else if (clear_i) known_q <= 1'b1;
    if (!rst_n || clear_i) used_q <= 1'b0;
    else if (begins) used_q <= 1'b1;
    if (!rst_n || clear_i) killed_q <= 1'b0;
    else if (kill_i && given_q[5:1] != '0) killed_q <= 1'b1;
  end

  // ----------------------------------------------------------------- what the lines report
  // Row and column in an operation's cycle 4, the diagonals in cycle 5; the counts before in the
  // cycle before
  count_t     before_q;           // of two lines
  count_t     change;             // of two lines
  count_t     straight_q;         // the change of row and column
  count_t     sum_q;              // of all lines
  logic [1:0] run_q, look_q;      // of row and column
  logic [1:0] run_now, look_now;  // of two lines
  logic [1:0] fives_q;            // in any operation since a clear
  assign run_now  = rows_i.five | columns_i.five;
  assign look_now = {rows_i.place_five || columns_i.place_five,
                     rows_i.place_open4 || columns_i.place_open4};
  always_comb begin
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 1; k < 8; k++) begin
        change[c][k] = 10'(rows_i.count[c][k]) + 10'(columns_i.count[c][k]) - before_q[c][k];
      end
    end
  end

  // The totals with the operation in cycle 5
  count_t with_it;
  always_comb begin
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 1; k < 8; k++) begin
        with_it[c][k] = sum_q[c][k] + straight_q[c][k] + change[c][k];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 1; k < 8; k++) begin
        before_q[c][k] <= 10'(rows_i.count_before[c][k]) + 10'(columns_i.count_before[c][k]);
      end
    end
    if (given_q[4]) begin
      straight_q <= change;
      run_q      <= run_now;
      look_q     <= look_now;
    end
    if (wrote) sum_q <= with_it;
    if (given_q[4] || given_q[5]) fives_q <= fives_q | run_now;
    if (clear_i) begin
      sum_q   <= '0;
      fives_q <= '0;
    end
  end

  // ----------------------------------------------------------------- what is to be answered
  // From an operation's cycle 6 on until the next one's cycle 5
  typedef struct packed {
    count_t     counts;  // of the stone's colour, of the other one
    logic [1:0] five;
    logic [1:0] open4;
    logic       run;
    logic [1:0] look;
  } answer_t;
  answer_t answer, answer_q;
  logic    answers_q, none_q;  // there is an answer; nothing has been counted since a clear
  always_comb begin
    logic colour;
    colour = operation_q[5].colour;
    answer.counts[0] = with_it[colour];
    answer.counts[1] = with_it[!colour];
    answer.run       = !lines_q && (run_q[colour] || run_now[colour]);
    answer.look      = look_q | look_now;
    for (int unsigned c = 0; c < 2; c++) begin
      answer.five[c]  = lines_q && answer.counts[c][7] != '0;
      answer.open4[c] = lines_q && answer.counts[c][6] != '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (given_q[5]) answer_q <= answer;
    if (!rst_n || !known_q || given_q[4] || clear_i || lost) answers_q <= 1'b0;
    else if (given_q[5]) answers_q <= 1'b1;
    if (!rst_n || given_q[4]) none_q <= 1'b0;
    else if (clear_i && clear_addr_q >= 6'd7) none_q <= 1'b1;
  end

  // ------------------------------------------------------------------------- the watched stone
  logic         watched_q;           // it is on the board, or being put there, or being taken
  point_t       stone_q;
  logic [6:1]   puts_q, takes_q;     // it was put, taken so many cycles ago
  logic         there_q;             // its put has been counted
  count_t       start_q;             // the totals before
  count_t [1:0] put_q;               // what it changed on row and column, on the diagonals
  count_t       behind_q;            // what the stones put after it have changed
  count_t       turned;              // what it is to change back
  logic         nested_q;            // another one was put after it
  logic         puts, takes;
  assign puts  = begins && op_i == OpPut && watch_i && !watched_q && known_q;
  assign takes = begins && op_i == OpTake && watched_q && takes_q == '0 && point_i == stone_q;
  always_comb begin
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 1; k < 8; k++) turned[c][k] = -put_q[takes_q[5]][c][k];
    end
  end

  always_ff @(posedge clk_i) begin
    puts_q  <= {puts_q[5:1], puts};
    takes_q <= {takes_q[5:1], takes};
    if (puts) begin
      watched_q <= 1'b1;
      nested_q  <= 1'b0;
      stone_q   <= point_i;
    end
    if (puts_q[4]) put_q[0] <= change;
    if (puts_q[5]) begin
      put_q[1] <= change;
      start_q  <= u_dut.board_q;
      behind_q <= '0;
      there_q  <= 1'b1;
    end else if (wrote) begin
      for (int unsigned c = 0; c < 2; c++) begin
        for (int unsigned k = 1; k < 8; k++) begin
          behind_q[c][k] <= behind_q[c][k] + straight_q[c][k] + change[c][k];
        end
      end
    end
    if (there_q && begins && op_i == OpPut) nested_q <= 1'b1;
    if (takes_q[5]) there_q <= 1'b0;
    if (!rst_n || takes_q[6] || lost || clear_i) begin
      watched_q <= 1'b0;
      there_q   <= 1'b0;
      puts_q    <= '0;
      takes_q   <= '0;
    end
  end

  // --------------------------------------------------------------------------- what is assumed
  // Of the sums: the counts of an operation's four lines are parts of them
  count_t rest_q;  // of the lines but row and column, before the operation
  always_ff @(posedge clk_i) begin
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 1; k < 8; k++) rest_q[c][k] <= sum_q[c][k] - before_q[c][k];
    end
  end
  logic parts;
  always_comb begin
    parts = 1'b1;
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 1; k < 8; k++) begin
        if (sum_q[c][k] > 10'd900) parts = 1'b0;
        if (given_q[4] && sum_q[c][k] < before_q[c][k]) parts = 1'b0;
        if (given_q[5] && rest_q[c][k] < before_q[c][k]) parts = 1'b0;
      end
    end
  end

  // ---------------------------------------------------------------- what lines and maps are told
  // The lines of the point: the first two in cycle 0, their diagonals in cycle 1
  logic [4:0] falling, rising;
  assign falling = 5'd14 + 5'(point_i.x) - 5'(point_i.y);
  assign rising  = 5'(point_i.x) + 5'(point_i.y);
  logic rows_asked, columns_asked, both_asked;
  always_comb begin
    rows_asked    = u_dut.u_rows.place_i == point_i.x && u_dut.u_rows.colour_i == colour_i &&
                    u_dut.u_rows.op_i == op_i && u_dut.u_rows.lines_i == lines_i &&
                    u_dut.u_rows.addr == (given_q[1] ? {1'b1, falling} : {2'b00, point_i.y});
    columns_asked = u_dut.u_columns.place_i == point_i.y && u_dut.u_columns.colour_i == colour_i &&
                    u_dut.u_columns.op_i == op_i &&
                    u_dut.u_columns.addr == (given_q[1] ? {1'b1, rising} : {2'b00, point_i.x});
    both_asked    = u_dut.u_rows.valid_i == u_dut.u_columns.valid_i &&
                    (kill_i || u_dut.u_rows.valid_i == (valid_i || given_q[1]));
  end

  // Neither half is given a line in two cycles in a row, nor three cycles after a write.
  logic rows_apart, columns_apart;
  assign rows_apart = !(u_dut.u_rows.valid_q[1] &&
                        u_dut.u_rows.addr == u_dut.u_rows.addr_q[1]) &&
                      !(u_dut.u_rows.valid_q[3] && u_dut.u_rows.write_q[3] &&
                        u_dut.u_rows.addr == u_dut.u_rows.addr_q[3]);
  assign columns_apart = !(u_dut.u_columns.valid_q[1] &&
                           u_dut.u_columns.addr == u_dut.u_columns.addr_q[1]) &&
                         !(u_dut.u_columns.valid_q[3] && u_dut.u_columns.write_q[3] &&
                           u_dut.u_columns.addr == u_dut.u_columns.addr_q[3]);

  // What the maps get: the lines that are written, each with its changes and flags
  logic        told_straight, told_diagonal, told;
  point_t      told_at;
  key_change_t row_change, column_change;
  places_t     row, column;
  diagonals_t  fall, rise;
  assign told_straight = given_q[4] && writes(operation_q[4]);
  assign told_diagonal = given_q[5] && writes(operation_q[5]);
  assign told_at       = told_diagonal ? operation_q[5].point : operation_q[4].point;
  always_comb begin
    {row, column, fall, rise} = '0;
    for (int unsigned i = 0; i < Side; i++) begin
      row[i]           = told_straight && told_at.y == 4'(i);
      column[i]        = told_straight && told_at.x == 4'(i);
      row_change[i]    = (told_at.x == 4'(i)) ? '0 : rows_i.key_change[i];
      column_change[i] = (told_at.y == 4'(i)) ? '0 : columns_i.key_change[i];
    end
    for (int unsigned i = 0; i < Diagonals; i++) begin
      fall[i] = told_diagonal && 32'(told_at.x) + 32'd14 == 32'(told_at.y) + i;
      rise[i] = told_diagonal && 32'(told_at.x) + 32'(told_at.y) == i;
    end
    told = u_dut.u_maps.row_i == row && u_dut.u_maps.column_i == column &&
           u_dut.u_maps.falling_i == fall && u_dut.u_maps.rising_i == rise;
    if (told_straight || told_diagonal) begin
      told = told && u_dut.u_maps.row_change_i == row_change &&
             u_dut.u_maps.column_change_i == column_change &&
             u_dut.u_maps.row_flags_i == rows_i.flags &&
             u_dut.u_maps.column_flags_i == columns_i.flags;
    end
  end

  // A clear: the line that is made empty, and its places
  logic    clears;
  places_t on;
  always_comb begin
    for (int unsigned i = 0; i < Side; i++) begin
      on[i] = clear_addr_q < 6'd32 ||
              (32'(clear_addr_q) >= 32 + i && 32'(clear_addr_q) <= 32 + 14 + i);
    end
    clears = u_dut.u_rows.clear_i == clear_i && u_dut.u_columns.clear_i == clear_i;
    if (clear_i && clear_addr_q < 6'd61) begin
      clears = clears && u_dut.u_rows.clear_on_i == on && u_dut.u_columns.clear_on_i == on;
    end
    if (clear_i && (u_dut.u_rows.clear_addr_i != clear_addr_q ||
                    u_dut.u_columns.clear_addr_i != clear_addr_q)) clears = 1'b0;
  end

  // -------------------------------------------------------------------------- how it comes about
  // What is under way in the lines: of an operation in cycle s + 1 the second half is in cycle s.
  function automatic logic [11:0] first_of(operation_t asked);
    return {2'b00, asked.point.y, 2'b00, asked.point.x};
  endfunction
  function automatic logic [11:0] second_of(operation_t asked);
    return {1'b1, 5'd14 + 5'(asked.point.x) - 5'(asked.point.y),
            1'b1, 5'(asked.point.x) + 5'(asked.point.y)};
  endfunction
  logic in_step;
  always_comb begin
    logic [11:0] at;
    logic [7:0]  places;
    logic        wrote_at;
    in_step = (given_q[5:1] & (given_q[5:1] >> 1)) == '0;
    for (int unsigned s = 1; s < 5; s++) begin
      at       = {u_dut.u_rows.addr_q[s], u_dut.u_columns.addr_q[s]};
      places   = {u_dut.u_columns.place_q[s], u_dut.u_rows.place_q[s]};
      wrote_at = u_dut.u_rows.write_q[s];
      if (u_dut.under_way_q[s] != given_q[s]) in_step = 1'b0;
      if (u_dut.u_rows.valid_q[s] != (given_q[s] || given_q[s+1]) ||
          u_dut.u_columns.valid_q[s] != u_dut.u_rows.valid_q[s] ||
          (u_dut.u_rows.valid_q[s] && u_dut.u_columns.write_q[s] != wrote_at)) in_step = 1'b0;
      if (given_q[s] && (at != first_of(operation_q[s]) || places != operation_q[s].point ||
                         wrote_at != writes(operation_q[s]) ||
                         u_dut.colour_q[s] != operation_q[s].colour)) in_step = 1'b0;
      if (given_q[s+1] && (at != second_of(operation_q[s+1]) || places != operation_q[s+1].point ||
                           wrote_at != writes(operation_q[s+1]) ||
                           u_dut.colour_q[s] != operation_q[s+1].colour)) in_step = 1'b0;
    end
  end

  // What is given before a clear is over before the clear is. The watched stone is on the board
  // when it is taken.
  logic drained, tags;
  always_comb begin
    drained = (cleared_q || clear_addr_q == '0) && (!(known_q && cleared_q) || given_q == '0);
    for (int unsigned s = 1; s < 7; s++) begin
      if (given_q[s] && clear_addr_q != '0 && s < 32'(clear_addr_q) + 2) drained = 1'b0;
    end
    tags = $onehot0(puts_q[5:1]) && $onehot0(takes_q) && (!watched_q || known_q) &&
           (!there_q || (watched_q && puts_q[5:1] == '0)) &&
           watched_q == (there_q || puts_q[5:1] != '0 || takes_q[6]);
    for (int unsigned s = 1; s < 6; s++) begin
      if (puts_q[s] && !(given_q[s] && operation_q[s].op == OpPut)) tags = 1'b0;
      if (takes_q[s] && !(given_q[s] && operation_q[s].op == OpTake)) tags = 1'b0;
      if (takes_q[s] && !(there_q || (puts_q[5:1] >> (s + 1)) != '0)) tags = 1'b0;
    end
  end

  // In an operation's cycle 5: the totals with row and column. Then those that the watched stone
  // came to, and what the RTL has of the lines before
  count_t half, taken_half, totals, added;
  logic [1:0][7:6] rest_there, high_there;
  always_comb begin
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 1; k < 8; k++) begin
        half[c][k]       = sum_q[c][k] + straight_q[c][k];
        taken_half[c][k] = start_q[c][k] + put_q[1][c][k];
        totals[c][k]     = start_q[c][k] + put_q[0][c][k] + put_q[1][c][k] + behind_q[c][k];
        added[c][k]      = 10'(u_dut.there_q[c][k]);
      end
      for (int unsigned k = 6; k < 8; k++) begin
        rest_there[c][k] = u_dut.rest_q[c][k] == rest_q[c][k] && rest_q[c][k] <= sum_q[c][k] &&
                           half[c][k] - rest_q[c][k] <= 10'd30;
        high_there[c][k] = u_dut.highest_q[c][k] == (half[c][k] != rest_q[c][k]);
      end
    end
  end

  always_comb begin
    Point_M:  assume (!valid_i || (point_i.x < 4'd15 && point_i.y < 4'd15));
    Apart_M:  assume (!valid_i || (!given_q[1] && !(given_q[3] && writes(operation_q[3]))));
    Held_M:   assume (!given_q[1] || operation == operation_q[1]);
    Clear_M:  assume (!clear_i || (!valid_i && !given_q[1]));
    Whole_M:  assume (clear_i || clear_addr_q == '0 || clear_addr_q >= 6'd8);
    Keys_M:   assume (!used_q || (lines_i == lines_q && key_i == key_q));
    Parts_M:  assume (!known_q || parts);
    Turned_M: assume (!(takes_q[4] || takes_q[5]) || change == turned);
    Behind_M: assume (!takes_q[5] || behind_q == '0);
    if (rst_n) begin
      // What is claimed
      Both_A:    assert (both_asked);
      Asked_A:   assert (!(begins || (given_q[1] && !kill_i)) || (rows_asked && columns_asked));
      Profile_A: assert (!used_q || (u_dut.u_columns.lines_i == lines_i &&
                         u_dut.u_columns.key_i == key_i && u_dut.u_rows.key_i == key_i));
      Lines_A:   assert (!u_dut.u_rows.valid_i || kill_i ||
                         (rows_apart && columns_apart && !clear_i));
      Clear_A:   assert (clears);
      Told_A:    assert (told && u_dut.u_maps.clear_i == cleared_q);
      Passed_A:  assert (u_dut.u_maps.kind_i == kind_i && candidates == maps_i.candidates &&
                         keys == maps_i.keys);
      if (known_q) begin
        Totals_A: assert (u_dut.board_q == sum_q);
        Fives_A:  assert (fives == fives_q);
        Undone_A: assert (!takes_q[6] || u_dut.board_q == start_q);
      end
      if (known_q && answers_q) begin
        Counts_A:  assert (counts == answer_q.counts);
        Threats_A: assert (five == answer_q.five && open4 == answer_q.open4);
        Run_A:     assert (run == answer_q.run);
        Look_A:    assert ({look_five, look_open4} == answer_q.look);
      end
      if (known_q && given_q[5]) begin
        Soon_A: assert (five_soon == answer.five[0] && open4_soon == answer.open4[0]);
      end
      // An empty board
      if (none_q) None_A: assert (five == '0 && open4 == '0 && fives == '0);
      // How it comes about
      Step_A:    assert (in_step);
      Drained_A: assert (drained);
      Tags_A:    assert (tags);
      Used_A:    assert (used_q || given_q[5:1] == '0 || clear_addr_q != '0);
      Delayed_A: assert (u_dut.lines_q == lines_q && u_dut.key_q == key_q);
      None5_A:   assert (!none_q || !given_q[5]);
      Before_A:  assert (added == before_q);
      if (given_q[1]) begin
        Diagonals_A: assert (u_dut.falling_q == falling && u_dut.rising_q == rising);
      end
      if (known_q && given_q[5]) begin
        Half_A: assert (u_dut.half_q == half);
        Rest_A: assert (rest_there == '1 && high_there == '1);
        Runs_A: assert (u_dut.run_q == run_q && (run_q & ~fives_q) == '0 &&
                        {u_dut.look_five_q, u_dut.look_open4_q} == look_q);
      end
      if (puts_q[5]) PutHalf_A: assert (straight_q == put_q[0]);
      if (takes_q[5]) TakeHalf_A: assert (half == taken_half);
      if (there_q) There_A: assert (u_dut.board_q == totals);
      if (clear_addr_q >= 6'd2 || (known_q && cleared_q)) begin
        Empty_A: assert (u_dut.board_q == '0 && sum_q == '0 && fives_q == '0 && five == '0 &&
                         open4 == '0 && fives == '0);
      end
    end
    Undone_C: cover (rst_n && takes_q[6] && nested_q && put_q[0][0][5] == 10'd3 &&
                     put_q[1][1][6] == 10'd1023);
    Five_C:   cover (rst_n && answers_q && five == 2'b10 && nested_q && there_q && put_q == '0 &&
                     given_q[6] && operation_q[6].op == OpScore);
    Killed_C: cover (rst_n && answers_q && killed_q && given_q[6] && counts[1][2] == 10'd60);
    Look_C:   cover (rst_n && answers_q && lines_q && given_q[6] && operation_q[6].op == OpLook &&
                     look_open4 && !look_five);
    Run_C:    cover (rst_n && answers_q && run && fives == 2'b11);
  end

endmodule
