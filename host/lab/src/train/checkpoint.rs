//! Checkpoints: the whole state of a training, in a file of JSON.

use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::file;
use super::settings::Settings;
use super::training::Training;

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
    file::write(path, &text)
}

/// Reads a checkpoint; `None` when there is none yet.
///
/// # Errors
/// When the file is not a checkpoint of a training under these settings.
pub fn load(path: &Path, settings: &Settings) -> Result<Option<Training>, CheckpointError> {
    let Some((text, version)) = marked(path)? else {
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
    let found = file.training.settings.differences(settings);
    if found.is_empty() {
        return Ok(Some(file.training));
    }
    let list = |pick: fn(&(String, String, String)) -> &String| {
        let option = |d: &(String, String, String)| format!("--{} {}", d.0, pick(d));
        found.iter().map(option).collect::<Vec<_>>().join(" ")
    };
    Err(CheckpointError::Settings {
        path: path.into(),
        theirs: list(|d| &d.1),
        ours: list(|d| &d.2),
    })
}

/// Whether a training that starts over may write there: a checkpoint is lost, of
/// whatever settings and version; what is none is left alone.
///
/// # Errors
/// When it may not.
pub fn check_replaceable(path: &Path) -> Result<(), CheckpointError> {
    marked(path).map(drop)
}

/// The text of a checkpoint and its version; `None` when there is no file.
fn marked(path: &Path) -> Result<Option<(Vec<u8>, Value)>, CheckpointError> {
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(why) => {
            let path = path.into();
            return Err(CheckpointError::Read { path, why });
        }
    };
    let head: Option<Value> = serde_json::from_slice(&text).ok();
    match head.as_ref().and_then(|head| head.get(MARK)) {
        Some(version) => Ok(Some((text, version.clone()))),
        None => Err(CheckpointError::Foreign { path: path.into() }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::functions::settings;
    use super::super::settings::Method;
    use super::*;

    #[test]
    fn a_training_is_kept_with_its_very_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.checkpoint.json");
        for method in [Method::Ga, Method::Pso, Method::Cmaes] {
            let settings = settings(method, 3);
            let training = Training::new(settings.clone());
            save(&path, &training).unwrap();
            assert_eq!(load(&path, &settings).unwrap(), Some(training));
        }
        assert_eq!(
            load(&folder.path().join("b"), &settings(Method::Ga, 3)).unwrap(),
            None
        );
    }

    #[test]
    fn what_differs_is_named_with_the_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.checkpoint.json");
        let mut other = settings(Method::Ga, 3);
        save(&path, &Training::new(other.clone())).unwrap();
        other.games = 6;
        other.seed = 2;
        let error = load(&path, &other).unwrap_err().to_string();
        let expected = "is of a training with --games 5 --seed 1, not --games 6 --seed 2; --fresh";
        assert!(error.contains(expected), "{error}");
        check_replaceable(&path).unwrap();
    }

    #[test]
    fn what_is_no_checkpoint_is_told_from_one_that_is_damaged() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.checkpoint.json");
        let settings = settings(Method::Ga, 3);
        check_replaceable(&path).unwrap();
        for content in ["", "precious", "[1]", "{}", r#"{"lockstep_training":1"#] {
            std::fs::write(&path, content).unwrap();
            for error in [
                load(&path, &settings).unwrap_err(),
                check_replaceable(&path).unwrap_err(),
            ] {
                assert!(matches!(error, CheckpointError::Foreign { .. }), "{error}");
            }
        }
        for (content, named) in [
            (r#"{"lockstep_training":1}"#, "missing field `training`"),
            (r#"{"lockstep_training":"x"}"#, "version \"x\""),
        ] {
            std::fs::write(&path, content).unwrap();
            let error = load(&path, &settings).unwrap_err().to_string();
            assert!(
                error.contains(named) && error.contains("--fresh"),
                "{error}"
            );
            check_replaceable(&path).unwrap();
        }
    }
}
