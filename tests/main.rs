//! End-to-end tests: golden model against independent vectors, RTL and engine against golden model,
//! wire, explanations, soaks, seeded faults, rules of the repository.

mod agreement;
mod connect4;
mod engine;
mod explain;
#[path = "../host/session/tests/toy/fake.rs"]
mod fake;
mod faults;
mod frames;
mod gomoku;
#[path = "../host/session/tests/toy/limit.rs"]
mod limit;
mod line;
mod link;
#[cfg(feature = "netlist")]
mod netlist;
mod play;
mod records;
mod repository;
mod soak;
mod support;
mod trace;
mod vectors;
