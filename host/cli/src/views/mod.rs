//! What people see of a session while it runs, and at its end.

pub mod bench;
pub mod histogram;
pub mod numbers;
pub mod signature;
pub mod strength;
pub mod summary;
mod table;
pub mod terminal;
pub mod training;
pub mod watch;

use anstyle::{AnsiColor, Style};
use lockstep_games::Noun;

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

/// Columns of the terminal that standard output is; 80 where it is none.
pub fn width() -> usize {
    let (_, columns) = console::Term::stdout().size();
    match console::Term::stdout().is_term() {
        true => usize::from(columns).max(20),
        false => 80,
    }
}
