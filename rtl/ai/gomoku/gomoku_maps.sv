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

  for (genvar y = 0; y < Side; y++) begin : gen_row
    for (genvar x = 0; x < Side; x++) begin : gen_column
      key_t       key_q;
      logic [3:0] five_q, four_q, alive_q;  // by direction
      logic [3:0] changed;
      assign changed = {rising_i[x+y], falling_i[x+Side-1-y], column_i[x], row_i[y]};

      // But for the stone's own point, whose key does not change, one line at most reaches it.
      logic [6:0] change;
      assign change = (row_change_i[x] & {7{changed[0] | changed[2]}}) |
                      (column_change_i[y] & {7{changed[1] | changed[3]}});

      always_ff @(posedge clk_i) begin
        if (clear_i) begin
          key_q   <= '0;
          five_q  <= '0;
          four_q  <= '0;
          alive_q <= '0;
        end else begin
          key_q <= key_q + 8'(signed'(change));
          for (int unsigned d = 0; d < 4; d += 2) begin
            if (changed[d]) begin
              five_q[d]  <= row_flags_i.five[x];
              four_q[d]  <= row_flags_i.four[x];
              alive_q[d] <= row_flags_i.alive[x];
            end
            if (changed[d+1]) begin
              five_q[d+1]  <= column_flags_i.five[y];
              four_q[d+1]  <= column_flags_i.four[y];
              alive_q[d+1] <= column_flags_i.alive[y];
            end
          end
        end
      end

      assign keys_o[y][x]       = key_q;
      assign candidates_o[y][x] = alive_q != '0 && (!kind_i.four || four_q != '0) &&
                                  (!kind_i.five || five_q != '0);
    end
  end

endmodule
