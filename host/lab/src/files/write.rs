//! Files that are always whole.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// Writes a file so that a reader finds the old content or the new, also after
/// a crash. The new content waits beside it under a name that nothing has. Where
/// the name is that of a link, what it points to is written.
///
/// # Errors
/// Those of the file system and of [`target`], naming the file.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
    replace(path, content).map_err(named)
}

fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let path = target(path)?;
    let folder = folder(&path);
    let mut file = waiting(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(&path).map_err(|e| e.error)?;
    // The new name is kept by the folder. Not every system syncs one.
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// Fails where [`write()`] would, and leaves nothing.
///
/// # Errors
/// Those of the file system and of [`target`].
pub fn check(path: &Path) -> io::Result<()> {
    waiting(folder(&target(path)?)).map(drop)
}

/// The file that a name leads to through all links; it may not exist yet.
///
/// # Errors
/// When something else is there, as a device or a folder, or no such file can
/// be.
pub fn target(path: &Path) -> io::Result<PathBuf> {
    match fs::metadata(path) {
        Ok(about) if about.is_file() => fs::canonicalize(path),
        Ok(_) => Err(io::Error::other("that is no ordinary file; name one")),
        Err(e) if e.kind() == io::ErrorKind::NotFound => missing(path.into()),
        Err(e) => Err(e),
    }
}

/// The same where there is no such file. Links in a circle are not asked here:
/// of those the file system says so itself.
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

/// A new file in a folder, removed unless it is given another name; others may
/// read it as far as any new file.
fn waiting(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(".lockstep-")
        .make_in(folder, |path| File::create_new(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        check(&path).unwrap();
        assert!(!path.exists());
        write(&path, b"long content").unwrap();
        write(&path, b"new").unwrap();
        check(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn errors_name_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nowhere").join("a.json");
        let error = write(&path, b"").unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert!(error.to_string().contains("a.json: "), "{error}");
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = write(folder.path(), b"").unwrap_err().to_string();
        assert!(error.contains("no ordinary file"), "{error}");
        assert!(check(&folder.path().join("..")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_circles_refused() {
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
