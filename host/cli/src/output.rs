//! The output of commands: text for people, JSON for programs, errors.
//!
//! [`terminal`], [`summary`] and [`agreement`] show a session; [`failure`] shows errors; [`files`]
//! checks and writes result files.

pub mod agreement;
pub mod failure;
pub mod files;
mod json;
pub mod named;
pub mod summary;
pub mod table;
pub mod terminal;
mod watch;

use std::io::{self, IsTerminal as _, Write};
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lockstep::report::Totals;
use lockstep_games::{Game, Noun};
use named::Named;

pub use json::Json;

pub const GOOD: Style = AnsiColor::Green.on_default().bold();
pub const BAD: Style = AnsiColor::Red.on_default().bold();
pub const STRONG: Style = Style::new().bold();

pub const DECISIONS: Noun = Noun {
    one: "decision",
    many: "decisions",
};
pub const GAMES: Noun = Noun {
    one: "game",
    many: "games",
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Agreed,
    Diverged,
    Interrupted,
}

impl Outcome {
    pub fn of(totals: &Totals) -> Self {
        match totals {
            _ if totals.divergences() > 0 => Self::Diverged,
            _ if totals.interrupted => Self::Interrupted,
            _ => Self::Agreed,
        }
    }
}

const STANDARD_OUTPUT: &str = "standard output";

/// Standard output, in colour if the terminal supports it; nothing if `silent`.
pub fn stdout(silent: bool) -> Box<dyn Write + Send> {
    match silent {
        true => Box::new(io::sink()),
        false => Box::new(Named::new(STANDARD_OUTPUT, anstream::stdout())),
    }
}

/// Standard output without colours, for data.
pub fn plain() -> impl Write {
    Named::new(STANDARD_OUTPUT, io::stdout())
}

/// A number with its noun: `1 piece`, `12,345 pieces`.
pub fn count(n: u64, noun: Noun) -> String {
    format!("{} {}", indicatif::HumanCount(n), noun.of(n))
}

/// The kind of move of a position; `None` for a game with a single kind.
pub fn kind<G: Game>(position: &G::Position) -> Option<&'static str> {
    let class = G::class(position);
    (class != G::WORDS.step.one).then_some(class)
}

/// Whether progress is shown: on a terminal, unless the command is silent.
pub fn is_drawn(silent: bool) -> bool {
    !silent && io::stderr().is_terminal()
}

/// A progress bar on standard error; if not `drawn`, it is invisible but still counts.
pub fn bar(length: impl Into<Option<u64>>, template: &str, drawn: bool) -> ProgressBar {
    let target = match drawn {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(length.into(), target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    if drawn {
        bar.enable_steady_tick(Duration::from_millis(250));
    }
    bar
}

/// Columns of the terminal on standard output; 80 without a terminal.
pub fn width() -> usize {
    screen().0
}

/// Columns and rows of the terminal on standard output; 80 and 24 without a terminal.
pub fn screen() -> (usize, usize) {
    let terminal = console::Term::stdout();
    if !terminal.is_term() {
        return (80, 24);
    }
    let (rows, columns) = terminal.size();
    (usize::from(columns).max(20), usize::from(rows).max(4))
}
