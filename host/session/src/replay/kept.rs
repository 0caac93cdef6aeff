//! The answers of a chunk as they are kept, so that a later run reports them again.

use std::collections::BTreeMap;

use lockstep_games::{Game, Note};
use serde::{Deserialize, Deserializer, Serialize};

use crate::backend::Answer;
use crate::backend::wire::LinkReport;
use crate::event::Round;
use crate::record::recorded_value;

/// The answers to all decisions of a chunk.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct KeptChunk<G: Game> {
    /// The chunk's number among those of all records, from 0.
    pub chunk: u64,
    /// For each decision the answer of each backend.
    pub(super) answers: Vec<Vec<KeptAnswer<G>>>,
    /// The traffic on each backend's link, without latencies.
    pub(super) links: Vec<Option<LinkReport>>,
}

/// An answer, without what equals the recorded decision.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub(super) struct KeptAnswer<G: Game> {
    /// The decision; `None` if it is the recorded one.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "some"
    )]
    decision: Option<G::Decision>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    cycles: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expected_cycles: Option<u64>,
    /// Value of each note, and whether it is promised.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    notes: BTreeMap<String, (serde_json::Value, bool)>,
}

/// A decision that is there, even if it is `null`.
fn some<'d, D: Deserializer<'d>, T: Deserialize<'d>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}

impl<G: Game> KeptAnswer<G> {
    /// The answers of a round of a replay.
    pub fn all(round: &Round<G>) -> Vec<Self> {
        let recorded = round.recorded.as_ref();
        let answers = round.by_backend().map(|(_, answer)| Self {
            decision: (Some(&answer.decision) != recorded).then(|| answer.decision.clone()),
            cycles: answer.cycles,
            expected_cycles: answer.expected_cycles,
            notes: answer
                .notes
                .iter()
                .filter_map(|note| {
                    let value = serde_json::to_value(&note.value).ok()?;
                    Some((note.name.to_owned(), (value, note.promised)))
                })
                .collect(),
        });
        answers.collect()
    }

    /// The answer, given the recorded decision.
    pub fn answer(&self, recorded: &G::Decision) -> Answer<G> {
        let note = |name: &&'static str| {
            let (value, promised) = self.notes.get(*name)?;
            Some(Note {
                name,
                value: recorded_value(value),
                promised: *promised,
            })
        };
        Answer {
            decision: self.decision.as_ref().unwrap_or(recorded).clone(),
            cycles: self.cycles,
            expected_cycles: self.expected_cycles,
            notes: G::NOTES.iter().filter_map(note).collect(),
        }
    }
}
