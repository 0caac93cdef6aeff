//! Files that appear when they are whole.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use lockstep_lab::files::write::target;
use tempfile::NamedTempFile;

use crate::commands::files::check_writable;
use crate::named::Named;

/// A file under way. It lies beside the one it is to be, under a name that nothing has, and
/// goes away unless it is kept.
pub struct Fresh {
    file: NamedTempFile<File>,
    path: PathBuf,
}

impl Fresh {
    /// Begins one; `force`: what is there may be lost.
    pub fn beside(path: &Path, force: bool) -> anyhow::Result<Self> {
        check_writable("output", path)?;
        let name = path.display();
        let real = target(path).with_context(|| format!("output {name}"))?;
        if !force && fs::symlink_metadata(&real).is_ok() {
            bail!("output {name}: the file exists; --force overwrites it");
        }
        let folder = real.parent().unwrap_or(Path::new("."));
        let file = tempfile::Builder::new()
            .prefix(".lockstep-")
            .make_in(folder, |path| File::create_new(path))
            .with_context(|| format!("output {name}"))?;
        Ok(Self { file, path: real })
    }

    /// The file, to be written.
    pub fn file(&self) -> anyhow::Result<Named<File>> {
        let name = format!("output {}", self.path.display());
        let file = self.file.as_file().try_clone();
        Ok(Named::new(name.clone(), file.context(name)?))
    }

    /// Gives it its name.
    pub fn keep(self) -> anyhow::Result<()> {
        let name = self.path.display().to_string();
        let failed = || format!("output {name}");
        self.file.as_file().sync_all().with_context(failed)?;
        self.file
            .persist(&self.path)
            .map_err(|e| e.error)
            .with_context(failed)?;
        Ok(())
    }
}
