// The shapes of a line's empty points, for both colours, as what they follow from: gomoku_pkg::shape
// is the rest. Of a point with a stone it means nothing. Combinational.
//
// The definition asks what a stone on the point makes, and after which fillings. All of it follows
// from the windows of five cells that contain the point and no blocked cell, and from their stones
// (the point itself is empty). With n stones in the fullest one: 4 is FIVE; 3, 2 and 1 are FOUR,
// THREE and TWO: one, two and three fillings away from a five.
//
// They are OPEN if the same fillings leave two cells, not one, of which each makes a five. So two
// windows of n stones share their empty cells but for one in each. Of the windows between them
// none has more; if one has as many, the pair before it or behind it is such a pair too, or both
// have the same empty cells. There remain windows whose starts are
//  - 1 apart: both ends of the six cells are empty;
//  - 2 apart, and one fuller than that between them: X·ccc·X, one c the point;
//  - 3 apart, likewise: XX·cc·XX, of which one c is the point. Their only other shared cell has a
//    stone (n = 3), or is the empty one that both need (n = 2);
//  - 4 apart, likewise: XXX·p·XXX, p the point (n = 3).
// The bench compares it with the definition's table.
module gomoku_shapes
  import gomoku_pkg::*;
(
  input  cells_t        cells_i,
  output levels_t [1:0] levels_o
);

  localparam int unsigned Beyond = 4;  // blocked cells at either end
  localparam int unsigned Cells  = Side + 2 * Beyond;

  for (genvar c = 0; c < 2; c++) begin : gen_colour
    logic [Cells-1:0] own, free;  // stones of the colour; cells that are not blocked
    assign free = {4'd0, ~cells_i[1-c], 4'd0};
    assign own  = {4'd0, cells_i[c], 4'd0} & free;

    // Windows of five without a blocked cell, by their stones: at least so many. And pairs of them
    // that make a point OPEN with at least n stones.
    // By their first cell
    logic      [Side+3:0] free_5;
    logic [4:1][Side+3:0] stones;
    logic [3:1][Side+2:0] pair_1;
    logic [3:1][Side+1:0] pair_2;
    logic      [Side:0]   pair_3;
    logic      [Side-1:0] pair_4;
    always_comb begin
      free_5 = '0;
      stones = '0;
      pair_1 = '0;
      pair_2 = '0;
      pair_3 = '0;
      pair_4 = '0;
      for (int unsigned w = Beyond; w + 5 <= Beyond + Side; w++) begin
        free_5[w] = &free[w+:5];
        for (int unsigned k = 1; k < 5; k++) stones[k][w] = free_5[w] && at_least(own[w+:5], 3'(k));
      end
      for (int unsigned w = Beyond; w + 6 <= Beyond + Side; w++) begin
        for (int unsigned k = 1; k < 4; k++) begin
          pair_1[k][w] = free_5[w] && free[w+5] && !own[w] && !own[w+5] &&
                         at_least({1'b0, own[w+1+:4]}, 3'(k));
        end
      end
      for (int unsigned w = Beyond; w + 7 <= Beyond + Side; w++) begin
        for (int unsigned k = 1; k < 4; k++) begin
          pair_2[k][w] = free_5[w] && own[w] && !own[w+1] && !own[w+5] && free[w+5] && own[w+6] &&
                         at_least({2'b0, own[w+2+:3]}, 3'(k - 1));
        end
      end
      for (int unsigned w = Beyond; w + 8 <= Beyond + Side; w++) begin
        pair_3[w] = free_5[w] && own[w+:3] == 3'b011 && free[w+5] && own[w+5+:3] == 3'b110;
      end
      for (int unsigned w = Beyond; w + 9 <= Beyond + Side; w++) begin
        pair_4[w] = own[w+:4] == 4'b0111 && free_5[w+3] && own[w+5+:4] == 4'b1110;
      end
    end

    for (genvar i = 0; i < Side; i++) begin : gen_place
      // Its cell is i + 4: what contains it, with the point where it has to be
      always_comb begin
        for (int unsigned k = 1; k < 5; k++) levels_o[c][i].fullest[k] = |stones[k][i+:5];
        for (int unsigned k = 1; k < 4; k++) begin
          levels_o[c][i].open[k] = |pair_1[k][i+:4] || |pair_2[k][i+:3];
        end
        if (|pair_3[i+:2]) levels_o[c][i].open[2] = 1'b1;
        if ((pair_3[i] && own[i+3]) || (pair_3[i+1] && own[i+5]) || pair_4[i]) begin
          levels_o[c][i].open[3] = 1'b1;
        end
      end
    end
  end

  // Whether at least so many of five cells have a stone
  function automatic logic at_least(logic [4:0] cells, logic [2:0] stones);
    logic [1:0] a, b;  // their sums
    a = full_add(cells[0], cells[1], cells[2]);
    b = full_add(a[0], cells[3], cells[4]);
    unique case (stones)
      3'd0:    return 1'b1;
      3'd1:    return cells != '0;
      3'd2:    return a[1] || b[1];
      3'd3:    return (a[1] && b[1]) || ((a[1] || b[1]) && b[0]);
      default: return a[1] && b[1];
    endcase
  endfunction

endmodule
