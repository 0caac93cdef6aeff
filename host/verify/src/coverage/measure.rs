//! Measures coverage: runs the stimulus on every core and reads the models' counters.

use std::path::Path;

use super::cover::Cover;
use super::data::{Data, DataError};
use super::report::{BinReport, CoverageReport, CoveredCore, ReportError};
use super::stimulus::{self, StimulusError};

/// The extent of a measurement.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Seed of all random values.
    pub seed: u64,
    /// Number of positions for each controller, behind the UART.
    pub positions: usize,
    /// Number of runs of the bench of each whole core.
    pub benches: u64,
}

/// Why coverage cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The models of this build have no counters.
    #[error(
        "the models of this lockstep have no coverage counters; run `make coverage`, which builds \
        models that have"
    )]
    NotBuilt,
    /// A temporary folder for the counters cannot be created.
    #[error("the temporary folder for coverage counters: {0}")]
    Folder(std::io::Error),
    /// The models cannot write their counters.
    #[error(transparent)]
    Sim(#[from] sim::SimError),
    /// A core cannot be run, or has given a wrong answer.
    #[error("the core of {game}: {why}")]
    Stimulus {
        /// The core's game.
        game: &'static str,
        /// The error.
        why: StimulusError,
    },
    /// A model's counters cannot be read.
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
    /// The subject that measures the core of game `G`.
    pub const fn of<G: Cover>() -> Self {
        Self {
            name: G::NAME,
            run: stimulus::boxed::<G>,
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
        return Err(MeasureError::NotBuilt);
    }
    let of = |game| move |why| MeasureError::Stimulus { game, why };
    let mut cores = Vec::new();
    for Subject { name: game, .. } in subjects {
        let variant = stimulus::core(game).map_err(of(game))?;
        cores.push(CoveredCore {
            game,
            build_id: variant.build_id,
            sources: variant.sources,
        });
    }
    // A source that cannot be read is reported before anything runs.
    CoverageReport::new(
        rtl,
        cores.clone(),
        0,
        &Data::default(),
        BinReport::default(),
    )?;
    let folder = tempfile::tempdir().map_err(MeasureError::Folder)?;
    let collection = sim::coverage::CoverageRun::begin(folder.path())?;
    let mut bin_report = BinReport::default();
    for Subject { name, run } in subjects {
        let mut step = |what: &str| progress(&format!("{name}: {what}"));
        bin_report.merge(run(effort, &mut step).await.map_err(of(name))?);
    }
    progress("reading the models' counters");
    let files = collection.end()?;
    let data = Data::merged(&files)?;
    Ok(CoverageReport::new(
        rtl,
        cores,
        files.len(),
        &data,
        bin_report,
    )?)
}
