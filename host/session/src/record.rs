//! Records of sessions: versioned JSON lines, with a header, a line for each decision, and a last line
//! that shows that the record is complete.
//!
//! A record holds everything that a replay needs: the controller in the header, the position and the
//! reference's decision in each line. Decisions are written as they are made, so that a session
//! leaves a record that can be replayed and resumed, however it ends.
//!
//! - [`Head`], [`Entry`], [`Tail`]: the lines.
//! - [`Reader`] reads a record, plain or compressed; [`Follow`] checks that each position
//!   follows from the one before.
//! - [`Recorder`] writes one while a session runs, [`Resumed`] goes on with one; [`Writer`]
//!   writes lines anywhere.
//!
//! A record whose name ends in `.zst` is a sequence of zstd frames of whole lines, one for each tenth
//! of a second: however the program ends, all but the last frame can be read, and others appended.

mod error;
mod follow;
mod head;
mod input;
mod lines;
mod out;
mod read;
mod resume;
mod source;
mod write;

use std::collections::BTreeMap;

use lockstep_games::{Game, Note, Outcome, Rules, Value};
use serde::{Deserialize, Serialize};

use crate::backend::Answer;

pub use error::{RecordError, RecordErrorKind};
pub use follow::Follow;
pub use head::{BackendLine, Head, Origin, Part, SeatLine};
pub use lines::reason;
pub use out::{Form, Writer};
pub use read::{Ending, Reader, game};
pub use resume::{ResumePlan, Resumed};
pub use source::{Source, open, peek};
pub use write::Recorder;

/// Version of the format, to be raised when an older reader would misread a record.
///
/// Version 4 has seats, outcomes and notes; for games without these it equals version 3.
pub const VERSION: u32 = 4;

/// Oldest version that is read.
pub const OLDEST: u32 = 3;

/// Name of the backend that stands for a person. A replay skips the person's decisions.
pub const PERSON: &str = "person";

/// Longest line of a record, in bytes.
pub const MAX_LINE: usize = 1 << 20;

/// A recorded decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "", expecting = "a recorded decision")]
pub struct Entry<G: Game> {
    /// Game of the session, from 1.
    pub game: u64,
    /// Decision of the game, from 1.
    #[serde(rename = "move")]
    pub step: u64,
    /// The position.
    #[serde(flatten)]
    pub position: G::Position,
    /// The seat to move, by its name; `None` in a game with a single seat.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<String>,
    /// The reference's decision. The field is required, even in games where `null` is a decision.
    #[serde(deserialize_with = "G::Decision::deserialize")]
    pub decision: G::Decision,
    /// Clock cycles of the backends with a core, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cycles: BTreeMap<String, u64>,
    /// Expected clock cycles of the backends that took another number, by name.
    #[serde(rename = "due")]
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub expected_cycles: BTreeMap<String, u64>,
    /// Decisions of the backends that disagreed with the reference, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub diverged: BTreeMap<String, G::Decision>,
    /// Further fields that backends promise, by backend and field.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub notes: BTreeMap<String, BTreeMap<String, serde_json::Value>>,
    /// The outcome, if this decision ends the match: a seat's name or `draw`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<String>,
}

pub(crate) fn recorded_value(json: &serde_json::Value) -> Value {
    let number = || json.as_u64().map(Value::Number);
    let signed = || json.as_i64().map(Value::Signed);
    let flag = || json.as_bool().map(Value::Flag);
    let text = || json.as_str().map(|text| Value::Text(text.into()));
    let known = number().or_else(signed).or_else(flag).or_else(text);
    known.unwrap_or(Value::Nothing)
}

const DRAW: &str = "draw";

/// The name of an outcome.
pub fn outcome_name<G: Game>(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won(seat) => G::SEATS.get(seat).copied().unwrap_or("nobody"),
        Outcome::Draw => DRAW,
    }
}

/// An outcome in words: `yellow wins` or `draw`.
pub fn outcome_phrase(name: &str) -> String {
    match name {
        DRAW => name.into(),
        seat => format!("{seat} wins"),
    }
}

/// The outcome of that name; `None` if the game has no such outcome.
pub fn outcome_named<G: Game>(name: &str) -> Option<Outcome> {
    let won = (0..G::SEATS.len()).map(Outcome::Won);
    let mut all = won.chain([Outcome::Draw]);
    all.find(|outcome| outcome_name::<G>(*outcome) == name)
}

/// The name of the seat to move; `None` in a game with a single seat.
pub fn seat_name<G: Game>(position: &G::Position) -> Option<&'static str> {
    let several = G::SEATS.len() > 1;
    several.then(|| G::SEATS.get(G::seat(position)).copied())?
}

impl<G: Game> Entry<G> {
    /// Whether all backends agreed.
    pub fn agreed(&self) -> bool {
        self.diverged.is_empty() && self.expected_cycles.is_empty()
    }

    /// Indices of the backends that decided it, and their answers; without backends the decision.
    pub(crate) fn answers(&self, head: &Head<G>) -> (Vec<usize>, Vec<Answer<G>>)
    where
        G: Rules,
    {
        if head.backends.is_empty() {
            return (vec![0], vec![self.answer("")]);
        }
        let asked = head.asked(&self.position).into_iter();
        let named = asked.filter_map(|index| Some((index, head.backends.get(index)?)));
        named
            .map(|(index, b)| (index, self.answer(b.name.raw())))
            .unzip()
    }

    /// The answer of the backend of that name.
    pub fn answer(&self, name: &str) -> Answer<G> {
        let notes = self.notes.get(name);
        let notes = G::NOTES.iter().filter_map(|name| {
            let value = notes?.get(*name)?;
            Some(Note {
                name,
                value: recorded_value(value),
                promised: true,
            })
        });
        Answer {
            decision: self.diverged.get(name).unwrap_or(&self.decision).clone(),
            cycles: self.cycles.get(name).copied(),
            expected_cycles: self.expected_cycles.get(name).copied(),
            notes: notes.collect(),
        }
    }
}

/// The last line of a complete record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tail {
    /// How the session ended.
    pub end: RecordEnd,
}

/// How a recorded session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordEnd {
    /// Decisions in the record.
    pub decisions: u64,
    /// Games begun.
    pub games: u64,
    /// Whether the session was complete; `false` when it was interrupted or failed.
    pub complete: bool,
}
