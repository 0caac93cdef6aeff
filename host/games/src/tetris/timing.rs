//! The clock cycles of the core's decisions, which follow from the position alone.
//!
//! The serial core processes placements one after the other, one row in each cycle: from the top of the
//! stack or the piece down to the floor, or a single row for a placement that is not legal. The
//! features of a legal placement are multiplied in groups of as many features as there are
//! multipliers, one group in each cycle. The last row of the next placement waits until these
//! cycles have passed since the last row of the placement.

use protocol::payload::link::Info;
use serde::Serialize;

use super::piece::{height, width};
use super::{FEATURES, Piece, Position};

mod interleaved;
mod lanes;

pub use interleaved::Interleaved;

/// Cycles without a row: 9 from the request to the first row, and 9 from the last group of products
/// to the answer.
const AROUND: usize = 18;

/// What the clock cycles of a core depend on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Core {
    /// Placements evaluated side by side; 0 for the serial core.
    pub lanes: u8,
    /// Products in each cycle, of each lane.
    pub multipliers: u8,
}

impl Core {
    /// The serial core as designed.
    pub const SERIAL: Self = Self {
        lanes: 0,
        multipliers: 4,
    };

    /// The core with 1, 2, 4 or 8 lanes.
    pub const fn with_lanes(lanes: u8) -> Self {
        Self {
            lanes,
            multipliers: 12,
        }
    }

    /// The core that `info` describes; `None` if there is no such core.
    pub fn of(info: &Info) -> Option<Self> {
        let &Info {
            lanes, multipliers, ..
        } = info;
        let can_be = multipliers > 0 && matches!(lanes, 0 | 1 | 2 | 4 | 8);
        can_be.then_some(Self { lanes, multipliers })
    }

    /// The clock cycles of a decision without lookahead, as in the field `cycles`.
    ///
    /// They are counted from the cycle in which the core takes the position to the first one in
    /// which it has the answer.
    pub fn cycles(self, position: &Position) -> u32 {
        match self.lanes {
            0 => serial_cycles(position, self.multipliers),
            lanes => lanes::cycles(&position.board, position.piece, &[], lanes),
        }
    }

    /// The clock cycles of a decision at depth 2: with the next piece if it is known, otherwise
    /// with all seven. `None` for the serial core, which has no lookahead.
    pub fn cycles_ahead(self, position: &Position) -> Option<u32> {
        let next = match &position.next {
            Some(next) => std::slice::from_ref(next),
            None => &Piece::ALL[..],
        };
        let Position { board, piece, .. } = position;
        (self.lanes > 0).then(|| lanes::cycles(board, *piece, next, self.lanes))
    }
}

/// The clock cycles of a decision of the serial core.
fn serial_cycles(position: &Position, multipliers: u8) -> u32 {
    let groups = FEATURES.div_ceil(multipliers.into());
    let board = &position.board;
    let heights: Vec<usize> = (0..board.columns()).map(|c| board.height(c)).collect();
    let stack = heights.iter().copied().max().unwrap_or(0);
    // The cycle of the last row of the placement before, and the cycles of its products.
    let (mut sent, mut products) = (0, 1);
    for cells in position.piece.rotations() {
        for column in 0..(board.columns() + 1).saturating_sub(width(cells)) {
            // A piece from above meets the topmost cell of a column.
            let rests = cells
                .iter()
                .map(|(c, r)| heights[column + c].saturating_sub(*r));
            let rests = rests.max().unwrap_or(0);
            let legal = (rests + height(cells) <= board.rows()).then_some(rests);
            let rows = legal.map_or(1, |row| stack.max(row + height(cells)));
            sent += rows.max(products);
            products = legal.map_or(1, |_| groups);
        }
    }
    (AROUND + sent + products) as u32
}

#[cfg(test)]
mod tests {
    use super::super::golden::best_now;
    use super::super::piece::Piece;
    use super::super::{Board, Controller, PieceSource, Pieces, Placement};
    use super::*;

    fn cycles(rows: &[u64], piece: Piece) -> u32 {
        let position = Position {
            board: Board::from_rows(10, rows).expect("a board"),
            piece,
            next: None,
        };
        Core::SERIAL.cycles(&position)
    }

    /// Computed by hand.
    #[test]
    fn serial_cycles_of_simple_boards() {
        let mut rows = [0; 20];
        // Nine placements of two rows each; all but the first wait for four groups.
        assert_eq!(cycles(&rows, Piece::O), 18 + 2 + 8 * 4 + 4);
        // Ten vertical placements of four rows, seven horizontal ones of one row.
        assert_eq!(cycles(&rows, Piece::I), 18 + 17 * 4 + 4);
        // No placement is legal: one cycle each.
        rows[19] = 0x3ff;
        assert_eq!(cycles(&rows, Piece::O), 18 + 9 + 1);
        // A stack of 18 rows with one well: all rows of each placement.
        let mut rows = [0x3fe; 20];
        (rows[18], rows[19]) = (0, 0);
        assert_eq!(cycles(&rows, Piece::O), 18 + 9 * 20 + 4);
    }

    /// The positions of dt-20 that plays several games in turn, with the best placement of each.
    fn positions(games: usize) -> impl Iterator<Item = (Position, Option<Placement>)> {
        let controller = Controller::load("dt-20").expect("a built-in controller");
        let mut boards = vec![Board::new(10, 20); games];
        let pieces = Pieces::from_seed(PieceSource::Uniform, 1).enumerate();
        pieces.map(move |(number, piece)| {
            let board = &mut boards[number % games];
            let position = Position {
                board: board.clone(),
                piece,
                next: None,
            };
            let linear = controller.linear().expect("weights");
            let best = best_now(board, piece, linear);
            let placement = best
                .as_ref()
                .map(|(best, score)| Placement::of(best, *score));
            *board = best.map_or_else(|| Board::new(10, 20), |(landing, _)| landing.after);
            (position, placement)
        })
    }

    #[test]
    fn lanes_cycles_in_games() {
        let core = Core::with_lanes;
        let mean = |count: u32, cycles: &dyn Fn(&Position) -> u32| {
            let positions = positions(1).take(count as usize);
            positions
                .map(|(position, _)| cycles(&position))
                .sum::<u32>()
                / count
        };
        let alone = [1, 2, 4, 8].map(|lanes| mean(1_000, &|p| core(lanes).cycles(p)));
        assert_eq!(alone, [44, 35, 31, 28]);
        let averaged = mean(40, &|p| core(4).cycles_ahead(p).expect("it has lanes"));
        assert_eq!(averaged, 1_130);
    }

    /// In hundredths.
    #[test]
    fn lanes_cycles_side_by_side() {
        let mean = |lanes, games: u8| {
            let mut core = Interleaved::new(Core::with_lanes(lanes), games);
            for (position, placement) in positions(games.into()).take(2_000) {
                core.push(&position, placement.as_ref());
            }
            core.settle() * 100 / 2_000
        };
        let got = [1, 2, 4, 8].map(|lanes| mean(lanes, 16));
        assert_eq!(got, [2_288, 1_216, 656, 386]);
    }
}
