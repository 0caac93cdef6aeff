// The node of a Gomoku search whose children are tried, and the stack of its ancestors.
//
// Both profiles are one negamax: in `wujian`, too, values are for the side of the stone; a child
// has no lower bound except its own best value, so only its parent's bound ends it.
//
// Drive it, with at most one of these a cycle: `root_i` begins a search at the root; `push_i`
// enters the child after the stone `stone_i`; `pop_i` returns to the parent; `none_i` reports that
// the node has no candidate; `idle_i` comes before a root. `picked_i` counts a candidate, in any
// cycle without `root_i` and `pop_i`. For a stone, `enter_soon_i` is high in its cycle 5
// (gomoku_board), and `push_i` two cycles later. `kind_o` is the child's in cycle 6 of the stone;
// it is the node's from the third cycle at the node on, the root's from the first.
//
// The value of a child is compared in one cycle and kept in the next by `keep_i`, if it is better
// than the best: both in one cycle would be the longest path. It is the value of the node that is
// left with `pop_i`, of the stone with `ended_i` (in cycle 7), and otherwise of the leaf in cycle
// 9. `better_o`, `cuts_o` and `compared_o` belong to the cycle before. A child may be popped three
// cycles after it was pushed at the earliest, and its parent two cycles later.
module gomoku_node
  import gomoku_pkg::*;
(
  input  logic       clk_i,
  input  logic       lines_i,   // the profile
  input  weights_t   weights_i,
  input  ply_t       limit_i,   // depth asked for
  input  logic       idle_i,
  input  logic       root_i,
  input  logic       push_i,
  input  logic       pop_i,
  input  logic       none_i,
  input  logic       picked_i,
  input  point_t     stone_i,
  // A child's value
  input  count_t     counts_i,
  input  logic [1:0] five_i,
  input  logic [1:0] open4_i,
  input  logic       run_i,
  input  logic       enter_soon_i,   // it is the one after
  input  logic       five_soon_i,    // and what is known of the stone's colour then
  input  logic       open4_soon_i,
  input  logic       ended_i,
  input  logic       keep_i,
  output logic       ends_o,
  output logic       forces_o,  // a block below the leaf must be searched, a cycle later
  output value_t     compared_o,
  output logic       better_o,
  output logic       cuts_o,    // no further child is tried
  // The node
  output ply_t       ply_o,
  output logic       at_root_o,
  output logic       horizon_o,  // its children have no depth left
  output kind_t      kind_o,
  output logic [7:0] left_o,    // candidates that may still be picked
  output point_t     stone_o,   // the one that led here
  // What else is on the stack: of a node that is pushed, and of its parent
  input  picks_t     picks_i,
  output picks_t     below_o
);

  typedef struct packed {
    value_t     best;
    value_t     alpha;
    value_t     under_beta;  // beta - 1: of a child it is ~alpha, and its alpha ~under_beta
    logic [7:0] left;
    kind_t      kind;
    point_t     stone;
  } frame_t;

  typedef struct packed {
    frame_t frame;
    logic   next_valid;
    point_t next;
  } entry_t;

  ply_t   ply_q, ply_d;
  ply_t   below_addr_q, second_addr_q;  // of the one below, and of the one below that
  logic   at_root_q, at_root_d;
  logic   horizon_q, horizon_d;
  logic   last_q, last_but_one_q;  // of the plies above the horizon, in time
  frame_t frame_q, frame_d;
  value_t compared_q, compared_d;
  logic   better_q, raises_q, cuts_q;

  // Block RAM for the maps alone: it takes a cycle more, which only they have. The rest in it would
  // need four more.
  (* ram_style = "distributed" *)
  entry_t stack_q [32];
  entry_t below_q;  // its uppermost one, from the second cycle at a node on
  (* ram_style = "block", no_rw_check *)  // what is pushed is never read in the same cycle
  map_t picked_mem [32];
  map_t read_q, picked_q;

  // What a stone or leaf comes to: gomoku_value says when
  value_t ends, ended_q, leaf;
  logic   block, open, leaf_extends, extends_q;

  gomoku_value u_value (
    .clk_i,
    .lines_i,
    .extend_i     (weights_i.extend),
    .attack_i     (weights_i.attack),
    .defend_i     (weights_i.defend),
    .ply_i        (ply_q),
    .counts_i,
    .five_i,
    .open4_i,
    .run_i,
    .ends_o,
    .ends_value_o (ends),
    .block_o      (block),
    .open4_o      (open),
    .value_o      (leaf),
    .extends_o    (leaf_extends)
  );

  logic unused_weights;
  assign unused_weights = ^{weights_i.key, weights_i.lines};

  // The candidates of a node that is entered: a block, if the side that is not to move has a FIVE,
  // or an answer to its OPEN4; a FIVE is a FOUR and more. At a root that wins at once: the points
  // that are looked at. They are chosen all over the board, so this comes from a register.
  kind_t      kind_q, kind_new;
  logic [7:0] left_new;
  always_comb begin
    kind_new = '{five: block, four: open};
    if (root_i) kind_new = '{five: five_i != '0, four: open4_i != '0};
    left_new = (lines_i && weights_i.width != '0) ? weights_i.width : '1;
    if (kind_new.five) left_new = 8'd1;
  end

  logic [7:0] left;
  assign left = picked_i ? frame_q.left - 1'b1 : frame_q.left;

  always_comb begin
    ply_d        = ply_q;
    at_root_d    = at_root_q;
    horizon_d    = horizon_q;
    frame_d      = frame_q;
    frame_d.left = left;
    if (keep_i && better_q) frame_d.best  = compared_q;
    if (keep_i && raises_q) frame_d.alpha = compared_q;
    if (none_i) frame_d.best = '0;
    if (idle_i) begin
      ply_d     = '0;
      at_root_d = 1'b1;
    end
    if (root_i) begin
      horizon_d = limit_i == ply_t'(1);
      frame_d   = '{best: -Infinity, alpha: -Infinity, under_beta: Infinity - value_t'(1),
                    left: left_new, kind: kind_new, stone: '0};
    end
    if (push_i) begin
      ply_d     = ply_q + 1'b1;
      at_root_d = 1'b0;
      horizon_d = horizon_q || last_but_one_q;
      frame_d   = '{best: -Infinity, alpha: lines_i ? ~frame_q.under_beta : -Infinity,
                    under_beta: ~frame_q.alpha, left: left_new, kind: kind_new, stone: stone_i};
    end
    if (pop_i) begin
      ply_d     = ply_q - 1'b1;
      at_root_d = ply_q == ply_t'(1);
      horizon_d = horizon_q && !last_q;
      frame_d   = below_q.frame;
    end
  end

  // When a child is popped, its value is compared with the best, alpha and beta of the parent.
  value_t best, alpha, under_beta, told;
  assign best       = pop_i ? below_q.frame.best       : frame_q.best;
  assign alpha      = pop_i ? below_q.frame.alpha      : frame_q.alpha;
  assign under_beta = pop_i ? below_q.frame.under_beta : frame_q.under_beta;
  assign told       = ended_i ? ended_q : leaf;
  assign compared_d = pop_i ? -frame_q.best : told;

  // A bound is less than the value, whose opposite is ~opposite + 1 unless a child is popped: so
  // that a child's value need not be negated first
  value_t opposite;
  assign opposite = pop_i ? frame_q.best : ~told;

  function automatic logic is_less(value_t bound, value_t minus, logic plus_1);
    return 30'(signed'({bound, 1'b1})) + 30'(signed'({minus, plus_1})) < 30'sd0;
  endfunction

  always_ff @(posedge clk_i) begin
    ply_q      <= ply_d;
    below_addr_q  <= ply_d - ply_t'(1);
    second_addr_q <= ply_d - ply_t'(2);
    at_root_q  <= at_root_d;
    horizon_q  <= horizon_d;
    last_q         <= limit_i == ply_q + 1'b1;
    last_but_one_q <= limit_i == ply_q + ply_t'(2);
    frame_q    <= frame_d;
    kind_q     <= enter_soon_i ? '{five: five_soon_i, four: open4_soon_i}
                  : root_i ? kind_new : frame_q.kind;
    ended_q    <= ends;
    extends_q  <= leaf_extends;
    compared_q <= compared_d;
    better_q   <= is_less(best, opposite, !pop_i);
    raises_q   <= is_less(alpha, opposite, !pop_i);
    cuts_q     <= is_less(under_beta, opposite, !pop_i);
  end

  frame_t pushed;
  always_comb begin
    pushed      = frame_q;
    pushed.left = left;
  end

  always_ff @(posedge clk_i) begin
    if (push_i) begin
      stack_q[ply_q] <= '{frame: pushed, next_valid: picks_i.next_valid, next: picks_i.next};
    end
    below_q <= stack_q[below_addr_q];
  end

  always_ff @(posedge clk_i) begin
    if (push_i) picked_mem[ply_q] <= picks_i.picked;
    read_q   <= picked_mem[pop_i ? second_addr_q : below_addr_q];
    picked_q <= read_q;
  end

  assign compared_o = compared_q;
  assign better_o   = better_q;
  assign cuts_o     = cuts_q;
  assign ply_o      = ply_q;
  assign at_root_o  = at_root_q;
  assign horizon_o  = horizon_q;
  assign kind_o     = kind_q;
  assign forces_o   = extends_q;
  assign left_o     = frame_q.left;
  assign stone_o    = frame_q.stone;
  assign below_o    = '{picked: picked_q, next_valid: below_q.next_valid, next: below_q.next};

`ifndef SYNTHESIS
  // The map of the one below has been read.
  Popped_A: assert property (@(posedge clk_i)
    pop_i |-> !$past(push_i) && !$past(push_i, 2) && !$past(pop_i));
`endif

endmodule
