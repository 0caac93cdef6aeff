//! Counts the decisions, scores and clock cycles of a session, or of several on the same backends, one
//! after the other.

use std::collections::BTreeMap;
use std::io;

use lockstep_games::{Game, Outcome};
use serde::Serialize;

use crate::backend::wire::LinkReport;
use crate::backend::{Identity, Kind};
use crate::compare::Mismatch;
use crate::event::{Event, GameEnd, Header, Round, Sink};
use crate::record::outcome_name;
use crate::text::ForeignText;

/// Maximum number of games that are listed one by one.
pub const MOST_GAMES: usize = 100;

/// Sums a session up. Its JSON is the summary that `--json` writes.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Totals {
    /// Positions decided.
    pub decisions: u64,
    /// Positions with something to compare: a second answer, or a recorded one.
    pub compared: u64,
    /// Compared positions on which all agreed; `None` if nothing was compared.
    pub agreed: Option<u64>,
    /// Compared positions on which they disagreed; `None` if nothing was compared.
    pub diverged: Option<u64>,
    /// Games begun; in a replay, games with a decision that was replayed.
    pub games: u64,
    /// The sum of the games' scores, under the game's word for it; `None` in a replay.
    #[serde(flatten)]
    pub score: BTreeMap<&'static str, Option<u64>>,
    /// Number of matches by outcome: a seat's name or `draw`; empty for games without outcomes.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub outcomes: BTreeMap<&'static str, u64>,
    /// The first games that ended, at most [`MOST_GAMES`].
    #[serde(skip)]
    pub ended: Vec<GameEnd>,
    /// Whether the session was stopped before its end.
    pub interrupted: bool,
    /// The error that ended the session.
    pub error: Option<String>,
    /// The totals of each backend, in order.
    pub backends: Vec<BackendTotals>,
    /// The first decision on which backends disagreed.
    pub first_divergence: Option<Divergence>,
}

/// The totals of one backend.
#[derive(Debug, Clone, Serialize)]
pub struct BackendTotals {
    /// Name it was opened by.
    pub name: ForeignText,
    /// Its kind.
    pub kind: Kind,
    /// Its description.
    pub description: ForeignText,
    /// Build id of its RTL in hexadecimal; `None` for software.
    pub build_id: Option<String>,
    /// The seats it plays; empty if all backends play all seats.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<&'static str>,
    /// Decisions it made.
    pub decisions: u64,
    /// Decisions that differed from the expected one; `None` if nothing was compared.
    pub diverged: Option<u64>,
    /// Clock cycles of its core for each decision.
    pub cycles: Cycles,
    /// Traffic on its link since it was opened; `None` for software.
    pub link: Option<LinkReport>,
}

/// Clock cycles; all `None` for software.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Cycles {
    /// Mean for each decision.
    pub mean: Option<f64>,
    /// Maximum for one decision.
    pub max: Option<u64>,
    /// Sum of all decisions.
    pub total: Option<u64>,
}

impl Cycles {
    /// Adds the clock cycles of a decision; `decisions` is the number of decisions then.
    fn add(&mut self, cycles: u64, decisions: u64) {
        let total = self.total.unwrap_or(0) + cycles;
        *self = Self {
            mean: Some(total as f64 / decisions as f64),
            max: self.max.max(Some(cycles)),
            total: Some(total),
        };
    }
}

/// The first decision on which backends disagreed.
#[derive(Debug, Clone, Serialize)]
pub struct Divergence {
    /// Game, from 1.
    pub game: u64,
    /// Decision of the game, from 1.
    #[serde(rename = "move")]
    pub step: u64,
    /// The position.
    pub position: serde_json::Value,
    /// The fields that differ.
    pub mismatches: Vec<NamedMismatch>,
}

/// A mismatch with its backend's name.
#[derive(Debug, Clone, Serialize)]
pub struct NamedMismatch {
    /// Name of the backend that gave the answer.
    pub name: ForeignText,
    /// The field that differs.
    #[serde(flatten)]
    pub mismatch: Mismatch,
}

impl BackendTotals {
    /// Its name, with the seats that it plays.
    pub fn label(&self) -> String {
        match self.seats.as_slice() {
            [] => self.name.to_string(),
            seats => format!("{} ({})", self.name, seats.join(", ")),
        }
    }
}

impl Totals {
    /// Decisions on which backends disagreed.
    pub fn divergences(&self) -> u64 {
        self.diverged.unwrap_or(0)
    }

    fn started<G: Game>(&mut self, header: &Header<G>) {
        self.score.entry(G::WORDS.score.many).or_default();
        if !self.backends.is_empty() {
            return;
        }
        let seats = |index| {
            let seats = G::SEATS.iter().zip(&header.seats);
            let own = seats.filter(|(_, seat)| seat.backends.contains(&index));
            own.map(|(name, _)| *name).collect()
        };
        let backend = |(index, b): (usize, &Identity)| BackendTotals {
            name: b.name.clone(),
            kind: b.kind,
            description: b.description.clone(),
            build_id: b.build_id(),
            seats: seats(index),
            decisions: 0,
            diverged: None,
            cycles: Cycles::default(),
            link: None,
        };
        self.backends = header.backends.iter().enumerate().map(backend).collect();
    }

    fn won<G: Game>(&mut self, outcome: Option<Outcome>) {
        if let Some(outcome) = outcome {
            let name = outcome_name::<G>(outcome);
            *self.outcomes.entry(name).or_default() += 1;
        }
    }

    fn decided<G: Game>(&mut self, round: &Round<G>) -> io::Result<()> {
        self.decisions += 1;
        let parties = round.answers.len() + usize::from(round.recorded.is_some());
        for (index, answer) in round.by_backend() {
            let Some(backend) = self.backends.get_mut(index) else {
                continue;
            };
            backend.decisions += 1;
            let differs = round.mismatches.iter().any(|m| m.backend == index);
            if parties > 1 {
                backend.diverged = sum(backend.diverged, Some(differs.into()));
            }
            if let Some(cycles) = answer.cycles {
                backend.cycles.add(cycles, backend.decisions);
            }
        }
        if parties < 2 {
            return Ok(());
        }
        self.compared += 1;
        let diverged = u64::from(!round.mismatches.is_empty());
        self.agreed = sum(self.agreed, Some(1 - diverged));
        self.diverged = sum(self.diverged, Some(diverged));
        if diverged > 0 && self.first_divergence.is_none() {
            let named = |m: &Mismatch| NamedMismatch {
                name: self
                    .backends
                    .get(m.backend)
                    .map_or(ForeignText::default(), |b| b.name.clone()),
                mismatch: m.clone(),
            };
            self.first_divergence = Some(Divergence {
                game: round.game,
                step: round.step,
                position: serde_json::to_value(&round.position)?,
                mismatches: round.mismatches.iter().map(named).collect(),
            });
        }
        Ok(())
    }
}

/// Adds two numbers; `None` stands for an unknown one.
fn sum(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a + b),
        (a, b) => a.or(b),
    }
}

impl<G: Game> Sink<G> for Totals {
    fn take(&mut self, event: &Event<G>) -> io::Result<()> {
        match event {
            Event::Started(header) => self.started(header),
            Event::PoweredUp | Event::Searching(_) | Event::Rate { .. } => {}
            Event::GameStarted { .. } => self.games += 1,
            Event::Decided(round) => {
                // When games are played, the outcome comes with the game's end.
                if round.recorded.is_some() {
                    self.won::<G>(round.outcome);
                }
                self.decided(round)?;
            }
            Event::Moved(_) => {
                self.decisions += 1;
                if let Some(program) = self.backends.first_mut() {
                    program.decisions += 1;
                }
            }
            Event::GameEnded(game) => {
                let score = self.score.entry(G::WORDS.score.many).or_default();
                *score = sum(*score, game.score);
                self.won::<G>(game.outcome);
                if self.ended.len() < MOST_GAMES {
                    self.ended.push(*game);
                }
            }
            Event::Ended {
                interrupted,
                error,
                links,
            } => {
                self.interrupted |= interrupted;
                self.error = self.error.take().or_else(|| error.clone());
                for (backend, link) in self.backends.iter_mut().zip(links) {
                    // The later report includes the earlier one.
                    backend.link = link.clone().or(backend.link.take());
                }
            }
        }
        Ok(())
    }
}
