//! The loop that plays whole games in lanes.

use super::super::clear::Removal;
use super::super::game::EngineGame;
use super::super::scalar::Choice;
use super::super::shape::shape;
use super::super::stack::Stack;
use super::Wide;
use super::place::{place, remove};
use lockstep_games::tetris::piece::Piece;

/// A job for [`run`].
pub(in super::super) enum Task<'a> {
    /// Choose a placement.
    Choose(&'a Stack, Piece),
    /// Play up to so many pieces of a game.
    Play(&'a mut EngineGame, u64),
}

/// The result of a [`Task`].
pub(in super::super) enum Outcome {
    /// The placement chosen.
    Chosen(Option<Choice>),
    /// Whether the game is lost.
    Played(bool),
}

/// Runs `task` with the decisions of `choose`.
///
/// One function for single decisions and whole games, so that `choose` is inlined only once.
#[inline(always)]
pub(in super::super) fn run<L: Wide>(
    token: L::Token,
    mut task: Task,
    choose: impl Fn(&Stack, Piece) -> Option<Choice>,
) -> Outcome {
    loop {
        let (stack, piece) = match &mut task {
            Task::Choose(stack, piece) => (*stack, *piece),
            Task::Play(_, 0) => return Outcome::Played(false),
            Task::Play(game, left) => {
                *left -= 1;
                let piece = game.pieces.draw();
                (&game.stack, piece)
            }
        };
        let choice = choose(stack, piece);
        let game = match &mut task {
            Task::Choose(..) => return Outcome::Chosen(choice),
            Task::Play(game, _) => game,
        };
        let lost = game.advance(choice.map(|c| (c.rotation, c.column)), |stack| {
            let Some(choice) = choice else { return 0 };
            if !choice.fills {
                place::<L>(token, stack, piece as usize, choice);
                return 0;
            }
            let shape = shape(piece, choice.rotation);
            let removal = Removal::new(stack, shape, choice.column, choice.row);
            place::<L>(token, stack, piece as usize, choice);
            remove::<L>(token, stack, removal.full << choice.row);
            removal.removed as u32
        });
        if lost {
            return Outcome::Played(true);
        }
    }
}
