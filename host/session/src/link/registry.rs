//! Virtual boards that run on this machine, each told of in a file of its own.
//!
//! A board's process keeps its file locked: one that nobody holds is left over
//! from a process that is gone, also when its number was given to another.

use std::fs::{self, File, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use protocol::layout::link::BASE_BAUD;
use serde::{Deserialize, Serialize};

/// The kind of all boards told of here.
const VIRTUAL: &str = "virtual";

/// A virtual board that runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    /// Its process.
    pub pid: u32,
    /// How it is reached: the path of a terminal, or `tcp:HOST:PORT`.
    pub address: String,
    /// What it is, `virtual`.
    pub kind: String,
    /// What it is, in a few words.
    pub about: String,
    /// Rate of its line after power-up in baud, where whoever connects sets it.
    #[serde(default)]
    pub start: Option<u32>,
}

impl Board {
    /// The backend that reaches it, as it is named on the command line.
    pub fn backend(&self) -> String {
        backend(&self.address, self.start)
    }

    /// Whether there is anything to connect to, as far as can be seen.
    fn is_there(&self) -> bool {
        self.address.starts_with("tcp:") || Path::new(&self.address).exists()
    }
}

/// The backend that reaches an address, as [`Board::address`] and [`Board::start`]
/// have it.
pub fn backend(address: &str, start: Option<u32>) -> String {
    let start = start.filter(|start| *start != BASE_BAUD);
    match (address.starts_with("tcp:"), start) {
        (true, _) => address.into(),
        (false, None) => format!("serial:{address}"),
        (false, Some(start)) => format!("serial:{address},start={start}"),
    }
}

/// A folder of such files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registry {
    folder: PathBuf,
}

/// A board's place in a registry; dropped, it is taken out.
#[derive(Debug)]
pub struct Registered {
    path: PathBuf,
    /// Locked as long as this lives.
    file: File,
}

impl Registry {
    /// That folder; it need not be there.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self { folder }
    }

    /// The one that all programs of this user share: `lockstep/boards` in
    /// `$XDG_RUNTIME_DIR`; without that, in a folder of the user's own where
    /// temporary files lie.
    pub fn shared() -> Self {
        let runtime = std::env::var_os("XDG_RUNTIME_DIR").filter(|folder| !folder.is_empty());
        let own = match runtime {
            Some(runtime) => PathBuf::from(runtime).join("lockstep"),
            None => std::env::temp_dir().join(format!("lockstep{}", user::suffix())),
        };
        Self::new(own.join("boards"))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder around it, for the links of boards that were given no path;
    /// both are made, for this user alone.
    ///
    /// # Errors
    /// When they cannot be made, or are somebody else's.
    pub fn make(&self) -> io::Result<&Path> {
        user::make(&self.folder)?;
        let around = self.folder.parent().unwrap_or(&self.folder);
        for folder in [around, &self.folder] {
            if !user::owns(folder)? {
                let why = format!("{} is somebody else's", folder.display());
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
            }
        }
        Ok(around)
    }

    /// Tells of a board of this process. `address` is the path of a terminal, or
    /// `tcp:HOST:PORT`.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn register(
        &self,
        address: &str,
        about: &str,
        start: Option<u32>,
    ) -> io::Result<Registered> {
        self.make()?;
        self.sweep();
        let pid = std::process::id();
        let (path, file) = create(&self.folder, pid)?;
        let registered = Registered { path, file };
        // Whoever reads it lets go of it at once.
        registered.file.lock()?;
        let board = Board {
            pid,
            address: address.into(),
            kind: VIRTUAL.into(),
            about: about.into(),
            start,
        };
        (&registered.file).write_all(&serde_json::to_vec(&board)?)?;
        Ok(registered)
    }

    /// The boards that run, in the order of their processes' numbers. What is no
    /// such file, or left over, is passed over.
    pub fn boards(&self) -> Vec<Board> {
        let told = self.told().filter(|told| told.runs).map(|told| told.board);
        let mut boards: Vec<Board> = told
            .filter(|board| board.kind == VIRTUAL && board.is_there())
            .collect();
        boards.sort_by_key(|board| board.pid);
        boards
    }

    /// Whether a board had that terminal's path that is gone without a word, as
    /// when it was killed: a link it left there may lead to another's terminal.
    pub fn was_left(&self, path: &Path) -> bool {
        self.left(path).next().is_some()
    }

    /// As [`was_left`](Self::was_left); what that board left here is cleared away.
    pub fn clear(&self, path: &Path) -> bool {
        let mut left = false;
        for told in self.left(path) {
            left = true;
            let _ = fs::remove_file(told.file);
        }
        left
    }

    /// What boards that are gone left of that path.
    fn left(&self, path: &Path) -> impl Iterator<Item = Told> {
        self.told()
            .filter(move |told| !told.runs && Path::new(&told.board.address) == path)
    }

    /// Clears away what is left of boards of which nothing else is there.
    fn sweep(&self) {
        for told in self.told() {
            let is_linked = Path::new(&told.board.address).symlink_metadata().is_ok();
            if !told.runs && !is_linked {
                let _ = fs::remove_file(told.file);
            }
        }
    }

    /// What the files tell. Files that tell nothing are passed over: one of them
    /// may be about to be written.
    fn told(&self) -> impl Iterator<Item = Told> {
        let ours = user::owns(&self.folder).unwrap_or(false);
        let entries = ours.then(|| fs::read_dir(&self.folder).ok()).flatten();
        let entries = entries.into_iter().flatten().flatten();
        entries.filter_map(|entry| read(entry.path()))
    }
}

/// What one file tells.
struct Told {
    file: PathBuf,
    board: Board,
    /// Whether its process is there.
    runs: bool,
}

/// A new file for a board of that process.
fn create(folder: &Path, pid: u32) -> io::Result<(PathBuf, File)> {
    let mut number = 0;
    loop {
        let path = folder.join(format!("{pid}-{number}.json"));
        match File::create_new(&path) {
            Ok(file) => return Ok((path, file)),
            // Of another board, or left over from a process of the same number.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(error),
        }
    }
}

/// Reads what a board may have written: no pipe, which would have to be waited
/// for, and no device.
fn read(path: PathBuf) -> Option<Told> {
    let about = path.symlink_metadata().ok()?;
    let file = about.is_file().then(|| File::open(&path).ok()).flatten()?;
    let runs = match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => return None,
        // Shared, so that readers do not take each other for the board. It ends
        // when the file is closed, here and in a process that was just being
        // started meanwhile.
        Ok(()) => false,
    };
    let board = serde_json::from_reader(file).ok()?;
    let file = path;
    Some(Told { file, board, runs })
}

/// Whose a folder is.
#[cfg(unix)]
mod user {
    use std::fs::DirBuilder;
    use std::io;
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
    use std::path::Path;

    /// What tells this user's folder from others'.
    pub(super) fn suffix() -> String {
        format!("-{}", rustix::process::geteuid().as_raw())
    }

    pub(super) fn make(folder: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)
    }

    pub(super) fn owns(folder: &Path) -> io::Result<bool> {
        let owner = folder.metadata()?.uid();
        Ok(owner == rustix::process::geteuid().as_raw())
    }
}

/// Whose a folder is: where users have folders of their own for temporary files.
#[cfg(not(unix))]
mod user {
    use std::io;
    use std::path::Path;

    pub(super) fn suffix() -> String {
        String::new()
    }

    pub(super) fn make(folder: &Path) -> io::Result<()> {
        std::fs::create_dir_all(folder)
    }

    pub(super) fn owns(_: &Path) -> io::Result<bool> {
        Ok(true)
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        // Left there it is passed over: nobody holds it.
        let _ = fs::remove_file(&self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> (tempfile::TempDir, Registry) {
        let folder = tempfile::tempdir().expect("a folder");
        let registry = Registry::new(folder.path().join("lockstep/boards"));
        (folder, registry)
    }

    #[test]
    fn a_board_is_listed_as_long_as_it_is_registered() {
        let (_folder, registry) = registry();
        assert!(registry.boards().is_empty(), "there is no folder yet");
        let registered = registry
            .register("tcp:127.0.0.1:5000", "a game", None)
            .expect("registered");
        let board = Board {
            pid: std::process::id(),
            address: "tcp:127.0.0.1:5000".into(),
            kind: "virtual".into(),
            about: "a game".into(),
            start: None,
        };
        let expected = [board.clone()];
        assert_eq!(registry.boards(), expected);
        assert_eq!(registry.boards(), expected, "reading changes nothing");
        assert_eq!(board.backend(), "tcp:127.0.0.1:5000");
        let second = registry.register("tcp:127.0.0.1:5001", "a game", None);
        let second = second.expect("two in a process");
        assert_eq!(registry.boards().len(), 2);
        drop(second);
        assert_eq!(registry.boards(), [board]);
        drop(registered);
        assert!(registry.boards().is_empty());
        let left = fs::read_dir(registry.folder()).expect("a folder").count();
        assert_eq!(left, 0, "the file is gone");
    }

    /// The base rate is that of every board: it need not be named.
    #[test]
    fn a_board_is_reached_at_the_rate_it_starts_with() {
        assert_eq!(backend("/dev/pts/1", None), "serial:/dev/pts/1");
        assert_eq!(backend("/dev/pts/1", Some(115_200)), "serial:/dev/pts/1");
        let other = backend("/dev/pts/1", Some(3_000_000));
        assert_eq!(other, "serial:/dev/pts/1,start=3000000");
        assert_eq!(backend("tcp:host:1", Some(3_000_000)), "tcp:host:1");
    }

    /// Writes what a process that was killed would have left.
    fn leave(registry: &Registry, name: &str, address: &Path) {
        let left = format!(
            r#"{{"pid":1,"address":"{}","kind":"virtual","about":"killed"}}"#,
            address.display()
        );
        fs::create_dir_all(registry.folder()).expect("a folder");
        fs::write(registry.folder().join(name), left).expect("written");
    }

    fn files(registry: &Registry) -> usize {
        fs::read_dir(registry.folder()).expect("a folder").count()
    }

    /// A process that was killed leaves its file; another may have its number.
    #[test]
    fn what_nobody_holds_is_passed_over_and_swept_away() {
        let (folder, registry) = registry();
        let terminal = folder.path().join("terminal");
        fs::write(&terminal, "").expect("written");
        let own = format!("{}-0.json", std::process::id());
        leave(&registry, &own, &terminal);
        leave(&registry, "1-0.json", &folder.path().join("gone"));
        fs::write(registry.folder().join("noise.json"), "noise").expect("written");
        assert!(registry.boards().is_empty());
        let address = terminal.to_str().expect("a name");
        let registered = registry.register(address, "new", None).expect("registered");
        let boards = registry.boards();
        assert_eq!(boards.len(), 1, "{boards:?}");
        assert_eq!(boards[0].backend(), format!("serial:{address}"));
        assert_eq!(
            (boards[0].pid, &*boards[0].about),
            (std::process::id(), "new")
        );
        drop(registered);
        assert_eq!(files(&registry), 2, "the noise, and what had that terminal");
        assert!(registry.clear(&terminal));
    }

    /// Of a board that was killed the file is there, and nobody holds it: no
    /// process either that was started while it was read.
    #[test]
    fn what_a_killed_board_left_behind_is_known_once() {
        let (folder, registry) = registry();
        let path = folder.path().join("board");
        let other = folder.path().join("other");
        assert!(!registry.clear(&path), "there is no folder yet");
        let address = other.to_str().expect("a name");
        let _runs = registry.register(address, "it runs", None).expect("free");
        assert!(!registry.was_left(&other), "its board is there");
        let mut missed = 0;
        std::thread::scope(|scope| {
            let starting = scope.spawn(|| {
                for _ in 0..300 {
                    let ran = std::process::Command::new("true").status();
                    assert!(ran.expect("it runs").success());
                }
            });
            while !starting.is_finished() {
                leave(&registry, "1-0.json", &path);
                missed += u32::from(registry.clear(&other));
                missed += u32::from(!registry.was_left(&path));
                missed += u32::from(!registry.clear(&path));
                missed += u32::from(registry.clear(&path));
            }
        });
        assert_eq!(missed, 0);
    }

    /// What others put where this user's boards are told of is not believed.
    #[cfg(unix)]
    #[test]
    fn a_folder_of_somebody_else_is_not_used() {
        let (own, _) = registry();
        // Root may give folders away; for everybody else `/` is another's.
        let given = std::os::unix::fs::chown(own.path(), Some(1), None);
        let folder = if given.is_ok() {
            own.path()
        } else {
            Path::new("/")
        };
        let registry = Registry::new(folder);
        let why = registry.make().expect_err("refused").kind();
        assert_eq!(why, io::ErrorKind::PermissionDenied);
        assert!(registry.told().next().is_none());
    }

    /// A pipe would be waited for.
    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_not_opened() {
        let (_folder, registry) = registry();
        fs::create_dir_all(registry.folder()).expect("a folder");
        let pipe = registry.folder().join("5.json");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        let link = registry.folder().join("6.json");
        std::os::unix::fs::symlink(&pipe, link).expect("a link");
        assert!(registry.boards().is_empty());
        assert!(!registry.clear(&pipe));
    }

    #[test]
    fn a_terminal_that_is_gone_is_passed_over() {
        let (folder, registry) = registry();
        let terminal = folder.path().join("terminal");
        fs::write(&terminal, "").expect("written");
        let address = terminal.to_str().expect("a name");
        let _registered = registry.register(address, "new", None).expect("registered");
        assert_eq!(registry.boards().len(), 1);
        fs::remove_file(terminal).expect("removed");
        assert!(registry.boards().is_empty());
    }
}
