//! Keeps finished games in a journal, an entry each; the default path of the journal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crc::{CRC_64_XZ, Crc};
use lockstep_games::ShardHeader;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::GameResult;
use crate::files::state_folder;
use crate::journal::{Journal, JournalError, JournalKind};

const KIND: JournalKind = JournalKind {
    command: "strength",
    option: "--state",
    earlier: "lockstep_strength",
};

/// Finished games and the journal that keeps them.
#[derive(Debug)]
pub struct State {
    /// The journal.
    pub journal: Journal,
    /// The finished games by number.
    pub games: BTreeMap<u64, GameResult>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    game: u64,
    #[serde(flatten)]
    played: GameResult,
}

impl State {
    /// Opens the state of games with these settings; `fresh` discards the games in it. `shard` is
    /// the shard that plays them, if it is not the whole run.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub fn open(
        path: &Path,
        settings: &Value,
        shard: Option<ShardHeader>,
        fresh: bool,
    ) -> Result<Self, JournalError> {
        let (journal, entries) = Journal::open::<Entry>(KIND, path, settings, shard, fresh)?;
        let games = entries.into_iter().map(|e| (e.game, e.played)).collect();
        Ok(Self { journal, games })
    }

    /// Keeps a finished game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, game: u64, played: GameResult) -> Result<(), JournalError> {
        self.journal.append(&Entry { game, played })?;
        self.games.insert(game, played);
        Ok(())
    }
}

/// The environment names no folder for state files.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("neither XDG_STATE_HOME nor HOME is set; name a file for the finished games with --state")]
pub struct NoHome;

/// The path for games with these settings, in the XDG state folder of the user.
///
/// `name` is the controller's.
///
/// # Errors
/// When neither `XDG_STATE_HOME` nor `HOME` is an absolute path.
pub fn default_path(name: &str, settings: &Value) -> Result<PathBuf, NoHome> {
    let folder = state_folder().ok_or(NoHome)?.join("strength");
    Ok(folder.join(file_name(name, settings)))
}

/// The controller's name for people, and a hash of the settings.
fn file_name(name: &str, settings: &Value) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let name: String = name.chars().map(plain).take(40).collect();
    let hash = Crc::<u64>::new(&CRC_64_XZ).checksum(settings.to_string().as_bytes());
    format!("{name}-{hash:016x}.jsonl")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn file_name_differs_with_settings() {
        let one = file_name("dt-20", &json!({"seed": 1}));
        assert!(
            one.starts_with("dt-20-") && one.ends_with(".jsonl"),
            "{one}"
        );
        assert_eq!(one.len(), "dt-20-.jsonl".len() + 16);
        assert_eq!(one, file_name("dt-20", &json!({"seed": 1})));
        assert_ne!(one, file_name("dt-20", &json!({"seed": 2})));
        let odd = file_name("../ä/\u{7}x", &json!({}));
        assert!(odd.starts_with("------x-"), "{odd}");
    }
}
