//! Whether the faults seeded in the RTL are found, and by what.
//!
//! A harness that cannot find bugs is worth nothing. Each fault of `rtl/faults.txt`
//! is tried by the benches of the modules it is in and by that of the whole core,
//! and games are played on it and on the golden model until they first differ.

mod attempts;

pub use attempts::{in_its_module, in_the_core, in_the_design, share};

use std::fmt;

use serde::Serialize;

use lockstep::backend::open::SpecError;
use lockstep::report::Totals;
use lockstep::{BackendRegistry, Header, Listeners, Session, SessionError, Stop};
use lockstep_games::Catalog;

/// What became of a fault in one attempt to find it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The bench, or the controller that was played with.
    pub by: String,
    /// Clock cycles of a bench or decisions of a game, up to the end.
    pub after: u64,
    /// How it showed; `None` when it did not.
    pub found: Option<Found>,
    /// With how many seeds it did, where that was counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<Share>,
}

/// Seeds with which a bench is run where its share is counted.
pub const SHARED: u64 = 20;

/// How many runs of a bench, each with a seed of its own, find a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Share {
    /// Those that find it.
    pub found: u32,
    /// All of them.
    pub runs: u32,
    /// The first seed; the others follow it.
    pub seed: u64,
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.found, self.runs)
    }
}

/// How a fault shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// A field of a decision differed first.
    Field(&'static str),
    /// An output of a module, or a reply, was not that of the plain model.
    Differs(String),
    /// The RTL stopped itself.
    Assertion(String),
    /// The game could not go on: the link failed, say.
    Stuck(String),
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(field) => f.write_str(field),
            Self::Differs(_) => f.write_str("differs"),
            Self::Assertion(_) => f.write_str("assertion"),
            Self::Stuck(_) => f.write_str("stuck"),
        }
    }
}

/// One seeded fault.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// Kebab-case name.
    pub fault: &'static str,
    /// What it breaks.
    pub summary: &'static str,
    /// The game it is in, or `link`.
    pub fault_in: &'static str,
    /// The modules it is in.
    pub modules: &'static [&'static str],
    /// One an attempt.
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

/// The faults that were linked, each once: one of the link in the core of the first game alone.
pub fn faults() -> impl Iterator<Item = &'static sim::Variant> {
    let is_first = |variant: &&sim::Variant| {
        let mut same = sim::variants().iter().filter(|v| v.fault == variant.fault);
        same.next()
            .is_some_and(|first| std::ptr::eq(first, *variant))
    };
    let seeded = sim::variants().iter().filter(|v| v.fault.is_some());
    seeded.filter(is_first)
}

/// Plays games on the RTL with a seeded fault (`None`: without any) and on the golden model
/// until they differ, or `limit` decisions were compared.
///
/// # Errors
/// When a backend cannot be opened, or without a fault fails.
pub async fn hunt<G: Catalog>(
    openers: &BackendRegistry<G>,
    fault: Option<&str>,
    controller: &G::Controller,
    seed: u64,
    limit: u64,
) -> Result<Finding, HuntError> {
    let name = fault.map_or("sim".into(), |fault| format!("sim:fault={fault}"));
    let mut totals = Totals::default();
    let played = play(openers, &name, controller, seed, limit, &mut totals).await;
    let first = totals.first_divergence.as_ref();
    let field = first.and_then(|d| d.mismatches.first().map(|m| m.mismatch.field));
    let found = match (field, played) {
        (Some(field), _) => Some(Found::Field(field)),
        (None, Ok(())) => None,
        (None, Err(HuntError::Session(e))) if fault.is_some() => Some(Found::Stuck(e.to_string())),
        (None, Err(e)) => return Err(e),
    };
    Ok(Finding {
        by: G::name(controller).into(),
        after: totals.decisions,
        found,
        share: None,
    })
}

async fn play<G: Catalog>(
    openers: &BackendRegistry<G>,
    name: &str,
    controller: &G::Controller,
    seed: u64,
    limit: u64,
    totals: &mut Totals,
) -> Result<(), HuntError> {
    let mut backends = Vec::new();
    for name in ["software", name] {
        let backend = openers.open(&openers.parse(name)?, seed).await;
        backends.push(backend.map_err(SessionError::from)?);
    }
    let mut session = Session::new(backends, Stop::never());
    session.configure(controller).await?;
    let header = Header {
        backends: session.identities(),
        controller: controller.clone(),
        seats: Vec::new(),
        setup: None,
        planned: None,
        move_time: None,
    };
    let mut seeds = seed..;
    while totals.divergences() == 0 && totals.decisions < limit {
        let setup = G::default_setup(seeds.next().unwrap_or(seed));
        let left = limit - totals.decisions;
        let mut game = Totals::default();
        let mut listeners = Listeners::new().with(&mut game);
        let played = session.play(&header, &setup, 1, left, &mut listeners).await;
        drop(listeners);
        totals.merge(game);
        played?;
    }
    Ok(())
}
