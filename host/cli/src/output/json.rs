//! Results as JSON: the option, and the header of all documents.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use super::failure::all;
use super::files::{self, STDOUT, check_output};
use super::{Outcome, plain};

/// The option for a result as JSON.
#[derive(clap::Args)]
pub struct Json {
    /// Write the result as JSON to this file (- for standard output, which
    /// silences the report)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// The document of a command: the header, then the command's own members.
#[derive(Serialize)]
struct Document<'a, T> {
    command: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<&'static str>,
    #[serde(flatten)]
    members: &'a T,
}

impl Json {
    /// Fails before any work if the file cannot be written. `inputs`: files that are read, and
    /// must not be overwritten.
    pub fn check(&self, inputs: &[&Path]) -> anyhow::Result<()> {
        self.file()
            .map_or(Ok(()), |file| check_output("--json", file, inputs))
    }

    /// The file, unless it is standard output.
    pub fn file(&self) -> Option<&Path> {
        self.json
            .as_deref()
            .filter(|file| *file != Path::new(STDOUT))
    }

    pub fn is_wanted(&self) -> bool {
        self.json.is_some()
    }

    /// Whether nothing else is written to standard output.
    pub fn silences(&self, quiet: bool) -> bool {
        quiet || self.json.as_deref() == Some(Path::new(STDOUT))
    }

    /// Writes a document if the option is given.
    pub fn write(&self, document: &impl Serialize) -> anyhow::Result<()> {
        let Some(file) = &self.json else {
            return Ok(());
        };
        let text = serde_json::to_string_pretty(document)? + "\n";
        match file == Path::new(STDOUT) {
            true => Ok(plain().write_all(text.as_bytes())?),
            false => files::write("--json", file, &text),
        }
    }

    /// Writes the members of a command's document after the header.
    pub fn document(
        &self,
        command: &'static str,
        game: Option<&'static str>,
        members: &impl Serialize,
    ) -> anyhow::Result<()> {
        self.write(&Document {
            command,
            game,
            members,
        })
    }

    /// Ends a command: writes its document, also if it was interrupted or failed, and returns its
    /// result.
    pub fn end(
        &self,
        (command, game): (&'static str, &'static str),
        interrupted: bool,
        result: anyhow::Result<Outcome>,
        mut members: Value,
    ) -> anyhow::Result<Outcome> {
        let error = result.as_ref().err().map(|error| format!("{error:#}"));
        (members["interrupted"], members["error"]) = (interrupted.into(), error.into());
        let written = self.document(command, Some(game), &members);
        let (outcome, ended) = match result {
            Ok(outcome) => (outcome, Ok(())),
            Err(error) => (Outcome::Agreed, Err(error)),
        };
        all([ended, written])?;
        Ok(outcome)
    }
}
