//! A run: the stimulus on every core, and what the models counted.

use std::path::Path;

use super::cover::Cover;
use super::data::{Data, DataError};
use super::report::{Core, Report, ReportError, Seen};
use super::stimulus::{self, StimulusError};

/// Extent of a run.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Seed of all that is drawn.
    pub seed: u64,
    /// Positions of the games of each controller, behind the UART.
    pub positions: usize,
    /// Runs of the bench of a whole core.
    pub benches: u64,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// Nothing is counted.
    #[error(
        "the models of this lockstep do not count what they reach; `make coverage` builds one whose \
         models do, and runs it"
    )]
    NotBuilt,
    /// There is no place for what models count.
    #[error("a folder for what the models count: {0}")]
    Folder(std::io::Error),
    /// The models cannot write it.
    #[error(transparent)]
    Sim(#[from] sim::SimError),
    /// A core cannot be run, or answers wrongly.
    #[error("the core of {game}: {why}")]
    Stimulus {
        /// Its game.
        game: &'static str,
        /// Why.
        why: StimulusError,
    },
    /// What a model wrote cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The RTL's sources cannot be read.
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// A game whose core is measured.
#[derive(Clone, Copy)]
pub struct Subject {
    /// The game.
    pub name: &'static str,
    run: stimulus::Run,
}

impl Subject {
    /// That game.
    pub const fn of<G: Cover>() -> Self {
        Self {
            name: G::NAME,
            run: stimulus::boxed::<G>,
        }
    }
}

/// Runs the stimulus on the simulated cores of games; what was reached of the RTL in that folder.
/// `progress` gets the name of each step.
///
/// # Errors
/// When an answer is wrong, something cannot be read or written, or this build counts nothing.
pub async fn measure(
    rtl: &Path,
    subjects: &[Subject],
    effort: Effort,
    progress: &mut (dyn FnMut(&str) + Send),
) -> Result<Report, MeasureError> {
    if !sim::coverage::counted() {
        return Err(MeasureError::NotBuilt);
    }
    let of = |game| move |why| MeasureError::Stimulus { game, why };
    let mut cores = Vec::new();
    for Subject { name: game, .. } in subjects {
        let variant = stimulus::core(game).map_err(of(game))?;
        cores.push(Core {
            game,
            build_id: variant.build_id,
            sources: variant.sources,
        });
    }
    // A source that cannot be read is reported before anything runs.
    Report::new(rtl, cores.clone(), 0, &Data::default(), Seen::default())?;
    let folder = tempfile::tempdir().map_err(MeasureError::Folder)?;
    let gathering = sim::coverage::Gathering::begin(folder.path())?;
    let mut seen = Seen::default();
    for Subject { name, run } in subjects {
        let mut step = |what: &str| progress(&format!("{name}: {what}"));
        seen.merge(run(effort, &mut step).await.map_err(of(name))?);
    }
    progress("the models' counts are read");
    let files = gathering.end()?;
    let data = Data::merged(&files)?;
    Ok(Report::new(rtl, cores, files.len(), &data, seen)?)
}
