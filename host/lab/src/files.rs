//! Files that appear under their name when they are whole.
//!
//! - [`NewFile`], [`write()`]: the one way in which a result is written.
//! - [`lock`]: one run at a time on one file.
//! - [`header`]: the fields in which two documents differ.

pub mod header;
pub mod lock;

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A file under way, beside the one it is to be. Dropped before [`NewFile::keep`] it goes away.
#[derive(Debug)]
pub struct NewFile {
    file: NamedTempFile<File>,
    path: PathBuf,
}

impl NewFile {
    /// Begins the file that a name leads to through all links.
    ///
    /// # Errors
    /// Those of the file system and of [`target`].
    pub fn beside(path: &Path) -> io::Result<Self> {
        let path = target(path)?;
        // Other users may read it, as any new file.
        let file = tempfile::Builder::new()
            .prefix(".lockstep-")
            .make_in(folder(&path), |path| File::create_new(path))?;
        Ok(Self { file, path })
    }

    /// The file, to be written.
    pub fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Gives the file its name. Without `overwrite` it fails if the name exists by now.
    ///
    /// # Errors
    /// Those of the file system; nothing is left then.
    pub fn keep(self, overwrite: bool) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        let kept = match overwrite {
            true => self.file.persist(&self.path),
            false => self.file.persist_noclobber(&self.path),
        };
        kept.map_err(|e| e.error)?;
        // The folder holds the new name. Not every system syncs one.
        if cfg!(unix) {
            File::open(folder(&self.path))?.sync_all()?;
        }
        Ok(())
    }
}

/// Writes a file. A reader finds the old content or the new, also after a crash or on a full disk.
///
/// # Errors
/// Those of the file system and of [`target`], naming the file.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let written = NewFile::beside(path).and_then(|mut new| {
        new.file.as_file_mut().write_all(content)?;
        new.keep(true)
    });
    written.map_err(|e| io::Error::new(e.kind(), format!("{}: {e}", path.display())))
}

/// Fails where [`write()`] would, and leaves nothing.
///
/// # Errors
/// Those of the file system and of [`target`].
pub fn check(path: &Path) -> io::Result<()> {
    NewFile::beside(path).map(drop)
}

/// The file that a name leads to through all links; it may not exist yet.
///
/// # Errors
/// When it is a device or a folder, or no such file can exist.
pub fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(about) if about.is_file() => fs::canonicalize(path),
        Ok(_) => Err(io::Error::other("that is no ordinary file; name one")),
        Err(e) if e.kind() == io::ErrorKind::NotFound => missing(path.into()),
        Err(e) => Err(e),
    }
}

/// The same where there is no such file. The file system itself refuses links in a circle.
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
    fn new_file_of_two_only_one_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        let [first, second] = [(); 2].map(|()| NewFile::beside(&path).unwrap());
        first.keep(false).unwrap();
        let error = second.keep(false).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn write_that_cannot_names_file() {
        let folder = tempfile::tempdir().unwrap();
        for (path, named) in [
            (folder.path().join("nowhere/a.json"), "a.json: "),
            (folder.path().into(), "no ordinary file"),
        ] {
            let error = write(&path, b"").unwrap_err().to_string();
            assert!(error.contains(named), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn write_follows_links_and_refuses_circles() {
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
