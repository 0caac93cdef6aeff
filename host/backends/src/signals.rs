//! The signals of each game's core that a waveform shows, a file for each game.

use lockstep_explain::waves::Signals;

/// Signals of a module: format, path below the module and, if the path is unclear, a name. With a
/// title they are a group.
macro_rules! signals {
    ($title:literal, $($signals:tt)+) => { ($title, signals!($($signals)+)) };
    ($scope:literal: $($kind:ident $path:literal $(as $name:literal)?),+ $(,)?) => {
        &[$(signals!(@ $kind concat!($scope, $path), $path $(, $name)?)),+]
    };
    (@ $kind:ident $path:expr, $tail:literal) => { signals!(@ $kind $path, $tail, $tail) };
    (@ $kind:ident $path:expr, $tail:literal, $name:literal) => {
        lockstep_explain::waves::Signal::$kind($path, $name)
    };
}

// After the macro, which they use.
mod connect4;
mod gomoku;
mod tetris;

pub use connect4::CONNECT4;
pub use gomoku::GOMOKU;
pub use tetris::{TETRIS, TETRIS_LANES};

/// The signals of each core, by the name of its game and its name among the game's cores.
pub const CORES: &[(&str, &str, &Signals)] = &[
    ("connect4", "", &CONNECT4),
    ("gomoku", "", &GOMOKU),
    ("tetris", "", &TETRIS),
    ("tetris", "lanes", &TETRIS_LANES),
];

/// The signals of a game's core; none for an unknown one.
pub fn of(game: &str, core: &str) -> &'static Signals {
    const NONE: &Signals = &Signals {
        groups: &[],
        candidates: &[],
        begins: "",
        answers: "",
        clock: "",
    };
    let named = CORES.iter().find(|(g, c, _)| (*g, *c) == (game, core));
    named.map_or(NONE, |(_, _, signals)| signals)
}
