//! A session in numbers.

use std::io;

use serde::Serialize;

use crate::compare::Mismatch;
use crate::event::{Event, Round, Sink};
use crate::games::Game;

/// Sums a session up. In JSON it is the summary that `--json` writes.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Totals {
    /// Positions that were put to all backends and compared.
    pub decisions: u64,
    /// Those on which all agreed.
    pub agreed: u64,
    /// Those on which they did not.
    pub diverged: u64,
    /// Games begun.
    pub games: u64,
    /// Sum of the games' scores; lines in Tetris.
    pub lines: u64,
    /// Whether the session was stopped before its end.
    pub interrupted: bool,
    /// Each backend's part, in order.
    pub backends: Vec<BackendTotals>,
    /// The first decision on which they did not agree.
    pub first_divergence: Option<Divergence>,
}

/// One backend's part.
#[derive(Debug, Clone, Serialize)]
pub struct BackendTotals {
    /// Name on the command line.
    pub name: String,
    /// What it is.
    pub description: String,
    /// Build id of its RTL in hexadecimal; `None` for software.
    pub build_id: Option<String>,
    /// Decisions it made.
    pub decisions: u64,
    /// Decisions in which it differed from what was expected.
    pub diverged: u64,
    /// Clock cycles of its core a decision.
    pub cycles: Cycles,
}

/// Clock cycles; all `None` for software.
#[derive(Debug, Clone, Copy, Default, Serialize)]
pub struct Cycles {
    /// Mean a decision.
    pub mean: Option<f64>,
    /// Most for one decision.
    pub max: Option<u32>,
    /// All decisions together.
    pub total: Option<u64>,
}

impl Cycles {
    /// Adds some, to those of `decisions` decisions in all.
    fn add(&mut self, total: Option<u64>, max: Option<u32>, decisions: u64) {
        let Some(more) = total else { return };
        let total = self.total.unwrap_or(0) + more;
        *self = Self {
            mean: Some(total as f64 / decisions as f64),
            max: self.max.max(max),
            total: Some(total),
        };
    }
}

/// Where backends first differed.
#[derive(Debug, Clone, Serialize)]
pub struct Divergence {
    /// Game, from 0.
    pub game: u64,
    /// Decision of the game, from 0.
    #[serde(rename = "move")]
    pub step: u64,
    /// The position asked.
    pub position: serde_json::Value,
    /// The fields that differ.
    pub mismatches: Vec<NamedMismatch>,
}

/// A mismatch with its backend's name.
#[derive(Debug, Clone, Serialize)]
pub struct NamedMismatch {
    /// Name of the backend that gave the answer.
    pub name: String,
    /// What differs.
    #[serde(flatten)]
    pub mismatch: Mismatch,
}

impl Totals {
    /// Adds a later session on the same backends.
    pub fn merge(&mut self, later: Self) {
        self.decisions += later.decisions;
        self.agreed += later.agreed;
        self.diverged += later.diverged;
        self.games += later.games;
        self.lines += later.lines;
        self.interrupted |= later.interrupted;
        self.first_divergence = self.first_divergence.take().or(later.first_divergence);
        if self.backends.is_empty() {
            self.backends = later.backends;
            return;
        }
        for (mine, other) in self.backends.iter_mut().zip(later.backends) {
            mine.decisions += other.decisions;
            mine.diverged += other.diverged;
            mine.cycles
                .add(other.cycles.total, other.cycles.max, mine.decisions);
        }
    }

    fn add<G: Game>(&mut self, round: &Round<'_, G>) -> io::Result<()> {
        self.decisions += 1;
        for (index, answer) in round.answers.iter().enumerate() {
            let Some(backend) = self.backends.get_mut(index) else {
                continue;
            };
            backend.decisions += 1;
            let differs = round.mismatches.iter().any(|m| m.backend == index);
            backend.diverged += u64::from(differs);
            if let Some(cycles) = answer.cycles {
                let total = Some(u64::from(cycles));
                backend.cycles.add(total, Some(cycles), backend.decisions);
            }
        }
        if round.mismatches.is_empty() {
            self.agreed += 1;
            return Ok(());
        }
        self.diverged += 1;
        if self.first_divergence.is_none() {
            let named = |m: &Mismatch| NamedMismatch {
                name: self.backends[m.backend].name.clone(),
                mismatch: m.clone(),
            };
            self.first_divergence = Some(Divergence {
                game: round.game,
                step: round.step,
                position: serde_json::to_value(round.position)?,
                mismatches: round.mismatches.iter().map(named).collect(),
            });
        }
        Ok(())
    }
}

impl<G: Game> Sink<G> for Totals {
    fn take(&mut self, event: &Event<'_, G>) -> io::Result<()> {
        match event {
            Event::Started(header) => {
                let backend = |b: &crate::backend::Identity| BackendTotals {
                    name: b.name.clone(),
                    description: b.description.clone(),
                    build_id: b.build_id(),
                    decisions: 0,
                    diverged: 0,
                    cycles: Cycles::default(),
                };
                self.backends = header.backends.iter().map(backend).collect();
            }
            Event::GameStarted { .. } => self.games += 1,
            Event::Decided(round) => self.add(round)?,
            Event::GameEnded { score, .. } => self.lines += score,
            Event::Ended { interrupted } => self.interrupted = *interrupted,
        }
        Ok(())
    }
}
