// Stands in for tetris_play in tetris_reader_streams_proof: a game that requests, takes answers,
// has moves and checkpoints and is over at any time (free inputs of the harness), with any moves
// and sums; while one is under way its board is any. What tetris_play is proved to keep
// (tetris_play_proof) it keeps: one request at a time, no more moves than there is room for, the
// first one steady until it is taken, checkpoints of drawn pieces alone, everything steady in a
// checkpoint and once it is over, and no move any more then. It is cleared, loaded and taken as
// tetris_board says, and what is shifted in first lies lowest, as tetris_play has it.
module tetris_play
  import tetris_pkg::board_t, tetris_pkg::decision_t, tetris_pkg::piece_t, tetris_pkg::row_t,
         tetris_pkg::tally_t,
         tetris_wire_pkg::told_t;
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

  logic                 playing_q, drawn_q;
  logic                 waiting_q;  // requested, and the answer not taken
  logic                 telling_q;  // a checkpoint
  logic                 over_q;
  logic [$clog2(Moves):0] moves_q;
  logic [5:0]           move_q;
  told_t                told_q;
  logic [191:0]         draws_q;
  board_t               board_q;
  logic                 taking_q;

  logic ask, answered, push, steady;
  assign ask      = ask_valid_o && ask_ready_i;
  assign answered = rsp_valid_i && rsp_ready_o;
  assign steady   = telling_q || over_q;
  assign push     = playing_q && !drawn_q && !over_q && !moves_q[$clog2(Moves)] &&
                    tetris_reader_streams_proof.play_moves_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      playing_q <= 1'b0;
      waiting_q <= 1'b0;
      telling_q <= 1'b0;
      over_q    <= 1'b0;
      moves_q   <= '0;
      taking_q  <= 1'b0;
    end else begin
      taking_q <= take_i;
      moves_q  <= moves_q + ($clog2(Moves) + 1)'(push) - ($clog2(Moves) + 1)'(move_ready_i);
      if (start_i && !playing_q) begin
        playing_q <= 1'b1;
        drawn_q   <= drawn_i;
      end
      if (ask) waiting_q <= 1'b1;
      if (answered) waiting_q <= 1'b0;
      if (playing_q && !steady && !ask && (!waiting_q || answered)) begin
        if (drawn_q && tetris_reader_streams_proof.play_tells_i) telling_q <= 1'b1;
        else if (tetris_reader_streams_proof.play_over_i) over_q <= 1'b1;
      end
      if (checkpoint_ready_i) telling_q <= 1'b0;
      if (over_q && finish_i) begin
        playing_q <= 1'b0;
        over_q    <= 1'b0;
      end
    end
    if (moves_q == '0 || move_ready_i) move_q <= tetris_reader_streams_proof.play_move_i;
    if (!steady) told_q <= tetris_reader_streams_proof.play_told_i;
    if (start_i || playing_q) draws_q <= tetris_reader_streams_proof.play_draws_i;
    else if (draws_shift_i) draws_q <= {draws_byte_i, draws_q[191:8]};
    if (!rst_ni || clear_i) board_q <= '0;
    else if (taking_q) board_q <= board_q >> tetris_pkg::Columns;
    else if (load_i) board_q <= board_q | load_board_i;
    else if (playing_q && !over_q) board_q <= tetris_reader_streams_proof.play_board_i;
  end

  assign board_o            = board_q;
  assign draws_pieces_o     = draws_q[31:0];
  assign draws_spacing_o    = draws_q[63:32];
  assign done_o             = over_q;
  assign unfinished_o       = told_q.unfinished;
  assign ask_valid_o        = playing_q && !steady && !waiting_q &&
                              tetris_reader_streams_proof.play_asks_i;
  assign ask_piece_o        = tetris_reader_streams_proof.play_piece_i;
  assign rsp_ready_o        = waiting_q && tetris_reader_streams_proof.play_takes_i;
  assign moves_o            = moves_q;
  assign move_o             = move_q;
  assign checkpoint_valid_o = telling_q;
  assign tally_o            = told_q.tally;
  assign signature_o        = told_q.signature;

  assign row_o              = board_o[0];
  assign side_by_side_o     = 1'b0;
  assign boards_valid_o     = 1'b0;
  assign boards_o           = '0;
  assign counts_o           = rsp_valid_i && rsp_ready_o;
  assign counted_o          = rsp_i;

endmodule
