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

/// The golden model's candidates.
#[derive(serde::Serialize)]
#[serde(bound = "")]
pub struct Candidates<G: Game> {
    candidates: Vec<G::Candidate>,
    /// Index of the chosen one, if any.
    best: Option<usize>,
}

impl<G: Golden + Explain> Candidates<G> {
    /// The candidates of a position.
    pub fn of(controller: &G::Controller, position: &G::Position) -> anyhow::Result<Self> {
        let trace = G::trace(controller, position)?;
        let trace = trace.context("the golden model lists no candidates with this controller")?;
        Ok(Self {
            best: G::chosen(&trace.candidates, &trace.decision),
            candidates: trace.candidates,
        })
    }
}

#[cfg(test)]
mod tests {
    use lockstep_games::tetris::{Setup, Tetris};
    use lockstep_games::{Catalog as _, Match as _, Rules as _};
    use serde_json::{Value, json, to_value};

    use super::*;

    #[test]
    fn candidates_best_is_golden_decision() {
        let controller = Tetris::load(Tetris::DEFAULT).expect("built in");
        let position = Tetris::deal(&Setup::standard(1), 0).position();
        let decision = <Tetris as Golden>::decide(&controller, &position).expect("decided");
        let all = Candidates::<Tetris>::of(&controller, &position).expect("a linear controller");
        let all = to_value(&all).expect("JSON");
        let best = all["best"].as_u64().expect("a number");
        let chosen = &all["candidates"][best as usize];
        let decision = decision.expect("legal");
        assert_eq!(chosen["rotation"], json!(decision.rotation));
        assert_eq!(chosen["column"], json!(decision.column));
        assert_ne!(chosen["evaluated"], Value::Null);
    }
}
