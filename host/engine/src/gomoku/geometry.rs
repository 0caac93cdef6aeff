//! Points and lines of the board as bits.
//!
//! A *spot* is 16 y + x: a row takes 16 bits, so that the spots of a board are four words. Spots
//! ascend in scan order.

use lockstep_games::gomoku::{Board, Stone};

/// Columns and rows of the board.
pub const SIZE: usize = 15;

/// Number of spots, with those of the column that does not exist.
pub const SPOTS: usize = 16 * SIZE;

/// From a spot to the next one in each direction.
pub const STEPS: [isize; 4] = [1, 16, 17, -15];

/// Number of lines in each direction, rounded up.
pub const LINES: usize = 32;

/// The spot of a point of the board.
pub const fn spot(point: usize) -> usize {
    16 * (point / SIZE) + point % SIZE
}

/// The point of a spot.
pub const fn point(spot: usize) -> usize {
    SIZE * (spot / 16) + spot % 16
}

/// The lines through a spot.
#[derive(Clone, Copy)]
pub struct LinesThrough {
    /// In each direction the number of the line among all lines.
    pub line: [u8; 4],
    /// In each direction the place of the spot in that line, 0 to 14.
    pub place: [u8; 4],
}

/// The lines through each spot.
pub static THROUGH: [LinesThrough; 256] = {
    let none = LinesThrough {
        line: [0; 4],
        place: [0; 4],
    };
    let mut all = [none; 256];
    let mut spot = 0;
    while spot < SPOTS {
        let (x, y) = ((spot % 16) as u8, (spot / 16) as u8);
        if x < 15 {
            let lines = LINES as u8;
            all[spot] = LinesThrough {
                line: [y, lines + x, 2 * lines + x + 14 - y, 3 * lines + x + y],
                place: [x, y, x, x],
            };
        }
        spot += 1;
    }
    all
};

/// A set of spots.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Set(pub [u64; 4]);

impl Set {
    /// The stones of a side.
    pub fn of(board: &Board, side: Stone) -> Self {
        let rows = board.rows(side);
        let word = |word: usize| {
            let rows = rows.iter().skip(4 * word).take(4).rev();
            rows.fold(0, |bits, row| bits << 16 | u64::from(*row))
        };
        Self([word(0), word(1), word(2), word(3)])
    }

    /// The spots of both sets.
    pub const fn or(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a | e, b | f, c | g, d | h])
    }

    /// The spots that are not in the other set.
    pub const fn without(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a & !e, b & !f, c & !g, d & !h])
    }

    /// The set with one more spot.
    pub const fn with(mut self, spot: usize) -> Self {
        self.0[spot / 64 % 4] |= 1 << (spot % 64);
        self
    }

    /// Whether the set has no spot.
    pub fn is_empty(self) -> bool {
        self.0 == [0; 4]
    }

    /// The spots, ascending.
    pub fn spots(self) -> impl Iterator<Item = usize> {
        let words = self.0.into_iter().enumerate();
        words.flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let bit = (bits != 0).then(|| bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(64 * word + bit)
            })
        })
    }

    /// Each spot shifted `bits` bits towards lower spots.
    fn shifted(self, bits: u32) -> Self {
        let [a, b, c, d] = self.0;
        let shift = |low: u64, high: u64| low >> bits | high << (64 - bits);
        Self([shift(a, b), shift(b, c), shift(c, d), d >> bits])
    }

    /// The spots that are in both sets.
    fn and(self, other: Self) -> Self {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        Self([a & e, b & f, c & g, d & h])
    }

    /// Whether five spots in a row are in the set.
    ///
    /// Bit 15 of a row is 0, so no row continues in the next one.
    pub fn has_five(self) -> bool {
        [1, 15, 16, 17].into_iter().any(|step| {
            let two = self.and(self.shifted(step));
            let four = two.and(two.shifted(step).shifted(step));
            let five = four.and(two.shifted(step).shifted(step).shifted(step));
            !five.is_empty()
        })
    }
}

/// The spots next to each spot.
pub static AROUND: [Set; SPOTS] = {
    let mut all = [Set([0; 4]); SPOTS];
    let mut spot = 0;
    while spot < SPOTS {
        let (x, y) = (spot % 16, spot / 16);
        let mut near = 0;
        while near < SPOTS {
            let (right, down) = (near % 16, near / 16);
            if right < 15 && right.abs_diff(x) <= 1 && down.abs_diff(y) <= 1 && near != spot {
                all[spot] = all[spot].with(near);
            }
            near += 1;
        }
        spot += 1;
    }
    all
};
