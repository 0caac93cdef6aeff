//! Reads the arguments of the program.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, FromArgMatches};

use crate::input::has_line_break;
use crate::input::suggest::nearest;

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

/// Adds a hint to an error.
///
/// For an unknown argument it is an example; for an option of all seats that is given twice, the
/// option for one seat.
fn with_tip(mut error: clap::Error, command: &Command, words: &[OsString]) -> clap::Error {
    let mut called = command;
    for word in words.iter().skip(1) {
        called = called.find_subcommand(word).unwrap_or(called);
    }
    let one_seat = called
        .get_arguments()
        .find(|arg| arg.get_long() == Some("seat"));
    // clap suggests names that share no more than a few letters.
    let context = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    let suggested = context(ContextKind::SuggestedArg);
    let is_alike = nearest(&context(ContextKind::InvalidArg), [suggested.as_str()]).is_some();
    if !suggested.is_empty() && !is_alike {
        error.remove(ContextKind::SuggestedArg);
        // It shows the suggested argument.
        error.remove(ContextKind::Usage);
    }
    if let Some(ContextValue::Strings(alike)) = error.remove(ContextKind::SuggestedSubcommand)
        && let Some(best) = alike.into_iter().last()
    {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::String(best));
    }
    let is_option = |word: &OsString| word.to_string_lossy().starts_with('-');
    let tip = match error.kind() {
        ErrorKind::UnknownArgument if words.get(1).is_some_and(is_option) => {
            Some("options stand after the command: lockstep play --game connect4".into())
        }
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

fn with_negative_numbers(command: Command) -> Command {
    let value = |argument: Arg| {
        let takes = argument.get_action().takes_values();
        argument.allow_negative_numbers(takes)
    };
    command
        .mut_args(value)
        .mut_subcommands(with_negative_numbers)
}
