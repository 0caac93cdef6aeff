//! The document of `lockstep soak --json`.

use lockstep::Identity;
use lockstep::backend::wire::LinkReport;
use lockstep_backends::soak::{Finding, SoakPlan, SoakState};
use lockstep_games::tetris::Sums;
use serde::Serialize;

use super::Args;

#[derive(Serialize)]
pub struct Document<'a> {
    controller: &'a str,
    seed: u64,
    pub backend: &'a Identity,
    batch: bool,
    /// Number of decisions requested.
    decisions: u64,
    /// Decisions compared in this run.
    pub compared: u64,
    /// Sums of all decisions that agreed, including earlier runs.
    sums: Sums,
    /// The signature in hexadecimal.
    signature: String,
    /// Whether all comparisons agreed.
    agreed: bool,
    pub divergence: Option<&'a Finding>,
    pub seconds: f64,
    link: Option<LinkReport>,
}

impl<'a> Document<'a> {
    /// Describes a soak that began after `first` decisions and has reached the state `place`.
    pub fn new(
        (args, plan): (&Args, &'a SoakPlan),
        (backend, link): (&'a Identity, Option<LinkReport>),
        (first, place): (u64, &SoakState),
        seconds: f64,
        divergence: Option<&'a Finding>,
    ) -> Self {
        Self {
            controller: &plan.controller.name,
            seed: plan.seed,
            backend,
            batch: args.batch,
            decisions: plan.decisions,
            compared: place.sums.pieces.saturating_sub(first),
            sums: place.sums,
            signature: format!("{:016x}", place.sums.signature),
            agreed: divergence.is_none(),
            divergence,
            seconds,
            link,
        }
    }
}
