// Stands in for gomoku_board in gomoku_search_proof, which checks its inputs; its outputs are
// arbitrary (`data`, which the harness drives).
module gomoku_board
  import gomoku_pkg::*;
(
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic                      lines_i,
  input  logic [7:1][4:0]           key_i,
  input  logic                      clear_i,
  input  logic [5:0]                clear_addr_i,
  input  logic                      kill_i,
  input  logic                      valid_i,
  input  point_t                    point_i,
  input  logic                      colour_i,
  input  op_e                       op_i,
  output count_t                    counts_o,
  output logic [1:0]                five_o,
  output logic [1:0]                open4_o,
  output logic                      five_soon_o,
  output logic                      open4_soon_o,
  output logic                      run_o,
  output logic [1:0]                fives_o,
  output logic                      look_five_o,
  output logic                      look_open4_o,
  input  kind_t                     kind_i,
  output map_t                      candidates_o,
  output key_t [Side-1:0][Side-1:0] keys_o
);

  gomoku_search_pkg::board_data_t data;
  assign counts_o     = data.counts;
  assign five_o       = data.five;
  assign open4_o      = data.open4;
  assign five_soon_o  = data.five_soon;
  assign open4_soon_o = data.open4_soon;
  assign run_o        = data.run;
  assign fives_o      = data.fives;
  assign look_five_o  = data.look_five;
  assign look_open4_o = data.look_open4;
  assign candidates_o = '0;
  assign keys_o       = '0;

endmodule
