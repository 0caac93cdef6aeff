//! Games and positions, asked of a core as a session asks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures::future::{BoxFuture, FutureExt as _};
use lockstep::backend::wire::{LinkConfig, Wire};
use lockstep::backend::{Backend as _, Kind};
use lockstep::link::sim::SimLink;
use lockstep::link::{Link, LinkError, LinkStatistics};
use lockstep_games::{BoxError, Match as _};
use sim::{Depth, Variant};

use super::super::watch::Watch;
use super::super::{Cover, Effort};
use super::{Hits, StimulusError};

/// Positions asked at a time.
const AT_A_TIME: usize = 40;
/// Positions of a game at the pins, where a byte takes hundreds of clock cycles.
const AT_THE_PINS: usize = 40;
/// As other simulated cores at their pins.
const BAUD: u32 = 3_000_000;
/// More simulated time than anything takes that is asked here.
const PATIENCE: Duration = Duration::from_millis(20);

/// A link that is read along on.
struct Observed {
    link: SimLink,
    watch: Arc<Mutex<Watch>>,
}

fn locked(watch: &Mutex<Watch>) -> MutexGuard<'_, Watch> {
    watch.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Link for Observed {
    fn describe(&self) -> String {
        self.link.describe()
    }

    fn send<'a>(&'a mut self, bytes: &'a [u8]) -> BoxFuture<'a, Result<(), LinkError>> {
        locked(&self.watch).sent(bytes);
        self.link.send(bytes)
    }

    fn receive(&mut self, within: Duration) -> BoxFuture<'_, Result<Bytes, LinkError>> {
        async move {
            let bytes = self.link.receive(within).await?;
            locked(&self.watch).received(&bytes);
            Ok(bytes)
        }
        .boxed()
    }

    fn reopen(&mut self) -> BoxFuture<'_, Result<(), LinkError>> {
        locked(&self.watch).forget();
        self.link.reopen()
    }

    fn statistics(&self) -> LinkStatistics {
        self.link.statistics()
    }
}

/// A core, and who reads along.
struct Asked<'a, G: Cover> {
    wire: Wire<G>,
    watch: Arc<Mutex<Watch>>,
    hits: &'a mut Hits<G>,
}

impl<'a, G: Cover> Asked<'a, G> {
    async fn open(
        core: &'static Variant,
        depth: Depth,
        hits: &'a mut Hits<G>,
    ) -> Result<Self, StimulusError> {
        let watch = Arc::new(Mutex::new(Watch::new(G::WIRE)));
        let link = Observed {
            link: SimLink::open(core, depth).await?,
            watch: watch.clone(),
        };
        let reach = LinkConfig {
            name: "sim".into(),
            kind: Kind::Simulated,
            timeout: PATIENCE.into(),
            nonce: 1,
            recovery: None,
        };
        let wire = Wire::open(reach, Box::new(link)).await?;
        Ok(Self { wire, watch, hits })
    }

    /// Ends the core.
    fn end(self) -> Result<(), StimulusError> {
        drop(self.wire);
        self.hits.read(&mut locked(&self.watch))
    }

    /// Asks for the decisions of positions, and compares them with the golden model's.
    async fn decide(
        &mut self,
        controller: &G::Controller,
        positions: &[G::Position],
    ) -> Result<(), StimulusError> {
        let answers = self.wire.decide(positions).await?;
        for (position, answer) in positions.iter().zip(&answers) {
            let golden = G::decide(controller, position).map_err(BoxError::from)?;
            G::count(&mut self.hits.game, controller, position);
            self.hits.compared += 1;
            same(position, &answer.decision, &golden)?;
        }
        Ok(())
    }

    /// Asks for the trace of a position, and compares it with the golden model's.
    async fn trace(
        &mut self,
        controller: &G::Controller,
        position: &G::Position,
    ) -> Result<(), StimulusError> {
        let traces = self.wire.trace(std::slice::from_ref(position)).await?;
        let golden = G::trace(controller, position).map_err(BoxError::from)?;
        self.hits.compared += 1;
        same(position, &traces.into_iter().next(), &golden)
    }

    /// Games by a controller: decided, traced, and played by the core itself.
    async fn games(&mut self, name: &str, seed: u64, count: usize) -> Result<(), StimulusError> {
        let controller = loaded::<G>(name)?;
        self.wire.configure(&controller).await?;
        let positions = positions::<G>(&controller, seed, count)?;
        for some in positions.chunks(AT_A_TIME) {
            self.decide(&controller, some).await?;
            if let Some(one) = some.first() {
                self.trace(&controller, one).await?;
            }
        }
        G::alone(&mut self.wire, &controller, seed, &positions).await?;
        self.wire.stats().await?;
        Ok(())
    }
}

fn same<P: std::fmt::Debug, T: PartialEq + std::fmt::Debug>(
    position: &P,
    got: &T,
    golden: &T,
) -> Result<(), StimulusError> {
    match got == golden {
        true => Ok(()),
        false => Err(StimulusError::Answer(format!(
            "{position:?} is decided wrongly: {got:?}, and the golden model says {golden:?}"
        ))),
    }
}

/// A built-in controller.
pub fn loaded<G: Cover>(name: &str) -> Result<G::Controller, StimulusError> {
    let loaded = G::load(name)?;
    loaded.ok_or_else(|| StimulusError::Answer(format!("no controller is called {name}")))
}

/// The positions of games, one after the other.
fn positions<G: Cover>(
    controller: &G::Controller,
    seed: u64,
    count: usize,
) -> Result<Vec<G::Position>, BoxError> {
    let setup = G::usual(seed);
    let (mut positions, mut game) = (Vec::new(), 0);
    let mut state = G::deal(&setup, game);
    while positions.len() < count {
        let position = state.position();
        let decision = G::decide(controller, &position)?;
        positions.push(position);
        if !state.apply(&decision)? {
            game += 1;
            state = G::deal(&setup, game);
        }
    }
    Ok(positions)
}

/// Games, then the game's own cases.
///
/// # Errors
/// What is answered wrongly.
pub async fn behind_the_uart<G: Cover>(
    core: &'static Variant,
    effort: Effort,
    hits: &mut Hits<G>,
) -> Result<(), StimulusError> {
    let Effort {
        seed, positions, ..
    } = effort;
    let mut asked = Asked::open(core, Depth::Bytes, hits).await?;
    for name in G::CONTROLLERS {
        asked.games(name, seed, positions).await?;
    }
    for (controller, position) in G::cases(seed) {
        asked.wire.configure(&controller).await?;
        let one = std::slice::from_ref(&position);
        asked.decide(&controller, one).await?;
        asked.trace(&controller, &position).await?;
    }
    asked.end()
}

/// A short game.
///
/// # Errors
/// What is answered wrongly.
pub async fn at_the_pins<G: Cover>(
    core: &'static Variant,
    effort: Effort,
    hits: &mut Hits<G>,
) -> Result<(), StimulusError> {
    let depth = Depth::Pins {
        baud: BAUD,
        skew_ppm: 0,
    };
    let mut asked = Asked::open(core, depth, hits).await?;
    asked.games(G::USUAL, effort.seed, AT_THE_PINS).await?;
    asked.end()
}
