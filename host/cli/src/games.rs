//! The games of the command line, and the list of them.
//!
//! Every command is written once, for any [`CliGame`], and compiled for each game. Before the
//! arguments are parsed, [`pick`] finds their game. A game without formats of its own for decisions
//! uses the formats in `generic`.

pub mod connect4;
mod game;
mod generic;
pub mod pick;
pub mod tetris;

use std::process::ExitCode;

use futures::future::{FutureExt as _, LocalBoxFuture};
use lockstep::Stop;
use lockstep_games::connect4::Connect4;
use lockstep_games::tetris::Tetris;
#[cfg(feature = "faults")]
use lockstep_verify::coverage::Subject;

use crate::cli::Cli;
use crate::commands::info::describe;

pub use game::{
    About, BenchGame, ChooseController, CliGame, Deal, Examples, MAX_MOVES, NoCommands, NoOptions,
    OwnCommands, Program,
};

/// The games; the first is the default.
pub static GAMES: &[Entry] = &[Entry::of::<Tetris>(), Entry::of::<Connect4>()];

/// Describes a backend, given its name, its index among the opened ones, and whether to be quiet.
type Describe =
    for<'a> fn(&'a str, usize, bool, &'a Stop) -> LocalBoxFuture<'a, anyhow::Result<Vec<u8>>>;

/// A game of the list.
pub struct Entry {
    pub name: &'static str,
    /// The whole command line with this game's options.
    pub command: fn() -> clap::Command,
    /// Commands of other games that it does not have, with the reason.
    pub lacks: &'static [(&'static str, &'static str)],
    /// Parses the arguments as this game's and runs the command.
    pub main: fn() -> ExitCode,
    /// Describes one of its backends.
    pub describe: Describe,
    /// Its core, for coverage.
    #[cfg(feature = "faults")]
    pub subject: Subject,
    /// Names of its built-in controllers.
    pub presets: fn() -> Vec<&'static str>,
    /// Whether a line is a position of this game.
    pub reads: fn(&str) -> bool,
}

impl Entry {
    const fn of<G: CliGame>() -> Self {
        Self {
            name: G::NAME,
            command: <Cli<G> as clap::CommandFactory>::command,
            lacks: G::LACKS,
            main: crate::main_of::<G>,
            describe: |name, index, quiet, stop| {
                describe::<G>(name, index, quiet, stop).boxed_local()
            },
            #[cfg(feature = "faults")]
            subject: Subject::of::<G>(),
            presets: G::presets,
            reads: |line| serde_json::from_str::<G::Position>(line).is_ok(),
        }
    }
}
