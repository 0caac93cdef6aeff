//! Controllers by name: built-in ones, and files; their valid names.

use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;

use crate::codec::Codec;
use crate::explain::{Explain, Shrink};
use crate::game::{Draw, Rules};
use crate::software::Golden;

/// All traits of a game, and its controllers by name.
pub trait Catalog: Rules<Setup: PartialEq> + Golden + Codec + Draw + Explain + Shrink {
    /// Name of the default controller.
    const DEFAULT: &'static str;

    /// Names and JSON texts of built-in controllers.
    const PRESETS: &'static [(&'static str, &'static str)] = &[];

    /// Names of the built-in controllers, in the order in which they are listed.
    fn presets() -> Vec<&'static str> {
        Self::PRESETS.iter().map(|(name, _)| *name).collect()
    }

    /// The built-in controller of that name, or the controller in the file of that name.
    ///
    /// # Errors
    /// When there is neither, or the file is not a controller.
    fn load(name: &str) -> Result<Self::Controller, LoadError> {
        load(Self::PRESETS, name, &Self::presets())
    }

    /// The name of a controller.
    fn name(controller: &Self::Controller) -> &str;

    /// The default setup with that seed.
    fn default_setup(seed: u64) -> Self::Setup;
}

/// The names and texts of the files in a folder of `fixtures/weights/`.
macro_rules! presets {
    ($folder:literal: $($name:literal)+) => {
        &[$((
            $name,
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../fixtures/weights/",
                $folder,
                $name,
                ".json"
            )),
        )),+]
    };
}
pub(crate) use presets;

/// Why a controller could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// Neither a built-in controller nor a file has the name.
    #[error(
        "no controller is called '{name}' and there is no such file; the built-in ones are {presets}"
    )]
    Unknown {
        /// The name given.
        name: String,
        /// Names of the built-in controllers, separated by commas.
        presets: String,
    },
    /// The file cannot be read, or is not a controller.
    #[error("controller {path}: {why}")]
    File {
        /// The file.
        path: String,
        /// The system's error, or what was expected and what was found.
        why: String,
    },
}

/// Loads a controller from `presets` (names and JSON texts), or from the file called `name`.
///
/// `names` are the names of all built-in controllers, for the error.
///
/// # Errors
/// When there is neither, or the text is not a controller.
pub fn load<C: DeserializeOwned>(
    presets: &[(&'static str, &str)],
    name: &str,
    names: &[&str],
) -> Result<C, LoadError> {
    let preset = presets.iter().find(|(preset, _)| *preset == name);
    let text = match preset {
        Some((_, text)) => (*text).to_owned(),
        None => read(Path::new(name)).map_err(|why| match why.kind() {
            io::ErrorKind::NotFound => LoadError::Unknown {
                name: name.into(),
                presets: names.join(", "),
            },
            _ => LoadError::File {
                path: name.into(),
                why: file_error(&why),
            },
        })?,
    };
    serde_json::from_str(&text).map_err(|why| LoadError::File {
        path: name.into(),
        why: match text.trim_start() {
            "" => "the file is empty".into(),
            text if text.starts_with("{\"lockstep_record\"") => {
                "it is a record, expected a controller".into()
            }
            text if why.is_data() && !text.starts_with('{') => {
                "expected an object with name and source".into()
            }
            // The error of a whole object has no place.
            _ if why.line() == 0 => plainly(&why),
            _ => format!(
                "{} (line {}, column {})",
                plainly(&why),
                why.line(),
                why.column()
            ),
        },
    })
}

/// The error of a file in plain words; of rare kinds, the system's words.
pub fn file_error(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::NotFound => "there is no such file".into(),
        io::ErrorKind::PermissionDenied => "no permission to open it".into(),
        io::ErrorKind::IsADirectory => "it is a folder; name a file in it".into(),
        _ => why.to_string(),
    }
}

/// Largest file of a controller, in bytes.
const LARGEST: u64 = 1 << 20;

/// Reads the file of a controller.
///
/// # Errors
/// When it cannot be read, is not a regular file, or is longer than [`LARGEST`].
fn read(path: &Path) -> io::Result<String> {
    // Checked before opening, because opening a pipe waits for a writer.
    let metadata = std::fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        return Err(io::Error::other("it is not an ordinary file; name one"));
    }
    if metadata.len() > LARGEST {
        let why = format!("{} bytes, expected at most {LARGEST}", metadata.len());
        return Err(io::Error::other(why));
    }
    std::fs::read_to_string(path)
}

/// Maximum length of a controller's name, in characters.
pub const MAX_NAME: usize = 64;

/// Checks the name and source of a controller, which reports show in one line.
///
/// # Errors
/// When one of them is not valid.
pub fn check_text(name: &str, source: &str) -> Result<(), String> {
    let length = name.chars().count();
    if !(1..=MAX_NAME).contains(&length) {
        return Err(format!(
            "the name has {length} characters, expected 1 to {MAX_NAME}"
        ));
    }
    if !name.chars().chain(source.chars()).all(is_printable) {
        return Err("name or source has a control character, expected one line of text".into());
    }
    Ok(())
}

/// Whether a character stays in its line and leaves the others in their order.
///
/// Control characters do not, nor do line and paragraph separators and marks that reverse text.
pub fn is_printable(c: char) -> bool {
    let separates = matches!(c, '\u{2028}' | '\u{2029}');
    let reverses = matches!(
        c,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    !(c.is_control() || separates || reverses)
}

/// The text of a JSON error in plain words, without its line and column.
pub fn plainly(error: &serde_json::Error) -> String {
    if error.is_eof() {
        return "the JSON ends too early".into();
    }
    let place = format!(" at line {} column {}", error.line(), error.column());
    let text = error.to_string();
    let text = text.strip_suffix(&place).unwrap_or(&text);
    match text {
        "expected value" | "expected ident" => return "expected a JSON value".into(),
        "trailing characters" => return "expected nothing after the JSON value".into(),
        _ => {}
    }
    let wrong = text.strip_prefix("invalid type: ");
    let wrong = wrong.or_else(|| text.strip_prefix("invalid value: "));
    let Some((got, expected)) = wrong.and_then(|wrong| wrong.rsplit_once(", expected ")) else {
        return text.replace("unknown variant", "unknown value");
    };
    let expected = match expected {
        "u8" => "a whole number from 0 to 255",
        "i8" => "a whole number from -128 to 127",
        "i16" => "a whole number from -32768 to 32767",
        "u16" | "u32" | "u64" | "usize" | "i32" | "i64" => "a whole number",
        "f32" | "f64" => "a number",
        "a sequence" => "a list",
        expected => expected,
    };
    let got = match got {
        "map" => "an object",
        "sequence" => "a list",
        got => ["string ", "integer ", "floating point ", "boolean "]
            .iter()
            .find_map(|kind| got.strip_prefix(kind))
            .map_or(got, |value| value.trim_matches('`')),
    };
    format!("expected {expected}, got {got}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plainly_says_what_was_expected_and_what_came() {
        for (bad, expected) in [
            ("-1", "expected a whole number, got -1"),
            ("1.5", "expected a whole number, got 1.5"),
            ("\"x\"", "expected a whole number, got \"x\""),
            ("true", "expected a whole number, got true"),
            ("[1]", "expected a whole number, got a list"),
            ("{}", "expected a whole number, got an object"),
            ("x", "expected a JSON value"),
            ("1 2", "expected nothing after the JSON value"),
            ("", "the JSON ends too early"),
        ] {
            let error = serde_json::from_str::<usize>(bad).expect_err(bad);
            assert_eq!(plainly(&error), expected);
        }
    }

    #[test]
    fn check_text_accepts_one_short_line_only() {
        assert_eq!(check_text(&"ä".repeat(64), ""), Ok(()));
        for (name, source, why) in [
            ("", "", "the name has 0 characters, expected 1 to 64"),
            (&*"a".repeat(65), "", "the name has 65 characters"),
            ("a\nb", "", "control character"),
            ("\u{1b}[2J", "", "control character"),
            ("\u{7f}", "", "control character"),
            ("a\u{2028}b", "", "control character"),
            ("\u{202e}a", "", "control character"),
            ("a", "\t", "control character"),
        ] {
            let error = check_text(name, source).expect_err(why);
            assert!(error.contains(why), "{name:?}: {error}");
        }
    }
}
