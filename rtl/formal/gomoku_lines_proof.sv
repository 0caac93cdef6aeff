// gomoku_lines: what a line's word holds and what an operation on the line reports is what the
// definitions say of the stones put there and not taken back since the board was made empty. So a
// stone that is taken back leaves nothing.
//
// One arbitrary line is watched, in any order of operations on all lines. Assumptions: operations
// on one line do not come in two cycles in a row, nor three cycles after one that writes. Stones are
// put on empty places and taken from places with a stone. At a kill no write to the line is half
// done, or the line is cleared next; a clear drops the operations in progress and clears at least
// eight lines. A row or column has all its places. The keys change only on an empty board.
//
// Shapes and runs are gomoku_shapes_proof's and gomoku_runs_proof's.
module gomoku_lines_proof
  import gomoku_pkg::*;
(
  input logic            clk_i,
  input logic [5:0]      watched_i,
  input logic            lines_i,
  input logic [7:1][4:0] key_i,
  input logic            clear_i,
  input places_t         clear_on_i,
  input logic            kill_i,
  input logic            valid_i,
  input logic            diagonal_i,
  input coord_t          straight_addr_i,
  input logic [4:0]      diagonal_addr_i,
  input coord_t          place_i,
  input logic            colour_i,
  input op_e             op_i
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic [5:0]  clear_addr_q;
  logic        changed, write, place_five, place_open4;
  places_t     straight;
  diagonals_t  diagonal;
  key_change_t key_change;
  flags_t      flags;
  line_count_t count, count_before;
  highest_t    highest;
  logic [1:0]  five;

  gomoku_lines u_dut (
    .clk_i,
    .rst_ni          (rst_n),
    .lines_i,
    .key_i,
    .clear_i,
    .clear_addr_i    (clear_addr_q),
    .clear_on_i,
    .kill_i,
    .valid_i,
    .diagonal_i,
    .straight_addr_i,
    .diagonal_addr_i,
    .place_i,
    .colour_i,
    .op_i,
    .changed_o       (changed),
    .write_o         (write),
    .straight_o      (straight),
    .diagonal_o      (diagonal),
    .key_change_o    (key_change),
    .flags_o         (flags),
    .count_o         (count),
    .count_before_o  (count_before),
    .highest_o       (highest),
    .five_o          (five),
    .place_five_o    (place_five),
    .place_open4_o   (place_open4)
  );

  // ------------------------------------------------------------------------ the watched line
  typedef struct packed {
    coord_t place;
    logic   colour;
    op_e    op;
  } operation_t;

  function automatic logic writes(operation_t operation);
    return operation.op == OpPut || operation.op == OpTake;
  endfunction

  // The line with it
  function automatic cells_t after(cells_t cells, operation_t operation);
    for (int unsigned i = 0; i < Side; i++) begin
      if (operation.place == 4'(i)) begin
        unique case (operation.op)
          OpPut, OpScore: cells[operation.colour][i] = 1'b1;
          OpTake: begin
            cells[0][i] = 1'b0;
            cells[1][i] = 1'b0;
          end
          default: ;
        endcase
      end
    end
    return cells;
  endfunction

  logic [5:0] line_q;
  logic       known_q;          // it has been made empty
  logic       used_q;           // something has been done since
  logic       lines_q;
  logic [7:1][4:0] key_q;
  cells_t [4:0]     cells_q;    // now, a cycle ago, two, ...
  logic [4:1]       valid_q;    // an operation on any line was given so many cycles ago
  logic [4:1]       hit_q;      // ... on the watched one
  operation_t [4:1] operation_q;
  operation_t       operation;
  logic             here, hit, lost;
  assign operation = '{place: place_i, colour: colour_i, op: op_i};
  assign here      = line_q == (diagonal_i ? {1'b1, diagonal_addr_i} : {2'b0, straight_addr_i});
  assign hit       = valid_i && !kill_i && here;
  always_comb begin
    lost = 1'b0;
    for (int unsigned s = 1; s < 4; s++) begin
      if (kill_i && hit_q[s] && writes(operation_q[s])) lost = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_n) line_q <= watched_i;
    lines_q <= lines_i;
    key_q   <= key_i;
    if (!rst_n || kill_i) begin
      valid_q <= '0;
      hit_q   <= '0;
    end else begin
      valid_q <= {valid_q[3:1], valid_i};
      hit_q   <= {hit_q[3:1], hit};
    end
    if (clear_i) hit_q <= '0;
    operation_q <= {operation_q[3:1], operation};
    cells_q[4:1] <= cells_q[3:0];
    if (hit && writes(operation)) cells_q[0] <= after(cells_q[0], operation);
    if (clear_i && clear_addr_q == line_q) cells_q <= {5{ {2{~clear_on_i}} }};

    clear_addr_q <= (rst_n && clear_i) ? clear_addr_q + 6'd1 : '0;
    if (!rst_n || lost || (clear_i && clear_addr_q < line_q)) known_q <= 1'b0;
    else if (clear_i && clear_addr_q == line_q) known_q <= 1'b1;
    if (!rst_n || clear_i) used_q <= 1'b0;
    else if (valid_i) used_q <= 1'b1;
  end

  // ------------------------------------------------------------------------- its definitions
  // The lines with the operations that were given three and four cycles ago, as the design has
  // them, and what they come to; cells and word of the watched line in the memory of words
  localparam int unsigned Three = 0, Four = 1;
  cells_t [1:0] with_q;
  cells_t       word_cells_q;
  logic [145:0] word_q;

  windows_t [1:0]          windows2;
  windows_t [1:0][1:0]     windows;
  classes_t [1:0][1:0]     classes;
  shapes_t [1:0][1:0]      shapes;
  places_t [1:0][1:0][6:1] runs;
  for (genvar c = 0; c < 2; c++) begin : gen_windows
    gomoku_windows u_windows (
      .own_i     (u_dut.cells2_q[c] & ~u_dut.cells2_q[1-c]),
      .free_i    (~u_dut.cells2_q[1-c]),
      .windows_o (windows2[c])
    );
  end
  for (genvar s = 0; s < 2; s++) begin : gen_with
    for (genvar c = 0; c < 2; c++) begin : gen_colour
      gomoku_windows u_windows (
        .own_i     (with_q[s][c] & ~with_q[s][1-c]),
        .free_i    (~with_q[s][1-c]),
        .windows_o (windows[s][c])
      );
      gomoku_shapes u_shapes (
        .windows_i (windows[s][c]),
        .empty_i   (~(with_q[s][0] | with_q[s][1])),
        .classes_o (classes[s][c]),
        .shapes_o  (shapes[s][c])
      );
    end
    gomoku_runs u_runs (
      .cells_i (with_q[s]),
      .runs_o  (runs[s])
    );
  end

  // Empty places with a stone beside them
  function automatic places_t beside(cells_t cells);
    places_t stone, result;
    stone  = cells[0] ^ cells[1];
    result = '0;
    for (int unsigned i = 0; i < Side; i++) begin
      if (!cells[0][i] && !cells[1][i]) begin
        if (i > 0 && stone[i-1]) result[i] = 1'b1;
        if (i + 1 < Side && stone[i+1]) result[i] = 1'b1;
      end
    end
    return result;
  endfunction

  classes_t [1:0][1:0]       counted;
  logic [Side-1:0][5:0]      keys;
  line_count_t               counts;
  logic [145:0]              made;
  flags_t                    with_flags;
  key_change_t               with_change;
  highest_t                  with_highest;
  logic [1:0]                with_five;
  places_t                   with_beside;
  shape_t                    look;  // of colour 0 at the place
  assign made = {keys, counts};
  always_comb begin
    for (int unsigned s = 0; s < 2; s++) begin
      for (int unsigned c = 0; c < 2; c++) begin
        counted[s][c] = lines_q ? classes[s][c] : {places_t'(0), runs[s][c]};
      end
    end
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 1; k < 8; k++) counts[c][k] = ones(counted[Four][c][k]);
      for (int unsigned k = 6; k < 8; k++) with_highest[c][k] = counted[Four][c][k] != '0;
      with_five[c] = runs[Four][c][6] != '0;
    end
    with_beside = beside(with_q[Four]);
    look        = '0;
    for (int unsigned i = 0; i < Side; i++) begin
      shape_t a, b;
      a = shapes[Four][0][i];
      b = shapes[Four][1][i];
      keys[i] = ((a != '0) ? 6'(key_q[a]) : '0) + ((b != '0) ? 6'(key_q[b]) : '0);
      with_change[i] = (4'(i) == operation_q[4].place) ? '0 :
                       7'(keys[i]) - 7'(word_q[56+6*i+:6]);
      with_flags.five[i]  = a == 3'd7 || b == 3'd7;
      with_flags.four[i]  = a >= 3'd5 || b >= 3'd5;
      with_flags.alive[i] = lines_q ? a != '0 || b != '0 : with_beside[i];
      if (operation_q[4].place == 4'(i)) look = a;
    end
  end

  logic writes4;
  assign writes4 = hit_q[4] && writes(operation_q[4]);
  always_ff @(posedge clk_i) begin
    with_q <= {with_q[Three], u_dut.cells2_q};
    if (writes4) begin
      word_q       <= made;
      word_cells_q <= with_q[Four];
    end
    if (clear_i && clear_addr_q == line_q) begin
      word_q       <= '0;
      word_cells_q <= {2{~clear_on_i}};
    end
  end

  // The cells now, in the memories
  cells_t straight_now, diagonal_now;
  logic   steady, empty_here, one_here;
  assign straight_now = u_dut.straight_mem[line_q[3:0]];
  assign diagonal_now = u_dut.diagonal_mem[line_q[4:0]];
  always_comb begin
    empty_here = 1'b0;
    one_here   = 1'b0;
    for (int unsigned i = 0; i < Side; i++) begin
      if (place_i == 4'(i)) begin
        empty_here = !cells_q[0][0][i] && !cells_q[0][1][i];
        one_here   = cells_q[0][0][i] != cells_q[0][1][i];
      end
    end
    steady = 1'b1;
    for (int unsigned s = 1; s < 5; s++) begin
      if (cells_q[s-1] != ((hit_q[s] && writes(operation_q[s])) ?
                           after(cells_q[s], operation_q[s]) : cells_q[s])) steady = 1'b0;
    end
  end

  logic straight_written, diagonal_written, written;  // the watched line
  assign straight_written = straight[line_q[3:0]];
  assign diagonal_written = diagonal[line_q[4:0]];
  assign written          = line_q[5] ? diagonal_written : straight_written;

  logic [4:1][5:0] at;
  logic            at_ok, drained;
  assign at = {u_dut.addr4_q, u_dut.addr3_q, u_dut.addr2_q, u_dut.addr1_q};
  always_comb begin
    at_ok = 1'b1;
    for (int unsigned s = 1; s < 5; s++) begin
      if (valid_q[s] && ((at[s] == line_q) != hit_q[s] || at[s][5:4] == 2'b01)) at_ok = 1'b0;
    end
  end

  always_comb begin
    drained = 1'b1;
    for (int unsigned s = 1; s < 5; s++) begin
      if (valid_q[s] && clear_addr_q >= 6'(s)) drained = 1'b0;
    end
  end

  logic [145:0] made_now, late;
  assign made_now = u_dut.made_mem[line_q];
  assign late     = u_dut.made_late2_q ? u_dut.made_q : u_dut.before2_q;

  always_comb begin
    Watched_M: assume (watched_i < 6'd15 || (watched_i >= 6'd32 && watched_i < 6'd61));
    Lines_M:   assume (straight_addr_i < 4'd15 && diagonal_addr_i < 5'd29);
    Clear_M:   assume (!clear_i || !valid_i);
    Whole_M:   assume (clear_i || clear_addr_q == '0 || clear_addr_q >= 6'd8);
    On_M:      assume (!clear_i || clear_addr_q >= 6'd32 || clear_on_i == '1);
    Keys_M:    assume (!used_q || (lines_i == lines_q && key_i == key_q));
    Apart_M:   assume (!(hit && hit_q[1]) && !(hit && hit_q[3] && writes(operation_q[3])));
    Stone_M:   assume (!(hit && known_q) || (op_i == OpTake ? one_here : empty_here));
    if (rst_n) begin
      // What is claimed
      Changed_A: assert (changed == valid_q[4]);
      Written_A: assert (!known_q || clear_i || clear_addr_q != '0 || written == writes4);
      if (known_q && hit_q[3]) begin
        CountBefore_A: assert (count_before == word_q[55:0]);
      end
      if (known_q && hit_q[4]) begin
        Write_A:   assert (write == writes(operation_q[4]));
        Count_A:   assert (count == counts);
        Highest_A: assert (highest == with_highest);
        Flags_A:   assert (flags == with_flags);
        Change_A:  assert (key_change == with_change);
        Five_A:    assert (five == with_five);
        Look_A:    assert (!lines_q || (place_five == (look == 3'd7) &&
                                        place_open4 == (look == 3'd6)));
      end
      // The words: cells are written two cycles after an operation is given, the rest five
      if (known_q) begin
        Cells_A: assert ((line_q[5] ? diagonal_now : straight_now) == cells_q[1]);
        Made_A:  assert (made_now == word_q && word_cells_q == cells_q[4]);
      end
      // How it comes about
      Line_A:  assert (line_q < 6'd15 || (line_q >= 6'd32 && line_q < 6'd61));
      Valid_A: assert ({u_dut.valid4_q, u_dut.valid3_q, u_dut.valid2_q, u_dut.valid1_q} == valid_q);
      Hit_A:   assert ((hit_q & ~valid_q) == '0 && (hit_q & hit_q >> 1) == '0 &&
                       !(hit_q[4] && hit_q[1] && writes(operation_q[4])));
      Steady_A: assert (!known_q || steady);
      Used_A:  assert (clear_addr_q != '0 || used_q || valid_q == '0);
      if (known_q && clear_addr_q != '0) Empty_A: assert (line_q[5] || cells_q == '0);
      At_A:    assert (clear_addr_q != '0 || at_ok);
      Drained_A: assert (drained && (clear_addr_q == '0 || hit_q == '0));
      if (hit_q[1]) Write1_A: assert (u_dut.write1_q == writes(operation_q[1]));
      if (hit_q[2]) Write2_A: assert (u_dut.write2_q == writes(operation_q[2]));
      if (hit_q[3]) Write3_A: assert (u_dut.write3_q == writes(operation_q[3]));
      if (hit_q[4]) Write4_A: assert (u_dut.write4_q == writes(operation_q[4]));
      if (hit_q[1]) Place1_A: assert (u_dut.place1_q == one_hot(operation_q[1].place));
      if (hit_q[2]) Place2_A: assert (u_dut.place2_q == one_hot(operation_q[2].place));
      if (hit_q[3]) Place3_A: assert (u_dut.place3_q == one_hot(operation_q[3].place));
      if (used_q) Key_A: assert (u_dut.key_q == {key_q, 5'd0});
      if (known_q && hit_q[1]) begin
        Cells1_A: assert (u_dut.cells1_q == after(cells_q[1], operation_q[1]));
      end
      if (known_q && hit_q[2]) begin
        Cells2_A:   assert (u_dut.cells2_q == after(cells_q[2], operation_q[2]));
        Windows2_A: assert (u_dut.windows2_q == windows2);
        Before2_A:  assert (late == (writes4 ? made : word_q));
        Late2_A:    assert (u_dut.made_late2_q == writes4);
      end
      if (known_q && hit_q[3]) begin
        With3_A:    assert (with_q[Three] == after(cells_q[3], operation_q[3]));
        Shapes3_A:  assert (u_dut.shapes3_q == shapes[Three]);
        Counted3_A: assert (u_dut.counted3_q == counted[Three]);
        Fives3_A:   assert (u_dut.fives3_q == {runs[Three][1][6], runs[Three][0][6]});
        Before3_A:  assert (u_dut.before3_q == word_q);
        Beside3_A:  assert (lines_q || u_dut.beside3_q == beside(with_q[Three]));
      end
      if (known_q && hit_q[4]) begin
        With4_A: assert (with_q[Four] == after(cells_q[4], operation_q[4]));
        Made4_A: assert (u_dut.made_q == made);
      end
    end
    Taken_C:  cover (rst_n && known_q && hit_q[4] && operation_q[4].op == OpTake);
    Late_C:   cover (rst_n && known_q && hit_q[4] && hit_q[2] && writes(operation_q[4]) && lines_q);
    Killed_C: cover (rst_n && !known_q && used_q && hit_q[4]);
  end

endmodule
