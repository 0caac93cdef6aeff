//! Recorded sessions: versioned JSON lines, a header and a line a decision.
//!
//! A record holds all that is needed to ask again: the controller in the
//! header, the position and the reference's decision in each line. Lines are
//! written as they are decided, so that an interrupted session leaves a record
//! that can be replayed.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::event::{Event, Header, Round, Sink};
use crate::games::Game;

/// Version of the format. Raise it when an older reader would misread a
/// record; readers name the versions they take.
pub const VERSION: u32 = 1;

/// First line of a record.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Head<G: Game> {
    /// [`VERSION`].
    pub lockstep_record: u32,
    /// Name of the game.
    pub game: String,
    /// Columns and rows.
    pub board: (usize, usize),
    /// The controller all backends played.
    pub controller: G::Controller,
    /// How the games were dealt.
    pub setup: Option<G::Setup>,
    /// The backends, the reference first.
    pub backends: Vec<BackendLine>,
}

/// A backend as recorded.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BackendLine {
    /// Name on the command line.
    pub name: String,
    /// What it was.
    pub description: String,
    /// Build id of its RTL in hexadecimal, if it had any.
    pub build_id: Option<String>,
}

/// A recorded decision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Entry<G: Game> {
    /// Game of the session, from 0.
    pub game: u64,
    /// Decision of the game, from 0.
    #[serde(rename = "move")]
    pub step: u64,
    /// What was asked.
    #[serde(flatten)]
    pub position: G::Position,
    /// What the reference answered.
    pub decision: G::Decision,
    /// Clock cycles of the backends that have any.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cycles: BTreeMap<String, u32>,
    /// What the backends answered that disagreed with the reference.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub diverged: BTreeMap<String, G::Decision>,
}

/// Why a record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file cannot be read.
    #[error("record {path}: {why}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// The first line is not a record's header.
    #[error("record {path}: not a lockstep record: {why}", path = path.display())]
    Head {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// The record is of another version.
    #[error(
        "record {path} is of version {version}, this lockstep reads version {VERSION}",
        path = path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u32,
    },
    /// The record is of another game.
    #[error("record {path} is of the game {game}, expected {expected}", path = path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Its game.
        game: String,
        /// The game asked for.
        expected: &'static str,
    },
    /// The record is of another board.
    #[error(
        "record {path} is of a board of {}×{}, expected {}×{}",
        board.0, board.1, expected.0, expected.1,
        path = path.display()
    )]
    Board {
        /// The file.
        path: PathBuf,
        /// Its columns and rows.
        board: (usize, usize),
        /// Those of the game.
        expected: (usize, usize),
    },
    /// A line is not a decision.
    #[error("record {path}, line {line}: {why}{hint}", path = path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Number of the line, from 1.
        line: u64,
        /// Why.
        why: String,
        /// What may have happened.
        hint: &'static str,
    },
}

/// Writes a record.
pub struct Recorder {
    out: BufWriter<File>,
    path: PathBuf,
    names: Vec<String>,
}

impl Recorder {
    /// Creates the file.
    ///
    /// # Errors
    /// When it cannot be created.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self {
            out: BufWriter::new(File::create(path)?),
            path: path.into(),
            names: Vec::new(),
        })
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, line)?;
        self.out.write_all(b"\n")
    }

    fn head<G: Game>(&mut self, header: &Header<G>) -> io::Result<()> {
        self.names = header.backends.iter().map(|b| b.name.clone()).collect();
        self.write(&Head::<G> {
            lockstep_record: VERSION,
            game: G::NAME.into(),
            board: G::BOARD,
            controller: header.controller.clone(),
            setup: header.setup.clone(),
            backends: header
                .backends
                .iter()
                .map(|b| BackendLine {
                    name: b.name.clone(),
                    description: b.description.clone(),
                    build_id: b.build_id(),
                })
                .collect(),
        })
    }

    fn entry<G: Game>(&mut self, round: &Round<'_, G>) -> io::Result<()> {
        let expected = round
            .recorded
            .or(round.answers.first().map(|a| &a.decision));
        let Some(decision) = expected else {
            return Ok(());
        };
        let named = || self.names.iter().zip(round.answers);
        let cycles = named().filter_map(|(name, a)| Some((name.clone(), a.cycles?)));
        let diverged = named()
            .filter(|(_, a)| a.decision != *decision)
            .map(|(name, a)| (name.clone(), a.decision.clone()));
        let entry = Entry::<G> {
            game: round.game,
            step: round.step,
            position: round.position.clone(),
            decision: decision.clone(),
            cycles: cycles.collect(),
            diverged: diverged.collect(),
        };
        self.write(&entry)
    }
}

impl<G: Game> Sink<G> for Recorder {
    fn take(&mut self, event: &Event<'_, G>) -> io::Result<()> {
        let result = match event {
            Event::Started(header) => self.head(header),
            Event::Decided(round) => self.entry(round),
            Event::GameEnded { .. } | Event::Ended { .. } => self.out.flush(),
            Event::GameStarted { .. } => Ok(()),
        };
        let name = self.path.display();
        result.map_err(|e| io::Error::new(e.kind(), format!("record {name}: {e}")))
    }
}

/// Reads a record.
pub struct Reader<G: Game> {
    lines: io::Split<BufReader<File>>,
    path: PathBuf,
    line: u64,
    head: Head<G>,
    check: Check<G>,
}

/// Refuses positions that are not to be asked, with the reason.
type Check<G> = Box<dyn Fn(&<G as Game>::Position) -> Result<(), String>>;

impl<G: Game> Reader<G> {
    /// Opens a record and reads its header.
    ///
    /// # Errors
    /// When it cannot be read or is not a record of this game and version.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let read = |why| RecordError::Read {
            path: path.into(),
            why,
        };
        let mut lines = BufReader::new(File::open(path).map_err(read)?).split(b'\n');
        let first = lines.next().unwrap_or(Ok(Vec::new())).map_err(read)?;
        Ok(Self {
            lines,
            path: path.into(),
            line: 1,
            head: parse_head(path, &first)?,
            check: Box::new(|_| Ok(())),
        })
    }

    /// The header.
    pub fn head(&self) -> &Head<G> {
        &self.head
    }

    /// How many decisions the record holds, by its lines; `None` when that
    /// cannot be known before they are read.
    pub fn count(path: &Path) -> Option<u64> {
        if !path.is_file() {
            return None;
        }
        let lines = BufReader::new(File::open(path).ok()?).split(b'\n');
        let filled = lines.filter(|line| line.as_ref().is_ok_and(|line| !is_blank(line)));
        Some((filled.count() as u64).saturating_sub(1))
    }

    /// Refuses, from here on, positions that do not pass a check, naming their
    /// lines.
    pub fn refusing(
        mut self,
        check: impl Fn(&G::Position) -> Result<(), String> + 'static,
    ) -> Self {
        self.check = Box::new(check);
        self
    }

    fn parse(&self, line: &[u8]) -> Result<Entry<G>, RecordError> {
        let wrong = |why, hint| RecordError::Line {
            path: self.path.clone(),
            line: self.line,
            why,
            hint,
        };
        let text = std::str::from_utf8(line).map_err(|e| wrong(format!("not UTF-8: {e}"), ""))?;
        let entry: Entry<G> = serde_json::from_str(text).map_err(|e| {
            let cut = "; the recording was cut short here, remove this line to replay the rest";
            wrong(e.to_string(), if e.is_eof() { cut } else { "" })
        })?;
        (self.check)(&entry.position).map_err(|why| wrong(why, ""))?;
        Ok(entry)
    }
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(u8::is_ascii_whitespace)
}

fn parse_head<G: Game>(path: &Path, line: &[u8]) -> Result<Head<G>, RecordError> {
    #[derive(Deserialize)]
    struct Version {
        lockstep_record: u32,
        game: String,
    }
    let head = |e: serde_json::Error| RecordError::Head {
        path: path.into(),
        why: e.to_string(),
    };
    let version: Version = serde_json::from_slice(line).map_err(head)?;
    if version.lockstep_record != VERSION {
        return Err(RecordError::Version {
            path: path.into(),
            version: version.lockstep_record,
        });
    }
    if version.game != G::NAME {
        return Err(RecordError::Game {
            path: path.into(),
            game: version.game,
            expected: G::NAME,
        });
    }
    let parsed: Head<G> = serde_json::from_slice(line).map_err(head)?;
    if parsed.board != G::BOARD {
        return Err(RecordError::Board {
            path: path.into(),
            board: parsed.board,
            expected: G::BOARD,
        });
    }
    Ok(parsed)
}

impl<G: Game> Iterator for Reader<G> {
    type Item = Result<Entry<G>, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let line = self.lines.next()?;
            self.line += 1;
            return Some(match line {
                Ok(line) if is_blank(&line) => continue,
                Ok(line) => self.parse(&line),
                Err(why) => Err(RecordError::Read {
                    path: self.path.clone(),
                    why,
                }),
            });
        }
    }
}
