//! Sums a session up, and draws its positions as text.

pub mod text;
pub mod totals;

pub use totals::{BackendTotals, Totals};
