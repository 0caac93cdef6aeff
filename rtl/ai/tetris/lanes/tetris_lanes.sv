// Decides boards, several at a time: finds the best placement of a piece on each, in order.
//
// Drive it: a board is offered by `board_valid_i` until `board_ready_o`, with a piece, or with
// `all_i` for each of the seven. The best placement of each board and piece comes by
// `best_valid_o`, in their order, and is not held back. `weights_i` is steady while boards are
// under way; a lane has new ones at most Lanes cycles later, which is before it needs them. With
// `lands_i`, the legal placements of a board are reported as they land: `landed_o` has a bit for
// each lane, and `landed_end_o` is high with the last ones.
//
//   scan -> context -> lanes -> scores ------------> best
//    ^                   |                            ^
//    '---- boards <- removals (rows removed) - score -'
//
// The scan (tetris_context) works out once a board what its placements share. Each lane takes a
// placement a cycle and gives its features as a difference to the board's. A placement that removes
// rows is scanned itself, once its board is made. Boards keep their order throughout, so what
// belongs to which follows from the order alone; `slot` says only where a board is kept.
//
// With `trace_i`, steady from a request to its answer and with one board at a time, each placement
// is reported on trace_*, in order, and the next one waits until it is taken.
module tetris_lanes
  import tetris_pkg::*;
  import tetris_lanes_pkg::*;
#(
  parameter int unsigned Lanes        = 4,                   // 1, 2, 4 or 8
  parameter int unsigned RowsPerCycle = Lanes < 8 ? 2 : 4    // that the scan reads
) (
  input  logic     clk_i,
  input  logic     rst_ni,
  input  weights_t weights_i,

  input  logic     board_valid_i,
  output logic     board_ready_o,
  input  board_t   board_i,
  input  piece_t   piece_i,
  input  logic     all_i,
  input  logic     lands_i,

  output logic [Lanes-1:0]     landed_o,
  output landing_t [Lanes-1:0] landing_o,
  output logic                 landed_end_o,

  output logic     best_valid_o,
  output best_t    best_o,

  input  logic     trace_i,
  output logic     trace_valid_o,
  input  logic     trace_ready_i,
  output traced_t  trace_o
);

  // Pieces under way; each may wait for its removals.
  localparam logic [SlotWidth-1:0] MostPieces = '1;

  localparam int unsigned Landed = 6;   // cycles from a placement to its landing
  localparam int unsigned Placed = 9;   // ... to its features
  localparam int unsigned Scored = 14;  // ... to its score

  // ------------------------------------------------------------------------------ the scan
  logic      made_valid, made_ready, made_left;
  board_t    made;
  slot_t     made_slot;
  logic      scan_ready, take, waits, waits_q, room_q, reads_made, made_offered;
  logic      heights_valid, ending, scanned_valid, features_valid, features_request;
  context_t  scanned, context_;
  features_t features;
  piece_t    piece_q;                    // of the board that waits for the lanes
  logic      all_q, lands_q;
  slot_t     slot_q, waiting_slot_q;
  // Pieces under way: begun, and without their best placement; there are MostPieces, or one fewer
  logic [SlotWidth-1:0] pieces_q, pieces_d;
  logic                 most_q, nearly_most_q;
  logic      load, start;

  // A board after removal goes first, but not directly after another one: the features of two
  // could come in successive cycles then, and each takes two to be scored.
  assign made_offered  = made_valid && !reads_made;
  // There is a slot for it: each board under way has a piece under way, but for the last one.
  assign board_ready_o = scan_ready && !made_offered && !waits && !nearly_most_q;
  assign made_ready    = scan_ready && made_offered;
  // With 8 lanes a board may be taken in the cycle of `load`, as the scan has no cycle to lose. With
  // fewer it need not, and this path through `load` would be the longest.
  assign waits         = waits_q && !(Lanes >= 8 && load);
  assign take          = board_valid_i && board_ready_o;

  tetris_context #(
    .RowsPerCycle (RowsPerCycle)
  ) u_context (
    .clk_i,
    .rst_ni,
    .board_valid_i      (made_offered || take),
    .board_ready_o      (scan_ready),
    .board_i            (made_offered ? made : board_i),
    .request_i          (!made_offered),
    .reads_other_o      (reads_made),
    .heights_valid_o    (heights_valid),
    .ending_o           (ending),
    .scanned_valid_o    (scanned_valid),
    .features_valid_o   (features_valid),
    .features_request_o (features_request),
    .context_o          (scanned),
    .features_o         (features)
  );

  tetris_context_hold u_hold (
    .clk_i,
    .rst_ni,
    .scanned_valid_i  (scanned_valid),
    .features_valid_i (features_valid && features_request),
    .context_i        (scanned),
    .load_i           (load),
    .context_o        (context_)
  );

  // Boards by slot, for those that remove rows
  board_t boards_mem_q [2**SlotWidth];
  always_ff @(posedge clk_i) if (heights_valid) boards_mem_q[waiting_slot_q] <= scanned.rows;

  logic landed_q, ended_q;  // the heights of the board that waits are there; its scan ends

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waits_q       <= 1'b0;
      slot_q        <= '0;
      landed_q      <= 1'b0;
      ended_q       <= 1'b0;
      pieces_q      <= '0;
      most_q        <= 1'b0;
      nearly_most_q <= 1'b0;
    end else begin
      waits_q  <= take || (waits_q && !load);
      landed_q <= !take && (landed_q || heights_valid);
      ended_q  <= !take && (ended_q || ending);
      if (take) slot_q <= slot_q + 1'b1;
      pieces_q      <= pieces_d;
      most_q        <= pieces_d == MostPieces;
      nearly_most_q <= pieces_d >= MostPieces - 1'b1;
    end
  end

  always_comb begin
    unique case ({start, best_valid_o})
      2'b10:   pieces_d = pieces_q + 1'b1;
      2'b01:   pieces_d = pieces_q - 1'b1;
      default: pieces_d = pieces_q;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      piece_q        <= all_i ? PieceI : piece_i;
      all_q          <= all_i;
      lands_q        <= lands_i;
      waiting_slot_q <= slot_q;
    end
  end

  // ------------------------------------------------------------------- placements, in steps
  logic                 steps_free, steps_end, trace_free, trace_end, trace_step;
  logic [Lanes-1:0]     steps_used, used;
  placing_t [Lanes-1:0] steps_placing, placing;
  candidate_t           candidate;
  logic                 step, can_start;
  logic                 more_q;        // pieces of the board in the lanes are still to begin
  piece_t               step_piece_q;  // the one that began last
  piece_t               next_piece;    // the one that begins next
  slot_t                step_slot_q;
  logic                 step_lands_q;

  assign can_start = room_q && steps_free && trace_free && !most_q;
  assign load      = waits_q && (heights_valid || landed_q) && (ending || ended_q) && !more_q
                   && can_start;
  assign start      = load || (more_q && can_start);
  assign next_piece = more_q ? step_piece_q + 3'd1 : piece_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) more_q <= 1'b0;
    else if (load) more_q <= all_q;
    else if (start) more_q <= step_piece_q != PieceL - 3'd1;
  end

  always_ff @(posedge clk_i) begin
    if (start) step_piece_q <= next_piece;
    if (load) begin
      step_slot_q  <= waiting_slot_q;
      step_lands_q <= lands_q;
    end
  end

  tetris_steps #(
    .Lanes (Lanes)
  ) u_steps (
    .clk_i,
    .rst_ni,
    .start_i   (start && !trace_i),
    .piece_i   (next_piece),
    .free_o    (steps_free),
    .end_o     (steps_end),
    .used_o    (steps_used),
    .placing_o (steps_placing)
  );

  assign step = trace_i ? trace_step : steps_used != '0;

  always_comb begin
    used    = steps_used;
    placing = steps_placing;
    if (trace_i) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        used[l]    = trace_step && 32'(candidate.column) % Lanes == l;
        placing[l] = '{piece: piece_q, rotation: candidate.rotation, column: candidate.column};
      end
    end
  end

  // ------------------------------------------------------------------------------ the lanes
  landing_t [Lanes-1:0]              landing;
  logic [Lanes-1:0]                  landing_valid, placed_valid, removes;
  placed_t                           placed [Lanes];
  logic [Lanes-1:0][ScoreWidth-1:0]  score;
  landing_t [Lanes-1:0]              scored_landing;
  logic [Lanes-1:0]                  scored_used;

  weights_t weights [Lanes+1];  // [l]: those that lane l copies
  assign weights[0] = weights_i;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    // Scores under way: [k] = of a placement of k + 1 cycles ago
    logic [Scored-1:Placed] used_q;

    tetris_lane #(
      .Lane  (l),
      .Lanes (Lanes)
    ) u_lane (
      .clk_i,
      .rst_ni,
      .context_i       (context_),
      .placing_valid_i (used[l]),
      .placing_i       (placing[l]),
      .landing_valid_o (landing_valid[l]),
      .landing_o       (landing[l]),
      .placed_valid_o  (placed_valid[l]),
      .placed_o        (placed[l])
    );

    tetris_lane_score u_score (
      .clk_i,
      .valid_i    ({used_q[Scored-2:Placed], placed_valid[l]}),
      .weights_i  (weights[l]),
      .weights_o  (weights[l+1]),
      .features_i (placed[l].features),
      .score_o    (score[l])
    );

    assign removes[l] = landing_valid[l] && landing[l].removes;

    landing_t landing_q [Placed:Scored-1];
    always_ff @(posedge clk_i) begin
      used_q    <= {used_q[Scored-2:Placed], placed_valid[l]};
      landing_q[Placed] <= placed[l].landing;
      for (int unsigned k = Placed + 1; k < Scored; k++) landing_q[k] <= landing_q[k-1];
    end
    assign scored_used[l]    = used_q[Scored-1];
    assign scored_landing[l] = landing_q[Scored-1];
  end

  // Steps in the lanes: [k] = k cycles ago
  logic  [Scored:1]  step_q, end_q;
  logic  [Landed:1]  lands_qs;
  slot_t [Landed:1]  slots_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) step_q <= '0;
    else step_q <= {step_q[Scored-1:1], step};
  end

  always_ff @(posedge clk_i) begin
    end_q   <= {end_q[Scored-1:1], trace_i ? trace_end : steps_end};
    slots_q <= {slots_q[Landed-1:1], step_slot_q};
    lands_qs <= {lands_qs[Landed-1:1], step_lands_q};
  end

  always_comb begin
    landing_o    = landing;
    landed_end_o = step_q[Landed] && end_q[Landed] && lands_qs[Landed];
    for (int unsigned l = 0; l < Lanes; l++) begin
      landed_o[l] = landing_valid[l] && landing[l].legal && lands_qs[Landed];
    end
  end

  // ------------------------------------------------------------------------------- removals
  // Steps in the lanes that may still remove rows, and those that wait in the queue. A board's
  // placements begin when there is room for all of them.
  localparam int unsigned Depth = Lanes < 4 ? 64 : 32;
  localparam int unsigned Most  = Lanes < 2 ? 34 : Lanes < 4 ? 18 : 9;  // steps of a piece
  typedef logic [$clog2(Depth):0] reserved_t;
  reserved_t       reserved_q;
  reserved_t [3:0] sums;    // [k]: reserved_q + k - 2
  logic [3:0]      rooms;   // [k]: that leaves room
  logic [1:0]      change;  // k

  // That a step removes nothing is known late: so it only chooses.
  always_comb begin
    for (int unsigned k = 0; k < 4; k++) begin
      sums[k]  = reserved_q + reserved_t'(k) - reserved_t'(2);
      rooms[k] = reserved_q <= reserved_t'(Depth - Most + 2 - k);
    end
    change = 2'd2 + 2'(step) - 2'(made_left);
    if (step_q[Landed] && removes == '0) change = change - 2'd1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reserved_q <= '0;
      room_q     <= 1'b1;
    end else begin
      reserved_q <= sums[change];
      room_q     <= rooms[change];
    end
  end

  features_t removed_features;
  logic      removed_valid;
  best_t     removed;

  tetris_removals #(
    .Lanes (Lanes),
    .Depth (Depth)
  ) u_removals (
    .clk_i,
    .rst_ni,
    .weights_i,
    .marked_i         (removes),
    .landing_i        (landing),
    .slot_i           (slots_q[Landed]),
    .left_o           (made_left),
    .slot_o           (made_slot),
    .board_i          (boards_mem_q[made_slot]),
    .made_valid_o     (made_valid),
    .made_ready_i     (made_ready),
    .made_o           (made),
    .features_valid_i (features_valid && !features_request),
    .features_i       (features),
    .features_o       (removed_features),
    .removed_valid_o  (removed_valid),
    .removed_o        (removed)
  );

  // ------------------------------------------------------------------------------- the best
  tetris_lanes_best #(
    .Lanes (Lanes)
  ) u_best (
    .clk_i,
    .rst_ni,
    .alone_i        (trace_i),
    .step_i         (step_q[Scored]),
    .end_i          (end_q[Scored]),
    .used_i         (scored_used),
    .landing_i      (scored_landing),
    .score_i        (score),
    .removed_i      (removed_valid),
    .removed_best_i (removed),
    .best_valid_o,
    .best_o
  );

  // ------------------------------------------------------------------------- traces
  logic       candidate_valid, hold, last;
  number_t    unused_count;
  placement_t placement;
  features_t  one_features;
  landing_t   one_landing;
  logic [ScoreWidth-1:0] one_score;
  logic       one_removes;

  tetris_enum u_enum (
    .clk_i,
    .rst_ni,
    .start_i           (load && trace_i),
    .piece_i           (piece_q),
    .candidate_valid_o (candidate_valid),
    .candidate_ready_i (!hold),
    .candidate_o       (candidate),
    .last_o            (last),
    .count_o           (unused_count)
  );

  assign trace_free = !candidate_valid;
  assign trace_step = candidate_valid && !hold;
  assign trace_end  = last;

  always_comb begin
    one_features = '0;
    one_landing  = '0;
    one_score    = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      for (int unsigned f = 0; f < NumFeatures; f++) begin
        if (trace_i && placed_valid[l]) one_features[f] |= placed[l].features[f];
      end
      if (trace_i && scored_used[l]) one_landing |= scored_landing[l];
      if (trace_i && scored_used[l]) one_score |= score[l];
    end
    one_removes = one_landing.removes;
    placement   = '{candidate: '{number: '0, rotation: one_landing.placing.rotation,
                                 column: one_landing.placing.column},
                    legal: one_landing.legal, row: one_landing.row};
    if (removed_valid) begin
      placement = '{candidate: '{number: '0, rotation: ~removed.rank.not_rotation,
                                 column: ~removed.rank.not_column},
                    legal: 1'b1, row: removed.row};
    end
  end

  tetris_trace u_trace (
    .clk_i,
    .rst_ni,
    .trace_i,
    .last_row_i       (trace_step),
    .hold_o           (hold),
    .features_valid_i (trace_i && (placed_valid != '0 || (features_valid && !features_request))),
    .features_i       (placed_valid != '0 ? one_features : removed_features),
    .score_valid_i    (trace_i && (removed_valid || (step_q[Scored] && !one_removes))),
    .score_i          (removed_valid ? removed.rank.score : one_score),
    .placement_i      (placement),
    .trace_valid_o,
    .trace_ready_i,
    .trace_o
  );

  logic unused;
  assign unused = ^{candidate.number, weights[Lanes]};

endmodule
