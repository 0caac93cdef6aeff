//! Prints errors with their exit status, and makes text from outside printable.

use std::fmt;
use std::io;
use std::process::ExitCode;

use lockstep::SessionError;
use lockstep::record::{RecordError, RecordErrorKind};
use lockstep::text::printable;
use lockstep_report::actions;

use super::BAD;

/// Exit status of a command that was interrupted.
pub const INTERRUPTED: u8 = 130;
/// Exit status of wrong use and of a failure.
const FAILED: u8 = 2;
/// Exit status of a program that SIGPIPE ended, as a shell reports it.
const BROKEN_PIPE: u8 = 141;

#[derive(Debug)]
struct Several(Vec<anyhow::Error>);

impl fmt::Display for Several {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<_> = self.0.iter().map(|error| format!("{error:#}")).collect();
        f.write_str(&all.join("; "))
    }
}

impl std::error::Error for Several {}

/// Combines the errors of several results, each once.
pub fn all(results: impl IntoIterator<Item = anyhow::Result<()>>) -> anyhow::Result<()> {
    let mut failed: Vec<anyhow::Error> = Vec::new();
    for error in results.into_iter().filter_map(Result::err) {
        let errors = match error.downcast() {
            Ok(Several(errors)) => errors,
            Err(error) => vec![error],
        };
        for error in errors {
            let text = format!("{error:#}");
            if failed.iter().all(|other| format!("{other:#}") != text) {
                failed.push(error);
            }
        }
    }
    match failed.len() {
        0 => Ok(()),
        1 => Err(failed.remove(0)),
        _ => Err(Several(failed).into()),
    }
}

/// Prints the error of a command, and returns the exit status of the program.
pub fn fail(error: &anyhow::Error) -> ExitCode {
    let errors = match error.downcast_ref::<Several>() {
        Some(Several(errors)) => errors.iter().collect(),
        None => vec![error],
    };
    let mut status = BROKEN_PIPE;
    for error in errors {
        if is_interrupt(error) {
            return ExitCode::from(INTERRUPTED);
        }
        // The reader of our output has gone: not worth a word.
        if !is_broken_pipe(error) {
            status = FAILED;
            let text = shown(format!("{error:#}"));
            anstream::eprintln!("{BAD}error:{BAD:#} {text}");
            if in_actions() {
                anstream::eprint!("{}", actions::error("lockstep", &text));
            }
        }
    }
    ExitCode::from(status)
}

/// Whether this is a step of GitHub Actions, which shows annotations.
pub fn in_actions() -> bool {
    std::env::var("GITHUB_ACTIONS").is_ok_and(|value| value == "true")
}

/// Whether a command ended because the user interrupted it.
pub fn is_interrupt(error: &anyhow::Error) -> bool {
    let reading = error.downcast_ref::<RecordError>().map(|error| &error.kind);
    matches!(reading, Some(RecordErrorKind::Interrupted))
        || matches!(error.downcast_ref(), Some(SessionError::Interrupted))
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error.chain().any(|cause| {
        cause.downcast_ref().is_some_and(broken)
            || matches!(cause.downcast_ref(), Some(SessionError::Listener(e)) if broken(e))
    })
}

/// Maximum length of an error that is shown, in characters: of its beginning, which names the
/// place, and of its end, which has the remedy.
const SHOWN: (usize, usize) = (1_400, 600);

/// A text as one line for a terminal or a log.
///
/// A long text is cut in the middle, and characters that act on a terminal are escaped.
pub fn shown(text: impl fmt::Display) -> String {
    let text = text.to_string();
    let count = text.chars().count();
    let (first, last) = SHOWN;
    if count <= first + last {
        return printable(&text);
    }
    let begin: String = text.chars().take(first).collect();
    let end: String = text.chars().skip(count - last).collect();
    printable(&format!("{begin} … {end}"))
}

/// A message of several lines, each of which is passed to [`shown`].
pub fn shown_lines(text: &str) -> String {
    text.lines().map(shown).collect::<Vec<_>>().join("\n")
}

/// A word of a printed command, quoted for a POSIX shell if necessary.
pub fn quoted(word: impl fmt::Display) -> String {
    let word = shown(word);
    // `shlex` quotes some of these, too.
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word;
    }
    shlex::try_quote(&word).map_or_else(|_| word.clone(), Into::into)
}
