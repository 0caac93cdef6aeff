// The windows of a line for one colour, from which its shapes follow. Combinational.
module gomoku_windows
  import gomoku_pkg::*;
(
  input  places_t  own_i,   // stones of the colour
  input  places_t  free_i,  // cells that are not blocked
  output windows_t windows_o
);

  logic [Side-5:0] free_5;
  always_comb begin
    windows_o = '0;
    for (int unsigned w = 0; w + 5 <= Side; w++) begin
      free_5[w] = &free_i[w+:5];
      for (int unsigned k = 1; k < 5; k++) begin
        windows_o.stones[k][w] = free_5[w] && at_least(own_i[w+:5], 3'(k));
      end
    end
    for (int unsigned w = 0; w + 6 <= Side; w++) begin
      for (int unsigned k = 1; k < 4; k++) begin
        windows_o.pair_1[k][w] = free_5[w] && free_i[w+5] && !own_i[w] && !own_i[w+5] &&
                                 at_least({1'b0, own_i[w+1+:4]}, 3'(k));
      end
    end
    for (int unsigned w = 0; w + 7 <= Side; w++) begin
      for (int unsigned k = 1; k < 4; k++) begin
        windows_o.pair_2[k][w] = free_5[w] && own_i[w] && !own_i[w+1] && !own_i[w+5] &&
                                 free_i[w+5] && own_i[w+6] &&
                                 at_least({2'b0, own_i[w+2+:3]}, 3'(k - 1));
      end
    end
    for (int unsigned w = 0; w + 8 <= Side; w++) begin
      windows_o.pair_3[w]  = free_5[w] && own_i[w+:3] == 3'b011 && free_i[w+5] &&
                             own_i[w+5+:3] == 3'b110;
      windows_o.left_3[w]  = windows_o.pair_3[w] && own_i[w+3];
      windows_o.right_3[w] = windows_o.pair_3[w] && own_i[w+4];
    end
    for (int unsigned w = 0; w + 9 <= Side; w++) begin
      windows_o.pair_4[w] = own_i[w+:4] == 4'b0111 && free_5[w+3] && own_i[w+5+:4] == 4'b1110;
    end
  end

  // Whether at least `stones` of five cells have a stone
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
