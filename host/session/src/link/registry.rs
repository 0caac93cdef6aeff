//! Virtual boards that run on this machine, each told of in a file of its own.
//!
//! A board's process keeps its file locked: one that nobody holds is left over
//! from a process that is gone, also when its number was given to another.

use std::fs::{self, File, OpenOptions, TryLockError};
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
    _file: File,
}

impl Registry {
    /// That folder; it need not be there.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self { folder }
    }

    /// The one that all programs of this user share: `lockstep/boards` in
    /// `$XDG_RUNTIME_DIR`, or where temporary files lie.
    pub fn shared() -> Self {
        let runtime = std::env::var_os("XDG_RUNTIME_DIR").filter(|folder| !folder.is_empty());
        let runtime = runtime.map_or_else(std::env::temp_dir, PathBuf::from);
        Self::new(runtime.join("lockstep").join("boards"))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Tells of a board of this process. `address` is the path of a terminal, or
    /// `tcp:HOST:PORT`.
    ///
    /// # Errors
    /// When the file cannot be written, or this process told of a board already.
    pub fn register(
        &self,
        address: &str,
        about: &str,
        start: Option<u32>,
    ) -> io::Result<Registered> {
        fs::create_dir_all(&self.folder)?;
        let pid = std::process::id();
        let path = self.folder.join(format!("{pid}.json"));
        // It may be left over from another process of this number.
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)?;
        file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => io::ErrorKind::AlreadyExists.into(),
            TryLockError::Error(error) => error,
        })?;
        let board = Board {
            pid,
            address: address.into(),
            kind: VIRTUAL.into(),
            about: about.into(),
            start,
        };
        file.set_len(0)?;
        file.write_all(&serde_json::to_vec(&board)?)?;
        Ok(Registered { path, _file: file })
    }

    /// The boards that run, in the order of their processes' numbers. What is no
    /// such file, or left over, is passed over.
    pub fn boards(&self) -> Vec<Board> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut boards: Vec<Board> = entries.filter_map(|entry| read(&entry.path())).collect();
        boards.sort_by_key(|board| board.pid);
        boards
    }

    /// Whether a board had that terminal's path that is gone without a word, as
    /// when it was killed. What it left here is cleared away.
    pub fn left_behind(&self, path: &Path) -> bool {
        let mut left = false;
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        for entry in entries {
            let file = entry.path();
            let told = open(&file).filter(|file| file.try_lock().is_ok());
            let told = told.and_then(|file| serde_json::from_reader::<_, Board>(file).ok());
            if told.is_some_and(|board| Path::new(&board.address) == path) {
                left = true;
                let _ = fs::remove_file(file);
            }
        }
        left
    }
}

/// Opens what a board may have written: no pipe, which would have to be waited
/// for, and no device.
fn open(path: &Path) -> Option<File> {
    let regular = path.symlink_metadata().is_ok_and(|about| about.is_file());
    regular.then(|| File::open(path).ok()).flatten()
}

/// The board a file tells of, unless nobody holds it.
fn read(path: &Path) -> Option<Board> {
    let file = open(path)?;
    if !matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)) {
        return None;
    }
    let board: Board = serde_json::from_reader(file).ok()?;
    let reachable = board.address.starts_with("tcp:") || Path::new(&board.address).exists();
    (board.kind == VIRTUAL && reachable).then_some(board)
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
        let twice = registry.register("tcp:127.0.0.1:5001", "a game", None);
        let twice = twice.expect_err("one a process").kind();
        assert_eq!(twice, io::ErrorKind::AlreadyExists);
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

    /// A process that was killed leaves its file; another of the same number
    /// takes it over.
    #[test]
    fn what_nobody_holds_is_passed_over_and_taken_over() {
        let (folder, registry) = registry();
        let terminal = folder.path().join("terminal");
        fs::write(&terminal, "").expect("written");
        let terminal = terminal.to_str().expect("a name");
        fs::create_dir_all(registry.folder()).expect("a folder");
        let own = registry
            .folder()
            .join(format!("{}.json", std::process::id()));
        let left = format!(
            r#"{{"pid":1,"address":"{terminal}","kind":"virtual","about":"{}"}}"#,
            "left over ".repeat(100)
        );
        fs::write(own, left).expect("written");
        fs::write(registry.folder().join("noise.json"), "noise").expect("written");
        assert!(registry.boards().is_empty());
        let _registered = registry
            .register(terminal, "new", None)
            .expect("registered");
        let boards = registry.boards();
        assert_eq!(boards.len(), 1, "{boards:?}");
        assert_eq!(boards[0].backend(), format!("serial:{terminal}"));
        assert_eq!(
            (boards[0].pid, &*boards[0].about),
            (std::process::id(), "new")
        );
    }

    /// Of a board that was killed the file is there, and nobody holds it.
    #[test]
    fn what_a_killed_board_left_behind_is_known_once() {
        let (folder, registry) = registry();
        let path = folder.path().join("board");
        let other = folder.path().join("other");
        assert!(!registry.left_behind(&path), "there is no folder yet");
        let address = other.to_str().expect("a name");
        let _runs = registry.register(address, "it runs", None).expect("free");
        assert!(!registry.left_behind(&other), "its board is there");
        let left = format!(
            r#"{{"pid":1,"address":"{}","kind":"virtual","about":"killed"}}"#,
            path.display()
        );
        fs::write(registry.folder().join("1.json"), left).expect("written");
        assert!(!registry.left_behind(&other), "of another path");
        assert!(registry.left_behind(&path));
        assert!(!registry.left_behind(&path), "it was cleared away");
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
        assert!(!registry.left_behind(&pipe));
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
