//! Measures coverage: runs games, directed positions and benches on every core, and reads the
//! models' counters. All answers are checked.

use std::path::Path;

use futures::future::{FutureExt as _, LocalBoxFuture};
use lockstep::backend::simulated;
use lockstep::{Backend, BackendRegistry};
use lockstep_games::{BoxError, Match as _};
use sim::Variant;

use super::bins::{Bins, counted};
use super::cover::Cover;
use super::report::{BinReport, CoverageReport, Rtl};
use super::{data, watch};
use crate::Failure;
use crate::core::{line, refusals};

/// Number of positions sent at a time.
const AT_A_TIME: usize = 40;
/// Number of positions sent through the UART, where a byte takes hundreds of clock cycles.
const AT_THE_PINS: usize = 40;

/// The extent of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Seed of all random values.
    pub seed: u64,
    /// Number of positions for each controller, without the UART.
    pub positions: usize,
    /// Number of runs of the bench of each whole core.
    pub benches: u64,
}

/// Why coverage cannot be measured.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct MeasureError(#[from] BoxError);

/// A game whose core is measured.
#[derive(Clone, Copy)]
pub struct Subject {
    /// The game.
    pub name: &'static str,
    run: Run,
}

/// The function [`run`] for a game.
type Run = for<'a> fn(
    Effort,
    &'a mut (dyn FnMut(&str) + Send),
) -> LocalBoxFuture<'a, Result<BinReport, BoxError>>;

impl Subject {
    /// The measurement of the core of game `G`.
    pub const fn of<G: Cover>() -> Self {
        Self {
            name: G::NAME,
            run: |effort, progress| run::<G>(effort, progress).boxed_local(),
        }
    }
}

/// Runs the stimulus on the cores of games and reports the coverage of the RTL in the folder `rtl`.
///
/// `progress` is called with the name of each step.
///
/// # Errors
/// When an answer is wrong, a file cannot be read or written, or the models have no counters.
pub async fn measure(
    rtl: &Path,
    subjects: &[Subject],
    effort: Effort,
    progress: &mut (dyn FnMut(&str) + Send),
) -> Result<CoverageReport, MeasureError> {
    if !sim::coverage::counted() {
        let why = "the models of this lockstep have no coverage counters; run `make coverage`, which \
                   builds models that have them";
        return Err(BoxError::from(why).into());
    }
    let cores = subjects.iter().map(|subject| core(subject.name));
    let cores: Vec<&Variant> = cores.collect::<Result<_, _>>()?;
    // A source that cannot be read is reported before anything runs.
    let rtl = Rtl::read(rtl, &cores).map_err(BoxError::from)?;
    let folder = tempfile::tempdir()
        .map_err(|e| BoxError::from(format!("the temporary folder for coverage counters: {e}")))?;
    let collection = sim::coverage::CoverageRun::begin(folder.path()).map_err(BoxError::from)?;
    let mut bins = BinReport::default();
    for Subject { name, run } in subjects {
        let mut step = |what: &str| progress(&format!("{name}: {what}"));
        let of_core = run(effort, &mut step).await;
        let of_core =
            of_core.map_err(|why| BoxError::from(format!("the core of {name}: {why}")))?;
        bins.bins.extend(of_core.bins);
        bins.compared += of_core.compared;
        bins.wrong.extend(of_core.wrong);
    }
    progress("reading the models' counters");
    let files = collection.end().map_err(BoxError::from)?;
    let mut report = CoverageReport::of(rtl, &data::merged(&files)?, bins);
    (report.cores, report.models) = (cores, files.len());
    Ok(report)
}

fn core(game: &str) -> Result<&'static Variant, BoxError> {
    let core = sim::variant(game, None);
    core.ok_or_else(|| format!("this build has no model of the core of {game}").into())
}

/// Runs the stimulus on a game's core; `progress` gets the name of each step.
async fn run<G: Cover>(
    effort: Effort,
    progress: &mut (dyn FnMut(&str) + Send),
) -> Result<BinReport, BoxError> {
    let Effort {
        seed,
        positions,
        benches,
    } = effort;
    let core = core(G::NAME)?;
    progress("games and directed positions, without the UART");
    let mut player = Player {
        core: open::<G>("sim").await?,
        bins: Bins::default(),
        compared: 0,
    };
    for name in G::CONTROLLERS {
        player.games(name, seed, positions).await?;
    }
    for (controller, position) in G::cases(seed) {
        player.core.configure(&controller).await?;
        let one = std::slice::from_ref(&position);
        player.decide(&controller, one).await?;
        player.trace(&controller, &position).await?;
    }
    progress("games, at the pins");
    player.core = open("sim-uart").await?;
    player.games(G::DEFAULT, seed, AT_THE_PINS).await?;
    progress("requests that a core refuses, drops and cancels");
    let mut watches = on_a_thread("refusals", move || refusals::run::<G>(core, seed)).await?;
    progress("the serial line");
    watches.extend(on_a_thread("the line", move || line::run(core, G::WIRE)).await?);
    let bench = crate::core_of(core.game).ok_or("the core has no bench")?;
    for seed in (0..benches).map(|run| seed.wrapping_add(run)) {
        progress(&format!("the bench of the core, seed {seed}"));
        on_a_thread(bench.name, move || bench.run(None, seed)).await?;
    }
    let mut wire = Bins::default();
    for watch in watches {
        wire.merge(watch.end()?);
    }
    let (mut bins, mut wrong) = counted(G::NAME, &G::groups(), &player.bins);
    let (of_wire, more) = counted(G::NAME, &watch::groups(G::WIRE, G::NEVER), &wire);
    bins.extend(of_wire);
    wrong.extend(more);
    Ok(BinReport {
        bins,
        compared: player.compared,
        wrong,
    })
}

/// Runs a bench on a thread of its own, so that an interrupt is handled meanwhile.
async fn on_a_thread<T: Send + 'static>(
    bench: &'static str,
    run: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, BoxError> {
    let done = tokio::task::spawn_blocking(run).await?;
    done.map_err(|why| format!("the bench of {bench}: {why}").into())
}

async fn open<G: Cover>(name: &str) -> Result<Box<dyn Backend<G>>, BoxError> {
    let registry = BackendRegistry::new()
        .with(simulated::bytes())
        .with(simulated::pins());
    Ok(registry.open(&registry.parse(name)?, 1).await?)
}

/// A core, and the bins that its decisions hit.
struct Player<G: Cover> {
    core: Box<dyn Backend<G>>,
    bins: Bins,
    /// Number of decisions compared with the golden model's.
    compared: u64,
}

impl<G: Cover> Player<G> {
    /// Decides positions and compares the decisions with the golden model's.
    async fn decide(
        &mut self,
        controller: &G::Controller,
        positions: &[G::Position],
    ) -> Result<(), BoxError> {
        let answers = self.core.decide(positions).await?;
        for (position, answer) in positions.iter().zip(&answers) {
            let golden = G::decide(controller, position)?;
            G::count(&mut self.bins, controller, position);
            self.compared += 1;
            same(position, &answer.decision, &golden)?;
        }
        Ok(())
    }

    /// Traces a position and compares the trace with the golden model's.
    async fn trace(
        &mut self,
        controller: &G::Controller,
        position: &G::Position,
    ) -> Result<(), BoxError> {
        let traces = self.core.trace(std::slice::from_ref(position)).await?;
        let golden = G::trace(controller, position)?;
        self.compared += 1;
        same(position, &traces.into_iter().next(), &golden)
    }

    /// Plays games with a controller: decisions, traces, batches and self-play.
    async fn games(&mut self, name: &str, seed: u64, count: usize) -> Result<(), BoxError> {
        let controller = G::player(name)?;
        self.core.configure(&controller).await?;
        let positions = positions::<G>(&controller, seed, count)?;
        for some in positions.chunks(AT_A_TIME) {
            self.decide(&controller, some).await?;
            if let Some(one) = some.first() {
                self.trace(&controller, one).await?;
            }
        }
        G::play_alone(&mut *self.core, &controller, seed, &positions).await
    }
}

fn same<P: std::fmt::Debug, T: PartialEq + std::fmt::Debug>(
    position: &P,
    got: &T,
    golden: &T,
) -> Result<(), BoxError> {
    match got == golden {
        true => Ok(()),
        false => {
            Err(format!("the decision on {position:?} is {got:?}, expected {golden:?}").into())
        }
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
