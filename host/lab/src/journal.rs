//! The state of a command in a file, from which the same command resumes.
//!
//! The file has JSON lines: a header with the command and the settings that determine its result,
//! then entries, each with a checksum over header and entry. Entries are appended, or a single
//! one is replaced. A killed run leaves at most the last line incomplete, which is ignored.
//! The journal of a shard also names the shard in its header; [`merge`] joins such journals.

pub mod merge;

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crc::{CRC_32_ISO_HDLC, Crc};
use lockstep_games::ShardHeader;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::files;
use crate::files::header::differences;
use crate::files::lock::Lock;

/// Version of the format; raised when the format changes, or the result for the same settings.
pub const VERSION: u32 = 1;

/// The command that a journal belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JournalKind {
    /// Name of the command.
    pub command: &'static str,
    /// The option that names the file.
    pub option: &'static str,
    /// A field of the state files of earlier versions, by which they are recognised.
    pub earlier: &'static str,
}

/// An open journal, locked until it is dropped.
#[derive(Debug)]
pub struct Journal {
    kind: JournalKind,
    path: PathBuf,
    header: String,
    /// Length of the valid lines in bytes; 0 before the file is created.
    whole: u64,
    /// The file, open from the first entry that is appended.
    appended: Option<File>,
    _lock: Lock,
}

/// Why a journal cannot be opened or written, with option, file and remedy.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct JournalError(String);

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Header {
    lockstep_journal: u32,
    command: String,
    settings: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<ShardHeader>,
}

impl Header {
    fn line(&self) -> io::Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}

/// Settings with the shard as one of them, to compare two journals.
fn with_shard(mut settings: Value, shard: Value) -> Value {
    if !shard.is_null() {
        settings["shard"] = shard;
    }
    settings
}

impl Journal {
    /// Opens the journal of a command with these settings, and reads its entries; `shard` if it
    /// holds only one shard of the work.
    ///
    /// The file is created with the first entry that is written, that of a shard at once: it may
    /// have no entries. `fresh` discards the entries of
    /// an existing journal, even if it is damaged or has other settings.
    ///
    /// # Errors
    /// When the file cannot be read or written, is in use, or is not a journal of this command;
    /// without `fresh` also when it is damaged, or has other settings or another shard.
    pub fn open<T: DeserializeOwned>(
        kind: JournalKind,
        path: &Path,
        settings: &Value,
        shard: Option<ShardHeader>,
        fresh: bool,
    ) -> Result<(Self, Vec<T>), JournalError> {
        let io = |why| io_error(kind, path, &why);
        let lock = Lock::beside(path);
        let lock = lock.map_err(|why| JournalError(format!("{0} {why} with {0}", kind.option)))?;
        files::check(path).map_err(io)?;
        let content = match fs::read(path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => Vec::new(),
            content => content.map_err(io)?,
        };
        let header = Header {
            lockstep_journal: VERSION,
            command: kind.command.into(),
            settings: settings.clone(),
            shard,
        };
        let mut journal = Self {
            header: header.line().map_err(io)?,
            kind,
            path: path.into(),
            whole: 0,
            appended: None,
            _lock: lock,
        };
        let settings = with_shard(settings.clone(), json!(header.shard));
        let entries = journal.read(&content, &settings, fresh);
        let entries = entries.map_err(|why| {
            let (option, path) = (kind.option, path.display());
            JournalError(format!("{option} {path}: {why}"))
        })?;
        if header.shard.is_some() {
            let created = journal.create();
            journal.named(created)?;
        }
        Ok((journal, entries))
    }

    /// The entries of the file's content; the error contains the remedy, but not the path.
    fn read<T: DeserializeOwned>(
        &mut self,
        content: &[u8],
        settings: &Value,
        fresh: bool,
    ) -> Result<Vec<T>, String> {
        let JournalKind {
            command,
            option,
            earlier,
        } = self.kind;
        let remedy = format!("name another file with {option}, or start over with --fresh");
        if content.is_empty() {
            return Ok(Vec::new());
        }
        let (first, lines) = split(content);
        let found: Value = serde_json::from_slice(first).unwrap_or_default();
        let ours = match found["lockstep_journal"].is_number() {
            true => found["command"] == command,
            false => String::from_utf8_lossy(content).contains(&format!("\"{earlier}\"")),
        };
        if !ours {
            return Err(format!(
                "it is not a state file of `lockstep {command}`; name another file with {option}"
            ));
        }
        if fresh {
            return Ok(Vec::new());
        }
        if found["lockstep_journal"] != VERSION {
            return Err(format!("another version of lockstep wrote it; {remedy}"));
        }
        let there = with_shard(found["settings"].clone(), found["shard"].clone());
        let differ = differences(&there, settings);
        if !differ.is_empty() {
            let differ: Vec<_> = differ
                .iter()
                .map(|differ| differ.text("in the file", "in this command"))
                .collect();
            let differ = differ.join(", ");
            return Err(format!("it has other settings: {differ}; {remedy}"));
        }
        let parse = |entry: &str| serde_json::from_str(entry).ok();
        let entries = entries(&self.header, lines, parse).map_err(|number| {
            format!("line {number} is damaged: its checksum is wrong; {remedy}")
        })?;
        self.whole = (first.len() + lines.len()) as u64;
        Ok(entries)
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the header, unless the file has it.
    fn create(&mut self) -> io::Result<()> {
        if self.whole == 0 {
            files::write(&self.path, self.header.as_bytes())?;
            self.whole = self.header.len() as u64;
        }
        Ok(())
    }

    /// Appends an entry.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, entry: &impl Serialize) -> Result<(), JournalError> {
        let written = self.line(entry).and_then(|line| {
            self.create()?;
            let file = match &mut self.appended {
                Some(file) => file,
                appended => {
                    let file = File::options().append(true).open(&self.path)?;
                    // Removes an incomplete last line.
                    file.set_len(self.whole)?;
                    appended.insert(file)
                }
            };
            file.write_all(line.as_bytes())
        });
        self.named(written)
    }

    /// Replaces all entries by one.
    ///
    /// # Errors
    /// When it cannot be written; the file is unchanged then.
    pub fn replace(&mut self, entry: &impl Serialize) -> Result<(), JournalError> {
        let written = self.line(entry).and_then(|line| {
            let text = self.header.clone() + &line;
            files::write(&self.path, text.as_bytes())?;
            (self.whole, self.appended) = (text.len() as u64, None);
            Ok(())
        });
        self.named(written)
    }

    /// Removes the file.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub fn remove(self) -> Result<(), JournalError> {
        let removed = fs::remove_file(&self.path);
        self.named(removed)
    }

    fn named(&self, result: io::Result<()>) -> Result<(), JournalError> {
        result.map_err(|why| io_error(self.kind, &self.path, &why))
    }

    fn line(&self, entry: &impl Serialize) -> io::Result<String> {
        Ok(entry_line(&self.header, &serde_json::to_string(entry)?))
    }
}

/// The line of an entry in a journal with that header.
fn entry_line(header: &str, entry: &str) -> String {
    format!("{}{entry}}}\n", before(header, entry))
}

/// The beginning of an entry's line, up to the entry itself.
fn before(header: &str, entry: &str) -> String {
    const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
    let mut check = CRC.digest();
    check.update(header.as_bytes());
    check.update(entry.as_bytes());
    format!("{{\"check\":\"{:08x}\",\"entry\":", check.finalize())
}

/// The header of a journal, and its complete lines after it.
fn split(content: &[u8]) -> (&[u8], &[u8]) {
    let is_end = |&byte: &u8| byte == b'\n';
    let header = content.iter().position(is_end);
    let header = header.map_or(content.len(), |end| end + 1);
    let whole = content.iter().rposition(is_end);
    let whole = whole.map_or(header, |end| end + 1);
    (&content[..header], &content[header..whole])
}

/// The entries in the lines after that header.
///
/// # Errors
/// With the number of a line whose checksum is wrong, or of which `parse` makes no entry.
fn entries<T>(
    header: &str,
    lines: &[u8],
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, usize> {
    let lines = lines.split_inclusive(|&byte| byte == b'\n').zip(2..);
    let entry = |line| entry_text(header, line).and_then(&parse);
    lines
        .map(|(line, number)| entry(line).ok_or(number))
        .collect()
}

/// The entry of a line; `None` if its checksum is wrong.
fn entry_text<'a>(header: &str, line: &'a [u8]) -> Option<&'a str> {
    let line = std::str::from_utf8(line).ok()?;
    let (found, entry) = line.split_at_checked(before(header, "").len())?;
    let entry = entry.strip_suffix("}\n")?;
    (found == before(header, entry)).then_some(entry)
}

fn io_error(kind: JournalKind, path: &Path, why: &io::Error) -> JournalError {
    let (option, path, why) = (kind.option, path.display(), why.to_string());
    // `files::write` names the file.
    let why = why.strip_prefix(&format!("{path}: ")).unwrap_or(&why);
    JournalError(format!("{option} {path}: {why}"))
}

#[cfg(test)]
mod tests;
