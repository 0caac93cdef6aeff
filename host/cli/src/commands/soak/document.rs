//! What `lockstep soak --json` writes.

use lockstep::Identity;
use lockstep::backend::wire::LinkReport;
use lockstep::compare::{Deviation, Difference, Mismatch};
use lockstep_games::Game as _;
use lockstep_games::tetris::Tetris;
use lockstep_games::tetris::{Move, Placement, Position, Sums};
use lockstep_lab::soak::{End, Finding, Isolated, Place, Plan, Shown, SoakError};
use serde::Serialize;

use super::Args;

/// What was soaked, how far it came, and what came of it.
pub struct Document<'a> {
    pub args: &'a Args,
    pub plan: &'a Plan,
    pub backend: &'a Identity,
    /// The last place at which all agreed.
    pub place: &'a Place,
    /// Decisions compared in this run.
    pub compared: u64,
    pub seconds: f64,
    pub link: Option<LinkReport>,
    pub end: &'a Result<End, SoakError>,
}

#[derive(Serialize)]
pub struct Json<'a> {
    command: &'static str,
    game: &'static str,
    controller: &'a str,
    seed: u64,
    backend: &'a Identity,
    batch: bool,
    /// Decisions that were wanted in all.
    decisions: u64,
    /// Decisions compared in this run.
    compared: u64,
    /// Of all decisions that agreed, those of earlier runs included.
    sums: Sums,
    /// The signature in hexadecimal.
    signature: String,
    /// Whether all that was compared agreed.
    agreed: bool,
    interrupted: bool,
    error: Option<String>,
    divergence: Option<Divergence<'a>>,
    seconds: f64,
    link: Option<LinkReport>,
}

#[derive(Serialize)]
struct Divergence<'a> {
    /// Pieces up to which all agreed, and after which something differed.
    from: u64,
    to: u64,
    /// What differed.
    differs: &'a [Deviation],
    /// Whether it showed again, and how near: `decision`, `again` or `never`.
    shown: &'static str,
    /// The pieces from which it was asked again.
    tried: Vec<u64>,
    /// Why it was looked for no further.
    unfinished: Option<&'a str>,
    decision: Option<Decision<'a>>,
}

#[derive(Serialize)]
struct Decision<'a> {
    number: u64,
    position: &'a Position,
    expected: Option<Placement>,
    /// The move played; missing where it cannot be told, null where none was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    played: Option<Option<Move>>,
    differs: &'a [Deviation],
    alone: bool,
    /// What is decided when it is asked alone.
    asked_alone: Option<Placement>,
    /// Why nothing is.
    asked_alone_error: Option<&'a str>,
    mismatches: &'a [Mismatch],
    weighed: Option<&'a Difference>,
}

impl<'a> Document<'a> {
    pub fn json(&self) -> Json<'a> {
        let finding = match self.end {
            Ok(End::Diverged(finding)) => Some(finding.as_ref()),
            _ => None,
        };
        Json {
            command: "soak",
            game: Tetris::NAME,
            controller: &self.plan.controller.name,
            seed: self.plan.seed,
            backend: self.backend,
            batch: self.args.batch,
            decisions: self.plan.decisions,
            compared: self.compared,
            sums: self.place.sums,
            signature: format!("{:016x}", self.place.sums.signature),
            agreed: finding.is_none(),
            interrupted: matches!(self.end, Ok(End::Interrupted)),
            error: self.end.as_ref().err().map(ToString::to_string),
            divergence: finding.map(Divergence::of),
            seconds: self.seconds,
            link: self.link.clone(),
        }
    }
}

impl<'a> Divergence<'a> {
    fn of(finding: &'a Finding) -> Self {
        let (shown, tried, isolated) = match &finding.shown {
            Shown::Decision(isolated) => ("decision", vec![isolated.begin], Some(isolated)),
            Shown::Again { begin } => ("again", vec![*begin], None),
            Shown::Never { tried } => ("never", tried.clone(), None),
        };
        Self {
            from: finding.from,
            to: finding.to,
            differs: &finding.differs,
            shown,
            tried,
            unfinished: finding.unfinished.as_deref(),
            decision: isolated.map(|isolated| Decision::of(isolated)),
        }
    }
}

impl<'a> Decision<'a> {
    fn of(isolated: &'a Isolated) -> Self {
        Self {
            number: isolated.number,
            position: &isolated.position,
            expected: isolated.expected,
            played: isolated.played,
            differs: &isolated.differs,
            alone: isolated.alone,
            asked_alone: isolated.answer.as_ref().ok().and_then(|a| a.decision),
            asked_alone_error: isolated.answer.as_ref().err().map(String::as_str),
            mismatches: &isolated.mismatches,
            weighed: isolated.weighed.as_ref(),
        }
    }
}
