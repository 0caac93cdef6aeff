//! Content keys: hashes of files and settings.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use crate::Result;

/// A hash of labelled parts.
#[derive(Clone, Default)]
pub(crate) struct Digest(Sha256);

impl Digest {
    /// Adds a part with its length, so that no two lists of parts hash alike.
    pub(crate) fn add(&mut self, label: &str, content: &[u8]) {
        for part in [label.as_bytes(), content] {
            self.0.update((part.len() as u64).to_le_bytes());
            self.0.update(part);
        }
    }

    /// Adds a file under its path below `root`, which does not depend on the location of the tree.
    pub(crate) fn add_file(&mut self, root: &Path, file: &Path) -> Result<()> {
        let content = fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let name = file.strip_prefix(root).unwrap_or(file);
        self.add(&name.to_string_lossy(), &content);
        Ok(())
    }

    /// Adds every file below a folder with one of the endings.
    pub(crate) fn add_tree(&mut self, root: &Path, endings: &[&str]) -> Result<()> {
        for file in files(root, endings)? {
            self.add_file(root, &file)?;
        }
        Ok(())
    }

    /// Sixteen hexadecimal digits.
    pub(crate) fn key(&self) -> String {
        self.bytes()[..8]
            .iter()
            .map(|b| format!("{b:02x}"))
            .collect()
    }

    /// The first 32 bits.
    pub(crate) fn short(&self) -> u32 {
        let b = self.bytes();
        u32::from_be_bytes([b[0], b[1], b[2], b[3]])
    }

    fn bytes(&self) -> Vec<u8> {
        self.0.clone().finalize().to_vec()
    }
}

/// A table below `rtl/`, then the tables that games add to it: `games/GAME.LIST`.
pub(crate) fn with_games(rtl: &Path, list: &str) -> Result<Vec<PathBuf>> {
    let mut lists = vec![rtl.join(list)];
    let is_one = |path: &PathBuf| path.to_string_lossy().ends_with(&format!(".{list}"));
    lists.extend(
        files(&rtl.join("games"), &["txt"])?
            .into_iter()
            .filter(is_one),
    );
    Ok(lists)
}

/// The files below a folder with one of the endings, sorted.
pub(crate) fn files(root: &Path, endings: &[&str]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let entries = fs::read_dir(root).map_err(|e| format!("{}: {e}", root.display()))?;
    for entry in entries {
        let path = entry
            .map_err(|e| format!("{}: {e}", root.display()))?
            .path();
        if path.is_dir() {
            found.extend(files(&path, endings)?);
        } else if path
            .extension()
            .is_some_and(|e| endings.contains(&&*e.to_string_lossy()))
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
