//! The default format of decisions: their fields.

use anyhow::Context as _;
use lockstep::Answer;
use lockstep_games::{Explain, Game, Golden};
use serde::ser::{Serialize, SerializeMap as _, Serializer};

/// A decision field by field, and the clock cycles it took.
pub struct Fields<'a, G: Game>(pub &'a Answer<G>);

impl<G: Game> Serialize for Fields<'_, G> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for field in G::fields(&self.0.decision) {
            map.serialize_entry(field.name, &field.value)?;
        }
        map.serialize_entry("cycles", &self.0.cycles)?;
        map.end()
    }
}

#[derive(serde::Serialize)]
#[serde(bound = "")]
pub struct Candidates<G: Game> {
    candidates: Vec<G::Candidate>,
    /// Index of the chosen one, if any.
    best: Option<usize>,
}

impl<G: Golden + Explain> Candidates<G> {
    pub fn of(controller: &G::Controller, position: &G::Position) -> anyhow::Result<Self> {
        let trace = G::trace(controller, position)?;
        let trace = trace.context("the golden model lists no candidates with this controller")?;
        Ok(Self {
            best: G::chosen(&trace.candidates, &trace.decision),
            candidates: trace.candidates,
        })
    }
}
