//! What people see of a session while it runs, and at its end.

pub mod agreement;
pub mod bench;
pub mod boards;
pub mod explain;
pub mod histogram;
pub mod numbers;
pub mod record;
pub mod signature;
pub mod soak;
pub mod strength;
pub mod summary;
mod table;
pub mod terminal;
pub mod trace;
pub mod training;
pub mod watch;

use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lockstep_games::{Game, Noun};

pub const GOOD: Style = AnsiColor::Green.on_default().bold();
pub const BAD: Style = AnsiColor::Red.on_default().bold();
pub const STRONG: Style = Style::new().bold();

/// `1 piece`, `12,345 pieces`.
pub fn count(n: u64, noun: Noun) -> String {
    format!("{} {}", indicatif::HumanCount(n), noun.of(n))
}

pub const DECISIONS: Noun = Noun {
    one: "decision",
    many: "decisions",
};
pub const GAMES: Noun = Noun {
    one: "game",
    many: "games",
};

/// The kind of move to be decided; `None` of a game with a single kind.
pub fn kind<G: Game>(position: &G::Position) -> Option<&'static str> {
    let class = G::class(position);
    (class != G::WORDS.step.one).then_some(class)
}

/// A progress bar on standard error. `shown`: whether it is drawn; it counts in any case.
pub fn bar(length: u64, template: &str, shown: bool) -> ProgressBar {
    let target = match shown {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let bar = ProgressBar::with_draw_target(Some(length), target);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    if shown {
        bar.enable_steady_tick(Duration::from_millis(250));
    }
    bar
}

/// Columns of the terminal that standard output is; 80 where it is none.
pub fn width() -> usize {
    screen().0
}

/// Columns and rows of the terminal that standard output is; 80 and 24 where it
/// is none.
pub fn screen() -> (usize, usize) {
    let terminal = console::Term::stdout();
    if !terminal.is_term() {
        return (80, 24);
    }
    let (rows, columns) = terminal.size();
    (usize::from(columns).max(20), usize::from(rows).max(4))
}
