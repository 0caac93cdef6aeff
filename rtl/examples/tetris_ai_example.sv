// The Tetris core by itself, as a design instantiates it: plain ports, valid/ready on both sides,
// the weights of one controller.
//
// Drive it: offer a board (bit 10 r + c is row r from the bottom, column c from the left) and a
// piece (0 .. 6: I O T S Z J L) with req_valid_i until req_ready_o takes them; the placement is
// offered with rsp_valid_o until rsp_ready_i takes it, and the next position is taken after that.
// legal_o low: the piece fits nowhere, and the rest is 0. score_o is in millionths.
//
// Neither ready hangs on a valid, nor a valid on a ready, in the same cycle, and what is offered
// stays: the rules of AXI4-Stream.
//
// Latency: as tetris_ai, some 100 to 700 cycles in games.
module tetris_ai_example (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               req_valid_i,
  output logic               req_ready_o,
  input  logic [199:0]       req_board_i,
  input  logic [2:0]         req_piece_i,
  output logic               rsp_valid_o,
  input  logic               rsp_ready_i,
  output logic               legal_o,
  output logic [1:0]         rotation_o,
  output logic [3:0]         column_o,
  output logic [4:0]         row_o,
  output logic [4:0]         rows_cleared_o,
  output logic signed [47:0] score_o,
  output logic [31:0]        cycles_o
);

  // DT-20 (fixtures/weights/dt-20.json) in millionths; the landing height's is halved,
  // because the core counts it doubled.
  tetris_pkg::weights_t weights;
  always_comb begin
    weights                                = '0;
    weights[tetris_pkg::LandingHeight]     = -32'sd1_340_000;
    weights[tetris_pkg::ErodedCells]       = 32'sd1_380_000;
    weights[tetris_pkg::RowTransitions]    = -32'sd2_410_000;
    weights[tetris_pkg::ColumnTransitions] = -32'sd6_320_000;
    weights[tetris_pkg::Holes]             = 32'sd2_030_000;
    weights[tetris_pkg::WellSums]          = -32'sd2_710_000;
    weights[tetris_pkg::HoleDepth]         = -32'sd430_000;
    weights[tetris_pkg::RowsWithHoles]     = -32'sd9_480_000;
    weights[tetris_pkg::Diversity]         = 32'sd890_000;
  end

  tetris_pkg::decision_t decision;

  // No placements are reported.
  tetris_pkg::traced_t   unused_trace;
  logic                  unused_trace_valid;

  tetris_ai #(
    .Multipliers (4)
  ) u_tetris_ai (
    .clk_i,
    .rst_ni,
    .weights_i     (weights),
    .req_valid_i,
    .req_ready_o,
    .req_board_i,
    .req_piece_i,
    .rsp_valid_o,
    .rsp_ready_i,
    .rsp_o         (decision),
    .trace_i       (1'b0),
    .trace_valid_o (unused_trace_valid),
    .trace_ready_i (1'b1),
    .trace_o       (unused_trace)
  );

  assign legal_o        = decision.legal;
  assign rotation_o     = decision.rotation;
  assign column_o       = decision.column;
  assign row_o          = decision.row;
  assign rows_cleared_o = decision.rows_cleared;
  assign score_o        = decision.score;
  assign cycles_o       = decision.cycles;

endmodule
