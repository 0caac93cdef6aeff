//! The RTL that models are made of.

use std::fs;
use std::path::PathBuf;

use crate::Result;
use crate::digest::Digest;

/// A copy of the RTL.
pub(crate) struct Design {
    /// Its files.
    pub(crate) list: PathBuf,
    pub(crate) key: Digest,
}

impl Design {
    /// The files of a list, paths relative to it; those beside them (proofs, lists of
    /// faults and benches) are no part of the design.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub(crate) fn of(list: PathBuf) -> Result<Self> {
        let folder = list.parent().unwrap_or(&list);
        let text = fs::read_to_string(&list).map_err(|e| format!("{}: {e}", list.display()))?;
        let mut key = Digest::default();
        key.add("list", text.as_bytes());
        for line in text.lines().map(str::trim) {
            if !line.is_empty() && !line.starts_with("//") {
                key.add_file(folder, &folder.join(line))?;
            }
        }
        Ok(Self { list, key })
    }

    /// Adds what is not in the list.
    pub(crate) fn add(&mut self, label: &str, content: &[u8]) {
        self.key.add(label, content);
    }

    /// Sixteen hexadecimal digits; rtl/netlist.py knows how they are made.
    pub(crate) fn key(&self) -> String {
        self.key.key()
    }
}
