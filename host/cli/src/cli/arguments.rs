//! Reads the arguments of the program.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, FromArgMatches};

use super::games::COMMAND_LINES;
use crate::input::has_line_break;

/// Parses the arguments; `-1` is a value of any option, not an unknown option.
///
/// # Errors
/// Wrong arguments, or the requested help: the text to print, with its exit status.
pub fn parse<C: FromArgMatches>(command: Command) -> Result<C, clap::Error> {
    let mut command = with_negative_numbers(command);
    if let Some(broken) = std::env::args_os().find(|argument| has_line_break(argument)) {
        let why = format!("the argument {broken:?} has a line break; expected one line of text");
        return Err(command.error(ErrorKind::InvalidValue, why));
    }
    let words: Vec<_> = std::env::args_os().collect();
    let matches = command.try_get_matches_from_mut(&words);
    let matches = matches.map_err(|error| with_tip(error, &command, &words))?;
    C::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// Adds to the error of an unknown argument the game that has it, or an example.
fn with_tip(mut error: clap::Error, command: &Command, words: &[OsString]) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    let option = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    let option = option.unwrap_or_default();
    let other = option.strip_prefix("--").and_then(|long| {
        let has = |arg: &Arg| arg.get_long() == Some(long);
        let of = |command: Command| called(&command, words).get_arguments().any(has);
        COMMAND_LINES.iter().find(|line| of((line.command)()))
    });
    let is_option = |word: &OsString| word.to_string_lossy().starts_with('-');
    let tip = match other {
        _ if words.get(1).is_some_and(is_option) => {
            "options stand after the command: lockstep play --game connect4".into()
        }
        Some(other) => {
            let game = other.game.name;
            format!("{option} is an option of {game} (--game {game})")
        }
        None => {
            let help = called(command, words).get_after_help();
            let help = help.map(ToString::to_string).unwrap_or_default();
            help.replace("Examples:\n", "for example\n")
        }
    };
    let tips = ContextValue::StyledStrs(vec![tip.into()]);
    error.insert(ContextKind::Suggested, tips);
    error
}

/// The subcommand that the words call.
fn called<'a>(command: &'a Command, words: &[OsString]) -> &'a Command {
    words.iter().skip(1).fold(command, |called, word| {
        called.find_subcommand(word).unwrap_or(called)
    })
}

fn with_negative_numbers(command: Command) -> Command {
    let value = |argument: Arg| {
        let takes = argument.get_action().takes_values();
        argument.allow_negative_numbers(takes)
    };
    command
        .mut_args(value)
        .mut_subcommands(with_negative_numbers)
}
