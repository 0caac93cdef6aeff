//! The stable path of a changing terminal: a symbolic link.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::BoardError;

const TERMINALS: &str = "/dev/pts/";

/// A symbolic link to a terminal, removed when dropped. It replaces only a link that an ended
/// virtual board has left.
#[derive(Debug)]
pub struct PtyLink {
    path: PathBuf,
    /// The terminal that it leads to; `None` while the link does not exist.
    target: Option<PathBuf>,
}

impl PtyLink {
    /// Claims `path`, removing a dead link that is there. Call it before the
    /// terminal is opened: the system reuses terminal numbers, so a dead link
    /// could point to the new terminal. `left_behind` says that the link is
    /// from a board that has ended; it is then removed even if it points to a
    /// terminal that exists, because that one is some other program's.
    pub(crate) fn claim(path: PathBuf, left_behind: bool) -> Result<Self, BoardError> {
        if path.symlink_metadata().is_ok() {
            let Some(leads) = terminal(&path) else {
                return Err(BoardError::link(
                    &path,
                    "it exists, and is not a link that a virtual board left behind; name another \
                     path, or remove it if you do not need it",
                ));
            };
            if leads.exists() && !left_behind {
                let why = format!(
                    "a virtual board may run there: {} is in use (`lockstep boards` lists the boards); \
                     name another path, or delete the link if no board runs",
                    leads.display()
                );
                return Err(BoardError::link(&path, why));
            }
            fs::remove_file(&path).map_err(|why| failed(&path, &why))?;
        }
        Ok(Self { path, target: None })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Points the link to another terminal, atomically.
    pub(crate) fn point(&mut self, target: &Path) -> Result<(), BoardError> {
        let created = self.create(target);
        created.map_err(|why| failed(&self.path, &why))?;
        self.target = Some(target.into());
        Ok(())
    }

    fn create(&self, target: &Path) -> io::Result<()> {
        if !self.is_ours() {
            return symlink(target, &self.path);
        }
        let mut beside = self.path.clone().into_os_string();
        beside.push(format!(".{}", std::process::id()));
        let beside = PathBuf::from(beside);
        symlink(target, &beside)?;
        let renamed = fs::rename(&beside, &self.path);
        if renamed.is_err() {
            let _ = fs::remove_file(&beside);
        }
        renamed
    }

    /// Removes the link, like the device file of an unplugged adapter.
    pub(crate) fn remove(&mut self) {
        if self.is_ours() {
            // A link that stays leads nowhere, and the next board replaces it.
            let _ = fs::remove_file(&self.path);
        }
        self.target = None;
    }

    /// Whether the link exists and nobody has changed it.
    fn is_ours(&self) -> bool {
        self.target.is_some() && fs::read_link(&self.path).ok() == self.target
    }
}

impl Drop for PtyLink {
    fn drop(&mut self) {
        self.remove();
    }
}

/// The error of a link that cannot be created.
fn failed(path: &Path, why: &io::Error) -> BoardError {
    let why = match why.kind() {
        io::ErrorKind::NotFound => "there is no such folder; create it first".into(),
        io::ErrorKind::PermissionDenied => "no permission; name a path in another folder".into(),
        _ => why.to_string(),
    };
    BoardError::link(path, format!("the link cannot be created: {why}"))
}

/// The terminal that a link leads to.
fn terminal(path: &Path) -> Option<PathBuf> {
    let target = fs::read_link(path).ok()?;
    target.starts_with(TERMINALS).then_some(target)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("board");
        (folder, path)
    }

    fn target(link: &Path) -> PathBuf {
        fs::read_link(link).expect("a link")
    }

    /// Checks that a claim refuses what lies at a path, even if no board is there.
    fn assert_taken(path: &Path) {
        let error = PtyLink::claim(path.into(), true).expect_err("taken");
        let error = error.to_string();
        assert!(error.contains("it exists, and is not a link"), "{error}");
    }

    fn file_count(folder: &tempfile::TempDir) -> usize {
        fs::read_dir(folder.path()).expect("a folder").count()
    }

    #[test]
    fn pty_link_follows_terminals_and_is_removed() {
        let (folder, path) = folder();
        let mut link = PtyLink::claim(path.clone(), false).expect("free");
        link.point(Path::new("/dev/pts/one")).expect("free");
        assert_eq!(target(&path), Path::new("/dev/pts/one"));
        link.point(Path::new("/dev/pts/two")).expect("its own");
        assert_eq!(target(&path), Path::new("/dev/pts/two"));
        link.remove();
        assert_eq!(file_count(&folder), 0);
        link.point(Path::new("/dev/pts/three")).expect("free");
        assert_eq!(target(&path), Path::new("/dev/pts/three"));
        drop(link);
        assert_eq!(file_count(&folder), 0);
    }

    #[test]
    fn pty_link_replaces_only_stale_link() {
        let (folder, path) = folder();
        symlink(Path::new("/dev/pts/no-such-terminal"), &path).expect("a link");
        drop(PtyLink::claim(path.clone(), false).expect("left behind"));
        assert_eq!(file_count(&folder), 0);

        // A terminal that exists: /dev/pts/ptmx always does.
        let terminal = Path::new("/dev/pts/ptmx");
        symlink(terminal, &path).expect("a link");
        let error = PtyLink::claim(path.clone(), false).expect_err("in use");
        assert!(error.to_string().contains("is in use"), "{error}");
        assert_eq!(target(&path), terminal);
        // Its board has ended, and another program has the terminal.
        drop(PtyLink::claim(path.clone(), true).expect("left behind"));
        assert_eq!(file_count(&folder), 0);

        // A file, a folder, a link elsewhere, one of them leading nowhere.
        fs::write(&path, "mine").expect("written");
        assert_taken(&path);
        assert_eq!(fs::read_to_string(&path).expect("a file"), "mine");
        for elsewhere in ["/no/such/file", "/", "pts"] {
            let link = folder.path().join("link");
            symlink(Path::new(elsewhere), &link).expect("a link");
            assert_taken(&link);
            assert_eq!(target(&link), Path::new(elsewhere));
            fs::remove_file(&link).expect("removed");
        }
        PtyLink::claim(folder.path().into(), true).expect_err("a folder");
    }

    #[test]
    fn pty_link_keeps_file_that_replaced_it() {
        let (_folder, path) = folder();
        let mut link = PtyLink::claim(path.clone(), false).expect("free");
        link.point(Path::new("/dev/pts/one")).expect("free");
        fs::remove_file(&path).expect("removed");
        fs::write(&path, "mine").expect("written");
        let error = link.point(Path::new("/dev/pts/two")).expect_err("taken");
        assert!(error.to_string().contains("cannot be created"), "{error}");
        drop(link);
        assert_eq!(fs::read_to_string(&path).expect("a file"), "mine");
    }
}
