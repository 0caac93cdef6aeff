//! Controllers that have a name, or a file.

use std::io;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

use crate::codec::Codec;
use crate::explain::{Explain, Shrink};
use crate::game::{Draw, Rules};
use crate::golden::Golden;
use crate::text::plainly;

/// All traits of a game, and its controllers by name.
pub trait Catalog: Rules<Setup: PartialEq> + Golden + Codec + Draw + Explain + Shrink {
    /// The default controller.
    const USUAL: &'static str;

    /// Names of the built-in controllers, in the order in which they are listed.
    fn presets() -> Vec<&'static str>;

    /// The built-in controller of that name, or the one in that file.
    ///
    /// # Errors
    /// [`LoadError::Unknown`] when there is neither.
    fn load(name: &str) -> Result<Self::Controller, LoadError>;

    /// Name of a controller.
    fn name(controller: &Self::Controller) -> &str;

    /// The default setup with that seed.
    fn usual(seed: u64) -> Self::Setup;
}

/// Why there is no such controller.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Neither a built-in controller nor a file.
    #[error(
        "no controller is called '{name}' and there is no such file; the presets are {presets}"
    )]
    Unknown {
        /// The name given.
        name: String,
        /// Names of the built-in controllers.
        presets: String,
    },
    /// The file cannot be read.
    #[error("controller {path}: {why}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// The file is not a controller.
    #[error("controller {path}: {why}", path = path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// What was expected and what came.
        why: String,
    },
}

impl LoadError {
    /// There is neither a built-in controller of that name nor a file.
    pub fn unknown(name: &str, presets: impl IntoIterator<Item = &'static str>) -> Self {
        let presets: Vec<_> = presets.into_iter().collect();
        Self::Unknown {
            name: name.into(),
            presets: presets.join(", "),
        }
    }
}

/// The controller of that name among `presets` (names and texts), or in that file.
///
/// # Errors
/// When there is neither, or the text is no controller.
pub fn load<C: DeserializeOwned>(
    presets: &[(&'static str, &str)],
    name: &str,
) -> Result<C, LoadError> {
    match text(presets, name)? {
        Some(text) => parse(name, &text),
        None => Err(LoadError::unknown(
            name,
            presets.iter().map(|(name, _)| *name),
        )),
    }
}

/// The text of the preset of that name, or of that file; `None` when there is neither.
///
/// # Errors
/// When the file cannot be read.
pub fn text(presets: &[(&'static str, &str)], name: &str) -> Result<Option<String>, LoadError> {
    if let Some((_, text)) = presets.iter().find(|(preset, _)| *preset == name) {
        return Ok(Some((*text).to_owned()));
    }
    match read(Path::new(name)) {
        Ok(text) => Ok(Some(text)),
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(LoadError::Read {
            path: name.into(),
            why,
        }),
    }
}

/// Parses a controller; `name` is its name in errors.
///
/// # Errors
/// When the text is no controller.
pub fn parse<C: DeserializeOwned>(name: &str, text: &str) -> Result<C, LoadError> {
    serde_json::from_str(text).map_err(|why| LoadError::Parse {
        path: name.into(),
        why: plainly(&why),
    })
}

/// Largest file of a controller, in bytes.
const LARGEST: u64 = 1 << 20;

/// Reads the text of a controller's file.
///
/// # Errors
/// When it cannot be read, is no ordinary file, or is longer than a controller can be.
fn read(path: &Path) -> io::Result<String> {
    // Checked before opening: opening a pipe waits for a writer.
    let about = std::fs::metadata(path)?;
    if about.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !about.is_file() {
        return Err(io::Error::other("that is no ordinary file"));
    }
    if about.len() > LARGEST {
        let why = format!("longer than {LARGEST} bytes, which no controller is");
        return Err(io::Error::other(why));
    }
    std::fs::read_to_string(path)
}
