//! `lockstep replay`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use lockstep::record::{Ending, Origin, Reader, Recorder};
use lockstep::report::Totals;
use lockstep::{Identity, Listeners, Session, Spec, Stop};
use lockstep_explain::History;
use lockstep_games::tetris::{Setup, Tetris};
use lockstep_games::{BoardSize, Rules as _};
use serde::Serialize;

use super::Outcome;
use super::backends::{backend, configure, header, open, openers};
use super::interrupt::listen;
use super::investigate::{Report, Why};
use super::output::{Output, stdout};
use crate::failure::{all, is_interrupt, shown};
use crate::views::summary::summary;
use crate::views::{DECISIONS, count};

pub const EXAMPLES: &str = "\
Examples:
  lockstep replay games.jsonl
  lockstep replay games.jsonl --backend sim --backend sim-uart
  lockstep replay monday.jsonl tuesday.jsonl --json summary.json";

#[derive(clap::Args)]
pub struct Args {
    /// Records, as written by `lockstep play --record`; each is replayed with
    /// the controller it was played with
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A backend to ask; repeat it for each: software, engine, sim, sim-uart
    /// [default: software, and the engine and sim where they can play all of
    /// the records]
    #[arg(long = "backend", value_name = "BACKEND", value_parser = backend)]
    backends: Vec<Spec>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    why: Why,
}

#[derive(Serialize)]
struct About<'a> {
    command: &'static str,
    game: &'static str,
    files: &'a [PathBuf],
    /// Those whose end is missing.
    cut: Vec<&'a Path>,
    /// Of the first divergence.
    explanation: Option<Report>,
}

/// A record that is about to be replayed.
struct Recorded<'a> {
    path: &'a Path,
    reader: Reader<Tetris>,
    /// Decisions in it, where that is known beforehand.
    count: Option<u64>,
}

impl Args {
    /// Opens all records before the first decision: a wrong file costs nothing.
    fn records(&self) -> anyhow::Result<Vec<Recorded<'_>>> {
        let mut records = Vec::new();
        for path in &self.files {
            let reader = Reader::<Tetris>::open(path)?;
            let count = Reader::<Tetris>::count(path);
            if count == Some(0) {
                bail!("record {} holds no decisions", path.display());
            }
            records.push(Recorded {
                path,
                reader,
                count,
            });
        }
        if let (Some(record), 2..) = (self.output.record(), records.len()) {
            bail!(
                "--record {}: a record has one controller; replay one file at a time",
                record.display()
            );
        }
        Ok(records)
    }

    /// The backends named, or those that can play all of the records.
    fn backends(&self, records: &[Recorded<'_>]) -> Vec<Spec> {
        if !self.backends.is_empty() {
            return self.backends.clone();
        }
        let mut common: Option<Vec<Spec>> = None;
        for record in records {
            let head = record.reader.head();
            let standard = || Tetris::board(&Setup::standard(0));
            let board = head
                .board
                .map(|(columns, rows)| BoardSize::new(columns, rows));
            let board = board.unwrap_or_else(standard);
            let mut usual = openers().defaults(&head.controller, board);
            if let Some(common) = &common {
                usual.retain(|spec| common.contains(spec));
            }
            common = Some(usual);
        }
        common.unwrap_or_default()
    }
}

/// What one record came to.
struct Replayed {
    totals: Totals,
    /// Why not all of it was asked; an interrupt is in the totals.
    result: anyhow::Result<()>,
    ending: Option<Ending>,
}

pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    args.output.check(&inputs, false)?;
    args.why.check()?;
    // Before all records are read to count what is in them.
    let stop = listen();
    let records = args.records()?;
    let backends = open(&args.backends(&records), quiet, &stop).await?;
    let mut session = Session::new(backends, stop.clone());
    // Every controller is tried before anything is written.
    for record in &records {
        let controller = &record.reader.head().controller;
        configure(&mut session, controller, quiet, &stop).await?;
    }
    // Last of what can refuse. There is one file where there is a recorder.
    let origin = records.first().map(|record| &record.reader.head().origin);
    let mut recorder = args
        .output
        .recorder(origin.map_or(Origin::default(), Clone::clone))?;

    let mut replaying = Replaying {
        args,
        quiet,
        session,
        stop: stop.clone(),
        history: None,
    };
    let mut out = stdout(args.output.json.silences(quiet));
    let mut sum = Totals::default();
    let mut cut = Vec::new();
    let mut result = Ok(());
    let mut told = Ok(());
    for record in records {
        let path = record.path;
        told = told.and_then(|()| title(&mut *out, &record));
        let replayed = replaying.replay(record, recorder.take()).await;
        if let Some(Ending::Cut { line }) = replayed.ending {
            if !quiet {
                tell_cut(path, line, replayed.totals.decisions);
            }
            cut.push(path);
        }
        sum.merge(replayed.totals);
        result = replayed.result;
        if result.is_err() || sum.interrupted {
            break;
        }
    }
    if result.is_ok() && sum.decisions == 0 && !sum.interrupted {
        result = Err(anyhow!(
            "no decision of the records is whole: nothing was compared"
        ));
    }
    sum.error = result.as_ref().err().map(|error| format!("{error:#}"));
    let record = args.output.record().filter(|_| result.is_ok());
    let record = record.map(|path| shown(&path.display().to_string()));
    told = told.and_then(|()| summary::<Tetris>(&mut *out, &sum, record.as_deref()));
    let mut explanation = None;
    if let Some(history) = replaying.history {
        let session = replaying.session;
        explanation = args
            .why
            .look(history, session, quiet, &stop, &mut *out)
            .await;
    }
    let about = About {
        command: "replay",
        game: "tetris",
        files: &args.files,
        cut,
        explanation,
    };
    let written = args.output.write_json(about, &sum);
    all([result, told.map_err(Into::into), written])?;
    Ok(Outcome::of(&sum))
}

/// Which record comes, above what is said of it.
fn title(out: &mut dyn Write, record: &Recorded<'_>) -> io::Result<()> {
    let path = record.path.display();
    let controller = &record.reader.head().controller.name;
    let decisions = |n| format!("{}, ", count(n, DECISIONS));
    let decisions = record.count.map_or(String::new(), decisions);
    let line = format!("{path}: {decisions}controller {controller}");
    writeln!(out, "{}", shown(&line))?;
    out.flush()
}

/// Says that the end of a record is missing, and from where.
fn tell_cut(path: &Path, line: Option<u64>, whole: u64) {
    let at = line.map_or(String::new(), |line| format!(" in line {line}"));
    let (path, whole) = (path.display(), count(whole, DECISIONS));
    let text = format!(
        "record {path} is cut short{at}: what comes before, {whole}, was replayed; what came \
         after is missing"
    );
    anstream::eprintln!("{}", shown(&text));
}

/// Who replays.
struct Replaying<'a> {
    args: &'a Args,
    quiet: bool,
    session: Session<Tetris>,
    stop: Stop,
    /// Of the first record in which something differed.
    history: Option<History<Tetris>>,
}

impl Replaying<'_> {
    /// Asks one record again.
    async fn replay(
        &mut self,
        record: Recorded<'_>,
        recorder: Option<Recorder<Tetris>>,
    ) -> Replayed {
        let controller = &record.reader.head().controller;
        let configured = configure(&mut self.session, controller, self.quiet, &self.stop).await;
        if let Err(error) = configured {
            let interrupted = is_interrupt(&error);
            let totals = Totals {
                interrupted,
                ..Totals::default()
            };
            let result = if interrupted { Ok(()) } else { Err(error) };
            return Replayed {
                totals,
                result,
                ending: None,
            };
        }
        let mut totals = Totals::default();
        let mut reader = self.checked(record.reader);
        let result = self
            .ask(&mut reader, record.count, recorder, &mut totals)
            .await;
        Replayed {
            totals,
            result,
            ending: Some(reader.ending()),
        }
    }

    /// Refuses what some backend cannot decide, naming its line.
    fn checked(&self, reader: Reader<Tetris>) -> Reader<Tetris> {
        let identities: Vec<Identity> = self.session.identities();
        reader.refusing(move |position| {
            let checked = lockstep::session::check::<Tetris>(&identities, position);
            checked.map_err(|error| error.to_string())
        })
    }

    async fn ask(
        &mut self,
        reader: &mut Reader<Tetris>,
        count: Option<u64>,
        recorder: Option<Recorder<Tetris>>,
        totals: &mut Totals,
    ) -> anyhow::Result<()> {
        let head = reader.head();
        let (controller, setup) = (head.controller.clone(), head.setup);
        let header = header(&self.session, controller, setup, count);
        let mut history = History::new(true);
        let mut listeners = Listeners::new().with(totals).with(&mut history);
        if let Some(recorder) = recorder {
            listeners = listeners.on_thread("record", recorder)?;
        }
        let terminal = self.args.output.terminal(self.quiet, None, true);
        listeners = listeners.on_thread("terminal", terminal)?;
        let replayed = self.session.replay(&header, reader, &mut listeners).await;
        // A session that could not begin has not waited for them.
        let finished = listeners.finish().await;
        drop(listeners);
        if self.history.is_none() && history.has_found() {
            self.history = Some(history);
        }
        all([replayed.map_err(Into::into), finished.map_err(Into::into)])
    }
}
