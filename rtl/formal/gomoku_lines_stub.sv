// Stands in for gomoku_lines in gomoku_board_proof: says which line has changed, and anything
// about it (`data`, which the harness drives).
module gomoku_lines
  import gomoku_pkg::*;
(
  input  logic            clk_i,
  input  logic            rst_ni,
  input  logic            lines_i,
  input  logic [7:1][4:0] key_i,
  input  logic            clear_i,
  input  logic [5:0]      clear_addr_i,
  input  places_t         clear_on_i,
  input  logic            kill_i,
  input  logic            valid_i,
  input  logic            diagonal_i,
  input  coord_t          straight_addr_i,
  input  logic [4:0]      diagonal_addr_i,
  input  coord_t          place_i,
  input  logic            colour_i,
  input  op_e             op_i,
  output logic            changed_o,
  output logic            write_o,
  output places_t         straight_o,
  output diagonals_t      diagonal_o,
  output key_change_t     key_change_o,
  output flags_t          flags_o,
  output line_count_t     count_o,
  output line_count_t     count_before_o,
  output highest_t        highest_o,
  output logic [1:0]      five_o,
  output logic            place_five_o,
  output logic            place_open4_o
);

  gomoku_lines_pkg::data_t data;

  logic [4:1]      valid_q, write_q, diagonal_q;
  logic [4:1][4:0] line_q;
  always_ff @(posedge clk_i) begin
    valid_q    <= (!rst_ni || kill_i) ? '0 : {valid_q[3:1], valid_i};
    write_q    <= {write_q[3:1], op_i inside {OpPut, OpTake}};
    diagonal_q <= {diagonal_q[3:1], diagonal_i};
    line_q     <= {line_q[3:1], diagonal_i ? diagonal_addr_i : 5'(straight_addr_i)};
  end

  always_comb begin
    changed_o  = valid_q[4];
    write_o    = write_q[4];
    straight_o = '0;
    diagonal_o = '0;
    if (valid_q[4] && write_q[4]) begin
      for (int unsigned i = 0; i < Side; i++) begin
        if (!diagonal_q[4] && line_q[4] == 5'(i)) straight_o[i] = 1'b1;
      end
      for (int unsigned i = 0; i < Diagonals; i++) begin
        if (diagonal_q[4] && line_q[4] == 5'(i)) diagonal_o[i] = 1'b1;
      end
    end
  end

  assign key_change_o   = data.key_change;
  assign flags_o        = data.flags;
  assign count_o        = data.count;
  assign count_before_o = data.count_before;
  assign highest_o      = data.highest;
  assign five_o         = data.five;
  assign place_five_o   = data.place_five;
  assign place_open4_o  = data.place_open4;

endmodule
