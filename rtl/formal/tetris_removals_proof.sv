// tetris_removals: of every landing that is marked a board is offered, features are completed and a
// score is given, once each, in the order of the landings: simultaneous ones by lane, after
// all that came before. The board is the one of the landing's slot; the features are those that
// came for the board, with the landing's landing height, eroded cells and rows cleared; the score
// goes with its placement. Nothing else is offered or given. With n rows removed a board is offered
// n + 4 cycles after its landing came, or after the board before was taken. A score comes 6 cycles
// after its features. left_o is high with the last of those that came together. At most 4 boards
// wait for their features.
//
// The tag is one landing of any number: what holds for it holds for every one. The environment
// keeps the rules of the module's header: as many groups of landings inside as there is room for;
// features only for boards that were taken, within 14 cycles, two cycles apart at least. The maker
// is a stub. Not proved here: the sum that is the score.
module tetris_removals_proof
  import tetris_def_pkg::board_t, tetris_def_pkg::cells, tetris_def_pkg::cells_t,
         tetris_lanes_pkg::best_t, tetris_lanes_pkg::landing_t, tetris_lanes_pkg::slot_t,
         tetris_pkg::features_t, tetris_pkg::weights_t;
#(
  parameter int unsigned Lanes = 4,
  parameter int unsigned Depth = 4  // of the core's 16 to 64 only to keep the proof short
) (
  input logic                     clk_i,
  input logic [Lanes-1:0]         marked_i,
  input landing_t [Lanes-1:0]     landing_i,
  input slot_t                    slot_i,
  input board_t                   board_i,
  input logic                     made_ready_i,
  input logic                     features_valid_i,
  input features_t                features_i,
  input weights_t                 weights_i,
  input logic                     tag_i,       // a landing of this cycle is watched,
  input logic [$clog2(Lanes)-1:0] tag_lane_i,  // the one of this lane
  input logic [4:0]               cleared_i,   // the maker's rows removed
  input logic [6:0]               eroded_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic      left, made_valid, removed_valid;
  slot_t     slot;
  board_t    made;
  features_t features;
  best_t     removed;

  tetris_removals #(
    .Lanes (Lanes),
    .Depth (Depth)
  ) u_dut (
    .clk_i,
    .rst_ni           (rst_n),
    .weights_i,
    .marked_i,
    .landing_i,
    .slot_i,
    .left_o           (left),
    .slot_o           (slot),
    .board_i,
    .made_valid_o     (made_valid),
    .made_ready_i,
    .made_o           (made),
    .features_valid_i,
    .features_i,
    .features_o       (features),
    .removed_valid_o  (removed_valid),
    .removed_o        (removed)
  );

  assign u_dut.u_maker.removes = cleared_i;
  assign u_dut.u_maker.erodes  = eroded_i;
  assign u_dut.u_maker.changes = '0;

  typedef logic [7:0]       count_t;
  typedef logic [Lanes-1:0] lanes_t;

  function automatic count_t number(lanes_t marks);
    number = '0;
    for (int unsigned l = 0; l < Lanes; l++) number = number + count_t'(marks[l]);
  endfunction

  // Those of the lower lanes
  function automatic lanes_t lower(logic [$clog2(Lanes)-1:0] lane);
    for (int unsigned l = 0; l < Lanes; l++) lower[l] = l < 32'(lane);
  endfunction

  // ---------------------------------------------------------------------- what is where
  // A landing comes by in three places, in each of them in its turn.
  localparam int unsigned Made = 0, Features = 1, Removed = 2;

  logic [2:0]         by;
  count_t [2:0]       inside_q;  // landings that did not come by
  logic [2:0]         waits_q;   // the watched one did not
  count_t [2:0]       ahead_q;   // how many come by before it
  count_t             groups_q;  // inside
  logic               tags;
  landing_t           tag_q;     // the watched one
  slot_t              tag_slot_q;
  board_t             tag_board_q;
  logic [$clog2(Lanes)-1:0] lane_q;
  logic [4:0]         tag_cleared_q;
  logic [6:0]         tag_eroded_q;
  logic [14:1]        take_q, features_q;  // [k]: was k cycles ago
  logic [4:0]         since_q;   // cycles without a board on offer, while a landing is inside

  assign by   = {removed_valid, features_valid_i, made_valid && made_ready_i};
  assign tags = tag_i && marked_i[tag_lane_i] && waits_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      inside_q   <= '0;
      waits_q    <= '0;
      groups_q   <= '0;
      take_q     <= '0;
      features_q <= '0;
      since_q    <= '0;
    end else begin
      take_q     <= {take_q[13:1], by[Made]};
      features_q <= {features_q[13:1], features_valid_i};
      groups_q   <= groups_q + count_t'(marked_i != '0) - count_t'(left);
      since_q    <= (made_valid || inside_q[Made] == '0) ? '0 : since_q + 5'd1;
      for (int unsigned p = 0; p < 3; p++) begin
        inside_q[p] <= inside_q[p] + number(marked_i) - count_t'(by[p]);
        if (tags) begin
          waits_q[p] <= 1'b1;
          ahead_q[p] <= inside_q[p] - count_t'(by[p]) + number(marked_i & lower(tag_lane_i));
        end else if (waits_q[p] && by[p]) begin
          if (ahead_q[p] == '0) waits_q[p] <= 1'b0;
          else ahead_q[p] <= ahead_q[p] - count_t'(1);
        end
      end
      if (tags) begin
        tag_q       <= landing_i[tag_lane_i];
        lane_q      <= tag_lane_i;
        tag_slot_q  <= slot_i;
        tag_board_q <= board_i;  // any board: that of its slot
      end
    end
    if (waits_q[Made] && ahead_q[Made] == '0) begin
      tag_cleared_q <= u_dut.u_maker.cleared_o;
      tag_eroded_q  <= u_dut.u_maker.eroded_o;
    end
  end

  // The watched one in the reference model
  cells_t      shape;
  logic [11:0] landing_height;
  always_comb begin
    shape          = cells(tag_q.placing.piece, tag_q.placing.rotation);
    landing_height = 12'({tag_q.row, 1'b0});
    for (int unsigned dy = 1; dy < 4; dy++) begin
      if (shape[dy] != '0) landing_height = landing_height + 12'd1;
    end
  end

  function automatic count_t takes(logic [13:1] marks);
    takes = '0;
    for (int unsigned k = 1; k <= 13; k++) takes = takes + count_t'(marks[k]);
  endfunction

  logic together_ok;
  always_comb begin
    together_ok = 1'b1;
    for (int unsigned l = 1; l < Lanes; l++) begin
      if (landing_i[l].placing.piece != landing_i[0].placing.piece) together_ok = 1'b0;
    end
  end

  // --------------------------------------------------------- auxiliary invariants of the induction
  localparam int unsigned PtrWidth = $clog2(Depth);

  logic         queued_q;  // the watched one is in the queue
  count_t       before_q;  // as many come before its group
  count_t       busy, scanned, scoring, prior, queued;
  logic         taken, marked_ok, apart, at_head;
  lanes_t       entry;     // of the watched one's group
  logic [10:0]  place;
  logic [2:0]   scan_at;
  logic [PtrWidth-1:0] at;

  assign taken   = u_dut.landed_valid && u_dut.maker_ready;
  assign at_head = queued_q && before_q == '0;
  assign busy    = count_t'(u_dut.u_maker.busy_q);
  assign scanned = count_t'(3'(u_dut.write_q - u_dut.read_q));
  assign scan_at = u_dut.read_q + ahead_q[Features][2:0];

  always_ff @(posedge clk_i) begin
    if (!rst_n) queued_q <= 1'b0;
    else if (tags) queued_q <= 1'b1;
    else if (at_head && taken && u_dut.u_queue.first_q[lane_q]) queued_q <= 1'b0;
    if (tags) before_q <= groups_q - count_t'(left);
    else if (left && before_q != '0) before_q <= before_q - count_t'(1);
  end

  always_comb begin
    at        = u_dut.u_queue.read_q + PtrWidth'(before_q) - 1'b1;
    entry     = before_q == '0 ? u_dut.u_queue.head_q.marked : u_dut.u_queue.memory_q[at].marked;
    place     = before_q == '0 ? u_dut.u_queue.head_q.places[lane_q]
                               : u_dut.u_queue.memory_q[at].places[lane_q];
    queued    = number(u_dut.u_queue.head_q.marked);
    prior    = number(entry & lower(lane_q)) +
                (before_q == '0 ? '0 : number(u_dut.u_queue.head_q.marked));
    marked_ok = 1'b1;
    for (int unsigned i = 0; i < Depth; i++) begin
      if (i < 32'(u_dut.u_queue.held_q)) begin
        automatic lanes_t marked = u_dut.u_queue.memory_q[u_dut.u_queue.read_q+PtrWidth'(i)].marked;
        queued = queued + number(marked);
        if (i + 1 < 32'(before_q)) prior = prior + number(marked);
        if (marked == '0) marked_ok = 1'b0;
      end
    end
    scoring = '0;
    for (int unsigned k = 1; k <= 6; k++) scoring = scoring + count_t'(features_q[k]);
    apart = 1'b1;
    for (int unsigned k = 1; k <= 3; k++) begin
      if (take_q[k] && (made_valid || since_q >= 5'(k))) apart = 1'b0;
    end
    for (int unsigned k = 1; k < 14; k++) begin
      for (int unsigned j = k + 1; j < k + 4 && j <= 14; j++) begin
        if (take_q[k] && take_q[j]) apart = 1'b0;
      end
    end
  end

  // The score's stages: its features came as many cycles ago.
  logic [2:0] age_q;
  count_t     older;
  always_ff @(posedge clk_i) age_q <= (waits_q[Features] || !rst_n) ? 3'd1 : age_q + 3'd1;
  always_comb begin
    older = '0;
    for (int unsigned k = 1; k <= 6; k++) begin
      if (k > 32'(age_q)) older = older + count_t'(features_q[k]);
    end
  end

  typedef struct packed {
    logic [1:0] rotation;
    logic [3:0] column;
    logic [4:0] row;
    logic [4:0] cleared;
  } scored_t;

  function automatic scored_t scored(tetris_pkg::placement_t placement, logic [4:0] cleared);
    return '{rotation: placement.candidate.rotation, column: placement.candidate.column,
             row: placement.row, cleared: cleared};
  endfunction

  scored_t want;
  assign want = '{rotation: tag_q.placing.rotation, column: tag_q.placing.column, row: tag_q.row,
                  cleared: tag_cleared_q};

  always_comb begin
    Piece_M:    assume (together_ok);
    Room_M:     assume (marked_i == '0 || groups_q < count_t'(Depth));
    Board_M:    assume (!queued_q || slot != tag_slot_q || board_i == tag_board_q);
    Rows_M:     assume (cleared_i != '0 && cleared_i <= 5'd20);
    Scanned_M:  assume (!features_valid_i || inside_q[Features] > inside_q[Made]);
    Apart_M:    assume (!features_valid_i || !features_q[1]);
    Soon_M:     assume (inside_q[Features] - inside_q[Made] - count_t'(features_valid_i) <=
                        takes(take_q[13:1]));
    if (rst_n) begin
      // A board or a score comes only of a landing, and each landing in its turn.
      Made_A:     assert (!made_valid || inside_q[Made] != '0);
      Removed_A:  assert (removed_valid == features_q[6]);
      Count_A:    assert (!removed_valid || inside_q[Removed] != '0);
      Tag_made_A: assert (!(waits_q[Made] && ahead_q[Made] == '0 && made_valid) ||
                          made == tag_board_q);
      Tag_features_A: assert (!(waits_q[Features] && ahead_q[Features] == '0 && features_valid_i) ||
          (!waits_q[Made] && features == {features_i[13:3], 12'(tag_cleared_q),
                                          12'(tag_eroded_q), landing_height}));
      Tag_removed_A: assert (!(waits_q[Removed] && ahead_q[Removed] == '0 && removed_valid) ||
          (!waits_q[Features] && removed.legal && removed.row == tag_q.row &&
           removed.rank.not_rotation == ~tag_q.placing.rotation &&
           removed.rank.not_column == ~tag_q.placing.column &&
           removed.rows_cleared == tag_cleared_q));
      Left_A:     assert (!left || groups_q != '0);
      // There is no deadlock.
      Time_A:     assert (made_valid || inside_q[Made] == '0 ||
                          since_q <= (busy == '0 ? 5'd0 : u_dut.u_maker.cleared_o + 5'd2));
      Room_A:     assert (scanned <= count_t'(4));
      // How the module keeps all this: the queue (see tetris_landing_queue_proof)
      Held_A:     assert (groups_q <= count_t'(Depth) && u_dut.landed_valid == (groups_q != '0) &&
                          count_t'(u_dut.u_queue.held_q) + count_t'(u_dut.landed_valid) ==
                          groups_q && u_dut.u_queue.write_q ==
                          u_dut.u_queue.read_q + PtrWidth'(u_dut.u_queue.held_q));
      First_A:    assert (!u_dut.landed_valid || u_dut.u_queue.first_q ==
                          (u_dut.u_queue.head_q.marked & (~u_dut.u_queue.head_q.marked + 1'b1)));
      Marked_A:   assert (marked_ok);
      Queued_A:   assert (!queued_q || (before_q < groups_q && waits_q == '1 && entry[lane_q] &&
                          ahead_q[Made] == busy + prior &&
                          place == {tag_q.row, tag_q.placing.rotation, tag_q.placing.column} &&
                          (before_q == '0 ? {u_dut.u_queue.head_q.piece, u_dut.u_queue.head_q.slot}
                             : {u_dut.u_queue.memory_q[at].piece, u_dut.u_queue.memory_q[at].slot})
                          == {tag_q.placing.piece, tag_slot_q}));
      // the maker
      Inside_A:   assert (inside_q[Made] == queued + busy &&
                          inside_q[Features] == inside_q[Made] + scanned &&
                          inside_q[Removed] == inside_q[Features] + scoring);
      Maker_A:    assert (!(waits_q[Made] && !queued_q) || (busy != '0 && ahead_q[Made] == '0 &&
                          u_dut.placing == tag_q.placing && u_dut.row == tag_q.row &&
                          made == tag_board_q));
      Cleared_A:  assert (busy == '0 || (u_dut.cleared != '0 && u_dut.cleared <= 5'd20 &&
                          u_dut.u_maker.left_q <= u_dut.cleared + 5'd2 &&
                          (made_valid || since_q + u_dut.u_maker.left_q ==
                                         u_dut.cleared + 5'd3)));
      Waits_A:    assert ((!waits_q[Made] || waits_q[Features]) &&
                          (!waits_q[Features] || waits_q[Removed]));
      Ahead_A:    assert ((!waits_q[Made] || ahead_q[Features] == ahead_q[Made] + scanned) &&
                          (!waits_q[Features] || ahead_q[Removed] == ahead_q[Features] + scoring));
      // while it is scanned
      Wait_A:     assert (!(waits_q[Features] && !waits_q[Made]) || (ahead_q[Features] < scanned &&
                          u_dut.scanned_q[scan_at] == {tag_q.placing, tag_q.row, tag_cleared_q,
                                                       tag_eroded_q}));
      Takes_A:    assert (apart && scanned <= takes(take_q[13:1]) + count_t'(take_q[14]));
      Spread_A:   assert ((features_q[6:1] & features_q[7:2]) == '0);
      // and scored
      Valid_A:    assert (u_dut.u_score.busy_q == |features_q[2:1] &&
                          u_dut.u_score.valid1_q == |features_q[3:2] &&
                          u_dut.u_score.valid2_q == |features_q[4:3] &&
                          u_dut.u_score.valid3_q == |features_q[5:4] &&
                          u_dut.u_score.valid4_q == features_q[6] &&
                          (!features_q[1] || u_dut.u_score.group_q == '0));
      Last_A:     assert ((!u_dut.u_score.busy_q || u_dut.u_score.last0_q == features_q[2]) &&
                          (!u_dut.u_score.valid1_q || u_dut.u_score.tag1_q.last == features_q[3]) &&
                          (!u_dut.u_score.valid2_q || u_dut.u_score.tag2_q.last == features_q[4]) &&
                          (!u_dut.u_score.valid3_q || u_dut.u_score.tag3_q.last == features_q[5]));
      if (waits_q[Removed] && !waits_q[Features]) begin
        Age_A:    assert (age_q >= 3'd1 && age_q <= 3'd6 && ahead_q[Removed] == older &&
                          features_q[age_q]);
        Stage0_A: assert (age_q > 3'd2 ||
            scored(u_dut.u_score.tag0_q.placement, u_dut.u_score.tag0_q.cleared) == want);
        Stage1_A: assert (age_q < 3'd2 || age_q > 3'd3 ||
            scored(u_dut.u_score.tag1_q.placement, u_dut.u_score.tag1_q.cleared) == want);
        Stage2_A: assert (age_q < 3'd3 || age_q > 3'd4 ||
            scored(u_dut.u_score.tag2_q.placement, u_dut.u_score.tag2_q.cleared) == want);
        Stage3_A: assert (age_q < 3'd4 || age_q > 3'd5 ||
            scored(u_dut.u_score.tag3_q.placement, u_dut.u_score.tag3_q.cleared) == want);
        Stage4_A: assert (age_q < 3'd5 ||
            scored(u_dut.u_score.placement4_q, u_dut.u_score.cleared4_q) == want);
      end
    end
    Full_C:  cover (rst_n && groups_q == count_t'(Depth) && queued_q && before_q == count_t'(2) &&
                    lane_q == '1);
    Three_C: cover (rst_n && scanned == count_t'(3) && waits_q[Features] &&
                    ahead_q[Features] == count_t'(2));
    Score_C: cover (rst_n && removed_valid && waits_q[Removed] && ahead_q[Removed] == '0);
  end

endmodule
