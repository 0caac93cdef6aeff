// connect4_win: four in a row exactly where four cells of a row, a column or a diagonal are held,
// on any board, by looking at each line of four cells there is.
module connect4_win_proof
  import connect4_pkg::Columns, connect4_pkg::Rows, connect4_pkg::board_t;
(
  input logic   clk_i,
  input board_t board_i
);

  logic live_q = 1'b0;
  always_ff @(posedge clk_i) live_q <= 1'b1;

  logic four;
  connect4_win u_dut (
    .board_i,
    .four_o  (four)
  );

  logic defined;
  always_comb begin
    defined = 1'b0;
    for (int signed c = 0; c < Columns; c++) begin
      for (int signed r = 0; r < Rows; r++) begin
        if (c + 3 < Columns &&
            board_i[c][r] && board_i[c+1][r] && board_i[c+2][r] && board_i[c+3][r]) begin
          defined = 1'b1;
        end
        if (r + 3 < Rows &&
            board_i[c][r] && board_i[c][r+1] && board_i[c][r+2] && board_i[c][r+3]) begin
          defined = 1'b1;
        end
        if (c + 3 < Columns && r + 3 < Rows &&
            board_i[c][r] && board_i[c+1][r+1] && board_i[c+2][r+2] && board_i[c+3][r+3]) begin
          defined = 1'b1;
        end
        if (c + 3 < Columns && r >= 3 &&
            board_i[c][r] && board_i[c+1][r-1] && board_i[c+2][r-2] && board_i[c+3][r-3]) begin
          defined = 1'b1;
        end
      end
    end
  end

  logic on_board;  // nothing lies in the row above the top one
  always_comb begin
    on_board = 1'b1;
    for (int unsigned c = 0; c < Columns; c++) if (board_i[c][Rows]) on_board = 1'b0;
  end

  always_comb begin
    Board_M: assume (on_board);
    if (live_q) Four_A: assert (four == defined);
    Win_C:   cover (live_q && four);
    Most_C:  cover (live_q && !four && $countones(board_i) == 28);
  end

endmodule
