// What the choice of a candidate needs of every point: its key, and whether it is a candidate.
//
// Drive it: the lines of gomoku_lines that have changed, of each direction one at most. The flags
// of their points replace those the line had given them, and the changes are added to their keys.
// `clear_i` makes the board empty. All of it holds from the next cycle on.
//
// `candidates_o` are those of `kind_i`, in the same cycle. A point with a stone is none; its key
// is the one it will have again when the stone is taken.
module gomoku_maps
  import gomoku_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       clear_i,
  input  places_t                    row_i,
  input  diagonals_t                 falling_i,
  input  key_change_t                row_change_i,
  input  flags_t                     row_flags_i,
  input  places_t                    column_i,
  input  diagonals_t                 rising_i,
  input  key_change_t                column_change_i,
  input  flags_t                     column_flags_i,
  input  kind_t                      kind_i,
  output map_t                       candidates_o,
  output key_t [Side-1:0][Side-1:0]  keys_o
);

  // The flags by line, as they are reported. A diagonal's places beyond the board are not used.
  flags_t in_row_q     [Side];
  flags_t in_column_q  [Side];
  flags_t in_falling_q [Diagonals];
  flags_t in_rising_q  [Diagonals];

  always_ff @(posedge clk_i) begin
    for (int unsigned i = 0; i < Side; i++) begin
      if (row_i[i]) in_row_q[i] <= row_flags_i;
      if (column_i[i]) in_column_q[i] <= column_flags_i;
    end
    for (int unsigned i = 0; i < Diagonals; i++) begin
      if (falling_i[i]) in_falling_q[i] <= row_flags_i;
      if (rising_i[i]) in_rising_q[i] <= column_flags_i;
    end
    if (clear_i) begin
      in_row_q     <= '{default: '0};
      in_column_q  <= '{default: '0};
      in_falling_q <= '{default: '0};
      in_rising_q  <= '{default: '0};
    end
  end

  for (genvar y = 0; y < Side; y++) begin : gen_row
    flags_t [3:0] flags;  // of the row's points, by direction
    flags_t       any;
    assign flags[0] = in_row_q[y];
    assign any      = flags[0] | flags[1] | flags[2] | flags[3];
    assign candidates_o[y] = any.alive & ({Side{!kind_i.four}} | any.four) &
                             ({Side{!kind_i.five}} | any.five);

    for (genvar x = 0; x < Side; x++) begin : gen_column
      localparam int unsigned Falling = x + Side - 1 - y;
      localparam int unsigned Rising  = x + y;
      assign flags[1].five[x]  = in_column_q[x].five[y];
      assign flags[1].four[x]  = in_column_q[x].four[y];
      assign flags[1].alive[x] = in_column_q[x].alive[y];
      assign flags[2].five[x]  = in_falling_q[Falling].five[x];
      assign flags[2].four[x]  = in_falling_q[Falling].four[x];
      assign flags[2].alive[x] = in_falling_q[Falling].alive[x];
      assign flags[3].five[x]  = in_rising_q[Rising].five[y];
      assign flags[3].four[x]  = in_rising_q[Rising].four[y];
      assign flags[3].alive[x] = in_rising_q[Rising].alive[y];

      // But for the stone's own point, whose key does not change, one line at most reaches it.
      key_t       key_q;
      logic [6:0] change;
      assign change = (row_change_i[x] & {7{row_i[y] | falling_i[Falling]}}) |
                      (column_change_i[y] & {7{column_i[x] | rising_i[Rising]}});

      always_ff @(posedge clk_i) begin
        key_q <= clear_i ? '0 : key_q + 8'(signed'(change));
      end

      assign keys_o[y][x] = key_q;
    end
  end

endmodule
