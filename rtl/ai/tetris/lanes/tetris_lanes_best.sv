// Selects the best placement of each board and piece, by the scores of the lanes and of the boards
// whose full rows were removed.
//
// Boards leave in the order in which they came. Drive it: with `step_i`, the scores of the placements
// that went into the lanes together; `end_i` with a board's last ones. `removed_i` brings the score
// of a board after removal; these come in the order in which the lanes gave their placements, and
// wait until all else of their board has been scored (with `alone_i` they need not). Nothing is
// held back: `best_valid_o` is high for a cycle.
//
// The best has the highest score, and of equals the lowest {rotation, column}. Without a legal
// placement all of it is 0.
//
// Latency: with Lanes = 2 ** n, n + 3 cycles after a board's last step, or 2 after its last
// removed_i.
module tetris_lanes_best
  import tetris_pkg::ScoreWidth, tetris_pkg::height_t;
  import tetris_lanes_pkg::*;
#(
  parameter int unsigned Lanes = 4  // a power of 2
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic                                     alone_i,  // one board at a time
  input  logic                                     step_i,
  input  logic                                     end_i,
  input  logic [Lanes-1:0]                         used_i,
  input  landing_t [Lanes-1:0]                     landing_i,
  input  logic [Lanes-1:0][ScoreWidth-1:0]         score_i,
  input  logic                                     removed_i,
  input  best_t                                    removed_best_i,
  output logic                                     best_valid_o,
  output best_t                                    best_o
);

  localparam int unsigned Levels = $clog2(Lanes);

  typedef logic [5:0] count_t;  // of the placements of a piece

  // Some lanes' best, and how many of them remove rows
  typedef struct packed {
    best_t  best;
    count_t removals;
  } group_t;

  // Signed, but as a comparison of unsigned numbers: then its result is the carry alone.
  function automatic logic precedes(logic a_legal, rank_t a, logic b_legal, rank_t b);
    a[$bits(rank_t)-1] ^= 1'b1;
    b[$bits(rank_t)-1] ^= 1'b1;
    return a_legal && (!b_legal || a > b);
  endfunction

  // ------------------------------------------------- lanes in pairs, pairs of pairs, ...
  group_t each [Lanes];
  group_t together;  // of a step
  logic   step, last;

  always_comb begin
    for (int unsigned l = 0; l < Lanes; l++) begin
      each[l] = '{
        best: '{
          legal:        used_i[l] && landing_i[l].legal && !landing_i[l].removes,
          rank:         '{score:        score_i[l],
                          not_rotation: ~landing_i[l].placing.rotation,
                          not_column:   ~landing_i[l].placing.column},
          row:          landing_i[l].row,
          rows_cleared: '0
        },
        removals: count_t'(used_i[l] && landing_i[l].removes)
      };
    end
  end

  for (genvar k = 0; k < Levels; k++) begin : gen_level
    localparam int unsigned Pairs = Lanes >> (k + 1);
    group_t groups [2*Pairs];
    group_t groups_q [Pairs];
    logic   given, given_q, ends, ends_q;
    if (k == 0) begin : gen_first
      assign groups = each;
      assign given  = step_i;
      assign ends   = end_i;
    end else begin : gen_next
      assign groups = gen_level[k-1].groups_q;
      assign given  = gen_level[k-1].given_q;
      assign ends   = gen_level[k-1].ends_q;
    end
    always_ff @(posedge clk_i) begin
      given_q <= rst_ni && given;
      ends_q  <= ends;
      for (int unsigned i = 0; i < Pairs; i++) begin
        groups_q[i].best     <= precedes(groups[2*i+1].best.legal, groups[2*i+1].best.rank,
                                       groups[2*i].best.legal, groups[2*i].best.rank)
                              ? groups[2*i+1].best : groups[2*i].best;
        groups_q[i].removals <= groups[2*i].removals + groups[2*i+1].removals;
      end
    end
  end

  if (Levels == 0) begin : gen_one
    assign together = each[0];
    assign step     = step_i;
    assign last     = end_i;
  end else begin : gen_many
    assign together = gen_level[Levels-1].groups_q[0];
    assign step     = gen_level[Levels-1].given_q;
    assign last     = gen_level[Levels-1].ends_q;
  end

  // ----------------------------------------------------------------- all steps of a board
  group_t so_far_q, so_far_d;
  logic   ended_q;  // it is all of a board

  always_comb begin
    so_far_d = ended_q ? '0 : so_far_q;
    if (step) begin
      so_far_d.removals += together.removals;
      if (precedes(together.best.legal, together.best.rank,
                   so_far_d.best.legal, so_far_d.best.rank)) so_far_d.best = together.best;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      so_far_q <= '0;
      ended_q  <= 1'b0;
    end else begin
      so_far_q <= so_far_d;
      ended_q  <= step && last;
    end
  end

  // -------------------------------------------------------- boards that wait for removals
  localparam int unsigned Boards = 2 ** SlotWidth;

  group_t               waiting_q [Boards];
  group_t               head;
  logic [SlotWidth-1:0] read_q, write_q;
  logic                 waits;       // a board is there
  best_t                removed_q;   // the best of its removals so far
  count_t               removals_q;  // and their number
  logic                 done;

  always_ff @(posedge clk_i) if (ended_q) waiting_q[write_q] <= so_far_q;

  assign waits = read_q != write_q;
  assign head  = waiting_q[read_q];
  assign done  = waits && head.removals == removals_q;

  // Removals that came before their board is at the head. One comes in four cycles at most, and
  // all else of its board is scored within 50.
  localparam int unsigned Early = 16;

  best_t                    early_q [Early];
  best_t                    removed;
  logic [$clog2(Early)-1:0] early_read_q, early_write_q;
  logic [$clog2(Early)-1:0] early_read_d, early_write_d;
  logic                     has_early_q, counts;  // some are in early_q

  always_ff @(posedge clk_i) if (removed_i) early_q[early_write_q] <= removed_best_i;

  assign removed       = has_early_q ? early_q[early_read_q] : removed_best_i;
  assign counts        = (waits || alone_i) && !done && (has_early_q || removed_i);
  assign early_write_d = early_write_q + $bits(early_write_q)'(removed_i);
  assign early_read_d  = early_read_q + $bits(early_read_q)'(counts);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_q        <= '0;
      write_q       <= '0;
      removed_q     <= '0;
      removals_q    <= '0;
      best_valid_o  <= 1'b0;
      early_read_q  <= '0;
      early_write_q <= '0;
      has_early_q   <= 1'b0;
    end else begin
      early_read_q  <= early_read_d;
      early_write_q <= early_write_d;
      has_early_q   <= early_read_d != early_write_d;
      if (ended_q) write_q <= write_q + 1'b1;
      if (done) read_q <= read_q + 1'b1;
      if (counts) begin
        removals_q <= removals_q + count_t'(1);
        if (precedes(removed.legal, removed.rank,
                     removed_q.legal, removed_q.rank)) removed_q <= removed;
      end
      if (done) begin
        removals_q <= '0;
        removed_q  <= '0;
      end
      best_valid_o <= done;
    end
  end

  always_ff @(posedge clk_i) begin
    if (done) begin
      best_o <= precedes(removed_q.legal, removed_q.rank, head.best.legal, head.best.rank)
              ? removed_q : head.best;
    end
  end

`ifndef SYNTHESIS
  EarlyFits_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    removed_i && !counts |-> early_write_q + 1'b1 != early_read_q);
  Fits_A: assert property (@(posedge clk_i) disable iff (!rst_ni)
    ended_q |-> write_q + 1'b1 != read_q);
`endif

endmodule
