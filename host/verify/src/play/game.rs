//! The model of a game: answers of the AI core, sums, signature and board.

use lockstep_games::tetris::Piece;
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::piece::width;
use sim::Bits;

use super::plan::{Plan, Source};
use crate::core::played::signed;
use crate::random::Random;

/// An answer of the AI core, offered from the cycle `from` on.
pub struct Answer {
    pub from: u64,
    pub piece: Piece,
    /// Rotation, column, row.
    pub place: Option<[usize; 3]>,
    pub cleared: u64,
    pub score: i64,
    pub cycles: u64,
}

impl Answer {
    /// A random answer with the lowest placement, so that the board fills evenly.
    ///
    /// It has no placement if `lost`.
    pub fn any(board: &Board, piece: Piece, lost: bool, from: u64, random: &mut Random) -> Self {
        let mut places = Vec::new();
        for (rotation, cells) in piece.rotations().iter().enumerate() {
            for column in 0..=board.columns() - width(cells) {
                if let Some(row) = board.landing_row(cells, column) {
                    places.push([rotation, column, row]);
                }
            }
        }
        Self {
            from,
            piece,
            place: places.into_iter().min_by_key(|p| p[2]).filter(|_| !lost),
            cleared: random.below(32),
            score: random.bits() as i64 >> 16,
            cycles: random.bits() >> random.between(32, 63),
        }
    }

    pub fn bits(&self) -> Bits {
        let [rotation, column, row] = self.place.unwrap_or_default().map(|n| n as u64);
        Bits::packed(&[
            (self.place.is_some().into(), 1),
            (rotation, 2),
            (column, 4),
            (row, 5),
            (self.cleared, 5),
            (self.score as u64 & 0xffff_ffff_ffff, 48),
            (self.cycles, 32),
        ])
    }

    pub fn without_cycles(&self) -> Self {
        Self { cycles: 0, ..*self }
    }

    /// Puts the piece on its board, or empties the board.
    pub fn carry_out(&self, board: &mut Board) {
        let Some([rotation, column, row]) = self.place else {
            *board = Board::new(10, 20);
            return;
        };
        board.place(&self.piece.rotations()[rotation], column, row);
        board.clear_full_rows();
    }

    /// The value of its move in the signature.
    pub fn value(&self) -> u8 {
        self.place
            .map_or(255, |[rotation, column, _]| (10 * rotation + column) as u8)
    }
}

/// A game as `tetris_play` has to play it.
pub struct Game {
    pub plan: Plan,
    pub board: Board,
    pub requested: u32,
    pub answer: Option<Answer>,
    /// Pieces, games, rows, score, cycles.
    pub tally: [u64; 5],
    pub signature: u64,
    /// Pieces since the last checkpoint.
    pub since: u32,
    pub moves: Vec<u64>,
    pub taken: usize,
    pub over: bool,
}

impl Game {
    pub fn new(plan: Plan) -> Self {
        Self {
            board: plan.board.clone(),
            signature: plan.source.signature(),
            plan,
            requested: 0,
            answer: None,
            tally: [0; 5],
            since: 0,
            moves: Vec::new(),
            taken: 0,
            over: false,
        }
    }

    pub fn next_piece(&mut self) -> u8 {
        self.plan.source.next(self.requested)
    }

    pub fn is_checkpoint(&self) -> bool {
        matches!(self.plan.source, Source::Drawn { spacing, .. } if self.since == spacing)
    }

    /// Requests a decision on piece `number`; its answer is offered some cycles later.
    pub fn ask(&mut self, number: u64, now: u64, random: &mut Random) {
        let lost = self.plan.lost.contains(&self.requested);
        let from = now
            + if random.chance(70) {
                0
            } else {
                random.below(40)
            };
        let answer = Answer::any(&self.board, Piece::ALL[number as usize], lost, from, random);
        if let (false, Some([rotation, column, _])) = (self.plan.source.is_drawn(), answer.place) {
            self.moves.push((rotation << 4 | column) as u64);
        }
        self.answer = Some(answer);
        self.requested += 1;
    }

    /// Applies an answer that was taken.
    pub fn take(&mut self, answer: &Answer) {
        self.signature = signed(self.signature, answer.value());
        let lost = answer.place.is_none();
        let adds = [
            1,
            lost.into(),
            answer.cleared,
            answer.score as u64,
            answer.cycles,
        ];
        for (sum, adds) in self.tally.iter_mut().zip(adds) {
            *sum = sum.wrapping_add(adds);
        }
        self.since += 1;
        match lost && !self.plan.source.is_drawn() {
            true => self.over = true,
            false => answer.carry_out(&mut self.board),
        }
    }
}
