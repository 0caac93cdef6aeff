//! Reads a record.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use lockstep_games::Rules;
use serde::Deserialize;

use super::input::Input;
use super::lines::{Line, Lines, reason};
use super::source::Source;
use super::{
    Entry, Form, Head, MAX_LINE, OLDEST, RecordEnd, RecordError, RecordErrorKind, Tail, VERSION,
};
use crate::stop::Stop;

/// Largest number of a game or a move: the largest that every reader of JSON can hold.
const MAX_NUMBER: u64 = 1 << 53;

/// How a record ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It was not read to its end yet.
    Unread,
    /// It is complete, and so is its session.
    Complete,
    /// It is complete; its session was interrupted or failed.
    Interrupted,
    /// Its end is missing: its writer was killed, or the file was cut.
    Cut {
        /// The incomplete line; `None` when the file ends between two lines.
        line: Option<u64>,
    },
}

/// The beginning of a record after which lines can be appended.
#[derive(Clone, Copy, Default)]
pub(super) struct Appendable {
    /// Length in bytes of the file; 0 if it does not hold the header.
    pub(super) bytes: u64,
    /// Decisions in it.
    pub(super) entries: u64,
}

/// Reads a record, entry by entry.
pub struct Reader<G: Rules> {
    lines: Lines,
    head: Head<G>,
    /// The header's line.
    header: Vec<u8>,
    check: Check<G>,
    entries: u64,
    appendable: Appendable,
    /// The line read last has no line break.
    is_cut: bool,
    /// The line read last.
    text: Vec<u8>,
    tail: Option<RecordEnd>,
    ending: Ending,
}

/// Checks positions; an error is the reason why one is refused.
type Check<G> = Box<dyn Fn(&<G as lockstep_games::Game>::Position) -> Result<(), String> + Send>;

impl<G: Rules> Reader<G> {
    /// Opens a record and reads its header. Reading fails with [`RecordErrorKind::Interrupted`] once
    /// `stop` is requested.
    ///
    /// # Errors
    /// When it cannot be read, is not a record, or its game or version is another.
    pub fn open(path: &Path, stop: &Stop) -> Result<Self, RecordError> {
        let mut lines = Lines::open(path, stop)?;
        let first = lines.next()?.map_or(Vec::new(), |line| line.text);
        Ok(Self {
            head: parse_head(&first).map_err(|why| why.of(path))?,
            header: first,
            lines,
            check: Box::new(|_| Ok(())),
            entries: 0,
            appendable: Appendable::default(),
            is_cut: false,
            text: Vec::new(),
            tail: None,
            ending: Ending::Unread,
        })
    }

    /// The header's line, without its line break.
    pub fn header(&self) -> &[u8] {
        &self.header
    }

    /// The line of the entry read last, without its line break; after all entries the last line of the
    /// record, if it is complete.
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The last line; `None` before it was read, or if it is missing.
    pub fn tail(&self) -> Option<RecordEnd> {
        self.tail
    }

    /// Compares the number of games in the last line with what was read, to the end.
    ///
    /// # Errors
    /// When it counts another number.
    pub fn check_tail(&self, games: u64) -> Result<(), RecordError> {
        // The last game may have begun without a decision.
        let begun = games + u64::from(self.ending == Ending::Interrupted);
        match self.tail {
            Some(tail) if !(games..=begun).contains(&tail.games) => {
                let count = tail.games;
                let why = format!("its last line counts {count} games, but it holds {games}");
                Err(self.wrong(why))
            }
            _ => Ok(()),
        }
    }

    /// Number of the line read last, from 1.
    pub fn line(&self) -> u64 {
        self.lines.number
    }

    /// An error that names the line read last.
    pub fn wrong(&self, why: impl Into<String>) -> RecordError {
        self.lines.wrong(why)
    }

    /// The header.
    pub fn head(&self) -> &Head<G> {
        &self.head
    }

    /// How the record ends; known once it was read to its end.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// The end of the last line, before the one read last, after which lines can be appended.
    pub(super) fn appendable(&self) -> Appendable {
        self.appendable
    }

    /// Whether the file ends with a whole line, and a compressed one with a whole frame; known once
    /// it was read to its end.
    pub(super) fn ends_whole(&self) -> bool {
        !self.is_cut && !self.lines.within()
    }

    /// Whether the record can be continued; one that another program compressed cannot, unless it
    /// is cut short.
    pub(super) fn is_resumable(&self) -> bool {
        let Appendable { bytes, entries } = self.appendable;
        let is_plain = self.lines.form() == Form::Plain;
        bytes > 0 && (is_plain || entries == self.entries || self.lines.within())
    }

    pub(super) fn form(&self) -> Form {
        self.lines.form()
    }

    /// Counts the decisions of a record by its lines; `None` if it is not a file, cannot be read,
    /// or `stop` is requested.
    pub fn count(path: &Path, stop: &Stop) -> Option<u64> {
        if !path.is_file() {
            return None;
        }
        let mut lines = Lines::open(path, stop).ok()?;
        let mut count = 0u64;
        while let Some(line) = lines.next().ok()? {
            count += u64::from(!line.is_blank() && !line.is_tail() && line.is_whole());
        }
        Some(count.saturating_sub(1))
    }

    /// Refuses positions that do not pass a check; the error names the line.
    #[must_use]
    pub fn refusing(
        mut self,
        check: impl Fn(&G::Position) -> Result<(), String> + Send + 'static,
    ) -> Self {
        self.check = Box::new(check);
        self
    }

    fn advance(&mut self) -> Result<Option<Entry<G>>, RecordError> {
        loop {
            let line = self.lines.next()?;
            let bytes = self.lines.appendable;
            let goes_on = self.ending == Ending::Unread && !self.is_cut;
            if goes_on && bytes > self.appendable.bytes {
                let entries = self.entries;
                self.appendable = Appendable { bytes, entries };
            }
            let Some(line) = line else {
                if self.ending == Ending::Unread {
                    self.text.clear();
                    self.ending = Ending::Cut { line: None };
                }
                return Ok(None);
            };
            self.is_cut = line.cut;
            if line.is_blank() {
                continue;
            }
            if self.ending != Ending::Unread {
                return Err(self
                    .lines
                    .wrong("expected the end of the file after the line that ends a record"));
            }
            if line.is_tail() {
                match self.ended(&line)? {
                    Some(ending) => self.ending = ending,
                    None => return Ok(None),
                }
                self.text = line.text;
                continue;
            }
            let entry = self.entry(&line)?;
            self.text = line.text;
            return Ok(entry);
        }
    }

    fn entry(&mut self, line: &Line) -> Result<Option<Entry<G>>, RecordError> {
        let text = std::str::from_utf8(&line.text);
        let parsed = text
            .map_err(|e| (line.cut, format!("not UTF-8: {e}")))
            .and_then(|text| {
                serde_json::from_str::<Entry<G>>(text)
                    .map_err(|e| (line.cut && e.is_eof(), reason(&e)))
            });
        let entry = match parsed {
            Ok(entry) => entry,
            Err((true, _)) => {
                self.cut();
                return Ok(None);
            }
            Err((false, why)) => return Err(self.lines.wrong(why)),
        };
        for (name, number) in [("game", entry.game), ("move", entry.step)] {
            if !(1..=MAX_NUMBER).contains(&number) {
                let why = format!("{name} {number}: expected a number from 1 to 2^53");
                return Err(self.lines.wrong(why));
            }
        }
        (self.check)(&entry.position).map_err(|why| self.lines.wrong(why))?;
        self.entries += 1;
        Ok(Some(entry))
    }

    /// Notes that the file ends within this line.
    fn cut(&mut self) {
        self.text.clear();
        self.ending = Ending::Cut {
            line: Some(self.lines.number),
        };
    }

    /// Reads the last line; `None` when it is incomplete.
    fn ended(&mut self, line: &Line) -> Result<Option<Ending>, RecordError> {
        let tail: Tail = match serde_json::from_slice(&line.text) {
            Ok(tail) => tail,
            Err(e) if line.cut && e.is_eof() => {
                self.cut();
                return Ok(None);
            }
            Err(e) => return Err(self.lines.wrong(reason(&e))),
        };
        if tail.end.decisions != self.entries {
            let (named, found) = (tail.end.decisions, self.entries);
            let why = format!("its last line counts {named} decisions, but it holds {found}");
            return Err(self.lines.wrong(why));
        }
        self.tail = Some(tail.end);
        Ok(Some(match tail.end.complete {
            true => Ending::Complete,
            false => Ending::Interrupted,
        }))
    }
}

impl<G: Rules> Iterator for Reader<G> {
    type Item = Result<Entry<G>, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().transpose()
    }
}

/// The part of a header that is the same in all versions.
#[derive(Deserialize)]
#[serde(expecting = "a record's header")]
struct Version {
    lockstep_record: u32,
    game: String,
}

/// The name of the game of a record that begins with these bytes, plain or compressed.
pub fn game(first: &[u8]) -> Option<String> {
    let input = Input::of(Source::of_bytes(first)).ok()?;
    let mut line = Vec::new();
    let mut lines = BufReader::new(input).take(MAX_LINE as u64);
    lines.read_until(b'\n', &mut line).ok()?;
    Some(serde_json::from_slice::<Version>(&line).ok()?.game)
}

pub(super) fn parse_head<G: Rules>(line: &[u8]) -> Result<Head<G>, RecordErrorKind> {
    let head = |why: &str| RecordErrorKind::Head(format!("not a lockstep record: {why}"));
    let version = serde_json::from_slice::<Version>(line);
    let version = version.map_err(|_| {
        head("its first line is not a complete header, with lockstep_record and game")
    })?;
    if !(OLDEST..=VERSION).contains(&version.lockstep_record) {
        return Err(RecordErrorKind::Version(version.lockstep_record));
    }
    if version.game != G::NAME {
        return Err(RecordErrorKind::Game(version.game, G::NAME));
    }
    let parsed: Head<G> = serde_json::from_slice(line).map_err(|why| head(&reason(&why)))?;
    let inconsistent = |why| RecordErrorKind::Head(format!("its header is inconsistent: {why}"));
    parsed.check().map_err(inconsistent)?;
    Ok(parsed)
}
