// Stands in for gomoku_lines in gomoku_board_proof. It reports a line in the cycle that the head of
// gomoku_lines names, with arbitrary values (`data`, which the harness drives). But a flag of the
// highest classes is set exactly if its count is not 0, and the key of the stone's point does not
// change: both are shown by gomoku_lines_proof.
module gomoku_lines
  import gomoku_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                lines_i,
  input  logic [7:1][4:0]     key_i,
  input  logic                clear_i,
  input  logic [5:0]          clear_addr_i,
  input  places_t             clear_on_i,
  input  logic                kill_i,
  input  logic                valid_i,
  input  logic                diagonal_i,
  input  coord_t              straight_addr_i,
  input  logic [4:0]          diagonal_addr_i,
  input  coord_t              place_i,
  input  logic                colour_i,
  input  op_e                 op_i,
  output logic                changed_o,
  output logic                write_o,
  output places_t             straight_o,
  output diagonals_t          diagonal_o,
  output key_change_t         key_change_o,
  output flags_t              flags_o,
  output line_count_t         count_o,
  output line_count_t         count_before_o,
  output highest_t            highest_o,
  output logic [1:0]          five_o,
  output logic                place_five_o,
  output logic                place_open4_o
);

  gomoku_board_pkg::line_data_t data;

  logic [5:0]       addr;  // of the line that it is given
  logic [4:1]       valid_q, write_q;
  logic [4:1][5:0]  addr_q;
  coord_t [4:1]     place_q;
  assign addr = diagonal_i ? {1'b1, diagonal_addr_i} : {2'b0, straight_addr_i};

  always_ff @(posedge clk_i) begin
    valid_q <= (!rst_ni || kill_i) ? '0 : {valid_q[3:1], valid_i};
    write_q <= {write_q[3:1], op_i == OpPut || op_i == OpTake};
    addr_q  <= {addr_q[3:1], addr};
    place_q <= {place_q[3:1], place_i};
  end

  always_comb begin
    for (int unsigned i = 0; i < Side; i++) begin
      straight_o[i]   = valid_q[4] && write_q[4] && addr_q[4] == 6'(i);
      key_change_o[i] = (place_q[4] == 4'(i)) ? '0 : data.key_change[i];
    end
    for (int unsigned i = 0; i < Diagonals; i++) begin
      diagonal_o[i] = valid_q[4] && write_q[4] && addr_q[4] == 6'(32 + i);
    end
    for (int unsigned c = 0; c < 2; c++) begin
      for (int unsigned k = 6; k < 8; k++) highest_o[c][k] = data.count[c][k] != '0;
    end
  end
  assign changed_o      = valid_q[4];
  assign write_o        = write_q[4];
  assign flags_o        = data.flags;
  assign count_o        = data.count;
  assign count_before_o = data.count_before;
  assign five_o         = data.five;
  assign place_five_o   = data.place_five;
  assign place_open4_o  = data.place_open4;

endmodule
