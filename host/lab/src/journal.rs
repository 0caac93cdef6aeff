//! The state of a command in a file, from which the same command continues.
//!
//! A file of JSON lines: a header with the command and all its settings that determine the result,
//! then entries, each with a check value over header and entry. Entries are appended, or the only
//! one is replaced. After a kill at most the last line is torn, and ignored.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crc::{CRC_32_ISO_HDLC, Crc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::files;
use crate::files::header::{Difference, differences};
use crate::files::lock::Lock;

/// Version of the format. Raise it when the format changes, or when a command computes another
/// result from the same settings.
pub const VERSION: u32 = 1;

/// The command whose state it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// Name of the command.
    pub command: &'static str,
    /// The option that names the file.
    pub option: &'static str,
    /// A field of the files that earlier versions of the command wrote.
    pub earlier: &'static str,
}

/// An open journal. It is locked as long as it lives.
#[derive(Debug)]
pub struct Journal {
    kind: Kind,
    path: PathBuf,
    header: String,
    /// Bytes of the lines that count; 0 if the file is still to be made.
    whole: u64,
    /// Where entries are appended, from the first one on.
    appended: Option<File>,
    _lock: Lock,
}

/// Why a journal cannot be opened or written, with option, file and remedy.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct JournalError(String);

#[derive(Serialize, Deserialize)]
struct Header {
    lockstep_journal: u32,
    command: String,
    settings: Value,
}

impl Journal {
    /// Opens the journal of a command with these settings, and reads its entries. The file is made
    /// with the first entry that is written. `fresh`: begins anew, whatever the settings of the
    /// file and whether or not it is damaged.
    ///
    /// # Errors
    /// When it cannot be read or written, is in use, or is another file.
    pub fn open<T: DeserializeOwned>(
        kind: Kind,
        path: &Path,
        settings: &Value,
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
        };
        let mut journal = Self {
            header: serde_json::to_string(&header).map_err(|why| io(why.into()))? + "\n",
            kind,
            path: path.into(),
            whole: 0,
            appended: None,
            _lock: lock,
        };
        let entries = journal.read(&content, settings, fresh);
        let entries = entries.map_err(|why| {
            let (option, path) = (kind.option, path.display());
            JournalError(format!("{option} {path}: {why}"))
        })?;
        Ok((journal, entries))
    }

    /// The entries of a file; the error has its remedy, but not the file's name.
    fn read<T: DeserializeOwned>(
        &mut self,
        content: &[u8],
        settings: &Value,
        fresh: bool,
    ) -> Result<Vec<T>, String> {
        let Kind {
            command,
            option,
            earlier,
        } = self.kind;
        let remedy = format!("name another file with {option}, or begin anew with --fresh");
        let mut lines = content.split_inclusive(|&byte| byte == b'\n');
        let Some(first) = lines.next() else {
            return Ok(Vec::new());
        };
        let found: Value = serde_json::from_slice(first).unwrap_or_default();
        let ours = match found["lockstep_journal"].is_number() {
            true => found["command"] == command,
            false => String::from_utf8_lossy(content).contains(&format!("\"{earlier}\"")),
        };
        if !ours {
            return Err(format!(
                "that is no state of lockstep {command} and is left alone; \
                 name another file with {option}"
            ));
        }
        if fresh {
            return Ok(Vec::new());
        }
        if found["lockstep_journal"] != VERSION {
            return Err(format!("another version of lockstep wrote it; {remedy}"));
        }
        let differ = differences(&found["settings"], settings);
        if !differ.is_empty() {
            let differ: Vec<_> = differ.iter().map(Difference::to_string).collect();
            let differ = differ.join(", ");
            return Err(format!("it has other settings: {differ}; {remedy}"));
        }
        let mut whole = first.len();
        let mut entries = Vec::new();
        for (line, number) in lines.filter(|line| line.ends_with(b"\n")).zip(2..) {
            let entry = self.entry(line).ok_or_else(|| {
                format!("line {number} is damaged: its check value is wrong; {remedy}")
            })?;
            entries.push(entry);
            whole += line.len();
        }
        self.whole = whole as u64;
        Ok(entries)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends an entry.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, entry: &impl Serialize) -> Result<(), JournalError> {
        let written = self.line(entry).and_then(|line| {
            if self.whole == 0 {
                files::write(&self.path, self.header.as_bytes())?;
                self.whole = self.header.len() as u64;
            }
            let file = match &mut self.appended {
                Some(file) => file,
                appended => {
                    let file = File::options().append(true).open(&self.path)?;
                    // What was torn.
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
    /// When it cannot be written: the file is as before then.
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
        let entry = serde_json::to_string(entry)?;
        Ok(format!("{}{entry}}}\n", self.before(&entry)))
    }

    /// The beginning of an entry's line, up to the entry itself.
    fn before(&self, entry: &str) -> String {
        const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);
        let mut check = CRC.digest();
        check.update(self.header.as_bytes());
        check.update(entry.as_bytes());
        format!("{{\"check\":\"{:08x}\",\"entry\":", check.finalize())
    }

    fn entry<T: DeserializeOwned>(&self, line: &[u8]) -> Option<T> {
        let line = std::str::from_utf8(line).ok()?;
        let (before, entry) = line.split_at_checked(self.before("").len())?;
        let entry = entry.strip_suffix("}\n")?;
        let right = before == self.before(entry);
        right.then(|| serde_json::from_str(entry).ok())?
    }
}

fn io_error(kind: Kind, path: &Path, why: &io::Error) -> JournalError {
    let (option, path, why) = (kind.option, path.display(), why.to_string());
    // `files::write` names the file.
    let why = why.strip_prefix(&format!("{path}: ")).unwrap_or(&why);
    JournalError(format!("{option} {path}: {why}"))
}

#[cfg(test)]
mod tests;
