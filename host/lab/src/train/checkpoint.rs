//! Checkpoints: the whole state of a training, in a file of JSON.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::settings::Settings;
use super::sound::Contradiction;
use super::training::Training;
use crate::files::header::marked;
use crate::files::write::write;

/// Version of the format. Raise it when an older reader would misread a
/// checkpoint.
pub const VERSION: u32 = 1;

/// Why a training cannot go on from a checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("checkpoint {path}: {why}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// Something else, and not to be touched.
    #[error(
        "{path} is no checkpoint of lockstep train and is left alone; \
         name another file with --checkpoint",
        path = path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// The checkpoint is damaged.
    #[error(
        "checkpoint {path}: {why}; --fresh starts over, another --checkpoint leaves it alone",
        path = path.display()
    )]
    Parse {
        /// The file.
        path: PathBuf,
        /// Why.
        why: serde_json::Error,
    },
    /// The checkpoint contradicts itself, or holds what no training comes to.
    #[error(
        "checkpoint {path}: {why}; --fresh starts over, another --checkpoint leaves it alone",
        path = path.display()
    )]
    Contradiction {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: Contradiction,
    },
    /// The checkpoint is of another version.
    #[error(
        "checkpoint {path} is of version {version}, this lockstep reads version {VERSION}; \
         --fresh starts over, another --checkpoint leaves it alone",
        path = path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version, as it is written there.
        version: Value,
    },
    /// The training began under other settings.
    #[error(
        "checkpoint {path} is of a training with {theirs}, not {ours}; \
         --fresh starts over, another --checkpoint leaves it alone",
        path = path.display()
    )]
    Settings {
        /// The file.
        path: PathBuf,
        /// Its options that differ.
        theirs: String,
        /// The same options as given now.
        ours: String,
    },
}

/// The field that holds [`VERSION`] and tells a checkpoint from other files.
const MARK: &str = "lockstep_training";

#[derive(Serialize, Deserialize)]
#[serde(expecting = "a checkpoint")]
struct File<T> {
    lockstep_training: u32,
    training: T,
}

/// Writes a checkpoint, atomically.
///
/// # Errors
/// Those of the file system.
pub fn save(path: &Path, training: &Training) -> io::Result<()> {
    let file = File {
        lockstep_training: VERSION,
        training,
    };
    let mut text = serde_json::to_vec(&file)?;
    text.push(b'\n');
    write(path, &text)
}

/// Reads a checkpoint; `None` when there is none yet.
///
/// # Errors
/// When the file is not a checkpoint of a training under these settings.
pub fn load(path: &Path, settings: &Settings) -> Result<Option<Training>, CheckpointError> {
    let Some((text, version)) = read(path)? else {
        return Ok(None);
    };
    if version != VERSION {
        let path = path.into();
        return Err(CheckpointError::Version { path, version });
    }
    let file: File<Training> = serde_json::from_slice(&text).map_err(|why| {
        let path = path.into();
        CheckpointError::Parse { path, why }
    })?;
    let training = file.training;
    if training.settings != *settings {
        let (theirs, ours) = training.settings.differences(settings);
        let path = path.into();
        return Err(CheckpointError::Settings { path, theirs, ours });
    }
    training.check().map_err(|why| {
        let path = path.into();
        CheckpointError::Contradiction { path, why }
    })?;
    Ok(Some(training))
}

/// Whether a training that starts over may write there: a checkpoint is lost, of
/// whatever settings and version; what is none is left alone.
///
/// # Errors
/// When it may not.
pub fn check_replaceable(path: &Path) -> Result<(), CheckpointError> {
    read(path).map(drop)
}

/// The text of a checkpoint and its version; `None` when there is no file.
fn read(path: &Path) -> Result<Option<(Vec<u8>, Value)>, CheckpointError> {
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => {
            let path = path.into();
            return Err(CheckpointError::Read { path, why });
        }
    };
    match marked(&text, MARK) {
        Some(document) => Ok(Some((text, document[MARK].clone()))),
        None => Err(CheckpointError::Foreign { path: path.into() }),
    }
}

#[cfg(test)]
mod tests;
