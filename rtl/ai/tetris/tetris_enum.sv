// Lists the candidates of a piece: rotations ascending, in each the columns ascending.
//
// A pulse on start_i takes piece_i (held stable until the last candidate is gone) and the first
// candidate is offered in the next cycle, then one a cycle. start_i is ignored while candidates
// are left. piece_i must be one of the seven.
module tetris_enum
  import tetris_pkg::Columns, tetris_pkg::Shapes, tetris_pkg::candidate_t, tetris_pkg::piece_t,
         tetris_pkg::rotation_t;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       start_i,
  input  piece_t     piece_i,
  output logic       candidate_valid_o,
  input  logic       candidate_ready_i,
  output candidate_t candidate_o
);

  // A piece of width w fits in columns 0 .. Columns - w.
  logic [3:0] column_limit;
  assign column_limit = (fault_pkg::Fault == fault_pkg::FaultLastColumnSkipped) ? 4'(Columns - 1)
                                                                                : 4'(Columns);

  logic       active_q, active_d;
  rotation_t  rotation_q, rotation_d;
  logic [3:0] column_q, column_d;

  rotation_t next_rotation;
  logic      last_column, last_rotation;

  assign next_rotation = rotation_q + 2'd1;
  assign last_column   = column_q == column_limit - 4'(Shapes[{piece_i, rotation_q}].width);
  assign last_rotation = rotation_q == 2'd3 || !Shapes[{piece_i, next_rotation}].used;

  always_comb begin
    active_d   = active_q;
    rotation_d = rotation_q;
    column_d   = column_q;

    if (!active_q) begin
      active_d   = start_i;
      rotation_d = '0;
      column_d   = '0;
    end else if (candidate_ready_i) begin
      active_d = !(last_column && last_rotation);
      column_d = column_q + 4'd1;
      if (last_column) begin
        column_d   = '0;
        rotation_d = next_rotation;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_q   <= 1'b0;
      rotation_q <= '0;
      column_q   <= '0;
    end else begin
      active_q   <= active_d;
      rotation_q <= rotation_d;
      column_q   <= column_d;
    end
  end

  assign candidate_valid_o = active_q;
  assign candidate_o       = '{rotation: rotation_q, column: column_q,
                               last: last_column && last_rotation};

endmodule
