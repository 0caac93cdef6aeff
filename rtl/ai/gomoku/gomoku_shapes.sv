// The shapes of a line's empty points for one colour, from its windows. Combinational.
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
module gomoku_shapes
  import gomoku_pkg::*;
(
  input  windows_t windows_i,
  input  places_t  empty_i,   // a point with a stone has no shape
  output classes_t classes_o,
  output shapes_t  shapes_o
);

  // With no windows beyond the board
  logic [4:1][Side+3:0] stones;
  logic [3:1][Side+2:0] pair_1;
  logic [3:1][Side+1:0] pair_2;
  logic      [Side:0]   pair_3;
  logic      [Side-1:0] left_3, right_3, pair_4;  // by the point
  always_comb begin
    for (int unsigned k = 1; k < 5; k++) stones[k] = {4'd0, windows_i.stones[k], 4'd0};
    for (int unsigned k = 1; k < 4; k++) begin
      pair_1[k] = {4'd0, windows_i.pair_1[k], 4'd0};
      pair_2[k] = {4'd0, windows_i.pair_2[k], 4'd0};
    end
    pair_3  = {4'd0, windows_i.pair_3, 4'd0};
    left_3  = {3'd0, windows_i.left_3, 4'd0};
    right_3 = {4'd0, windows_i.right_3, 3'd0};
    pair_4  = {4'd0, windows_i.pair_4, 4'd0};
  end

  for (genvar i = 0; i < Side; i++) begin : gen_place
    // Those that contain it, with the point where it has to be
    logic [4:1] fullest;  // n stones at least
    logic [3:1] open;     // with n stones in the fullest one it is OPEN
    always_comb begin
      for (int unsigned k = 1; k < 5; k++) fullest[k] = |stones[k][i+:5];
      for (int unsigned k = 1; k < 4; k++) open[k] = |pair_1[k][i+:4] || |pair_2[k][i+:3];
      if (|pair_3[i+:2]) open[2] = 1'b1;
      if (left_3[i] || right_3[i] || pair_4[i]) open[3] = 1'b1;

      classes_o[7][i] = empty_i[i] && fullest[4];
      for (int unsigned k = 1; k < 4; k++) begin
        classes_o[2*k-1][i] = empty_i[i] && fullest[k] && !fullest[k+1] && !open[k];
        classes_o[2*k][i]   = empty_i[i] && fullest[k] && !fullest[k+1] && open[k];
      end

      shapes_o[i] = '0;
      if (fullest[1]) shapes_o[i] = open[1] ? 3'd2 : 3'd1;
      if (fullest[2]) shapes_o[i] = open[2] ? 3'd4 : 3'd3;
      if (fullest[3]) shapes_o[i] = open[3] ? 3'd6 : 3'd5;
      if (fullest[4]) shapes_o[i] = 3'd7;
      if (!empty_i[i]) shapes_o[i] = '0;
    end
  end

endmodule
