//! Lists the virtual boards that run on this machine: each has a file in one folder.
//!
//! A board's process keeps its file locked. So an unlocked file is left from a process that has ended,
//! even if its id was given to another process.

use std::fs::{self, DirBuilder, File, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

use protocol::layout::link::BASE_BAUD;
use rustix::process::geteuid;
use serde::{Deserialize, Serialize};

/// The kind of all boards in the registry.
const VIRTUAL: &str = "virtual";

/// A virtual board that runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    /// Id of its process.
    pub pid: u32,
    /// Path of a terminal, or `tcp:HOST:PORT`.
    pub address: String,
    /// `virtual`.
    pub kind: String,
    /// A description in a few words.
    pub about: String,
    /// Rate of its line after power-up in baud, if the client sets the rate.
    #[serde(default)]
    pub start: Option<u32>,
}

impl Board {
    /// The name of the backend that reaches it.
    pub fn backend(&self) -> String {
        backend(&self.address, self.start)
    }

    /// Whether its terminal exists.
    fn is_there(&self) -> bool {
        self.address.starts_with("tcp:") || Path::new(&self.address).exists()
    }
}

/// The name of the backend that reaches a [`Board::address`] with a [`Board::start`].
pub fn backend(address: &str, start: Option<u32>) -> String {
    let start = start.filter(|start| *start != BASE_BAUD);
    match (address.starts_with("tcp:"), start) {
        (true, _) => address.into(),
        (false, None) => format!("serial:{address}"),
        (false, Some(start)) => format!("serial:{address},start={start}"),
    }
}

/// The folder of the boards' files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registry {
    folder: PathBuf,
}

/// A board's file, which is removed when this is dropped.
#[derive(Debug)]
pub struct Registered {
    path: PathBuf,
    /// Locked until this is dropped.
    _file: File,
}

impl Drop for Registered {
    fn drop(&mut self) {
        // A file that stays is ignored, since it is not locked.
        let _ = fs::remove_file(&self.path);
    }
}

struct Found {
    file: PathBuf,
    board: Board,
    runs: bool,
}

impl Registry {
    /// A registry in that folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let folder = folder.into();
        Self { folder }
    }

    /// The registry that all programs of this user share: `lockstep/boards` in
    /// `$XDG_RUNTIME_DIR`; without that, in a folder of the user's own for temporary files.
    pub fn shared() -> Self {
        Self::below(std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from))
    }

    /// The registry in that folder for runtime files. A relative path is ignored (XDG Base Directory
    /// Specification).
    fn below(runtime: Option<PathBuf>) -> Self {
        let own = match runtime.filter(|folder| folder.is_absolute()) {
            Some(runtime) => runtime.join("lockstep"),
            None => std::env::temp_dir().join(format!("lockstep-{}", geteuid().as_raw())),
        };
        Self::new(own.join("boards"))
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Creates the folder and its parent for this user only; returns the parent, where boards without a
    /// path put their links.
    ///
    /// # Errors
    /// When they cannot be made, belong to another user, or are links.
    pub fn make(&self) -> io::Result<&Path> {
        let around = self.folder.parent().unwrap_or(&self.folder);
        for folder in [around, &self.folder] {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(folder)?;
            if !is_own(folder)? {
                let folder = folder.display();
                let why = format!("{folder} is a link, or no folder of this user: remove it");
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, why));
            }
        }
        Ok(around)
    }

    /// Adds a board of this process. `address` is the path of a terminal, or `tcp:HOST:PORT`.
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
        // Files of killed boards whose terminal is gone, too.
        for found in self.found().filter(|found| !found.runs) {
            if Path::new(&found.board.address).symlink_metadata().is_err() {
                let _ = fs::remove_file(found.file);
            }
        }
        let pid = std::process::id();
        // Another board may have a number: of this process, or of an earlier one with the same id.
        let mut paths = (0..).map(|number| self.folder.join(format!("{pid}-{number}.json")));
        let (path, mut file) = loop {
            let path = paths.next().unwrap_or_default();
            match File::create_new(&path) {
                Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
                file => break (path, file?),
            }
        };
        // A reader locks it only for a moment.
        file.lock()?;
        let board = Board {
            pid,
            address: address.into(),
            kind: VIRTUAL.into(),
            about: about.into(),
            start,
        };
        file.write_all(&serde_json::to_vec(&board)?)?;
        Ok(Registered { path, _file: file })
    }

    /// The boards that run, by process id.
    pub fn boards(&self) -> Vec<Board> {
        let running = self.found().filter(|found| found.runs);
        let boards = running.map(|found| found.board);
        let mut boards: Vec<Board> = boards
            .filter(|board| board.kind == VIRTUAL && board.is_there())
            .collect();
        boards.sort_by_key(|board| board.pid);
        boards
    }

    /// Whether a board at that path was killed: the link that it left may lead to the terminal of
    /// another program.
    pub fn was_killed(&self, path: &Path) -> bool {
        self.killed(path).next().is_some()
    }

    /// As [`Self::was_killed`]; also removes the board's file.
    pub fn clear_killed(&self, path: &Path) -> bool {
        let removed = self.killed(path).map(|found| fs::remove_file(found.file));
        removed.count() > 0
    }

    /// The files of killed boards at that path.
    fn killed(&self, path: &Path) -> impl Iterator<Item = Found> {
        self.found()
            .filter(move |found| !found.runs && Path::new(&found.board.address) == path)
    }

    /// All files of boards. Files that cannot be read are ignored: one may be just being written.
    fn found(&self) -> impl Iterator<Item = Found> {
        let ours = is_own(&self.folder).unwrap_or(false);
        let entries = ours.then(|| fs::read_dir(&self.folder).ok()).flatten();
        let entries = entries.into_iter().flatten().flatten();
        entries.filter_map(|entry| read(entry.path()))
    }
}

/// Reads a board's file; ignores pipes, which would block, and devices.
fn read(path: PathBuf) -> Option<Found> {
    let about = path.symlink_metadata().ok()?;
    let file = about.is_file().then(|| File::open(&path).ok()).flatten()?;
    let runs = match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(_)) => return None,
        // A shared lock, so that readers do not take each other for the board. It ends when the file
        // is closed, also in a child process that was started meanwhile.
        Ok(()) => false,
    };
    let board = serde_json::from_reader(file).ok()?;
    let file = path;
    Some(Found { file, board, runs })
}

/// Whether a folder belongs to this user. A link would let somebody else choose the folder.
fn is_own(folder: &Path) -> io::Result<bool> {
    let about = folder.symlink_metadata()?;
    Ok(about.is_dir() && about.uid() == geteuid().as_raw())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> (tempfile::TempDir, Registry) {
        let folder = tempfile::tempdir().expect("a folder");
        let registry = Registry::new(folder.path().join("lockstep/boards"));
        (folder, registry)
    }

    fn files(registry: &Registry) -> usize {
        fs::read_dir(registry.folder()).expect("a folder").count()
    }

    /// A board runs as long as it is registered and its terminal exists.
    #[test]
    fn registry_lists_boards_that_run() {
        let (folder, registry) = registry();
        assert!(registry.boards().is_empty(), "there is no folder yet");
        let register = |address: &str| registry.register(address, "a game", None);
        let registered = register("tcp:127.0.0.1:5000").expect("registered");
        let board = Board {
            pid: std::process::id(),
            address: "tcp:127.0.0.1:5000".into(),
            kind: "virtual".into(),
            about: "a game".into(),
            start: None,
        };
        let expected = [board];
        assert_eq!(registry.boards(), expected);
        assert_eq!(registry.boards(), expected, "reading changes nothing");
        let terminal = folder.path().join("terminal");
        fs::write(&terminal, "").expect("written");
        let second = register(terminal.to_str().expect("a name")).expect("two in a process");
        assert_eq!(registry.boards().len(), 2);
        fs::remove_file(terminal).expect("removed");
        assert_eq!(registry.boards(), expected);
        drop((registered, second));
        assert_eq!(files(&registry), 0);
    }

    #[test]
    fn registry_links_and_relative_folders_are_ignored() {
        let (folder, registry) = registry();
        let elsewhere = folder.path().join("elsewhere");
        fs::create_dir(&elsewhere).expect("a folder");
        std::os::unix::fs::symlink(&elsewhere, folder.path().join("lockstep")).expect("a link");
        let refused = registry.register("tcp:127.0.0.1:5000", "a game", None);
        let why = refused.expect_err("a link").to_string();
        assert!(why.contains("lockstep is a link"), "{why}");
        let mut made = fs::read_dir(elsewhere).expect("a folder");
        assert!(made.next().is_none(), "the link was followed");
        let of = |runtime: Option<&str>| Registry::below(runtime.map(PathBuf::from));
        assert_eq!(of(Some("run")).folder(), of(None).folder());
        assert_eq!(of(Some("")).folder(), of(None).folder());
        assert_eq!(of(Some("/run")).folder(), "/run/lockstep/boards");
    }

    /// The base rate need not be named.
    #[test]
    fn backend_names_address_and_rate() {
        for (address, start, expected) in [
            ("/dev/pts/1", None, "serial:/dev/pts/1"),
            ("/dev/pts/1", Some(115_200), "serial:/dev/pts/1"),
            ("/dev/pts/1", Some(9_600), "serial:/dev/pts/1,start=9600"),
            ("tcp:host:1", Some(9_600), "tcp:host:1"),
        ] {
            assert_eq!(backend(address, start), expected);
        }
    }

    /// Writes the file that a killed process leaves in the registry.
    fn leave(registry: &Registry, name: &str, address: &Path) {
        let address = address.display();
        let left =
            format!(r#"{{"pid":1,"address":"{address}","kind":"virtual","about":"killed"}}"#);
        fs::create_dir_all(registry.folder()).expect("a folder");
        fs::write(registry.folder().join(name), left).expect("written");
    }

    /// Another process may have the id of a killed one.
    #[test]
    fn registry_unlocked_files_are_removed() {
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
        assert_eq!((boards.len(), &*boards[0].about), (1, "new"), "{boards:?}");
        drop(registered);
        assert_eq!(
            files(&registry),
            2,
            "the noise, and the file with that terminal"
        );
        assert!(registry.clear_killed(&terminal));
    }

    /// Also while child processes are started, which inherit open files.
    #[test]
    fn registry_killed_board_is_cleared_once() {
        let (folder, registry) = registry();
        let [path, other] = ["board", "other"].map(|name| folder.path().join(name));
        assert!(!registry.clear_killed(&path), "there is no folder yet");
        let address = other.to_str().expect("a name");
        let _runs = registry.register(address, "it runs", None).expect("free");
        assert!(!registry.was_killed(&other), "its board is there");
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
                let found = [&other, &path].map(|path| registry.was_killed(path));
                let cleared = [&other, &path, &path].map(|path| registry.clear_killed(path));
                missed += u32::from(found != [false, true] || cleared != [false, true, false]);
            }
        });
        assert_eq!(missed, 0);
    }

    /// Files of other users are not trusted, and no pipe is opened: it would block.
    #[test]
    fn registry_foreign_folders_and_pipes_are_not_used() {
        let (own, registry) = registry();
        fs::create_dir_all(registry.folder()).expect("a folder");
        let pipe = registry.folder().join("5.json");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
        let link = registry.folder().join("6.json");
        std::os::unix::fs::symlink(&pipe, link).expect("a link");
        assert!(registry.boards().is_empty() && !registry.clear_killed(&pipe));
        // Root may give folders away; for everybody else `/` is another's.
        let given = std::os::unix::fs::chown(own.path(), Some(1), None);
        let foreign = Registry::new(given.map_or(Path::new("/"), |()| own.path()));
        let why = foreign.make().expect_err("refused").kind();
        assert_eq!(why, io::ErrorKind::PermissionDenied);
        assert!(foreign.found().next().is_none());
    }
}
