// Decides boards, several at a time: finds the best placement of a piece on each, in order.
//
// Drive it: a board is offered by `board_valid_i` until `board_ready_o`, with a piece. The best
// placement of each comes by `best_valid_o`, in the order of the boards, and is not held back.
// `weights_i` is steady while boards are under way.
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

  output logic     best_valid_o,
  output best_t    best_o,

  input  logic     trace_i,
  output logic     trace_valid_o,
  input  logic     trace_ready_i,
  output traced_t  trace_o
);

  localparam int unsigned Landed = 6;   // cycles from a placement to its landing
  localparam int unsigned Placed = 9;   // ... to its features
  localparam int unsigned Scored = 13;  // ... to its score

  // ------------------------------------------------------------------------------ the scan
  logic      made_valid, made_ready, made_left;
  board_t    made;
  slot_t     made_slot;
  logic      scan_ready, take, waits_q, room, reads_made, made_offered;
  logic      heights_valid, ending, scanned_valid, features_valid, features_request;
  context_t  scanned, context_;
  features_t features;
  piece_t    piece_q;
  slot_t     slot_q, waiting_slot_q;
  logic [SlotWidth:0] boards_q;  // under way
  logic      load;

  // A board after removal goes first, but not directly behind another one: the features of two
  // could come in successive cycles then, and each takes two to be scored.
  assign made_offered  = made_valid && !reads_made;
  assign board_ready_o = scan_ready && !made_offered && !waits_q && !boards_q[SlotWidth];
  assign made_ready    = scan_ready && made_offered;
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
  always_ff @(posedge clk_i) if (take) boards_mem_q[slot_q] <= board_i;

  logic landed_q, ended_q;  // the heights of the board that waits are there; its scan ends

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waits_q  <= 1'b0;
      slot_q   <= '0;
      boards_q <= '0;
      landed_q <= 1'b0;
      ended_q  <= 1'b0;
    end else begin
      waits_q  <= take || (waits_q && !load);
      landed_q <= !take && (landed_q || heights_valid);
      ended_q  <= !take && (ended_q || ending);
      if (take) slot_q <= slot_q + 1'b1;
      unique case ({take, best_valid_o})
        2'b10:   boards_q <= boards_q + 1'b1;
        2'b01:   boards_q <= boards_q - 1'b1;
        default: boards_q <= boards_q;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      piece_q        <= piece_i;
      waiting_slot_q <= slot_q;
    end
  end

  // ------------------------------------------------------------------- placements, in steps
  logic                 steps_free, steps_end, trace_free, trace_end, trace_step;
  logic [Lanes-1:0]     steps_used, used;
  placing_t [Lanes-1:0] steps_placing, placing;
  candidate_t           candidate;
  logic                 step;
  slot_t                step_slot_q;

  assign load = waits_q && (heights_valid || landed_q) && (ending || ended_q) && room
              && steps_free && trace_free;

  tetris_steps #(
    .Lanes (Lanes)
  ) u_steps (
    .clk_i,
    .rst_ni,
    .start_i   (load && !trace_i),
    .piece_i   (piece_q),
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

  always_ff @(posedge clk_i) if (load) step_slot_q <= waiting_slot_q;

  // ------------------------------------------------------------------------------ the lanes
  landing_t [Lanes-1:0]              landing;
  logic [Lanes-1:0]                  landing_valid, placed_valid, removes;
  placed_t [Lanes-1:0]               placed;
  logic [Lanes-1:0][ScoreWidth-1:0]  score;
  landing_t [Lanes-1:0]              scored_landing;
  logic [Lanes-1:0]                  scored_used;

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
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
      .weights_i,
      .features_i (placed[l].features),
      .score_o    (score[l])
    );

    assign removes[l] = landing_valid[l] && landing[l].removes;

    logic     [Scored-1:Placed] used_q;
    landing_t [Scored-1:Placed] landing_q;
    always_ff @(posedge clk_i) begin
      used_q    <= {used_q[Scored-2:Placed], placed_valid[l]};
      landing_q <= {landing_q[Scored-2:Placed], placed[l].landing};
    end
    assign scored_used[l]    = used_q[Scored-1];
    assign scored_landing[l] = landing_q[Scored-1];
  end

  // Steps in the lanes: [k] = k cycles ago
  logic  [Scored:1]  step_q, end_q;
  slot_t [Landed:1]  slots_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) step_q <= '0;
    else step_q <= {step_q[Scored-1:1], step};
  end

  always_ff @(posedge clk_i) begin
    end_q   <= {end_q[Scored-1:1], trace_i ? trace_end : steps_end};
    slots_q <= {slots_q[Landed-1:1], step_slot_q};
  end

  // ------------------------------------------------------------------------------- removals
  // Steps in the lanes that may still remove rows, and those that wait in the queue. A board's
  // placements begin when there is room for all of them.
  localparam int unsigned Depth = Lanes < 4 ? 64 : 32;
  localparam int unsigned Most  = Lanes < 2 ? 34 : Lanes < 4 ? 18 : 9;  // steps of a piece
  logic [$clog2(Depth):0] reserved_q, reserved_d;

  assign room = reserved_q <= ($clog2(Depth)+1)'(Depth - Most);

  always_comb begin
    reserved_d = reserved_q;
    if (step) reserved_d = reserved_d + 1'b1;
    if (step_q[Landed] && removes == '0) reserved_d = reserved_d - 1'b1;
    if (made_left) reserved_d = reserved_d - 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) reserved_q <= '0;
    else reserved_q <= reserved_d;
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
  placed_t    one_placed;
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
    one_placed  = '0;
    one_landing = '0;
    one_score   = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (placed_valid[l]) one_placed |= placed[l];
      if (scored_used[l]) one_landing |= scored_landing[l];
      if (scored_used[l]) one_score |= score[l];
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
    .features_valid_i (placed_valid != '0 || (features_valid && !features_request)),
    .features_i       (placed_valid != '0 ? one_placed.features : removed_features),
    .score_valid_i    (removed_valid || (step_q[Scored] && !one_removes)),
    .score_i          (removed_valid ? removed.rank.score : one_score),
    .placement_i      (placement),
    .trace_valid_o,
    .trace_ready_i,
    .trace_o
  );

  logic unused;
  assign unused = ^{one_placed.landing, candidate.number};

endmodule
