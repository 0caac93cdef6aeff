// Stands in for gomoku_maps in gomoku_board_proof, which checks its inputs; its outputs are
// arbitrary (`data`, which the harness drives).
module gomoku_maps
  import gomoku_pkg::*;
(
  input  logic                       clk_i,
  input  logic                       clear_i,
  input  places_t                    row_i,
  input  diagonals_t                 falling_i,
  input  key_change_t                row_change_i,
  input  flags_t                     row_flags_i,
  input  places_t                    column_i,
  input  diagonals_t                 rising_i,
  input  key_change_t                column_change_i,
  input  flags_t                     column_flags_i,
  input  kind_t                      kind_i,
  output map_t                       candidates_o,
  output key_t [Side-1:0][Side-1:0]  keys_o
);

  gomoku_board_pkg::maps_data_t data;
  assign candidates_o = data.candidates;
  assign keys_o       = data.keys;

endmodule
