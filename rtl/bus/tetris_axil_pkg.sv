// The registers of tetris_axil: their numbers and bits. docs/bus.md says what they mean.
// Designs without the peripheral use none of it.
// verilator lint_off UNUSEDPARAM
package tetris_axil_pkg;

  localparam int unsigned AddrWidth = 12;  // bits of a byte address: 4 KB, the least AXI gives out

  typedef logic [AddrWidth-3:0] index_t;  // of a word

  localparam index_t Address   = index_t'(12'h000 >> 2);
  localparam index_t Control   = index_t'(12'h004 >> 2);
  localparam index_t Result    = index_t'(12'h008 >> 2);
  localparam index_t Status    = index_t'(12'h00c >> 2);
  localparam index_t ScoreLow  = index_t'(12'h010 >> 2);
  localparam index_t ScoreHigh = index_t'(12'h014 >> 2);
  localparam index_t Cycles    = index_t'(12'h018 >> 2);
  localparam index_t Id        = index_t'(12'h01c >> 2);
  localparam index_t Weights   = index_t'(12'h040 >> 2);  // the first one

  localparam int unsigned ControlStart      = 0;
  localparam int unsigned ControlIrqEnable  = 1;
  localparam int unsigned ControlSeedPieces = 2;

  localparam int unsigned StatusBusy = 0;
  localparam int unsigned StatusDone = 1;

  // "LS", the game's number on the wire, version of this register map
  localparam logic [31:0] IdValue = 32'h4c53_01_01;

  // El-Tetris (fixtures/weights/el-tetris.json), the controller of the ECE532 design
  function automatic tetris_pkg::weights_t el_tetris();
    tetris_pkg::weights_t weights;
    weights                                = '0;
    weights[tetris_pkg::LandingHeight]     = -32'sd2_250_079;
    weights[tetris_pkg::RowsCleared]       = 32'sd3_418_127;
    weights[tetris_pkg::RowTransitions]    = -32'sd3_217_888;
    weights[tetris_pkg::ColumnTransitions] = -32'sd9_348_695;
    weights[tetris_pkg::Holes]             = -32'sd7_899_265;
    weights[tetris_pkg::CumulativeWells]   = -32'sd3_385_597;
    return weights;
  endfunction

endpackage
// verilator lint_on UNUSEDPARAM
