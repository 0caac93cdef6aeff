//! Tests of sessions with a game of their own, tic-tac-toe, and scripted backends. They need neither
//! Tetris nor Verilator.

mod a_hang;
mod clients;
mod compressed;
mod core;
mod exec;
mod fake;
mod game;
mod heads;
mod limit;
mod listeners;
mod ports;
mod programs;
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
