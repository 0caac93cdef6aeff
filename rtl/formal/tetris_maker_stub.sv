// Stands in for tetris_maker: takes the cycles that tetris_maker takes for any number of rows
// removed, and gives any board and any eroded cells (tetris_maker_proof proves the true ones). The
// harness drives `removes`, `erodes` and `changes`, the cells in which the board is another one.
module tetris_maker
  import tetris_pkg::board_t, tetris_pkg::height_t, tetris_lanes_pkg::placing_t;
#(
  parameter bit TakesEarly = 1'b0
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       valid_i,
  output logic       ready_o,
  input  board_t     board_i,
  input  placing_t   placing_i,
  input  height_t    row_i,
  output logic       valid_o,
  input  logic       ready_i,
  output board_t     board_o,
  output placing_t   placing_o,
  output height_t    row_o,
  output height_t    cleared_o,
  output logic [6:0] eroded_o
);

  height_t    removes;
  logic [6:0] erodes;
  board_t     changes;

  logic       busy_q, take;
  logic [4:0] left_q;  // cycles until the board is given
  assign valid_o = busy_q && left_q == '0;
  assign ready_o = !busy_q || (TakesEarly && valid_o && ready_i);
  assign take    = valid_i && ready_o;

  always_ff @(posedge clk_i) begin
    busy_q <= rst_ni && (take || (busy_q && !(valid_o && ready_i)));
    left_q <= take ? removes + 5'd2 : left_q - 5'(left_q != '0);
    if (take) begin
      board_o   <= board_i ^ changes;
      placing_o <= placing_i;
      row_o     <= row_i;
      cleared_o <= removes;
      eroded_o  <= erodes;
    end
  end

endmodule
