//! A waveform of a case: it is asked again of a model that can write one, from power-up on.

mod files;
mod read;

use std::path::{Path, PathBuf};

use lockstep::backend::simulated::traced;
use lockstep::link::LinkError;
use lockstep::link::sim::Waves;
use lockstep::{Backend, Spec, Stop};
use lockstep_games::Codec;

use crate::ExplainError;
use crate::ask::{answer, until};
use crate::case::Case;
pub use crate::explain::Sought;

/// Most positions of a case that are in its waveform: the last ones.
const MOST: usize = 8;

/// Which signals of a core are worth looking at. Paths begin below the instance of the top
/// module; one that a model does not have is left out.
#[derive(Debug, Clone, Copy)]
pub struct Signals {
    /// Groups with their names.
    pub groups: &'static [(&'static str, &'static [Signal])],
    /// High for one clock cycle for each candidate of a decision, in their order. A line for some
    /// fields of a candidate; the last one, which names none, for all others. Empty of a core that
    /// reports candidates in a trace alone, as a waveform is of decisions.
    pub weighed: &'static [(&'static [&'static str], &'static str)],
    /// High when a position is taken, and at no time after its last candidate.
    pub begins: &'static str,
    /// High when the answer is offered.
    pub answers: &'static str,
    /// The clock.
    pub clock: &'static str,
}

impl Signals {
    /// The paths of all signals that it names.
    pub fn paths(&self) -> impl Iterator<Item = &'static str> {
        let groups = self.groups.iter().flat_map(|(_, signals)| *signals);
        let shown = groups.map(|signal| signal.path);
        let weighed = self.weighed.iter().map(|(_, path)| *path);
        shown
            .chain(weighed)
            .chain([self.begins, self.answers, self.clock])
    }

    /// What is high when what is sought comes out, and how often it was before: the answer where
    /// no candidate is sought, or none comes out.
    fn of(&self, sought: Option<Sought>) -> (&'static str, usize) {
        let candidate = |Sought { weighed, field }| {
            let has = |fields: &[&str]| fields.is_empty() || fields.contains(&field);
            let (_, path) = self.weighed.iter().find(|(fields, _)| has(fields))?;
            Some((*path, weighed))
        };
        sought.and_then(candidate).unwrap_or((self.answers, 0))
    }
}

/// A signal, and how it is shown.
#[derive(Debug, Clone, Copy)]
pub struct Signal {
    /// Its path.
    pub path: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// How its value is written.
    pub format: Format,
}

/// How a value is written.
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

/// A waveform with what shows it.
#[derive(Debug, Clone)]
pub struct Waveform {
    /// All signals (FST), in nanoseconds from power-up on.
    pub file: PathBuf,
    /// What GTKWave opens it with.
    pub gtkwave: PathBuf,
    /// What Surfer opens it with.
    pub surfer: PathBuf,
    /// Positions of the case that are in it, the last ones.
    pub positions: usize,
    /// The clock edge at which the sought candidate or the answer has come out, in nanoseconds;
    /// `None` where it does not.
    pub marker: Option<u64>,
}

/// Writes the waveform of a case into a file, with save files for GTKWave (`.gtkw`) and
/// Surfer (`.sucl`) beside it, the marker where what is sought comes out.
///
/// # Errors
/// When the backend is not simulated from RTL, or a file cannot be written.
pub async fn waveform<G: Codec>(
    spec: &Spec,
    case: &Case<G>,
    sought: Option<Sought>,
    signals: &Signals,
    file: &Path,
    stop: &Stop,
) -> Result<Waveform, ExplainError> {
    let nonce = u64::from(std::process::id()) << 32;
    let (mut backend, waves) = until(stop, traced::<G>(spec, nonce)).await??;
    let positions = run(&mut *backend, &waves, case, file, stop).await?;
    let mut read = read::read(file).map_err(ExplainError::Waves)?;
    let marker = read.comes(sought, signals).map_err(ExplainError::Waves)?;
    let (gtkwave, surfer) = (file.with_extension("gtkw"), file.with_extension("sucl"));
    for (path, text) in [
        (&gtkwave, files::gtkwave(file, &read, signals, marker)),
        (&surfer, files::surfer(&read, signals, marker)),
    ] {
        std::fs::write(path, text).map_err(|why| ExplainError::File {
            path: path.clone(),
            why,
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

/// Asks a case, the last positions of it with the waveform; how many they are.
async fn run<G: Codec>(
    backend: &mut dyn Backend<G>,
    waves: &Waves,
    case: &Case<G>,
    file: &Path,
    stop: &Stop,
) -> Result<usize, ExplainError> {
    let wrong = |e: LinkError| ExplainError::Waves(e.to_string());
    // Those that are handed over at once are seen from the first one on.
    let begin = match case.together {
        true => 0,
        false => case.positions.len().saturating_sub(MOST),
    };
    let (before, seen) = case.positions.split_at(begin);
    let part = |positions: &[G::Position]| Case {
        positions: positions.to_vec(),
        ..case.clone()
    };
    if !before.is_empty() {
        // Whether and what it answers is known.
        let _ = until(stop, answer(backend, &part(before))).await?;
    }
    waves.begin(file.into()).await.map_err(wrong)?;
    let _ = until(stop, answer(backend, &part(seen))).await?;
    waves.end().await.map_err(wrong)?;
    Ok(seen.len())
}
