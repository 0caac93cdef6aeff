// gomoku_pick, gomoku_pick_row: of the points offered when a pick begins, but for those picked
// before, the one of the highest key, among equals the lowest one, or simply the lowest; none
// exactly when there is none. The points picked are those since they were forgotten or replaced.
// Latency as said.
//
// It is compared with one point, any of them. Keys are steady in the first four cycles of a pick
// and the order in all; a pick begins when none is under way, or with its end. A pick that is held
// and given up may count or not: what has been picked is not looked at then until it is forgotten
// or replaced.
module gomoku_pick_proof
  import gomoku_pkg::*;
(
  input logic                      clk_i,
  input point_t                    watched_i,
  input map_t                      source_i,
  input key_t [Side-1:0][Side-1:0] keys_i,
  input logic                      by_key_i,
  input logic                      start_i,
  input logic                      fresh_i,
  input logic                      again_i,
  input logic                      hold_i,
  input logic                      abort_i,
  input logic                      clear_i,
  input logic                      restore_i,
  input map_t                      restored_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic                      busy, done, found;
  point_t                    point;
  map_t                      picked;
  key_t [Side-1:0][Side-1:0] keys_q, keys;

  gomoku_pick u_dut (
    .clk_i,
    .rst_ni     (rst_n),
    .source_i,
    .keys_i     (keys),
    .by_key_i,
    .start_i,
    .fresh_i,
    .again_i,
    .hold_i,
    .abort_i,
    .clear_i,
    .restore_i,
    .restored_i,
    .busy_o     (busy),
    .done_o     (done),
    .found_o    (found),
    .point_o    (point),
    .picked_o   (picked)
  );

  // ----------------------------------------------------------------------------------- a pick
  point_t     watched_q;
  logic       under_way_q;  // since the cycle after it began
  logic       keyed_q;
  logic [2:0] age_q;        // cycles since it began, up to 6
  map_t       offered_q;    // points that may be picked
  logic       begins, ends; // the cycle in which it may end
  assign begins = start_i || (done && found && again_i && !abort_i);
  assign ends   = under_way_q && age_q == (keyed_q ? 3'd6 : 3'd2);
  assign keys   = (under_way_q && age_q < 3'd4) ? keys_q : keys_i;

  // Those picked so far, if that is known
  logic picks_known_q;
  map_t picks_q, here;
  always_comb begin
    here = '0;
    for (int unsigned y = 0; y < Side; y++) begin
      for (int unsigned x = 0; x < Side; x++) begin
        if (done && found && point == point_t'{y: 4'(y), x: 4'(x)}) here[y][x] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) watched_q <= watched_i;
    if (!rst_n) under_way_q <= 1'b0;
    else if (begins) under_way_q <= 1'b1;
    else if (done || abort_i) under_way_q <= 1'b0;
    if (begins) begin
      age_q     <= 3'd1;
      keyed_q   <= by_key_i;
      offered_q <= source_i & ({Side * Side{fresh_i}} | ~(picks_q | here));
      keys_q    <= keys_i;
    end else if (!ends) begin
      age_q <= age_q + 3'd1;
    end

    picks_q <= (clear_i ? '0 : picks_q) | here;
    if (restore_i) picks_q <= restored_i;
    if (!rst_n || (ends && hold_i && abort_i)) picks_known_q <= 1'b0;
    else if (restore_i || (clear_i && !(ends && hold_i))) picks_known_q <= 1'b1;
  end

  // ---------------------------------------------------------------------- what it came to
  logic watched_offered, point_offered, lower, better;
  key_t watched_key, point_key;
  always_comb begin
    watched_offered = 1'b0;
    point_offered   = 1'b0;
    watched_key     = '0;
    point_key       = '0;
    for (int unsigned y = 0; y < Side; y++) begin
      for (int unsigned x = 0; x < Side; x++) begin
        if (watched_q == point_t'{y: 4'(y), x: 4'(x)}) begin
          watched_offered = offered_q[y][x];
          watched_key     = keys_q[y][x];
        end
        if (point == point_t'{y: 4'(y), x: 4'(x)}) begin
          point_offered = offered_q[y][x];
          point_key     = keys_q[y][x];
        end
      end
    end
    lower  = {watched_q.y, watched_q.x} < {point.y, point.x};
    better = lower;
    if (keyed_q) better = watched_key > point_key || (watched_key == point_key && lower);
  end

  // ---------------------------------------------------------------------- how it comes about
  // By row: the points left; by the bits of the keys that are decided, the highest key of the row,
  // and that of all rows; the rows that have it
  map_t                     left;
  places_t                  any, rows;
  logic [Side-1:0][3:1]     least;
  logic [Side-1:0][1:0][Side-1:0] bits;  // of the keys: those decided next
  logic [Side-1:0][7:0]     row_key_q;
  logic [7:0]               key_q;
  places_t [Side-1:0]       place;
  coord_t [Side-1:0]        column;
  assign rows = u_dut.rows_q;
  for (genvar y = 0; y < Side; y++) begin : gen_row
    assign left[y]   = u_dut.gen_row[y].u_gomoku_pick_row.left_q;
    assign any[y]    = u_dut.gen_row[y].u_gomoku_pick_row.any_q;
    assign least[y]  = u_dut.gen_row[y].u_gomoku_pick_row.least_q;
    assign bits[y]   = {u_dut.gen_row[y].u_gomoku_pick_row.high_q,
                        u_dut.gen_row[y].u_gomoku_pick_row.low_q};
    assign place[y]  = u_dut.gen_row[y].u_gomoku_pick_row.place_q;
    assign column[y] = u_dut.gen_row[y].u_gomoku_pick_row.column_q;
  end

  // The bits of a key that are decided at an age, the two that are next
  function automatic logic [7:0] decided(key_t key, logic [2:0] age);
    unique case (age)
      3'd2:    return 8'(key[7:6]);
      3'd3:    return 8'(key[7:4]);
      3'd4:    return 8'(key[7:2]);
      3'd5:    return key;
      default: return '0;
    endcase
  endfunction

  function automatic logic [1:0] next_bits(key_t key, logic [2:0] age);
    unique case (age)
      3'd1:    return key[7:6];
      3'd2:    return key[5:4];
      3'd3:    return key[3:2];
      default: return key[1:0];
    endcase
  endfunction

  logic [Side-1:0][1:0] row_most;
  logic [1:0]           most;
  always_comb begin
    most = '0;
    for (int unsigned y = 0; y < Side; y++) begin
      row_most[y] = '0;
      for (int unsigned x = 0; x < Side; x++) begin
        row_most[y][1] |= left[y][x] & bits[y][1][x];
      end
      for (int unsigned x = 0; x < Side; x++) begin
        row_most[y][0] |= left[y][x] & bits[y][0][x] & (bits[y][1][x] | !row_most[y][1]);
      end
      most[1] |= rows[y] & row_key_q[y][1];
    end
    for (int unsigned y = 0; y < Side; y++) begin
      most[0] |= rows[y] & row_key_q[y][0] & (row_key_q[y][1] | !most[1]);
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned y = 0; y < Side; y++) begin
      if (begins) row_key_q[y] <= '0;
      else if (age_q < 3'd5) row_key_q[y] <= {row_key_q[y][5:0], row_most[y]};
    end
    if (begins || age_q == 3'd1) key_q <= '0;
    else if (age_q < 3'd5) key_q <= {key_q[5:0], most};
  end

  // What is left is offered, has the row's key, and none of the row has a higher one; likewise
  // the rows. The bits that the rows are compared by come a cycle later.
  logic rows_ok, left_ok, bits_ok, watched_ok, least_ok;
  always_comb begin
    left_ok    = 1'b1;
    bits_ok    = 1'b1;
    least_ok   = 1'b1;
    rows_ok    = 1'b1;
    watched_ok = 1'b1;
    for (int unsigned y = 0; y < Side; y++) begin
      if ((left[y] & ~offered_q[y]) != '0 || (left[y] != '0) != (offered_q[y] != '0)) begin
        left_ok = 1'b0;
      end
      if (age_q == 3'd1 && (left[y] != offered_q[y] || any[y] != (left[y] != '0))) left_ok = 1'b0;
      for (int unsigned x = 0; x < Side; x++) begin
        if (left[y][x] && decided(keys_q[y][x], age_q) != row_key_q[y]) left_ok = 1'b0;
        if ({bits[y][1][x], bits[y][0][x]} != next_bits(keys_q[y][x], age_q)) bits_ok = 1'b0;
        if (watched_q == point_t'{y: 4'(y), x: 4'(x)} && watched_offered && !left[y][x] &&
            row_key_q[y] <= decided(keys_q[y][x], age_q)) watched_ok = 1'b0;
      end
      if (left[y] != '0 && least[y] != {row_key_q[y][1:0] == 2'd3, row_key_q[y][1],
                                        row_key_q[y][1:0] != '0}) least_ok = 1'b0;
      if (rows[y] && (left[y] == '0 || row_key_q[y][7:2] != key_q[5:0])) rows_ok = 1'b0;
      if (!rows[y] && left[y] != '0 && row_key_q[y][7:2] >= key_q[5:0]) rows_ok = 1'b0;
    end
    if (age_q == 3'd2) begin
      rows_ok = key_q == '0;
      for (int unsigned y = 0; y < Side; y++) if (rows[y] != (left[y] != '0)) rows_ok = 1'b0;
    end
    if ((rows != '0) != (left != '0)) rows_ok = 1'b0;
  end

  // The state, by age
  logic [2:0] state;
  always_comb begin
    state = 3'b100;
    if (under_way_q) begin
      unique case (age_q)
        3'd1:    state = keyed_q ? 3'b000 : 3'b110;
        3'd2:    state = keyed_q ? 3'b001 : 3'b101;
        3'd3:    state = 3'b010;
        3'd4:    state = 3'b011;
        3'd5:    state = 3'b110;
        default: state = 3'b101;
      endcase
    end
  end

  map_t point_mask;
  always_comb begin
    for (int unsigned y = 0; y < Side; y++) begin
      for (int unsigned x = 0; x < Side; x++) begin
        point_mask[y][x] = ends && found && point == point_t'{y: 4'(y), x: 4'(x)};
      end
    end
  end

  logic chosen_ok;
  always_comb begin
    chosen_ok = u_dut.row_q == u_dut.chosen_q && (found ? $onehot(u_dut.chosen_q)
                                                        : u_dut.chosen_q == '0);
    for (int unsigned y = 0; y < Side; y++) begin
      if (u_dut.chosen_q[y] && (place[y] != one_hot(column[y]) || place[y] == '0)) chosen_ok = 1'b0;
    end
  end

  logic hold_q;
  always_ff @(posedge clk_i) hold_q <= hold_i;

  always_comb begin
    Watched_M: assume (watched_i.x < 4'd15 && watched_i.y < 4'd15);
    Begins_M:  assume (!start_i || !under_way_q || (ends && !hold_i));
    Steady_M:  assume (!under_way_q || begins || by_key_i == keyed_q);
    Fresh_M:   assume (!begins || fresh_i || picks_known_q);
    if (rst_n) begin
      Watched_A: assert (watched_q.x < 4'd15 && watched_q.y < 4'd15);
      Busy_A:    assert (busy == under_way_q);
      Done_A:    assert (done == (ends && !hold_i));
      if (ends) begin
        Found_A:  assert (!watched_offered || found);
        Point_A:  assert (!found || point_offered);
        Best_A:   assert (!watched_offered || !better);
      end
      Picked_A:  assert (!picks_known_q || picked == (picks_q | point_mask));
      State_A:   assert (u_dut.state_q == state && u_dut.column_q == ends &&
                         u_dut.load_q == (!under_way_q || ends));
      Keyed_A:   assert (!under_way_q || u_dut.keyed_q == keyed_q);
      Row_A:     assert (ends || u_dut.row_q == '0);
      Chosen_A:  assert (!ends || chosen_ok);
      Digit_A:   assert (u_dut.digit_q == ((under_way_q && keyed_q && age_q < 3'd4) ? age_q[1:0]
                                                                                    : 2'd0));
      if (under_way_q && !ends) begin
        Left_A:    assert (left_ok);
        Bits_A:    assert (!keyed_q || age_q > 3'd4 || bits_ok);
        Highest_A: assert (watched_ok);
        Least_A:   assert (!keyed_q || age_q < 3'd2 || least_ok);
        Rows_A:    assert (!keyed_q || age_q < 3'd2 || rows_ok);
      end
      Age_A:     assert (!under_way_q || (age_q != '0 && age_q <= (keyed_q ? 3'd6 : 3'd2)));
    end
    Tie_C:   cover (rst_n && done && found && keyed_q && watched_offered &&
                    watched_key == point_key && watched_q != point && watched_q.x < point.x);
    Again_C: cover (rst_n && done && found && keyed_q && picks_known_q && picks_q[0][0] && hold_q);
    None_C:  cover (rst_n && done && !found && picks_known_q && picks_q != '0);
  end

endmodule
