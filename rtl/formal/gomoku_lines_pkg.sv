// What gomoku_lines_stub says of a line.
package gomoku_lines_pkg;

  typedef struct packed {
    gomoku_pkg::key_change_t key_change;
    gomoku_pkg::flags_t      flags;
    gomoku_pkg::line_count_t count;
    gomoku_pkg::line_count_t count_before;
    gomoku_pkg::highest_t    highest;
    logic [1:0]              five;
    logic                    place_five;
    logic                    place_open4;
  } data_t;

endpackage
