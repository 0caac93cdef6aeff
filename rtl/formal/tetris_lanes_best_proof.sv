// tetris_lanes_best: of each board there is one answer, in the order of the boards. It comes when
// the board's last placements and all its removals have come, and not later than said below. It is
// one of the legal placements that came for the board, from a lane or after removal, and none that
// came for it is better: none has a higher score, none with the same score a lower {rotation,
// column}. Without a legal one it is all zeros.
//
// Any board may be the watched one, and any placement of it; any placement may be its answer. What
// holds for them holds for all. Removals belong to boards in order: as many to each as its steps
// have placements that remove rows. A removal comes three cycles after its step, or later.
//
// No more boards are under way than said below, with 34 placements each at most. No more than 15
// removals wait for their board.
module tetris_lanes_best_proof
  import tetris_lanes_pkg::best_t, tetris_lanes_pkg::landing_t;
#(
  parameter int unsigned Lanes  = 4,
  parameter int unsigned Boards = 4  // under way; of the core's 15 only to keep the proof short
) (
  input logic                        clk_i,
  input logic                        alone_i,
  input logic                        step_i,
  input logic                        end_i,
  input logic [Lanes-1:0]            used_i,
  input landing_t [Lanes-1:0]        landing_i,
  input logic [Lanes-1:0][47:0]      score_i,
  input logic                        removed_i,
  input best_t                       removed_best_i,
  input logic                        tag_i,          // the board that begins is to be watched
  input logic                        watch_i,        // so is a placement of this cycle
  input logic [$clog2(Lanes)-1:0]    watch_lane_i,   // of the lane
  input best_t                       some_i          // may be the answer
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic  best_valid;
  best_t best;

  tetris_lanes_best #(
    .Lanes (Lanes)
  ) u_dut (
    .clk_i,
    .rst_ni         (rst_n),
    .alone_i,
    .step_i,
    .end_i,
    .used_i,
    .landing_i,
    .score_i,
    .removed_i,
    .removed_best_i,
    .best_valid_o   (best_valid),
    .best_o         (best)
  );

  // ------------------------------------------------------------------------- by the definition
  function automatic logic comes_first(best_t a, best_t b);
    logic signed [47:0] a_score, b_score;
    a_score = a.rank.score;
    b_score = b.rank.score;
    if (a_score != b_score) return a_score > b_score;
    return {~a.rank.not_rotation, ~a.rank.not_column} < {~b.rank.not_rotation, ~b.rank.not_column};
  endfunction

  // The same in one comparison, which is easier to prove with (Order_A)
  function automatic logic better(best_t a, best_t b);
    return a.legal && (!b.legal || signed'(a.rank) > signed'(b.rank));
  endfunction

  typedef struct packed {
    logic              step;
    logic              last;
    logic [Lanes-1:0]  used;
    logic [Lanes-1:0]  removes;
    best_t [Lanes-1:0] placed;  // legal only if it counts
  } step_t;

  step_t now, one_q, two_q;  // of this cycle, of one and two cycles ago; that one counts
  always_comb begin
    now.step = step_i;
    now.last = end_i;
    now.used = used_i;
    for (int unsigned l = 0; l < Lanes; l++) begin
      now.removes[l] = used_i[l] && landing_i[l].removes;
      now.placed[l]  = '{
        legal:        used_i[l] && landing_i[l].legal && !landing_i[l].removes,
        rank:         '{score:        score_i[l],
                        not_rotation: ~landing_i[l].placing.rotation,
                        not_column:   ~landing_i[l].placing.column},
        row:          landing_i[l].row,
        rows_cleared: '0
      };
    end
  end

  always_ff @(posedge clk_i) begin
    one_q <= now;
    two_q <= one_q;
    if (!rst_n) begin
      one_q.step <= 1'b0;
      two_q.step <= 1'b0;
    end
  end

  // ---------------------------------------------------------------------------- boards in order
  typedef logic [11:0] count_t;  // of placements; more than all boards under way have

  logic       begins;        // a board
  count_t     announced;     // placements that remove rows
  logic       current_q;     // a board has begun and has not ended
  logic [5:0] placements_q;  // that came for the board that began last
  logic [7:0] inside_q;      // boards that have begun and have no answer
  count_t     announced_q;   // removals of all boards, modulo 2^12
  count_t     came_q;        // of them, those that came
  count_t     outstanding;
  logic       alone_q;

  assign begins    = two_q.step && !current_q;
  assign outstanding = announced_q - came_q;
  assign announced = two_q.step ? count_t'($countones(two_q.removes)) : '0;

  // The watched board
  logic       tagged_q, open_q;  // it has begun, and not ended
  logic [7:0] before_q;          // boards that are answered before it
  count_t     begin_q;           // removals announced before it
  count_t     ahead_q;           // removals of boards before it that are still to come
  count_t     own_q, own_left_q; // its own, and those that are still to come
  count_t     later_q;           // removals of later boards that came
  logic       answered, mine, own_comes;

  assign answered  = tagged_q && before_q == '0 && best_valid;
  assign mine      = (tagged_q && open_q && two_q.step) || (begins && tag_i && !tagged_q);
  assign own_comes = tagged_q && removed_i && ahead_q == '0 && own_left_q != '0;

  // Removals announced up to the end of each board that waits, and before the one at the head
  count_t     ends_q [16];
  count_t     before_head_q;

  // The watched placement, and how many removals came since it did, if it is one; whether what may
  // be the answer has come
  logic       watched_q, watch_removal_q;
  best_t      watch_q;
  count_t     since_q;
  best_t      some_q;
  logic       arrived_q;
  logic [7:0] waited_q;  // cycles since all has come that the answer waits for
  logic       all_there;

  logic some_came;
  always_comb begin
    some_came = own_comes && removed_best_i == some_q;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (mine && two_q.placed[l] == some_q) some_came = 1'b1;
    end
    all_there = tagged_q && before_q == '0 && !open_q && ahead_q == '0 && own_left_q == '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      current_q     <= 1'b0;
      inside_q      <= '0;
      announced_q   <= '0;
      came_q        <= '0;
      before_head_q <= '0;
      tagged_q      <= 1'b0;
      waited_q      <= '0;
      some_q        <= some_i;
    end else begin
      if (two_q.step) begin
        current_q    <= !two_q.last;
        placements_q <= (begins ? 6'd0 : placements_q) + 6'($countones(two_q.used));
      end
      inside_q      <= inside_q + 8'(begins) - 8'(best_valid);
      announced_q   <= announced_q + announced;
      came_q        <= came_q + count_t'(removed_i);
      if (u_dut.ended_q) ends_q[u_dut.write_q] <= announced_q;
      if (u_dut.done) before_head_q <= ends_q[u_dut.read_q];
      since_q       <= since_q + count_t'(removed_i);
      waited_q      <= all_there && !answered ? waited_q + 8'd1 : '0;
      if (begins && tag_i && !tagged_q) begin
        tagged_q   <= 1'b1;
        open_q     <= !two_q.last;
        before_q   <= inside_q - 8'(best_valid);
        begin_q    <= announced_q;
        ahead_q    <= outstanding - count_t'(removed_i);
        own_q      <= announced;
        own_left_q <= announced;
        later_q    <= '0;
        waited_q   <= '0;
        watched_q  <= 1'b0;
        arrived_q  <= 1'b0;
      end else if (tagged_q) begin
        if (answered) tagged_q <= 1'b0;
        else before_q <= before_q - 8'(best_valid);
        if (mine) open_q <= !two_q.last;
        own_q      <= own_q + (mine ? announced : '0);
        own_left_q <= own_left_q + (mine ? announced : '0) - count_t'(own_comes);
        ahead_q    <= ahead_q - count_t'(removed_i && ahead_q != '0);
        later_q    <= later_q + count_t'(removed_i && ahead_q == '0 && !own_comes);
      end
      if (mine && watch_i && two_q.placed[watch_lane_i].legal && (begins || !watched_q)) begin
        watched_q       <= 1'b1;
        watch_removal_q <= 1'b0;
        watch_q         <= two_q.placed[watch_lane_i];
      end else if (own_comes && watch_i && removed_best_i.legal && !watched_q) begin
        watched_q       <= 1'b1;
        watch_removal_q <= 1'b1;
        watch_q         <= removed_best_i;
        since_q         <= count_t'(1);
      end
      if (some_came) arrived_q <= 1'b1;
    end
    alone_q <= alone_i;
  end

  // ------------------------------------------------------- steps on their way through the levels
  function automatic best_t of_two(best_t a, best_t b);
    return better(b, a) ? b : a;
  endfunction

  function automatic logic equal(best_t a, best_t b);
    return a.legal ? a == b : !b.legal;
  endfunction

  logic first_ok, second_ok;
  always_comb begin
    first_ok = u_dut.gen_level[0].given_q == one_q.step;
    for (int unsigned i = 0; i < Lanes / 2; i++) begin
      if (!equal(u_dut.gen_level[0].groups_q[i].best,
                 of_two(one_q.placed[2*i], one_q.placed[2*i+1])) ||
          u_dut.gen_level[0].groups_q[i].removals !=
          6'(one_q.removes[2*i]) + 6'(one_q.removes[2*i+1])) first_ok = 1'b0;
    end
    second_ok = equal(u_dut.together.best,
                      of_two(of_two(two_q.placed[0], two_q.placed[1]),
                             of_two(two_q.placed[2], two_q.placed[3]))) &&
                u_dut.together.removals == 6'($countones(two_q.removes));
  end

  // ------------------------------------------------------------- where the boards are, in order:
  // their answer given; in the queue of those that wait; the last one
  logic [3:0] waiting, early;  // boards, removals
  logic [7:0] at;              // of the watched board in the queue
  logic       in_queue, is_last, last_there;
  count_t     before_last, before_tag;  // removals announced before the last board, the watched
  count_t [Boards-1:0] ends;   // removals announced up to the end of each, from the head on
  logic       chain_ok, order_ok, queued_ok;
  best_t      kept;            // the best of what the lanes gave for it
  logic [5:0] kept_removals;

  assign waiting    = u_dut.write_q - u_dut.read_q;
  assign early      = u_dut.early_write_q - u_dut.early_read_q;
  assign at         = before_q - 8'(best_valid);
  assign last_there = current_q || u_dut.ended_q;
  assign in_queue   = tagged_q && !answered && at < 8'(waiting);
  assign is_last    = tagged_q && !answered && at == 8'(waiting) && last_there;

  always_comb begin
    // Removals come in the order of their boards.
    chain_ok = 1'b1;
    order_ok = 1'b1;
    for (int unsigned m = 0; m < 16; m++) begin
      automatic logic [3:0] k = 4'(m) - u_dut.read_q;
      if (k < waiting && (u_dut.waiting_q[m].removals > 6'd34 || ends_q[m] !=
          (k == '0 ? before_head_q : ends_q[(m+15)%16]) +
          count_t'(u_dut.waiting_q[m].removals))) chain_ok = 1'b0;
    end
    for (int unsigned k = 0; k < Boards; k++) begin
      ends[k] = ends_q[u_dut.read_q+4'(k)] - before_head_q;
      for (int unsigned n = 0; n < k; n++) begin
        if (8'(k) < 8'(waiting) && ends[n] > ends[k]) order_ok = 1'b0;
      end
    end
    before_last = waiting == '0 ? before_head_q : ends_q[u_dut.write_q-4'd1];
    before_tag  = at == '0 ? before_head_q : ends_q[u_dut.read_q+4'(at)-4'd1];
    kept          = in_queue ? u_dut.waiting_q[u_dut.read_q+4'(at)].best : u_dut.so_far_q.best;
    kept_removals = in_queue ? u_dut.waiting_q[u_dut.read_q+4'(at)].removals
                             : u_dut.so_far_q.removals;
    // Of the removals that wait, counted from the youngest, its own come after the later ones.
    queued_ok = 1'b1;
    for (int unsigned m = 0; m < 16; m++) begin
      automatic count_t j = count_t'(4'(u_dut.early_write_q - 4'(m)));
      if (j != '0 && j <= count_t'(early) && j > later_q && j <= later_q + own_q - own_left_q &&
          u_dut.early_q[m] == some_q && !arrived_q) queued_ok = 1'b0;
    end
  end

  always_comb begin
    Some_M:    assume (some_i.legal);
    Used_M:    assume (!step_i || used_i != '0);
    Boards_M:  assume (!begins || inside_q < 8'(Boards));
    Most_M:    assume (!two_q.step || (begins ? 6'd0 : placements_q) +
                       6'($countones(two_q.used)) <= 6'd34);
    Removed_M: assume (!removed_i || outstanding != '0);
    Early_M:   assume (!removed_i || early != 4'd15);
    Steady_M:  assume (inside_q == '0 || alone_i == alone_q);
    Alone_M:   assume (!(alone_i && begins) || inside_q == '0);
    if (rst_n) begin
      Order_A:   assert (comes_first(removed_best_i, some_i) ==
                         (signed'(removed_best_i.rank) > signed'(some_i.rank)));
      Inside_A:  assert (!best_valid || inside_q != '0);
      Ended_A:   assert (!answered || (!open_q && ahead_q == '0 && own_left_q == '0));
      Best_A:    assert (!(answered && watched_q) || (best.legal && !better(watch_q, best)));
      Arrived_A: assert (!(answered && best == some_q) || arrived_q);
      Zeros_A:   assert (!answered || best.legal || best == '0);
      // Two cycles at most, and one for each of its removals that waited
      Prompt_A:  assert (waited_q <= 8'd17);
      // How it is kept
      Pipe_A:    assert (first_ok && u_dut.step == two_q.step &&
                         (!one_q.step || u_dut.gen_level[0].ends_q == one_q.last) &&
                         (!two_q.step || (u_dut.last == two_q.last && second_ok)) &&
                         (!one_q.step || (one_q.removes & ~one_q.used) == '0) &&
                         (!two_q.step || (two_q.removes & ~two_q.used) == '0));
      Held_A:    assert (inside_q == 8'(waiting) + 8'(last_there) + 8'(best_valid) &&
                         inside_q <= 8'(Boards) && !(current_q && u_dut.ended_q));
      Early_A:   assert (u_dut.has_early_q == (early != '0));
      Chain_A:   assert (chain_ok);
      Rising_A:  assert (order_ok);
      Small_A:   assert ((!last_there || (placements_q <= 6'd34 &&
                         u_dut.so_far_q.removals <= placements_q)) && outstanding <= 12'd1000);
      Clear_A:   assert (current_q || u_dut.ended_q || u_dut.so_far_q == '0);
      Sum_A:     assert (announced_q == before_last +
                         (last_there ? count_t'(u_dut.so_far_q.removals) : '0) &&
                         came_q == before_head_q + count_t'(early) + count_t'(u_dut.removals_q));
      Counted_A: assert (u_dut.waits ? u_dut.removals_q <= u_dut.head.removals
                         : last_there && alone_q ? u_dut.removals_q <= u_dut.so_far_q.removals
                         : u_dut.removals_q == '0);
      Fresh_A:   assert (u_dut.removals_q != '0 || u_dut.removed_q == '0);
      One_A:     assert (!alone_q || inside_q <= 8'd1);
      Some_A:    assert (some_q.legal);
      if (tagged_q && !answered) begin
        Place_A: assert ((in_queue || is_last) && open_q == (is_last && current_q) &&
                         before_q < inside_q);
        Own_A:   assert (count_t'(kept_removals) == own_q && own_left_q <= own_q &&
                         own_q <= 12'd34);
        Left_A:  assert (ahead_q <= outstanding && ahead_q + own_left_q <= outstanding &&
                         (!is_last || (ahead_q + own_left_q == outstanding && later_q == '0)) &&
                         (ahead_q == '0 || (own_left_q == own_q && later_q == '0)) &&
                         (own_left_q == '0 || later_q == '0));
        Later_A: assert (later_q <= count_t'(early));
        Mine_A:  assert (later_q + own_q - own_left_q <=
                         count_t'(early) + (at == '0 ? own_q : '0));
        Ahead_A: assert (begin_q == before_tag &&
                         begin_q - came_q == ahead_q - (own_q - own_left_q) - later_q);
        Kept_A:  assert (kept.legal ? kept != some_q || arrived_q : kept == '0);
        Lane_A:  assert (!watched_q || watch_removal_q ||
                         (kept.legal && !better(watch_q, kept)));
        Removed_A: assert (!watched_q || !watch_removal_q ||
                           (since_q != '0 && since_q > later_q &&
                            since_q <= later_q + own_q - own_left_q && ahead_q == '0 &&
                            (since_q <= count_t'(early)
                             ? u_dut.early_q[u_dut.early_write_q-4'(since_q)] == watch_q
                             : at == '0 && u_dut.removed_q.legal &&
                               !better(watch_q, u_dut.removed_q))));
        Front_A: assert (at != '0 || (u_dut.removed_q.legal
                         ? u_dut.removed_q != some_q || arrived_q : u_dut.removed_q == '0));
        Queued_A: assert (queued_ok);
        Watch_A: assert (!watched_q || watch_q.legal);
        Waited_A: assert (all_there ? in_queue ? waited_q + 8'(early) - 8'(later_q) <= 8'd16
                                               : waited_q == '0
                                    : waited_q == '0);
      end
    end
    Late_C: cover (rst_n && answered && watched_q && watch_removal_q && best != watch_q &&
                   inside_q > 8'd1);
    Tie_C:  cover (rst_n && answered && watched_q && best.rank.score == watch_q.rank.score &&
                   best != watch_q && own_q != '0);
    None_C: cover (rst_n && answered && !best.legal && own_q == '0);
  end

endmodule
