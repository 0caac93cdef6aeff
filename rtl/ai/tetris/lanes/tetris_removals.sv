// Placements that remove rows: their boards are made, scanned, and scored.
//
// Drive it: landings that remove rows come by `marked_i`, with the slot of their board, which
// `board_i` gives for `slot_o`. A board without its full rows is offered on `made_*` to
// tetris_context; `features_valid_i` brings the features of those that it took, in their order.
// The output is never held back: `removed_valid_o`, in the order of the landings.
//
// Latency: without another one under way, and with n rows removed, a board is offered n + 4 cycles
// after its landing came in. A board's score comes 6 cycles after its features; the features of two
// boards are two cycles apart at least.
module tetris_removals
  import tetris_pkg::ErodedCells, tetris_pkg::LandingHeight, tetris_pkg::RowsCleared,
         tetris_pkg::ScoreWidth, tetris_pkg::Shapes, tetris_pkg::board_t, tetris_pkg::features_t,
         tetris_pkg::height_t, tetris_pkg::placement_t, tetris_pkg::weights_t;
  import tetris_lanes_pkg::*;
#(
  parameter int unsigned Lanes = 4,
  parameter int unsigned Depth = 32  // of the queue
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  weights_t             weights_i,
  input  logic [Lanes-1:0]     marked_i,
  input  landing_t [Lanes-1:0] landing_i,
  input  slot_t                slot_i,
  output logic                 left_o,      // what came in together has left the queue
  output slot_t                slot_o,
  input  board_t               board_i,
  output logic                 made_valid_o,
  input  logic                 made_ready_i,
  output board_t               made_o,
  input  logic                 features_valid_i,
  input  features_t            features_i,
  output features_t            features_o,  // all of them, with features_valid_i
  output logic                 removed_valid_o,
  output best_t                removed_o
);

  logic     landed_valid, maker_ready;
  placing_t landed;
  height_t  landed_row;

  tetris_landing_queue #(
    .Lanes (Lanes),
    .Depth (Depth)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .marked_i,
    .landing_i,
    .slot_i,
    .valid_o   (landed_valid),
    .ready_i   (maker_ready),
    .placing_o (landed),
    .row_o     (landed_row),
    .slot_o,
    .left_o
  );

  placing_t   placing;
  height_t    row, cleared;
  logic [6:0] eroded;

  tetris_maker #(
    .TakesEarly (Lanes >= 8)
  ) u_maker (
    .clk_i,
    .rst_ni,
    .valid_i   (landed_valid),
    .ready_o   (maker_ready),
    .board_i,
    .placing_i (landed),
    .row_i     (landed_row),
    .valid_o   (made_valid_o),
    .ready_i   (made_ready_i),
    .board_o   (made_o),
    .placing_o (placing),
    .row_o     (row),
    .cleared_o (cleared),
    .eroded_o  (eroded)
  );

  // ------------------------------------------------------------- while the board is scanned
  // What the features of a board do not say. A board takes 5 to 14 cycles, and they are made 4
  // apart at least: 4 wait at most.
  typedef struct packed {
    placing_t   placing;
    height_t    row;
    height_t    cleared;
    logic [6:0] eroded;
  } made_t;

  localparam int unsigned Scanned = 8;

  made_t                      scanned_q [Scanned], made;
  logic [$clog2(Scanned)-1:0] read_q, write_q;
  logic                       take;

  assign take = made_valid_o && made_ready_i;
  assign made = scanned_q[read_q];

  always_ff @(posedge clk_i) begin
    if (take) begin
      scanned_q[write_q] <= '{placing: placing, row: row, cleared: cleared, eroded: eroded};
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q  <= '0;
      write_q <= '0;
    end else begin
      if (take) write_q <= write_q + 1'b1;
      if (features_valid_i) read_q <= read_q + 1'b1;
    end
  end

  // ------------------------------------------------------------------------------- its score
  placement_t placement, scored;

  always_comb begin
    features_o = features_i;
    features_o[LandingHeight] =
      12'({made.row, 1'b0}) + 12'(Shapes[{made.placing.piece, made.placing.rotation}].rise);
    features_o[ErodedCells]   = 12'(made.eroded);
    features_o[RowsCleared]   = 12'(made.cleared);
    placement = '{candidate: '{number: '0, rotation: made.placing.rotation,
                               column: made.placing.column},
                  legal: 1'b1, row: made.row};
  end

  tetris_score #(
    .Multipliers (7)
  ) u_score (
    .clk_i,
    .rst_ni,
    .weights_i,
    .features_valid_i,
    .features_i     (features_o),
    .placement_i    (placement),
    .score_valid_o  (removed_valid_o),
    .score_o        (removed_o.rank.score),
    .rows_cleared_o (removed_o.rows_cleared),
    .placement_o    (scored)
  );

  assign removed_o.legal             = 1'b1;
  assign removed_o.row               = scored.row;
  assign removed_o.rank.not_rotation = ~scored.candidate.rotation;
  assign removed_o.rank.not_column   = ~scored.candidate.column;

  logic unused;
  assign unused = ^scored;

`ifndef SYNTHESIS
  Scanned_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    features_valid_i |-> read_q != write_q);
  Fits_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    take |-> write_q + 1'b1 != read_q);
`endif

endmodule
