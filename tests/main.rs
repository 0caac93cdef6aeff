//! The whole project tested as one: golden model against outside vectors, RTL
//! against golden model, wire, command line, seeded faults, repository rules.

mod agreement;
mod connect4;
mod engine;
mod explain;
#[path = "../host/session/tests/toy/fake.rs"]
mod fake;
mod faults;
mod frames;
#[path = "../host/session/tests/toy/limit.rs"]
mod limit;
mod line;
mod link;
#[cfg(feature = "netlist")]
mod netlist;
mod play;
mod rate;
mod records;
mod repository;
mod soak;
mod support;
mod trace;
mod vectors;
