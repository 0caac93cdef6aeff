//! Measures the coverage of the cores' RTL, and of their requests and answers.
//!
//! Read in this order:
//! - `bins`: counts requests, positions and answers on the host's side; `watch`: the bins of the
//!   wire; `cover`: the bins of a game, with positions that hit them and requests that its core
//!   refuses (`tetris`, `connect4`, `gomoku`).
//! - `measure`: runs games and the benches of whole cores on models with counters.
//! - `data`: reads the models' counters; `waivers`: reads the points that cannot be reached;
//!   `report`: the result, as lcov and as a document.

mod bins;
mod connect4;
mod cover;
mod data;
mod gomoku;
mod measure;
mod report;
mod tetris;
pub mod waivers;
mod watch;

pub use cover::Cover;
pub use measure::{Effort, MeasureError, Subject, measure};
pub use report::CoverageReport;
pub(crate) use watch::{Watch, streams};
