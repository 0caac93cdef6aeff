// Tetris side of the wire: serves the game's requests from the request memory.
//
// Drive it: offer a request with `req_valid_i`/`req_ready_o`, its payload (of
// the message's length, checked by the caller) in slot `req_slot_i` until
// `req_loaded_o`, which is high for a cycle when it has been read. Its reply comes as a
// header (`reply_valid_o`/`reply_ready_i`, message number, empty or not) and, unless
// empty, its payload bytes on `byte_*`, the last one marked. With `reply_part_o` it is
// a part of a stream: more replies to the same request follow. The next request is
// taken and its payload read while one is served; replies keep the order. Streams end
// early while `cancel_i` is high, which stays so until they have. A reset drops all, the decision under way and the
// weights included.
//
// Header after the request was taken: get_weights 4 cycles, set_weights 61, a
// refused decide or trace 32, a decide 33 plus the decision's `cycles`. Memory:
// `mem_rdata_i` follows `mem_en_o` by two cycles.
//
// This port list is all that the dispatcher knows of a game: another game's
// reader, with its own AI core inside, can stand in its place.
module tetris_reader
  import frame_pkg::mem_addr_t, frame_pkg::offset_t, frame_pkg::slot_t;
#(
  parameter int unsigned Multipliers = 4  // of the AI core, 1 .. NumFeatures
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       cancel_i,
  // Request
  input  logic       req_valid_i,
  output logic       req_ready_o,
  input  logic [7:0] req_msg_i,
  input  slot_t      req_slot_i,
  output logic       req_loaded_o,
  // Request memory, read only
  output logic       mem_en_o,
  output mem_addr_t  mem_addr_o,
  input  logic [7:0] mem_rdata_i,
  // Reply
  output logic       reply_valid_o,
  input  logic       reply_ready_i,
  output logic [7:0] reply_msg_o,
  output logic       reply_empty_o,
  output logic       reply_part_o,
  output logic       byte_valid_o,
  input  logic       byte_ready_i,
  output logic [7:0] byte_data_o,
  output logic       byte_last_o,
  // For a board's display: a decision was answered, and the rows it clears
  output logic       lines_valid_o,
  output logic [4:0] lines_o
);

  // Reads a request's payload while the one before is served.
  typedef enum logic [1:0] {
    LdIdle,
    LdLoad,  // payload bytes from memory
    LdDone   // waits to be served
  } load_e;

  typedef enum logic [2:0] {
    SvIdle,    // is what was loaded one that can be served?
    SvServe,   // it is, or why not
    SvAsk,     // the AI core takes the board
    SvDecide,  // the AI core decides
    SvHeader,
    SvBytes
  } serve_e;

  // Holds the payload of a decide or trace.
  localparam int unsigned LoadWidth = $bits(tetris_proto_pkg::decide_t);
  // Holds that of the reply.
  localparam int unsigned DataWidth = $bits(tetris_proto_pkg::placement_t);

  load_e                load_state_q, load_state_d;
  logic [7:0]           load_msg_q, load_msg_d;
  slot_t                slot_q, slot_d;
  offset_t              loaded_q, loaded_d;  // bytes asked for
  logic                 reading_q;           // the next payload byte is a cycle away
  logic                 rvalid_q;            // mem_rdata_i is it
  logic [LoadWidth-1:0] load_q, load_d;

  serve_e               state_q, state_d;
  logic [7:0]           msg_q, msg_d;        // request
  offset_t              count_q, count_d;    // bytes left to send
  logic [DataWidth-1:0] data_q, data_d;
  logic                 error_q, error_d;    // the reply is an error
  logic [7:0]           code_q, code_d;      // why
  logic                 part_q, part_d;      // the reply is a part
  logic [15:0]          parts_q, parts_d;    // number of the next part
  logic                 cut_q, cut_d;        // parts were left out

  tetris_proto_pkg::set_weights_t weights_q, weights_d;
  logic                           weights_set_q, weights_set_d;

  // The request that was loaded
  tetris_proto_pkg::decide_t decide;
  assign decide = load_q;

  logic bad_piece, bad_next_piece, next_known;
  assign bad_piece      = decide.piece > tetris_proto_pkg::PieceL;
  assign next_known     = decide.next_piece != tetris_proto_pkg::NoPiece;
  assign bad_next_piece = next_known && decide.next_piece > tetris_proto_pkg::PieceL;

  // Weights go straight to their register, when nobody needs what it holds.
  logic loads_weights, may_load, load_done, release_load;
  assign loads_weights = load_msg_q == tetris_proto_pkg::MsgSetWeights;
  assign may_load      = !loads_weights || state_q == SvIdle;
  assign load_done     = loaded_q == offset_t'(tetris_proto_pkg::RequestLengths[load_msg_q[6:0]]);

  // The AI core
  logic                  ai_req_valid, ai_req_ready;
  logic                  ai_rsp_valid, ai_rsp_ready;
  tetris_pkg::decision_t decision;
  logic                  traces, trace_valid, trace_ready;
  tetris_pkg::traced_t   traced;

  // The AI numbers the features itself: each weight goes to its own by name.
  tetris_pkg::weights_t ai_weights;
  always_comb begin
    ai_weights                                = '0;
    ai_weights[tetris_pkg::LandingHeight]     = weights_q.landing_height;
    ai_weights[tetris_pkg::ErodedCells]       = weights_q.eroded_cells;
    ai_weights[tetris_pkg::RowsCleared]       = weights_q.rows_cleared;
    ai_weights[tetris_pkg::RowTransitions]    = weights_q.row_transitions;
    ai_weights[tetris_pkg::ColumnTransitions] = weights_q.column_transitions;
    ai_weights[tetris_pkg::Holes]             = weights_q.holes;
    ai_weights[tetris_pkg::CumulativeWells]   = weights_q.cumulative_wells;
    ai_weights[tetris_pkg::WellSums]          = weights_q.well_sums;
    ai_weights[tetris_pkg::HoleDepth]         = weights_q.hole_depth;
    ai_weights[tetris_pkg::RowsWithHoles]     = weights_q.rows_with_holes;
    ai_weights[tetris_pkg::Diversity]         = weights_q.diversity;
    ai_weights[tetris_pkg::AggregateHeight]   = weights_q.aggregate_height;
    ai_weights[tetris_pkg::Bumpiness]         = weights_q.bumpiness;
    ai_weights[tetris_pkg::MaxHeight]         = weights_q.max_height;
  end

  if (tetris_pkg::Columns != tetris_proto_pkg::Columns ||
      tetris_pkg::Rows != tetris_proto_pkg::Rows ||
      $bits(tetris_pkg::weights_t) != $bits(tetris_proto_pkg::set_weights_t)) begin : gen_mismatch
    $error("tetris_pkg and the wire's layout differ in size");
  end

  tetris_ai #(
    .Multipliers (Multipliers)
  ) u_tetris_ai (
    .clk_i,
    .rst_ni,
    .weights_i     (ai_weights),
    .req_valid_i   (ai_req_valid),
    .req_ready_o   (ai_req_ready),
    .req_board_i   (decide.board),
    .req_piece_i   (decide.piece[2:0]),
    .rsp_valid_o   (ai_rsp_valid),
    .rsp_ready_i   (ai_rsp_ready),
    .rsp_o         (decision),
    .trace_i       (traces),
    .trace_valid_o (trace_valid),
    .trace_ready_i (trace_ready),
    .trace_o       (traced)
  );

  // The replies
  tetris_proto_pkg::decision_t decision_payload;
  assign decision_payload = '{
    legal:        8'(decision.legal),
    rotation:     8'(decision.rotation),
    column:       8'(decision.column),
    row:          8'(decision.row),
    rows_cleared: 8'(decision.rows_cleared),
    score:        64'(decision.score),
    cycles:       decision.cycles
  };

  tetris_proto_pkg::traced_t traced_payload;
  assign traced_payload = '{
    parts:        parts_q,
    cancelled:    8'(cut_q),
    legal:        cut_q ? '0 : decision_payload.legal,
    rotation:     cut_q ? '0 : decision_payload.rotation,
    column:       cut_q ? '0 : decision_payload.column,
    row:          cut_q ? '0 : decision_payload.row,
    rows_cleared: cut_q ? '0 : decision_payload.rows_cleared,
    score:        cut_q ? '0 : decision_payload.score,
    cycles:       cut_q ? '0 : decision_payload.cycles
  };

  tetris_proto_pkg::placement_t placement_payload;
  assign placement_payload = '{
    part:               parts_q,
    rotation:           8'(traced.placement.candidate.rotation),
    column:             8'(traced.placement.candidate.column),
    legal:              8'(traced.placement.legal),
    row:                8'(traced.placement.row),
    landing_height:     16'(traced.features[tetris_pkg::LandingHeight]),
    eroded_cells:       16'(traced.features[tetris_pkg::ErodedCells]),
    rows_cleared:       16'(traced.features[tetris_pkg::RowsCleared]),
    row_transitions:    16'(traced.features[tetris_pkg::RowTransitions]),
    column_transitions: 16'(traced.features[tetris_pkg::ColumnTransitions]),
    holes:              16'(traced.features[tetris_pkg::Holes]),
    cumulative_wells:   16'(traced.features[tetris_pkg::CumulativeWells]),
    well_sums:          16'(traced.features[tetris_pkg::WellSums]),
    hole_depth:         16'(traced.features[tetris_pkg::HoleDepth]),
    rows_with_holes:    16'(traced.features[tetris_pkg::RowsWithHoles]),
    diversity:          16'(traced.features[tetris_pkg::Diversity]),
    aggregate_height:   16'(traced.features[tetris_pkg::AggregateHeight]),
    bumpiness:          16'(traced.features[tetris_pkg::Bumpiness]),
    max_height:         16'(traced.features[tetris_pkg::MaxHeight]),
    score:              64'(traced.score)
  };

  assign req_ready_o   = load_state_q == LdIdle;
  assign mem_en_o      = load_state_q == LdLoad && may_load && !load_done;
  assign mem_addr_o    = '{slot: slot_q, offset: loaded_q};
  assign req_loaded_o  = load_state_q == LdLoad && load_state_d == LdDone;
  assign ai_req_valid  = state_q == SvAsk;
  assign ai_rsp_ready  = state_q == SvDecide;
  assign lines_valid_o = ai_rsp_valid && ai_rsp_ready && !traces;
  assign lines_o       = decision.rows_cleared;
  assign traces        = msg_q == tetris_proto_pkg::MsgTrace;
  assign trace_ready   = state_q == SvDecide;
  assign reply_valid_o = state_q == SvHeader;
  assign reply_empty_o = count_q == '0;
  assign reply_part_o  = part_q;
  assign byte_valid_o  = state_q == SvBytes;
  assign byte_last_o   = count_q == offset_t'(1);
  // The weights are sent straight from their register, which turns once round.
  logic send_weights;
  assign send_weights  = msg_q == tetris_proto_pkg::MsgGetWeights && !error_q;
  assign byte_data_o   = send_weights ? weights_q[7:0] : data_q[7:0];

  always_comb begin
    reply_msg_o = msg_q | link_proto_pkg::ReplyBit;
    if (part_q) reply_msg_o = reply_msg_o | link_proto_pkg::PartBit;
    if (error_q) reply_msg_o = link_proto_pkg::MsgError;
  end

  // ------------------------------------------------------------------------------- loading
  always_comb begin
    load_state_d = load_state_q;
    load_msg_d   = load_msg_q;
    slot_d       = slot_q;
    loaded_d     = loaded_q;
    load_d       = load_q;

    if (rvalid_q && !loads_weights) load_d = {mem_rdata_i, load_q[LoadWidth-1:8]};

    unique case (load_state_q)
      LdIdle: if (req_valid_i) begin
        load_state_d = LdLoad;
        load_msg_d   = req_msg_i;
        slot_d       = req_slot_i;
        loaded_d     = '0;
      end

      LdLoad: if (may_load) begin
        // The last byte arrives in the cycle that leaves.
        if (!load_done) loaded_d = loaded_q + 1'b1;
        else if (!reading_q) load_state_d = LdDone;
      end

      LdDone: if (release_load) load_state_d = LdIdle;

      default: load_state_d = LdIdle;
    endcase
  end

  // ------------------------------------------------------------------------------- serving
  always_comb begin
    state_d       = state_q;
    msg_d         = msg_q;
    count_d       = count_q;
    data_d        = data_q;
    weights_d     = weights_q;
    weights_set_d = weights_set_q;
    error_d       = error_q;
    code_d        = code_q;
    part_d        = part_q;
    parts_d       = parts_q;
    cut_d         = cut_q;
    release_load  = 1'b0;

    if (rvalid_q && loads_weights) weights_d = {mem_rdata_i, weights_q[$bits(weights_q)-1:8]};

    unique case (state_q)
      SvIdle: if (load_state_q == LdDone) begin
        state_d = SvServe;
        msg_d   = load_msg_q;
        error_d = 1'b1;
        part_d  = 1'b0;
        parts_d = '0;
        cut_d   = 1'b0;
        unique case (load_msg_q)
          tetris_proto_pkg::MsgSetWeights: error_d = 1'b0;

          tetris_proto_pkg::MsgGetWeights: begin
            code_d  = tetris_proto_pkg::ErrWeightsUnset;
            error_d = !weights_set_q;
          end

          tetris_proto_pkg::MsgDecide, tetris_proto_pkg::MsgTrace: begin
            if (bad_piece) code_d = tetris_proto_pkg::ErrBadPiece;
            else if (bad_next_piece) code_d = tetris_proto_pkg::ErrBadNextPiece;
            // The AI core looks at one piece only.
            else if (next_known) code_d = link_proto_pkg::ErrUnsupported;
            else if (!weights_set_q) code_d = tetris_proto_pkg::ErrWeightsUnset;
            else error_d = 1'b0;
          end

          // A request, but another game's.
          default: code_d = link_proto_pkg::ErrUnknownType;
        endcase
      end

      SvServe: begin
        state_d      = SvHeader;
        release_load = 1'b1;
        if (error_q) begin
          count_d = offset_t'(link_proto_pkg::ErrorBytes);
          data_d  = DataWidth'(frame_pkg::error_payload(code_q, msg_q));
        end else if (msg_q == tetris_proto_pkg::MsgSetWeights) begin
          count_d       = offset_t'(tetris_proto_pkg::SetWeightsReplyBytes);
          weights_set_d = 1'b1;
        end else if (msg_q == tetris_proto_pkg::MsgGetWeights) begin
          count_d = offset_t'(tetris_proto_pkg::WeightsBytes);
        end else begin
          state_d      = SvAsk;
          release_load = 1'b0;
        end
      end

      SvAsk: if (ai_req_ready) begin
        state_d      = SvDecide;
        release_load = 1'b1;
      end

      SvDecide: if (trace_valid) begin
        if (cancel_i) begin
          cut_d   = 1'b1;
        end else begin
          state_d = SvHeader;
          part_d  = 1'b1;
          parts_d = parts_q + 16'd1;
          count_d = offset_t'(tetris_proto_pkg::PlacementBytes);
          data_d  = placement_payload;
        end
      end else if (ai_rsp_valid) begin
        state_d = SvHeader;
        part_d  = 1'b0;
        count_d = offset_t'(traces ? tetris_proto_pkg::TracedBytes
                                   : tetris_proto_pkg::DecisionBytes);
        data_d  = traces ? DataWidth'(traced_payload) : DataWidth'(decision_payload);
      end

      SvHeader: if (reply_ready_i) state_d = reply_empty_o ? SvIdle : SvBytes;

      SvBytes: if (byte_ready_i) begin
        count_d = count_q - 1'b1;
        data_d  = data_q >> 8;
        if (send_weights) weights_d = {weights_q[7:0], weights_q[$bits(weights_q)-1:8]};
        if (byte_last_o) state_d = part_q ? SvDecide : SvIdle;
      end

      default: state_d = SvIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      load_state_q  <= LdIdle;
      load_msg_q    <= '0;
      slot_q        <= '0;
      loaded_q      <= '0;
      reading_q     <= 1'b0;
      rvalid_q      <= 1'b0;
      load_q        <= '0;
      state_q       <= SvIdle;
      msg_q         <= '0;
      count_q       <= '0;
      data_q        <= '0;
      weights_q     <= '0;
      weights_set_q <= 1'b0;
      error_q       <= 1'b0;
      code_q        <= '0;
      part_q        <= 1'b0;
      parts_q       <= '0;
      cut_q         <= 1'b0;
    end else begin
      load_state_q  <= load_state_d;
      load_msg_q    <= load_msg_d;
      slot_q        <= slot_d;
      loaded_q      <= loaded_d;
      reading_q     <= mem_en_o;
      rvalid_q      <= reading_q;
      load_q        <= load_d;
      state_q       <= state_d;
      msg_q         <= msg_d;
      count_q       <= count_d;
      data_q        <= data_d;
      weights_q     <= weights_d;
      weights_set_q <= weights_set_d;
      error_q       <= error_d;
      code_q        <= code_d;
      part_q        <= part_d;
      parts_q       <= parts_d;
      cut_q         <= cut_d;
    end
  end

`ifndef SYNTHESIS
  RequestHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    req_valid_i && !req_ready_o |=>
    req_valid_i && $stable(req_msg_i) && $stable(req_slot_i));
  ReplyHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    reply_valid_o && !reply_ready_i |=>
    reply_valid_o && $stable(reply_msg_o) && $stable(reply_empty_o) && $stable(reply_part_o));
  ByteHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    byte_valid_o && !byte_ready_i |=>
    byte_valid_o && $stable(byte_data_o) && $stable(byte_last_o));
  // The core must not answer what it was not asked.
  Asked_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    ai_rsp_valid |-> state_q == SvDecide || (part_q && state_q inside {SvHeader, SvBytes}));
  LoadsWhileServing_C: cover property (@(posedge clk_i) disable iff (!rst_ni)
    req_loaded_o && state_q == SvDecide);
`endif

endmodule
