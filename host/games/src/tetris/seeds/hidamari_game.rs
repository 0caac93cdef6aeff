//! The game of Hidamari: its own search in its own field.
//!
//! Source and field: [`super::hidamari_field`]. The first piece is I, J, L or
//! T; the others come in bags of seven, shuffled by seven swaps of two random
//! places each, which does not make every order quite as likely.

use super::hidamari::best_plan;
use super::hidamari_field::Field;
use super::random::Random;
use super::{Locked, OwnGame};
use crate::tetris::board::Board;
use crate::tetris::piece::Piece;

/// Playable rows.
const ROWS: usize = 22;

/// A game under way.
#[derive(Debug, Clone)]
pub(super) struct HidamariGame {
    field: Field,
    next: Piece,
    bag: Vec<Piece>,
    random: Random,
    moves: u64,
}

impl HidamariGame {
    /// Game `game` of the session `seed`.
    pub(super) fn new(seed: u64, game: u64) -> Self {
        let mut random = Random::new(seed, game);
        let first = [Piece::I, Piece::J, Piece::L, Piece::T][random.below(4)];
        let mut new = Self {
            field: Field::empty(ROWS, first),
            next: first,
            bag: Vec::new(),
            random,
            moves: 0,
        };
        new.next = new.deal();
        new
    }

    fn deal(&mut self) -> Piece {
        if self.bag.is_empty() {
            self.bag = shuffled(&mut self.random);
        }
        self.bag.pop().unwrap_or(Piece::I)
    }
}

/// A bag, dealt from its end.
fn shuffled(random: &mut Random) -> Vec<Piece> {
    use Piece::{I, J, L, O, S, T, Z};
    let mut bag = vec![I, J, L, O, S, T, Z];
    for _ in 0..7 {
        let (a, b) = (random.below(7), random.below(7));
        bag.swap(a, b);
    }
    bag.reverse();
    bag
}

impl OwnGame for HidamariGame {
    fn step(&mut self) -> Option<Locked> {
        if self.field.over() {
            return None;
        }
        let piece = self.field.piece();
        let plan = best_plan(&self.field, Some(self.next), |_| true)?;
        let (rotation, column, row) = plan.play(&mut self.field, self.next)?;
        self.next = self.deal();
        self.moves += 1;
        let cells = &piece.rotations()[rotation];
        Some(Locked::at(piece, cells, column, row))
    }

    fn moves(&self) -> u64 {
        self.moves
    }

    fn lines(&self) -> u64 {
        self.field.lines()
    }

    fn board(&self) -> Board {
        self.field.board()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_piece_is_never_o_s_or_z_and_bags_hold_each_once() {
        let mut firsts = [0; 7];
        for game in 0..200 {
            let game = HidamariGame::new(5, game);
            firsts[usize::from(game.field.piece().number())] += 1;
        }
        for piece in [Piece::O, Piece::S, Piece::Z] {
            assert_eq!(firsts[usize::from(piece.number())], 0);
        }
        let mut bag = shuffled(&mut Random::new(1, 0));
        bag.sort();
        assert_eq!(bag, Piece::ALL);
    }
}
