// A queue of the landings that lanes mark. Up to Lanes come in at a time; they leave one by one,
// those that came together by their lanes' numbers.
//
// Drive it: `marked_i` in a cycle brings in the marked lanes' landings, with the slot of their
// board. It never holds back: the module that uses it counts what is in it. `left_o` is high when
// the last of those that came together leaves.
//
// Latency: in an empty queue a landing is offered one cycle after it came in.
module tetris_landing_queue
  import tetris_pkg::height_t, tetris_pkg::piece_t, tetris_pkg::rotation_t;
  import tetris_lanes_pkg::landing_t, tetris_lanes_pkg::placing_t, tetris_lanes_pkg::slot_t;
#(
  parameter int unsigned Lanes = 4,
  parameter int unsigned Depth = 32  // of landings that come together; a power of 2
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [Lanes-1:0]     marked_i,
  input  landing_t [Lanes-1:0] landing_i,  // of one piece
  input  slot_t                slot_i,
  output logic                 valid_o,
  input  logic                 ready_i,
  output placing_t             placing_o,
  output height_t              row_o,
  output slot_t                slot_o,
  output logic                 left_o
);

  localparam int unsigned PtrWidth = $clog2(Depth);

  typedef struct packed {
    height_t    row;
    rotation_t  rotation;
    logic [3:0] column;
  } place_t;

  typedef struct packed {
    slot_t              slot;
    piece_t             piece;
    logic [Lanes-1:0]   marked;
    place_t [Lanes-1:0] places;
  } entry_t;

  entry_t entry, head_q;
  always_comb begin
    entry.slot   = slot_i;
    entry.piece  = landing_i[0].placing.piece;
    entry.marked = marked_i;
    for (int unsigned l = 0; l < Lanes; l++) begin
      entry.places[l] = '{row: landing_i[l].row, rotation: landing_i[l].placing.rotation,
                          column: landing_i[l].placing.column};
    end
  end

  entry_t              memory_q [Depth];
  logic [PtrWidth-1:0] read_q, write_q;
  logic [PtrWidth:0]   held_q, held_d;
  logic                push, load, empty;
  entry_t              head_d;
  logic [Lanes-1:0]    first_q, rest;  // of the marked: the first one, the others

  assign push    = marked_i != '0;
  assign empty   = held_q == '0;
  assign valid_o = head_q.marked != '0;
  assign rest    = head_q.marked & ~(ready_i ? first_q : '0);
  assign load    = rest == '0 && (push || !empty);
  assign left_o  = valid_o && rest == '0;

  always_comb begin
    held_d = held_q;
    if (push && !(load && empty)) held_d = held_d + 1'b1;
    if (load && !empty) held_d = held_d - 1'b1;
  end

  always_comb begin
    head_d        = head_q;
    head_d.marked = rest;
    // In an empty queue an entry passes the memory by.
    if (load) head_d = empty ? entry : memory_q[read_q];
  end

  always_ff @(posedge clk_i) if (push) memory_q[write_q] <= entry;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q        <= '0;
      write_q       <= '0;
      held_q        <= '0;
      head_q.marked <= '0;
    end else begin
      held_q <= held_d;
      if (push) write_q <= write_q + 1'b1;
      if (load) read_q <= read_q + 1'b1;
      head_q  <= head_d;
      first_q <= head_d.marked & (~head_d.marked + 1'b1);
    end
  end

  always_comb begin
    automatic place_t place = '0;
    for (int unsigned l = 0; l < Lanes; l++) place |= head_q.places[l] & {$bits(place_t){first_q[l]}};
    placing_o = '{piece: head_q.piece, rotation: place.rotation, column: place.column};
    row_o     = place.row;
    slot_o    = head_q.slot;
  end

`ifndef SYNTHESIS
  Fits_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    held_q <= (PtrWidth+1)'(Depth));
  Full_C: cover property (@(posedge clk_i) disable iff (!rst_ni) held_q > (PtrWidth+1)'(4));
`endif

endmodule
