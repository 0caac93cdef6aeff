//! The output file of `record`, which gets its name only when it is complete.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use lockstep::record::{Entry, Form, Head, MAX_LINE, RecordEnd, Tail, Writer};
use lockstep_lab::files::NewFile;

use crate::games::CliGame;
use crate::output::failure::shown;
use crate::output::files::{check_writable, is_same};
use crate::output::named::Named;
use crate::output::{DECISIONS, GAMES, count, stdout};

/// An incomplete output, removed when dropped before [`NewRecord::keep`].
pub struct NewRecord {
    file: NewFile,
    path: PathBuf,
    force: bool,
}

impl NewRecord {
    /// Begins an output for `path`; `force` overwrites an existing file, but none of the inputs.
    pub fn beside(path: &Path, force: bool, inputs: &[PathBuf]) -> anyhow::Result<Self> {
        let name = path.display();
        if let Some(input) = inputs.iter().find(|input| is_same(path, input)) {
            let input = input.display();
            bail!("{name}: that is the input {input}; name another file");
        }
        check_writable("output", path)?;
        if !force && fs::metadata(path).is_ok() {
            bail!("output {name}: the file exists; --force overwrites it");
        }
        Ok(Self {
            file: NewFile::beside(path).with_context(|| format!("output {name}"))?,
            path: path.into(),
            force,
        })
    }

    /// A writer of the record's lines, compressed if the name says so.
    pub fn writer(&self) -> anyhow::Result<Writer<Named<File>>> {
        let name = format!("output {}", self.path.display());
        let file = self.file.file().try_clone().with_context(|| name.clone())?;
        Ok(Writer::new(Named::new(name, file), Form::of(&self.path))?)
    }

    /// Renames the file to its final path.
    pub fn keep(self) -> anyhow::Result<()> {
        let kept = self.file.keep(self.force);
        kept.with_context(|| format!("output {}", self.path.display()))
    }
}

/// A record with a header of its own that is being written.
pub struct Written {
    output: NewRecord,
    writer: Writer<Named<File>>,
    end: RecordEnd,
    last: u64,
}

impl Written {
    pub fn new<G: CliGame>(output: NewRecord, head: &Head<G>) -> anyhow::Result<Self> {
        let line = serde_json::to_vec(head)?;
        if line.len() > MAX_LINE {
            bail!(
                "its header would have {} bytes, expected at most {MAX_LINE}",
                line.len()
            );
        }
        let mut writer = output.writer()?;
        writer.text(&line)?;
        writer.write()?;
        let end = RecordEnd {
            decisions: 0,
            games: 0,
            complete: true,
        };
        Ok(Self {
            output,
            writer,
            end,
            last: 0,
        })
    }

    pub fn entry<G: CliGame>(&mut self, entry: &Entry<G>) -> anyhow::Result<()> {
        self.end.decisions += 1;
        self.end.games += u64::from(self.last != entry.game);
        self.last = entry.game;
        Ok(self.writer.line(entry)?)
    }

    pub fn is_empty(&self) -> bool {
        self.end.decisions == 0
    }

    /// Writes the last line, keeps the file and prints its size.
    pub fn end(mut self, complete: bool, quiet: bool) -> anyhow::Result<()> {
        let end = RecordEnd {
            complete,
            ..self.end
        };
        self.writer.write()?;
        self.writer.line(&Tail { end })?;
        self.writer.write()?;
        let path = shown(self.output.path.display());
        self.output.keep()?;
        let (decisions, games) = (count(end.decisions, DECISIONS), count(end.games, GAMES));
        Ok(writeln!(stdout(quiet), "{path}: {decisions} of {games}")?)
    }
}
