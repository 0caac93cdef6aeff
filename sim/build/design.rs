//! The RTL that models are made of: the files of a list.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::Result;
use crate::digest::Digest;

/// The files of a list.
pub(crate) struct Design {
    pub(crate) list: PathBuf,
    pub(crate) key: Digest,
}

impl Design {
    /// The files of a list below a root, those of the lists that it names included; their names
    /// and contents make the key, and nothing else that lies beside them does.
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

    /// Adds what is not in the list.
    pub(crate) fn add(&mut self, label: &str, content: &[u8]) {
        self.key.add(label, content);
    }

    /// Sixteen hexadecimal digits; rtl/netlist.py knows how they are made.
    pub(crate) fn key(&self) -> String {
        self.key.key()
    }
}

/// The files of a list, as paths below its root, in their order. A line `-F LIST` stands for the
/// files of another one; both are relative to the list they stand in.
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
