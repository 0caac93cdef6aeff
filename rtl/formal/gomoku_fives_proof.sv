// gomoku_runs on all lines of any board: five in a row exactly where a row, a column or a diagonal
// has five stones of the colour, by looking at each five points there are.
//
// A line has its cells as gomoku_pkg says: its place is x on a row or a falling line, y on a column
// or a rising one. Beyond the board both colours have a stone.
module gomoku_fives_proof
  import gomoku_pkg::*;
(
  input logic       clk_i,
  input map_t [1:0] board_i,
  input logic       colour_i
);

  logic live_q = 1'b0;
  always_ff @(posedge clk_i) live_q <= 1'b1;

  // Rows, columns, falling lines, rising lines
  localparam int unsigned Lines = 2 * Side + 2 * Diagonals;
  cells_t [Lines-1:0] line;
  always_comb begin
    line = '1;
    for (int signed y = 0; y < int'(Side); y++) begin
      for (int signed x = 0; x < int'(Side); x++) begin
        for (int unsigned c = 0; c < 2; c++) begin
          line[y][c][x] = board_i[c][y][x];
          line[int'(Side)+x][c][y] = board_i[c][y][x];
          line[2*int'(Side)+x-y+14][c][x] = board_i[c][y][x];
          line[2*int'(Side)+int'(Diagonals)+x+y][c][y] = board_i[c][y][x];
        end
      end
    end
  end

  logic [Lines-1:0][1:0] fives;
  for (genvar i = 0; i < Lines; i++) begin : gen_line
    places_t [1:0][6:1] runs;
    gomoku_runs u_dut (
      .cells_i (line[i]),
      .runs_o  (runs)
    );
    assign fives[i] = {runs[1][6] != '0, runs[0][6] != '0};
  end

  // Five points from (x, y) on, in a direction
  function automatic logic has(map_t stones, int signed x, int signed y, int signed dx,
                               int signed dy);
    logic all;
    all = 1'b1;
    for (int signed i = 0; i < 5; i++) begin
      if (x + i * dx >= int'(Side) || y + i * dy >= int'(Side) || y + i * dy < 0 ||
          !stones[y+i*dy][x+i*dx]) begin
        all = 1'b0;
      end
    end
    return all;
  endfunction

  logic found, defined;
  always_comb begin
    found = 1'b0;
    for (int unsigned i = 0; i < Lines; i++) if (fives[i][colour_i]) found = 1'b1;
    defined = 1'b0;
    for (int signed y = 0; y < int'(Side); y++) begin
      for (int signed x = 0; x < int'(Side); x++) begin
        if (has(board_i[colour_i], x, y, 1, 0) || has(board_i[colour_i], x, y, 0, 1) ||
            has(board_i[colour_i], x, y, 1, 1) || has(board_i[colour_i], x, y, 1, -1)) begin
          defined = 1'b1;
        end
      end
    end
  end

  always_comb begin
    Board_M: assume ((board_i[0] & board_i[1]) == '0);
    if (live_q) Five_A: assert (found == defined);
    Win_C:  cover (live_q && found && board_i[colour_i][7] == '0);
    Most_C: cover (live_q && !found && board_i[colour_i][7][7:0] == 8'b11101111);
  end

endmodule
