// A row of gomoku_pick: the points of its highest key, and the lowest of them.
//
// `load_i` takes the points that may be picked from `source_i`, all of them with `fresh_i`,
// otherwise the points not picked yet. The next four cycles find the points of the highest key,
// two bits a cycle from the highest on: `digit_i` is 0 with `load_i`, 1 in the first of these
// cycles, and so on. `least_o` says of these two bits of the highest key whether they are 1, 2 or 3
// at least, two cycles after the keys were read; `any_o` a cycle after `load_i` whether there is a
// point.
//
// `lowest_i` keeps the lowest point left: `column_o` a cycle later. While `chosen_i` is high it
// is the one picked. `clear_i` and `restore_i` act as in gomoku_pick.
module gomoku_pick_row
  import gomoku_pkg::*;
(
  input  logic            clk_i,
  input  places_t         source_i,
  input  key_t [Side-1:0] keys_i,
  input  logic            load_i,
  input  logic            fresh_i,
  input  logic [1:0]      digit_i,
  input  logic            lowest_i,
  input  logic            chosen_i,
  input  logic            clear_i,
  input  logic            restore_i,
  input  places_t         restored_i,
  output logic            any_o,
  output logic [3:1]      least_o,
  output coord_t          column_o,
  output places_t         picked_o
);

  places_t loaded;
  places_t left_q, left_d;      // points that may still be the one
  places_t picked_q, picked_d;
  places_t high_q, high_d;      // of the key the two bits that are decided next
  places_t low_q, low_d;
  places_t place_q;             // the lowest one, one-hot
  coord_t  column_q;
  logic    any_q;
  logic [3:1] least_q, least;

  // Only those with the high bit stay, only those with the low one
  logic high, low;
  assign least = {(left_q & high_q & low_q) != '0, (left_q & high_q) != '0,
                  (left_q & (high_q | low_q)) != '0};
  assign high  = least[2];
  assign low   = least[3] || (!least[2] && least[1]);

  places_t point;
  assign point = place_q & {Side{chosen_i}};

  logic [1:0] digit;
  always_comb begin
    // A shift: with a case of digit_i for each point models have half again as much C++.
    for (int unsigned x = 0; x < Side; x++) begin
      digit     = 2'(keys_i[x] >> {~digit_i, 1'b0});
      high_d[x] = digit[1];
      low_d[x]  = digit[0];
    end

    loaded = source_i & ({Side{fresh_i}} | ~(picked_q | point));
    left_d = left_q & (high_q | {Side{!high}}) & (low_q | {Side{!low}});
    if (load_i) left_d = loaded;

    picked_d = (clear_i ? '0 : picked_q) | point;
    if (restore_i) picked_d = restored_i;
  end

  always_ff @(posedge clk_i) begin
    left_q    <= left_d;
    picked_q  <= picked_d;
    high_q    <= high_d;
    low_q     <= low_d;
    any_q     <= loaded != '0;
    least_q   <= least;
    if (lowest_i) begin
      place_q  <= lowest(left_q);
      column_q <= number(lowest(left_q));
    end
  end

  assign any_o    = any_q;
  assign least_o  = least_q;
  assign column_o = column_q;
  assign picked_o = picked_q | point;

endmodule
