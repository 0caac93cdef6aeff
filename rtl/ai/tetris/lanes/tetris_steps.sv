// Gives the placements of a piece to the lanes, one to each in a cycle.
//
// Drive it: with `start_i`, while `free_o` is high, the placements of `piece_i` are given from the
// next cycle on. `end_o` is high with the last ones.
//
// A step holds placements of one rotation in neighbouring columns. Where rotations 1 and 3 each
// leave column 8 for a step of its own, both go into one: lane 1 takes that of rotation 3.
module tetris_steps
  import tetris_pkg::Columns, tetris_pkg::Shapes, tetris_pkg::piece_t, tetris_pkg::rotation_t;
  import tetris_lanes_pkg::placing_t;
#(
  parameter int unsigned Lanes = 4
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 start_i,
  input  piece_t               piece_i,
  output logic                 free_o,
  output logic                 end_o,
  output logic [Lanes-1:0]     used_o,    // lanes with a placement
  output placing_t [Lanes-1:0] placing_o
);

  localparam int unsigned StepWidth = Lanes >= 8 ? 3 : Lanes >= 4 ? 4 : Lanes >= 2 ? 5 : 6;
  typedef logic [StepWidth-1:0] number_t;

  typedef struct packed {
    logic [Lanes-1:0]      used;
    rotation_t [Lanes-1:0] rotation;
    logic [3:0]            column;  // of lane 0; lane l's is l columns further on
    logic                  last;
  } step_t;

  typedef step_t [2**(3+StepWidth)-1:0] steps_t;  // index {piece, step}

  function automatic steps_t steps();
    steps = '0;
    for (int unsigned p = 0; p < 7; p++) begin
      automatic int unsigned number = 0;
      for (int unsigned r = 0; r < 4; r++) begin
        automatic int unsigned width = 32'(Shapes[p*4+r].width);
        for (int unsigned c = 0; Shapes[p*4+r].used && c + width <= Columns; c += Lanes) begin
          automatic step_t step = '0;
          automatic int unsigned partner = (r + 2) % 4;
          automatic logic one = Lanes >= 4 && c + width == Columns && c == 8;
          automatic logic two = one && Shapes[p*4+partner].used
                                && 32'(Shapes[p*4+partner].width) == width;
          step.column = 4'(c);
          for (int unsigned l = 0; l < Lanes; l++) begin
            step.used[l]     = c + l + width <= Columns;
            step.rotation[l] = rotation_t'(r);
          end
          if (two) begin
            step.used[1%Lanes]     = 1'b1;
            step.rotation[1%Lanes] = rotation_t'(partner);
          end
          if (!(two && r >= 2)) begin
            steps[p*2**StepWidth+number] = step;
            number++;
          end
        end
      end
      steps[p*2**StepWidth+number-1].last = 1'b1;
    end
  endfunction

  localparam steps_t Steps = steps();

  logic    busy_q;
  piece_t  piece_q;
  number_t number_q;
  step_t   step, step_q;

  assign free_o = !busy_q || step_q.last;
  assign step   = start_i ? Steps[{piece_i, number_t'(0)}] : Steps[{piece_q, number_q}];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else busy_q <= start_i || !free_o;
  end

  // These mean something while it is busy.
  always_ff @(posedge clk_i) begin
    step_q   <= step;
    number_q <= start_i ? number_t'(1) : number_q + number_t'(1);
    if (start_i) piece_q <= piece_i;
  end

  assign end_o   = busy_q && step_q.last;
  assign used_o  = step_q.used & {Lanes{busy_q}};

  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      placing_o[l].piece    = piece_q;
      placing_o[l].rotation = step_q.rotation[l];
      placing_o[l].column   = step_q.column + 4'(l);
    end
    // The second one in a step of two rotations
    if (Lanes >= 4 && step_q.column == 4'd8 && step_q.rotation[1%Lanes] != step_q.rotation[0]) begin
      placing_o[1%Lanes].column = 4'd8;
    end
  end

`ifndef SYNTHESIS
  StartsWhenFree_A: assert property (@(posedge clk_i) disable iff (!rst_ni) start_i |-> free_o);
`endif

endmodule
