//! The output file of `record`, which gets its name only when it is complete.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use lockstep_lab::files::NewFile;

use crate::output::files::check_writable;
use crate::output::named::Named;

/// An incomplete output, removed when dropped before [`NewRecord::keep`].
pub struct NewRecord {
    file: NewFile,
    path: PathBuf,
    force: bool,
}

impl NewRecord {
    /// Begins an output for `path`; `force` overwrites an existing file.
    pub fn beside(path: &Path, force: bool) -> anyhow::Result<Self> {
        check_writable("output", path)?;
        let name = path.display();
        if !force && fs::metadata(path).is_ok() {
            bail!("output {name}: the file exists; --force overwrites it");
        }
        Ok(Self {
            file: NewFile::beside(path).with_context(|| format!("output {name}"))?,
            path: path.into(),
            force,
        })
    }

    /// The file, open for writing.
    pub fn file(&self) -> anyhow::Result<Named<File>> {
        let name = format!("output {}", self.path.display());
        let file = self.file.file().try_clone();
        Ok(Named::new(name.clone(), file.context(name)?))
    }

    /// Renames the file to its final path.
    pub fn keep(self) -> anyhow::Result<()> {
        let kept = self.file.keep(self.force);
        kept.with_context(|| format!("output {}", self.path.display()))
    }
}
