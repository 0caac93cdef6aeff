// The outputs of the stubs in gomoku_board_proof: arbitrary in each cycle.
package gomoku_board_pkg;
  import gomoku_pkg::*;

  typedef struct packed {
    line_count_t count_before; // of the line that is in cycle 3; the rest of the one in cycle 4
    line_count_t count;
    key_change_t key_change;
    flags_t      flags;
    logic [1:0]  five;
    logic        place_five;
    logic        place_open4;
  } line_data_t;

  typedef struct packed {
    map_t                      candidates;
    key_t [Side-1:0][Side-1:0] keys;
  } maps_data_t;

endpackage
