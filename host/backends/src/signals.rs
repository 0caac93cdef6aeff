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
pub use tetris::TETRIS;

/// The signals of each game's core, by the game's name.
pub const GAMES: &[(&str, &Signals)] = &[
    ("connect4", &CONNECT4),
    ("gomoku", &GOMOKU),
    ("tetris", &TETRIS),
];

/// The signals of a game's core; none for an unknown game.
pub fn of(game: &str) -> &'static Signals {
    const NONE: &Signals = &Signals {
        groups: &[],
        candidates: &[],
        begins: "",
        answers: "",
        clock: "",
    };
    let named = GAMES.iter().find(|(name, _)| *name == game);
    named.map_or(NONE, |(_, signals)| signals)
}
