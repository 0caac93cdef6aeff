//! Reads the arguments of the program.

use std::ffi::{OsStr, OsString};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, CommandFactory, FromArgMatches};

/// The arguments, or why there are none: they are wrong, or help was asked for.
/// For every option `-1` is a value, which it may refuse by name, and not
/// another option that nobody knows.
///
/// # Errors
/// What is to be printed instead, with its exit status.
pub fn parse<C: CommandFactory + FromArgMatches>() -> Result<C, clap::Error> {
    let mut command = with_negative_numbers(C::command());
    if let Some(broken) = std::env::args_os().find(|argument| has_line_break(argument)) {
        let why =
            format!("the argument {broken:?} has a line break in it: names are one line of text");
        return Err(command.error(ErrorKind::InvalidValue, why));
    }
    let words: Vec<_> = std::env::args_os().collect();
    let matches = command.try_get_matches_from_mut(&words);
    let matches = matches.map_err(|error| with_tip(error, &command, &words))?;
    C::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// The error with what helps: an example where an argument is not known, and the option
/// for one seat where an option for all of them stands twice.
fn with_tip(mut error: clap::Error, command: &Command, words: &[OsString]) -> clap::Error {
    let mut called = command;
    for word in words.iter().skip(1) {
        called = called.find_subcommand(word).unwrap_or(called);
    }
    let one_seat = called
        .get_arguments()
        .find(|arg| arg.get_long() == Some("seat"));
    let tip = match error.kind() {
        ErrorKind::UnknownArgument if error.get(ContextKind::SuggestedArg).is_none() => {
            let help = called.get_after_help().map(ToString::to_string);
            help.map(|help| help.replace("Examples:\n", "for example\n"))
        }
        ErrorKind::ArgumentConflict if one_seat.is_some_and(|arg| !arg.is_hide_set()) => {
            Some("--seat SEAT=NAME gives one seat another controller".into())
        }
        _ => None,
    };
    if let Some(tip) = tip {
        let tips = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tips);
    }
    error
}

/// Whether what tells of a file of that name would go on in another line, which whoever reads
/// line by line (a CI's commands in logs) would take for ours.
pub fn has_line_break(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    bytes.iter().any(|byte| matches!(byte, b'\n' | b'\r'))
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
