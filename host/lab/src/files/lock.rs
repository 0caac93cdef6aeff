//! One run at a time on one file.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::write::target;

/// Why a file cannot be had for a run.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// The file system refuses.
    #[error("{}: {why}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// Another run has it.
    #[error("{} is in use by another run; wait for its end, or name another file", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// Something else lies where the lock would, and is not to be touched.
    #[error("{} is no lock of lockstep and is left alone; name another file", path.display())]
    Foreign {
        /// The lock's file.
        path: PathBuf,
    },
}

/// Opens a file that nobody else has, and locks it until it is closed.
///
/// # Errors
/// [`LockError::InUse`] when somebody has it, and those of the file system.
pub fn open(path: &Path, options: &OpenOptions) -> Result<File, LockError> {
    let io = |why| io_error(path, why);
    loop {
        let file = options.open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(LockError::InUse { path: path.into() });
            }
            Err(TryLockError::Error(why)) => return Err(io(why)),
        }
        // Who had it may have removed it just before it was locked: others would
        // lock another one, and what is written here would be lost.
        let locked = file.try_clone().and_then(same_file::Handle::from_file);
        let locked = locked.map_err(io)?;
        if same_file::Handle::from_path(path).is_ok_and(|named| named == locked) {
            return Ok(file);
        }
    }
}

/// Held while a run may replace a file. It is an empty file beside that one,
/// which itself is another one after every write; what a killed program left is
/// locked by nobody.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _locked: File,
}

impl Lock {
    /// Locks a file, which may not exist yet.
    ///
    /// # Errors
    /// When it is in use, or the lock cannot be had.
    pub fn beside(file: &Path) -> Result<Self, LockError> {
        let path = place(file).map_err(|why| io_error(file, why))?;
        // Before it is opened: that would wait for the other end of a pipe.
        if fs::symlink_metadata(&path).is_ok_and(|about| !is_lock(&about)) {
            return Err(LockError::Foreign { path });
        }
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        let _locked = open(&path, &options).map_err(|error| match error {
            LockError::InUse { .. } => LockError::InUse { path: file.into() },
            other => other,
        })?;
        Ok(Self { path, _locked })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // One that stays is in nobody's way.
        let _ = fs::remove_file(&self.path);
    }
}

/// Where the lock of a file lies, the same for all links to it.
///
/// # Errors
/// Those of [`target`].
pub fn place(file: &Path) -> io::Result<PathBuf> {
    let mut path = target(file)?.into_os_string();
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
        let first = Lock::beside(&checkpoint).unwrap();
        let error = Lock::beside(&checkpoint).unwrap_err().to_string();
        assert!(error.contains("c is in use by another run"), "{error}");
        drop(first);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        drop(Lock::beside(&checkpoint).unwrap());
    }

    #[test]
    fn a_stale_one_is_taken_and_a_foreign_one_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let checkpoint = folder.path().join("c");
        let path = folder.path().join("c.lock");
        fs::write(&path, "").unwrap();
        drop(Lock::beside(&checkpoint).unwrap());
        fs::write(&path, "precious").unwrap();
        let error = Lock::beside(&checkpoint).unwrap_err().to_string();
        assert!(error.contains("c.lock is no lock"), "{error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    }
}
