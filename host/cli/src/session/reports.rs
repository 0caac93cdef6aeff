//! Reports of a session: a page, test results, annotations.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use chrono::Utc;
use lockstep_report::html::About;
use lockstep_report::{SessionOutcome, SessionReport, actions, html, junit};

use crate::games::CliGame;
use crate::output::failure::{all, in_actions, quoted, shown};
use crate::output::{files, plain};
use crate::version;

/// The options for reports.
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

impl Reports {
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [("--html", &self.html), ("--junit", &self.junit)];
        let named = files.into_iter();
        named.filter_map(|(option, file)| Some((option, file.as_deref()?)))
    }

    /// Writes the reports with options, and in GitHub Actions annotations and the step's summary.
    ///
    /// `silent`: nothing else is written to standard output.
    pub fn write<G: CliGame>(
        &self,
        report: &SessionReport<'_, G>,
        silent: bool,
    ) -> anyhow::Result<()> {
        if !in_actions() && self.files().next().is_none() {
            return Ok(());
        }
        // One that cannot be written does not prevent the others.
        let mut results = Vec::new();
        for (option, file) in self.files() {
            let text = match option {
                "--html" => html::html(
                    report,
                    &About {
                        page: file,
                        call: &call(),
                        version: &format!("lockstep {}", version::SHORT),
                        at: &Utc::now().format("%Y-%m-%d %H:%M UTC").to_string(),
                    },
                ),
                _ => junit::junit(report)?,
            };
            results.push(files::write(option, file, &text));
        }
        if in_actions() {
            results.push(annotate(report, silent));
        }
        all(results)
    }
}

/// Annotations are read from what is printed, the summary of a step from a file.
fn annotate<G: CliGame>(report: &SessionReport<'_, G>, silent: bool) -> anyhow::Result<()> {
    let annotations = match report.outcome() {
        // The error is annotated where it is printed.
        SessionOutcome::Unfinished if report.totals.error.is_some() => String::new(),
        _ => actions::annotations(report),
    };
    match silent {
        true => io::stderr().write_all(annotations.as_bytes())?,
        false => plain().write_all(annotations.as_bytes())?,
    }
    let Some(file) = env::var_os("GITHUB_STEP_SUMMARY").filter(|file| !file.is_empty()) else {
        return Ok(());
    };
    let text = actions::summary(report) + "\n";
    let opened = OpenOptions::new().append(true).create(true).open(&file);
    // No option names it, so a failure does not fail the command.
    if let Err(why) = opened.and_then(|mut out| out.write_all(text.as_bytes())) {
        let name = shown(Path::new(&file).display());
        anstream::eprintln!("GITHUB_STEP_SUMMARY {name}: {why}");
    }
    Ok(())
}

/// The command line, quoted for a shell.
fn call() -> String {
    let words = env::args_os().skip(1);
    let words = words.map(|word| quoted(word.to_string_lossy()));
    std::iter::once("lockstep".to_owned())
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}
