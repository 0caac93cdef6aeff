//! The RTL files of a model, read from a file list, and their content key.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::Result;
use crate::digest::Digest;

/// A file list and the key of its files.
pub(crate) struct Design {
    pub(crate) list: PathBuf,
    /// A hash of the files' names and contents; rtl/netlist.py computes the same.
    pub(crate) key: Digest,
}

impl Design {
    /// Reads the files of a list below a root, and of the lists that it includes.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub(crate) fn of(root: &Path, list: &str) -> Result<Self> {
        let mut key = Digest::default();
        for file in files(root, list)? {
            key.add_file(root, &root.join(file))?;
        }
        Ok(Self {
            list: root.join(list),
            key,
        })
    }

    /// # Errors
    /// As [`Self::of`].
    pub(crate) fn all(root: &Path, lists: &[String]) -> Result<Vec<Self>> {
        lists.iter().map(|list| Self::of(root, list)).collect()
    }
}

/// The files of a list in their order, as paths below its root.
///
/// A line `-F LIST` includes another list. Paths are relative to the list that contains them.
///
/// # Errors
/// When a list cannot be read.
pub(crate) fn files(root: &Path, list: &str) -> Result<Vec<String>> {
    let path = root.join(list);
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let folder = Path::new(list).parent().unwrap_or(Path::new(""));
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        match line.strip_prefix("-F ") {
            Some(nested) => found.extend(files(root, &below(folder, nested.trim()))?),
            None => found.push(below(folder, line)),
        }
    }
    Ok(found)
}

/// A path relative to a folder, without `..`.
fn below(folder: &Path, path: &str) -> String {
    let mut plain = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            part => plain.push(part),
        }
    }
    plain.to_string_lossy().into_owned()
}
