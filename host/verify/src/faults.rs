//! Tries which seeded faults are detected, and by which benches and games.
//!
//! Each fault of `rtl/faults.txt` is tried on the benches of the modules that it changes and on the
//! bench of the whole core; games are played on the faulty core and the golden model until they
//! differ.

mod attempts;

pub use attempts::{in_its_module, in_the_core, in_the_design, share};

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use lockstep::backend::open::SpecError;
use lockstep::report::Totals;
use lockstep::session::Start;
use lockstep::{BackendRegistry, Header, Listeners, Session, SessionError, Stop};
use lockstep_games::Catalog;

/// The result of one attempt to find a fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Name of the bench, or of the controller that played.
    pub by: String,
    /// Clock cycles of a bench or decisions of games until the end.
    pub after: u64,
    /// How the fault was found; `None` if it was not.
    pub found: Option<Found>,
    /// The share of seeds that find it, if it was counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<Share>,
}

/// Number of seeds for which a share is counted.
pub const SHARE_RUNS: u64 = 20;

/// The share of a bench's runs that find a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Runs that find it.
    pub found: u32,
    /// Number of runs, each with its own seed.
    pub runs: u32,
    /// The first seed; the others follow it.
    pub seed: u64,
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.found, self.runs)
    }
}

/// How a fault was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Found {
    /// A field of a decision differed.
    Field(String),
    /// An output of a module, or a reply, differed from the plain model's.
    Differs(String),
    /// An assertion of the RTL failed.
    Assertion(String),
    /// The game could not continue, for example because the link failed.
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
pub struct FaultReport {
    /// Name in kebab-case.
    pub fault: &'static str,
    /// Its effect.
    pub summary: &'static str,
    /// The game whose files it changes, or `link`.
    pub fault_in: &'static str,
    /// The modules that it changes.
    pub modules: &'static [&'static str],
    /// The results of all attempts.
    pub findings: Vec<Finding>,
}

/// Why games on a faulty core ended early.
#[derive(Debug, thiserror::Error)]
pub enum GamesError {
    /// The fault's name is not valid in the name of a backend.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A backend failed.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// A game went on for too long.
    #[error("a game did not end within {} seconds", LONGEST_GAME.as_secs())]
    Endless,
}

/// Time limit of a game: a core that searches without end reports progress all the time.
const LONGEST_GAME: Duration = Duration::from_secs(60);

/// The faults in this build, each once: one of the link's RTL only with the first game's core.
pub fn faults() -> impl Iterator<Item = &'static sim::Variant> {
    let is_first = |variant: &&sim::Variant| {
        let mut same = sim::variants().iter().filter(|v| v.fault == variant.fault);
        same.next()
            .is_some_and(|first| std::ptr::eq(first, *variant))
    };
    let seeded = sim::variants().iter().filter(|v| v.fault.is_some());
    seeded.filter(is_first)
}

/// Plays games on the RTL and the golden model until they differ.
///
/// At most `limit` decisions are compared; the RTL may have a seeded fault.
///
/// # Errors
/// When a backend cannot be opened, or the core without a fault fails.
pub async fn in_games<G: Catalog>(
    registry: &BackendRegistry<G>,
    fault: Option<&str>,
    controller: &G::Controller,
    seed: u64,
    limit: u64,
) -> Result<Finding, GamesError> {
    let name = fault.map_or("sim".into(), |fault| format!("sim:fault={fault}"));
    let mut totals = Totals::default();
    let played = play(registry, &name, controller, seed, limit, &mut totals).await;
    let first = totals.first_divergence.as_ref();
    let field = first.and_then(|d| d.mismatches.first().map(|m| m.mismatch.difference.field));
    let found = match (field, played) {
        (Some(field), _) => Some(Found::Field(field.into())),
        (None, Ok(())) => None,
        (None, Err(e @ (GamesError::Session(_) | GamesError::Endless))) if fault.is_some() => {
            Some(Found::Stuck(e.to_string()))
        }
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
    registry: &BackendRegistry<G>,
    name: &str,
    controller: &G::Controller,
    seed: u64,
    limit: u64,
    totals: &mut Totals,
) -> Result<(), GamesError> {
    let mut backends = Vec::new();
    for name in ["software", name] {
        let backend = registry.open(&registry.parse(name)?, seed).await;
        backends.push(backend.map_err(SessionError::from)?);
    }
    let mut session = Session::new(backends, Stop::never());
    session.configure(controller).await?;
    let header = Header::new(session.identities(), controller.clone());
    let mut seeds = seed..;
    while totals.divergences() == 0 && totals.decisions < limit {
        let setup = G::default_setup(seeds.next().unwrap_or(seed));
        let left = limit - totals.decisions;
        let mut listeners = Listeners::new(session.stop()).with(&mut *totals);
        let start = Start::default();
        let play = session.play(&header, &setup, start, 1, left, &mut listeners);
        let played = tokio::time::timeout(LONGEST_GAME, play).await;
        drop(listeners);
        played.map_err(|_| GamesError::Endless)??;
    }
    Ok(())
}
