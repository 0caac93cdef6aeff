//! Where reports and records go.

use std::fs;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use lockstep::record::{Origin, Recorder};
use lockstep::report::Totals;
use serde::Serialize;

use super::Outcome;
use super::files::{self, STDOUT, is_same, try_writing};
use super::reports::{self, Reports};
use crate::failure::{all, shown};
use crate::games::CliGame;
use crate::named::Named;
use crate::version::tools;
use crate::views::terminal::Terminal;
use crate::views::width;

/// Standard output, or nothing; colour where the other end shows it.
pub fn stdout(silent: bool) -> Box<dyn Write + Send> {
    if silent {
        Box::new(io::sink())
    } else {
        Box::new(Named::new(STANDARD_OUTPUT, anstream::stdout()))
    }
}

const STANDARD_OUTPUT: &str = "standard output";

/// Standard output for what is read by machines.
pub fn plain() -> impl Write {
    Named::new(STANDARD_OUTPUT, io::stdout())
}

/// A result for machines.
#[derive(clap::Args)]
pub struct Json {
    /// Write the result as JSON to this file (- for standard output, which
    /// silences the report)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Json {
    /// Fails before any work is done when the file cannot be had. `inputs`: what
    /// is read, and must not be overwritten.
    pub fn check(&self, inputs: &[&Path]) -> anyhow::Result<()> {
        let Some(file) = self
            .json
            .as_deref()
            .filter(|file| *file != Path::new(STDOUT))
        else {
            return Ok(());
        };
        check_output("--json", file, inputs)
    }

    /// The file, unless it is standard output.
    pub fn file(&self) -> Option<&Path> {
        self.json
            .as_deref()
            .filter(|file| *file != Path::new(STDOUT))
    }

    /// Whether there is to be one.
    pub fn is_wanted(&self) -> bool {
        self.json.is_some()
    }

    /// Whether it goes to standard output, which is then nobody else's.
    pub fn on_stdout(&self) -> bool {
        self.json.as_deref() == Some(Path::new(STDOUT))
    }

    /// Whether nothing else is to be written to standard output.
    pub fn silences(&self, quiet: bool) -> bool {
        quiet || self.on_stdout()
    }

    /// Writes a document, if one was asked for.
    pub fn write(&self, document: &impl Serialize) -> anyhow::Result<()> {
        let Some(file) = &self.json else {
            return Ok(());
        };
        let text = serde_json::to_string_pretty(document)? + "\n";
        if self.on_stdout() {
            return Ok(plain().write_all(text.as_bytes())?);
        }
        files::write("--json", file, &text)
    }
}

fn check_output(option: &str, file: &Path, inputs: &[&Path]) -> anyhow::Result<()> {
    if let Some(input) = inputs.iter().find(|input| is_same(file, input)) {
        let (file, input) = (file.display(), input.display());
        bail!("{option} {file}: that is {input}, which is read; name another file");
    }
    try_writing(option, file)
}

/// Where the reports of a session go.
#[derive(clap::Args)]
pub struct Output {
    #[command(flatten)]
    pub json: Json,
    /// Record every decision in this file, for `lockstep replay` and `lockstep record`: JSON
    /// lines, compressed where its name ends in .zst
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Overwrite the record if it exists
    #[arg(long, requires = "record")]
    force: bool,
    #[command(flatten)]
    reports: Reports,
}

impl Output {
    /// Fails before any work is done when the outputs cannot be had. `resume`: what the record
    /// holds is gone on with.
    pub fn check(&self, inputs: &[&Path], resume: bool) -> anyhow::Result<()> {
        self.json.check(inputs)?;
        for (option, file) in self.reports.files() {
            check_output(option, file, inputs)?;
        }
        let files: Vec<_> = self.files().collect();
        for (index, (option, file)) in files.iter().enumerate() {
            let others = &files[index + 1..];
            if let Some((other, _)) = others.iter().find(|(_, other)| is_same(file, other)) {
                bail!("{option} and {other} name the same file; give each its own");
            }
        }
        if let Some(record) = &self.record {
            if record == Path::new(STDOUT) {
                bail!("--record -: a record is a file; name one");
            }
            check_output("--record", record, inputs)?;
            let holds = fs::metadata(record).is_ok_and(|m| m.is_file() && m.len() > 0);
            if holds && !self.force && !resume {
                let record = record.display();
                bail!("--record {record}: the file exists; --force overwrites it");
            }
        }
        Ok(())
    }

    /// All files that are written, with their options.
    fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let json = self.json.file().map(|file| ("--json", file));
        let record = self.record().map(|file| ("--record", file));
        json.into_iter().chain(record).chain(self.reports.files())
    }

    /// Where decisions are recorded, if they are.
    pub fn record(&self) -> Option<&Path> {
        self.record.as_deref()
    }

    /// Takes the record's file. To be called once nothing else can refuse. `origin`: how the
    /// games were dealt where the session does not know it.
    pub fn recorder<G: CliGame>(&self, origin: Origin<G>) -> anyhow::Result<Option<Recorder<G>>> {
        let Some(path) = &self.record else {
            return Ok(None);
        };
        let recorder = Recorder::create(path, self.force)?;
        Ok(Some(recorder.with_tools(tools()).with_origin(origin)))
    }

    /// A view of the session on standard output, with a bar on a terminal if it
    /// may have one.
    pub fn terminal(
        &self,
        quiet: bool,
        games: Option<u64>,
        bar: bool,
    ) -> Terminal<Box<dyn Write + Send>> {
        let silent = self.json.silences(quiet);
        let bar = bar && !silent && io::stderr().is_terminal();
        Terminal::new(stdout(silent), width(), bar, games)
    }

    /// Ends the command of a session: writes its reports, and as JSON `about` and its numbers.
    /// Fails with all that failed, `results` first.
    pub fn finish<G: CliGame, const N: usize>(
        &self,
        session: &reports::Session<'_, G>,
        about: impl Serialize,
        results: [anyhow::Result<()>; N],
        quiet: bool,
    ) -> anyhow::Result<Outcome> {
        #[derive(Serialize)]
        struct Summary<'a, A> {
            #[serde(flatten)]
            about: A,
            #[serde(flatten)]
            totals: &'a Totals,
            record: Option<String>,
        }
        let reported = self.reports.write(session, self.json.silences(quiet));
        let written = self.json.write(&Summary {
            about,
            totals: session.totals,
            record: self.record().map(|path| path.display().to_string()),
        });
        all(results.into_iter().chain([reported, written]))?;
        Ok(Outcome::of(session.totals))
    }

    /// The record's name for a summary, if there is a record and no error.
    pub fn recorded(&self, failed: bool) -> Option<String> {
        let record = self.record().filter(|_| !failed);
        record.map(|path| shown(&path.display().to_string()))
    }
}
