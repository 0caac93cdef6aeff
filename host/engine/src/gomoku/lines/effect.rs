//! What a stone changes in one direction, from the 17 cells around it.

use std::sync::LazyLock;

use lockstep_games::gomoku::Lines;

/// The cells around a stone: in each half the stones of a side, that of the stone itself at bit 8.
/// A cell outside of the board is set in both halves.
pub const CELLS: u64 = 0x0001_ffff_0001_ffff;

/// The word of a spot adds up a word of its pair of shapes in each direction. In its lowest 15 bits
/// are counts of directions, three bits each: shape 7 of each side, shape 5 and more of each side,
/// any shape. The highest byte is the key. The byte below it is 255 less the spot, so that words are
/// ordered as candidates are.
pub const FIVE: [u32; 2] = [7, 7 << 3];
/// Shape 5 and more of any side.
pub const ANY_FOUR: u32 = 0o77 << 6;
/// Any shape of any side.
pub const ALIVE: u32 = 7 << 12;
/// The lowest bit of the key.
const KEY: u32 = 24;

/// The word of a spot without shapes.
pub const fn word(spot: usize) -> u32 {
    (255 - spot as u32) << 16
}

/// The spot of a word.
pub const fn spot(word: u32) -> usize {
    255 - (word >> 16 & 255) as usize
}

/// Sums over all spots and directions.
#[derive(Clone, Copy, Default)]
pub struct Sums {
    /// The score for each side to move, without its limit.
    pub scores: [i32; 2],
    /// Number of shapes 7 of each side, then of shapes 6, in 16 bits each.
    counts: u64,
}

impl Sums {
    #[inline]
    pub fn add(&mut self, other: &Self) {
        self.scores[0] += other.scores[0];
        self.scores[1] += other.scores[1];
        self.counts = self.counts.wrapping_add(other.counts);
    }

    fn subtract(&mut self, other: &Self) {
        self.scores[0] -= other.scores[0];
        self.scores[1] -= other.scores[1];
        self.counts = self.counts.wrapping_sub(other.counts);
    }

    /// Number of shapes 7 of a side.
    #[inline]
    pub fn fives(&self, side: usize) -> u16 {
        (self.counts >> (16 * side)) as u16
    }

    /// Number of shapes 6 of a side.
    #[inline]
    pub fn open_fours(&self, side: usize) -> u16 {
        (self.counts >> (32 + 16 * side)) as u16
    }
}

/// What the pair of a spot's shapes in one direction adds.
#[derive(Clone, Copy, Default)]
struct Pair {
    sums: Sums,
    word: u32,
}

/// The weights of all pairs of shapes: that of side 0 in the lowest three bits, then that of side 1.
#[derive(Clone)]
pub struct Weights([Pair; 64]);

impl Weights {
    pub fn new(lines: &Lines) -> Self {
        fn weight<T: Copy + Into<i32>>(table: &[T; 7], shape: usize) -> i32 {
            match shape {
                0 => 0,
                _ => table[shape - 1].into(),
            }
        }
        let pair = |pair: usize| {
            let shapes = [pair % 8, pair / 8];
            let score = |side: usize| {
                weight(&lines.attack, shapes[side]) - weight(&lines.defend, shapes[1 - side])
            };
            let count = |is: bool, bit: u32| u64::from(is) << bit;
            let flag = |is: bool, bit: u32| u32::from(is) << bit;
            let [own, other] = shapes;
            let keys = weight(&lines.key, own) + weight(&lines.key, other);
            Pair {
                sums: Sums {
                    scores: [score(0), score(1)],
                    counts: count(own == 7, 0)
                        + count(other == 7, 16)
                        + count(own == 6, 32)
                        + count(other == 6, 48),
                },
                word: flag(own == 7, 0)
                    + flag(other == 7, 3)
                    + flag(own >= 5, 6)
                    + flag(other >= 5, 9)
                    + flag(pair > 0, 12)
                    + (keys.unsigned_abs() << KEY),
            }
        };
        Self(std::array::from_fn(pair))
    }
}

/// What a stone changes in one direction.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct Effect {
    /// The cells around the stone, and its side.
    pub key: u64,
    pub sums: Sums,
    /// Changes of the words at the distances -4 to 4.
    pub words: [u32; 9],
}

impl Effect {
    /// The effect of no stone.
    pub const NONE: Self = Self {
        key: u64::MAX,
        sums: Sums {
            scores: [0; 2],
            counts: 0,
        },
        words: [0; 9],
    };

    pub fn new(weights: &Weights, cells: u64, side: usize, key: u64) -> Self {
        let shapes = &*SHAPES;
        let after = cells | 1 << (8 + 32 * side);
        let mut effect = Self { key, ..Self::NONE };
        for (distance, word) in effect.words.iter_mut().enumerate() {
            // The spot at distance 0 has no shapes once the stone lies there.
            for (cells, is_after) in [(cells, false), (after, true)] {
                let Some(pair) = pair(shapes, cells, distance) else {
                    continue;
                };
                let pair = &weights.0[pair];
                match is_after {
                    true => {
                        effect.sums.add(&pair.sums);
                        *word = word.wrapping_add(pair.word);
                    }
                    false => {
                        effect.sums.subtract(&pair.sums);
                        *word = word.wrapping_sub(pair.word);
                    }
                }
            }
        }
        effect
    }
}

/// The shape for side 0 of the empty spot in the middle of the cells.
pub fn shape_of_middle(cells: u64) -> usize {
    pair(&SHAPES, cells, 4).unwrap_or(0) & 7
}

/// The pair of shapes of the spot at distance `distance` - 4 from the middle; `None` if it is not
/// empty.
#[inline]
fn pair(shapes: &Shapes, cells: u64, distance: usize) -> Option<usize> {
    let halves = [cells as u32, (cells >> 32) as u32].map(|half| half >> distance);
    let [own, other] = halves;
    let blocked = own & other;
    if (own | other) >> 4 & 1 == 1 {
        return None;
    }
    let pair = shapes.of(own & !blocked, other) | shapes.of(other & !blocked, own) << 3;
    Some(pair)
}

/// The shapes of all pairs of sides.
static SHAPES: LazyLock<Shapes> = LazyLock::new(Shapes::new);

/// A side is four cells, the nearest first, as a code: own stones before the first blocked cell, and
/// a one after the last of them.
struct Shapes([[u8; 32]; 32]);

impl Shapes {
    fn new() -> Self {
        let mut shapes = [[0; 32]; 32];
        for (left, shapes) in (0..).zip(&mut shapes).skip(1) {
            for (right, code) in (0..).zip(shapes).skip(1) {
                *code = shape(left, right);
            }
        }
        Self(shapes)
    }

    /// The shape of the spot at bit 4 of nine cells.
    #[inline]
    fn of(&self, own: u32, blocked: u32) -> usize {
        let side = |shift: u32| (own >> shift & 15 | (blocked >> shift & 15) << 4) as usize;
        let (left, right) = (LEFT[side(0)] & 31, RIGHT[side(5)] & 31);
        self.0[left as usize][right as usize].into()
    }
}

/// The code of four cells on one side, by their bits: own stones (0 to 3), blocked cells (4 to 7).
/// In `LEFT` the nearest cell is the highest of its four bits, in `RIGHT` the lowest.
static LEFT: [u8; 256] = codes(true);
static RIGHT: [u8; 256] = codes(false);

const fn codes(reversed: bool) -> [u8; 256] {
    let mut codes = [0; 256];
    let mut cells = 0;
    while cells < 256 {
        let (own, blocked) = (cells as u32 & 15, cells as u32 >> 4);
        let (own, blocked) = match reversed {
            true => (own.reverse_bits() >> 28, blocked.reverse_bits() >> 28),
            false => (own, blocked),
        };
        let free = (blocked | 16).trailing_zeros();
        codes[cells] = (own & ((1 << free) - 1) | 1 << free) as u8;
        cells += 1;
    }
    codes
}

/// The shape between two sides.
///
/// Nine cells are two sets of bits, the left ones from bit 3 down: own stones, and empty cells.
fn shape(left: u32, right: u32) -> u8 {
    let sides = |left: u32, right: u32| left.reverse_bits() >> 28 | right << 5;
    let free = |code: u32| (1 << code.ilog2()) - 1;
    let own = |code: u32| code & free(code);
    let stones = sides(own(left), own(right)) | 16;
    let empty = sides(free(left), free(right)) & !stones;
    // In how many ways one more stone makes five in a row.
    let is_five = |stones: u32| (0..5).any(|n| stones >> n & 31 == 31);
    let cells = || (0..9).map(|n| 1 << n).filter(move |cell| empty & cell != 0);
    let ways = |stones: u32| {
        let free = cells().filter(|cell| stones & cell == 0);
        free.filter(|cell| is_five(stones | cell)).count()
    };
    if is_five(stones) {
        return 7;
    }
    // With no stone, one or two added before it, where that helps most.
    let none = ways(stones);
    let one = cells().map(|a| ways(stones | a)).max().unwrap_or(0);
    let two = cells().flat_map(|a| cells().filter(move |b| *b != a).map(move |b| a | b));
    let two = two.map(|both| ways(stones | both)).max().unwrap_or(0);
    match (none, one, two) {
        (2.., _, _) => 6,
        (1, _, _) => 5,
        (_, 2.., _) => 4,
        (_, 1, _) => 3,
        (_, _, 2..) => 2,
        (_, _, 1) => 1,
        _ => 0,
    }
}
