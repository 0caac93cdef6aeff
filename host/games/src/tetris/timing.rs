//! The clock cycles of the core's decisions, which follow from the position alone.
//!
//! The core processes placements one after the other, one row in each cycle: from the top of the
//! stack or the piece down to the floor, or a single row for a placement that is not legal. The
//! features of a legal placement are multiplied in groups of as many features as there are
//! multipliers, one group in each cycle. The last row of the next placement waits until these
//! cycles have passed since the last row of the placement.

use super::piece::{height, width};
use super::{FEATURES, Position};

/// Cycles without a row: 9 from the request to the first row, and 9 from the last group of products
/// to the answer.
const AROUND: usize = 18;

/// The clock cycles of a decision, as in the field `cycles`; `None` without multipliers.
///
/// They are counted from the cycle in which the core takes the position to the first one in which
/// it has the answer.
pub fn serial_cycles(position: &Position, multipliers: u8) -> Option<u32> {
    if multipliers == 0 {
        return None;
    }
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
    u32::try_from(AROUND + sent + products).ok()
}

#[cfg(test)]
mod tests {
    use super::super::board::Board;
    use super::super::piece::Piece;
    use super::*;

    fn cycles(rows: &[u64], piece: Piece) -> u32 {
        let position = Position {
            board: Board::from_rows(10, rows).expect("a board"),
            piece,
            next: None,
        };
        serial_cycles(&position, 4).expect("multipliers")
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
}
