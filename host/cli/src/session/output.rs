//! The results of a session: its options, its view, and its end.

use std::env;
use std::fs;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, anyhow, bail};
use lockstep::record::{Origin, Recorder};
use lockstep::report::Totals;
use lockstep::{Listeners, Pace, Session};
use lockstep_explain::{Explained, History};
use lockstep_report::SessionReport;
use serde::Serialize;

use super::frames::Frames;
use super::investigate::ExplainOptions;
use super::reports::Reports;
use super::tui::Tui;
use super::web::{Address, Web, announce};
use crate::games::CliGame;
use crate::input::numbers::number;
use crate::output::agreement::agreement;
use crate::output::failure::{all, is_interrupt, shown};
use crate::output::files::check_outputs;
use crate::output::summary::{summary, verdict};
use crate::output::terminal::Terminal;
use crate::output::{BAD, Json, Outcome, is_drawn, stdout, width};
use crate::run::wait::Run;
use crate::version::tools;

/// Longest pause after a decision, in milliseconds: a minute.
pub const MOST_MS: u64 = 60_000;

/// The options for a session's results.
#[derive(clap::Args)]
pub struct Output {
    #[command(flatten)]
    pub json: Json,
    /// Record every decision in this file, for `lockstep replay` and `lockstep record`: JSON
    /// lines, compressed if its name ends in .zst
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Overwrite the record if it exists
    #[arg(long, requires = "record")]
    force: bool,
    /// Show at most N divergences of each record, or of the games played [default: 1; with --brief all]
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=u64::MAX))]
    max_divergences: Option<u64>,
    /// For build logs: write a line for each divergence, then the cause and the verdict
    #[arg(long)]
    pub brief: bool,
    /// Write the picture of each decision to FILE as raw RGB, 3 bytes for each cell, the topmost row
    /// first. An existing file is overwritten
    #[arg(long, value_name = "FILE")]
    frames: Option<PathBuf>,
    /// Show the session on the whole terminal, with a pause of MS milliseconds after each decision
    /// [without MS: 60]; ? lists the keys
    #[arg(long, value_name = "MS", num_args = 0..=1, default_missing_value = "60", conflicts_with = "brief", value_parser = number::<u64>(0..=MOST_MS))]
    tui: Option<u64>,
    /// Serve the session to browsers at HOST:PORT, or at a port on this machine alone (0: any free
    /// one); viewers can neither change nor slow it
    #[arg(long, value_name = "ADDR")]
    view: Option<Address>,
    #[command(flatten)]
    reports: Reports,
}

impl Output {
    /// Fails before any work if a result cannot be written. `resume`: the record is continued.
    pub fn check(&self, inputs: &[&Path], resume: bool) -> anyhow::Result<()> {
        let json = self.json.file().map(|file| ("--json", file));
        let record = self.record().map(|file| ("--record", file));
        let frames = self.frames.as_deref().map(|file| ("--frames", file));
        let files = json
            .into_iter()
            .chain(record)
            .chain(frames)
            .chain(self.reports.files());
        check_outputs(&files.collect::<Vec<_>>(), inputs)?;
        if self.tui.is_some() {
            let is_dumb = env::var_os("TERM").is_some_and(|name| name == "dumb");
            if self.json.silences(false) {
                bail!("--tui: standard output is for JSON; name a file for --json");
            }
            if is_dumb || !io::stdout().is_terminal() {
                bail!(
                    "--tui: standard output is not a terminal that can be drawn on; leave --tui out"
                );
            }
        }
        if let Some(record) = &self.record {
            let holds = fs::metadata(record).is_ok_and(|m| m.is_file() && m.len() > 0);
            if holds && !self.force && !resume {
                let record = record.display();
                bail!("--record {record}: the file exists; --force overwrites it");
            }
        }
        Ok(())
    }

    /// The file of the record, if decisions are recorded.
    pub fn record(&self) -> Option<&Path> {
        self.record.as_deref()
    }

    /// Creates the record, after all checks; `origin` describes how the games were dealt.
    ///
    /// The origin is empty if the session deals them itself.
    pub fn recorder<G: CliGame>(&self, origin: Origin<G>) -> anyhow::Result<Option<Recorder<G>>> {
        let Some(path) = &self.record else {
            return Ok(None);
        };
        let mut recorder = Recorder::create(path, self.force)?;
        (recorder.tools, recorder.origin) = (tools(), origin);
        Ok(Some(recorder))
    }

    pub fn has_frames(&self) -> bool {
        self.frames.is_some()
    }

    pub fn is_tui(&self) -> bool {
        self.tui.is_some()
    }

    /// Opens the views of a session: at once in browsers, if that is wanted.
    pub fn views<'a, G: CliGame>(
        &'a self,
        command: &str,
        run: &'a Run,
    ) -> anyhow::Result<Views<'a, G>> {
        let open = |address: &Address| {
            let listener = address.bind().map_err(|why| anyhow!("--view {why}"))?;
            if !run.quiet {
                announce(&listener).context("--view")?;
            }
            let title = format!("{command}, {}", G::NAME);
            Web::start(listener, title, false, Arc::default()).context("--view")
        };
        Ok(Views {
            output: self,
            run,
            web: self.view.as_ref().map(open).transpose()?,
            tui: None,
        })
    }

    /// A view of the session on standard output; `bar`: with a progress bar on a terminal; `file`: of
    /// the record that is replayed.
    pub fn terminal(&self, quiet: bool, file: &str, games: Option<u64>, bar: bool) -> Terminal {
        let silent = self.json.silences(quiet);
        let most = if self.brief { u64::MAX } else { 1 };
        let most = self.max_divergences.unwrap_or(most);
        Terminal::new(stdout(silent), width(), bar && is_drawn(silent), games)
            .showing(most, self.brief.then_some(file))
    }

    /// Ends a session: prints summary and explanation, writes reports and JSON.
    ///
    /// `print` writes the command's own lines before the summary.
    pub async fn end<G: CliGame>(
        &self,
        ended: Ended<'_, G>,
        about: impl Serialize,
        print: impl FnOnce(&mut dyn Write, &Totals) -> io::Result<()>,
        out: &mut dyn Write,
        run: &Run,
    ) -> anyhow::Result<Outcome> {
        let Ended {
            mut report,
            mut result,
            lists_pairs,
            explain,
        } = ended;
        let totals = &mut report.totals;
        if result.as_ref().is_err_and(is_interrupt) {
            (totals.interrupted, result) = (true, Ok(()));
        }
        if let Err(error) = &result {
            totals.error = Some(format!("{error:#}"));
        }
        let record = self.record().map(|path| path.display().to_string());
        let shown = record.as_deref().filter(|_| result.is_ok()).map(shown);
        // Zeros beside an error would look like a result.
        let is_shown = result.is_ok() || totals.decisions > 0;
        let mut printed = match is_shown {
            false => Ok(()),
            true if self.brief => print(out, totals),
            true => print(out, totals)
                .and_then(|()| summary::<G>(out, totals, shown.as_deref()))
                .and_then(|()| match lists_pairs {
                    true => agreement(out, report.tally),
                    false => Ok(()),
                }),
        };
        let mut none = io::sink();
        report.explained = match explain {
            Some((why, history, session)) => {
                let out = if self.brief { &mut none } else { &mut *out };
                why.look(history, session, run, out).await
            }
            None => None,
        };
        if self.brief && is_shown {
            let explained = report.explained.iter();
            let why = explained.map(|why| why.found.summary().sentence);
            let why: String = why.map(|why| format!("{BAD}why:{BAD:#} {why}\n")).collect();
            let why = printed.and_then(|()| out.write_all(why.as_bytes()));
            printed = why.and_then(|()| verdict(out, &report.totals));
        }
        let silent = self.json.silences(run.quiet);
        let reported = self.reports.write(&report, silent);
        let written = self.json.document(
            report.command,
            Some(G::NAME),
            &Members {
                about,
                explanation: &report.explained,
                totals: &report.totals,
                record,
            },
        );
        all([result, printed.map_err(Into::into), reported, written])?;
        Ok(match Outcome::of(&report.totals) {
            // The records differ, whatever was decided.
            Outcome::Agreed if report.apart.is_some() => Outcome::Diverged,
            outcome => outcome,
        })
    }
}

/// The views of a session, which may have several parts.
pub struct Views<'a, G: CliGame> {
    output: &'a Output,
    run: &'a Run,
    web: Option<Web<G>>,
    tui: Option<Tui<G>>,
}

impl<G: CliGame> Views<'_, G> {
    /// Adds the listeners that write: the record, the views, and the frames, which are appended to
    /// those of earlier parts. `terminal` is used unless the whole terminal is taken.
    pub fn attach<'a>(
        &mut self,
        mut listeners: Listeners<'a, G>,
        recorder: Option<Recorder<G>>,
        terminal: Terminal,
        appends: bool,
    ) -> anyhow::Result<Listeners<'a, G>> {
        if let Some(recorder) = recorder {
            listeners = listeners.on_thread("record", recorder)?;
        }
        if let Some(web) = &self.web {
            listeners = listeners.on_thread("view", web.listener())?;
        }
        if let Some(file) = &self.output.frames {
            let what = || format!("--frames {}", file.display());
            let frames = Frames::open(file, appends).with_context(what)?;
            listeners = listeners.on_thread("frames", frames)?;
        }
        // Nothing that can fail comes between it and the session.
        if let (None, Some(pause)) = (&self.tui, self.output.tui) {
            let tui = Tui::start(Duration::from_millis(pause), self.run.stop.clone());
            self.tui = Some(tui.context("--tui")?);
        }
        Ok(match &self.tui {
            Some(tui) => listeners.on_thread("tui", tui.listener())?,
            None => listeners.on_thread("terminal", terminal)?,
        })
    }

    /// The pauses that the person at the terminal chooses, once the listeners are attached.
    pub fn pace(&self) -> Option<Pace> {
        self.tui.as_ref().map(Tui::pace)
    }

    /// Waits until the viewers have seen the end.
    pub async fn finish(self) -> anyhow::Result<()> {
        if let Some(tui) = self.tui {
            tui.finish().await.context("--tui")?;
        }
        if let Some(web) = self.web {
            web.finish().await;
        }
        Ok(())
    }
}

pub struct Ended<'a, G: CliGame> {
    /// Without its explanation.
    pub report: SessionReport<'a, G>,
    pub result: anyhow::Result<()>,
    /// Whether the summary lists how often each pair of backends agreed.
    pub lists_pairs: bool,
    /// The options, requests and backends with which the first divergence is explained.
    pub explain: Option<(&'a ExplainOptions, History<G>, Session<G>)>,
}

#[derive(Serialize)]
#[serde(bound(serialize = "A: Serialize"))]
struct Members<'a, G: CliGame, A> {
    #[serde(flatten)]
    about: A,
    explanation: &'a Option<Explained<G>>,
    #[serde(flatten)]
    totals: &'a Totals,
    record: Option<String>,
}
