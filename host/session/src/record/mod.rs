//! Recorded sessions: versioned JSON lines, a header, a line a decision and a
//! last line that says it is whole.
//!
//! A record holds all that is needed to ask again: the controller in the
//! header, the position and the reference's decision in each line. Every line is
//! written as it is decided, with one system call, so that a session that ends
//! in any way leaves a record that can be replayed as far as it goes.

mod error;
mod read;
mod write;

use std::collections::BTreeMap;

use lockstep_games::Game;
use serde::{Deserialize, Serialize};

pub use error::RecordError;
pub use read::{Ending, Reader, reason};
pub use write::Recorder;

/// Version of the format. Raise it when an older reader would misread a
/// record; readers name the versions they take. Version 2 counts games and moves
/// from 1 and ends with a [`Tail`]; version 1 counts from 0 and just ends.
pub const VERSION: u32 = 2;

/// Longest line of a record, in bytes.
pub const MAX_LINE: usize = 1 << 20;

/// First line of a record.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "", expecting = "a record's header")]
pub struct Head<G: Game> {
    /// [`VERSION`].
    pub lockstep_record: u32,
    /// Name of the game.
    pub game: String,
    /// Columns and rows of the games' board; `None` where no games were dealt.
    pub board: Option<(usize, usize)>,
    /// The controller all backends played.
    pub controller: G::Controller,
    /// How the games were dealt.
    pub setup: Option<G::Setup>,
    /// The backends, the reference first.
    pub backends: Vec<BackendLine>,
}

/// A backend as recorded.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BackendLine {
    /// Name it was opened by.
    pub name: String,
    /// What it was.
    pub description: String,
    /// Build id of its RTL in hexadecimal, if it had any.
    pub build_id: Option<String>,
}

/// A recorded decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", expecting = "a recorded decision")]
pub struct Entry<G: Game> {
    /// Game of the session, from 1.
    pub game: u64,
    /// Decision of the game, from 1.
    #[serde(rename = "move")]
    pub step: u64,
    /// What was asked.
    #[serde(flatten)]
    pub position: G::Position,
    /// What the reference answered. Not optional even where `null` is an answer.
    #[serde(deserialize_with = "G::Decision::deserialize")]
    pub decision: G::Decision,
    /// Clock cycles of the backends that have any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cycles: BTreeMap<String, u32>,
    /// What the backends answered that disagreed with the reference.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub diverged: BTreeMap<String, G::Decision>,
}

/// Last line of a record that is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tail {
    /// What it says.
    pub end: End,
}

/// How a recorded session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct End {
    /// Decisions in the record.
    pub decisions: u64,
    /// Games begun.
    pub games: u64,
    /// Whether the session came to its own end; `false` when it was interrupted
    /// or failed.
    pub complete: bool,
}
