//! A run: every core is asked, and what the models counted is gathered.

use std::path::Path;

use super::cover::Cover;
use super::data::DataError;
use super::report::{Report, ReportError};

/// How much is asked.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Of everything that is drawn.
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
    #[cfg(feature = "coverage")]
    #[error(transparent)]
    Sim(#[from] sim::SimError),
    /// A core cannot be asked, or answers wrongly.
    #[cfg(feature = "coverage")]
    #[error("the core of {game}: {why}")]
    Stimulus {
        /// Its game.
        game: &'static str,
        /// Why.
        why: super::stimulus::StimulusError,
    },
    /// What a model wrote cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The RTL's sources cannot be read.
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// A game whose core is asked.
#[derive(Clone, Copy)]
pub struct Subject {
    /// The game.
    pub name: &'static str,
    #[cfg(feature = "coverage")]
    run: super::stimulus::Run,
}

impl Subject {
    /// That game.
    pub const fn of<G: Cover>() -> Self {
        Self {
            name: G::NAME,
            #[cfg(feature = "coverage")]
            run: super::stimulus::boxed::<G>,
        }
    }
}

/// Asks everything of the simulated cores of games; what was reached of the RTL in that folder.
/// `tell` hears what comes next.
///
/// # Errors
/// When an answer is wrong, something cannot be read or written, or this build counts nothing.
#[cfg(not(feature = "coverage"))]
pub async fn measure(
    _rtl: &Path,
    _subjects: &[Subject],
    _effort: Effort,
    _tell: &mut (dyn FnMut(&str) + Send),
) -> Result<Report, MeasureError> {
    Err(MeasureError::NotBuilt)
}

/// Asks everything of the simulated cores of games; what was reached of the RTL in that folder.
/// `tell` hears what comes next.
///
/// # Errors
/// When an answer is wrong, or something cannot be read or written.
#[cfg(feature = "coverage")]
pub async fn measure(
    rtl: &Path,
    subjects: &[Subject],
    effort: Effort,
    tell: &mut (dyn FnMut(&str) + Send),
) -> Result<Report, MeasureError> {
    use super::data::Data;
    use super::report::{Core, Seen};

    let of = |game| move |why| MeasureError::Stimulus { game, why };
    let core = |subject: &Subject| {
        let game = subject.name;
        let variant = super::stimulus::core(game).map_err(of(game))?;
        let (build_id, sources) = (variant.build_id, variant.sources);
        Ok(Core {
            game,
            build_id,
            sources,
        })
    };
    let cores: Result<Vec<Core>, MeasureError> = subjects.iter().map(core).collect();
    let cores = cores?;
    // What is wrong with the sources is told before anything runs.
    Report::new(rtl, cores.clone(), 0, &Data::default(), Seen::default())?;
    let folder = tempfile::tempdir().map_err(MeasureError::Folder)?;
    let gathering = sim::coverage::Gathering::begin(folder.path())?;
    let mut seen = Seen::default();
    for subject in subjects {
        let name = subject.name;
        let mut tell = |what: &str| tell(&format!("{name}: {what}"));
        seen.merge((subject.run)(effort, &mut tell).await.map_err(of(name))?);
    }
    tell("what was reached is gathered");
    let files = gathering.end()?;
    let data = Data::merged(&files)?;
    Ok(Report::new(rtl, cores, files.len(), &data, seen)?)
}
