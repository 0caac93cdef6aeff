// gomoku_maps: the candidates and their keys. With gomoku_lines_proof, which shows what is reported
// of a line, this is the proof of the set of candidates.
//
// One arbitrary point is watched. It is a candidate by the flags reported last for the four lines
// through it: it is alive in some direction, and has a FOUR or a FIVE in some direction if `kind_i`
// requires one. Its key is the sum of the changes reported for its lines. All of this counts from
// the last clear on; a line that was not reported since then adds nothing, and lines that do not
// pass through the point change nothing.
//
// Reports are any, of one row or falling line and of one column or rising line in a cycle at most.
// Where two of them meet only one changes the key: gomoku_lines_proof shows that none does at the
// stone's point, and gomoku_board reports no lines that meet elsewhere. Clears come at any time.
module gomoku_maps_proof
  import gomoku_pkg::*;
(
  input logic        clk_i,
  input point_t      watched_i,
  input logic        clear_i,
  input places_t     row_i,
  input diagonals_t  falling_i,
  input key_change_t row_change_i,
  input flags_t      row_flags_i,
  input places_t     column_i,
  input diagonals_t  rising_i,
  input key_change_t column_change_i,
  input flags_t      column_flags_i,
  input kind_t       kind_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  map_t                      candidates;
  key_t [Side-1:0][Side-1:0] keys;

  gomoku_maps u_dut (
    .clk_i,
    .clear_i,
    .row_i,
    .falling_i,
    .row_change_i,
    .row_flags_i,
    .column_i,
    .rising_i,
    .column_change_i,
    .column_flags_i,
    .kind_i,
    .candidates_o (candidates),
    .keys_o       (keys)
  );

  // ------------------------------------------------------------------------ the watched point
  // By direction: 0 row, 1 column, 2 falling, 3 rising
  typedef struct packed {
    logic five;
    logic four;
    logic alive;
  } line_t;

  point_t      point_q;
  logic        known_q;     // there was a clear
  logic        nested_q;    // what was reported since had no FIVE without a FOUR, none not alive
  line_t [3:0] lines_q;
  logic [7:0]  key_q;       // the sum of the changes
  logic [3:0]  reported_q;  // what was reported in the cycle before

  logic [3:0]  reported;
  line_t       from_row, from_column;  // what is reported of the point
  logic [7:0]  row_change, column_change;
  line_t [3:0] now;
  logic [4:0]  falling, rising;        // the numbers of its diagonals
  assign falling = 5'd14 + 5'(point_q.x) - 5'(point_q.y);
  assign rising  = 5'(point_q.x) + 5'(point_q.y);

  assign reported[0] = row_i[point_q.y];
  assign reported[1] = column_i[point_q.x];
  assign reported[2] = falling_i[falling];
  assign reported[3] = rising_i[rising];

  assign from_row    = '{five: row_flags_i.five[point_q.x], four: row_flags_i.four[point_q.x],
                         alive: row_flags_i.alive[point_q.x]};
  assign from_column = '{five: column_flags_i.five[point_q.y], four: column_flags_i.four[point_q.y],
                         alive: column_flags_i.alive[point_q.y]};
  assign row_change    = (reported[0] || reported[2]) ? 8'(signed'(row_change_i[point_q.x])) : '0;
  assign column_change = (reported[1] || reported[3]) ? 8'(signed'(column_change_i[point_q.y])) :
                                                        '0;
  assign now = {from_column, from_row, from_column, from_row};

  always_ff @(posedge clk_i) begin
    if (!rst_n) point_q <= watched_i;
    reported_q <= reported;
    if (clear_i) begin
      lines_q    <= '0;
      key_q      <= '0;
      reported_q <= '0;
      nested_q   <= 1'b1;
    end else begin
      key_q <= key_q + row_change + column_change;
      for (int unsigned d = 0; d < 4; d++) begin
        if (reported[d]) begin
          lines_q[d] <= now[d];
          if ((now[d].five && !now[d].four) || (now[d].four && !now[d].alive)) nested_q <= 1'b0;
        end
      end
    end
    known_q <= rst_n && (known_q || clear_i);
  end

  logic five, four, alive;  // in some direction
  always_comb begin
    {five, four, alive} = '0;
    for (int unsigned d = 0; d < 4; d++) begin
      five  |= lines_q[d].five;
      four  |= lines_q[d].four;
      alive |= lines_q[d].alive;
    end
  end

  // What a node asks for: the candidates with a FIVE, those with a FOUR, or all. The harness looks
  // at `kind_i` here alone.
  logic asks_five, asks_four;
  assign {asks_five, asks_four} = {kind_i.five, kind_i.four};

  // ------------------------------------------------------------------------- the point in the RTL
  logic [Side-1:0][Side-1:0][3:0] fives, fours, alives;
  for (genvar y = 0; y < Side; y++) begin : gen_row
    for (genvar x = 0; x < Side; x++) begin : gen_column
      for (genvar d = 0; d < 4; d++) begin : gen_direction
        assign fives[y][x][d]  = u_dut.gen_row[y].flags[d].five[x];
        assign fours[y][x][d]  = u_dut.gen_row[y].flags[d].four[x];
        assign alives[y][x][d] = u_dut.gen_row[y].flags[d].alive[x];
      end
    end
  end

  logic       candidate;
  key_t       key_there;
  logic [3:0] fives_there, fours_there, alives_there;
  always_comb begin
    {candidate, key_there, fives_there, fours_there, alives_there} = '0;
    for (int unsigned y = 0; y < Side; y++) begin
      for (int unsigned x = 0; x < Side; x++) begin
        if (point_q.y == 4'(y) && point_q.x == 4'(x)) begin
          candidate    = candidates[y][x];
          key_there    = keys[y][x];
          fives_there  = fives[y][x];
          fours_there  = fours[y][x];
          alives_there = alives[y][x];
        end
      end
    end
  end

  // ----------------------------------------------------------------------------- what is claimed
  logic same;  // each line's flags are those it has in the RTL
  logic inside_each;
  always_comb begin
    same        = 1'b1;
    inside_each = 1'b1;
    for (int unsigned d = 0; d < 4; d++) begin
      if ({lines_q[d].five, lines_q[d].four, lines_q[d].alive} !=
          {fives_there[d], fours_there[d], alives_there[d]}) same = 1'b0;
      if ((lines_q[d].five && !lines_q[d].four) || (lines_q[d].four && !lines_q[d].alive)) begin
        inside_each = 1'b0;
      end
    end
  end

  always_comb begin
    Watched_M: assume (watched_i.x < 4'd15 && watched_i.y < 4'd15);
    One_M:     assume ($onehot0({row_i, falling_i}) && $onehot0({column_i, rising_i}));
    Meet_M:    assume (row_change == '0 || column_change == '0);
    if (rst_n) begin
      Point_A: assert (point_q.x < 4'd15 && point_q.y < 4'd15);
      if (known_q) begin
        Candidate_A: assert (candidate == (alive && (!asks_four || four) && (!asks_five || five)));
        Key_A:       assert (key_there == key_q);
        // The definition: those with a FIVE, or else those with a FOUR, or else all. A FIVE or a
        // FOUR is asked for in `lines` alone, and there gomoku_lines reports no FIVE that is not a
        // FOUR or more, and neither at a point that is not alive.
        if (nested_q) begin
          Defined_A: assert (candidate == (asks_five ? five : asks_four ? four : alive));
        end
        // What makes that inductive
        Same_A:   assert (same);
        Nested_A: assert (!nested_q || inside_each);
      end
    end
    Meet_C:    cover (rst_n && known_q && reported_q == 4'b1100 && key_q == 8'd5);
    Blocked_C: cover (rst_n && known_q && nested_q && candidate && asks_five && key_q == 8'd248 &&
                      fives_there == 4'b0100);
    Lost_C:    cover (rst_n && known_q && !candidate && key_q == '0 && reported_q == 4'b0001 &&
                      !asks_four && !asks_five && four);
  end

endmodule
