// tetris_lane: bumpiness and diversity of the heights after a placement. Both are put together from
// the pairs of columns left of the piece and right of it, which the context sums, and the steps
// that the piece makes: to its left, between its columns, to its right. At a wall there is none.
//
// Heights are any, the context's sums too. The landing row is the lane's own (tetris_lane_columns
// proves it). One placement goes through the lane, with its context held.
module tetris_lane_surface_proof
  import tetris_def_pkg::Columns, tetris_def_pkg::Rows, tetris_def_pkg::cells,
         tetris_def_pkg::cells_t, tetris_def_pkg::fits, tetris_lanes_pkg::bumps_t,
         tetris_lanes_pkg::context_t, tetris_lanes_pkg::landing_t,
         tetris_lanes_pkg::occurring_t, tetris_lanes_pkg::placed_t, tetris_lanes_pkg::placing_t;
(
  input logic     clk_i,
  input placing_t placing_i,
  input context_t context_i
);

  // The inputs keep the values of the first cycle.
  logic [3:0] cycle_q = '0;
  placing_t   placing_q;
  context_t   context_q;
  always_ff @(posedge clk_i) begin
    if (cycle_q == '0) begin
      placing_q <= placing_i;
      context_q <= context_i;
    end
    if (cycle_q != '1) cycle_q <= cycle_q + 4'd1;
  end

  logic     landing_valid, placed_valid;
  landing_t landing;
  placed_t  placed;

  tetris_lane #(
    .Lane  (0),
    .Lanes (1)
  ) u_dut (
    .clk_i,
    .rst_ni          (1'b1),
    .context_i       (context_q),
    .placing_valid_i (1'b1),
    .placing_i       (placing_q),
    .landing_valid_o (landing_valid),
    .landing_o       (landing),
    .placed_valid_o  (placed_valid),
    .placed_o        (placed)
  );

  typedef logic signed [6:0] step_t;

  function automatic bumps_t size(step_t step);
    return step < 0 ? bumps_t'(-step) : bumps_t'(step);
  endfunction

  // Which of -2 .. 2 a step is
  function automatic occurring_t kind(step_t step);
    kind = '0;
    for (int d = -2; d <= 2; d++) if (int'(step) == d) kind[d+2] = 1'b1;
  endfunction

  cells_t     shape;
  step_t      [3:0] top;    // heights of the piece's columns
  int unsigned      width;
  step_t      left, right;
  logic       has_left, has_right;
  logic [3:0] left_at, right_at;  // the columns beside the piece
  bumps_t     inner, bumps;
  occurring_t occurs;
  logic       heights_ok;
  always_comb begin
    shape = cells(placing_q.piece, placing_q.rotation);
    width = 0;
    for (int unsigned dx = 0; dx < 4; dx++) begin
      top[dx] = '0;
      for (int unsigned dy = 0; dy < 4; dy++) begin
        if (shape[dy][dx]) begin
          top[dx] = step_t'(u_dut.landed.row) + step_t'(dy + 1);
          width   = dx + 1;
        end
      end
    end
    left_at   = placing_q.column - 4'd1;
    right_at  = placing_q.column + 4'(width);
    has_left  = placing_q.column != 4'd0;
    has_right = right_at < 4'(Columns);
    left      = has_left ? top[0] - step_t'(context_q.heights[left_at]) : '0;
    right     = has_right ? step_t'(context_q.heights[right_at]) - top[2'(width-1)] : '0;

    inner  = '0;
    occurs = '0;
    for (int unsigned dx = 1; dx < 4; dx++) begin
      if (dx < width) begin
        inner  = inner + size(top[dx] - top[dx-1]);
        occurs = occurs | kind(top[dx] - top[dx-1]);
      end
    end
    bumps = (has_left ? context_q.bumps_left[left_at] : '0) +
            (has_right ? context_q.bumps_right[right_at] : '0) +
            (size(has_left ? step_t'(u_dut.landed.left_step) : '0) +
             size(has_right ? -step_t'(u_dut.landed.right_step) : '0) + inner);
    if (has_left) occurs = occurs | kind(step_t'(u_dut.landed.left_step)) |
                                   context_q.occurs_left[left_at];
    if (has_right) occurs = occurs | kind(-step_t'(u_dut.landed.right_step)) |
                                    context_q.occurs_right[right_at];

    heights_ok = 1'b1;
    for (int unsigned c = 0; c < Columns; c++) begin
      if (context_q.heights[c] > 5'(Rows)) heights_ok = 1'b0;
    end
  end

  always_comb begin
    Fits_M:    assume (cycle_q != '0 ||
                       fits(placing_i.piece, placing_i.rotation, placing_i.column));
    Heights_M: assume (cycle_q == '0 || heights_ok);
    if (cycle_q == 4'd5 && u_dut.landed.legal) begin
      Left_A:  assert (!has_left || step_t'(u_dut.landed.left_step) == left);
      Right_A: assert (!has_right || -step_t'(u_dut.landed.right_step) == right);
    end
    if (cycle_q == 4'd10 && u_dut.landed.legal) begin
      Bumpiness_A: assert (placed.features[12] == 12'(bumps));
      Diversity_A: assert (placed.features[10] == 12'($countones(occurs)));
    end
    Wall_C: cover (cycle_q == 4'd10 && u_dut.landed.legal && !has_right &&
                   placed.features[10] == 12'd5);
    Both_C: cover (cycle_q == 4'd10 && u_dut.landed.legal && has_left && has_right &&
                   placed.features[12] == 12'd30 && left < 0);
  end

  logic unused;
  assign unused = ^{landing_valid, placed_valid, landing};

endmodule
