//! Controllers and positions of Tetris. The end-to-end tests use them, too.

use lockstep_games::tetris::{Controller, Position, Setup, Tetris};
use lockstep_games::{Golden as _, Match as _, Rules as _};

pub fn controller(name: &str) -> Controller {
    Controller::load(name).unwrap_or_else(|e| panic!("{e}"))
}

/// Different positions, whose decisions have different scores.
pub fn positions(n: u64) -> Vec<Position> {
    let probe = controller("probe");
    let mut state = Tetris::deal(&Setup::standard(3), 0);
    (0..n)
        .map(|_| {
            let position = state.position();
            let decision = Tetris::decide(&probe, &position).expect("a decision");
            state.apply(&decision).expect("by the rules");
            position
        })
        .collect()
}
