//! Games of the seeds' programs by their own rules.
//!
//! Their decisions hang on more than board and piece (gravity, pieces still
//! falling beside), so no backend can be asked them: the program plays, and the
//! sinks are told as in a [`session`](crate::session) with one backend.

use std::io;

use crate::backend::{Answer, Identity};
use crate::event::{End, Event, Header, Round, Sink};
use crate::games::tetris::piece::{Piece, height, width};
use crate::games::tetris::seeds::{Locked, OwnGame, Policy};
use crate::games::tetris::{Placement, Position, Score, Tetris};

/// What plays, for a session's header.
pub fn identity(policy: &dyn Policy) -> Identity {
    Identity {
        name: "program".into(),
        description: format!("{}, by its own rules", policy.summary()),
        core: None,
        lookahead: policy.lookahead(),
    }
}

/// Games to play.
pub struct Games<'a> {
    /// The program.
    pub policy: &'static dyn Policy,
    /// Seed of the session.
    pub seed: u64,
    /// How many.
    pub games: u64,
    /// Pieces after which one is stopped.
    pub max_moves: u64,
    /// Returns true once the user wants no more.
    pub stop: &'a dyn Fn() -> bool,
}

impl Games<'_> {
    /// Plays them; none when the program has no rules of its own.
    ///
    /// # Errors
    /// When a sink cannot write.
    pub async fn play(
        &self,
        header: &Header<Tetris>,
        sinks: &mut [&mut dyn Sink<Tetris>],
    ) -> io::Result<()> {
        let mut tell = |event: &Event<'_, Tetris>| -> io::Result<()> {
            sinks.iter_mut().try_for_each(|sink| sink.take(event))
        };
        tell(&Event::Started(header))?;
        let mut end = End::Over;
        for number in 0..self.games {
            let Some(mut game) = self.policy.own_game(self.seed, number) else {
                break;
            };
            tell(&Event::GameStarted { game: number })?;
            end = self.play_game(&mut *game, number, &mut tell).await?;
            tell(&Event::GameEnded {
                game: number,
                moves: game.moves(),
                score: game.lines(),
                end,
            })?;
            if end == End::Interrupted {
                break;
            }
        }
        let interrupted = end == End::Interrupted;
        tell(&Event::Ended { interrupted })
    }

    async fn play_game(
        &self,
        game: &mut dyn OwnGame,
        number: u64,
        tell: &mut dyn FnMut(&Event<'_, Tetris>) -> io::Result<()>,
    ) -> io::Result<End> {
        for step in 0..self.max_moves {
            // Lets the interrupt be heard.
            tokio::task::yield_now().await;
            if (self.stop)() {
                return Ok(End::Interrupted);
            }
            let board = game.board();
            let Some(locked) = game.step() else {
                return Ok(End::Over);
            };
            let position = Position {
                board,
                piece: locked.piece,
                next: None,
            };
            let answers = [Answer {
                decision: placement(&locked),
                cycles: None,
            }];
            tell(&Event::Decided(Round {
                game: number,
                step,
                position: &position,
                recorded: None,
                answers: &answers,
                mismatches: &[],
            }))?;
        }
        Ok(End::Limit)
    }
}

/// Where a piece was locked, as a placement without a score.
fn placement(locked: &Locked) -> Option<Placement> {
    let column = locked.cells.iter().map(|cell| cell[0]).min()?;
    let row = locked.cells.iter().map(|cell| cell[1]).min()?;
    let rotation = rotation(locked.piece, &locked.cells, column, row)?;
    Some(Placement {
        rotation,
        column,
        row,
        rows_cleared: 0,
        score: Score(0),
    })
}

/// The rotation with those cells once its lower left corner is there.
fn rotation(piece: Piece, cells: &[[usize; 2]; 4], column: usize, row: usize) -> Option<usize> {
    piece.rotations().iter().position(|shape| {
        let reach = |at: usize| cells.iter().map(move |cell| cell[at]).max();
        reach(0) == Some(column + width(shape) - 1)
            && reach(1) == Some(row + height(shape) - 1)
            && shape
                .iter()
                .all(|(c, r)| cells.contains(&[column + c, row + r]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::tetris::seeds::policies;

    #[test]
    fn every_locked_piece_is_a_placement_of_its_cells() {
        for policy in policies() {
            let Some(mut game) = policy.own_game(5, 0) else {
                continue;
            };
            for _ in 0..40 {
                let locked = game.step().unwrap();
                let mut cells = placement(&locked).unwrap().cells(locked.piece);
                let mut expected = locked.cells.to_vec();
                cells.sort_unstable();
                expected.sort_unstable();
                assert_eq!(cells, expected, "{}", policy.name());
            }
        }
    }
}
