//! Gomoku has no bins of its own yet: its core is measured by the games of its controllers.

use lockstep_games::gomoku::Gomoku;

use super::cover::{Cover, NoBin};

impl Cover for Gomoku {
    type Bin = NoBin;

    const CONTROLLERS: &[&str] = &["lines", "wujian"];
}
