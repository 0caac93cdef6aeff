// gomoku_board, gomoku_maps: each stone is given to the four lines of its point and no other, at
// its place; an empty board's lines have the places that they have. A point's key is the sum of its
// keys on its four lines, and it is a candidate exactly when one of them says so, of what the node
// needs. The counts are those of all lines, with the operation: a stone changes each by as much as
// it changes on its four lines, what is scored changes nothing. FIVE, OPEN4 and runs of either side
// are reported where there are any.
//
// One point is watched, any of them. The lines are gomoku_lines_stub, whatever they say within what
// gomoku_lines_proof shows: none of a stone's own point changes, so it has the same key again when
// its stone is taken; the counts of four lines are part of the board's (Part_M), which has no more
// than 1023 of a class. Operations come two cycles apart or more, none in a clear;
// behind a stone that is killed the board is made empty.
module gomoku_board_proof
  import gomoku_pkg::*, gomoku_lines_pkg::data_t;
(
  input logic            clk_i,
  input point_t          watched_i,
  input data_t [1:0]     data_i,   // of rows and falling lines, of columns and rising ones
  input logic            lines_i,
  input logic [7:1][4:0] key_i,
  input logic            clear_i,
  input logic            kill_i,
  input logic            valid_i,
  input point_t          point_i,
  input logic            colour_i,
  input op_e             op_i,
  input kind_t           kind_i
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
  assign u_dut.u_rows.data    = data_i[0];
  assign u_dut.u_columns.data = data_i[1];

  // --------------------------------------------------------------------------- the operations
  typedef struct packed {
    point_t point;
    logic   colour;
    op_e    op;
  } operation_t;

  point_t           watched_q;
  logic             known_q;      // the board has been made empty
  logic             used_q, lines_q;
  logic [6:1]       valid_q;      // one was given so many cycles ago
  operation_t [6:1] operation_q;
  operation_t       operation;
  assign operation = '{point: point_i, colour: colour_i, op: op_i};

  function automatic logic writes(operation_t operation);
    return operation.op == OpPut || operation.op == OpTake;
  endfunction

  logic lost;
  always_comb begin
    lost = 1'b0;
    for (int unsigned s = 1; s < 6; s++) begin
      if (kill_i && valid_q[s] && writes(operation_q[s])) lost = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) watched_q <= watched_i;
    valid_q      <= (!rst_n || kill_i) ? '0 : {valid_q[5:1], valid_i};
    operation_q  <= {operation_q[5:1], operation};
    clear_addr_q <= (rst_n && clear_i) ? clear_addr_q + 6'd1 : '0;
    lines_q      <= lines_i;
    if (!rst_n || lost) known_q <= 1'b0;
    else if (clear_i) known_q <= clear_addr_q == 6'd63;
    if (!rst_n || clear_i) used_q <= 1'b0;
    else if (valid_i) used_q <= 1'b1;
  end

  // The two lines of each half, in the cycle in which they change, and those of the point watched:
  // by direction
  logic       first, second;
  logic [3:0] on;
  operation_t now;
  assign first  = valid_q[4];
  assign second = valid_q[5];
  assign now    = second ? operation_q[5] : operation_q[4];
  always_comb begin
    on[0] = first && now.point.y == watched_q.y;
    on[1] = first && now.point.x == watched_q.x;
    on[2] = second && 5'(now.point.x) + 5'(watched_q.y) == 5'(watched_q.x) + 5'(now.point.y);
    on[3] = second && 5'(now.point.x) + 5'(now.point.y) == 5'(watched_q.x) + 5'(watched_q.y);
    if (!writes(now)) on = '0;
  end

  // ------------------------------------------------------------------------ the point watched
  logic [3:0][5:0] key_q;
  logic [3:0]      five_q, four_q, alive_q;
  logic [1:0][6:0] change;
  logic [1:0]      says_five, says_four, says_alive;
  logic            on_board;
  always_comb begin
    change     = '0;
    says_five  = '0;
    says_four  = '0;
    says_alive = '0;
    for (int unsigned i = 0; i < Side; i++) begin
      for (int unsigned h = 0; h < 2; h++) begin
        if ((h == 0 ? watched_q.x : watched_q.y) == 4'(i)) begin
          change[h]     = data_i[h].key_change[i];
          says_five[h]  = data_i[h].flags.five[i];
          says_four[h]  = data_i[h].flags.four[i];
          says_alive[h] = data_i[h].flags.alive[i];
        end
      end
    end
  end

  logic [3:0][7:0] changed;  // the key that a line has now, in two's complement
  logic            keeps, own;
  always_comb begin
    own   = now.point == watched_q;
    keeps = 1'b1;
    for (int unsigned d = 0; d < 4; d++) begin
      changed[d] = 8'(key_q[d]) + 8'(signed'(change[d[0]]));
      if (on[d] && (changed[d] > 8'd62 || (own && change[d[0]] != '0))) keeps = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned d = 0; d < 4; d++) begin
      if (on[d]) begin
        key_q[d]   <= changed[d][5:0];
        five_q[d]  <= says_five[d[0]];
        four_q[d]  <= says_four[d[0]];
        alive_q[d] <= says_alive[d[0]];
      end
    end
    if (clear_i) begin
      key_q   <= '0;
      five_q  <= '0;
      four_q  <= '0;
      alive_q <= '0;
    end
  end

  key_t key_here;
  logic candidate_here, at_five, at_four;
  always_comb begin
    key_here       = '0;
    candidate_here = 1'b0;
    for (int unsigned y = 0; y < Side; y++) begin
      for (int unsigned x = 0; x < Side; x++) begin
        if (watched_q == point_t'{y: 4'(y), x: 4'(x)}) begin
          key_here       = keys[y][x];
          candidate_here = candidates[y][x];
        end
      end
    end
    at_five = five_q != '0;
    at_four = four_q != '0;
  end

  // What the maps hold of it
  logic [Side-1:0][Side-1:0][11:0] held;
  logic [11:0]                     held_here;
  for (genvar y = 0; y < Side; y++) begin : gen_row
    for (genvar x = 0; x < Side; x++) begin : gen_column
      assign held[y][x] = {u_dut.u_maps.gen_row[y].gen_column[x].five_q,
                           u_dut.u_maps.gen_row[y].gen_column[x].four_q,
                           u_dut.u_maps.gen_row[y].gen_column[x].alive_q};
    end
  end
  always_comb begin
    held_here = '0;
    for (int unsigned y = 0; y < Side; y++) begin
      for (int unsigned x = 0; x < Side; x++) begin
        if (watched_q == point_t'{y: 4'(y), x: 4'(x)}) held_here = held[y][x];
      end
    end
  end

  // ------------------------------------------------------------------------------- the counts
  count_t      total_q, half_q, sum, rest_q, rest;  // of all lines; with the first half; with both
  line_count_t [1:0] before_q;
  logic        part, whole;
  logic [1:0][7:1][4:0] was;
  logic [1:0]  run_q, run_now, look_q, look, fives_q;
  count_t      full_q;                 // with the operation that is over, and what it said
  logic [1:0]  runs_q, looks_q;
  always_comb begin
    part  = 1'b1;
    whole = 1'b1;
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 1; k < 8; k++) begin
        was[c][k]  = 5'(before_q[0][c][k]) + 5'(before_q[1][c][k]);
        rest[c][k] = (first ? total_q[c][k] : rest_q[c][k]) - 10'(was[c][k]);
        sum[c][k]  = (first ? total_q[c][k] : half_q[c][k]) + 10'(data_i[0].count[c][k]) +
                     10'(data_i[1].count[c][k]) - 10'(was[c][k]);
        if ((first ? total_q[c][k] : rest_q[c][k]) < 10'(was[c][k])) part = 1'b0;
        if (11'(first ? total_q[c][k] : half_q[c][k]) + 11'(data_i[0].count[c][k]) +
            11'(data_i[1].count[c][k]) > 11'd1023 + 11'(was[c][k])) part = 1'b0;
      end
      for (int unsigned k = 6; k < 8; k++) begin
        for (int unsigned h = 0; h < 2; h++) begin
          if (data_i[h].highest[c][k] != (data_i[h].count[c][k] != '0)) whole = 1'b0;
        end
      end
    end
    run_now = (first ? '0 : run_q) | data_i[0].five | data_i[1].five;
    look    = (first ? '0 : look_q) | {data_i[0].place_open4 | data_i[1].place_open4,
                                       data_i[0].place_five | data_i[1].place_five};
  end

  always_ff @(posedge clk_i) begin
    before_q <= {data_i[1].count_before, data_i[0].count_before};
    if (first) begin
      half_q <= sum;
      rest_q <= rest;
    end
    if (first || second) begin
      run_q   <= run_now;
      look_q  <= look;
      fives_q <= fives_q | run_now;
    end
    if (second) begin
      full_q  <= sum;
      runs_q  <= run_now;
      looks_q <= look;
      if (writes(now)) total_q <= sum;
    end
    if (clear_i) begin
      total_q <= '0;
      fives_q <= '0;
    end
  end

  // What an operation said holds until the next one's cycle 5.
  logic       over_q;
  operation_t over_operation_q;
  always_ff @(posedge clk_i) begin
    if (second) over_operation_q <= now;
    over_q <= rst_n && !clear_i && (second || (over_q && !first));
  end

  logic mine, soon_five, soon_open4;
  assign mine       = over_operation_q.colour;
  assign soon_five  = lines_q && sum[now.colour][7] != '0;
  assign soon_open4 = lines_q && sum[now.colour][6] != '0;

  // Which places of a diagonal are on the board
  places_t    on_diagonal;
  logic [5:0] number_;
  assign number_ = clear_addr_q - 6'd32;
  always_comb begin
    for (int unsigned i = 0; i < Side; i++) begin
      on_diagonal[i] = number_ >= 6'(i) && number_ - 6'(i) < 6'(Side);
    end
  end

  // What is under way in the board and in its lines
  logic halves_ok, there_ok, drained, rest_ok, grows;
  always_comb begin
    halves_ok = 1'b1;
    for (int unsigned s = 1; s < 5; s++) begin
      operation_t of;
      of = valid_q[s] ? operation_q[s] : operation_q[s+1];
      if (u_dut.u_rows.valid_q[s] != (valid_q[s] || valid_q[s+1]) ||
          u_dut.u_columns.valid_q[s] != (valid_q[s] || valid_q[s+1])) halves_ok = 1'b0;
      if (valid_q[s] || valid_q[s+1]) begin
        if (u_dut.colour_q[s] != of.colour || u_dut.u_rows.write_q[s] != writes(of) ||
            u_dut.u_columns.write_q[s] != writes(of) ||
            u_dut.u_rows.diagonal_q[s] != valid_q[s+1] ||
            u_dut.u_columns.diagonal_q[s] != valid_q[s+1] ||
            of.point.x == 4'd15 || of.point.y == 4'd15 ||
            6'(u_dut.u_rows.line_q[s]) != (valid_q[s] ? 6'(of.point.y) :
              6'(of.point.x) + 6'd14 - 6'(of.point.y)) ||
            6'(u_dut.u_columns.line_q[s]) != (valid_q[s] ? 6'(of.point.x) :
              6'(of.point.x) + 6'(of.point.y))) halves_ok = 1'b0;
      end
    end

    drained = 1'b1;
    for (int unsigned s = 1; s < 7; s++) begin
      if (valid_q[s] && clear_addr_q >= 6'(s)) drained = 1'b0;
    end

    there_ok = 1'b1;
    rest_ok  = 1'b1;
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 1; k < 8; k++) begin
        if (u_dut.there_q[c][k] != 5'(before_q[0][c][k]) + 5'(before_q[1][c][k])) there_ok = 1'b0;
      end
      for (int unsigned k = 6; k < 8; k++) begin
        if (u_dut.rest_q[c][k] != rest_q[c][k] || half_q[c][k] < rest_q[c][k] ||
            u_dut.highest_q[c][k] != (half_q[c][k] != rest_q[c][k])) rest_ok = 1'b0;
      end
    end

    // The mask of an empty diagonal, made from the one before
    grows = u_dut.diagonal_q == on_diagonal || clear_addr_q >= 6'd61;
  end

  // The lines that are given in the two cycles
  logic given_first, given_second;
  always_comb begin
    given_first  = u_dut.u_rows.straight_addr_i == point_i.y && u_dut.u_rows.place_i == point_i.x &&
                   u_dut.u_columns.straight_addr_i == point_i.x &&
                   u_dut.u_columns.place_i == point_i.y;
    given_second = 6'(u_dut.u_rows.diagonal_addr_i) + 6'(operation_q[1].point.y) ==
                   6'(operation_q[1].point.x) + 6'd14 &&
                   6'(u_dut.u_columns.diagonal_addr_i) ==
                   6'(operation_q[1].point.x) + 6'(operation_q[1].point.y) &&
                   u_dut.u_rows.place_i == operation_q[1].point.x &&
                   u_dut.u_columns.place_i == operation_q[1].point.y;
  end

  always_comb begin
    Watched_M: assume (watched_i.x < 4'd15 && watched_i.y < 4'd15);
    Point_M:   assume (!valid_i || (point_i.x < 4'd15 && point_i.y < 4'd15));
    Apart_M:   assume (!(valid_i && valid_q[1]));
    Held_M:    assume (!valid_q[1] || operation == operation_q[1]);
    Clear_M:   assume (!clear_i || !valid_i);
    Whole_M:   assume (clear_i || clear_addr_q == '0);
    Profile_M: assume (!used_q || lines_i == lines_q);
    Keeps_M:   assume (keeps);
    Part_M:    assume (!(first || second) || part);
    Highest_M: assume (whole);
    if (rst_n) begin
      Watched_A: assert (watched_q.x < 4'd15 && watched_q.y < 4'd15);
      // What is claimed
      Given_A:  assert ((u_dut.u_rows.valid_i == (valid_i || valid_q[1])) &&
                        (u_dut.u_columns.valid_i == (valid_i || valid_q[1])) &&
                        u_dut.u_rows.diagonal_i == valid_q[1] &&
                        u_dut.u_columns.diagonal_i == valid_q[1]);
      First_A:  assert (!valid_i || given_first);
      Second_A: assert (!valid_q[1] || given_second);
      On_A:     assert (!clear_i || u_dut.on == ((clear_addr_q < 6'd32) ? '1 :
                        (clear_addr_q < 6'd61) ? on_diagonal : u_dut.on));
      if (known_q) begin
        Key_A:       assert (key_here == 8'(key_q[0]) + 8'(key_q[1]) + 8'(key_q[2]) + 8'(key_q[3]));
        Candidate_A: assert (candidate_here == (alive_q != '0 && (!kind_i.five || at_five) &&
                             (!kind_i.four || at_four)));
        if (over_q) begin
          Counts_A: assert (counts == {full_q[!mine], full_q[mine]});
          Five_A:   assert (five == (lines_q ? {full_q[!mine][7] != '0, full_q[mine][7] != '0}
                                             : 2'b00));
          Open4_A:  assert (open4 == (lines_q ? {full_q[!mine][6] != '0, full_q[mine][6] != '0}
                                              : 2'b00));
          Run_A:    assert (run == (!lines_q && runs_q[mine]));
          Look_A:   assert ({look_open4, look_five} == looks_q);
        end
        if (second) begin
          Soon_A:   assert (five_soon == soon_five && open4_soon == soon_open4);
        end
        Fives_A:  assert (fives == fives_q);
        // How it comes about
        Total_A:  assert (u_dut.board_q == total_q);
        Flags_A:  assert (held_here == {five_q, four_q, alive_q});
      end
      Stages_A: assert (u_dut.under_way_q == valid_q[4:1] && (valid_q & valid_q >> 1) == '0);
      Halves_A: assert (halves_ok);
      There_A:  assert (there_ok);
      Before_A: assert (!valid_q[6] || operation_q[6] == over_operation_q);
      if (second && known_q) begin
        Half_A: assert (u_dut.half_q == half_q && u_dut.run_q == run_q &&
                        {u_dut.look_open4_q, u_dut.look_five_q} == look_q);
        Rest_A: assert (rest_ok);
      end
      Clearing_A: assert (!u_dut.clear_q || (!used_q && !over_q &&
                          (clear_addr_q != '0 || valid_q == '0)));
      Drained_A:  assert (drained);
      Used_A:     assert (clear_addr_q != '0 || used_q || (valid_q == '0 && !over_q));
      Known_A:    assert (clear_addr_q == '0 || (u_dut.clear_q && !known_q));
      Clears_A:   assert ((clear_addr_q == '0 && !(known_q && u_dut.clear_q)) || (
                          {total_q, fives_q, key_q, five_q, four_q, alive_q} == '0));
      Cleared_A:  assert ((clear_addr_q < 6'd2 && !(known_q && u_dut.clear_q)) ||
                          {u_dut.board_q, fives, key_here, held_here} == '0);
      Grows_A:    assert (clear_addr_q < 6'd32 || grows);
    end
    Taken_C:  cover (rst_n && known_q && over_q && over_operation_q.op == OpTake && lines_q);
    Own_C:    cover (rst_n && known_q && second && writes(now) && own && candidate_here);
    Clear_C:  cover (rst_n && known_q && clear_i && total_q != '0);
  end

endmodule
