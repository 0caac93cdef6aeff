// The payloads of Tetris' replies, byte by byte, as docs/wire.md has them.
//
// Drive it: the request that is served (`kind_i`) and `part_i` select the payload. It has
// `length_o` bytes; `byte_o` is byte `index_i`, in the same cycle. Its sources must not change
// while it is sent. Weights and moves are queues: `fetch_i` takes byte `index_i`, and
// `weights_turn_o` or `move_ready_o` takes it from the queue. A part of a play has as many moves as
// there were in the cycle before `valid_i`, 32 at the most.
module tetris_replies
  import tetris_proto_pkg::*, tetris_kind_pkg::kind_t;
(
  input  logic                  clk_i,
  // The reply that is sent
  input  logic                  valid_i,
  input  kind_t                 kind_i,
  input  logic                  part_i,
  output frame_pkg::offset_t    length_o,
  input  logic                  fetch_i,
  input  frame_pkg::offset_t    index_i,
  output logic [7:0]            byte_o,
  // What it is made of
  input  logic [7:0]            weights_byte_i,
  output logic                  weights_turn_o,
  input  logic [15:0]           parts_i,  // number of the part, or of those before the end
  input  logic                  cut_i,    // the trace was cancelled
  input  tetris_pkg::decision_t decision_i,
  input  tetris_pkg::traced_t   traced_i,
  input  tetris_pkg::tally_t    tally_i,
  input  logic [63:0]           signature_i,
  input  logic                  unfinished_i,
  input  logic [31:0]           board_crc_i,
  input  logic [6:0]            moves_i,  // that wait
  input  logic [5:0]            move_i,   // the first of them
  output logic                  move_ready_o
);

  import frame_pkg::offset_t;

  always_comb begin
    length_o = '0;
    if (kind_i.sets) length_o = offset_t'(SetWeightsReplyBytes);
    if (kind_i.gets) length_o = offset_t'(WeightsBytes);
    if (kind_i.decides) length_o = offset_t'(DecisionBytes);
    if (kind_i.traces) length_o = offset_t'(part_i ? PlacementBytes : TracedBytes);
    if (kind_i.gives) length_o = offset_t'(part_i ? MovesBytes : PlayedBytes);
    if (kind_i.draws) length_o = offset_t'(part_i ? CheckpointBytes : PlayedBytes);
  end

  decision_t decision;
  assign decision = '{
    legal:        8'(decision_i.legal),
    rotation:     8'(decision_i.rotation),
    column:       8'(decision_i.column),
    row:          8'(decision_i.row),
    rows_cleared: 8'(decision_i.rows_cleared),
    score:        64'(decision_i.score),
    cycles:       decision_i.cycles
  };

  placement_t placement;
  assign placement = '{
    part:               parts_i,
    rotation:           8'(traced_i.placement.candidate.rotation),
    column:             8'(traced_i.placement.candidate.column),
    legal:              8'(traced_i.placement.legal),
    row:                8'(traced_i.placement.row),
    landing_height:     16'(traced_i.features[tetris_pkg::LandingHeight]),
    eroded_cells:       16'(traced_i.features[tetris_pkg::ErodedCells]),
    rows_cleared:       16'(traced_i.features[tetris_pkg::RowsCleared]),
    row_transitions:    16'(traced_i.features[tetris_pkg::RowTransitions]),
    column_transitions: 16'(traced_i.features[tetris_pkg::ColumnTransitions]),
    holes:              16'(traced_i.features[tetris_pkg::Holes]),
    cumulative_wells:   16'(traced_i.features[tetris_pkg::CumulativeWells]),
    well_sums:          16'(traced_i.features[tetris_pkg::WellSums]),
    hole_depth:         16'(traced_i.features[tetris_pkg::HoleDepth]),
    rows_with_holes:    16'(traced_i.features[tetris_pkg::RowsWithHoles]),
    diversity:          16'(traced_i.features[tetris_pkg::Diversity]),
    aggregate_height:   16'(traced_i.features[tetris_pkg::AggregateHeight]),
    bumpiness:          16'(traced_i.features[tetris_pkg::Bumpiness]),
    max_height:         16'(traced_i.features[tetris_pkg::MaxHeight]),
    score:              64'(traced_i.score)
  };

  // A game's end; and a checkpoint, which is the same as far as it goes.
  played_t played;
  assign played = '{
    parts:        parts_i,
    pieces:       tally_i.pieces,
    games:        tally_i.games,
    rows_cleared: tally_i.rows_cleared,
    score:        tally_i.score,
    cycles:       tally_i.cycles,
    signature:    signature_i,
    cancelled:    8'(unfinished_i),
    board_crc:    board_crc_i
  };

  // ------------------------------------------------------------------------------- the moves
  localparam int unsigned MovesAt = 3;  // after the part's number and their count

  logic [5:0] moves_q, moves_d;  // left of the part
  logic       is_move;
  assign is_move      = kind_i.gives && part_i && index_i >= offset_t'(MovesAt);
  assign move_ready_o = fetch_i && is_move && moves_q != '0;
  always_comb begin
    moves_d = moves_q - 6'(move_ready_o);
    if (!valid_i) begin
      moves_d = (moves_i > 7'(PartMoves)) ? 6'(PartMoves) : moves_i[5:0];
    end
  end

  always_ff @(posedge clk_i) moves_q <= moves_d;

  // ------------------------------------------------------------------------------- the bytes
  assign weights_turn_o = fetch_i && kind_i.gets;

  // The end of a trace has the decision after its header; a cancelled one zeros.
  traced_t traced;
  assign traced = {cut_i ? decision_t'('0) : decision, 8'(cut_i), parts_i};

  // Behind each payload are zeros, which are never sent.
  logic [31:0][7:0] decision_bytes, traced_bytes;
  logic [63:0][7:0] placement_bytes, played_bytes;
  logic [3:0][7:0]  moves_bytes;
  assign decision_bytes  = $bits(decision_bytes)'(decision);
  assign traced_bytes    = $bits(traced_bytes)'(traced);
  assign placement_bytes = $bits(placement_bytes)'(placement);
  assign played_bytes    = $bits(played_bytes)'(played);
  assign moves_bytes     = {(moves_q != '0) ? 8'(move_i) : 8'd0, 8'(moves_q), parts_i};

  always_comb begin
    byte_o = decision_bytes[index_i[4:0]];
    if (kind_i.traces) begin
      byte_o = part_i ? placement_bytes[index_i[5:0]] : traced_bytes[index_i[4:0]];
    end
    if (kind_i.gives || kind_i.draws) byte_o = played_bytes[index_i[5:0]];
    if (kind_i.gives && part_i) byte_o = moves_bytes[is_move ? 2'd3 : index_i[1:0]];
    if (kind_i.gets) byte_o = weights_byte_i;
  end

endmodule
