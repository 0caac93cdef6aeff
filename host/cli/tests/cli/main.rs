//! The command line under right, wrong and unusual use: exit status, output and files.

mod bench;
mod boards;
mod challenge;
mod challenge_page;
mod chromium;
mod connect4;
mod contracts;
#[path = "../../../session/tests/toy/core.rs"]
mod core;
mod decide;
mod exec;
mod explain;
mod faults;
mod flash;
mod gomocup;
mod gomoku;
mod hostile;
mod info;
mod interrupt;
mod labgrid;
mod matches;
mod names;
mod pictures;
mod place;
mod play;
mod programs;
mod pty;
mod recorded;
mod records;
mod replays;
mod reports;
mod resume;
mod running;
mod serve;
mod shards;
mod soak;
mod strength;
mod support;
mod terminal;
mod train;
mod tui;
mod view;
mod watch;
#[path = "../../../../tests/explain/waves.rs"]
mod waves;
mod wrong;
#[cfg(target_os = "linux")]
mod wujian;

use serde_json::Value;

use crate::place::{Place, other_piece, rows};
use crate::support::*;

/// The slowest backend without a fault, at its fastest rate.
const PINS: &str = "sim-uart:baud=12000000";
/// A backend that differs from the others in every first decision.
const FAULTY: &str = "sim:fault=landing-height-off-by-one";
/// A backend whose choice differs in the first games.
const WRONG_CHOICE: &str = "sim:fault=well-at-wall";
/// An empty board as a line of `decide`.
const EMPTY: &str = r#"{"board":[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0],"piece":"T"}"#;
