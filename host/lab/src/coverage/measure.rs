//! A run: everything is asked, and what the models counted is gathered.

use std::path::Path;

use super::data::DataError;
use super::report::{Report, ReportError};

/// How much is asked.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Of everything that is drawn.
    pub seed: u64,
    /// Pieces of a game, behind the UART.
    pub pieces: usize,
    /// Runs of the bench of the whole core.
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
    /// The core cannot be asked, or answers wrongly.
    #[cfg(feature = "coverage")]
    #[error(transparent)]
    Stimulus(#[from] super::stimulus::StimulusError),
    /// What a model wrote cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The RTL's sources cannot be read.
    #[error(transparent)]
    Report(#[from] ReportError),
}

/// Asks everything of the simulated core; what was reached of the RTL in that folder. `tell` hears
/// what comes next.
///
/// # Errors
/// When an answer is wrong, something cannot be read or written, or this build counts nothing.
#[cfg(not(feature = "coverage"))]
pub async fn measure(
    _rtl: &Path,
    _effort: Effort,
    _tell: &mut (dyn FnMut(&str) + Send),
) -> Result<Report, MeasureError> {
    Err(MeasureError::NotBuilt)
}

/// Asks everything of the simulated core; what was reached of the RTL in that folder. `tell` hears
/// what comes next.
///
/// # Errors
/// When an answer is wrong, or something cannot be read or written.
#[cfg(feature = "coverage")]
pub async fn measure(
    rtl: &Path,
    effort: Effort,
    tell: &mut (dyn FnMut(&str) + Send),
) -> Result<Report, MeasureError> {
    use super::data::Data;
    use super::watch::Seen;

    // What is wrong with the sources is told before anything runs.
    let core = super::stimulus::core()?;
    Report::new(rtl, core.sources, 0, 0, &Data::default(), &Seen::default())?;
    let folder = tempfile::tempdir().map_err(MeasureError::Folder)?;
    let gathering = sim::coverage::Gathering::begin(folder.path())?;
    let seen = super::stimulus::run(effort, tell).await?;
    tell("what was reached is gathered");
    let files = gathering.end()?;
    let data = Data::merged(&files)?;
    let models = files.len();
    Ok(Report::new(
        rtl,
        core.sources,
        core.build_id,
        models,
        &data,
        &seen,
    )?)
}
