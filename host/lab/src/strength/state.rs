//! Keeps finished games in a journal, an entry each.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::GameResult;
use crate::journal::{Journal, JournalError, JournalKind};

const KIND: JournalKind = JournalKind {
    command: "strength",
    option: "--state",
    earlier: "lockstep_strength",
};

/// Finished games and the journal that keeps them.
#[derive(Debug)]
pub struct State {
    journal: Journal,
    games: BTreeMap<u64, GameResult>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    game: u64,
    #[serde(flatten)]
    played: GameResult,
}

impl State {
    /// Opens the state of games with these settings; `fresh` discards the games in it.
    ///
    /// # Errors
    /// As [`Journal::open`].
    pub fn open(path: &Path, settings: &Value, fresh: bool) -> Result<Self, JournalError> {
        let (journal, entries) = Journal::open::<Entry>(KIND, path, settings, fresh)?;
        let games = entries.into_iter().map(|e| (e.game, e.played)).collect();
        Ok(Self { journal, games })
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        self.journal.path()
    }

    /// The finished games by number.
    pub fn games(&self) -> &BTreeMap<u64, GameResult> {
        &self.games
    }

    /// The finished games with a number below `games`.
    pub fn below(&self, games: u64) -> impl Iterator<Item = (u64, GameResult)> {
        let finished = self.games.range(..games);
        finished.map(|(game, played)| (*game, *played))
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

    /// Removes the file.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(self) -> Result<(), JournalError> {
        self.journal.remove()
    }
}
