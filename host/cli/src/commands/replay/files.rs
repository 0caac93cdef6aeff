//! Finds the records of a replay and reads their headers.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use lockstep::record::{Head, Reader};
use lockstep::{SessionError, Stop};

use crate::games::CliGame;
use crate::input::has_line_break;

/// Endings of the names by which records in a folder are recognised.
const ENDINGS: [&str; 2] = [".jsonl", ".jsonl.zst"];

/// The files on the command line; a folder is replaced by all records below it, sorted by name.
pub fn expanded(named: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut found = Vec::new();
        collect(path, &mut found)?;
        if found.is_empty() {
            let folder = path.display();
            bail!("folder {folder}: it holds no record (*.jsonl, *.jsonl.zst)");
        }
        found.sort();
        files.append(&mut found);
    }
    Ok(files)
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    let failed = || format!("folder {}", folder.display());
    for entry in fs::read_dir(folder).with_context(failed)? {
        let entry = entry.with_context(failed)?;
        let path = entry.path();
        // A link to a folder may lead round in circles.
        if entry.file_type().with_context(failed)?.is_dir() {
            collect(&path, into)?;
        } else {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if ENDINGS.iter().any(|ending| name.ends_with(ending)) && !path.is_dir() {
                if has_line_break(path.as_os_str()) {
                    bail!("record {path:?}: its name has a line break; rename it");
                }
                into.push(path);
            }
        }
    }
    Ok(())
}

pub struct Recorded<G: CliGame> {
    pub path: PathBuf,
    pub head: Head<G>,
    /// Number of its decisions, if it is known beforehand.
    pub count: Option<u64>,
    /// The reader of a file that cannot be opened twice, such as a pipe.
    opened: Option<Reader<G>>,
}

impl<G: CliGame> Recorded<G> {
    /// A reader from the beginning of the record; may be called once.
    pub fn reader(&mut self, stop: &Stop) -> Result<Reader<G>, lockstep::record::RecordError> {
        match self.opened.take() {
            Some(reader) => Ok(reader),
            None => Reader::open(&self.path, stop),
        }
    }
}

/// Opens all records before the first decision, so that a wrong file costs no time.
pub fn open_all<G: CliGame>(paths: &[PathBuf], stop: &Stop) -> anyhow::Result<Vec<Recorded<G>>> {
    let mut records = Vec::new();
    for path in paths {
        let reader = Reader::<G>::open(path, stop)?;
        let count = Reader::<G>::count(path, stop);
        if stop.requested() {
            return Err(SessionError::Interrupted.into());
        }
        if count == Some(0) {
            bail!(
                "record {} holds no decisions: it ends before the first",
                path.display()
            );
        }
        records.push(Recorded {
            path: path.clone(),
            head: reader.head().clone(),
            count,
            // There may be more files than can be open at a time.
            opened: (!path.is_file()).then_some(reader),
        });
    }
    Ok(records)
}
