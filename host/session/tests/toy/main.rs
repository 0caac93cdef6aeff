//! The session with a game of its own: tic-tac-toe, and backends that do as they
//! are told. Nothing here plays Tetris or needs Verilator.

mod clients;
mod compressed;
mod core;
#[cfg(unix)]
mod exec;
mod fake;
mod game;
mod limit;
mod links;
mod listeners;
mod open;
mod ports;
mod recorded;
mod records;
mod replays;
mod resume;
mod scripted;
mod searches;
mod seats;
mod sessions;
mod software;
mod streaming;
mod streams;
mod support;
mod tally;
mod tcp;
mod thinking;
