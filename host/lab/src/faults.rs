//! Whether lockstep finds the faults seeded in the RTL, and how soon.
//!
//! A harness that cannot find bugs is worth nothing. Each fault of
//! `rtl/fault_pkg.sv` is a model of its own; games are played on it and on the
//! golden model until they first differ.

use serde::Serialize;

use lockstep::backend::open::SpecError;
use lockstep::report::Totals;
use lockstep::{Header, Listeners, Session, SessionError, Stop};
use lockstep_games::tetris::{Controller, Setup};

use crate::backends;

/// What became of one fault under one controller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Name of the controller.
    pub controller: String,
    /// Decisions compared, the diverging one included.
    pub decisions: u64,
    /// The field that differed first, `None` when nothing ever did.
    pub field: Option<&'static str>,
}

/// One seeded fault.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Kebab-case name.
    pub fault: &'static str,
    /// What it breaks.
    pub summary: &'static str,
    /// One finding a controller.
    pub findings: Vec<Finding>,
}

/// Why the hunt cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// The fault's name cannot be part of a backend's name.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A backend failed.
    #[error(transparent)]
    Session(#[from] SessionError),
}

/// The faults that were linked.
pub fn faults() -> impl Iterator<Item = &'static sim::Variant> {
    sim::variants().iter().filter(|v| v.fault.is_some())
}

/// Plays games on the RTL with a seeded fault (`None`: without any) and on the
/// golden model until they differ, or `limit` decisions were compared.
///
/// # Errors
/// When a backend fails.
pub async fn hunt(
    fault: Option<&str>,
    controller: &Controller,
    seed: u64,
    limit: u64,
) -> Result<Finding, HuntError> {
    let name = fault.map_or("sim".into(), |fault| format!("sim:fault={fault}"));
    let openers = backends::tetris();
    let mut backends = Vec::new();
    for name in ["software", &name] {
        let backend = openers.open(&openers.parse(name)?, seed).await;
        backends.push(backend.map_err(SessionError::from)?);
    }
    let mut session = Session::new(backends, Stop::never());
    session.configure(controller).await?;
    let header = Header {
        backends: session.identities(),
        controller: controller.clone(),
        setup: None,
        planned: None,
    };
    let mut totals = Totals::default();
    let mut seeds = seed..;
    while totals.divergences() == 0 && totals.decisions < limit {
        let setup = Setup::standard(seeds.next().unwrap_or(seed));
        let left = limit - totals.decisions;
        let mut game = Totals::default();
        let mut listeners = Listeners::new().with(&mut game);
        session
            .play(&header, &setup, 1, left, &mut listeners)
            .await?;
        drop(listeners);
        totals.merge(game);
    }
    let first = totals.first_divergence.as_ref();
    Ok(Finding {
        controller: controller.name.clone(),
        decisions: totals.decisions,
        field: first.and_then(|d| d.mismatches.first().map(|m| m.mismatch.field)),
    })
}
