//! Writes files that appear under their name only when they are complete.
//!
//! - [`NewFile`], [`write()`]: write a result.
//! - [`state_folder`]: where files are kept that no option names.
//! - [`lock`]: keeps a second run from the same file.
//! - [`header`]: compares two JSON documents field by field.

pub mod header;
pub mod lock;

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

use crc::{CRC_64_XZ, Crc};
use etcetera::base_strategy::{BaseStrategy as _, Xdg};
use tempfile::NamedTempFile;

/// A temporary file beside its final path; removed when dropped before [`NewFile::keep`].
#[derive(Debug)]
pub struct NewFile {
    file: NamedTempFile<File>,
    path: PathBuf,
}

impl NewFile {
    /// Creates the temporary file for `path`, whose links are followed.
    ///
    /// # Errors
    /// As [`target`], or when the folder cannot be written.
    pub fn beside(path: &Path) -> io::Result<Self> {
        let path = target(path)?;
        // With the permissions of any new file; a temporary file would be private.
        let file = tempfile::Builder::new()
            .prefix(".lockstep-")
            .make_in(folder(&path), |path| File::create_new(path));
        let file = file.map_err(|why| match why.kind() {
            kind @ (io::ErrorKind::PermissionDenied | io::ErrorKind::NotFound) => {
                let folder = folder(&path).display();
                let why = format!("no file can be created in {folder}; name another folder");
                io::Error::new(kind, why)
            }
            _ => why,
        })?;
        Ok(Self { file, path })
    }

    /// The temporary file, open for writing.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Renames the file to its final path.
    ///
    /// # Errors
    /// When the file system refuses, or the path exists and `overwrite` is not set; the temporary
    /// file is removed then.
    pub fn keep(self, overwrite: bool) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        let kept = match overwrite {
            true => self.file.persist(&self.path),
            false => self.file.persist_noclobber(&self.path),
        };
        kept.map_err(|e| e.error)?;
        // The name is stored in the folder, which only Unix can sync.
        if cfg!(unix) {
            File::open(folder(&self.path))?.sync_all()?;
        }
        Ok(())
    }
}

/// Replaces a file: readers find the old content or the new, even after a crash or a full disk.
///
/// # Errors
/// As [`NewFile::keep`], with the file's path.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let written = NewFile::beside(path).and_then(|mut new| {
        new.file.as_file_mut().write_all(content)?;
        new.keep(true)
    });
    written.map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))
}

/// Checks that [`write()`] can create the file, and leaves nothing.
///
/// # Errors
/// As [`NewFile::beside`].
pub fn check(path: &Path) -> io::Result<()> {
    NewFile::beside(path).map(drop)
}

/// A checksum of a file's content.
///
/// # Errors
/// When it cannot be read.
pub fn checksum(path: &Path) -> io::Result<String> {
    const CRC: Crc<u64> = Crc::<u64>::new(&CRC_64_XZ);
    let mut digest = CRC.digest();
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok(format!("{:016x}", digest.finalize()));
        }
        digest.update(bytes);
        let length = bytes.len();
        file.consume(length);
    }
}

/// The user's folder for state of lockstep; `None` if the environment names no absolute path.
pub fn state_folder() -> Option<PathBuf> {
    let states = Xdg::new().ok()?.state_dir()?;
    states.is_absolute().then(|| states.join("lockstep"))
}

/// Follows all links of a path; the file need not exist.
///
/// # Errors
/// When it is a device or a folder, or its folder does not exist.
pub fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(about) if about.is_file() => fs::canonicalize(path),
        Ok(_) => Err(io::Error::other("it is not an ordinary file; name one")),
        Err(e) if e.kind() == io::ErrorKind::NotFound => missing(path.into()),
        Err(e) => Err(e),
    }
}

/// Follows all links of a path without a file. The file system itself refuses circular links.
fn missing(mut path: PathBuf) -> io::Result<PathBuf> {
    while let Ok(to) = fs::read_link(&path) {
        path = folder(&path).join(to);
    }
    let name = path.file_name().ok_or(io::ErrorKind::NotFound)?;
    Ok(folder(&path).canonicalize()?.join(name))
}

fn folder(path: &Path) -> &Path {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn write_replaces_content_and_leaves_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        check(&path).unwrap();
        assert!(!path.exists());
        write(&path, b"long content").unwrap();
        write(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn new_file_existing_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let [first, second] = [(); 2].map(|()| NewFile::beside(&path).unwrap());
        first.keep(false).unwrap();
        let error = second.keep(false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn write_error_names_file() {
        let folder = tempfile::tempdir().unwrap();
        for (path, named) in [
            (folder.path().join("nowhere/a.json"), "a.json: "),
            (folder.path().into(), "not an ordinary file"),
        ] {
            let error = write(&path, b"").unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }

    #[test]
    fn write_follows_links_and_refuses_circular_ones() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let [a, b, c] = ["a", "b", "c"].map(|name| folder.path().join(name));
        symlink("b", &a).unwrap();
        symlink("c", &b).unwrap();
        assert_eq!(target(&a).unwrap(), target(&c).unwrap());
        write(&a, b"new").unwrap();
        assert_eq!(fs::read(&c).unwrap(), b"new");
        assert_eq!(target(&a).unwrap(), target(&c).unwrap());
        fs::remove_file(&c).unwrap();
        symlink("a", &c).unwrap();
        assert!(write(&a, b"new").is_err());
    }
}
