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
    /// Writes the record's lines, compressed if the name says so.
    pub writer: Writer<Named<File>>,
    end: RecordEnd,
    /// Number of the last game.
    last: u64,
}

impl NewRecord {
    /// Begins an output for `path`; `force` overwrites an existing file, but none of the inputs.
    pub fn beside(path: &Path, force: bool, inputs: &[PathBuf]) -> anyhow::Result<Self> {
        let name = path.display();
        if let Some(input) = inputs.iter().find(|input| is_same(path, input)) {
            let input = input.display();
            bail!("{name}: it is the input {input}; name another file");
        }
        check_writable("output", path)?;
        if !force && fs::metadata(path).is_ok() {
            bail!("output {name}: the file exists; --force overwrites it");
        }
        let what = || format!("output {name}");
        let file = NewFile::beside(path).with_context(what)?;
        let writer = Named::new(what(), file.file().try_clone().with_context(what)?);
        Ok(Self {
            file,
            path: path.into(),
            force,
            writer: Writer::new(writer, Form::of(path))?,
            end: RecordEnd {
                decisions: 0,
                games: 0,
                complete: true,
            },
            last: 0,
        })
    }

    pub fn head<G: CliGame>(&mut self, head: &Head<G>) -> anyhow::Result<()> {
        let line = serde_json::to_vec(head)?;
        let length = line.len();
        if length > MAX_LINE {
            bail!("its header would have {length} bytes, expected at most {MAX_LINE}");
        }
        self.writer.text(&line)?;
        Ok(self.writer.write()?)
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
        self.end.complete = complete;
        self.writer.write()?;
        self.writer.line(&Tail { end: self.end })?;
        self.writer.write()?;
        let path = shown(self.path.display());
        let (decisions, games) = (self.end.decisions, self.end.games);
        self.keep()?;
        let (decisions, games) = (count(decisions, DECISIONS), count(games, GAMES));
        Ok(writeln!(stdout(quiet), "{path}: {decisions} of {games}")?)
    }

    /// Gives the file its name.
    pub fn keep(self) -> anyhow::Result<()> {
        let kept = self.file.keep(self.force);
        kept.with_context(|| format!("output {}", self.path.display()))
    }
}
