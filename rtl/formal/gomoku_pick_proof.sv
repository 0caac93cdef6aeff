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
      Picked_A:  assert (!picks_known_q || (ends && hold_i) || picked == (picks_q | here));
      Age_A:     assert (!under_way_q || (age_q != '0 && age_q <= (keyed_q ? 3'd6 : 3'd2)));
    end
    Tie_C:   cover (rst_n && done && found && keyed_q && watched_offered && watched_key == point_key &&
                    watched_q != point && watched_q.x < point.x);
    Again_C: cover (rst_n && done && found && keyed_q && picks_known_q && picks_q[0][0] && hold_q);
    None_C:  cover (rst_n && done && !found && picks_known_q && picks_q != '0);
  end

endmodule
