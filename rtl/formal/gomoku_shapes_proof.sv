// gomoku_windows, gomoku_shapes: the shape of every empty point of any line, for a colour, is the
// one of its definition, by filling cells; a point with a stone has none.
//
// A cell is a stone of the colour, empty or blocked, as those beyond the line are.
module gomoku_shapes_proof
  import gomoku_pkg::*;
(
  input logic    clk_i,
  input places_t own_i,
  input places_t free_i,
  input coord_t  place_i
);

  logic live_q = 1'b0;
  always_ff @(posedge clk_i) live_q <= 1'b1;

  windows_t windows;
  classes_t classes;
  shapes_t  shapes;
  gomoku_windows u_windows (
    .own_i,
    .free_i,
    .windows_o (windows)
  );
  gomoku_shapes u_shapes (
    .windows_i (windows),
    .empty_i   (free_i & ~own_i),
    .classes_o (classes),
    .shapes_o  (shapes)
  );

  // Nine cells around the point
  typedef logic [8:0] nine_t;

  function automatic logic five(nine_t stones);
    logic any;
    any = 1'b0;
    for (int unsigned i = 0; i < 5; i++) if (&stones[i+:5]) any = 1'b1;
    return any;
  endfunction

  // Empty cells that make five: how many, up to two
  function automatic logic [1:0] fillings(nine_t stones, nine_t empty);
    logic [1:0] sum;
    sum = '0;
    for (int unsigned i = 0; i < 9; i++) begin
      if (empty[i] && five(stones | nine_t'(1) << i) && sum != 2'd2) sum++;
    end
    return sum;
  endfunction

  // The most fillings after one more stone, after two
  function automatic logic [1:0] behind_one(nine_t stones, nine_t empty);
    logic [1:0] most, now;
    most = '0;
    for (int unsigned i = 0; i < 9; i++) begin
      now = fillings(stones | nine_t'(1) << i, empty & ~(nine_t'(1) << i));
      if (empty[i] && now > most) most = now;
    end
    return most;
  endfunction

  function automatic logic [1:0] behind_two(nine_t stones, nine_t empty);
    logic [1:0] most, now;
    most = '0;
    for (int unsigned i = 0; i < 9; i++) begin
      now = behind_one(stones | nine_t'(1) << i, empty & ~(nine_t'(1) << i));
      if (empty[i] && now > most) most = now;
    end
    return most;
  endfunction

  nine_t  stones, empty;
  shape_t defined;
  logic   taken;
  logic [1:0] now, one, two;
  always_comb begin
    stones = '0;
    empty  = '0;
    for (int signed i = 0; i < 9; i++) begin
      for (int signed at = 0; at < int'(Side); at++) begin
        if (at == int'(place_i) + i - 4) begin
          stones[i] = own_i[at];
          empty[i]  = free_i[at] && !own_i[at];
        end
      end
    end
    taken     = !empty[4];
    stones[4] = 1'b1;
    empty[4]  = 1'b0;

    now     = fillings(stones, empty);
    one     = behind_one(stones, empty);
    two     = behind_two(stones, empty);
    defined = 3'd0;
    if (five(stones)) defined = 3'd7;
    else if (now == 2'd2) defined = 3'd6;
    else if (now == 2'd1) defined = 3'd5;
    else if (one == 2'd2) defined = 3'd4;
    else if (one == 2'd1) defined = 3'd3;
    else if (two == 2'd2) defined = 3'd2;
    else if (two == 2'd1) defined = 3'd1;
    if (taken) defined = 3'd0;
  end

  logic classed;
  always_comb begin
    classed = 1'b1;
    for (int unsigned k = 1; k < 8; k++) begin
      if (classes[k][place_i] != (defined == 3'(k))) classed = 1'b0;
    end
  end

  always_comb begin
    Place_M: assume (place_i < 4'(Side));
    Own_M:   assume ((own_i & ~free_i) == '0);
    if (live_q) begin
      Shape_A: assert (shapes[place_i] == defined);
      Class_A: assert (classed);
    end
    Edge_C:  cover (live_q && place_i == '0 && defined == 3'd7);
    Open4_C: cover (live_q && defined == 3'd6 && stones[5:3] == 3'b010);
    Open2_C: cover (live_q && defined == 3'd2 && place_i == 4'(Side - 2));
  end

endmodule
