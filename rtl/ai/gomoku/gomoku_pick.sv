// Picks points from a map, each once: that of the highest key first, among equals the lowest one;
// or simply the lowest one.
//
// Drive it: `start_i` begins a pick from `source_i` in that cycle, unless one is under way; the
// points picked before are left out, but for `fresh_i`. It is done in the cycle of `done_o`, where
// `found_o` says whether there is a point, and `point_o` which; `picked_o` are all those picked,
// this one included. With `again_i` in that cycle the next pick begins at once. `hold_i` puts
// `done_o` off; `busy_o` is high from the cycle after `start_i` until that of `done_o`. `abort_i`
// ends a pick, and begins none. `clear_i` forgets the points picked, but for one that is picked in
// that cycle; `restore_i` replaces them.
//
// Latency: 6 cycles by key, 2 without (`by_key_i`, from the start to the end of a pick). The source
// is read in the cycle of `start_i` or `again_i`, the keys in that one and in the next three.
//
// By key two bits are decided a cycle, from the highest on: of the points left those stay that have
// the highest value there.
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
    PkDigit3 = 3'b000,  // bits 7 and 6 of the key
    PkDigit2 = 3'b001,
    PkDigit1 = 3'b010,
    PkDigit0 = 3'b011,
    PkRow    = 3'b110,  // the lowest row
    PkColumn = 3'b101   // and the lowest point in it
  } state_e;

  state_e          state_q, state_d;
  map_t            left_q, left_d;      // points that may still be the one
  map_t            picked_q, picked_d;
  map_t            high_q, high_d;      // of the key the two bits that are decided next
  map_t            low_q, low_d;
  places_t         row_q, row_d;        // the row, one-hot, and its points
  places_t         points_q, points_d;
  logic            found_q;
  logic            busy_q, column_q;    // the state is another one than PkIdle, is PkColumn

  // Of the points left only those with the high bit stay, only those with the low one
  logic high, low;
  assign high = (left_q & high_q) != '0;
  assign low  = (left_q & high_q & low_q) != '0 || (!high && (left_q & low_q) != '0);

  places_t column;
  map_t    point;    // the point picked, one-hot
  assign column = lowest(points_q);
  for (genvar y = 0; y < Side; y++) begin : gen_row
    assign point[y] = column & {Side{row_q[y] && column_q}};
  end

  assign done_o   = column_q && !hold_i;
  assign busy_o   = busy_q;
  assign found_o  = found_q;
  assign point_o  = '{y: number(row_q), x: number(column)};
  assign picked_o = picked_q | point;

  state_e begins;
  assign begins = by_key_i ? PkDigit3 : PkRow;

  // Where a pick may begin its points are read in any case: whether it does comes late.
  logic load;
  assign load = state_q inside {PkIdle, PkColumn};

  // Which two bits of the keys are to be decided in the next cycle, if any
  logic [3:0] digit;
  assign digit = {load, state_q == PkDigit3, state_q == PkDigit2, state_q == PkDigit1};

  always_comb begin
    for (int unsigned y = 0; y < Side; y++) begin
      for (int unsigned x = 0; x < Side; x++) begin
        high_d[y][x] = |(digit & {keys_i[y][x][7], keys_i[y][x][5], keys_i[y][x][3],
                                  keys_i[y][x][1]});
        low_d[y][x]  = |(digit & {keys_i[y][x][6], keys_i[y][x][4], keys_i[y][x][2],
                                  keys_i[y][x][0]});
      end
    end
  end

  always_comb begin
    left_d = left_q & (high_q | {Side*Side{!high}}) & (low_q | {Side*Side{!low}});
    if (load) begin
      left_d = source_i & ~(picked_q & {Side*Side{!fresh_i}}) & ~(point & {Side*Side{!fresh_i}});
    end
  end

  always_comb begin
    places_t rows;
    for (int unsigned y = 0; y < Side; y++) rows[y] = left_q[y] != '0;
    row_d    = row_q;
    points_d = points_q;
    if (state_q == PkRow) begin
      row_d    = lowest(rows);
      points_d = '0;
      for (int unsigned y = 0; y < Side; y++) points_d |= left_q[y] & {Side{row_d[y]}};
    end
  end

  always_comb begin
    picked_d = (clear_i ? '0 : picked_q) | point;
    if (restore_i) picked_d = restored_i;

    state_d = state_q;
    unique case (state_q)
      PkDigit3: state_d = PkDigit2;
      PkDigit2: state_d = PkDigit1;
      PkDigit1: state_d = PkDigit0;
      PkDigit0: state_d = PkRow;
      PkRow:    state_d = PkColumn;
      PkColumn: if (done_o) state_d = (again_i && found_o) ? begins : PkIdle;
      default: ;
    endcase
    if (abort_i) state_d = PkIdle;
    if (start_i) state_d = begins;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q  <= PkIdle;
      busy_q   <= 1'b0;
      column_q <= 1'b0;
    end else begin
      state_q  <= state_d;
      busy_q   <= state_d != PkIdle;
      column_q <= state_d == PkColumn;
    end
  end

  // What a start sets needs no reset.
  always_ff @(posedge clk_i) begin
    left_q   <= left_d;
    picked_q <= picked_d;
    high_q   <= high_d;
    low_q    <= low_d;
    row_q    <= row_d;
    points_q <= points_d;
    if (state_q == PkRow) found_q <= left_q != '0;
  end

`ifndef SYNTHESIS
  Begins_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    start_i |-> state_q inside {PkIdle, PkColumn});
`endif

endmodule
