// The runs of a line, for both colours, by their class; each at the place where it begins.
// Class 6 are five stones and more; n < 5 stones with e empty ends are of class n + e - 1, and of
// none without an empty end. Combinational.
module gomoku_runs
  import gomoku_pkg::*;
(
  input  cells_t             cells_i,
  output places_t [1:0][6:1] runs_o
);

  for (genvar c = 0; c < 2; c++) begin : gen_colour
    // What lies beyond the ends is neither a stone of this colour nor empty.
    logic [Side+4:0] stone, empty;
    assign stone = {4'd0, cells_i[c] & ~cells_i[1-c], 1'b0};
    assign empty = {4'd0, ~(cells_i[0] | cells_i[1]), 1'b0};

    for (genvar i = 0; i < Side; i++) begin : gen_place
      // The run at place i is exactly n stones long, by n; its right end is empty
      logic       first, five;
      logic [4:1] length, right;
      assign first  = stone[i+1] && !stone[i];
      assign five   = &stone[i+1+:5];
      assign length = {stone[i+4] & stone[i+3] & stone[i+2] & ~stone[i+5],
                       stone[i+3] & stone[i+2] & ~stone[i+4],
                       stone[i+2] & ~stone[i+3],
                       ~stone[i+2]};
      assign right  = length & empty[i+2+:4];

      logic [5:1] both, one;
      assign both = (first && empty[i]) ? {right, 1'b0} : '0;
      assign one  = !first ? '0 : empty[i] ? {1'b0, length & ~right} : {1'b0, right};
      for (genvar k = 1; k < 6; k++) begin : gen_class
        assign runs_o[c][k][i] = both[k] || one[k];
      end
      assign runs_o[c][6][i] = first && five;
    end
  end

endmodule
