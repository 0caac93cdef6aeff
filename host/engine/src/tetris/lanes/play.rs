//! The fast loop.

use super::super::clear::Removal;
use super::super::game::Game;
use super::super::scale::Scale;
use super::super::shape::shape;
use super::pick::choose;
use super::place::{place, remove};
use super::{Plan, Wide};

/// Plays up to `pieces` pieces of `game`; `true` when one found no place.
#[inline(always)]
pub(in super::super) fn play<Q: Plan, L: Wide>(
    token: L::Token,
    game: &mut Game,
    scale: &Scale,
    pieces: u64,
) -> bool {
    for _ in 0..pieces {
        let piece = game.pieces.draw();
        let choice = choose::<Q, L>(token, &game.stack, scale, piece);
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
            return true;
        }
    }
    false
}
