//! Hidamari's own game: its search in its field.
//!
//! Source and field: [`super::hidamari_field`]. The first piece is I, J, L or T; the others are
//! dealt from bags of seven. A bag is shuffled by seven swaps of two random places each, so not all
//! orders are equally likely.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng as _;

use super::hidamari::best_plan;
use super::hidamari_field::Field;
use super::{Locked, OwnGame};
use crate::random::{below, game_seed};
use crate::tetris::{Board, Piece};

/// Number of playable rows.
const ROWS: usize = 22;

/// A running game.
#[derive(Debug, Clone)]
pub(super) struct HidamariGame {
    field: Field,
    next: Piece,
    bag: Vec<Piece>,
    random: SplitMix64,
    moves: u64,
}

impl HidamariGame {
    /// Game `game` of the session `seed`.
    pub(super) fn new(seed: u64, game: u64) -> Self {
        let mut random = SplitMix64::seed_from_u64(game_seed(seed, game));
        let first = [Piece::I, Piece::J, Piece::L, Piece::T][below(&mut random, 4)];
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

/// A shuffled bag, which is dealt from its end.
fn shuffled(random: &mut SplitMix64) -> Vec<Piece> {
    use Piece::{I, J, L, O, S, T, Z};
    let mut bag = vec![I, J, L, O, S, T, Z];
    for _ in 0..7 {
        let (a, b) = (below(random, 7), below(random, 7));
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
    fn game_first_piece_is_i_j_l_or_t_and_bags_have_each_once() {
        let mut firsts = [0; 7];
        for game in 0..200 {
            let game = HidamariGame::new(5, game);
            firsts[usize::from(game.field.piece().number())] += 1;
        }
        for piece in [Piece::O, Piece::S, Piece::Z] {
            assert_eq!(firsts[usize::from(piece.number())], 0);
        }
        let mut bag = shuffled(&mut SplitMix64::seed_from_u64(1));
        bag.sort();
        assert_eq!(bag, Piece::ALL);
    }
}
