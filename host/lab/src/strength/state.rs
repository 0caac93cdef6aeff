//! Finished games in a file: JSON lines, a header and a line a game.
//!
//! The header holds all that determines a game, so that no two kinds of games
//! get into one file; how many are wanted is not in it. A line is written as its
//! game ends, in one go: after a kill at most the last one is torn, and ignored.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Played;
use super::difference::differences;

/// Version of the file. Raise it when it is written otherwise, or when a game
/// that is dealt the same is played otherwise.
pub const VERSION: u32 = 1;

/// The header's field that holds [`VERSION`] and tells the file from others.
pub const MARK: &str = "lockstep_strength";

/// Finished games and the file that keeps them, locked while this lives.
#[derive(Debug)]
pub struct State {
    path: PathBuf,
    file: File,
    games: BTreeMap<u64, Played>,
}

/// Why there is no state, or why it cannot go on.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StateError {
    /// The file system refuses.
    #[error("state {}: {why}", path.display())]
    Io { path: PathBuf, why: io::Error },
    /// Another process has it.
    #[error("state {} is in use by another run; wait for its end or name another with --state", path.display())]
    Locked { path: PathBuf },
    /// Something else, and not to be touched.
    #[error("{} is no state of lockstep strength and is left alone; name another file with --state", path.display())]
    Foreign { path: PathBuf },
    /// Games of another kind.
    #[error(
        "state {} has other games: {}; name another file with --state, or drop it with --fresh",
        path.display(), differences.join(", ")
    )]
    Different {
        path: PathBuf,
        differences: Vec<String>,
    },
    /// Not a finished game, nor torn at the end.
    #[error("state {}, line {line}: {why}; name another file with --state, or drop it with --fresh", path.display())]
    Line {
        path: PathBuf,
        line: usize,
        why: serde_json::Error,
    },
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    game: u64,
    #[serde(flatten)]
    played: Played,
}

impl State {
    /// Opens the state of games with this header, or begins one; `fresh` drops
    /// the games of another kind and of before.
    ///
    /// # Errors
    /// When it cannot be had, is in use, or is not what is asked for.
    pub fn open(path: &Path, header: &Value, fresh: bool) -> Result<Self, StateError> {
        let mut file = lock(path)?;
        let io = |why| io_error(path, why);
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(io)?;
        let first = format!("{header}\n");
        let torn = first.as_bytes().starts_with(&content);
        let (mut games, mut whole) = (BTreeMap::new(), 0);
        if !torn {
            let found =
                marked(&content).ok_or_else(|| StateError::Foreign { path: path.into() })?;
            if !fresh {
                let differences = differences(&found, header);
                if !differences.is_empty() {
                    let path = path.into();
                    return Err(StateError::Different { path, differences });
                }
                (games, whole) = entries(path, &content)?;
            }
        }
        if whole < content.len() {
            file.set_len(whole as u64).map_err(io)?;
        }
        if whole == 0 {
            file.write_all(first.as_bytes()).map_err(io)?;
        }
        let path = path.into();
        Ok(Self { path, file, games })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The finished games by their numbers.
    pub fn games(&self) -> &BTreeMap<u64, Played> {
        &self.games
    }

    /// Those of the games 0 to `games`, without it, that are finished.
    pub fn below(&self, games: u64) -> impl Iterator<Item = (u64, Played)> {
        let finished = self.games.range(..games);
        finished.map(|(game, played)| (*game, *played))
    }

    /// Keeps a finished game.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, game: u64, played: Played) -> Result<(), StateError> {
        let io = |why| io_error(&self.path, why);
        let line = serde_json::to_string(&Line { game, played });
        let line = line.map_err(|e| io(e.into()))? + "\n";
        self.file.write_all(line.as_bytes()).map_err(io)?;
        self.games.insert(game, played);
        Ok(())
    }

    /// Removes the file.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(self) -> Result<(), StateError> {
        std::fs::remove_file(&self.path).map_err(|why| io_error(&self.path, why))
    }
}

fn io_error(path: &Path, why: io::Error) -> StateError {
    let path = path.into();
    StateError::Io { path, why }
}

/// Opens the file, which nobody else has, at its beginning; it appends.
fn lock(path: &Path) -> Result<File, StateError> {
    let io = |why| io_error(path, why);
    loop {
        let mut options = OpenOptions::new();
        let file = options.read(true).append(true).create(true).open(path);
        let mut file = file.map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StateError::Locked { path: path.into() });
            }
            Err(TryLockError::Error(why)) => return Err(io(why)),
        }
        // Who had it may have removed it just before it was locked: what would
        // be written there is lost.
        let locked = same_file::Handle::from_file(file.try_clone().map_err(io)?).map_err(io)?;
        if same_file::Handle::from_path(path).is_ok_and(|named| named == locked) {
            file.rewind().map_err(io)?;
            return Ok(file);
        }
    }
}

/// The header of a file that is a state, of whatever version.
fn marked(content: &[u8]) -> Option<Value> {
    let header = content.split(|&byte| byte == b'\n').next()?;
    let header: Value = serde_json::from_slice(header).ok()?;
    header.get(MARK).is_some().then_some(header)
}

/// The games after the header, and how many bytes are whole lines.
fn entries(path: &Path, content: &[u8]) -> Result<(BTreeMap<u64, Played>, usize), StateError> {
    let (mut games, mut whole) = (BTreeMap::new(), 0);
    for (index, line) in content.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if !line.ends_with(b"\n") {
            break;
        }
        whole += line.len();
        if index == 0 {
            continue;
        }
        let Line { game, played } =
            serde_json::from_slice(line).map_err(|why| StateError::Line {
                path: path.into(),
                line: index + 1,
                why,
            })?;
        games.insert(game, played);
    }
    Ok((games, whole))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tempfile::TempDir;

    use super::*;
    use crate::strength::End;

    fn header() -> Value {
        json!({ MARK: VERSION, "seed": 1, "max_pieces": null, "controller": {"holes": -4.0} })
    }

    fn place() -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state.jsonl");
        (folder, path)
    }

    fn lost(pieces: u64) -> Played {
        Played {
            pieces,
            lines: pieces / 3,
            end: End::Lost,
        }
    }

    /// A state of games 0 and 4, as text.
    fn two_games(path: &Path) -> String {
        let mut state = State::open(path, &header(), false).unwrap();
        state.append(4, lost(40)).unwrap();
        let end = End::Cut;
        state.append(0, Played { end, ..lost(9) }).unwrap();
        std::fs::read_to_string(path).unwrap()
    }

    #[test]
    fn games_are_found_again_and_more_can_follow() {
        let (_folder, path) = place();
        let text = two_games(&path);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1],
            r#"{"game":4,"pieces":40,"lines":13,"end":"lost"}"#
        );
        assert_eq!(lines[2], r#"{"game":0,"pieces":9,"lines":3,"end":"cut"}"#);
        let mut state = State::open(&path, &header(), false).unwrap();
        assert_eq!(state.games().keys().copied().collect::<Vec<_>>(), [0, 4]);
        assert_eq!(state.games()[&4], lost(40));
        state.append(100, lost(1)).unwrap();
        drop(state);
        let state = State::open(&path, &header(), false).unwrap();
        assert_eq!(state.games().len(), 3, "any number of games fits");
        state.remove().unwrap();
        assert!(!path.exists());
    }

    #[test]
    fn a_torn_last_line_is_ignored_wherever_it_is_torn() {
        let (_folder, path) = place();
        let text = two_games(&path);
        let second = text.trim_end().rfind('\n').unwrap() + 1;
        let first = text.find('\n').unwrap() + 1;
        for length in 0..text.len() {
            std::fs::write(&path, &text[..length]).unwrap();
            let mut state = State::open(&path, &header(), false).unwrap();
            let kept = usize::from(length >= second);
            assert_eq!(state.games().len(), kept, "{length} bytes");
            // What follows begins on a line of its own.
            state.append(7, lost(7)).unwrap();
            drop(state);
            let state = State::open(&path, &header(), false).unwrap();
            assert_eq!(state.games().len(), kept + 1, "{length} bytes");
            drop(state);
            let written = std::fs::read_to_string(&path).unwrap();
            assert!(written.starts_with(&text[..first]), "{length}: {written}");
        }
    }

    #[test]
    fn a_bad_line_is_named_unless_all_is_dropped() {
        let (_folder, path) = place();
        let text = two_games(&path);
        for bad in [
            "{}",
            "torn",
            r#"{"game":1,"pieces":1,"lines":0,"end":"stopped"}"#,
        ] {
            std::fs::write(&path, format!("{text}{bad}\n")).unwrap();
            let error = State::open(&path, &header(), false)
                .unwrap_err()
                .to_string();
            assert!(error.contains("state.jsonl, line 4: "), "{error}");
            assert!(error.contains("--fresh"), "{error}");
        }
        assert!(
            State::open(&path, &header(), true)
                .unwrap()
                .games()
                .is_empty()
        );
    }

    #[test]
    fn other_games_are_refused_by_what_differs() {
        let (_folder, path) = place();
        let text = two_games(&path);
        let other = json!({ MARK: 2, "seed": 1, "max_pieces": 9, "controller": {"holes": -5.0} });
        let error = State::open(&path, &other, false).unwrap_err().to_string();
        for part in [
            "state.jsonl has other games: ",
            "controller.holes is -4.0 there and -5.0 here",
            "max_pieces is not set there and 9 here",
            "lockstep_strength is 1 there and 2 here",
            "--state",
            "--fresh",
        ] {
            assert!(error.contains(part), "no {part} in {error}");
        }
        assert!(!error.contains("seed"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "untouched");
        drop(State::open(&path, &other, true).unwrap());
        let fresh = std::fs::read_to_string(&path).unwrap();
        assert_eq!(fresh, format!("{other}\n"));
    }

    #[test]
    fn what_is_no_state_is_left_alone() {
        let (_folder, path) = place();
        for content in [
            "precious\n",
            "{\"lockstep_record\":1}\n",
            "\n",
            "[1]",
            "\u{0}",
        ] {
            for fresh in [false, true] {
                std::fs::write(&path, content).unwrap();
                let error = State::open(&path, &header(), fresh).unwrap_err();
                assert!(matches!(error, StateError::Foreign { .. }), "{error}");
                assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
            }
        }
    }

    #[test]
    fn two_runs_do_not_share_a_state() {
        let (_folder, path) = place();
        let first = State::open(&path, &header(), false).unwrap();
        for fresh in [false, true] {
            let error = State::open(&path, &header(), fresh)
                .unwrap_err()
                .to_string();
            assert!(error.contains("in use by another run"), "{error}");
        }
        drop(first);
        assert!(State::open(&path, &header(), false).is_ok());
    }

    #[test]
    fn a_folder_is_no_state() {
        let folder = tempfile::tempdir().unwrap();
        let error = State::open(folder.path(), &header(), false).unwrap_err();
        assert!(matches!(error, StateError::Io { .. }), "{error}");
    }
}
