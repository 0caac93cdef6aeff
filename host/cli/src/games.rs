//! The games, and the list of them.
//!
//! Every command is written once, for any [`CliGame`], and compiled for each game. A game without
//! formats of its own for decisions uses the formats in `generic`.

pub mod connect4;
mod game;
mod generic;
pub mod gomoku;
pub mod options;
pub mod searched;
pub mod tetris;

#[cfg(feature = "faults")]
use lockstep_verify::coverage::Subject;

#[cfg(feature = "sim")]
pub use game::Foreign;
pub use game::{About, Aim, BenchGame, CliGame, Deal, Examples, MAX_MOVES, Program};

/// An array of `$info::of::<G>()` for each game G; the first game is the default.
macro_rules! of_each_game {
    ($info:ident) => {
        [
            $info::of::<lockstep_games::tetris::Tetris>(),
            $info::of::<lockstep_games::connect4::Connect4>(),
            $info::of::<lockstep_games::gomoku::Gomoku>(),
        ]
    };
}
pub(crate) use of_each_game;

pub static GAMES: &[GameInfo] = &of_each_game!(GameInfo);

/// What commands need to know about a game other than their own.
#[derive(Clone, Copy)]
pub struct GameInfo {
    pub name: &'static str,
    /// Commands that the game lacks, with the reason.
    pub unsupported: &'static [(&'static str, &'static str)],
    /// The game's core, for coverage.
    #[cfg(feature = "faults")]
    pub subject: Subject,
    /// Whether a name is that of a controller of this game, built-in or in a file.
    pub loads: fn(&str) -> bool,
    /// Whether a text names a backend of this game.
    pub opens: fn(&str) -> bool,
    /// Whether a line is a position of this game.
    pub reads: fn(&str) -> bool,
}

impl GameInfo {
    pub const fn of<G: CliGame>() -> Self {
        Self {
            name: G::NAME,
            unsupported: G::UNSUPPORTED,
            #[cfg(feature = "faults")]
            subject: Subject::of::<G>(),
            loads: |name| G::load(name).is_ok(),
            opens: |text| G::backends().parse(text).is_ok(),
            reads: |line| serde_json::from_str::<G::Position>(line).is_ok(),
        }
    }

    /// Whether the game has that command.
    pub fn has(&self, command: &str) -> bool {
        self.unsupported.iter().all(|(name, _)| *name != command)
    }
}
