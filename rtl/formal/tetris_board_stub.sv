// Stands in for tetris_board in tetris_play_proof: puts a piece at any time (a free
// input of the harness).
module tetris_board
  import tetris_pkg::board_t, tetris_pkg::height_t, tetris_pkg::piece_t, tetris_pkg::rotation_t;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       clear_i,
  input  logic       load_i,
  input  board_t     load_board_i,
  input  logic       put_valid_i,
  output logic       put_ready_o,
  input  piece_t     piece_i,
  input  rotation_t  rotation_i,
  input  logic [3:0] column_i,
  input  height_t    row_i,
  input  logic       take_i,
  output board_t     board_o
);

  assign put_ready_o = put_valid_i && tetris_play_proof.put_ready_i;
  assign board_o     = '0;

endmodule
