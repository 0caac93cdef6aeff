//! Games and positions that a core decides, compared with the golden model.

use lockstep::backend::simulated;
use lockstep::{Backend, BackendRegistry};
use lockstep_games::{BoxError, Match as _};

use super::stimulus::{Hits, StimulusError};
use super::{Cover, Effort};

/// Number of positions sent at a time.
const AT_A_TIME: usize = 40;
/// Number of positions at the pins, where a byte takes hundreds of clock cycles.
const AT_THE_PINS: usize = 40;

/// A core, and the bins that its decisions hit.
struct Player<'a, G: Cover> {
    core: Box<dyn Backend<G>>,
    hits: &'a mut Hits<G>,
}

impl<'a, G: Cover> Player<'a, G> {
    async fn open(name: &str, hits: &'a mut Hits<G>) -> Result<Self, StimulusError> {
        let registry = BackendRegistry::new()
            .with(simulated::bytes())
            .with(simulated::pins());
        let spec = registry.parse(name).map_err(BoxError::from)?;
        let core = registry.open(&spec, 1).await?;
        Ok(Self { core, hits })
    }

    /// Decides positions and compares the decisions with the golden model's.
    async fn decide(
        &mut self,
        controller: &G::Controller,
        positions: &[G::Position],
    ) -> Result<(), StimulusError> {
        let answers = self.core.decide(positions).await?;
        for (position, answer) in positions.iter().zip(&answers) {
            let golden = G::decide(controller, position).map_err(BoxError::from)?;
            G::count(&mut self.hits.bins, controller, position);
            self.hits.compared += 1;
            same(position, &answer.decision, &golden)?;
        }
        Ok(())
    }

    /// Traces a position and compares the trace with the golden model's.
    async fn trace(
        &mut self,
        controller: &G::Controller,
        position: &G::Position,
    ) -> Result<(), StimulusError> {
        let traces = self.core.trace(std::slice::from_ref(position)).await?;
        let golden = G::trace(controller, position).map_err(BoxError::from)?;
        self.hits.compared += 1;
        same(position, &traces.into_iter().next(), &golden)
    }

    /// Plays games with a controller: decisions, traces, batches and self-play.
    async fn games(&mut self, name: &str, seed: u64, count: usize) -> Result<(), StimulusError> {
        let controller = G::load(name).map_err(BoxError::from)?;
        self.core.configure(&controller).await?;
        let positions = positions::<G>(&controller, seed, count)?;
        for some in positions.chunks(AT_A_TIME) {
            self.decide(&controller, some).await?;
            if let Some(one) = some.first() {
                self.trace(&controller, one).await?;
            }
        }
        G::play_alone(&mut *self.core, &controller, seed, &positions).await?;
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
            "the decision on {position:?} is {got:?}, expected {golden:?}"
        ))),
    }
}

/// The first `count` positions of games that the golden model plays.
fn positions<G: Cover>(
    controller: &G::Controller,
    seed: u64,
    count: usize,
) -> Result<Vec<G::Position>, BoxError> {
    let setup = G::default_setup(seed);
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

/// Plays games and then the game's directed positions, behind the UART.
pub async fn behind_the_uart<G: Cover>(
    effort: Effort,
    hits: &mut Hits<G>,
) -> Result<(), StimulusError> {
    let Effort {
        seed, positions, ..
    } = effort;
    let mut player = Player::open("sim", hits).await?;
    for name in G::CONTROLLERS {
        player.games(name, seed, positions).await?;
    }
    for (controller, position) in G::cases(seed) {
        player.core.configure(&controller).await?;
        let one = std::slice::from_ref(&position);
        player.decide(&controller, one).await?;
        player.trace(&controller, &position).await?;
    }
    Ok(())
}

/// Plays a short game at the pins.
pub async fn at_the_pins<G: Cover>(
    effort: Effort,
    hits: &mut Hits<G>,
) -> Result<(), StimulusError> {
    let mut player = Player::open("sim-uart", hits).await?;
    player.games(G::DEFAULT, effort.seed, AT_THE_PINS).await?;
    Ok(())
}
