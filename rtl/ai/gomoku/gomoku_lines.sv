// Half of the board's lines: a memory, and what a stone changes on one of them.
//
// The word of a line has its cells, and what they come to: the key of each point and the counts of
// the classes. A stone is set or cleared in the cells and the rest made anew from them, whole, so
// that taking a stone back is the same as putting one down. One instance has rows and falling
// lines, the other columns and rising ones; address 0 to 14 are the first, 32 to 60 the diagonals.
//
// Drive it: in a cycle with `valid_i` the line, the place on it, colour and operation. Three cycles
// later `changed_o` is high and the outputs hold for a cycle: by how much the counts change, by how
// much the keys of the points change (never that of the stone's point: without a candidate there
// its key is not used), the flags of all its points, and `place_five_o`/`place_open4_o`, whether
// the shape of colour 0 at the place is FIVE or OPEN4. `write_o`: the line has changed.
// `five_o`: a colour has five stones in a row on it.
//
// A line may be given each cycle; one that was put or taken may be given again three cycles later.
// `kill_i` forgets those under way, but one that writes its line in that cycle. With `clear_i` the word `clear_addr_i` becomes that of an empty
// board, whose cells are `clear_on_i`.
//
// Cycle 0 reads the word, 1 finds shapes and runs, 2 keys and counts and writes.
module gomoku_lines
  import gomoku_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                lines_i,   // the profile
  input  logic [7:1][4:0]     key_i,
  // An empty board
  input  logic                clear_i,
  input  logic [5:0]          clear_addr_i,
  input  places_t             clear_on_i,
  // A stone
  input  logic                kill_i,
  input  logic                valid_i,
  input  logic [5:0]          addr_i,
  input  coord_t              place_i,
  input  logic                colour_i,
  input  op_e                 op_i,
  // What it changes
  output logic                changed_o,
  output logic                write_o,
  output logic [5:0]          addr_o,
  output key_change_t         key_change_o,
  output flags_t              flags_o,
  output count_change_t       count_change_o,
  output logic [1:0]          five_o,
  output logic                place_five_o,
  output logic                place_open4_o
);

  typedef line_key_t [Side-1:0] line_keys_t;
  typedef struct packed {
    line_keys_t  keys;
    line_count_t counts;
  } made_t;

  // ------------------------------------------------------------------------------ memories
  (* ram_style = "distributed" *)
  cells_t cells_mem [64];
  (* ram_style = "block" *)
  made_t  made_mem [64];

  logic       write;
  logic [5:0] write_addr;
  cells_t     write_cells;
  made_t      write_made;

  // ------------------------------------------------------------------- cycle 0: the word is read
  logic       valid1_q;
  logic [5:0] addr1_q;
  places_t    place1_q;
  cells_t     put1_q;   // the stone, in its colour
  places_t    take1_q;  // a stone that is taken; there is no other one at its place
  logic       write1_q;
  cells_t     cells1_q;
  made_t      made1_q;

  // ------------------------------------------------------------------- cycle 1: shapes and runs
  cells_t             cells1;
  levels_t [1:0]      levels1;
  places_t [1:0][6:1] runs1;

  assign cells1 = (cells1_q | put1_q) & ~{2{take1_q}};

  gomoku_shapes u_gomoku_shapes (
    .cells_i  (cells1),
    .levels_o (levels1)
  );
  gomoku_runs u_gomoku_runs (
    .cells_i (cells1),
    .runs_o  (runs1)
  );

  logic               valid2_q, write2_q;
  logic [5:0]         addr2_q;
  places_t            place2_q;
  cells_t             cells2_q;
  made_t              made2_q;
  levels_t [1:0]      levels2_q;
  places_t [1:0][6:1] runs2_q;

  // ------------------------------------------------------------------- cycle 2: keys and counts
  logic [7:0][4:0] key;
  assign key = {key_i, 5'd0};

  made_t         made2;
  key_change_t   key_change2;
  count_change_t count_change2;
  flags_t        flags2;
  places_t       five_2, open4_2, beside2;
  logic [1:0]    five2;
  shapes_t [1:0] shapes2;
  always_comb begin
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned i = 0; i < Side; i++) begin
        shapes2[c][i] = shape(levels2_q[c][i]);
        if (cells2_q[0][i] || cells2_q[1][i]) shapes2[c][i] = '0;
      end
    end
  end

  always_comb begin
    beside2 = (cells2_q[0] ^ cells2_q[1]);  // a stone, as opposed to beyond the board
    beside2 = {1'b0, beside2[Side-1:1]} | {beside2[Side-2:0], 1'b0};
    for (int unsigned i = 0; i < Side; i++) begin
      shape_t mine, others;
      mine   = shapes2[0][i];
      others = shapes2[1][i];
      made2.keys[i]  = 6'(key[mine]) + 6'(key[others]);
      key_change2[i] = place2_q[i] ? '0 : 7'(made2.keys[i]) - 7'(made2_q.keys[i]);
      flags2.five[i]  = mine == 3'd7 || others == 3'd7;
      flags2.four[i]  = mine >= 3'd5 || others >= 3'd5;
      flags2.alive[i] = mine != '0 || others != '0;
      open4_2[i]      = mine == 3'd6;
      five_2[i]       = mine == 3'd7;
      if (!lines_i) flags2.alive[i] = beside2[i] && !cells2_q[0][i] && !cells2_q[1][i];
    end
    for (int unsigned c = 0; c < 2; c++) begin
      five2[c] = runs2_q[c][6] != '0;
      for (int unsigned k = 1; k < 8; k++) begin
        places_t of_class;
        for (int unsigned i = 0; i < Side; i++) of_class[i] = shapes2[c][i] == shape_t'(k);
        if (!lines_i) of_class = (k < 7) ? runs2_q[c][(k < 7) ? k : 1] : '0;
        made2.counts[c][k]  = ones(of_class);
        count_change2[c][k] = 5'(made2.counts[c][k]) - 5'(made2_q.counts[c][k]);
      end
    end
  end

  always_comb begin
    write       = valid2_q && write2_q;
    write_addr  = addr2_q;
    write_cells = cells2_q;
    write_made  = made2;
    if (clear_i) begin
      write       = 1'b1;
      write_addr  = clear_addr_i;
      write_cells = {2{~clear_on_i}};
      write_made  = '0;
    end
  end

  // ------------------------------------------------------------------------------ registers
  logic          valid3_q, write3_q;
  logic [5:0]    addr3_q;
  key_change_t   key_change3_q;
  flags_t        flags3_q;
  count_change_t count_change3_q;
  logic [1:0]    five3_q;
  logic          place_five3_q, place_open4_3_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {valid1_q, valid2_q, valid3_q} <= '0;
    else {valid1_q, valid2_q, valid3_q} <= {valid_i, valid1_q, valid2_q} & {3{!kill_i}};
  end

  always_ff @(posedge clk_i) begin
    if (write) cells_mem[write_addr] <= write_cells;
    cells1_q <= cells_mem[addr_i];
  end

  always_ff @(posedge clk_i) begin
    if (write) made_mem[write_addr] <= write_made;
    made1_q <= made_mem[addr_i];
  end

  always_ff @(posedge clk_i) begin
    addr1_q   <= addr_i;
    place1_q  <= one_hot(place_i);
    for (int unsigned c = 0; c < 2; c++) begin
      put1_q[c] <= (op_i inside {OpPut, OpScore} && colour_i == 1'(c)) ? one_hot(place_i) : '0;
    end
    take1_q   <= (op_i == OpTake) ? one_hot(place_i) : '0;
    write1_q  <= op_i inside {OpPut, OpTake};

    write2_q  <= write1_q;
    addr2_q   <= addr1_q;
    place2_q  <= place1_q;
    cells2_q  <= cells1;
    made2_q   <= made1_q;
    levels2_q <= levels1;
    runs2_q   <= runs1;

    write3_q        <= write2_q;
    addr3_q         <= addr2_q;
    key_change3_q   <= key_change2;
    flags3_q        <= flags2;
    count_change3_q <= count_change2;
    five3_q         <= five2;
    place_five3_q   <= (five_2 & place2_q) != '0;
    place_open4_3_q <= (open4_2 & place2_q) != '0;
  end

  assign changed_o      = valid3_q;
  assign write_o        = write3_q;
  assign addr_o         = addr3_q;
  assign key_change_o   = key_change3_q;
  assign flags_o        = flags3_q;
  assign count_change_o = count_change3_q;
  assign five_o         = five3_q;
  assign place_five_o   = place_five3_q;
  assign place_open4_o  = place_open4_3_q;

endmodule
