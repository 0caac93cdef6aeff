//! The field of Hidamari, and the effects of its buttons.
//!
//! Source: `toddgaunt/hidamari` on GitHub (read for facts, nothing taken). Each row is a 16-bit
//! integer. With walls (2049) the field has 12 columns, with the floor (4095) 23 rows, so 10x22 are
//! playable. Its peculiarities:
//! - A new piece appears in the top rows and turns clockwise in its frame, without kicks. It moves,
//!   turns and drops only if the field allows it.
//! - Each button also adds the gravity of the level to a timer, and the piece falls a row when the
//!   timer reaches 1. The timer continues from piece to piece. The level rises with the score up to
//!   8, at which the piece falls a row with every sixth button.
//! - The removal of a row leaves a copy of the top row.
//! - The game is over when the top row is occupied after rows are removed.

use crate::tetris::{Board, Cells, Piece};

/// Number of rows, with the floor.
const ROWS: usize = 23;
/// The walls of a row.
const WALLS: u16 = 0x801;
/// The playable columns of a row, 1 to 10.
const PLAYABLE: u16 = 0x7fe;

/// The increment of the timer by a button, by level.
const GRAVITY: [f32; 9] = [
    0.01667, 0.021017, 0.026977, 0.035256, 0.04693, 0.06361, 0.0879, 0.1236, 0.1775,
];
/// The highest score of each level but the last.
const LEVEL_ENDS: [u32; 8] = [5, 15, 30, 50, 75, 105, 140, 180];

/// The falling piece, with the upper left corner of its frame; columns include the wall.
#[derive(Debug, Clone, Copy)]
struct Falling {
    piece: Piece,
    turn: usize,
    x: isize,
    y: isize,
}

impl Falling {
    /// A new piece, with the top of its frame in the top row.
    fn new(piece: Piece, top: usize) -> Self {
        Self {
            piece,
            turn: 0,
            x: 4,
            y: top as isize,
        }
    }

    /// The rotation, and the lower left corner of the cells in the frame.
    ///
    /// The corner is given as column, and as rows below the top.
    fn frame(self) -> (usize, isize, isize) {
        match (self.piece, self.turn) {
            (Piece::O, _) => (0, 1, 2),
            (Piece::I, 0) => (1, 0, 1),
            (Piece::I, 1) => (0, 2, 3),
            (Piece::I, _) => (1, 0, 2),
            (_, 0) => (0, 0, 1),
            (Piece::S | Piece::Z, 1) => (1, 1, 2),
            (Piece::L, 1) => (1, 1, 2),
            (_, 1) => (3, 1, 2),
            (Piece::S | Piece::Z, _) => (0, 0, 2),
            (_, _) => (2, 0, 2),
        }
    }

    /// The cells, their rotation, and the column (with the wall) and row of their lower left
    /// corner.
    fn position(self) -> (&'static Cells, usize, isize, isize) {
        let (rotation, right, down) = self.frame();
        let cells = &self.piece.rotations()[rotation];
        (cells, rotation, self.x + right, self.y - down)
    }
}

/// A button of the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Button {
    Turn,
    Left,
    Right,
    Drop,
}

/// The field with its falling piece.
#[derive(Debug, Clone)]
pub(super) struct Field {
    grid: [u16; ROWS],
    top: usize,
    falling: Falling,
    gravity: f32,
    score: u32,
    lines: u64,
}

impl Field {
    /// The field of a board with a new piece, score 0 and timer 0.
    ///
    /// `None` unless the board has 10 columns and 4 to 22 rows.
    pub(super) fn of(board: &Board, piece: Piece) -> Option<Self> {
        if board.columns() != 10 || !(4..ROWS).contains(&board.rows()) {
            return None;
        }
        let mut field = Self::empty(board.rows(), piece);
        for (row, cells) in field.grid[1..].iter_mut().zip(board.to_rows()) {
            *row |= (cells as u16) << 1;
        }
        Some(field)
    }

    /// An empty field of `rows` playable rows, at most 22.
    pub(super) fn empty(rows: usize, piece: Piece) -> Self {
        let mut grid = [WALLS; ROWS];
        grid[0] |= PLAYABLE;
        Self {
            grid,
            top: rows,
            falling: Falling::new(piece, rows),
            gravity: 0.0,
            score: 0,
            lines: 0,
        }
    }

    /// The playable part as a board.
    pub(super) fn board(&self) -> Board {
        let filled = |column, row: usize| self.grid[row + 1] >> (column + 1) & 1 == 1;
        Board::from_cells(10, self.top, filled)
    }

    /// The heights of the playable columns, and the number of empty cells below the tops.
    pub(super) fn heights_and_holes(&self) -> ([i64; 10], i64) {
        let mut heights = [0; 10];
        let mut filled = 0;
        for (row, cells) in self.grid.iter().enumerate().take(self.top + 1).skip(1) {
            for (column, height) in heights.iter_mut().enumerate() {
                if cells >> (column + 1) & 1 == 1 {
                    *height = row as i64;
                    filled += 1;
                }
            }
        }
        (heights, heights.iter().sum::<i64>() - filled)
    }

    fn free(&self, falling: Falling) -> bool {
        let (cells, _, column, row) = falling.position();
        let (Ok(column), Ok(row)) = (usize::try_from(column), usize::try_from(row)) else {
            return false;
        };
        cells
            .iter()
            .all(|(c, r)| self.grid[row + r] >> (column + c) & 1 == 0)
    }

    fn attempt(&mut self, change: impl FnOnce(&mut Falling)) -> bool {
        let mut moved = self.falling;
        change(&mut moved);
        let free = self.free(moved);
        if free {
            self.falling = moved;
        }
        free
    }

    /// Presses a button.
    ///
    /// [`Button::Drop`] also locks the piece, removes full rows and starts the piece `next`. It
    /// returns the place of the locked piece: rotation, leftmost playable column and playable row.
    pub(super) fn press(&mut self, button: Button, next: Piece) -> Option<(usize, usize, usize)> {
        match button {
            Button::Turn => self.attempt(|f| f.turn = (f.turn + 1) % 4),
            Button::Left => self.attempt(|f| f.x -= 1),
            Button::Right => self.attempt(|f| f.x += 1),
            Button::Drop => loop {
                if !self.attempt(|f| f.y -= 1) {
                    break true;
                }
            },
        };
        self.gravity += GRAVITY[self.level()];
        if self.gravity >= 1.0 {
            self.attempt(|f| f.y -= 1);
            self.gravity = 0.0;
        }
        (button == Button::Drop).then(|| self.lock(next))
    }

    fn lock(&mut self, next: Piece) -> (usize, usize, usize) {
        let (cells, rotation, column, row) = self.falling.position();
        // The piece never lies left of the wall or below the floor.
        let (column, row) = (column.unsigned_abs(), row.unsigned_abs());
        for (c, r) in cells {
            self.grid[row + r] |= 1 << (column + c);
        }
        self.clear();
        self.falling = Falling::new(next, self.top);
        (rotation, column - 1, row - 1)
    }

    /// Removes full rows, except the top row.
    fn clear(&mut self) {
        let mut cleared = 0;
        let mut row = 1;
        while row < self.top {
            let above = &self.grid[row..=self.top];
            if above.iter().all(|row| row & PLAYABLE == PLAYABLE) {
                // All rows up to the top are full; the program hangs here.
                break;
            }
            if self.grid[row] & PLAYABLE == PLAYABLE {
                self.grid.copy_within(row + 1..=self.top, row);
                cleared += 1;
            } else {
                row += 1;
            }
        }
        self.lines += cleared as u64;
        self.score = self.score.saturating_add([0, 1, 3, 5, 8][cleared.min(4)]);
    }

    /// Number of rows removed so far.
    pub(super) fn lines(&self) -> u64 {
        self.lines
    }

    /// The falling piece.
    pub(super) fn piece(&self) -> Piece {
        self.falling.piece
    }

    fn level(&self) -> usize {
        LEVEL_ENDS.iter().filter(|&&end| self.score > end).count()
    }

    /// Whether the top row is occupied.
    pub(super) fn over(&self) -> bool {
        self.grid[self.top] & PLAYABLE != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(rows: &[u64], piece: Piece) -> Field {
        let mut rows = rows.to_vec();
        rows.resize(ROWS - 1, 0);
        Field::of(&Board::from_rows(10, &rows).unwrap(), piece).unwrap()
    }

    #[test]
    fn field_needs_ten_columns_and_4_to_22_rows() {
        let is_one = |columns, rows| Field::of(&Board::new(columns, rows), Piece::O).is_some();
        let sizes = [(10, 4), (10, 22), (10, 23), (9, 22), (11, 22)];
        let found = sizes.map(|(columns, rows)| is_one(columns, rows));
        assert_eq!(found, [true, true, false, false, false]);
    }

    #[test]
    fn press_into_filled_cell_has_no_effect() {
        let mut rows = [0; 21];
        rows[20] = 0b100; // playable column 2, in the rows of a new O
        rows[19] = 0b100;
        let mut field = field(&rows, Piece::O);
        for _ in 0..5 {
            field.press(Button::Left, Piece::I);
        }
        assert_eq!(field.falling.position().2, 4); // playable column 3
    }

    #[test]
    fn clear_leaves_copy_of_top_row() {
        let mut rows = vec![0; 22];
        rows[0] = 0b11_1111_1111;
        rows[21] = 0b10;
        let mut field = field(&rows, Piece::I);
        field.clear();
        assert_eq!((field.lines, field.score), (1, 1));
        let after = field.board().to_rows();
        assert_eq!((after[0], after[20], after[21]), (0, 0b10, 0b10));
        let heights = [0, 22, 0, 0, 0, 0, 0, 0, 0, 0];
        assert_eq!(field.heights_and_holes(), (heights, 20));
        assert!(field.over());
    }

    #[test]
    fn gravity_grows_with_score_and_lowers_piece() {
        let mut field = field(&[], Piece::T);
        field.score = 5;
        assert_eq!(field.level(), 0);
        field.score = 6;
        assert_eq!(field.level(), 1);
        field.score = 1000;
        assert_eq!(field.level(), 8);
        // 0.1775 for each button: the piece falls with the sixth.
        let heights: Vec<isize> = (0..7)
            .map(|_| {
                field.press(Button::Turn, Piece::I);
                field.falling.y
            })
            .collect();
        assert_eq!(heights, [22, 22, 22, 22, 22, 21, 21]);
    }
}
