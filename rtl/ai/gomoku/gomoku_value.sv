// The value of a stone, from the counts after it, for the side that put it.
//
// `ply_i` is the ply of the node before the stone. In gomoku_board's cycle 6 of the stone, `ends_o`
// is high if nothing is searched after it, whatever the depth, and `ends_value_o` is then its
// value; `block_o` and `open4_o` are high if the side of the stone has a FIVE, an OPEN4. In cycle 9
// `value_o` is the value of a leaf, unless `extends_o` is high: then a forced block must be
// searched after it. The next stone comes two cycles later at the earliest.
module gomoku_value
  import gomoku_pkg::*;
(
  input  logic        clk_i,
  input  logic        lines_i,   // the profile
  input  logic        extend_i,
  input  weights_16_t attack_i,
  input  weights_16_t defend_i,
  input  ply_t        ply_i,
  input  count_t      counts_i,
  input  logic [1:0]  five_i,
  input  logic [1:0]  open4_i,
  input  logic        run_i,
  output logic        ends_o,
  output value_t      ends_value_o,
  output logic        block_o,
  output logic        open4_o,
  output value_t      value_o,
  output logic        extends_o
);

  logic mover;
  assign mover = ply_i[0];

  value_t score;
  logic   above, below;
  gomoku_score u_score (
    .clk_i,
    .lines_i,
    .attack_i,
    .defend_i,
    .tenfold_i (!mover),
    .mover_i   (counts_i[0]),
    .other_i   (counts_i[1]),
    .score_o   (score),
    .above_o   (above),
    .below_o   (below)
  );

  typedef struct packed {
    logic lost;   // the other side has a FIVE
    logic block;  // the mover has
    logic open4;  // the other side has an OPEN4
  } threats_t;
  threats_t threats, threats7_q, threats8_q;
  logic     lost_q, open4_q, extends_q;  // a leaf's value is that of a loss
  assign threats = '{lost: five_i[1], block: five_i[0], open4: open4_i[1]};

  // The other side wins in one or in three; after the last ply no block continues. Known a cycle
  // later, which is soon enough.
  value_t lost_in_1_q, lost_in_3_q;
  logic   deepest_q;

  assign block_o = threats.block;
  assign open4_o = open4_i[0];
  always_comb begin
    ends_o       = threats.lost || (!threats.block && threats.open4) || run_i;
    ends_value_o = threats.lost ? lost_in_1_q : lost_in_3_q;
    if (run_i) ends_value_o = WujianWin;
  end

  always_comb begin
    value_o = score;
    if (above) value_o = MaxScore;
    if (below) value_o = -MaxScore;
    if (open4_q) value_o = lost_in_3_q;
    if (lost_q) value_o = lost_in_1_q;
  end
  assign extends_o = extends_q;

  always_ff @(posedge clk_i) begin
    lost_in_1_q <= value_t'(ply_i) + 28'sd2 - LinesWin;
    lost_in_3_q <= value_t'(ply_i) + 28'sd4 - LinesWin;
    deepest_q   <= ply_i == ply_t'(MaxDepth - 1);
    threats7_q  <= threats;
    threats8_q  <= threats7_q;
    lost_q      <= threats8_q.lost;
    open4_q     <= !threats8_q.block && threats8_q.open4;
    extends_q   <= !threats8_q.lost && threats8_q.block && extend_i && !deepest_q;
  end

endmodule
