// connect4_search: a search leaves board, score and side as it found them, and its stack never
// overflows; on any legal position, any weights, whatever the windows cut, cancels at any time.
//
// One level of the search is watched, any of the 42: from the stone that leads to it, or the root,
// until it returns (StPop), or the next depth begins. It began with `base_q` and `score_q`; a stone
// is worth what its cell is, and the score of the level below it is what is left then, turned.
// What a search one level deeper leaves, when it returns, is assumed here (Deeper_M), that of the
// other levels the root alone reports columns (Tell_M), and that the level begins with a legal
// position (Enters_M): that is what the proof says of those levels (Restored_A, Tells_A, Enters_A).
// So all levels hold, cycle by cycle.
//
// The counts of a search stay or grow by one in a cycle, in all 64 bits, and are 0 after an
// accepted request; a column's also after the first cycle of its stone.
module connect4_search_proof
  import connect4_pkg::*;
(
  input logic       clk_i,
  input weights_t   weights_i,
  input logic       cancel_i,
  input logic       req_valid_i,
  input request_t   req_i,
  input logic       candidate_ready_i,
  input logic       rsp_ready_i,
  input count_t     level_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  // Steady: the weights while it searches, and the level
  weights_t weights_q;
  count_t   level_q;
  logic     req_ready, rsp_valid, candidate_valid;
  always_ff @(posedge clk_i) begin
    if (!rst_n) level_q <= level_i;
    if (!rst_n || req_ready) weights_q <= weights_i;
  end

  logic       unused_depth_done, unused_cancelled;
  progress_t  unused_progress;
  candidate_t unused_candidate;

  connect4_search u_dut (
    .clk_i,
    .rst_ni            (rst_n),
    .weights_i         (weights_q),
    .cancel_i,
    .req_valid_i,
    .req_ready_o       (req_ready),
    .req_i,
    .depth_done_o      (unused_depth_done),
    .progress_o        (unused_progress),
    .candidate_valid_o (candidate_valid),
    .candidate_ready_i,
    .candidate_o       (unused_candidate),
    .rsp_valid_o       (rsp_valid),
    .rsp_ready_i,
    .cancelled_o       (unused_cancelled)
  );

  localparam logic [3:0] StIdle = 4'd0, StSum = 4'd1, StRoot = 4'd2, StDrop = 4'd3, StLook = 4'd4,
                         StJudge = 4'd5, StPop = 4'd6, StTake = 4'd7, StTell = 4'd8;
  logic [3:0]   state;
  count_t       ply;
  board_t [1:0] stones;
  assign state  = u_dut.state_q;
  assign ply    = u_dut.ply_q;
  assign stones = u_dut.u_position.stones_q;

  // No cell is of both sides, each column filled from the bottom, nothing above the top row, and
  // one with room
  function automatic logic legal(board_t [1:0] position);
    logic room;
    room = 1'b0;
    for (int unsigned c = 0; c < Columns; c++) begin
      logic [Rows:0] both;
      both = position[0][c] | position[1][c];
      if ((position[0][c] & position[1][c]) != '0 || both[Rows] ||
          (both & (both + (Rows + 1)'(1))) != '0) return 1'b0;
      if (!both[Rows-1]) room = 1'b1;
    end
    return room;
  endfunction

  // Stones in a column: they lie on each other without a gap.
  function automatic logic [2:0] height(logic [Rows:0] column);
    logic [2:0] sum;
    sum = '0;
    for (int unsigned r = 0; r < Rows; r++) sum += 3'(column[r]);
    return sum;
  endfunction

  // The level's visit
  logic         visit_q, below_q;
  board_t [1:0] base_q;
  value_t       score_q;
  logic [70:0]  frame_q;         // while it is below: what is on the stack
  logic         enters, begins, leaves;
  assign enters = u_dut.push && ply + 6'd1 == level_q;
  assign begins = state == StRoot && u_dut.state_d == StDrop && level_q == '0;
  assign leaves = (state == StPop && ply == level_q) || state == StIdle ||
                  (state == StRoot && level_q == '0);

  always_ff @(posedge clk_i) begin
    if (!rst_n || (leaves && !begins)) visit_q <= 1'b0;
    if (rst_n && (enters || begins)) begin
      visit_q <= 1'b1;
      base_q  <= u_dut.u_position.stones_d;
      score_q <= u_dut.frame_d.score;
    end
    if (!rst_n || leaves || (state == StPop && ply == level_q + 6'd1)) below_q <= 1'b0;
    if (rst_n && visit_q && u_dut.push && ply == level_q) begin
      below_q <= 1'b1;
      frame_q <= u_dut.frame_q;
    end
  end

  // The column tried at the watched level: in the frame or, while the search is below that level, on
  // the stack. `row`: where its stone lands; `dropped`: the position with it
  columns_t     tried;
  column_t      column;
  logic [2:0]   row;
  logic         room, free, here;
  board_t [1:0] dropped;
  value_t       worth;
  assign tried  = below_q ? frame_q[70:64] : u_dut.frame_q.tried;
  assign column = number(tried);
  assign row    = height(base_q[0][column] | base_q[1][column]);
  assign room   = row < 3'(Rows);
  assign free   = $onehot(tried) && room;
  assign here   = visit_q && ply == level_q;
  assign worth  = room ? value_t'(signed'(weights_q[column][row])) : '0;
  always_comb begin
    dropped = base_q;
    if (room) dropped[0][column][row] = 1'b1;
  end

  columns_t open;  // columns with room at the level
  always_comb begin
    for (int unsigned c = 0; c < Columns; c++) open[c] = !(base_q[0][c][Rows-1] ||
                                                             base_q[1][c][Rows-1]);
  end

  // As at the beginning; with the stone; with the stone, and the other side to move
  logic same, with_it, turned;
  assign same    = stones == base_q && u_dut.frame_q.score == score_q;
  assign with_it = stones == dropped && u_dut.frame_q.score == score_q;
  assign turned  = stones == {dropped[0], dropped[1]} && frame_q[63:48] == score_q;

  // The cycle before: its counts, and what happened in it
  logic        counted_q, accepted_q, begun_q, looked_q, working_q;
  logic [63:0] nodes_q, cycles_q, column_nodes_q;
  always_ff @(posedge clk_i) begin
    counted_q      <= rst_n;
    accepted_q     <= req_valid_i && req_ready;
    begun_q        <= state == StDrop && ply == '0;
    looked_q       <= state == StLook;
    working_q      <= state != StIdle;
    nodes_q        <= u_dut.nodes_q;
    cycles_q       <= u_dut.cycles_q;
    column_nodes_q <= u_dut.column_nodes_q;
  end

  // Cells that StSum has looked at, and whether one of them is empty
  logic [Cells-1:0] look, stone;
  count_t           visited;
  logic             passed;
  assign look  = u_dut.u_position.cell_q;
  assign stone = u_dut.u_position.own | u_dut.u_position.other;
  always_comb begin
    visited = '0;
    for (int unsigned k = 0; k < Cells; k++) if (look[k]) visited |= count_t'(k);
    passed = ((look - Cells'(1)) & ~stone) != '0;
  end

  always_comb begin
    Legal_M:  assume (!req_valid_i || (legal({req_i.opponent, req_i.own}) &&
                                       req_i.depth != '0 && req_i.depth <= 6'(Cells)));
    Enters_M: assume (!enters || legal(stones));
    Deeper_M: assume (!(below_q && state == StPop && ply == level_q + 6'd1) || turned);
    Tell_M:   assume (!(ply != level_q && state == StTell) || (ply == '0 && u_dut.trace_q));
    if (rst_n) begin
      // What is claimed
      Restored_A: assert (!(here && state == StPop) || same);
      Root_A:     assert (!(visit_q && state == StRoot) || same);
      Enters_A:   assert (!(here && u_dut.push) || legal(stones));
      Stack_A:    assert (!u_dut.push || ply < 6'(Cells - 1));
      Nodes_A:    assert (!counted_q || u_dut.nodes_q ==
                          (accepted_q ? 64'd0 : nodes_q + 64'(looked_q)));
      Cycles_A:   assert (!counted_q || u_dut.cycles_q ==
                          (accepted_q ? 64'd0 : cycles_q + 64'(working_q)));
      Column_A:   assert (!counted_q || u_dut.column_nodes_q ==
                          (accepted_q || begun_q ? 64'd0 : column_nodes_q + 64'(looked_q)));
      Side_A:     assert (!(visit_q && below_q) || ply > level_q);
      // How it comes about
      Tells_A:    assert (!(here && state == StTell) || (level_q == '0 && u_dut.trace_q));
      Tries_A:    assert (!(here && state inside {StDrop, StTell}) || (same && $onehot(tried)));
      Room_A:     assert (!(here && state == StDrop) || (level_q == '0 && u_dut.trace_q) || room);
      Judges_A:   assert (!(here && state inside {StLook, StJudge, StTake}) || (with_it && free));
      Cell_A:     assert (!(here && state == StLook) || ($onehot(u_dut.u_position.cell_q) &&
                          u_dut.u_position.cell_q[column][row]));
      Worth_A:    assert (!(here && state == StJudge) || u_dut.weight == worth);
      Over_A:     assert (!(here && state == StJudge) || (u_dut.four == u_dut.u_position.four &&
                          u_dut.full == (u_dut.open == '0)));
      Early_A:    assert (state != StJudge || (u_dut.leaf_q == (ply + 6'd1 == u_dut.depth_q) &&
                          u_dut.won_q == Win - value_t'(ply) - 16'sd1));
      To_root_A:  assert (!(state inside {StLook, StJudge, StPop}) ||
                          u_dut.to_root_q == (ply == 6'd1));
      Turned_A:   assert (!(here && u_dut.push) || u_dut.frame_d.score == -(score_q + worth));
      Next_A:     assert (!(here && state inside {StTake, StTell}) || u_dut.next_q == '0 ||
                          ($onehot(u_dut.next_q) && (level_q == '0 && u_dut.trace_q ||
                           (u_dut.next_q & open) != '0)));
      Quiet_A:    assert (state inside {StIdle, StSum} || (state == StRoot && !visit_q) ||
                          !(u_dut.own || u_dut.other));
      Top_A:      assert (!(state inside {StLook, StJudge, StPop}) || ply == '0 ||
                          u_dut.below_q == u_dut.stack_q[ply - 6'd1]);
      Base_A:     assert (!visit_q || legal(base_q));
      Below_A:    assert (!below_q || (visit_q && free && u_dut.stack_q[level_q] == frame_q));
      Where_A:    assert (!visit_q || (ply >= level_q && below_q == (ply > level_q)));
      Visit_A:    assert (!visit_q || state inside {StRoot, StDrop, StLook, StJudge, StPop, StTake,
                                                    StTell, StIdle});
      Root_ply_A: assert (!(state inside {StSum, StRoot}) || ply == '0);
      At_root_A:  assert (state == StIdle || u_dut.at_root_q == (ply == '0));
      Pops_A:     assert (state != StPop || ply != '0);
      Missed_A:   assert (!(state inside {StDrop, StLook, StJudge, StPop, StTake, StTell} &&
                            ply >= level_q) || visit_q);
      // Depths: the board has no more cells
      Sum_A:      assert (state != StSum || (u_dut.depth_q == '0 && legal(stones) &&
                          $onehot(look) && u_dut.empty <= 6'(Cells) &&
                          7'(u_dut.empty) + 7'(visited) >= 7'(Cells) + 7'(passed)));
      First_A:    assert (!(state == StRoot && u_dut.depth_q == '0) || u_dut.empty != '0);
      Known_A:    assert (state inside {StIdle, StSum} || u_dut.depth_q == '0 ||
                          u_dut.last_q == u_dut.last);
      Limit_A:    assert (state == StIdle ||
                          (u_dut.limit_q != '0 && u_dut.limit_q <= 6'(Cells)));
      Depth_A:    assert (state inside {StIdle, StSum} || u_dut.depth_q <= 6'(Cells));
      Last_A:     assert (state inside {StIdle, StSum} || u_dut.depth_q <= u_dut.last);
      Ply_A:      assert (!(state inside {StDrop, StLook, StJudge, StPop, StTake, StTell}) ||
                          ply < u_dut.depth_q);
      Root_legal_A: assert (!(state == StRoot && level_q == '0) || legal(stones));
    end
    Deep_C:  cover (rst_n && here && state == StPop && level_q == 6'd1);
    Again_C: cover (rst_n && visit_q && state == StRoot && u_dut.depth_q == 6'd2);
  end

endmodule
