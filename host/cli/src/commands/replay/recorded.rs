//! Records against each other: nobody is asked.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use lockstep::record::{Ending, Reader};
use lockstep::replay::RecordComparison;
use lockstep::replay::comparison::{Common, labels};
use lockstep::report::{Tally, Totals};
use lockstep::{Header, Listeners, Stop};
use lockstep_lab::files::header::differences;
use serde::Serialize;
use serde_json::json;

use super::{Args, tell_cut};
use crate::commands::Outcome;
use crate::commands::files::is_same;
use crate::commands::output::stdout;
use crate::commands::reports;
use crate::failure::shown;
use crate::games::CliGame;
use crate::views::agreement::agreement;
use crate::views::summary::summary;
use crate::views::{DECISIONS, GAMES, count};

/// Games shown whose positions part; the rest is only counted.
const SHOWN: usize = 3;

#[derive(Serialize)]
#[serde(bound = "")]
struct About<'a, G: CliGame> {
    command: &'static str,
    game: &'static str,
    #[serde(serialize_with = "crate::commands::files::names")]
    files: &'a [PathBuf],
    /// Those whose end is missing.
    #[serde(serialize_with = "crate::commands::files::names")]
    cut: Vec<&'a Path>,
    agreement: &'a Tally<G>,
    /// What the records have in common.
    common: &'a Common,
}

/// Fails where their decisions are not answers to the same.
fn check<G: CliGame>(files: &[PathBuf], readers: &[Reader<G>]) -> anyhow::Result<()> {
    let [(first, expected), (second, found)] = &files.iter().zip(readers).collect::<Vec<_>>()[..]
    else {
        return Ok(());
    };
    if is_same(first, second) {
        let (first, second) = (first.display(), second.display());
        bail!("--recorded: {second} is {first}; name another record, or this one once");
    }
    let about = |reader: &Reader<G>| {
        let head = reader.head();
        let mut about = head.players();
        about["board"] = json!(head.board);
        about
    };
    if let Some(differ) = differences(&about(found), &about(expected)).first() {
        let (first, second) = (first.display(), second.display());
        bail!(
            "record {second} is not of the kind of {first}: {differ}; records of one controller \
             and board can be compared"
        );
    }
    Ok(())
}

pub async fn run<G: CliGame>(
    args: &Args<G>,
    files: &[PathBuf],
    quiet: bool,
    stop: &Stop,
) -> anyhow::Result<Outcome> {
    if files.len() > 2 {
        let records = files.len();
        bail!(
            "--recorded compares one or two records, and {records} are named; `lockstep record \
             merge` makes one of several"
        );
    }
    let readers = files.iter().map(|path| Reader::<G>::open(path, stop));
    let readers = readers.collect::<Result<Vec<_>, _>>()?;
    check(files, &readers)?;
    let controller = readers.first().map(|r| r.head().controller.clone());
    let controller = controller.ok_or_else(|| anyhow!("there are no records"))?;
    let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let mut comparison = RecordComparison::new(labels(&paths).into_iter().zip(readers).collect());
    let header = Header::new(comparison.identities(), controller);
    let (mut totals, mut tally) = (Totals::default(), Tally::default());
    let mut listeners = Listeners::new().with(&mut totals).with(&mut tally);
    let terminal = args.output.terminal(quiet, None, true);
    listeners = listeners.on_thread("terminal", terminal)?;
    let told = comparison.compare(&header, &mut listeners, stop).await;
    drop(listeners);
    let mut out = stdout(args.output.json.silences(quiet));
    let mut result = told.map_err(anyhow::Error::from);
    let common = comparison.common();
    let mut cut = Vec::new();
    for (path, ending) in paths.iter().copied().zip(comparison.endings()) {
        if let Ending::Cut { line } = ending {
            if !quiet {
                tell_cut(path, line, " was compared");
            }
            cut.push(path);
        }
    }
    if result.is_ok() && totals.decisions == 0 && !totals.interrupted {
        let nothing = match paths.len() {
            1 => "the record holds no decisions",
            _ => "no position is in both records",
        };
        result = Err(anyhow!("{nothing}: nothing was compared"));
    }
    totals.error = result.as_ref().err().map(|error| format!("{error:#}"));
    let told = partings(&mut *out, common, &paths)
        .and_then(|()| summary::<G>(&mut *out, &totals, None))
        .and_then(|()| agreement(&mut *out, &tally));
    let about = About {
        command: "replay",
        game: G::NAME,
        files,
        cut,
        agreement: &tally,
        common,
    };
    let apart = (common.parted > 0).then(|| format!("{} part", count(common.parted, GAMES)));
    let session = reports::Session {
        command: "replay",
        controllers: vec![G::name(&header.controller).to_owned()],
        totals: &totals,
        tally: &tally,
        records: &[],
        apart: apart.as_deref(),
        explanation: None,
    };
    let results = [result, told.map_err(Into::into)];
    match args.output.finish(&session, &about, results, quiet)? {
        // They are not the same, whatever was decided.
        Outcome::Agreed if common.parted > 0 => Ok(Outcome::Diverged),
        outcome => Ok(outcome),
    }
}

/// Where positions part, and what is not compared for that or another reason.
fn partings(out: &mut dyn Write, common: &Common, paths: &[&Path]) -> io::Result<()> {
    for parting in common.partings.iter().take(SHOWN) {
        let lines = parting.lines.iter().zip(paths);
        let lines = lines.map(|(line, path)| format!("{}, line {line}", path.display()));
        let lines = lines.collect::<Vec<_>>().join(" and ");
        let (game, step) = (parting.game, parting.step);
        let told = format!("game {game} parts at move {step}: another position in {lines}");
        writeln!(out, "{}", shown(&told))?;
    }
    match common.parted.saturating_sub(SHOWN as u64) {
        0 => {}
        more => writeln!(out, "{} more part", count(more, GAMES))?,
    }
    for (alone, path) in common.alone.iter().zip(paths).filter(|(n, _)| **n > 0) {
        let alone = count(*alone, DECISIONS);
        let told = format!("not compared: {alone} of {}", path.display());
        writeln!(out, "{}", shown(&told))?;
    }
    Ok(())
}
