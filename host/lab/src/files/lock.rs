//! Locks a file against a second run.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::target;

/// Why a file cannot be locked.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// The file system refuses.
    #[error("{}: {why}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the file system.
        why: io::Error,
    },
    /// Another run holds the lock.
    #[error("{} is in use by another run; wait for its end, or name another file", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// Another file, which is no lock, has the lock's name.
    #[error("{} is no lock of lockstep and is left alone; name another file", path.display())]
    Foreign {
        /// The file with the lock's name.
        path: PathBuf,
    },
}

/// Keeps other runs from a file until it is dropped.
///
/// An empty file beside the file is locked, because every write replaces the file itself. A
/// killed program leaves that empty file, but not its lock.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _locked: File,
}

impl Lock {
    /// Locks a file, which need not exist.
    ///
    /// # Errors
    /// When another run holds the lock, or it cannot be created.
    pub fn beside(file: &Path) -> Result<Self, LockError> {
        let io = |path: &Path, why| LockError::Io {
            path: path.into(),
            why,
        };
        // All links to a file share one lock.
        let mut path = target(file).map_err(|why| io(file, why))?.into_os_string();
        path.push(".lock");
        let path = PathBuf::from(path);
        // Opening a pipe would wait for its other end.
        if fs::symlink_metadata(&path).is_ok_and(|about| !about.is_file() || about.len() > 0) {
            return Err(LockError::Foreign { path });
        }
        loop {
            let mut options = File::options();
            let options = options.write(true).create(true).truncate(false);
            let locked = options.open(&path).map_err(|why| io(&path, why))?;
            match locked.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(LockError::InUse { path: file.into() });
                }
                Err(TryLockError::Error(why)) => return Err(io(&path, why)),
            }
            // If its last owner has removed it meanwhile, other runs lock another file.
            let handle = locked.try_clone().and_then(same_file::Handle::from_file);
            let handle = handle.map_err(|why| io(&path, why))?;
            if same_file::Handle::from_path(&path).is_ok_and(|named| named == handle) {
                let _locked = locked;
                return Ok(Self { path, _locked });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A lock file that stays does no harm.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lock_is_exclusive_and_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("c");
        let first = Lock::beside(&file).unwrap();
        let error = Lock::beside(&file).unwrap_err().to_string();
        assert!(error.contains("c is in use by another run"), "{error}");
        drop(first);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn lock_takes_stale_file_and_keeps_foreign_one() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("c");
        let path = folder.path().join("c.lock");
        fs::write(&path, "").unwrap();
        drop(Lock::beside(&file).unwrap());
        fs::write(&path, "precious").unwrap();
        let error = Lock::beside(&file).unwrap_err().to_string();
        assert!(error.contains("c.lock is no lock"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    }
}
