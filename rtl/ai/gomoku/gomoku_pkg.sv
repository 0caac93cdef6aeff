// Gomoku: sizes, types, and small functions.
//
// Colour 0 is the side to move at the root, colour 1 the other one. Each point lies on four lines:
// row y, column x, falling line x - y + 14 and rising line x + y. Its place on a line is x on a row
// or a falling line, y on a column or a rising line.
package gomoku_pkg;

  localparam int unsigned Side      = 15;
  localparam int unsigned Diagonals = 2 * Side - 1;  // lines that fall, and as many that rise
  localparam int unsigned MaxDepth  = 24;            // no ply passes it

  typedef logic [3:0] coord_t;
  typedef struct packed {
    coord_t y;
    coord_t x;
  } point_t;
  typedef logic [Side-1:0] places_t;        // bit i = place i of a line
  typedef logic [Side-1:0][Side-1:0] map_t; // a bit a point: [y][x]
  typedef logic [Diagonals-1:0] diagonals_t;

  // A line of the board, a mask a colour. Beyond the board both colours have a stone.
  typedef places_t [1:0] cells_t;

  // What a stone on an empty point would make along one line: 0 nothing, 1 TWO, 2 OPEN2, 3 THREE,
  // 4 OPEN3, 5 FOUR, 6 OPEN4, 7 FIVE
  typedef logic [2:0] shape_t;
  typedef shape_t [Side-1:0] shapes_t;
  typedef places_t [7:1] classes_t;  // the places with each

  // What shapes follow from: the windows of a line without a blocked cell, by their first cell.
  // stones[n] are those of five cells with n stones at least, and pair_D pairs of them that are D
  // apart: gomoku_shapes has the rest.
  typedef struct packed {
    logic [4:1][Side-5:0] stones;
    logic [3:1][Side-6:0] pair_1;
    logic [3:1][Side-7:0] pair_2;
    logic      [Side-8:0] pair_3;
    logic      [Side-8:0] left_3;   // pair_3 with a stone in the fourth cell
    logic      [Side-8:0] right_3;  // and in the fifth one
    logic      [Side-9:0] pair_4;
  } windows_t;

  // Points by class, for each colour: in `lines` by shape, in `wujian` runs by value, 10^(class-1)
  typedef logic [1:0][7:1][3:0] line_count_t;         // of a line
  typedef logic [1:0][7:1][9:0] count_t;              // of the board
  typedef logic [1:0][7:6] highest_t;                    // is there any of the highest two classes?

  typedef logic [5:0] line_key_t;   // of a point, from one line: both colours
  typedef logic [7:0] key_t;        // from its four lines
  typedef logic [Side-1:0][6:0] key_change_t;  // of a line's points, two's complement

  // What the candidates of a node depend on: of each point of a line
  typedef struct packed {
    places_t five;   // a colour has shape 7
    places_t four;   // a colour has shape 5 or more
    places_t alive;  // lines: a colour has a shape. wujian: empty, with a stone beside it
  } flags_t;

  // What is done with a line; a stone is that of `colour`
  typedef enum logic [1:0] {
    OpPut,    // puts a stone on the board
    OpTake,   // takes it back
    OpScore,  // counts the classes with a stone more, without putting it on the board
    OpLook    // looks at the shapes of a point
  } op_e;

  // The candidates of a node: points that are alive, and have what is needed beyond that
  typedef struct packed {
    logic five;  // a forced block: one candidate
    logic four;
  } kind_t;

  // Which candidates of a node have been picked, and the next one, if it has been
  typedef struct packed {
    map_t   picked;
    logic   next_valid;
    point_t next;
  } picks_t;

  typedef logic [4:0] ply_t;  // stones since the root, and depths: up to MaxDepth

  // What a search is at
  typedef enum logic [4:0] {
    StClear,   // empties the board
    StIdle,
    StOwn,     // the stones of the request are put on the board, one by one
    StOpponent,
    StSettle,
    StRoot,    // is there anything to search?
    StFirst,   // begins with the root
    StLook,    // for a point of the root that wins at once
    StLooked,
    StPick,    // the first candidate of a node
    StPlay,    // puts a stone: is its node searched?
    StEnded,   // it is not; the stone is being taken
    StLeaf,    // scores children, one after the other
    StReturn,  // back from the search of a node, whose stone is being taken
    StTake,    // a stone's value is kept, if it is the best
    StTell,    // a trace reports a node
    StResume,  // waits until the stone has been taken, and goes on with the next one
    StLeave,   // the node is done, which was not known in time to leave it at once
    StNone,    // no candidate at the root: the centre, or else the lowest empty point
    StEnd      // the answer is offered
  } state_e;

  // Values of `lines` are within 30,000, those of `wujian` have 26 bits.
  typedef logic signed [27:0] value_t;
  localparam value_t Infinity  = 28'sh7ff_ffff;
  localparam value_t LinesWin  = 28'sd30_000;
  localparam value_t WujianWin = 28'sd100_000;
  localparam value_t MaxScore  = 28'sd28_000;

  typedef logic [7:0] index_t;              // 15 y + x
  localparam index_t NoPoint = 8'd255;

  typedef logic [7:1][15:0] weights_16_t;   // by shape, two's complement

  // The controller
  typedef struct packed {
    logic [7:1][4:0] key;
    weights_16_t     defend;
    weights_16_t     attack;
    logic            extend;
    logic [7:0]      width;
    logic            lines;   // the profile: lines, or else wujian
  } weights_t;

  // What is to be searched: no two stones on one point
  typedef struct packed {
    map_t own;       // stones of the side to move
    map_t opponent;
    ply_t depth;     // 1 .. MaxDepth
    logic trace;     // report every node
  } request_t;

  // How far a search has come
  typedef struct packed {
    index_t      point;   // the best of those searched at the root, NoPoint before the first
    value_t      value;   // its value, 0 before the first
    logic [63:0] nodes;   // stones played
    logic [63:0] cycles;
  } progress_t;

  // A node of a trace
  typedef struct packed {
    ply_t   ply;    // stones since the root, this one included
    index_t point;
    value_t value;  // lines: for the side of the stone. wujian: for the side to move at the root
  } node_t;

  // How many bits are set: full adders, which are smaller than carry chains here
  function automatic logic [3:0] ones(places_t bits);
    logic [1:0] a, b, c, d, e, f, g, h, i, j, k;
    a = full_add(bits[0], bits[1], bits[2]);
    b = full_add(bits[3], bits[4], bits[5]);
    c = full_add(bits[6], bits[7], bits[8]);
    d = full_add(bits[9], bits[10], bits[11]);
    e = full_add(bits[12], bits[13], bits[14]);
    f = full_add(a[0], b[0], c[0]);
    g = full_add(d[0], e[0], f[0]);
    h = full_add(a[1], b[1], c[1]);
    i = full_add(d[1], e[1], f[1]);
    j = full_add(g[1], h[0], i[0]);
    k = full_add(h[1], i[1], j[1]);
    return {k, j[0], g[0]};
  endfunction

  function automatic logic [1:0] full_add(logic a, logic b, logic c);
    return {(a & b) | (a & c) | (b & c), a ^ b ^ c};
  endfunction

  function automatic index_t index(point_t point);
    return {point.y, 4'd0} - 8'(point.y) + 8'(point.x);
  endfunction

  function automatic places_t one_hot(coord_t place);
    places_t places;
    for (int unsigned i = 0; i < Side; i++) places[i] = place == coord_t'(i);
    return places;
  endfunction

  // The number of a place that is given one-hot
  function automatic coord_t number(places_t place);
    coord_t sum;
    sum = '0;
    for (int unsigned i = 0; i < Side; i++) if (place[i]) sum |= coord_t'(i);
    return sum;
  endfunction

  // The lowest place of those, by fours: shorter than a carry chain
  function automatic places_t lowest(places_t places);
    logic [3:0][3:0] fours;
    logic [3:0] lower, four;  // there is one in the fours below; the lowest of those four
    fours = {1'b0, places};
    lower = '0;
    for (int unsigned i = 0; i < 4; i++) begin
      for (int unsigned k = 0; k < i; k++) lower[i] |= fours[k] != '0;
    end
    for (int unsigned i = 0; i < 4; i++) begin
      four = fours[i];
      fours[i] = lower[i] ? '0 : {four[3] && four[2:0] == '0, four[2] && four[1:0] == '0,
                                  four[1] && !four[0], four[0]};
    end
    return places_t'(fours);
  endfunction

  // a < b, as the sign of a difference: what Yosys makes of `<` leaves the carry chain twice
  function automatic logic less(value_t a, value_t b);
    return (29'(a) - 29'(b)) < 29'sd0;
  endfunction

endpackage
