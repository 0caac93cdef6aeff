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
    #[error("record {path}: {source}", path = path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
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
            Event::GameEnded { .. } | Event::Ended => self.out.flush(),
            Event::GameStarted { .. } => Ok(()),
        };
        let name = self.path.display();
        result.map_err(|e| io::Error::new(e.kind(), format!("record {name}: {e}")))
    }
}

/// Reads a record.
#[derive(Debug)]
pub struct Reader<G: Game> {
    lines: io::Lines<BufReader<File>>,
    path: PathBuf,
    line: u64,
    head: Head<G>,
}

impl<G: Game> Reader<G> {
    /// Opens a record and reads its header.
    ///
    /// # Errors
    /// When it cannot be read or is not a record of this game and version.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let read = |source| RecordError::Read {
            path: path.into(),
            source,
        };
        let mut lines = BufReader::new(File::open(path).map_err(read)?).lines();
        let first = match lines.next() {
            Some(Ok(line)) => line,
            Some(Err(e)) if e.kind() != io::ErrorKind::InvalidData => return Err(read(e)),
            _ => String::new(),
        };
        Ok(Self {
            lines,
            path: path.into(),
            line: 1,
            head: parse_head(path, &first)?,
        })
    }

    /// The header.
    pub fn head(&self) -> &Head<G> {
        &self.head
    }

    /// How many decisions the record holds, by its lines.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn count(path: &Path) -> io::Result<u64> {
        let lines = BufReader::new(File::open(path)?).split(b'\n');
        Ok((lines.count() as u64).saturating_sub(1))
    }

    fn parse(&self, line: &str) -> Result<Entry<G>, RecordError> {
        serde_json::from_str(line).map_err(|e| RecordError::Line {
            path: self.path.clone(),
            line: self.line,
            why: e.to_string(),
            hint: if e.is_eof() {
                "; the recording was cut short here, remove this line to replay the rest"
            } else {
                ""
            },
        })
    }
}

fn parse_head<G: Game>(path: &Path, line: &str) -> Result<Head<G>, RecordError> {
    #[derive(Deserialize)]
    struct Version {
        lockstep_record: u32,
        game: String,
    }
    let head = |e: serde_json::Error| RecordError::Head {
        path: path.into(),
        why: e.to_string(),
    };
    let version: Version = serde_json::from_str(line).map_err(head)?;
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
    serde_json::from_str(line).map_err(head)
}

impl<G: Game> Iterator for Reader<G> {
    type Item = Result<Entry<G>, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        let line = self.lines.next()?;
        self.line += 1;
        Some(match line {
            Ok(line) => self.parse(&line),
            Err(source) => Err(RecordError::Read {
                path: self.path.clone(),
                source,
            }),
        })
    }
}
