//! A run: everything is asked, and what the models counted is gathered.

use std::path::Path;

use sim::SimError;
use sim::coverage::Gathering;

use super::data::{Data, DataError};
use super::report::{Report, ReportError};
use super::stimulus::{self, Effort, StimulusError};

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// There is no place for what models count.
    #[error("a folder for what the models count: {0}")]
    Folder(std::io::Error),
    /// The models cannot write it.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// The core cannot be asked, or answers wrongly.
    #[error(transparent)]
    Stimulus(#[from] StimulusError),
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
/// When an answer is wrong, or something cannot be read or written.
pub async fn measure(
    rtl: &Path,
    effort: Effort,
    tell: &mut (dyn FnMut(&str) + Send),
) -> Result<Report, MeasureError> {
    // Whatever is wrong with the sources is told before anything runs.
    Report::new(rtl, 0, 0, &Data::default(), &Default::default())?;
    let folder = tempfile::tempdir().map_err(MeasureError::Folder)?;
    let gathering = Gathering::begin(folder.path())?;
    let seen = stimulus::run(effort, tell).await?;
    tell("gathering what was reached");
    let files = gathering.end()?;
    let data = Data::merged(&files)?;
    let build_id = sim::variants().first().map_or(0, |core| core.build_id);
    Ok(Report::new(rtl, build_id, files.len(), &data, &seen)?)
}
