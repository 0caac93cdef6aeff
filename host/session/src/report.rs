//! Sums a session up, and draws its positions as text.

pub mod tally;
pub mod text;
pub mod totals;

pub use tally::Tally;
pub use totals::{BackendTotals, MOST_GAMES, Totals};
