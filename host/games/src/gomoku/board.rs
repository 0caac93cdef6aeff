//! The board and its stones.

use protocol::layout::gomoku::{COLUMNS, ROWS};

use super::{Black, Stone, White};

/// Number of points; point 15 y + x is column x of row y.
pub const POINTS: usize = COLUMNS * ROWS;

/// The directions of lines as steps of x and y: row, column, falling and rising diagonal.
pub const DIRECTIONS: [(isize, isize); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// Number of stones in a row that win.
const FIVE: usize = 5;

/// What lies at a place next to the board or on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    /// The place is not on the board.
    Outside,
    /// No stone lies there.
    Empty,
    /// A stone lies there.
    Stone(Stone),
}

/// A board: at most one stone on each point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    points: [Option<Stone>; POINTS],
}

impl Default for Board {
    fn default() -> Self {
        let points = [None; POINTS];
        Self { points }
    }
}

impl Board {
    /// The board with these rows of stones; bit x is column x. `None` if two lie on one point, or
    /// one outside of the board.
    pub fn from_rows(side: Stone, own: [u16; ROWS], opponent: [u16; ROWS]) -> Option<Self> {
        let mut board = Self::default();
        for (rows, side) in [(own, side), (opponent, side.other())] {
            for (y, row) in rows.into_iter().enumerate() {
                if row >> COLUMNS != 0 {
                    return None;
                }
                for x in (0..COLUMNS).filter(|x| row >> x & 1 == 1) {
                    if !board.put(y * COLUMNS + x, side) {
                        return None;
                    }
                }
            }
        }
        Some(board)
    }

    /// The rows of a side's stones; bit x is column x.
    pub fn rows(&self, side: Stone) -> [u16; ROWS] {
        let mut rows = [0; ROWS];
        for point in self.stones_of(side) {
            rows[point / COLUMNS] |= 1 << (point % COLUMNS);
        }
        rows
    }

    /// The stone on a point; `None` if the point is empty or not on the board.
    pub fn stone(&self, point: usize) -> Option<Stone> {
        *self.points.get(point)?
    }

    /// Whether no stone lies on a point of the board.
    pub fn is_empty(&self, point: usize) -> bool {
        self.points.get(point) == Some(&None)
    }

    /// What lies at a column and a row.
    pub fn cell(&self, x: isize, y: isize) -> Cell {
        const SIZE: [isize; 2] = [COLUMNS as isize, ROWS as isize];
        if x < 0 || y < 0 || x >= SIZE[0] || y >= SIZE[1] {
            return Cell::Outside;
        }
        match self.points[(y * SIZE[0] + x).unsigned_abs()] {
            None => Cell::Empty,
            Some(stone) => Cell::Stone(stone),
        }
    }

    /// Places a stone on a point; `false` if the point is taken or not on the board.
    pub fn put(&mut self, point: usize, stone: Stone) -> bool {
        let empty = self.is_empty(point);
        if empty {
            self.points[point] = Some(stone);
        }
        empty
    }

    /// Takes the stone off a point.
    pub fn take(&mut self, point: usize) {
        if let Some(place) = self.points.get_mut(point) {
            *place = None;
        }
    }

    /// Whether the stone on a point is one of five or more in a row.
    pub fn makes_five(&self, point: usize) -> bool {
        let Some(stone) = self.stone(point) else {
            return false;
        };
        let (x, y) = place(point);
        // Number of consecutive stones of the same side in one direction, without the first.
        let run = |right: isize, down: isize| {
            let cell = |n: &isize| self.cell(x + n * right, y + n * down);
            (1..).take_while(|n| cell(n) == Cell::Stone(stone)).count()
        };
        let line = |(right, down): (isize, isize)| run(right, down) + run(-right, -down) + 1;
        DIRECTIONS.into_iter().any(|step| line(step) >= FIVE)
    }

    /// Whether a side has five or more in a row.
    pub fn has_five(&self, side: Stone) -> bool {
        self.stones_of(side).any(|point| self.makes_five(point))
    }

    /// The points of a side's stones, in ascending order.
    pub fn stones_of(&self, side: Stone) -> impl Iterator<Item = usize> {
        (0..POINTS).filter(move |&point| self.points[point] == Some(side))
    }

    /// The empty points, in ascending order.
    pub fn empty_points(&self) -> impl Iterator<Item = usize> {
        (0..POINTS).filter(|&point| self.points[point].is_none())
    }

    /// Number of stones.
    pub fn stones(&self) -> usize {
        self.points.iter().flatten().count()
    }

    /// Whether no point is empty.
    pub fn is_full(&self) -> bool {
        self.stones() == POINTS
    }

    /// Whether the game is over: a side has five in a row, or the board is full.
    pub fn is_over(&self) -> bool {
        self.is_full() || self.has_five(Black) || self.has_five(White)
    }
}

/// Column and row of a point.
pub const fn place(point: usize) -> (isize, isize) {
    let (x, y) = (point % COLUMNS, point / COLUMNS);
    (x.cast_signed(), y.cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board with black stones at these columns and rows.
    fn board(stones: impl IntoIterator<Item = (usize, usize)>) -> Board {
        let mut board = Board::default();
        for (x, y) in stones {
            assert!(board.put(y * COLUMNS + x, Black), "({x}, {y})");
        }
        board
    }

    #[test]
    fn board_five_or_more_in_any_direction_is_over() {
        type Line = fn(usize) -> (usize, usize);
        let lines: [Line; 5] = [
            |n| (3 + n, 14),
            |n| (0, 2 + n),
            |n| (5 + n, 4 + n),
            |n| (3 + n, 14 - n),
            |n| (14 - n, n),
        ];
        for (number, line) in lines.into_iter().enumerate() {
            for length in 3..=9 {
                let board = board((0..length).map(line));
                assert_eq!(board.is_over(), length >= 5, "line {number}, {length}");
                assert_eq!(board.has_five(Black), length >= 5);
                assert!(!board.has_five(White));
            }
            let gap = board((0..9).filter(|n| *n != 4).map(line));
            assert!(!gap.is_over(), "line {number}");
        }
    }

    #[test]
    fn board_five_across_an_edge_is_none() {
        let row = board([(12, 3), (13, 3), (14, 3), (0, 4), (1, 4)]);
        let falling = board([(13, 0), (14, 1), (0, 3), (1, 4), (2, 5)]);
        assert!(!row.is_over() && !falling.is_over());
    }

    #[test]
    fn board_taken_point_takes_no_stone() {
        let mut board = board([(7, 7)]);
        let before = board;
        assert!(!board.put(112, White) && !board.put(POINTS, White));
        assert_eq!(board, before);
        board.take(112);
        assert!(board.is_empty(112) && !board.is_empty(POINTS));
        assert_eq!(board, Board::default());
    }

    #[test]
    fn board_rows_round_trip() {
        let (mut own, mut opponent) = ([0; ROWS], [0; ROWS]);
        own[3] = 0x4001;
        opponent[14] = 0x10;
        let board = Board::from_rows(White, own, opponent).expect("a board");
        assert_eq!(board.stone(45), Some(White));
        assert_eq!(board.stone(59), Some(White));
        assert_eq!(board.stone(214), Some(Black));
        assert_eq!((board.rows(White), board.rows(Black)), (own, opponent));
        opponent[3] = 1;
        assert_eq!(
            Board::from_rows(White, own, opponent),
            None,
            "two on a point"
        );
        opponent[3] = 0x8000;
        assert_eq!(Board::from_rows(White, own, opponent), None, "outside");
    }
}
