//! The stimulus of a core: games and directed positions, decided as in a session; the benches of
//! what a core refuses and of its serial line; the bench of the whole core. All answers are checked.

use futures::future::{FutureExt as _, LocalBoxFuture};
use lockstep::BackendError;
use lockstep_games::BoxError;
use sim::Variant;

use super::bins::{Bins, counted};
use super::report::Seen;
use super::{Cover, Effort, games, watch};
use crate::Failure;
use crate::core::{line, refusals};

/// Why the core cannot be asked, or what it answered wrongly.
#[derive(Debug, thiserror::Error)]
pub enum StimulusError {
    /// The backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The game refuses what is asked, or something is played wrongly.
    #[error(transparent)]
    Game(#[from] BoxError),
    /// A bench found something.
    #[error("the bench of {bench}: {why}")]
    Bench {
        /// Its name.
        bench: &'static str,
        /// What it found.
        why: Failure,
    },
    /// The core answered otherwise than it has to.
    #[error("{0}")]
    Answer(String),
}

/// [`run`] of a game.
pub(super) type Run = for<'a> fn(
    Effort,
    &'a mut (dyn FnMut(&str) + Send),
) -> LocalBoxFuture<'a, Result<Seen, StimulusError>>;

/// [`run`], for a table.
pub(super) fn boxed<G: Cover>(
    effort: Effort,
    progress: &mut (dyn FnMut(&str) + Send),
) -> LocalBoxFuture<'_, Result<Seen, StimulusError>> {
    run::<G>(effort, progress).boxed_local()
}

/// The core of a game.
pub(super) fn core(game: &str) -> Result<&'static Variant, StimulusError> {
    let core = sim::variant(game, None);
    core.ok_or_else(|| StimulusError::Answer("there is no model of it".into()))
}

/// Bins that decisions hit.
pub(super) struct Hits<G: Cover> {
    pub(super) bins: Bins<G::Bin>,
    /// Decisions compared.
    pub(super) compared: u64,
}

/// Runs the stimulus on a game's core; `progress` gets the name of each step.
async fn run<G: Cover>(
    effort: Effort,
    progress: &mut (dyn FnMut(&str) + Send),
) -> Result<Seen, StimulusError> {
    let Effort { seed, benches, .. } = effort;
    let core = core(G::NAME)?;
    let mut hits = Hits::<G> {
        bins: Bins::default(),
        compared: 0,
    };
    progress("games and directed positions, behind the UART");
    games::behind_the_uart(effort, &mut hits).await?;
    progress("games, at the pins");
    games::at_the_pins(effort, &mut hits).await?;
    progress("requests that a core refuses, drops and gives up");
    let mut watches = beside("refusals", move || refusals::run::<G>(core, seed)).await?;
    progress("the serial line");
    watches.extend(beside("the line", move || line::run(core, G::WIRE)).await?);
    let bench = crate::core_of(core.game);
    let bench = bench.ok_or_else(|| StimulusError::Answer("there is no bench of it".into()))?;
    for seed in (0..benches).map(|run| seed.wrapping_add(run)) {
        progress(&format!("the bench of the core, seed {seed}"));
        beside(bench.name, move || bench.run(None, seed)).await?;
    }
    let mut wire = Bins::default();
    for mut watch in watches {
        let (bins, wrong) = watch.end();
        wire.merge(&bins);
        wrong.map_or(Ok(()), |wrong| Err(StimulusError::Answer(wrong)))?;
    }
    let (mut bins, mut wrong) = counted(G::NAME, &G::groups(), &hits.bins);
    let (of_wire, more) = counted(G::NAME, &watch::groups(G::WIRE, G::NEVER), &wire);
    bins.extend(of_wire);
    wrong.extend(more);
    Ok(Seen {
        bins,
        compared: hits.compared,
        wrong,
    })
}

/// Runs a bench on a thread of its own, so that an interrupt is heard.
async fn beside<T: Send + 'static>(
    bench: &'static str,
    run: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, StimulusError> {
    let done = tokio::task::spawn_blocking(run).await;
    let done = done.map_err(|error| StimulusError::Answer(error.to_string()))?;
    done.map_err(|why| StimulusError::Bench { bench, why })
}
