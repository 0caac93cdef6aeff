// tetris_lane_side: what new well cells beside a piece add, by the definitions, row by row.
// tetris_lane_floor: the floor of a run is a column's height.
//
// The column beside the piece is looked at from the piece's lowest cell in its edge column up, four
// rows. Below them are `below_i` empty cells, any number, down to a filled one or the floor. None
// of the four rows had a well cell: the piece's cells were empty.
module tetris_lane_side_proof
  import tetris_def_pkg::Rows;
(
  input logic            clk_i,
  input logic [3:0]      cells_i,
  input logic [3:0]      beyond_i,
  input logic [4:0]      below_i,
  input logic [Rows-1:0] column_i
);

  logic [2:0]        number, top, sums;
  logic signed [4:0] change;
  logic [4:0]        floor_row;

  tetris_lane_side u_side (
    .cells_i,
    .beyond_i,
    .number_o (number),
    .top_o    (top),
    .change_o (change),
    .sums_o   (sums)
  );

  tetris_lane_floor u_floor (
    .below_i (column_i),
    .floor_o (floor_row)
  );

  typedef logic signed [8:0] sum_t;

  sum_t cumulative;  // for each new well cell 1 + the empty cells directly below it
  sum_t well_sums;   // of the runs that end on a filled cell of the four rows
  sum_t in_lowest;   // new well cells of the run that reaches below, and one more than the topmost
  sum_t top_lowest;  // one's row
  sum_t empty;       // cells directly below a row, from a filled one up
  sum_t topmost;     // the distance of a run's topmost well cell from its end
  logic lowest;
  logic [4:0] height;

  always_comb begin
    cumulative = '0;
    well_sums  = '0;
    in_lowest  = '0;
    top_lowest = '0;
    empty      = sum_t'(below_i);
    topmost    = '0;
    lowest     = 1'b1;
    for (int unsigned k = 0; k < 4; k++) begin
      if (cells_i[k]) begin
        if (!lowest) well_sums = well_sums + sum_t'(topmost * (topmost + 1) / 2);
        empty   = '0;
        topmost = '0;
        lowest  = 1'b0;
      end else begin
        empty = empty + 9'sd1;
        if (beyond_i[k]) begin
          cumulative = cumulative + empty;
          topmost    = empty;
          if (lowest) in_lowest = in_lowest + 9'sd1;
          if (lowest) top_lowest = sum_t'(k + 1);
        end
      end
    end
    if (!lowest) well_sums = well_sums + sum_t'(topmost * (topmost + 1) / 2);

    height = '0;
    for (int unsigned r = 0; r < Rows; r++) if (column_i[r]) height = 5'(r + 1);
  end

  // The engine wants a register.
  logic live_q = 1'b0;
  always_ff @(posedge clk_i) live_q <= 1'b1;

  always_comb begin
    Below_M: assume (below_i <= 5'(Rows));
    if (live_q) begin
      Number_A: assert (sum_t'(number) == in_lowest && sum_t'(top) == top_lowest);
      Wells_A:  assert (sum_t'(number) * (sum_t'(top) + sum_t'(below_i)) + sum_t'(change) ==
                        cumulative);
      Sums_A:   assert (sum_t'(sums) == well_sums);
      Floor_A:  assert (floor_row == height);
    end
    Both_C: cover (live_q && in_lowest == 9'sd1 && well_sums == 9'sd1 && below_i == 5'd9);
    Four_C: cover (live_q && in_lowest == 9'sd4 && floor_row == 5'd20);
  end

endmodule
