//! Arguments: numbers, misspelt names, names of files.

pub mod numbers;
pub mod suggest;

use std::ffi::OsStr;

/// Whether a name has a line break: a message that quotes it would go on in another line, which a
/// CI's log may take for a command.
pub fn has_line_break(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    bytes.iter().any(|byte| matches!(byte, b'\n' | b'\r'))
}
