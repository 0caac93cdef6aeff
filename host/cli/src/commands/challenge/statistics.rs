//! Statistics of people against backends: a file with a JSON line for each game.
//!
//! A line is appended and synced when its game ends, so a killed run loses at most the game in
//! progress.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use lockstep_lab::files::state_folder;
use serde::{Deserialize, Serialize};

use super::table::GameResult;
use crate::output::files::check_kept;
use crate::output::table::plain;

/// A finished game.
#[derive(Serialize, Deserialize)]
pub struct Entry {
    /// When it ended (RFC 3339, UTC).
    pub time: String,
    pub game: String,
    pub backend: String,
    /// With its depth, if it looks ahead: `lines:4`.
    pub controller: String,
    /// Whether the person moved first.
    pub moved_first: bool,
    pub result: GameResult,
    /// Moves of both.
    pub moves: usize,
    /// The points of person and backend, in games with points.
    pub scores: [Option<u64>; 2],
    pub takebacks: u64,
    /// How often advice was asked for.
    pub advice: u64,
}

pub struct Statistics {
    pub path: PathBuf,
    entries: Vec<Entry>,
}

impl Statistics {
    /// Reads a file of statistics, which need not exist; by default the user's.
    ///
    /// # Errors
    /// When it cannot be read or created, or holds something else.
    pub fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        let path = match path {
            Some(path) => path.into(),
            None => {
                let folder = state_folder().context(
                    "neither XDG_STATE_HOME nor HOME is set; name a file with --statistics",
                )?;
                fs::create_dir_all(&folder)
                    .with_context(|| format!("--statistics: {}", folder.display()))?;
                folder.join("challenge.jsonl")
            }
        };
        check_kept(&[("--statistics", &path)], None, None)?;
        let text = match fs::read(&path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => Vec::new(),
            text => text.with_context(|| format!("--statistics {}", path.display()))?,
        };
        match entries(&text) {
            Ok(entries) => Ok(Self { path, entries }),
            Err(number) => {
                let path = path.display();
                bail!(
                    "--statistics {path}: line {number} is not a game of `lockstep challenge`; \
                     name another file"
                );
            }
        }
    }

    /// Number of games of that name.
    pub fn games(&self, game: &str) -> u64 {
        self.entries
            .iter()
            .filter(|entry| entry.game == game)
            .count() as u64
    }

    /// Appends a game, which counts here even if it cannot be written, to those in the file, to
    /// which other runs may have added.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, entry: Entry) -> anyhow::Result<()> {
        let written = self.write(&entry);
        self.entries.push(entry);
        written.with_context(|| format!("--statistics {}", self.path.display()))
    }

    fn write(&mut self, entry: &Entry) -> io::Result<()> {
        let mut options = File::options();
        let mut file = options
            .read(true)
            .append(true)
            .create(true)
            .open(&self.path)?;
        // Other runs append to the same file.
        file.lock()?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        if let Ok(entries) = entries(&text) {
            self.entries = entries;
        }
        let is_cut = text.last().is_some_and(|last| *last != b'\n');
        let line = serde_json::to_string(entry)?;
        let line = if is_cut {
            format!("\n{line}\n")
        } else {
            line + "\n"
        };
        file.write_all(line.as_bytes())?;
        file.sync_data()
    }

    /// The header and rows of the table, a row for each opponent and turn; `game`, `against`: only
    /// of that game, and against that opponent.
    pub fn rows(&self, game: Option<&str>, against: Option<&str>) -> Vec<[String; 8]> {
        let mut counts = BTreeMap::<_, [u64; 5]>::new();
        for entry in &self.entries {
            let opponent = format!("{}, {}", entry.backend, entry.controller);
            let is_other = |only: Option<&str>, own| only.is_some_and(|only| only != own);
            if is_other(game, &entry.game) || is_other(against, &opponent) {
                continue;
            }
            let turn = if entry.moved_first { "first" } else { "second" };
            let count = counts.entry((&entry.game, opponent, turn)).or_default();
            count[0] += 1;
            let column = match entry.result {
                _ if entry.takebacks + entry.advice > 0 => 4,
                GameResult::Won => 1,
                GameResult::Lost => 2,
                GameResult::Drawn => 3,
            };
            count[column] += 1;
        }
        let header = [
            "game",
            "backend",
            "you move",
            "games",
            "won",
            "lost",
            "drawn",
            "with help",
        ];
        let rows = counts.into_iter().map(|((game, opponent, turn), count)| {
            let [games, won, lost, drawn, helped] = count.map(|count| count.to_string());
            let turn = turn.to_owned();
            [
                game.to_owned(),
                opponent,
                turn,
                games,
                won,
                lost,
                drawn,
                helped,
            ]
        });
        [header.map(str::to_owned)]
            .into_iter()
            .chain(rows)
            .collect()
    }

    /// The table as text; `game`: only of that game.
    pub fn table(&self, game: Option<&str>) -> String {
        let mut rows = self.rows(game, None).into_iter();
        match (rows.next(), rows.len()) {
            (Some(header), 1..) => {
                plain(header, rows, 3..)
                    + "  with help: games in which you took a move back or asked for advice\n"
            }
            _ => {
                let of = game.map_or(String::new(), |game| format!(" of {game}"));
                format!("no finished games{of} in {}\n", self.path.display())
            }
        }
    }
}

/// The games in a file; the number of a line that is none, from 1.
fn entries(text: &[u8]) -> Result<Vec<Entry>, usize> {
    let mut entries = Vec::new();
    for (line, number) in String::from_utf8_lossy(text).lines().zip(1..) {
        match serde_json::from_str(line) {
            Ok(entry) => entries.push(entry),
            // A killed run has left a part of it.
            Err(why) if why.is_eof() => {}
            Err(_) => return Err(number),
        }
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(moved_first: bool, result: GameResult, takebacks: u64) -> Entry {
        Entry {
            time: String::new(),
            game: "gomoku".into(),
            backend: "sim".into(),
            controller: "lines:4".into(),
            moved_first,
            result,
            moves: 9,
            scores: [None; 2],
            takebacks,
            advice: 0,
        }
    }

    #[test]
    fn statistics_survive_cut_line_and_count_help_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games");
        let open = || Statistics::open(Some(&path));
        let mut games = open().expect("no file yet");
        games
            .append(entry(true, GameResult::Won, 0))
            .expect("written");
        let whole = fs::read_to_string(&path).expect("a file");
        // A run that was killed while it wrote.
        fs::write(&path, whole.clone() + &whole[..40]).expect("written");
        let mut other = open().expect("a cut line is skipped");
        other
            .append(entry(true, GameResult::Won, 1))
            .expect("written");
        // The first run counts the game of the other one, too.
        games
            .append(entry(false, GameResult::Lost, 0))
            .expect("written");
        assert_eq!(games.games("gomoku"), 3);
        let expected = "  game    backend       you move  games  won  lost  drawn  with help
  gomoku  sim, lines:4  first         2    1     0      0          1
  gomoku  sim, lines:4  second        1    0     1      0          0
";
        let table = open().expect("three games").table(None);
        assert!(table.starts_with(expected), "{table}");
        let rows = |game, against| games.rows(Some(game), against).len();
        let found = [
            rows("gomoku", Some("sim, lines:4")),
            rows("gomoku", Some("engine, lines:4")),
            rows("tetris", None),
        ];
        assert_eq!(found, [3, 1, 1]);
    }
}
