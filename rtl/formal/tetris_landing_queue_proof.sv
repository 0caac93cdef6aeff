// tetris_landing_queue: every landing that is marked leaves, once and with its own piece, place and
// slot; simultaneous ones in the order of their lanes, after all that came before. left_o
// is high exactly with the last one of those that came together. Something is offered whenever
// something is inside.
//
// What comes together is a group here. The tag is one group of any number: what holds for it holds
// for every one. As many groups as Depth are inside at most, one that leaves in this cycle among
// them: the modules that use the queue count them.
module tetris_landing_queue_proof
  import tetris_lanes_pkg::landing_t, tetris_lanes_pkg::placing_t, tetris_lanes_pkg::slot_t;
#(
  parameter int unsigned Lanes = 4,
  parameter int unsigned Depth = 8  // of the core's 16 to 64 only to keep the proof short
) (
  input logic                 clk_i,
  input logic [Lanes-1:0]     marked_i,
  input landing_t [Lanes-1:0] landing_i,
  input slot_t                slot_i,
  input logic                 ready_i,
  input logic                 tag_i      // the group that comes in this cycle is to be watched
);

  logic rst_n = 1'b0;
  always_ff @(posedge clk_i) rst_n <= 1'b1;

  logic       valid, left;
  placing_t   placing;
  logic [4:0] row;
  slot_t      slot;

  tetris_landing_queue #(
    .Lanes (Lanes),
    .Depth (Depth)
  ) u_dut (
    .clk_i,
    .rst_ni    (rst_n),
    .marked_i,
    .landing_i,
    .slot_i,
    .valid_o   (valid),
    .ready_i,
    .placing_o (placing),
    .row_o     (row),
    .slot_o    (slot),
    .left_o    (left)
  );

  logic                 in;
  logic [7:0]           inside_q;   // groups inside
  logic                 tagged_q;
  logic [7:0]           before_q;   // groups that leave before the tagged one
  logic [Lanes-1:0]     rest_q;     // lanes of the tagged one whose landings are inside
  landing_t [Lanes-1:0] landing_q;
  slot_t                slot_q;

  // The lowest of the lanes whose landings are inside, and the others
  logic [Lanes-1:0] first, others;
  landing_t         next;
  always_comb begin
    first = '0;
    next  = '0;
    for (int l = int'(Lanes) - 1; l >= 0; l--) begin
      if (rest_q[l]) begin
        first    = '0;
        first[l] = 1'b1;
        next     = landing_q[l];
      end
    end
    others = rest_q & ~first;
  end

  logic one_piece;
  always_comb begin
    one_piece = 1'b1;
    for (int unsigned l = 1; l < Lanes; l++) begin
      if (landing_i[l].placing.piece != landing_i[0].placing.piece) one_piece = 1'b0;
    end
  end

  logic at_head;
  assign in      = marked_i != '0;
  assign at_head = tagged_q && before_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      inside_q <= '0;
      tagged_q <= 1'b0;
    end else begin
      inside_q <= inside_q + 8'(in) - 8'(left);
      if (in && tag_i && !tagged_q) begin
        tagged_q  <= 1'b1;
        before_q  <= inside_q - 8'(left);
        rest_q    <= marked_i;
        landing_q <= landing_i;
        slot_q    <= slot_i;
      end else if (at_head && ready_i) begin
        tagged_q <= others != '0;
        rest_q   <= others;
      end else if (tagged_q && left) begin
        before_q <= before_q - 8'd1;
      end
    end
  end

  // ------------------------------------------------------------------------ how the queue keeps it
  localparam int unsigned PtrWidth = $clog2(Depth);

  logic [PtrWidth-1:0] tag_at;
  logic                marked_ok, places_ok, pieces_ok;
  assign tag_at = u_dut.read_q + PtrWidth'(before_q) - 1'b1;

  always_comb begin
    // A group that waits has a landing.
    marked_ok = 1'b1;
    for (int unsigned i = 0; i < Depth; i++) begin
      if (8'(i) < 8'(u_dut.held_q) && u_dut.memory_q[u_dut.read_q+PtrWidth'(i)].marked == '0) begin
        marked_ok = 1'b0;
      end
    end
    // The tagged group is in the head, or in the memory.
    places_ok = 1'b1;
    pieces_ok = 1'b1;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (landing_q[l].placing.piece != landing_q[0].placing.piece) pieces_ok = 1'b0;
      if (rest_q[l] && {landing_q[l].row, landing_q[l].placing.rotation,
                        landing_q[l].placing.column} !=
          (before_q == '0 ? u_dut.head_q.places[l] : u_dut.memory_q[tag_at].places[l])) begin
        places_ok = 1'b0;
      end
    end
  end

  always_comb begin
    Piece_M: assume (one_piece);
    Room_M:  assume (!in || inside_q < 8'(Depth));
    if (rst_n) begin
      Valid_A:  assert (valid == (inside_q != '0));
      Tagged_A: assert (!at_head || {placing, row, slot} == {next.placing, next.row, slot_q});
      Left_A:   assert (!at_head || left == (ready_i && others == '0));
      Taken_A:  assert (!left || (valid && ready_i));
      Before_A: assert (!tagged_q || (before_q < inside_q && rest_q != '0));
      // How the queue keeps all this
      Held_A:   assert (inside_q <= 8'(Depth) &&
                        8'(u_dut.held_q) + 8'(valid) == inside_q &&
                        u_dut.write_q == u_dut.read_q + PtrWidth'(u_dut.held_q));
      First_A:  assert (!valid || u_dut.first_q ==
                        (u_dut.head_q.marked & (~u_dut.head_q.marked + 1'b1)));
      Marked_A: assert (marked_ok);
      Head_A:   assert (!at_head || {u_dut.head_q.slot, u_dut.head_q.piece, u_dut.head_q.marked} ==
                        {slot_q, landing_q[0].placing.piece, rest_q});
      Entry_A:  assert (!tagged_q || before_q == '0 ||
                        {u_dut.memory_q[tag_at].slot, u_dut.memory_q[tag_at].piece,
                         u_dut.memory_q[tag_at].marked} ==
                        {slot_q, landing_q[0].placing.piece, rest_q});
      Places_A: assert (!tagged_q || places_ok);
      Pieces_A: assert (!tagged_q || pieces_ok);
    end
    Full_C:   cover (rst_n && inside_q == 8'(Depth) && at_head && rest_q == '1);
    Second_C: cover (rst_n && tagged_q && before_q == 8'd2 && rest_q[1:0] == 2'b10);
  end

endmodule
