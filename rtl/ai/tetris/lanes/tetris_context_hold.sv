// Keeps contexts for the lanes: the one they work on, and the next one while it is scanned.
//
// Drive it: `context_i` and its valid signals come from tetris_context. `load_i` in cycle 0 makes
// the scanned context that of the placements from cycle 1 on; its board was taken by the scan two
// cycles before, or earlier, and its scan has ended or ends within a cycle. The scan takes the next
// request in cycle 0 or later, for two cycles at least. Each field of `context_o` changes in the cycle in which the lanes
// use that field of the first placement (see tetris_lane).
module tetris_context_hold
  import tetris_lanes_pkg::context_t;
(
  input  logic     clk_i,
  input  logic     rst_ni,
  input  logic     scanned_valid_i,
  input  logic     features_valid_i,  // of a request
  input  context_t context_i,
  input  logic     load_i,
  output context_t context_o
);

  logic [8:1] load_q;  // [k]: k cycles ago
  always_ff @(posedge clk_i) begin
    if (!rst_ni) load_q <= '0;
    else load_q <= {load_q[7:1], load_i};
  end

  // Fields wait in next_q. Some are used later than the next request would overwrite them.
  context_t              next_q, context_q;
  tetris_lanes_pkg::columns_t columns_q;
  logic                  full1_q, full2_q;
  tetris_lanes_pkg::board_features_t features_q;

  always_ff @(posedge clk_i) begin
    if (scanned_valid_i) begin
      next_q.buried     <= context_i.buried;
      next_q.well_top   <= context_i.well_top;
      next_q.open_wells <= context_i.open_wells;
      next_q.near_wells <= context_i.near_wells;
      next_q.far_wells  <= context_i.far_wells;
      next_q.empty      <= context_i.empty;
    end
    if (features_valid_i) begin
      next_q.features     <= context_i.features;
      next_q.clean        <= context_i.clean;
      next_q.occurs_left  <= context_i.occurs_left;
      next_q.occurs_right <= context_i.occurs_right;
      next_q.bumps_left   <= context_i.bumps_left;
      next_q.bumps_right  <= context_i.bumps_right;
    end

    if (load_i) context_q.heights <= context_i.heights;
    if (load_q[1]) begin
      columns_q <= context_i.columns;
      full1_q   <= context_i.full;
    end
    if (load_q[2]) begin
      context_q.columns <= columns_q;
      full2_q           <= full1_q;
    end
    if (load_q[4]) begin
      context_q.full       <= full2_q;
      context_q.buried     <= next_q.buried;
      context_q.well_top   <= next_q.well_top;
      context_q.open_wells <= next_q.open_wells;
      context_q.near_wells <= next_q.near_wells;
      context_q.far_wells  <= next_q.far_wells;
      context_q.empty      <= next_q.empty;
    end
    if (load_q[6]) begin
      features_q             <= next_q.features;
      context_q.clean        <= next_q.clean;
      context_q.occurs_left  <= next_q.occurs_left;
      context_q.occurs_right <= next_q.occurs_right;
      context_q.bumps_left   <= next_q.bumps_left;
      context_q.bumps_right  <= next_q.bumps_right;
    end
    if (load_q[8]) context_q.features <= features_q;
  end

  assign context_o = context_q;

endmodule
