//! Reads the arguments of the program.

use clap::{Arg, Command, CommandFactory, FromArgMatches};

/// The arguments, or why there are none: they are wrong, or help was asked for.
/// For every option `-1` is a value, which it may refuse by name, and not
/// another option that nobody knows.
///
/// # Errors
/// What is to be printed instead, with its exit status.
pub fn parse<C: CommandFactory + FromArgMatches>() -> Result<C, clap::Error> {
    let mut command = with_negative_numbers(C::command());
    let matches = command.try_get_matches_from_mut(std::env::args_os())?;
    C::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
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
