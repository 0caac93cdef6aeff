//! Writes a record while a session runs.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::Duration;

use lockstep_games::{Game, Note, Rules};

use super::{
    Entry, Form, Head, Origin, RecordEnd, RecordError, RecordErrorKind, Tail, Writer, outcome_name,
    seat_name,
};
use crate::compare::CYCLES;
use crate::event::{Event, Header, Round, Sink};

/// Writes a record while its file is locked.
///
/// Lines are written as soon as no other event waits, compressed ones within a tenth of a second.
pub struct Recorder<G: Game> {
    to: Writer<File>,
    path: PathBuf,
    names: Vec<String>,
    /// Bytes of the file after which lines are appended; `None` overwrites the file.
    after: Option<u64>,
    /// How the games were dealt, if the session does not know it.
    pub origin: Origin<G>,
    /// The versions of the tools that make the record, by name.
    pub tools: BTreeMap<String, String>,
    end: RecordEnd,
}

impl<G: Game> Recorder<G> {
    /// Locks the file, which is not changed until the session begins. `overwrite` allows that its
    /// content is lost.
    ///
    /// # Errors
    /// When it cannot be written, another program writes it, or it has content that must
    /// not be overwritten.
    pub fn create(path: &Path, overwrite: bool) -> Result<Self, RecordError> {
        let file = locked(path)?;
        let meta = file
            .metadata()
            .map_err(|why| RecordError::file(path, why))?;
        if meta.is_file() && meta.len() > 0 && !overwrite {
            return Err(RecordErrorKind::Exists.of(path));
        }
        Self::of(path, file, Form::of(path))
    }

    pub(super) fn of(path: &Path, file: File, form: Form) -> Result<Self, RecordError> {
        let to = Writer::new(file, form).map_err(|why| RecordError::file(path, why))?;
        Ok(Self {
            to,
            path: path.into(),
            names: Vec::new(),
            after: None,
            origin: Origin::default(),
            tools: BTreeMap::new(),
            end: RecordEnd {
                decisions: 0,
                games: 0,
                complete: true,
            },
        })
    }

    /// Appends after the first `bytes` bytes, which hold these numbers of decisions and games.
    pub(super) fn after(&mut self, bytes: u64, decisions: u64, games: u64) {
        self.after = Some(bytes);
        self.end.decisions = decisions;
        self.end.games = games;
    }

    fn entry(&mut self, round: &Round<G>) -> io::Result<()> {
        let Some(decision) = round.expected() else {
            return Ok(());
        };
        let named = || {
            let by_backend = round.by_backend();
            by_backend.filter_map(|(index, answer)| Some((self.names.get(index)?, answer)))
        };
        let cycles = named().filter_map(|(name, a)| Some((name.clone(), a.cycles?)));
        let wrong = named().filter(|(_, a)| a.expected_cycles != a.cycles);
        let expected = wrong.filter_map(|(name, a)| Some((name.clone(), a.expected_cycles?)));
        // A note that differs counts, too; a field that is not reported does not.
        let differs = |backend| {
            round
                .mismatches
                .iter()
                .any(|m| m.backend == backend && m.difference.field != CYCLES)
        };
        let diverged = round
            .by_backend()
            .filter(|(index, _)| differs(*index))
            .filter_map(|(index, a)| Some((self.names.get(index)?.clone(), a.decision.clone())));
        let notes = named().map(|(name, a)| {
            let promised = a.notes.iter().filter(|note| note.promised);
            let value =
                |note: &Note| Some((note.name.into(), serde_json::to_value(&note.value).ok()?));
            (name.clone(), promised.filter_map(value).collect())
        });
        let notes = notes.filter(|(_, notes): &(_, BTreeMap<_, _>)| !notes.is_empty());
        let entry = Entry::<G> {
            game: round.game,
            step: round.step,
            position: round.position.clone(),
            seat: seat_name::<G>(&round.position).map(Into::into),
            decision: decision.clone(),
            cycles: cycles.collect(),
            expected_cycles: expected.collect(),
            diverged: diverged.collect(),
            notes: notes.collect(),
            outcome: round
                .outcome
                .map(|outcome| outcome_name::<G>(outcome).into()),
        };
        self.end.decisions += 1;
        self.to.line(&entry)
    }

    fn end(&mut self, complete: bool) -> io::Result<()> {
        self.end.complete = complete;
        // In a frame of its own, so that it can be removed.
        self.to.write()?;
        self.to.line(&Tail { end: self.end })?;
        self.to.write()
    }

    fn named<T>(&self, result: io::Result<T>) -> io::Result<T> {
        let name = self.path.display();
        result.map_err(|e| io::Error::new(e.kind(), format!("record {name}: {e}")))
    }
}

impl<G: Rules> Recorder<G> {
    fn start(&mut self, header: &Header<G>) -> io::Result<()> {
        self.names = header
            .backends
            .iter()
            .map(|b| b.name.raw().into())
            .collect();
        let file = self.to.to();
        if let Some(after) = self.after {
            file.set_len(after)?;
            file.seek(SeekFrom::Start(after))?;
            return Ok(());
        }
        if file.metadata()?.is_file() {
            file.set_len(0)?;
        }
        let (origin, tools) = (self.origin.clone(), self.tools.clone());
        self.to.line(&Head::of(header, origin, tools))?;
        self.to.write()
    }
}

/// Opens and locks a file for writing.
pub(super) fn locked(path: &Path) -> Result<File, RecordError> {
    let opened = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path);
    let file = opened.map_err(|why| RecordError::file(path, why))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(RecordErrorKind::Locked.of(path));
        }
        // Some file systems have no locks.
        Err(TryLockError::Error(why)) => {
            tracing::debug!(path = %path.display(), %why, "cannot be locked");
        }
    }
    Ok(file)
}

impl<G: Rules> Sink<G> for Recorder<G> {
    fn take(&mut self, event: &Event<G>) -> io::Result<()> {
        let result = match event {
            Event::Started(header) => self.start(header),
            Event::Decided(round) => self.entry(round),
            Event::GameStarted { .. } => {
                self.end.games += 1;
                Ok(())
            }
            Event::Ended {
                interrupted, error, ..
            } => self.end(!interrupted && error.is_none()),
            Event::PoweredUp
            | Event::Searching(_)
            | Event::Rate { .. }
            | Event::Moved(_)
            | Event::GameEnded(_) => Ok(()),
        };
        self.named(result)
    }

    fn idle(&mut self) -> io::Result<Option<Duration>> {
        let result = self.to.idle();
        self.named(result)
    }
}

impl<G: Game> Drop for Recorder<G> {
    /// Writes the last lines of a session that was not completed.
    fn drop(&mut self) {
        if let Err(error) = self.to.write() {
            let path = self.path.display();
            tracing::debug!(%path, %error, "the last lines are not written");
        }
    }
}
