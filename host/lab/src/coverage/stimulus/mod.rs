//! What is asked of the simulated core so that its RTL is reached, and the bins are filled.
//!
//! [`games`] asks by the backends as a session does, whole games and [`super::directed`] positions;
//! [`refusals`] asks for what a core refuses, drops or gives up, and [`pins`] does what a line can
//! do; both have a [`talk`] of their own. The bench of the whole core asks at random. All of it
//! checks what is answered.

pub mod games;
pub mod pins;
pub mod refusals;
pub mod talk;

use lockstep::BackendError;
use lockstep::link::LinkError;
use lockstep_games::tetris::TetrisError;
use lockstep_games::tetris::controller::ControllerError;
use sim::{SimError, Variant};

use super::Effort;
use super::watch::Seen;

/// Why the core cannot be asked, or what it answered wrongly.
#[derive(Debug, thiserror::Error)]
pub enum StimulusError {
    /// A controller cannot be read.
    #[error(transparent)]
    Controller(#[from] ControllerError),
    /// The rules do not allow a move.
    #[error(transparent)]
    Rules(#[from] TetrisError),
    /// The backend failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The link cannot be opened.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// The model failed.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// The bench of the core found something.
    #[error("the bench of the core, seed {seed}: {why}")]
    Bench {
        /// Its seed.
        seed: u64,
        /// What.
        why: lockstep_testbench::Failure,
    },
    /// The core answered otherwise than it has to.
    #[error("{0}")]
    Answer(String),
}

/// The core that is asked.
pub(super) fn core() -> Result<&'static Variant, StimulusError> {
    let core = sim::variant(protocol::layout::tetris::GAME.name, None);
    core.ok_or_else(|| StimulusError::Answer("there is no model of the core".into()))
}

/// Asks everything; `tell` hears what comes next.
///
/// # Errors
/// The first answer that is wrong, or why the core cannot be asked.
pub async fn run(
    effort: Effort,
    tell: &mut (dyn FnMut(&str) + Send),
) -> Result<Seen, StimulusError> {
    let Effort { seed, benches, .. } = effort;
    let core = core()?;
    let mut seen = Seen::default();
    tell("games and directed positions, behind the UART");
    seen.merge(games::behind_the_uart(effort).await?);
    tell("games, at the pins");
    seen.merge(games::at_the_pins(effort).await?);
    tell("what a core refuses, drops and gives up");
    seen.merge(beside(move || refusals::run(core, seed)).await?);
    tell("what a line can do");
    seen.merge(beside(move || pins::run(core)).await?);
    let bench = lockstep_testbench::core_of(core.game);
    let bench = bench.ok_or_else(|| {
        let game = core.game;
        StimulusError::Answer(format!("there is no bench of the core of {game}"))
    })?;
    for seed in (0..benches).map(|run| seed.wrapping_add(run)) {
        tell(&format!("the bench of the core, seed {seed}"));
        let run = move || bench.run(None, seed);
        beside(move || run().map_err(|why| StimulusError::Bench { seed, why })).await?;
    }
    match seen.wrong.take() {
        Some(wrong) => Err(StimulusError::Answer(wrong)),
        None => Ok(seen),
    }
}

/// Work on a thread of its own, so that an interrupt is heard.
async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StimulusError> + Send + 'static,
) -> Result<T, StimulusError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| StimulusError::Answer(error.to_string()))?
}
