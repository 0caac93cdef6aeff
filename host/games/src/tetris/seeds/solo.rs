//! A program's own game for whoever watches it.

use super::{OwnGame, Policy};
use crate::tetris::picture::with_piece;
use crate::{Picture, Solo};

/// Game `game` of the session `seed` as the program plays it; `None` when it has
/// no rules of its own.
pub fn solo(policy: &dyn Policy, seed: u64, game: u64) -> Option<Box<dyn Solo>> {
    policy
        .own_game(seed, game)
        .map(|game| Box::new(Watched(game)) as Box<dyn Solo>)
}

struct Watched(Box<dyn OwnGame>);

impl Solo for Watched {
    /// The board before the piece, with the piece where it was locked.
    fn step(&mut self) -> Option<Picture> {
        let board = self.0.board();
        let locked = self.0.step()?;
        Some(with_piece(&board, locked.piece, &locked.cells))
    }

    fn moves(&self) -> u64 {
        self.0.moves()
    }

    fn score(&self) -> u64 {
        self.0.lines()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tetris::seeds::policies;

    #[test]
    fn every_locked_piece_is_shown_in_its_cells() {
        for policy in policies() {
            let Some(mut shown) = solo(policy, 5, 0) else {
                continue;
            };
            let mut game = policy.own_game(5, 0).unwrap();
            for _ in 0..40 {
                let mut expected = game.step().unwrap().cells.to_vec();
                let picture = shown.step().unwrap();
                let rows = picture.rows();
                let columns = picture.columns();
                let cells = picture.lines().flatten().enumerate();
                let marked = cells.filter(|(_, cell)| cell.marked);
                let mut found: Vec<[usize; 2]> = marked
                    .map(|(at, _)| [at % columns, rows - 1 - at / columns])
                    .collect();
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected, "{}", policy.name());
            }
            assert_eq!((shown.moves(), shown.score()), (game.moves(), game.lines()));
        }
    }
}
