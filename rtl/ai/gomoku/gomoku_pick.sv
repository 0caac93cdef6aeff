// Picks points from a map, each point once: the highest key first, and of equal keys the lowest
// point; or always the lowest point.
//
// Drive it: while no pick is in progress, `start_i` begins one from `source_i` in the same cycle.
// Points picked before are left out, except with `fresh_i`. The pick ends in the cycle of `done_o`:
// `found_o` is high if there is a point, `point_o` is that point, and `picked_o` are all points
// picked so far, this one included. With `again_i` in that cycle the next pick begins at once.
// `hold_i` delays `done_o`. `busy_o` is high from the cycle after `start_i` to that of `done_o`.
// `abort_i` ends a pick and begins none. `clear_i` forgets the points picked, except one picked in
// the same cycle; `restore_i` replaces them by `restored_i`.
//
// Latency: 6 cycles by key, 2 without (`by_key_i`, steady from the start to the end of a pick). The
// source is read in the cycle of `start_i` or `again_i`, the keys in that cycle and the next three.
//
// Wires across the board are long, so no single cycle computes anything from all points. Each row
// finds its highest key by itself (gomoku_pick_row), two bits a cycle. One cycle later the rows are
// compared by those bits, while each row finds the lowest of its points.
module gomoku_pick
  import gomoku_pkg::*;
(
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  map_t                      source_i,
  input  key_t [Side-1:0][Side-1:0] keys_i,
  input  logic                      by_key_i,
  input  logic                      start_i,
  input  logic                      fresh_i,
  input  logic                      again_i,
  input  logic                      hold_i,
  input  logic                      abort_i,
  input  logic                      clear_i,
  input  logic                      restore_i,
  input  map_t                      restored_i,
  output logic                      busy_o,
  output logic                      done_o,
  output logic                      found_o,
  output point_t                    point_o,
  output map_t                      picked_o
);

  typedef enum logic [2:0] {
    PkIdle   = 3'b100,
    PkDigit3 = 3'b000,  // bits 7 and 6 of the key within a row
    PkDigit2 = 3'b001,
    PkDigit1 = 3'b010,
    PkDigit0 = 3'b011,
    PkRow    = 3'b110,  // the row, and in each the lowest point
    PkColumn = 3'b101   // the point in that row
  } state_e;

  state_e           state_q, state_d;
  logic             busy_q, column_q;  // the state is another one than PkIdle, is PkColumn
  logic             load_q;            // a pick may begin, whether it does comes late
  logic [1:0]       digit_q, digit_d;  // which bits of the keys the rows decide next
  logic             keyed_q, keyed_d;
  logic             found_q;
  places_t          rows_q, rows_d;    // rows that may still have the point
  places_t          chosen_q, chosen_d;  // the row that has it, one-hot, until the next pick
  places_t          any;
  places_t [3:1]    least;             // rows whose two bits are k at least
  coord_t [Side-1:0] columns;

  for (genvar y = 0; y < Side; y++) begin : gen_row
    gomoku_pick_row u_gomoku_pick_row (
      .clk_i,
      .source_i   (source_i[y]),
      .keys_i     (keys_i[y]),
      .load_i     (load_q),
      .fresh_i,
      .digit_i    (digit_q),
      .lowest_i   (state_q == PkRow),
      .chosen_i   (column_q && chosen_q[y]),
      .clear_i,
      .restore_i,
      .restored_i (restored_i[y]),
      .any_o      (any[y]),
      .least_o    ({least[3][y], least[2][y], least[1][y]}),
      .column_o   (columns[y]),
      .picked_o   (picked_o[y])
    );
  end

  point_t point;
  always_comb begin
    point = '{y: number(chosen_q), x: '0};
    for (int unsigned y = 0; y < Side; y++) point.x |= columns[y] & {4{chosen_q[y]}};
  end

  assign done_o  = column_q && !hold_i;
  assign busy_o  = busy_q;
  assign found_o = found_q;
  assign point_o = point;

  // The rows that have the highest of their two bits; with the last two bits the lowest one of
  // them, which is found for each value before it is known which is the highest. Without keys it is
  // the lowest row that has a point.
  logic [3:1] some;  // there are such rows
  always_comb begin
    rows_d   = rows_q;
    chosen_d = lowest(keyed_q ? rows_q : any);
    for (int unsigned k = 1; k < 4; k++) begin
      some[k] = keyed_q && (rows_q & least[k]) != '0;
      rows_d &= least[k] | {Side{!some[k]}};
      if (some[k]) chosen_d = lowest(rows_q & least[k]);
    end
    if (state_q == PkDigit3) rows_d = any;
  end

  state_e begins;
  assign begins = by_key_i ? PkDigit3 : PkRow;

  always_comb begin
    state_d = state_q;
    digit_d = 2'd0;
    unique case (state_q)
      PkDigit3: begin
        state_d = PkDigit2;
        digit_d = 2'd2;
      end
      PkDigit2: begin
        state_d = PkDigit1;
        digit_d = 2'd3;
      end
      PkDigit1: state_d = PkDigit0;
      PkDigit0: state_d = PkRow;
      PkRow:    state_d = PkColumn;
      PkColumn: if (done_o) state_d = (again_i && found_o) ? begins : PkIdle;
      default: ;
    endcase
    if (abort_i) state_d = PkIdle;
    if (start_i) state_d = begins;
    if (state_d == PkDigit3) digit_d = 2'd1;

    keyed_d = load_q ? by_key_i : keyed_q;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= PkIdle;
      busy_q   <= 1'b0;
      column_q <= 1'b0;
      load_q   <= 1'b1;
      digit_q  <= '0;
    end else begin
      state_q  <= state_d;
      busy_q   <= state_d != PkIdle;
      column_q <= state_d == PkColumn;
      load_q   <= state_d inside {PkIdle, PkColumn};
      digit_q  <= digit_d;
    end
  end

  // What a start sets needs no reset.
  always_ff @(posedge clk_i) begin
    keyed_q <= keyed_d;
    rows_q  <= rows_d;
    if (state_q == PkRow) begin
      chosen_q <= chosen_d;
      found_q  <= keyed_q ? rows_q != '0 : any != '0;
    end
  end

`ifndef SYNTHESIS
  Begins_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    start_i |-> state_q == PkIdle || (state_q == PkColumn && !hold_i));
`endif

endmodule
