//! Finished games in a file: JSON lines, a header and a line a game.
//!
//! The header holds all that determines a game, so that no two kinds of games
//! get into one file; how many are wanted is not in it. A line is written as its
//! game ends, in one go: after a kill at most the last one is torn, and ignored.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use lockstep::record::reason;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Played;
use super::bounds::Bounds;
use crate::files::header::{Difference, differences, marked};
use crate::files::lock::{self, LockError};

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
        path.display(), listed(differences)
    )]
    Different {
        path: PathBuf,
        differences: Vec<Difference>,
    },
    /// Not a finished game, nor torn at the end.
    #[error("state {}, line {line}: {why}; name another file with --state, or drop it with --fresh", path.display())]
    Line {
        path: PathBuf,
        line: usize,
        why: String,
    },
}

fn listed(differences: &[Difference]) -> String {
    let told: Vec<String> = differences.iter().map(Difference::to_string).collect();
    told.join(", ")
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(expecting = "a finished game")]
struct Line {
    game: u64,
    #[serde(flatten)]
    played: Played,
}

impl State {
    /// Opens the state of games with this header and within these bounds, or
    /// begins one; `fresh` drops the games of another kind and of before.
    ///
    /// # Errors
    /// When it cannot be had, is in use, or is not what is asked for.
    pub fn open(
        path: &Path,
        header: &Value,
        bounds: &Bounds,
        fresh: bool,
    ) -> Result<Self, StateError> {
        let mut file = locked(path)?;
        let io = |why| io_error(path, why);
        let mut content = Vec::new();
        file.read_to_end(&mut content).map_err(io)?;
        let first = format!("{header}\n");
        let torn = first.as_bytes().starts_with(&content);
        let (mut games, mut whole) = (BTreeMap::new(), 0);
        if !torn {
            let head = content.split(|&byte| byte == b'\n').next();
            let found = head.and_then(|head| marked(head, MARK));
            let found = found.ok_or_else(|| StateError::Foreign { path: path.into() })?;
            if !fresh {
                let differences = differences(&found, header);
                if !differences.is_empty() {
                    let path = path.into();
                    return Err(StateError::Different { path, differences });
                }
                (games, whole) = entries(path, &content, bounds)?;
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

/// Opens the file, which nobody else has; it appends.
fn locked(path: &Path) -> Result<File, StateError> {
    let mut options = OpenOptions::new();
    let options = options.read(true).append(true).create(true);
    lock::open(path, options).map_err(|error| match error {
        LockError::Io { path, why } => StateError::Io { path, why },
        LockError::InUse { path } => StateError::Locked { path },
        LockError::Foreign { path } => StateError::Foreign { path },
    })
}

/// The games after the header, and how many bytes are whole lines.
fn entries(
    path: &Path,
    content: &[u8],
    bounds: &Bounds,
) -> Result<(BTreeMap<u64, Played>, usize), StateError> {
    let (mut games, mut whole) = (BTreeMap::new(), 0);
    for (index, line) in content.split_inclusive(|&byte| byte == b'\n').enumerate() {
        if !line.ends_with(b"\n") {
            break;
        }
        whole += line.len();
        if index == 0 {
            continue;
        }
        let wrong = |why| StateError::Line {
            path: path.into(),
            line: index + 1,
            why,
        };
        let Line { game, played } =
            serde_json::from_slice(line).map_err(|why| wrong(reason(&why)))?;
        bounds
            .check(game, &played)
            .map_err(|why| wrong(why.to_string()))?;
        let before = games.insert(game, played);
        if before.is_some_and(|before| before != played) {
            return Err(wrong(format!(
                "game {game} ended otherwise in a line before"
            )));
        }
    }
    Ok((games, whole))
}

#[cfg(test)]
mod tests;
