//! Files that are always whole.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// Writes a file so that a reader finds the old content or the new, also after
/// a crash. The new content waits beside it under the name with `.new`.
///
/// # Errors
/// Those of the file system, naming the file.
pub fn write(path: &Path, content: &[u8]) -> io::Result<()> {
    let named = |e: io::Error| io::Error::new(e.kind(), format!("{}: {e}", path.display()));
    replace(path, content).map_err(named)
}

fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    // The file a link points to is replaced, not the link.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut waiting = path.clone().into_os_string();
    waiting.push(".new");
    let waiting = PathBuf::from(waiting);
    let mut file = File::create(&waiting)?;
    file.write_all(content)?;
    file.sync_all()?;
    fs::rename(&waiting, &path)?;
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    // The new name is kept by the folder. Not every system syncs one.
    if cfg!(unix) {
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.json");
        write(&path, b"long content").unwrap();
        write(&path, b"new").unwrap();
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
}
