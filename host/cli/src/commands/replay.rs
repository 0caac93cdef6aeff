//! `lockstep replay`

use std::path::{Path, PathBuf};

use anyhow::bail;
use indicatif::HumanCount;
use lockstep::record::{Ending, Reader};
use lockstep::report::Totals;
use lockstep::{Identity, Listeners, Session, SessionError, Spec};
use lockstep_games::Rules as _;
use lockstep_games::tetris::{Setup, Size, Tetris};
use serde::Serialize;

use super::Outcome;
use super::backends::{backend, header, open, openers};
use super::interrupt::listen;
use super::output::{Output, stdout};
use crate::views::summary::summary;

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
}

#[derive(Serialize)]
struct About<'a> {
    command: &'static str,
    game: &'static str,
    files: &'a [PathBuf],
    /// Those whose end is missing.
    cut: Vec<&'a Path>,
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
            let setup = head.setup.unwrap_or(Setup {
                board: Size::STANDARD,
                ..Setup::standard(0)
            });
            let mut usual = openers().defaults(&head.controller, Tetris::board(&setup));
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
    result: Result<(), SessionError>,
    ending: Ending,
}

pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    args.output.check(&inputs)?;
    let records = args.records()?;
    let stop = listen();
    let backends = open(&args.backends(&records)).await?;
    let mut session = Session::new(backends, stop);
    // Every controller is tried before anything is written.
    for record in &records {
        session.configure(&record.reader.head().controller).await?;
    }

    let mut out = stdout(args.output.json.silences(quiet));
    let mut all = Totals::default();
    let mut cut = Vec::new();
    let mut result = Ok(());
    for record in records {
        let path = record.path;
        let controller = &record.reader.head().controller.name;
        let decisions = |n| format!("{} decisions, ", HumanCount(n));
        let count = record.count.map_or(String::new(), decisions);
        writeln!(out, "{}: {count}controller {controller}", path.display())?;
        out.flush()?;
        let replayed = replay(args, quiet, &mut session, record).await?;
        if let Ending::Cut { line } = replayed.ending {
            let at = line.map_or(String::new(), |line| format!(" in line {line}"));
            let (name, whole) = (path.display(), HumanCount(replayed.totals.decisions));
            anstream::eprintln!(
                "{name} is cut short{at}: its {whole} whole decisions were replayed, and what \
                 came after them is missing"
            );
            cut.push(path);
        }
        all.merge(replayed.totals);
        result = replayed.result;
        if result.is_err() || all.interrupted {
            break;
        }
    }
    if let Err(error) = &result {
        all.error = Some(error.to_string());
    }
    let record = args.output.record().filter(|_| result.is_ok());
    let record = record.map(|path| path.display().to_string());
    let told = summary::<Tetris>(&mut *out, &all, record.as_deref());
    let about = About {
        command: "replay",
        game: "tetris",
        files: &args.files,
        cut,
    };
    let written = args.output.write_json(about, &all);
    result?;
    told?;
    written?;
    Ok(Outcome::of(&all))
}

/// Asks one record again.
async fn replay(
    args: &Args,
    quiet: bool,
    session: &mut Session<Tetris>,
    record: Recorded<'_>,
) -> anyhow::Result<Replayed> {
    let head = record.reader.head();
    let (controller, setup) = (head.controller.clone(), head.setup);
    session.configure(&controller).await?;
    let header = header(session, controller, setup, record.count);
    let identities: Vec<Identity> = session.identities();
    let mut reader = record.reader.refusing(move |position| {
        let checked = lockstep::session::check::<Tetris>(&identities, position);
        checked.map_err(|error| error.to_string())
    });
    let mut totals = Totals::default();
    let mut listeners = Listeners::new().with(&mut totals);
    if let Some(recorder) = args.output.recorder()? {
        listeners = listeners.on_thread("record", recorder)?;
    }
    let terminal = args.output.terminal(quiet, None, true);
    listeners = listeners.on_thread("terminal", terminal)?;
    let result = session.replay(&header, &mut reader, &mut listeners).await;
    drop(listeners);
    Ok(Replayed {
        totals,
        result,
        ending: reader.ending(),
    })
}
