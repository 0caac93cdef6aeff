// Lists the candidates of a piece: rotations ascending, in each the columns ascending.
//
// A pulse on start_i takes piece_i (held stable until the last candidate is gone) and the first
// candidate is offered in the next cycle, then one a cycle. start_i is ignored while candidates
// are left. piece_i must be one of the seven. count_o is the number of candidates once the last
// one is gone, and 0 from start_i until then.
module tetris_enum
  import tetris_pkg::Columns, tetris_pkg::Shapes, tetris_pkg::candidate_t, tetris_pkg::number_t,
         tetris_pkg::piece_t, tetris_pkg::rotation_t;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       start_i,
  input  piece_t     piece_i,
  output logic       candidate_valid_o,
  input  logic       candidate_ready_i,
  output candidate_t candidate_o,
  output logic       last_o,       // the candidate is the piece's last one
  output number_t    count_o
);

  logic       active_q, active_d;
  candidate_t candidate_q, candidate_d;
  number_t    count_q, count_d;

  rotation_t next_rotation;
  logic      last_column, last_rotation;

  assign next_rotation = candidate_q.rotation + 2'd1;
  // A piece of width w fits in columns 0 .. Columns - w.
  assign last_column   = candidate_q.column ==
                         4'(Columns) - 4'(Shapes[{piece_i, candidate_q.rotation}].width);
  assign last_rotation = candidate_q.rotation == 2'd3 || !Shapes[{piece_i, next_rotation}].used;

  always_comb begin
    active_d    = active_q;
    candidate_d = candidate_q;
    count_d     = count_q;

    if (!active_q && start_i) begin
      active_d    = 1'b1;
      candidate_d = '0;
      count_d     = '0;
    end else if (active_q && candidate_ready_i) begin
      candidate_d.number = candidate_q.number + 6'd1;
      candidate_d.column = candidate_q.column + 4'd1;
      if (last_column) begin
        candidate_d.column   = '0;
        candidate_d.rotation = next_rotation;
      end
      if (last_column && last_rotation) begin
        active_d = 1'b0;
        count_d  = candidate_q.number + 6'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q    <= 1'b0;
      candidate_q <= '0;
      count_q     <= '0;
    end else begin
      active_q    <= active_d;
      candidate_q <= candidate_d;
      count_q     <= count_d;
    end
  end

  assign candidate_valid_o = active_q;
  assign candidate_o       = candidate_q;
  assign last_o            = last_column && last_rotation;
  assign count_o           = count_q;

`ifndef SYNTHESIS
  CandidateHeld_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    candidate_valid_o && !candidate_ready_i |=> candidate_valid_o && $stable(candidate_o));
  InTheBoard_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    candidate_valid_o |-> Shapes[{piece_i, candidate_q.rotation}].used &&
    32'(candidate_q.column) + 32'(Shapes[{piece_i, candidate_q.rotation}].width) <= Columns);
`endif

endmodule
