// Tetris side of the wire: serves the game's requests from the request memory.
//
// Drive it: offer a request with `req_valid_i`/`req_ready_o`, its payload (of
// the message's length, checked by the caller) in slot `req_slot_i` until the
// reply is over. The reply comes as a header (`reply_valid_o`/`reply_ready_i`,
// message number, empty or not) and, unless empty, its payload bytes on
// `byte_*`, the last one marked. One request at a time. A reset drops all, the
// decision under way and the weights included.
//
// Header after the request was taken: get_weights 4 cycles, set_weights 61, a
// refused decide 32, a decide 33 plus the decision's `cycles`. Memory:
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
  // Request
  input  logic       req_valid_i,
  output logic       req_ready_o,
  input  logic [7:0] req_msg_i,
  input  slot_t      req_slot_i,
  // Request memory, read only
  output logic       mem_en_o,
  output mem_addr_t  mem_addr_o,
  input  logic [7:0] mem_rdata_i,
  // Reply
  output logic       reply_valid_o,
  input  logic       reply_ready_i,
  output logic [7:0] reply_msg_o,
  output logic       reply_empty_o,
  output logic       byte_valid_o,
  input  logic       byte_ready_i,
  output logic [7:0] byte_data_o,
  output logic       byte_last_o,
  // For a board's display: a decision was answered, and the rows it clears
  output logic       lines_valid_o,
  output logic [4:0] lines_o
);

  typedef enum logic [2:0] {
    StIdle,
    StLoad,    // payload bytes from memory
    StCheck,   // is it one that can be served?
    StServe,   // it is, or why not
    StAsk,     // the AI core takes the board
    StDecide,  // the AI core decides
    StHeader,
    StBytes
  } state_e;

  // Holds a decide's payload first, then the payload of the reply.
  localparam int unsigned DataWidth = $bits(tetris_proto_pkg::decide_t);

  state_e                  state_q, state_d;
  logic [7:0]              msg_q, msg_d;      // request
  slot_t                   slot_q, slot_d;
  offset_t                 count_q, count_d;  // bytes asked for; then: bytes left to send
  logic                    reading_q;         // the next payload byte is a cycle away
  logic                    rvalid_q;          // mem_rdata_i is it
  logic [DataWidth-1:0]    data_q, data_d;
  tetris_proto_pkg::set_weights_t weights_q, weights_d;
  logic                    weights_set_q, weights_set_d;
  logic                    error_q, error_d;  // the reply is an error
  logic [7:0]              code_q, code_d;    // why

  // The request
  tetris_proto_pkg::decide_t decide;
  assign decide = data_q;

  logic bad_piece, bad_next_piece, next_known;
  assign bad_piece      = decide.piece > tetris_proto_pkg::PieceL;
  assign next_known     = decide.next_piece != tetris_proto_pkg::NoPiece;
  assign bad_next_piece = next_known && decide.next_piece > tetris_proto_pkg::PieceL;

  logic load_done;
  assign load_done = count_q == offset_t'(tetris_proto_pkg::RequestLengths[msg_q[6:0]]);

  // The AI core
  logic                                                 ai_req_valid, ai_req_ready;
  logic                                                 ai_rsp_valid, ai_rsp_ready;
  tetris_pkg::decision_t                                decision;

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
    .rsp_o         (decision)
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

  assign req_ready_o   = state_q == StIdle;
  assign mem_en_o      = state_q == StLoad && !load_done;
  assign mem_addr_o    = '{slot: slot_q, offset: count_q};
  assign ai_req_valid  = state_q == StAsk;
  assign ai_rsp_ready  = state_q == StDecide;
  assign lines_valid_o = ai_rsp_valid && ai_rsp_ready;
  assign lines_o       = decision.rows_cleared;
  assign reply_valid_o = state_q == StHeader;
  assign reply_msg_o   = error_q ? link_proto_pkg::MsgError : msg_q | link_proto_pkg::ReplyBit;
  assign reply_empty_o = count_q == '0;
  assign byte_valid_o  = state_q == StBytes;
  assign byte_last_o   = count_q == offset_t'(1);
  // The weights are sent straight from their register, which turns once round.
  logic send_weights;
  assign send_weights  = msg_q == tetris_proto_pkg::MsgGetWeights && !error_q;
  assign byte_data_o   = send_weights ? weights_q[7:0] : data_q[7:0];

  always_comb begin
    state_d       = state_q;
    msg_d         = msg_q;
    slot_d        = slot_q;
    count_d       = count_q;
    data_d        = data_q;
    weights_d     = weights_q;
    weights_set_d = weights_set_q;
    error_d       = error_q;
    code_d        = code_q;

    if (rvalid_q && msg_q == tetris_proto_pkg::MsgSetWeights) begin
      weights_d = {mem_rdata_i, weights_q[$bits(weights_q)-1:8]};
    end else if (rvalid_q) begin
      data_d = {mem_rdata_i, data_q[DataWidth-1:8]};
    end

    unique case (state_q)
      StIdle: if (req_valid_i) begin
        state_d = StLoad;
        msg_d   = req_msg_i;
        slot_d  = req_slot_i;
        count_d = '0;
      end

      StLoad: begin
        // The last byte arrives in the cycle that leaves.
        if (!load_done) count_d = count_q + 1'b1;
        else if (!reading_q) state_d = StCheck;
      end

      StCheck: begin
        state_d = StServe;
        error_d = 1'b1;
        unique case (msg_q)
          tetris_proto_pkg::MsgSetWeights: error_d = 1'b0;

          tetris_proto_pkg::MsgGetWeights: begin
            code_d  = tetris_proto_pkg::ErrWeightsUnset;
            error_d = !weights_set_q;
          end

          tetris_proto_pkg::MsgDecide: begin
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

      StServe: begin
        state_d = StHeader;
        if (error_q) begin
          count_d = offset_t'(link_proto_pkg::ErrorBytes);
          data_d  = DataWidth'(frame_pkg::error_payload(code_q, msg_q));
        end else if (msg_q == tetris_proto_pkg::MsgSetWeights) begin
          count_d       = offset_t'(tetris_proto_pkg::SetWeightsReplyBytes);
          weights_set_d = 1'b1;
        end else if (msg_q == tetris_proto_pkg::MsgGetWeights) begin
          count_d = offset_t'(tetris_proto_pkg::WeightsBytes);
        end else begin
          count_d = offset_t'(tetris_proto_pkg::DecisionBytes);
          state_d = StAsk;
        end
      end

      StAsk: if (ai_req_ready) state_d = StDecide;

      StDecide: if (ai_rsp_valid) begin
        data_d  = DataWidth'(decision_payload);
        state_d = StHeader;
      end

      StHeader: if (reply_ready_i) state_d = reply_empty_o ? StIdle : StBytes;

      StBytes: if (byte_ready_i) begin
        count_d = count_q - 1'b1;
        data_d  = data_q >> 8;
        if (send_weights) weights_d = {weights_q[7:0], weights_q[$bits(weights_q)-1:8]};
        if (byte_last_o) state_d = StIdle;
      end

      default: state_d = StIdle;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q       <= StIdle;
      msg_q         <= '0;
      slot_q        <= '0;
      count_q       <= '0;
      reading_q     <= 1'b0;
      rvalid_q      <= 1'b0;
      data_q        <= '0;
      weights_q     <= '0;
      weights_set_q <= 1'b0;
      error_q       <= 1'b0;
      code_q        <= '0;
    end else begin
      state_q       <= state_d;
      msg_q         <= msg_d;
      slot_q        <= slot_d;
      count_q       <= count_d;
      reading_q     <= mem_en_o;
      rvalid_q      <= reading_q;
      data_q        <= data_d;
      weights_q     <= weights_d;
      weights_set_q <= weights_set_d;
      error_q       <= error_d;
      code_q        <= code_d;
    end
  end

`ifndef SYNTHESIS
  RequestHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    req_valid_i && !req_ready_o |=>
    req_valid_i && $stable(req_msg_i) && $stable(req_slot_i));
  ReplyHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    reply_valid_o && !reply_ready_i |=>
    reply_valid_o && $stable(reply_msg_o) && $stable(reply_empty_o));
  ByteHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    byte_valid_o && !byte_ready_i |=>
    byte_valid_o && $stable(byte_data_o) && $stable(byte_last_o));
  // The core must not answer what it was not asked.
  Asked_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    ai_rsp_valid |-> state_q == StDecide);
`endif

endmodule
