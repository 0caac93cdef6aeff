// Stands in for tetris_play in tetris_reader_proof, where no game is played: the board alone.
module tetris_play
  import tetris_pkg::board_t, tetris_pkg::decision_t, tetris_pkg::piece_t, tetris_pkg::row_t,
         tetris_pkg::tally_t;
#(
  parameter int unsigned Pieces     = 160,
  parameter int unsigned Moves      = 64,
  parameter int unsigned Games      = 1,
  parameter bit          TakesEarly = 1'b0
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        clear_i,
  input  logic        load_i,
  input  board_t      load_board_i,
  input  logic        take_i,
  output board_t      board_o,
  output row_t        row_o,
  input  logic        piece_we_i,
  input  logic [6:0]  piece_addr_i,
  input  logic [7:0]  piece_data_i,
  input  logic        draws_shift_i,
  input  logic [7:0]  draws_byte_i,
  output logic [31:0] draws_pieces_o,
  output logic [31:0] draws_spacing_o,
  input  logic        start_i,
  input  logic        drawn_i,
  input  logic [4:0]  games_i,
  input  logic [15:0] pieces_i,
  input  logic        stop_i,
  output logic        done_o,
  output logic        unfinished_o,
  input  logic        finish_i,
  output logic        ask_valid_o,
  input  logic        ask_ready_i,
  output piece_t      ask_piece_o,
  input  logic        rsp_valid_i,
  output logic        rsp_ready_o,
  input  decision_t   rsp_i,
  output logic        side_by_side_o,
  output logic        boards_valid_o,
  input  logic        boards_ready_i,
  output board_t      boards_o,
  input  logic        best_valid_i,
  input  decision_t   best_i,
  output logic        counts_o,
  output decision_t   counted_o,
  output logic [$clog2(Moves):0] moves_o,
  output logic [5:0]  move_o,
  input  logic        move_ready_i,
  output logic        checkpoint_valid_o,
  input  logic        checkpoint_ready_i,
  output tally_t      tally_o,
  output logic [63:0] signature_o
);

  board_t board_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) board_q <= '0;
    else if (load_i) board_q <= board_q | load_board_i;
  end

  assign board_o            = board_q;
  assign draws_pieces_o     = '0;
  assign draws_spacing_o    = '0;
  assign done_o             = 1'b0;
  assign unfinished_o       = 1'b0;
  assign ask_valid_o        = 1'b0;
  assign ask_piece_o        = '0;
  assign rsp_ready_o        = 1'b0;
  assign moves_o            = '0;
  assign move_o             = '0;
  assign checkpoint_valid_o = 1'b0;
  assign tally_o            = '0;
  assign signature_o        = '0;

  assign row_o              = board_o[0];
  assign side_by_side_o     = 1'b0;
  assign boards_valid_o     = 1'b0;
  assign boards_o           = '0;
  assign counts_o           = 1'b0;
  assign counted_o          = '0;

endmodule
