//! End-to-end tests: RTL and engine against golden model, wire, explanations, soaks, seeded faults,
//! rules of the repository.

mod agreement;
mod connect4;
mod engine;
mod explain;
mod faults;
mod frames;
mod gomoku;
#[path = "../host/session/tests/toy/limit.rs"]
mod limit;
mod line;
#[cfg(feature = "netlist")]
mod netlist;
mod play;
#[path = "../host/session/tests/cores/positions.rs"]
mod positions;
mod records;
mod repository;
mod soak;
mod support;
mod trace;
