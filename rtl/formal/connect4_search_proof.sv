// connect4_search: a search leaves board, score and side as it found them, and its stack never
// overflows; on any legal position, any weights, whatever the windows cut, cancels at any time.
//
// One level of the search is watched, any of the 42: from the stone that leads to it, or the root,
// until it returns (StPop), or the next depth begins. It began with `base_q` and `score_q`.
// What a search one level deeper leaves, when it returns, is assumed here (Deeper_M), that of the
// other levels the root alone reports columns (Tell_M), and that the level begins with a legal
// position (Enters_M): that is what the proof says of those levels (Restored_A, Tells_A, Enters_A).
// So all levels hold, cycle by cycle.
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

  localparam logic [3:0] StIdle = 4'd0, StSum = 4'd1, StRoot = 4'd2, StTry = 4'd3, StDrop = 4'd4,
                         StJudge = 4'd5, StPop = 4'd6, StTake = 4'd7, StTell = 4'd8,
                         StDone = 4'd9;
  logic [3:0]   state;
  count_t       ply;
  board_t [1:0] stones;
  assign state  = u_dut.state_q;
  assign ply    = u_dut.ply_q;
  assign stones = u_dut.stones_q;

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

  // A position with one stone more, and its score
  function automatic board_t [1:0] with_stone(board_t [1:0] position, logic side, column_t column,
                                              row_t row);
    board_t [1:0] after;
    after = position;
    after[side][column][row] = 1'b1;
    return after;
  endfunction

  function automatic value_t score_with(value_t score, logic side, logic [7:0] weight);
    return side ? score - value_t'(signed'(weight)) : score + value_t'(signed'(weight));
  endfunction

  // The level's visit
  logic         visit_q, below_q;
  board_t [1:0] base_q;
  value_t       score_q;
  logic [53:0]  frame_q;         // while it is below: what is on the stack
  logic         enters, begins, leaves;
  assign enters = u_dut.push && ply + 6'd1 == level_q;
  assign begins = state == StRoot && u_dut.state_d == StTry && level_q == '0;
  assign leaves = (state == StPop && ply == level_q) || state inside {StIdle, StDone} ||
                  (state == StRoot && level_q == '0);

  always_ff @(posedge clk_i) begin
    if (!rst_n || (leaves && !begins)) visit_q <= 1'b0;
    if (rst_n && (enters || begins)) begin
      visit_q <= 1'b1;
      base_q  <= stones;
      score_q <= u_dut.score_q;
    end
    if (!rst_n || leaves || (state == StPop && ply == level_q + 6'd1)) below_q <= 1'b0;
    if (rst_n && visit_q && u_dut.push && ply == level_q) begin
      below_q <= 1'b1;
      frame_q <= u_dut.frame_q;
    end
  end

  // Where the column tried has its stone, at the level and, while it is below, on the stack
  column_t index, column;
  row_t    row;
  logic    side;
  assign index  = below_q ? frame_q[53:51] : u_dut.frame_q.index;
  assign row    = below_q ? frame_q[50:48] : u_dut.frame_q.row;
  assign column = Order[index];
  assign side   = level_q[0];

  board_t [1:0] dropped;
  value_t       dropped_score;
  logic         free, here, on_top;
  assign dropped       = with_stone(base_q, side, column, row);
  assign dropped_score = score_with(score_q, side, weights_q[column][row]);
  assign on_top        = row < row_t'(Rows) && row == height(base_q[0][column] | base_q[1][column]);
  assign free          = index < column_t'(Columns) && on_top;
  assign here          = visit_q && ply == level_q;

  logic same, with_it;
  assign same    = stones == base_q && u_dut.score_q == score_q;
  assign with_it = stones == dropped && u_dut.score_q == dropped_score;

  count_t visited;  // cells that StSum has looked at
  assign visited = 6'd6 * 6'(u_dut.frame_q.index) + 6'(u_dut.frame_q.row);

  always_comb begin
    Legal_M:  assume (!req_valid_i || (legal({req_i.opponent, req_i.own}) &&
                                       req_i.depth != '0 && req_i.depth <= 6'(Cells)));
    Enters_M: assume (!enters || legal(stones));
    Deeper_M: assume (!(below_q && state == StPop && ply == level_q + 6'd1) || with_it);
    Tell_M:   assume (!(ply != level_q && state == StTell) || (ply == '0 && u_dut.trace_q));
    if (rst_n) begin
      // What is claimed
      Restored_A: assert (!(here && state == StPop) || same);
      Root_A:     assert (!(visit_q && state == StRoot) || same);
      Enters_A:   assert (!(here && u_dut.push) || legal(stones));
      Stack_A:    assert (!u_dut.push || ply < 6'(Cells - 1));
      Side_A:     assert (!(visit_q && below_q) || ply > level_q);
      // How it comes about
      Tells_A:    assert (!(here && state == StTell) || (level_q == '0 && u_dut.trace_q));
      Tries_A:    assert (!(here && state inside {StTry, StTell}) ||
                          (same && index < column_t'(Columns)));
      Room_A:     assert (!(here && state == StTry) || (level_q == '0 && u_dut.trace_q) ||
                          !(base_q[0][column][Rows-1] || base_q[1][column][Rows-1]));
      Drops_A:    assert (!(here && state == StDrop) || (same && free));
      Judges_A:   assert (!(here && state inside {StJudge, StTake}) || (with_it && free));
      Base_A:     assert (!visit_q || legal(base_q));
      Below_A:    assert (!below_q || (visit_q && free && u_dut.stack_q[level_q] == frame_q));
      Where_A:    assert (!visit_q || (ply >= level_q && below_q == (ply > level_q)));
      Visit_A:    assert (!visit_q || state inside {StRoot, StTry, StDrop, StJudge, StPop, StTake,
                                                    StTell, StDone});
      Root_ply_A: assert (!(state inside {StSum, StRoot}) || ply == '0);
      Pops_A:     assert (state != StPop || ply != '0);
      Missed_A:   assert (!(state inside {StTry, StDrop, StJudge, StPop, StTake, StTell} &&
                            ply >= level_q) || visit_q);
      // Depths: the board has no more cells
      Sum_A:      assert (state != StSum || (u_dut.depth_q == '0 &&
                          u_dut.frame_q.index < 3'(Columns) &&
                          u_dut.frame_q.row < 3'(Rows) && u_dut.empty_q <= 6'(Cells) &&
                          7'(u_dut.empty_q) + 7'(visited) >= 7'(Cells) && legal(stones)));
      Limit_A:    assert (state == StIdle || u_dut.limit_q <= 6'(Cells));
      Depth_A:    assert (state inside {StIdle, StSum, StDone} || u_dut.depth_q <= 6'(Cells));
      Last_A:     assert (state inside {StIdle, StSum, StDone} || u_dut.depth_q <= u_dut.last);
      Ply_A:      assert (!(state inside {StTry, StDrop, StJudge, StPop, StTake, StTell}) ||
                          ply < u_dut.depth_q);
      Root_legal_A: assert (!(state == StRoot && level_q == '0) || legal(stones));
    end
    Deep_C:  cover (rst_n && here && state == StPop && level_q == 6'd1);
    Again_C: cover (rst_n && visit_q && state == StRoot && u_dut.depth_q == 6'd2);
  end

endmodule
