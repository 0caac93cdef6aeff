//! Sums a session up, counts who wins, and draws its positions as text.

pub mod standings;
pub mod tally;
pub mod text;
pub mod totals;

pub use standings::{Results, Standings};
pub use tally::Tally;
pub use totals::{BackendTotals, MOST_GAMES, Totals};
