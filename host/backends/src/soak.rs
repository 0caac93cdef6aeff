//! Compares a backend that plays by itself for a long time with the engine, at every checkpoint.
//!
//! - [`reference`](mod@reference): the plan and state of a soak, and the engine's answers.
//! - [`ask`](mod@ask): sends requests to a backend and finds the first wrong checkpoint.
//! - [`run`]: plays from any state to the end, or to the first wrong checkpoint.
//! - [`search`]: narrows a wrong checkpoint down to the first wrong decision.

pub mod ask;
pub mod reference;
pub mod run;
pub mod search;

pub use reference::{KIND, Reference, SoakMode, SoakPlan, SoakState};
pub use run::{Soak, SoakEnd, Watch};
pub use search::{Finding, Recurrence, WrongDecision};
