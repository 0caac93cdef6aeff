// The node of a Gomoku search whose children are tried, and the stack of those before it.
//
// Both profiles are one negamax: in `wujian` values are those of the side of the stone too, and a
// child has no lower bound but its own best, so that its parent's bound alone ends it.
//
// Drive it, with at most one of these a cycle: `root_i` begins a search with the root; `push_i`
// makes the child behind the stone `stone_i` the node, `pop_i` its parent; `none_i` says that it has
// no candidate, `idle_i` that there is no node. `kind_i` and `left_i` are those of a new node.
// `picked_i` counts a candidate, in any cycle but that of `root_i`.
//
// The value of a child is compared in a cycle and kept in the next one by `keep_i`, if it is better
// than the best: in one cycle it would be the longest path. With `pop_i` it is the value of the node
// that is left, otherwise `value_i`. `better_o`, `cuts_o` and `compared_o` are those of the last
// cycle. A child may be popped two cycles after it was pushed, and its parent two cycles later.
module gomoku_node
  import gomoku_pkg::*;
(
  input  logic       clk_i,
  input  logic       lines_i,   // the profile
  input  ply_t       limit_i,   // depth asked for
  input  logic       idle_i,
  input  logic       root_i,
  input  logic       push_i,
  input  logic       pop_i,
  input  logic       none_i,
  input  logic       picked_i,
  input  kind_e      kind_i,
  input  logic [7:0] left_i,
  input  point_t     stone_i,
  // A child's value
  input  value_t     value_i,
  input  logic       keep_i,
  output value_t     compared_o,
  output logic       better_o,
  output logic       cuts_o,    // no further child is tried
  // The node
  output ply_t       ply_o,
  output logic       at_root_o,
  output logic       horizon_o,  // its children have no depth left
  output kind_e      kind_o,
  output logic [7:0] left_o,    // candidates that may still be picked
  output point_t     stone_o,   // the one that led here
  // What else is on the stack: of a node that is pushed, and of its parent
  input  picks_t     picks_i,
  output picks_t     below_o
);

  typedef struct packed {
    value_t     best;
    value_t     alpha;
    value_t     beta;
    logic [7:0] left;
    kind_e      kind;
    point_t     stone;
  } frame_t;

  typedef struct packed {
    frame_t frame;
    picks_t picks;
  } entry_t;

  ply_t   ply_q, ply_d;
  logic   at_root_q, at_root_d;
  logic   horizon_q, horizon_d;
  logic   last_q, last_but_one_q;  // of the plies above the horizon, in time
  frame_t frame_q, frame_d;
  value_t compared_q, compared_d;
  logic   better_q, raises_q, cuts_q;

  // LUT RAM: block RAM would need ten.
  (* ram_style = "distributed" *)
  entry_t stack_q [32];
  entry_t below_q;  // its uppermost one, from the second cycle at a node on

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
      ply_d        = '0;
      at_root_d    = 1'b1;
      frame_d.kind = KindNone;
    end
    if (root_i) begin
      horizon_d = limit_i == ply_t'(1);
      frame_d   = '{best: -Infinity, alpha: -Infinity, beta: Infinity, left: left_i,
                    kind: kind_i, stone: '0};
    end
    if (push_i) begin
      ply_d     = ply_q + 1'b1;
      at_root_d = 1'b0;
      horizon_d = horizon_q || last_but_one_q;
      frame_d   = '{best: -Infinity, alpha: lines_i ? -frame_q.beta : -Infinity,
                    beta: -frame_q.alpha, left: left_i, kind: kind_i, stone: stone_i};
    end
    if (pop_i) begin
      ply_d     = ply_q - 1'b1;
      at_root_d = ply_q == ply_t'(1);
      horizon_d = horizon_q && !last_q;
      frame_d   = below_q.frame;
    end
  end

  // What a value is compared with is the parent's when its child is popped.
  value_t best, alpha, beta;
  assign best       = pop_i ? below_q.frame.best  : frame_q.best;
  assign alpha      = pop_i ? below_q.frame.alpha : frame_q.alpha;
  assign beta       = pop_i ? below_q.frame.beta  : frame_q.beta;
  assign compared_d = pop_i ? -frame_q.best : value_i;

  always_ff @(posedge clk_i) begin
    ply_q      <= ply_d;
    at_root_q  <= at_root_d;
    horizon_q  <= horizon_d;
    last_q         <= limit_i == ply_q + 1'b1;
    last_but_one_q <= limit_i == ply_q + ply_t'(2);
    frame_q    <= frame_d;
    compared_q <= compared_d;
    better_q   <= less(best, compared_d);
    raises_q   <= less(alpha, compared_d);
    cuts_q     <= !less(compared_d, beta);
  end

  frame_t pushed;
  always_comb begin
    pushed      = frame_q;
    pushed.left = left;
  end

  always_ff @(posedge clk_i) begin
    if (push_i) stack_q[ply_q] <= '{frame: pushed, picks: picks_i};
    below_q <= stack_q[ply_q - 1'b1];
  end

  assign compared_o = compared_q;
  assign better_o   = better_q;
  assign cuts_o     = cuts_q;
  assign ply_o      = ply_q;
  assign at_root_o  = at_root_q;
  assign horizon_o  = horizon_q;
  assign kind_o     = frame_q.kind;
  assign left_o     = frame_q.left;
  assign stone_o    = frame_q.stone;
  assign below_o    = below_q.picks;

endmodule
