//! Compares records with each other, without backends.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use lockstep::record::{Ending, Reader};
use lockstep::replay::RecordComparison;
use lockstep::replay::comparison::{Common, labels};
use lockstep::report::{Tally, Totals};
use lockstep::{Header, Listeners};
use lockstep_report::SessionReport;
use serde::Serialize;

use super::{Args, report_cut};
use crate::commands::record::check_alike;
use crate::games::CliGame;
use crate::output::failure::shown;
use crate::output::files::is_same;
use crate::output::{DECISIONS, GAMES, Outcome, count, stdout};
use crate::run::wait::Run;
use crate::session::output::Ended;

/// Maximum number of games with different positions that are listed; the others are counted.
const SHOWN: usize = 3;

#[derive(Serialize)]
#[serde(bound = "")]
struct About<'a, G: CliGame> {
    #[serde(serialize_with = "lockstep::text::names")]
    files: &'a [PathBuf],
    #[serde(serialize_with = "lockstep::text::names")]
    cut: Vec<&'a Path>,
    agreement: &'a Tally<G>,
    /// The decisions that the records have in common.
    common: &'a Common,
}

/// Fails if the records are of other games, or the same file.
fn check<G: CliGame>(files: &[PathBuf], readers: &[Reader<G>]) -> anyhow::Result<()> {
    let ([first, second], [expected, found]) = (files, readers) else {
        return Ok(());
    };
    if is_same(first, second) {
        let (first, second) = (first.display(), second.display());
        bail!(
            "--recorded: {second} and {first} are the same file; name another record, or this \
             one once"
        );
    }
    check_alike("compared", (second, found.head()), (first, expected.head()))
}

pub async fn run<G: CliGame>(
    args: &Args<G>,
    files: &[PathBuf],
    run: &Run,
) -> anyhow::Result<Outcome> {
    if files.len() > 2 {
        let records = files.len();
        bail!(
            "--recorded compares one or two records, and {records} are named; `lockstep record \
             merge` makes one of several"
        );
    }
    let readers = files.iter().map(|path| Reader::<G>::open(path, &run.stop));
    let readers = readers.collect::<Result<Vec<_>, _>>()?;
    check(files, &readers)?;
    let controller = readers.first().map(|r| r.head().controller.clone());
    let controller = controller.ok_or_else(|| anyhow!("there are no records"))?;
    let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let mut comparison = RecordComparison::new(labels(&paths).into_iter().zip(readers).collect());
    let header = Header::new(comparison.identities(), controller);
    let (mut totals, mut tally) = (Totals::default(), Tally::default());
    let mut listeners = Listeners::new(&run.stop).with(&mut totals).with(&mut tally);
    let terminal = args
        .output
        .terminal(run.quiet, &files[0].display().to_string(), None, true);
    listeners = listeners.on_thread("terminal", terminal)?;
    let compared = comparison.compare(&header, &mut listeners).await;
    drop(listeners);
    let mut out = stdout(args.output.json.silences(run.quiet));
    let mut result = compared.map_err(anyhow::Error::from);
    let common = comparison.common();
    let mut cut = Vec::new();
    for (path, ending) in paths.iter().copied().zip(comparison.endings()) {
        if let Ending::Cut { line } = ending {
            if !run.quiet {
                report_cut(path, line, "");
            }
            cut.push(path);
        }
    }
    if result.is_ok() && totals.decisions == 0 && common.parted == 0 && !totals.interrupted {
        let nothing = match paths.len() {
            1 => "the record holds no decisions",
            _ => "no position is in both records",
        };
        result = Err(anyhow!("{nothing}: nothing was compared"));
    }
    let apart = (common.parted > 0).then(|| {
        let games = count(common.parted, GAMES);
        format!("the positions of {games} differ")
    });
    let ended = Ended {
        report: SessionReport {
            command: "replay",
            controllers: vec![G::name(&header.controller).to_owned()],
            totals,
            tally: &tally,
            records: &[],
            apart: apart.as_deref(),
            explained: None,
        },
        result,
        lists_pairs: true,
        explain: None,
    };
    let about = About {
        files,
        cut,
        agreement: &tally,
        common,
    };
    let print = |out: &mut dyn Write, _: &Totals| write_partings(out, common, &paths);
    args.output.end(ended, about, print, &mut *out, run).await
}

/// Writes where positions differ, and how many decisions were not compared.
fn write_partings(out: &mut dyn Write, common: &Common, paths: &[&Path]) -> io::Result<()> {
    for parting in common.partings.iter().take(SHOWN) {
        let lines = parting.lines.iter().zip(paths);
        let lines = lines.map(|(line, path)| format!("{}, line {line}", path.display()));
        let lines = lines.collect::<Vec<_>>().join(" and ");
        let (game, step) = (parting.game, parting.step);
        let line = format!("game {game}: positions differ from move {step} on: {lines}");
        writeln!(out, "{}", shown(&line))?;
    }
    match common.parted.saturating_sub(SHOWN as u64) {
        0 => {}
        more => writeln!(out, "... and {} more", count(more, GAMES))?,
    }
    for (alone, path) in common.alone.iter().zip(paths).filter(|(n, _)| **n > 0) {
        let alone = count(*alone, DECISIONS);
        let line = format!("not compared: {alone} of {}", path.display());
        writeln!(out, "{}", shown(&line))?;
    }
    Ok(())
}
