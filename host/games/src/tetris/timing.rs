//! Clock cycles that the serial Tetris core takes for a decision, from the
//! position alone.
//!
//! The core sends the rows of one placement after the other, one a cycle: from
//! the top of stack or piece down to the floor, or a single one for a placement
//! that is not legal. The features of a legal placement are multiplied in groups,
//! as many as it has multipliers, one group a cycle, so the last row of the next
//! placement waits until that many cycles have passed since its own last row.

use super::features::FEATURES;
use super::piece::{height, width};
use super::position::Position;

/// Cycles in which no row is sent: 9 from the request to the first row's place in
/// the stream, 9 from the last group of products to the answer.
const AROUND: usize = 18;

/// The clock cycles from the one in which the core takes the position to the
/// first one in which it has the answer, as its `cycles` field says. `None` for a
/// core without multipliers.
pub fn serial_cycles(position: &Position, multipliers: u8) -> Option<u32> {
    if multipliers == 0 {
        return None;
    }
    let groups = FEATURES.div_ceil(multipliers.into());
    let board = &position.board;
    let heights: Vec<usize> = (0..board.columns()).map(|c| board.height(c)).collect();
    let stack = heights.iter().copied().max().unwrap_or(0);
    // Cycle in which the last row of the latest placement is sent, and how many
    // cycles its products take.
    let (mut sent, mut products) = (0, 1);
    for cells in position.piece.rotations() {
        for column in 0..(board.columns() + 1).saturating_sub(width(cells)) {
            // From above the first filled cell of a column is its topmost one.
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

    /// Counted by hand.
    #[test]
    fn small_cases() {
        let mut rows = [0; 20];
        // Nine places of two rows each, the first after a product's single cycle,
        // all others held up by four groups.
        assert_eq!(cycles(&rows, Piece::O), 18 + 2 + 8 * 4 + 4);
        // Ten upright places of four rows, seven lying ones of one row.
        assert_eq!(cycles(&rows, Piece::I), 18 + 17 * 4 + 4);
        // Nothing is legal: a cycle each.
        rows[19] = 0x3ff;
        assert_eq!(cycles(&rows, Piece::O), 18 + 9 + 1);
        // A stack of 18 with one well: all rows are scanned for each.
        let mut rows = [0x3fe; 20];
        (rows[18], rows[19]) = (0, 0);
        assert_eq!(cycles(&rows, Piece::O), 18 + 9 * 20 + 4);
    }
}
