//! One training at a time on one checkpoint.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::file;

/// Held while a training may write its checkpoint. The file is empty and lies
/// beside the checkpoint; one that a killed program left is locked by nobody.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _locked: File,
}

/// Why a checkpoint cannot be had for a training.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum LockError {
    /// The file system refuses.
    #[error("lock {}: {why}", path.display())]
    Io { path: PathBuf, why: io::Error },
    /// Another process has it.
    #[error(
        "checkpoint {} is in use by another training; wait for its end or name another \
         with --checkpoint", path.display()
    )]
    Locked { path: PathBuf },
    /// Something else, and not to be touched.
    #[error(
        "{} is no lock of lockstep train and is left alone; name another file with \
         --checkpoint", path.display()
    )]
    Foreign { path: PathBuf },
}

impl Lock {
    /// Locks a checkpoint, which may not exist yet.
    ///
    /// # Errors
    /// When it is in use or the lock cannot be had.
    pub fn new(checkpoint: &Path) -> Result<Self, LockError> {
        let path = place(checkpoint).map_err(|why| io_error(checkpoint, why))?;
        let io = |why| io_error(&path, why);
        loop {
            // Before it is opened: that would wait for the other end of a pipe.
            if fs::symlink_metadata(&path).is_ok_and(|about| !is_lock(&about)) {
                return Err(LockError::Foreign { path });
            }
            let mut options = OpenOptions::new();
            let options = options.write(true).create(true).truncate(false);
            let file = options.open(&path).map_err(io)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let path = checkpoint.into();
                    return Err(LockError::Locked { path });
                }
                Err(TryLockError::Error(why)) => return Err(io(why)),
            }
            // Who had it may have removed it just before it was locked: others
            // would lock another one.
            let locked = file.try_clone().and_then(same_file::Handle::from_file);
            let locked = locked.map_err(io)?;
            if same_file::Handle::from_path(&path).is_ok_and(|named| named == locked) {
                let _locked = file;
                return Ok(Self { path, _locked });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // One that stays is in nobody's way.
        let _ = fs::remove_file(&self.path);
    }
}

/// Where the lock of a checkpoint lies, the same for all links to it.
///
/// # Errors
/// Those of [`file::target`].
pub fn place(checkpoint: &Path) -> io::Result<PathBuf> {
    let mut path = file::target(checkpoint)?.into_os_string();
    path.push(".lock");
    Ok(path.into())
}

fn is_lock(about: &fs::Metadata) -> bool {
    about.is_file() && about.len() == 0
}

fn io_error(path: &Path, why: io::Error) -> LockError {
    let path = path.into();
    LockError::Io { path, why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_has_it_and_nothing_stays() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoint = folder.path().join("c");
        let first = Lock::new(&checkpoint).unwrap();
        let error = Lock::new(&checkpoint).unwrap_err().to_string();
        assert!(error.contains("c is in use by another training"), "{error}");
        drop(first);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        drop(Lock::new(&checkpoint).unwrap());
    }

    #[test]
    fn a_stale_one_is_taken_and_a_foreign_one_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoint = folder.path().join("c");
        let path = folder.path().join("c.lock");
        fs::write(&path, "").unwrap();
        drop(Lock::new(&checkpoint).unwrap());
        fs::write(&path, "precious").unwrap();
        let error = Lock::new(&checkpoint).unwrap_err().to_string();
        assert!(error.contains("c.lock is no lock"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    }
}
