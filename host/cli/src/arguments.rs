//! Reads the arguments of the program.

use std::ffi::OsStr;

use clap::error::ErrorKind;
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
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    C::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
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
