//! Locks a file against a second run.

use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

use super::target;

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
    /// When another run holds the lock, it cannot be created, or another file has its name.
    pub fn beside(file: &Path) -> Result<Self, String> {
        // All links to a file share one lock.
        let target = target(file).map_err(|why| format!("{}: {why}", file.display()))?;
        let path = target.with_added_extension("lock");
        let io = |why| format!("{}: {why}", path.display());
        // Opening a pipe would wait for its other end.
        if fs::symlink_metadata(&path).is_ok_and(|about| !about.is_file() || about.len() > 0) {
            let path = path.display();
            return Err(format!(
                "{path} is not a lock of lockstep; name another file"
            ));
        }
        loop {
            let mut options = File::options();
            let options = options.write(true).create(true).truncate(false);
            let locked = options.open(&path).map_err(io)?;
            match locked.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let file = file.display();
                    return Err(format!(
                        "{file} is in use by another run; wait for its end, or name another file"
                    ));
                }
                Err(TryLockError::Error(why)) => return Err(io(why)),
            }
            // If its last owner has removed it meanwhile, other runs lock another file.
            let handle = locked.try_clone().and_then(same_file::Handle::from_file);
            let handle = handle.map_err(io)?;
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
        let error = Lock::beside(&file).unwrap_err();
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
        let error = Lock::beside(&file).unwrap_err();
        assert!(error.contains("c.lock is not a lock"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    }
}
