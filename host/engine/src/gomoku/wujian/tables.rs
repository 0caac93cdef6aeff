//! What a stone changes in one direction, by what lies on both sides of it.
//!
//! On a board without five in a row, a side is one of eighteen states: the next cell is empty, or
//! outside, or in a run of one to four stones of one colour, behind which is an empty cell or none.

/// Number of states, rounded up.
const STATES: usize = 32;

const EMPTY: u8 = 0;
const OUTSIDE: u8 = 1;

/// A side of a spot.
#[derive(Clone, Copy)]
enum Side {
    Empty,
    Outside,
    Run {
        colour: usize,
        length: usize,
        open: bool,
    },
}

impl Side {
    const fn of(state: usize) -> Self {
        match state as u8 {
            EMPTY => Self::Empty,
            OUTSIDE => Self::Outside,
            run => {
                let run = run as usize - 2;
                Self::Run {
                    colour: run % 2,
                    open: run / 2 % 2 == 1,
                    length: run / 4 + 1,
                }
            }
        }
    }

    const fn state(self) -> u8 {
        match self {
            Self::Empty => EMPTY,
            Self::Outside => OUTSIDE,
            Self::Run {
                colour,
                length,
                open,
            } => (2 + colour + 2 * open as usize + 4 * (length - 1)) as u8,
        }
    }

    /// Stones of a colour next to the spot.
    const fn stones(self, of: usize) -> usize {
        match self {
            Self::Run { colour, length, .. } if colour == of => length,
            _ => 0,
        }
    }

    /// Whether a run of a colour through the spot has an empty cell at this end.
    const fn is_open(self, of: usize) -> bool {
        match self {
            Self::Empty => true,
            Self::Outside => false,
            Self::Run { colour, open, .. } => colour == of && open,
        }
    }
}

/// The states of five cells, the nearest in the lowest two bits, and in the highest.
static RIGHT: [u8; 1024] = states(false);
static LEFT: [u8; 1024] = states(true);

const fn states(reversed: bool) -> [u8; 1024] {
    let mut states = [0; 1024];
    let mut cells = 0;
    while cells < 1024 {
        states[cells] = side(cells, reversed).state();
        cells += 1;
    }
    states
}

const fn side(cells: usize, reversed: bool) -> Side {
    const fn cell(cells: usize, reversed: bool, distance: usize) -> usize {
        let place = if reversed { 4 - distance } else { distance };
        cells >> (2 * place) & 3
    }
    let first = cell(cells, reversed, 0);
    match first {
        0 => return Side::Empty,
        3 => return Side::Outside,
        _ => (),
    }
    let mut length = 1;
    // A run of five does not occur.
    while length < 4 && cell(cells, reversed, length) == first {
        length += 1;
    }
    Side::Run {
        colour: first - 1,
        length,
        open: cell(cells, reversed, length) == 0,
    }
}

/// The state of the cells before a place.
#[inline]
pub fn left_of(line: u64, place: u32) -> u8 {
    LEFT[(line >> (2 * place) & 1023) as usize]
}

/// The state of the cells behind a place.
#[inline]
pub fn right_of(line: u64, place: u32) -> u8 {
    RIGHT[(line >> (2 * place + 12) & 1023) as usize]
}

/// The value of a run by its number of stones and of empty cells next to its ends.
const fn run(stones: usize, open: usize) -> i32 {
    const TWO: [i32; 6] = [0, 10, 100, 1_000, 10_000, super::WIN];
    const ONE: [i32; 6] = [0, 1, 10, 100, 1_000, super::WIN];
    let stones = if stones > 5 { 5 } else { stones };
    match open {
        2 => TWO[stones],
        1 => ONE[stones],
        _ if stones == 5 => super::WIN,
        _ => 0,
    }
}

/// The tables of a search of one depth.
pub struct Tables {
    /// The side that places the last stone.
    last: usize,
    /// Change of a leaf's value by a stone of each side between two states.
    changes: [[[i32; STATES]; STATES]; 2],
    /// Stones of each side in a state.
    lengths: [[u8; STATES]; 2],
    /// Distance of the first empty spot behind the run of a state; 0 if there is none.
    reaches: [i8; STATES],
}

impl Tables {
    /// For searches in which side `last` places the last stone, and runs of side 1 count `factor`
    /// times.
    pub fn new((last, factor): (usize, i32)) -> Self {
        let mut tables = Self {
            last,
            changes: [[[0; STATES]; STATES]; 2],
            lengths: [[0; STATES]; 2],
            reaches: [0; STATES],
        };
        for left in 0..18 {
            let side = Side::of(left);
            for colour in 0..2 {
                tables.lengths[colour][left] = side.stones(colour) as u8;
                for right in 0..18 {
                    let change = change(colour, factor, side, Side::of(right));
                    tables.changes[colour][left][right] = change;
                }
            }
            tables.reaches[left] = match side {
                Side::Empty => 1,
                Side::Run {
                    length, open: true, ..
                } => length as i8 + 1,
                _ => 0,
            };
        }
        tables
    }

    /// Change of a leaf's value by a stone of a side between two states.
    #[inline]
    pub fn change(&self, side: usize, left: u8, right: u8) -> i32 {
        let (left, right) = (left as usize % STATES, right as usize % STATES);
        self.changes[side & 1][left][right]
    }

    /// Change of a leaf's value by a last stone at a place of a line.
    #[inline]
    pub fn gain(&self, line: u64, place: u32) -> i32 {
        self.change(self.last, left_of(line, place), right_of(line, place))
    }

    /// Stones of a side in a state.
    #[inline]
    pub fn length(&self, side: usize, state: u8) -> u8 {
        self.lengths[side & 1][state as usize % STATES]
    }

    /// Distance of the first empty spot behind the run of a state; 0 if there is none.
    #[inline]
    pub fn reach(&self, state: u8) -> isize {
        self.reaches[state as usize % STATES].into()
    }
}

/// Change of a leaf's value by a stone between two sides.
fn change(colour: usize, factor: i32, left: Side, right: Side) -> i32 {
    let weigh = |of: usize, value: i32| match of {
        0 => value,
        _ => -factor * value,
    };
    // The runs on both sides before the stone, and those that it does not join after it.
    let mut change = 0;
    for side in [left, right] {
        if let Side::Run {
            colour: of,
            length,
            open,
        } = side
        {
            change -= weigh(of, run(length, usize::from(open) + 1));
            if of != colour {
                change += weigh(of, run(length, usize::from(open)));
            }
        }
    }
    let stones = 1 + left.stones(colour) + right.stones(colour);
    let open = usize::from(left.is_open(colour)) + usize::from(right.is_open(colour));
    change + weigh(colour, run(stones, open))
}
