//! Soaking a backend: it plays by itself for as long as is wanted, and the engine plays the
//! same ahead of it, to be compared at every checkpoint.
//!
//! - [`reference`](mod@reference): the place of a soak, and the engine's answers from there on.
//! - [`ask`](mod@ask): the requests to a backend, and the first checkpoint that is wrong.
//! - [`run`]: from one place to the next until the end; it may begin at any.
//! - [`search`]: from a wrong checkpoint to the first wrong decision.

pub mod ask;
pub mod reference;
pub mod run;
pub mod search;

pub use reference::{KIND, Place, Plan, Way};
pub use run::{End, Soak, SoakError, Watch};
pub use search::{Finding, Isolated, Shown};
