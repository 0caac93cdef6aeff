//! What is left of a session for those who were not there: a page, test results, annotations.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chrono::Utc;
use lockstep::report::{Tally, Totals};
use lockstep_report::{Explained, File, OfRecord, Report, actions, html, junit};

use super::output::plain;
use super::{files, investigate};
use crate::failure::{all, in_actions, shown};
use crate::games::CliGame;
use crate::version;

/// Reports for others than who called.
#[derive(clap::Args)]
pub struct Reports {
    /// Write a self-contained HTML page to this file: boards, differing fields, agreement,
    /// histograms
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write test results as JUnit XML to this file
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
}

/// What a session came to.
pub struct Session<'a, G: CliGame> {
    /// `play` or `replay`.
    pub command: &'static str,
    /// Names of the controllers, in order.
    pub controllers: Vec<String>,
    pub totals: &'a Totals,
    pub tally: &'a Tally<G>,
    /// What each record came to.
    pub records: &'a [OfRecord],
    /// In what records are not of the same games.
    pub apart: Option<&'a str>,
    /// Of the first divergence.
    pub explanation: Option<&'a investigate::Report<G>>,
}

impl Reports {
    /// The files with their options.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [("--html", &self.html), ("--junit", &self.junit)];
        let named = files.into_iter();
        named.filter_map(|(option, file)| Some((option, file.as_deref()?)))
    }

    /// Writes those that are wanted, and what GitHub Actions shows where it runs there.
    /// `silent`: standard output is somebody else's.
    pub fn write<G: CliGame>(&self, session: &Session<'_, G>, silent: bool) -> anyhow::Result<()> {
        if !in_actions() && self.files().next().is_none() {
            return Ok(());
        }
        let call = call();
        let found = session.explanation;
        let files = found.map_or(&[][..], |found| &found.files).iter();
        let files: Vec<_> = files
            .map(|path| File::of(path, self.html.as_deref()))
            .collect();
        let report = Report {
            command: session.command,
            call: &call,
            version: &format!("lockstep {}", version::SHORT),
            controllers: session.controllers.clone(),
            totals: session.totals,
            tally: session.tally,
            records: session.records,
            apart: session.apart,
            at: &Utc::now().format("%Y-%m-%d %H:%M UTC").to_string(),
            explained: found.map(|found| Explained {
                found: &found.found,
                positions: found.positions,
                smaller: found.smaller.as_ref(),
                files: &files,
                open: &found.open,
            }),
        };
        // One that cannot be written keeps none of the others back.
        let mut results = Vec::new();
        for (option, file) in self.files() {
            let text = match option {
                "--html" => html::html(&report),
                _ => junit::junit(&report)?,
            };
            results.push(files::write(option, file, &text));
        }
        if in_actions() {
            results.push(tell_actions(&report, silent));
        }
        all(results)
    }
}

/// Annotations are read from what is printed, the summary of a step from a file.
fn tell_actions<G: CliGame>(report: &Report<'_, G>, silent: bool) -> anyhow::Result<()> {
    let annotations = actions::annotations(report);
    match silent {
        true => io::stderr().write_all(annotations.as_bytes())?,
        false => plain().write_all(annotations.as_bytes())?,
    }
    let Some(file) = env::var_os("GITHUB_STEP_SUMMARY").filter(|file| !file.is_empty()) else {
        return Ok(());
    };
    let text = actions::summary(report) + "\n";
    let opened = OpenOptions::new().append(true).create(true).open(&file);
    // Nobody asked for it: what the session found does not hang on it.
    if let Err(why) = opened.and_then(|mut out| out.write_all(text.as_bytes())) {
        let name = shown(&Path::new(&file).display().to_string());
        anstream::eprintln!("GITHUB_STEP_SUMMARY {name}: {why}");
    }
    Ok(())
}

/// The command line, for a shell.
fn call() -> String {
    let words = env::args_os().skip(1);
    let words = words.map(|word| {
        let word = word.to_string_lossy();
        match shlex::try_quote(&word) {
            Ok(quoted) => quoted.into_owned(),
            // It cannot hold a zero byte.
            Err(_) => word.into_owned(),
        }
    });
    ["lockstep".to_owned()]
        .into_iter()
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}
