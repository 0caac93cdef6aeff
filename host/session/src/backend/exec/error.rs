//! Errors of programs that decide.

use std::io;
use std::time::Duration;

use super::process::LONGEST;
use crate::record::reason;
use crate::text::printable;

/// The error of a program that decides; it is never a divergence.
#[derive(Debug, thiserror::Error)]
pub enum ExecError {
    /// It cannot be started.
    #[error("{program} cannot be started: {why}. {}", remedy(program, why))]
    Start {
        /// First word of the command.
        program: String,
        /// Why.
        why: io::Error,
    },
    /// It ended.
    #[error(
        "the program ended ({status}){}; it must answer until its standard input ends",
        last(last_words)
    )]
    Ended {
        /// Exit status or signal.
        status: String,
        /// Last line of its standard error, quoted.
        last_words: Option<String>,
    },
    /// It goes on with its standard input or output closed.
    #[error(
        "the program closed its standard {stream} but still runs; it must answer every position"
    )]
    Closed {
        /// `input` or `output`.
        stream: &'static str,
    },
    /// It did not answer in time.
    #[error(
        "no answer within {} s{}; the program must flush its output after every line, and \
         exec:timeout=SECONDS,COMMAND allows it more time",
        limit.as_secs_f64(), unfinished(came)
    )]
    Timeout {
        /// The time limit.
        limit: Duration,
        /// The beginning of a line that came, quoted.
        came: Option<String>,
    },
    /// Its answer is no decision.
    #[error(
        "the program wrote {line}, which is not a decision: {why}. It must answer every position \
         with one line as `lockstep decide` writes it, and write anything else to standard error"
    )]
    NotADecision {
        /// The line, quoted.
        line: String,
        /// Why not.
        why: String,
    },
    /// It wrote more than its answers.
    #[error(
        "the program wrote {line} before it got the next position; it must write one line \
         for each position, and anything else to standard error"
    )]
    Extra {
        /// What it wrote, quoted.
        line: String,
    },
    /// A line does not end.
    #[error(
        "the program wrote a line longer than {LONGEST} bytes, which no decision is; it begins \
         with {line}"
    )]
    TooLong {
        /// Its beginning, quoted.
        line: String,
    },
    /// Its standard input or output fails.
    #[error("the program cannot be reached: {0}")]
    Pipe(io::Error),
}

impl ExecError {
    pub(super) fn not_a_decision(line: &[u8], why: &serde_json::Error) -> Self {
        Self::NotADecision {
            line: quoted(line),
            why: reason(why),
        }
    }
}

/// The remedy for a program that cannot be started.
fn remedy(program: &str, why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::PermissionDenied => format!(
            "Make it executable by `chmod +x {program}`, or name its interpreter, as in \
             exec:python3 {program}"
        ),
        _ => {
            "The command is split into words and no shell runs it; exec:sh -c '...' runs one".into()
        }
    }
}

fn last(words: &Option<String>) -> String {
    let words = words.as_ref();
    words.map_or_else(String::new, |words| {
        format!("; its standard error ends with {words}")
    })
}

fn unfinished(came: &Option<String>) -> String {
    let came = came.as_ref();
    came.map_or_else(String::new, |came| {
        format!(" but {came} without an end of line")
    })
}

/// Most characters of a line that are quoted.
const QUOTED: usize = 200;

/// A line in quotes for a message: shortened, with control characters escaped.
pub(super) fn quoted(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line.trim_ascii_end());
    let cut = match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.into_owned(),
    };
    format!("'{}'", printable(&cut))
}
