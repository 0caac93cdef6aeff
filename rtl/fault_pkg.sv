// Seeded faults: small, realistic mistakes that can be built into the AI cores on purpose, to
// show that lockstep comparison finds them and to try the reports on a core known to be wrong.
//
// Without the define LOCKSTEP_FAULTS the core is the correct one: Fault is a constant, so every
// fault term folds away and costs nothing. With it the game's top has one more input, fault_i,
// that chooses the fault while the core runs: all of them are in one build, and 0 is none.
//
//  no.  name                       what it breaks
//    0  none                       nothing: the correct core
//    1  piece-numbers-swapped      tetris: the core takes S for Z and Z for S
//    2  well-at-wall               tetris: the right wall counts as empty, for wells only
//    3  landing-height-off-by-one  tetris: doubled landing height is one too high
//    4  full-row-transitions       tetris: a removed row is not left out of the row transitions
//    5  tie-order-reversed         tetris: the last of equal scores wins instead of the first
//    6  score-truncated            tetris: the score is cut to 26 bits before it is compared
//    7  floor-empty                tetris: the floor counts as empty for column transitions
//    8  cleared-row-covers         tetris: a removed row still covers the cells beneath it
//    9  top-row-lost               tetris: a placement that reaches row 19 is refused
//   10  eroded-not-multiplied      tetris: eroded cells are not multiplied by the rows cleared
//   11  last-column-skipped        tetris: the rightmost column of each rotation is never tried
//   12  weights-swapped            tetris: weights of hole depth and rows with holes exchanged
//   13  stale-run                  tetris: hole depth's filled runs not cleared between placements
//   14  well-depth-saturates       tetris: well counters stop at 3

package fault_pkg;

  typedef enum int unsigned {
    FaultNone                  = 0,
    FaultPieceNumbersSwapped   = 1,
    FaultWellAtWall            = 2,
    FaultLandingHeightOffByOne = 3,
    FaultFullRowTransitions    = 4,
    FaultTieOrderReversed      = 5,
    FaultScoreTruncated        = 6,
    FaultFloorEmpty            = 7,
    FaultClearedRowCovers      = 8,
    FaultTopRowLost            = 9,
    FaultErodedNotMultiplied   = 10,
    FaultLastColumnSkipped     = 11,
    FaultWeightsSwapped        = 12,
    FaultStaleRun              = 13,
    FaultWellDepthSaturates    = 14
  } fault_e;

  // The fault that is in the core.
`ifdef LOCKSTEP_FAULTS
  fault_e Fault;
`else
  localparam fault_e Fault = FaultNone;
`endif

endpackage
