//! Controllers that have a name, or a file.

use std::io;
use std::path::Path;

use crate::BoxError;
use crate::explain::{Explain, Shrink};
use crate::game::{Codec, Draw, Golden, Rules};

/// A game with all that a program for any game needs, and controllers that can be named.
pub trait Catalog: Rules<Setup: PartialEq> + Golden + Codec + Draw + Explain + Shrink {
    /// The built-in controller that plays where none is named.
    const USUAL: &'static str;

    /// Names of the built-in controllers, in the order in which they are listed.
    fn presets() -> Vec<&'static str>;

    /// The built-in controller of that name, or the one in that file; `None` when there is
    /// neither.
    ///
    /// # Errors
    /// When the file cannot be read, or is no controller.
    fn load(name: &str) -> Result<Option<Self::Controller>, BoxError>;

    /// Name of a controller.
    fn name(controller: &Self::Controller) -> &str;

    /// The usual games of that seed.
    fn usual(seed: u64) -> Self::Setup;
}

/// Largest file of a controller, in bytes.
const LARGEST: u64 = 1 << 20;

/// Reads the text of a controller's file.
///
/// # Errors
/// When it cannot be read, is no ordinary file, or is longer than a controller can be.
pub fn read(path: &Path) -> io::Result<String> {
    // Before it is opened: a pipe would wait for somebody to write.
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
