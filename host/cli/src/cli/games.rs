//! The command line of each game.

use std::process::ExitCode;

use clap::{Command, CommandFactory as _};
use futures::future::FutureExt as _;

use super::Cli;
use crate::commands::info::{Describe, describe};
use crate::games::options::{GAME_NAME, game_help, game_names};
use crate::games::{CliGame, GAMES, GameInfo, of_each_game};

/// The command lines; the first game is the default.
pub static COMMAND_LINES: &[CommandLine] = &of_each_game!(CommandLine);

/// The command line with a game's options.
pub struct CommandLine {
    pub game: GameInfo,
    pub command: fn() -> Command,
    /// Parses the arguments and runs the command.
    pub main: fn() -> ExitCode,
    /// Describes one of the game's backends.
    pub describe: Describe,
}

impl CommandLine {
    pub const fn of<G: CliGame>() -> Self {
        Self {
            game: GameInfo::of::<G>(),
            command: command::<G>,
            main: crate::main_of::<G>,
            describe: |name, index, run| describe::<G>(name, index, run).boxed_local(),
        }
    }
}

/// The clap command of a game; its help leaves out the commands that the game lacks. That of the
/// default game lists all, because without `--game` every command works.
pub fn command<G: CliGame>() -> Command {
    let unsupported = match G::NAME == GAMES[0].name {
        true => &[],
        false => G::UNSUPPORTED,
    };
    let all = with_examples(Cli::<G>::command()).mut_subcommands(with_games);
    unsupported.iter().fold(all, |command, (name, _)| {
        command.mut_subcommand(name, |lacking| lacking.hide(true))
    })
}

/// Has `--game` name only the games that have the command, if some lack it.
fn with_games(command: Command) -> Command {
    let name = command.get_name().to_owned();
    if GAMES.iter().all(|game| game.has(&name)) {
        return command;
    }
    command.mut_args(|arg| match arg.get_id() == GAME_NAME {
        true => arg.help(game_help(&name)).value_parser(game_names(&name)),
        false => arg,
    })
}

/// Puts a title above the examples of each command.
fn with_examples(command: Command) -> Command {
    let examples = command.get_after_help().map(ToString::to_string);
    let examples = examples.map(|examples| format!("Examples:\n  {examples}"));
    let titled = command.mut_subcommands(with_examples);
    examples.into_iter().fold(titled, Command::after_help)
}

/// The function that describes backends of the game called `game`.
pub fn describer(game: &str) -> Option<Describe> {
    let found = COMMAND_LINES.iter().find(|line| line.game.name == game);
    found.map(|line| line.describe)
}
