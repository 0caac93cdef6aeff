//! What is asked of a simulated core so that its RTL is reached, and the bins are filled.
//!
//! [`asked`] asks by the backends as a session does, whole games and directed positions;
//! [`refusals`] asks for what a core refuses, drops or gives up, and [`pins`] does what a line can
//! do; both have a [`talk`] of their own. The bench of the whole core asks at random. All of it
//! checks what is answered.

mod asked;
mod pins;
mod refusals;
mod talk;

use futures::future::{FutureExt as _, LocalBoxFuture};
use lockstep::BackendError;
use lockstep::link::LinkError;
use lockstep_games::BoxError;
use sim::{SimError, Variant};

use super::bins::{Bins, counted};
use super::report::Seen;
use super::watch::{self, Watch};
use super::{Cover, Effort};

/// Why the core cannot be asked, or what it answered wrongly.
#[derive(Debug, thiserror::Error)]
pub enum StimulusError {
    /// The backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The link cannot be opened.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The model failed.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// The game refuses what is asked, or something is played wrongly.
    #[error(transparent)]
    Game(#[from] BoxError),
    /// The bench of the core found something.
    #[error("its bench, seed {seed}: {why}")]
    Bench {
        /// Its seed.
        seed: u64,
        /// What.
        why: crate::Failure,
    },
    /// The core answered otherwise than it has to.
    #[error("{0}")]
    Answer(String),
}

/// Asks everything of a game's core; `tell` hears what comes next.
pub(super) type Run = for<'a> fn(
    Effort,
    &'a mut (dyn FnMut(&str) + Send),
) -> LocalBoxFuture<'a, Result<Seen, StimulusError>>;

/// [`run`], for a table.
pub(super) fn boxed<G: Cover>(
    effort: Effort,
    tell: &mut (dyn FnMut(&str) + Send),
) -> LocalBoxFuture<'_, Result<Seen, StimulusError>> {
    run::<G>(effort, tell).boxed_local()
}

/// The core of a game.
pub(super) fn core(game: &str) -> Result<&'static Variant, StimulusError> {
    let core = sim::variant(game, None);
    core.ok_or_else(|| StimulusError::Answer("there is no model of it".into()))
}

/// What was hit, and compared.
struct Hits<G: Cover> {
    wire: Bins<watch::Bin>,
    game: Bins<G::Bin>,
    compared: u64,
}

impl<G: Cover> Hits<G> {
    /// Adds what was read on a link.
    fn read(&mut self, watch: &mut Watch) -> Result<(), StimulusError> {
        let (bins, wrong) = watch.end();
        self.wire.merge(&bins);
        wrong.map_or(Ok(()), |wrong| Err(StimulusError::Answer(wrong)))
    }

    fn seen(&self) -> Seen {
        let (mut bins, mut wrong) = counted(G::NAME, &G::groups(), &self.game);
        let (of_wire, more) = counted(G::NAME, &watch::groups(G::WIRE, G::NEVER), &self.wire);
        bins.extend(of_wire);
        wrong.extend(more);
        Seen {
            bins,
            compared: self.compared,
            wrong,
        }
    }
}

async fn run<G: Cover>(
    effort: Effort,
    tell: &mut (dyn FnMut(&str) + Send),
) -> Result<Seen, StimulusError> {
    let Effort { seed, benches, .. } = effort;
    let core = core(G::NAME)?;
    let mut hits = Hits::<G> {
        wire: Bins::default(),
        game: Bins::default(),
        compared: 0,
    };
    tell("games and directed positions, behind the UART");
    asked::behind_the_uart(core, effort, &mut hits).await?;
    tell("games, at the pins");
    asked::at_the_pins(core, effort, &mut hits).await?;
    tell("what a core refuses, drops and gives up");
    let mut read =
        |watches: Vec<Watch>| watches.into_iter().try_for_each(|mut w| hits.read(&mut w));
    read(beside(move || refusals::run::<G>(core, seed)).await?)?;
    tell("what a line can do");
    read(beside(move || pins::run(core, G::WIRE)).await?)?;
    let bench = crate::core_of(core.game);
    let bench = bench.ok_or_else(|| StimulusError::Answer("there is no bench of it".into()))?;
    for seed in (0..benches).map(|run| seed.wrapping_add(run)) {
        tell(&format!("the bench of the core, seed {seed}"));
        let run = move || bench.run(None, seed);
        beside(move || run().map_err(|why| StimulusError::Bench { seed, why })).await?;
    }
    Ok(hits.seen())
}

/// Work on a thread of its own, so that an interrupt is heard.
async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StimulusError> + Send + 'static,
) -> Result<T, StimulusError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| StimulusError::Answer(error.to_string()))?
}
