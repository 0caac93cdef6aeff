//! Arguments (numbers, misspelt names, names of files) and lines of standard input.

pub mod lines;
pub mod numbers;
pub mod shards;
pub mod suggest;

use std::ffi::OsStr;

/// Whether a name has a line break, which would split a message that quotes the name.
///
/// The log of a CI system may take the second line for a command.
pub fn has_line_break(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    bytes.iter().any(|byte| matches!(byte, b'\n' | b'\r'))
}
