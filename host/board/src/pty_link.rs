//! A stable path of a terminal that changes: a symbolic link.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::BoardError;

/// Where terminals lie.
const TERMINALS: &str = "/dev/pts/";

/// A symbolic link to a terminal. It is made where nothing is, or where a virtual
/// board that is gone has left one; dropped, it is removed.
#[derive(Debug)]
pub(crate) struct Place {
    path: PathBuf,
    /// Where it leads; `None` while it is not there.
    target: Option<PathBuf>,
}

impl Place {
    /// Takes a path. To be called before the terminal it is for is opened: the
    /// system gives numbers again, and what a board that was killed left behind
    /// would lead to the new one. `left_behind`: whether a board had that path
    /// that is gone; its link may lead to somebody else's terminal by now.
    pub(crate) fn claim(path: PathBuf, left_behind: bool) -> Result<Self, BoardError> {
        if path.symlink_metadata().is_ok() {
            let Some(leads) = terminal(&path) else {
                return Err(BoardError::Taken(path));
            };
            if leads.exists() && !left_behind {
                let target = leads;
                return Err(BoardError::InUse { path, target });
            }
            if let Err(why) = fs::remove_file(&path) {
                return Err(BoardError::Link { path, why });
            }
        }
        Ok(Self { path, target: None })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Points it at another terminal. Whoever opens it gets the one or the other.
    pub(crate) fn point(&mut self, target: &Path) -> Result<(), BoardError> {
        self.link(target).map_err(|why| BoardError::Link {
            path: self.path.clone(),
            why,
        })?;
        self.target = Some(target.into());
        Ok(())
    }

    fn link(&self, target: &Path) -> io::Result<()> {
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

    /// Takes it away, as that of an adapter that was unplugged.
    pub(crate) fn lift(&mut self) {
        if self.is_ours() {
            // Left there, it leads nowhere, and the next one replaces it.
            let _ = fs::remove_file(&self.path);
        }
        self.target = None;
    }

    /// Whether it is there as it was made.
    fn is_ours(&self) -> bool {
        self.target.is_some() && fs::read_link(&self.path).ok() == self.target
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.lift();
    }
}

/// Where a link leads, if it is one to a terminal.
fn terminal(path: &Path) -> Option<PathBuf> {
    let target = fs::read_link(path).ok()?;
    target.starts_with(TERMINALS).then_some(target)
}

#[cfg(unix)]
fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("board");
        (folder, path)
    }

    /// The names in a folder.
    fn names(folder: &tempfile::TempDir) -> usize {
        fs::read_dir(folder.path()).expect("a folder").count()
    }

    #[test]
    fn it_leads_to_one_terminal_after_the_other_and_goes_in_the_end() {
        let (folder, path) = folder();
        let mut place = Place::claim(path.clone(), false).expect("free");
        place.point(Path::new("/dev/pts/one")).expect("free");
        assert_eq!(
            fs::read_link(&path).expect("a link"),
            Path::new("/dev/pts/one")
        );
        place.point(Path::new("/dev/pts/two")).expect("its own");
        assert_eq!(
            fs::read_link(&path).expect("a link"),
            Path::new("/dev/pts/two")
        );
        place.lift();
        assert_eq!(names(&folder), 0);
        place.point(Path::new("/dev/pts/three")).expect("free");
        assert_eq!(
            fs::read_link(&path).expect("a link"),
            Path::new("/dev/pts/three")
        );
        drop(place);
        assert_eq!(names(&folder), 0);
    }

    #[test]
    fn a_link_left_behind_is_taken_over_and_nothing_else() {
        let (folder, path) = folder();
        symlink(Path::new("/dev/pts/no-such-terminal"), &path).expect("a link");
        drop(Place::claim(path.clone(), false).expect("left behind"));
        assert_eq!(names(&folder), 0);

        // A terminal that is there: /dev/pts/ptmx always is.
        let target = Path::new("/dev/pts/ptmx");
        symlink(target, &path).expect("a link");
        let error = Place::claim(path.clone(), false).expect_err("in use");
        assert!(matches!(error, BoardError::InUse { .. }), "{error}");
        assert_eq!(fs::read_link(&path).expect("a link"), target);
        // The board that made it is gone, and the terminal is another's by now.
        drop(Place::claim(path.clone(), true).expect("left behind"));
        assert_eq!(names(&folder), 0);

        // A file, a folder, a link elsewhere, one of them leading nowhere.
        fs::write(&path, "mine").expect("written");
        let error = Place::claim(path.clone(), true).expect_err("a file");
        assert!(matches!(error, BoardError::Taken(_)), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("a file"), "mine");
        for elsewhere in ["/no/such/file", "/", "pts"] {
            let link = folder.path().join("link");
            symlink(Path::new(elsewhere), &link).expect("a link");
            let error = Place::claim(link.clone(), true).expect_err("taken");
            assert!(matches!(error, BoardError::Taken(_)), "{error}");
            assert_eq!(fs::read_link(&link).expect("a link"), Path::new(elsewhere));
            fs::remove_file(&link).expect("removed");
        }
        let error = Place::claim(folder.path().into(), true);
        assert!(matches!(error, Err(BoardError::Taken(_))), "a folder");
    }

    /// What somebody put in its place is not removed, nor written over.
    #[test]
    fn it_does_not_touch_what_took_its_place() {
        let (_folder, path) = folder();
        let mut place = Place::claim(path.clone(), false).expect("free");
        place.point(Path::new("/dev/pts/one")).expect("free");
        fs::remove_file(&path).expect("removed");
        fs::write(&path, "mine").expect("written");
        let error = place.point(Path::new("/dev/pts/two")).expect_err("taken");
        assert!(matches!(error, BoardError::Link { .. }), "{error}");
        drop(place);
        assert_eq!(fs::read_to_string(&path).expect("a file"), "mine");
    }
}
