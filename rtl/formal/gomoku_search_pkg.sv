// The outputs of the stubs in gomoku_search_proof: arbitrary in each cycle.
package gomoku_search_pkg;
  import gomoku_pkg::*;

  typedef struct packed {
    count_t     counts;
    logic [1:0] five;
    logic [1:0] open4;
    logic [1:0] fives;
    logic       five_soon;
    logic       open4_soon;
    logic       run;
    logic       look_five;
    logic       look_open4;
  } board_data_t;

  typedef struct packed {
    logic       ends;
    logic       forces;
    logic       better;
    logic       cuts;
    value_t     compared;
    kind_t      kind;
    logic [7:0] left;
    logic       next_valid;
    point_t     next;
  } node_data_t;

  typedef struct packed {
    logic   found;
    point_t point;
  } pick_data_t;

endpackage
