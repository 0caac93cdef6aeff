//! Writes a waveform of a case, which a model with tracing repeats from power-up on.

mod files;
mod read;

use std::path::{Path, PathBuf};

use lockstep::backend::simulated::traced;
use lockstep::link::LinkError;
use lockstep::link::sim::Waves;
use lockstep::{Backend, Spec, Stop};
use lockstep_games::Codec;

use crate::ExplainError;
use crate::case::Case;
pub use crate::explain::WaveTarget;
use crate::runner::{answer, until};

/// Maximum number of positions in a waveform: the last ones of the case.
const MAX_POSITIONS: usize = 8;

/// The signals of a core that a waveform shows. Paths begin below the instance of the top module; a
/// path that a model lacks is left out.
#[derive(Debug, Clone, Copy)]
pub struct Signals {
    /// Groups of signals, each with a name.
    pub groups: &'static [(&'static str, &'static [Signal])],
    /// Signals that are high for one clock cycle for each candidate of a decision, in order: each
    /// for the fields it is listed with, the last one, without fields, for all others. Empty if a
    /// core reports candidates only in a trace.
    pub candidates: &'static [(&'static [&'static str], &'static str)],
    /// High when a position is taken, and never after its last candidate.
    pub begins: &'static str,
    /// High when the answer is offered.
    pub answers: &'static str,
    /// The clock.
    pub clock: &'static str,
}

impl Signals {
    /// The paths of all these signals.
    pub fn paths(&self) -> impl Iterator<Item = &'static str> {
        let groups = self.groups.iter().flat_map(|(_, signals)| *signals);
        let shown = groups.map(|signal| signal.path);
        let candidates = self.candidates.iter().map(|(_, path)| *path);
        shown
            .chain(candidates)
            .chain([self.begins, self.answers, self.clock])
    }

    /// The signal that marks the target, and the number of its earlier pulses. Without a target,
    /// or if the core has no signal of candidates, it is the answer's signal.
    fn marking(&self, target: Option<WaveTarget>) -> (&'static str, usize) {
        let marking = |WaveTarget { candidate, field }| {
            let has = |fields: &[&str]| fields.is_empty() || fields.contains(&field);
            let (_, path) = self.candidates.iter().find(|(fields, _)| has(fields))?;
            Some((*path, candidate))
        };
        target.and_then(marking).unwrap_or((self.answers, 0))
    }
}

/// A signal and its format.
#[derive(Debug, Clone, Copy)]
pub struct Signal {
    /// Its path below the instance of the top module.
    pub path: &'static str,
    /// The name that viewers show.
    pub name: &'static str,
    /// Number format of its value.
    pub format: Format,
}

/// Number format of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Format {
    Hex,
    Binary,
    Decimal,
    SignedDecimal,
}

impl Signal {
    const fn new(path: &'static str, name: &'static str, format: Format) -> Self {
        Self { path, name, format }
    }

    /// Shown in hexadecimal.
    pub const fn hex(path: &'static str, name: &'static str) -> Self {
        Self::new(path, name, Format::Hex)
    }

    /// Shown bit by bit.
    pub const fn binary(path: &'static str, name: &'static str) -> Self {
        Self::new(path, name, Format::Binary)
    }

    /// Shown as a number.
    pub const fn decimal(path: &'static str, name: &'static str) -> Self {
        Self::new(path, name, Format::Decimal)
    }

    /// Shown as a number in two's complement.
    pub const fn signed(path: &'static str, name: &'static str) -> Self {
        Self::new(path, name, Format::SignedDecimal)
    }
}

/// The files of a waveform.
#[derive(Debug, Clone)]
pub struct Waveform {
    /// All signals (FST), in nanoseconds from power-up on.
    pub file: PathBuf,
    /// The save file of GTKWave.
    pub gtkwave: PathBuf,
    /// The command file of Surfer.
    pub surfer: PathBuf,
    /// Number of positions in it: the last ones of the case.
    pub positions: usize,
    /// The clock edge that takes the target's candidate, or else the answer, in nanoseconds; `None`
    /// if the model gives neither.
    pub marker: Option<u64>,
}

/// Writes the waveform of a case into `file`, with save files for GTKWave (`.gtkw`) and Surfer
/// (`.sucl`) beside it that set a marker at the target.
///
/// # Errors
/// When the backend is not simulated from RTL, or a file cannot be written.
pub async fn waveform<G: Codec>(
    spec: &Spec,
    case: &Case<G>,
    target: Option<WaveTarget>,
    signals: &Signals,
    file: &Path,
    stop: &Stop,
) -> Result<Waveform, ExplainError> {
    let nonce = u64::from(std::process::id()) << 32;
    let (mut backend, waves) = until(stop, traced::<G>(spec, nonce)).await??;
    let positions = run(&mut *backend, &waves, case, file, stop).await?;
    let mut read = read::read(file).map_err(ExplainError::Waves)?;
    let marker = read.marker(target, signals).map_err(ExplainError::Waves)?;
    let (gtkwave, surfer) = (file.with_extension("gtkw"), file.with_extension("sucl"));
    for (path, text) in [
        (&gtkwave, files::gtkwave(file, &read, signals, marker)),
        (&surfer, files::surfer(&read, signals, marker)),
    ] {
        std::fs::write(path, text).map_err(|why| ExplainError::File {
            path: path.clone(),
            why: why.to_string(),
        })?;
    }
    Ok(Waveform {
        file: file.into(),
        gtkwave,
        surfer,
        positions,
        marker,
    })
}

/// Runs a case and traces its last positions; returns their number.
async fn run<G: Codec>(
    backend: &mut dyn Backend<G>,
    waves: &Waves,
    case: &Case<G>,
    file: &Path,
    stop: &Stop,
) -> Result<usize, ExplainError> {
    let wrong = |e: LinkError| ExplainError::Waves(e.to_string());
    // Positions requested at once are traced together.
    let begin = match case.together {
        true => 0,
        false => case.positions.len().saturating_sub(MAX_POSITIONS),
    };
    let (before, traced) = case.positions.split_at(begin);
    let part = |positions: &[G::Position]| Case {
        positions: positions.to_vec(),
        ..case.clone()
    };
    if !before.is_empty() {
        // The answers are known.
        let _ = until(stop, answer(backend, &part(before))).await?;
    }
    waves.begin(file.into()).await.map_err(wrong)?;
    let _ = until(stop, answer(backend, &part(traced))).await?;
    waves.end().await.map_err(wrong)?;
    Ok(traced.len())
}
