//! Writes a record.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use lockstep_games::{Game, Rules};
use serde::Serialize;

use super::{BackendLine, End, Entry, Head, RecordError, Tail, VERSION};
use crate::event::{Event, Header, Round, Sink};

/// Writes a record, each line as it is told. It holds a lock on the file as long
/// as it lives.
pub struct Recorder {
    file: File,
    path: PathBuf,
    names: Vec<String>,
    /// A line before it is written.
    line: Vec<u8>,
    end: End,
}

impl Recorder {
    /// Takes the file, which stays as it is until the session begins.
    /// `overwrite`: what it holds may be lost.
    ///
    /// # Errors
    /// When it cannot be written, somebody else writes it, or it holds something
    /// and must not be overwritten.
    pub fn create(path: &Path, overwrite: bool) -> Result<Self, RecordError> {
        let failed = |why| RecordError::File {
            path: path.into(),
            why,
        };
        let opened = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path);
        let file = opened.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(RecordError::Locked { path: path.into() });
            }
            // A file system without locks has no second writer to tell from.
            Err(TryLockError::Error(why)) => {
                tracing::debug!(path = %path.display(), %why, "cannot be locked");
            }
        }
        let meta = file.metadata().map_err(failed)?;
        if meta.is_file() && meta.len() > 0 && !overwrite {
            return Err(RecordError::Exists { path: path.into() });
        }
        Ok(Self {
            file,
            path: path.into(),
            names: Vec::new(),
            line: Vec::new(),
            end: End {
                decisions: 0,
                games: 0,
                complete: true,
            },
        })
    }

    fn write(&mut self, line: &impl Serialize) -> io::Result<()> {
        self.line.clear();
        serde_json::to_writer(&mut self.line, line)?;
        self.line.push(b'\n');
        // In one call: what is in the file is whole lines, bar the last.
        self.file.write_all(&self.line)
    }

    fn head<G: Rules>(&mut self, header: &Header<G>) -> io::Result<()> {
        if self.file.metadata()?.is_file() {
            self.file.set_len(0)?;
        }
        self.names = header.backends.iter().map(|b| b.name.clone()).collect();
        let board = header.setup.as_ref().map(G::board);
        self.write(&Head::<G> {
            lockstep_record: VERSION,
            game: G::NAME.into(),
            board: board.map(|size| (size.columns, size.rows)),
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

    fn entry<G: Game>(&mut self, round: &Round<G>) -> io::Result<()> {
        let Some(decision) = round.expected() else {
            return Ok(());
        };
        let named = || self.names.iter().zip(&round.answers);
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
        self.end.decisions += 1;
        self.write(&entry)
    }
}

impl<G: Rules> Sink<G> for Recorder {
    fn take(&mut self, event: &Event<G>) -> io::Result<()> {
        let result = match event {
            Event::Started(header) => self.head(header),
            Event::Decided(round) => self.entry(round),
            Event::GameStarted { .. } => {
                self.end.games += 1;
                Ok(())
            }
            Event::Ended {
                interrupted, error, ..
            } => {
                self.end.complete = !interrupted && error.is_none();
                let tail = Tail { end: self.end };
                self.write(&tail)
            }
            Event::Moved(_) | Event::GameEnded(_) => Ok(()),
        };
        let name = self.path.display();
        result.map_err(|e| io::Error::new(e.kind(), format!("record {name}: {e}")))
    }
}
