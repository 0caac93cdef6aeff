// The AI core with lanes, for one request at a time. Its ports and answers are those of tetris_ai,
// whose head says how to drive it; the cycles are others (host/games/src/tetris/timing.rs).
//
// With `ahead_i` it looks a piece ahead: each placement of the piece is followed by those of the
// next one, `next_i`, or with `all_i` of each of the seven. Whatever a request takes is steady from
// the request to the answer.
//
//   board ----> lanes ----> best (without lookahead)
//     |           ^    |
//     v           |    '--> lookahead -> best
//   maker <- landings of its placements
//
// The landings of the board's placements wait in a queue. A second maker makes the board of each,
// which the lanes decide like any other.
//
// While `side_by_side_i` is high, from its second cycle on, there is no request, and boards are
// decided side by side, each with its piece, without lookahead: `boards_*` offers them,
// `best_valid_o` is high for a cycle with the decision of each, in their order; its `cycles` are 0.
module tetris_lanes_ai
  import tetris_pkg::*;
  import tetris_lanes_pkg::best_t, tetris_lanes_pkg::landing_t, tetris_lanes_pkg::placing_t,
         tetris_lanes_pkg::slot_t;
#(
  parameter int unsigned Lanes = 4  // 1, 2, 4 or 8
) (
  input  logic      clk_i,
  input  logic      rst_ni,
  input  weights_t  weights_i,

  input  logic      req_valid_i,
  output logic      req_ready_o,
  input  board_t    req_board_i,
  input  piece_t    req_piece_i,
  input  logic      ahead_i,
  input  logic      all_i,
  input  piece_t    next_i,

  output logic      rsp_valid_o,
  input  logic      rsp_ready_i,
  output decision_t rsp_o,

  input  logic      trace_i,
  output logic      trace_valid_o,
  input  logic      trace_ready_i,
  output traced_t   trace_o,

  input  logic      side_by_side_i,
  input  logic      boards_valid_i,
  output logic      boards_ready_o,
  input  board_t    boards_i,
  input  piece_t    boards_piece_i,
  output logic      best_valid_o,
  output decision_t best_o
);

  typedef enum logic [1:0] {
    StIdle,
    StRun,
    StAhead,   // the lookahead ends
    StRespond
  } state_e;

  state_e      state_q, state_d;
  logic [31:0] cycles_q;
  logic        idle, accept, board_ready, best_valid, done_q, ahead_done;
  best_t       best, best_q, ahead_best;
  board_t      board_q;
  logic        side_by_side_q;

  assign idle        = state_q == StIdle;
  assign req_ready_o = idle && board_ready;
  assign accept      = req_valid_i && req_ready_o;
  assign rsp_valid_o = state_q == StRespond;

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:    if (req_valid_i && req_ready_o) state_d = StRun;
      StRun: begin
        if (ahead_i && done_q) state_d = StAhead;
        // The last placement of a trace may have to be taken still.
        else if (!ahead_i && (best_valid || done_q) && !trace_valid_o) state_d = StRespond;
      end
      StAhead:   if (ahead_done) state_d = StRespond;
      StRespond: if (rsp_ready_i) state_d = StIdle;
      default:   state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  // The first best placement is the board's own.
  always_ff @(posedge clk_i) begin
    done_q <= state_q inside {StRun, StAhead} && (best_valid || done_q);
    if (idle) cycles_q <= 32'd1;
    else if (state_q != StRespond) cycles_q <= cycles_q + 32'd1;
    if (idle) board_q <= req_board_i;
    side_by_side_q <= side_by_side_i;
    if (state_q == StRun && best_valid && !done_q) best_q <= best;
    else if (state_q == StAhead && ahead_done) best_q <= ahead_best;
  end

  // ---------------------------------------------------------------------- boards to be decided
  logic                 made_valid, landed_end, queue_valid, maker_ready;
  logic [Lanes-1:0]     landed;
  landing_t [Lanes-1:0] landing;
  placing_t             first, placing;
  height_t              first_row, row, cleared;
  logic [6:0]           eroded;
  board_t               made;

  tetris_lanes #(
    .Lanes (Lanes)
  ) u_lanes (
    .clk_i,
    .rst_ni,
    .weights_i,
    .board_valid_i (idle ? req_valid_i || boards_valid_i : made_valid),
    .board_ready_o (board_ready),
    .board_i       (side_by_side_q ? boards_i : idle ? req_board_i : made),
    .piece_i       (side_by_side_q ? boards_piece_i : idle ? req_piece_i : next_i),
    .all_i         (!idle && all_i),
    .lands_i       (idle && ahead_i && !side_by_side_i),
    .landed_o      (landed),
    .landing_o     (landing),
    .landed_end_o  (landed_end),
    .best_valid_o  (best_valid),
    .best_o        (best),
    .trace_i,
    .trace_valid_o,
    .trace_ready_i,
    .trace_o
  );

  slot_t unused_slot;
  logic  unused_left;

  tetris_landing_queue #(
    .Lanes (Lanes),
    .Depth (Lanes < 4 ? 64 : 16)
  ) u_firsts (
    .clk_i,
    .rst_ni,
    .marked_i  (landed),
    .landing_i (landing),
    .slot_i    ('0),
    .valid_o   (queue_valid),
    .ready_i   (maker_ready),
    .placing_o (first),
    .row_o     (first_row),
    .slot_o    (unused_slot),
    .left_o    (unused_left)
  );

  tetris_maker #(
    .TakesEarly (Lanes >= 8)
  ) u_maker (
    .clk_i,
    .rst_ni,
    .valid_i   (queue_valid),
    .ready_o   (maker_ready),
    .board_i   (board_q),
    .placing_i (first),
    .row_i     (first_row),
    .valid_o   (made_valid),
    .ready_i   (board_ready),
    .board_o   (made),
    .placing_o (placing),
    .row_o     (row),
    .cleared_o (cleared),
    .eroded_o  (eroded)
  );

  // ------------------------------------------------------------------------------ lookahead
  tetris_lookahead #(
    .Lanes (Lanes)
  ) u_lookahead (
    .clk_i,
    .rst_ni,
    .weights_i,
    .start_i       (accept),
    .all_i,
    .landed_i      (landed),
    .landed_end_i  (landed_end),
    .first_i       (made_valid && board_ready),
    .placing_i     (placing),
    .row_i         (row),
    .cleared_i     (cleared),
    .eroded_i      (eroded),
    .best_valid_i  (best_valid && done_q),
    .best_i        (best),
    .plain_i       (best_q),
    .done_o        (ahead_done),
    .best_o        (ahead_best)
  );

  function automatic decision_t decision_of(best_t found, logic [31:0] cycles);
    decision_t decision;
    decision = '0;
    if (found.legal) begin
      decision.legal        = 1'b1;
      decision.rotation     = ~found.rank.not_rotation;
      decision.column       = ~found.rank.not_column;
      decision.row          = found.row;
      decision.rows_cleared = found.rows_cleared;
      decision.score        = found.rank.score;
    end
    decision.cycles = cycles;
    return decision;
  endfunction

  assign rsp_o          = decision_of(best_q, cycles_q);
  assign best_o         = decision_of(best, '0);
  assign best_valid_o   = idle && best_valid;
  assign boards_ready_o = idle && board_ready;

`ifndef SYNTHESIS
  BoardsAlone_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    side_by_side_i |-> idle && !req_valid_i);
  BoardsMeant_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    boards_valid_i |-> side_by_side_i && side_by_side_q);
  ResponseHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    rsp_valid_o && !rsp_ready_i |=> rsp_valid_o && $stable(rsp_o));
  AheadSteady_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    state_q inside {StRun, StAhead} |-> $stable({ahead_i, all_i, next_i}));
`endif

endmodule
