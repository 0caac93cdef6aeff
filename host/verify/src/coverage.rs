//! Coverage of the cores' RTL, and of their requests and answers.
//!
//! - `bins` count requests, positions and answers on the host's side: `watch` those of the
//!   wire, read off a link; `cover` a game's own, with positions that hit them and requests that
//!   its core refuses (`tetris`, `connect4`).
//! - `stimulus` runs all of that on a core whose model counts what it reaches (`games`, and the
//!   benches of whole cores).
//! - `data` reads what the models counted, `waivers` the places that cannot be reached;
//!   `report` puts them together, for lcov and as a document.

mod bins;
mod connect4;
mod cover;
mod data;
mod document;
mod games;
mod measure;
pub mod report;
mod stimulus;
mod tetris;
pub mod waivers;
mod watch;

pub use cover::{Cover, NoBin};
pub use measure::{Effort, MeasureError, Subject, measure};
pub(crate) use watch::{Watch, streams};
