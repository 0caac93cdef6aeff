//! The stimulus of a core: games and directed positions, the benches of refusals and of the serial
//! line, and the bench of the whole core. All answers are checked.

use futures::future::{FutureExt as _, LocalBoxFuture};
use lockstep::BackendError;
use lockstep_games::BoxError;
use sim::Variant;

use super::bins::{Bins, counted};
use super::report::BinReport;
use super::{Cover, Effort, games, watch};
use crate::Failure;
use crate::core::{line, refusals};

/// Why the stimulus failed.
#[derive(Debug, thiserror::Error)]
pub enum StimulusError {
    /// The backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// A position or controller is invalid, or a game was played wrongly.
    #[error(transparent)]
    Game(#[from] BoxError),
    /// A bench failed.
    #[error("the bench of {bench}: {why}")]
    Bench {
        /// Name of the bench.
        bench: &'static str,
        /// Its error.
        why: Failure,
    },
    /// The core has given a wrong answer.
    #[error("{0}")]
    Answer(String),
}

/// The function [`run`] for a game.
pub(super) type Run = for<'a> fn(
    Effort,
    &'a mut (dyn FnMut(&str) + Send),
) -> LocalBoxFuture<'a, Result<BinReport, StimulusError>>;

/// As [`run`], boxed for a table.
pub(super) fn boxed<G: Cover>(
    effort: Effort,
    progress: &mut (dyn FnMut(&str) + Send),
) -> LocalBoxFuture<'_, Result<BinReport, StimulusError>> {
    run::<G>(effort, progress).boxed_local()
}

/// The core of a game.
pub(super) fn core(game: &str) -> Result<&'static Variant, StimulusError> {
    let core = sim::variant(game, None);
    core.ok_or_else(|| StimulusError::Answer("this build has no model of the core".into()))
}

/// The bins that decisions have hit.
pub(super) struct Hits<G: Cover> {
    pub(super) bins: Bins<G::Bin>,
    /// Number of decisions compared.
    pub(super) compared: u64,
}

/// Runs the stimulus on a game's core; `progress` gets the name of each step.
async fn run<G: Cover>(
    effort: Effort,
    progress: &mut (dyn FnMut(&str) + Send),
) -> Result<BinReport, StimulusError> {
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
    progress("requests that a core refuses, drops and cancels");
    let mut watches = on_a_thread("refusals", move || refusals::run::<G>(core, seed)).await?;
    progress("the serial line");
    watches.extend(on_a_thread("the line", move || line::run(core, G::WIRE)).await?);
    let bench = crate::core_of(core.game);
    let bench = bench.ok_or_else(|| StimulusError::Answer("the core has no bench".into()))?;
    for seed in (0..benches).map(|run| seed.wrapping_add(run)) {
        progress(&format!("the bench of the core, seed {seed}"));
        on_a_thread(bench.name, move || bench.run(None, seed)).await?;
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
    Ok(BinReport {
        bins,
        compared: hits.compared,
        wrong,
    })
}

/// Runs a bench on a thread of its own, so that an interrupt is handled meanwhile.
async fn on_a_thread<T: Send + 'static>(
    bench: &'static str,
    run: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, StimulusError> {
    let done = tokio::task::spawn_blocking(run).await;
    let done = done.map_err(|error| StimulusError::Answer(error.to_string()))?;
    done.map_err(|why| StimulusError::Bench { bench, why })
}
