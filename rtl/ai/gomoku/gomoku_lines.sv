// Half of the board's lines: a memory, and what a stone changes on one of them.
//
// The word of a line has its cells, and what follows from them: the key of each point and the
// counts of the classes. A stone is set or cleared in the cells, and the rest is computed again
// from all of them, so taking a stone back is the same as putting one down. One instance has rows
// and falling lines, the other columns and rising ones; both count from 0. `clear_addr_i` 0 to 14
// are the rows or columns, 32 to 60 the diagonals.
//
// Drive it: in a cycle with `valid_i` the line, the place on it, colour and operation. Four cycles
// later `changed_o` is high and the outputs are valid for a cycle: the counts, which
// of the highest two classes there are; by how much the keys of the points change (never that of
// the stone's point: without a candidate there its key is not used), the flags of all its points,
// and `place_five_o`/`place_open4_o`, whether the shape of colour 0 at the place is FIVE or OPEN4.
// The counts before, `count_before_o`, come a cycle earlier.
// `straight_o` and `diagonal_o` are the line, if it has been written. `five_o`: a colour has five
// stones in a row on it.
//
// A line may be given in every cycle. The same line may be given again two or more cycles later, but
// not exactly three cycles after a line that is written. `kill_i` forgets those under way. With
// `clear_i` the word `clear_addr_i` becomes that of an empty line, whose places on the board are
// `clear_on_i`.
//
// Cycle 0 reads the cells and sets the stone, 1 writes them, looks at the windows and reads the
// rest, 2 finds shapes and runs, 3 makes keys and counts and compares the keys with those read, 4
// writes both.
module gomoku_lines
  import gomoku_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // The profile and its keys; steady
  input  logic                lines_i,
  input  logic [7:1][4:0]     key_i,
  // An empty board
  input  logic                clear_i,
  input  logic [5:0]          clear_addr_i,
  input  places_t             clear_on_i,
  // A stone
  input  logic                kill_i,
  input  logic                valid_i,
  input  logic                diagonal_i,       // which of the two addresses is the line
  input  coord_t              straight_addr_i,
  input  logic [4:0]          diagonal_addr_i,
  input  coord_t              place_i,
  input  logic                colour_i,
  input  op_e                 op_i,
  // What it changes
  output logic                changed_o,
  output logic                write_o,    // it has been written
  output places_t             straight_o,
  output diagonals_t          diagonal_o,
  output key_change_t         key_change_o,
  output flags_t              flags_o,
  output line_count_t         count_o,
  output line_count_t         count_before_o,  // a cycle earlier than the rest
  output highest_t            highest_o,
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
  // Two, as the choice comes sooner behind them than before
  (* ram_style = "distributed" *)
  cells_t straight_mem [16];
  (* ram_style = "distributed" *)
  cells_t diagonal_mem [32];
  (* ram_style = "block", no_rw_check *)
  made_t  made_mem [64];

  // ------------------------------------------------------------- cycle 0: cells, and the stone
  places_t    place;
  cells_t     put;   // the stone, in its colour
  places_t    take;  // a stone that is taken; there is no other one at its place
  assign place = one_hot(place_i);
  always_comb begin
    for (int unsigned c = 0; c < 2; c++) begin
      put[c] = (op_i inside {OpPut, OpScore} && colour_i == 1'(c)) ? place : '0;
    end
    take = (op_i == OpTake) ? place : '0;
  end

  logic       valid1_q, write1_q;
  logic [5:0] addr1_q;
  places_t    place1_q;
  cells_t     cells1_q;

  always_ff @(posedge clk_i) begin
    addr1_q   <= diagonal_i ? {1'b1, diagonal_addr_i} : {2'b0, straight_addr_i};
    place1_q  <= place;
    write1_q  <= op_i inside {OpPut, OpTake};
    cells1_q  <= ((diagonal_i ? diagonal_mem[diagonal_addr_i] : straight_mem[straight_addr_i]) |
                  put) & ~{2{take}};
  end

  // --------------------------------------------------------------------- cycle 1: the windows
  windows_t [1:0] windows1;

  for (genvar c = 0; c < 2; c++) begin : gen_windows
    gomoku_windows u_gomoku_windows (
      .own_i     (cells1_q[c] & ~cells1_q[1-c]),
      .free_i    (~cells1_q[1-c]),
      .windows_o (windows1[c])
    );
  end

  logic       write_cells;
  logic [5:0] cells_addr;
  cells_t     cells_write;
  assign write_cells = clear_i || (valid1_q && write1_q);
  assign cells_addr  = clear_i ? clear_addr_i : addr1_q;
  assign cells_write = clear_i ? {2{~clear_on_i}} : cells1_q;

  logic           valid2_q, write2_q;
  logic [5:0]     addr2_q;
  places_t        place2_q;
  cells_t         cells2_q;
  windows_t [1:0] windows2_q;

  always_ff @(posedge clk_i) begin
    if (write_cells && !cells_addr[5]) straight_mem[cells_addr[3:0]] <= cells_write;
    if (write_cells && cells_addr[5]) diagonal_mem[cells_addr[4:0]] <= cells_write;
    write2_q   <= write1_q;
    addr2_q    <= addr1_q;
    place2_q   <= place1_q;
    cells2_q   <= cells1_q;
    windows2_q <= windows1;
  end

  // ------------------------------------------------------------------- cycle 2: shapes and runs
  places_t            empty2, beside2;
  shapes_t [1:0]      shapes2;
  places_t [1:0][6:1] runs2;
  classes_t [1:0]     classes2;
  assign empty2 = ~(cells2_q[0] | cells2_q[1]);

  for (genvar c = 0; c < 2; c++) begin : gen_shapes
    gomoku_shapes u_gomoku_shapes (
      .windows_i (windows2_q[c]),
      .empty_i   (empty2),
      .classes_o (classes2[c]),
      .shapes_o  (shapes2[c])
    );
  end
  gomoku_runs u_gomoku_runs (
    .cells_i (cells2_q),
    .runs_o  (runs2)
  );

  always_comb begin
    beside2 = cells2_q[0] ^ cells2_q[1];  // a stone, as opposed to beyond the board
    beside2 = ({1'b0, beside2[Side-1:1]} | {beside2[Side-2:0], 1'b0}) & empty2;
  end

  logic               valid3_q, write3_q;
  logic [5:0]         addr3_q;
  places_t            place3_q, beside3_q;
  shapes_t [1:0]      shapes3_q;
  classes_t [1:0]     counted3_q;  // what is counted, by profile
  places_t [1:0]      fives3_q;
  made_t              made3, made_q, before2_q, before3_q;
  logic               made_late2_q;

  // Read ahead of time: block RAM takes half of the cycle after it. What the operation two cycles
  // before has made of the same line is not in it yet.
  always_ff @(posedge clk_i) begin
    before2_q    <= made_mem[addr1_q];
    made_late2_q <= valid3_q && write3_q && addr3_q == addr1_q;
    made_q       <= made3;
  end

  always_ff @(posedge clk_i) begin
    write3_q   <= write2_q;
    addr3_q    <= addr2_q;
    place3_q   <= place2_q;
    beside3_q  <= beside2;
    shapes3_q  <= shapes2;
    for (int unsigned c = 0; c < 2; c++) begin
      counted3_q[c] <= lines_i ? classes2[c] : {places_t'(0), runs2[c]};
      fives3_q[c]   <= runs2[c][6];
    end
    before3_q  <= made_late2_q ? made_q : before2_q;
  end

  // ------------------------------------------------------------------- cycle 3: keys and counts
  logic [7:0][4:0] key_q;  // near its use
  key_change_t     key_change3;
  flags_t          flags3;
  highest_t        highest3;
  logic            place_five3, place_open4_3;

  always_ff @(posedge clk_i) key_q <= {key_i, 5'd0};

  always_comb begin
    // Asked in `lines` alone
    place_five3   = (counted3_q[0][7] & place3_q) != '0;
    place_open4_3 = (counted3_q[0][6] & place3_q) != '0;
    for (int unsigned i = 0; i < Side; i++) begin
      shape_t mine, others;
      mine   = shapes3_q[0][i];
      others = shapes3_q[1][i];
      made3.keys[i]   = 6'(key_q[mine]) + 6'(key_q[others]);
      key_change3[i]  = 7'(key_q[mine]) + 7'(key_q[others]) - 7'(before3_q.keys[i]);
      flags3.five[i]  = mine == 3'd7 || others == 3'd7;
      flags3.four[i]  = mine >= 3'd5 || others >= 3'd5;
      flags3.alive[i] = lines_i ? mine != '0 || others != '0 : beside3_q[i];
    end
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 1; k < 8; k++) made3.counts[c][k] = ones(counted3_q[c][k]);
      for (int unsigned k = 6; k < 8; k++) highest3[c][k] = counted3_q[c][k] != '0;
    end
  end

  logic       valid4_q, write4_q;
  logic [5:0] addr4_q;
  places_t    straight4_q;
  diagonals_t diagonal4_q;
  key_change_t key_change4_q;
  flags_t     flags4_q;
  highest_t   highest4_q;
  logic [1:0] five4_q;
  logic       place_five4_q, place_open4_4_q;

  always_ff @(posedge clk_i) begin
    if (clear_i || (valid4_q && write4_q)) begin
      made_mem[clear_i ? clear_addr_i : addr4_q] <= clear_i ? '0 : made_q;
    end
    for (int unsigned i = 0; i < Side; i++) begin
      straight4_q[i] <= valid3_q && write3_q && addr3_q == 6'(i);
    end
    for (int unsigned i = 0; i < Diagonals; i++) begin
      diagonal4_q[i] <= valid3_q && write3_q && addr3_q == 6'(32 + i);
    end
    write4_q        <= write3_q;
    addr4_q         <= addr3_q;
    key_change4_q   <= key_change3;
    for (int unsigned i = 0; i < Side; i++) if (place3_q[i]) key_change4_q[i] <= '0;
    flags4_q        <= flags3;
    highest4_q      <= highest3;
    for (int unsigned c = 0; c < 2; c++) five4_q[c] <= fives3_q[c] != '0;
    place_five4_q   <= place_five3;
    place_open4_4_q <= place_open4_3;
  end

  // ------------------------------------------------------------------- cycle 4: what has changed
  assign count_o        = made_q.counts;
  assign key_change_o   = key_change4_q;
  assign changed_o      = valid4_q;
  assign write_o        = write4_q;
  assign straight_o     = straight4_q;
  assign diagonal_o     = diagonal4_q;
  assign flags_o        = flags4_q;
  assign count_before_o = before3_q.counts;
  assign highest_o      = highest4_q;
  assign five_o         = five4_q;
  assign place_five_o   = place_five4_q;
  assign place_open4_o  = place_open4_4_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {valid1_q, valid2_q, valid3_q, valid4_q} <= '0;
    else {valid1_q, valid2_q, valid3_q, valid4_q} <= {valid_i, valid1_q, valid2_q, valid3_q} &
                                                     {4{!kill_i}};
  end

`ifndef SYNTHESIS
  Written_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    !(valid1_q && valid4_q && write4_q && addr1_q == addr4_q));
`endif

endmodule
