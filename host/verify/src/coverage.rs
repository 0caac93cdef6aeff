//! Measures the coverage of the cores' RTL, and of their requests and answers.
//!
//! Read in this order:
//! - `bins`: counts requests, positions and answers on the host's side; `watch`: the bins of the
//!   wire; `cover`: the bins of a game, with positions that hit them and requests that its core
//!   refuses (`tetris`, `connect4`, `gomoku`).
//! - `stimulus`: runs games (`games`) and the benches of whole cores on a model with counters.
//! - `data`: reads the models' counters; `waivers`: reads the points that cannot be reached.
//! - `measure`: a whole run; `report` and `document`: its result, as lcov and as a document.

mod bins;
mod connect4;
mod cover;
mod data;
mod document;
mod games;
mod gomoku;
mod measure;
pub mod report;
mod stimulus;
mod tetris;
pub mod waivers;
mod watch;

pub use cover::{Cover, NoBin};
pub use measure::{Effort, MeasureError, Subject, measure};
pub(crate) use watch::{Watch, streams};
