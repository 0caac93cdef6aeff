//! The plan of a game: its inputs, and where it is stopped, lost or reset.

use std::collections::VecDeque;

use lockstep_games::tetris::board::Board;

use super::MOVES;
use crate::core::played::draw;
use crate::random::Random;
use crate::tetris::any_position;

/// Number of the piece O.
const O: u8 = 1;

pub struct Plan {
    pub board: Board,
    pub pieces: u32,
    pub source: Source,
    /// Stops the game after this number of requested pieces, and a number of cycles.
    pub stop: Option<(u32, u64)>,
    /// Indices of the pieces for which there is no placement.
    pub lost: Vec<u32>,
    /// Resets the game after this number of requested pieces.
    pub reset: Option<u32>,
    /// Moves are not taken until their queue is full.
    pub fills: bool,
}

pub enum Source {
    /// The numbers of the pieces.
    Given(Vec<u8>),
    Drawn {
        spacing: u32,
        generator: u64,
        signature: u64,
    },
}

impl Plan {
    pub fn any(random: &mut Random) -> Self {
        let mut plan = Self {
            board: any_position(random).board,
            pieces: random.between(1, 24) as u32,
            source: Source::Given(Vec::new()),
            stop: None,
            lost: Vec::new(),
            reset: None,
            fills: false,
        };
        if random.chance(50) {
            plan.source = Source::Drawn {
                spacing: random.between(1, 6) as u32,
                generator: random.bits(),
                signature: random.bits(),
            };
            plan.lost = (0..plan.pieces).filter(|_| random.chance(15)).collect();
            // The last piece, often at a checkpoint.
            if random.chance(50) {
                plan.lost.push(plan.pieces - 1);
                plan.source.spaced(random.choice(&[plan.pieces, 1]));
            }
        } else {
            let odd = random.chance(30);
            let number = |random: &mut Random| random.below(7) as u8;
            let numbers = (0..plan.pieces).map(|_| number(random)).collect();
            plan.source = Source::Given(numbers);
            if odd {
                plan.lost.push(random.below(plan.pieces.into()) as u32);
            }
        }
        if random.chance(50) {
            let last = u64::from(plan.pieces);
            let at = match random.below(3) {
                0 => last,
                1 => last - 1,
                _ => random.below(last + 1),
            };
            let cycles = random.choice(&[0, 0, 5, 15, 40]);
            plan.stop = Some((at as u32, random.below(cycles + 1)));
            if random.chance(50) && plan.source.is_drawn() && at > 0 {
                plan.lost.push(at as u32 - 1);
            }
        }
        if random.chance(10) {
            plan.reset = Some(random.below(plan.pieces.into()) as u32);
        }
        plan
    }

    /// A game with more pieces than a byte can count.
    pub fn long(random: &mut Random) -> Self {
        let pieces = random.between(260, 300) as u32;
        let source = Source::Drawn {
            spacing: random.between(100, 200) as u32,
            generator: random.bits(),
            signature: random.bits(),
        };
        Self {
            pieces,
            source,
            stop: None,
            lost: Vec::new(),
            reset: None,
            ..Self::any(random)
        }
    }

    /// A long game in which no piece has a placement.
    pub fn lost(random: &mut Random) -> Self {
        let plan = Self::long(random);
        Self {
            lost: (0..plan.pieces).collect(),
            ..plan
        }
    }

    /// A game that is stopped during a decision that loses it.
    pub fn lost_at_stop(random: &mut Random) -> Self {
        let at = random.between(5, 12) as u32;
        Self {
            stop: Some((at, 0)),
            lost: vec![at - 1],
            ..Self::long(random)
        }
    }

    /// A game whose pieces and spacing have small lower halves; it is stopped before either is
    /// reached.
    pub fn huge(random: &mut Random) -> Self {
        let [pieces, spacing] = [(); 2].map(|()| {
            let high = random.between(1, 0xffff) as u32;
            high << 16 | random.between(1, 5) as u32
        });
        let mut plan = Self::long(random);
        plan.pieces = pieces;
        plan.stop = Some((12, random.below(40)));
        plan.source.spaced(spacing);
        plan
    }

    /// A game with more moves than the queue holds: five O side by side fill two rows.
    pub fn full(random: &mut Random) -> Self {
        let pieces = random.between(MOVES + 1, 160) as u32;
        Self {
            board: Board::new(10, 20),
            pieces,
            source: Source::Given(vec![O; pieces as usize]),
            stop: None,
            lost: Vec::new(),
            reset: None,
            fills: true,
        }
    }
}

impl Source {
    pub fn is_drawn(&self) -> bool {
        matches!(self, Self::Drawn { .. })
    }

    /// The signature at the beginning.
    pub fn signature(&self) -> u64 {
        match self {
            Self::Given(_) => 0,
            Self::Drawn { signature, .. } => *signature,
        }
    }

    /// Sets the number of pieces between checkpoints.
    pub fn spaced(&mut self, by: u32) {
        if let Self::Drawn { spacing, .. } = self {
            *spacing = by;
        }
    }

    /// The number of the next piece, after `count` others.
    pub fn next(&mut self, count: u32) -> u8 {
        match self {
            Self::Given(numbers) => numbers[count as usize],
            Self::Drawn { generator, .. } => {
                let (number, state) = draw(*generator);
                *generator = state;
                number
            }
        }
    }

    /// The bytes of the given pieces, two pieces each, with their addresses.
    pub fn bytes(&self) -> VecDeque<(usize, u8)> {
        let Self::Given(numbers) = self else {
            return VecDeque::new();
        };
        let byte = |pair: &[u8]| pair[0] | pair.get(1).unwrap_or(&0xf) << 4;
        numbers.chunks(2).map(byte).enumerate().collect()
    }
}
