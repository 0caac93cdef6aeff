// The shapes of a line's empty points, for both colours; a point with a stone has shape 0.
// Combinational.
module gomoku_shapes
  import gomoku_pkg::*;
(
  input  cells_t        cells_i,
  output shapes_t [1:0] shapes_o
);

  for (genvar c = 0; c < 2; c++) begin : gen_colour
    // Four cells beyond either end, all of them blocked
    logic [Side+7:0] own, blocked;
    assign own     = {4'd0, cells_i[c], 4'd0};
    assign blocked = {4'hf, cells_i[1-c], 4'hf};

    for (genvar i = 0; i < Side; i++) begin : gen_place
      logic [4:0] left, right;
      assign left  = side({own[i], own[i+1], own[i+2], own[i+3]},
                          {blocked[i], blocked[i+1], blocked[i+2], blocked[i+3]});
      assign right = side(own[i+5+:4], blocked[i+5+:4]);
      assign shapes_o[c][i] = (cells_i[0][i] || cells_i[1][i]) ? '0 : Shapes[left][right];
    end
  end

endmodule
