//! `lockstep explain`

mod source;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use lockstep::event::Seat;
use lockstep::{Session, Spec, Stop};
use lockstep_explain::{Asker, Case};
use serde::Serialize;

use super::Outcome;
use super::backends::{backend, open};
use super::interrupt::listen;
use super::investigate::{Files, Investigation, Report, TRIES, ended_itself};
use super::numbers::number;
use super::output::{Json, stdout};
use super::wait::wait;
use crate::games::{ChooseController as _, CliGame};
use source::Source;

#[derive(clap::Args)]
pub struct Args<G: CliGame> {
    /// A record, a case that explain wrote, or positions as JSON lines. The first decision in which
    /// the backends differ is explained
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// In a record: look at this game only
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=u64::MAX))]
    game: Option<u64>,
    /// In a record: explain this decision of that game, whether or not it differs
    #[arg(long = "move", value_name = "N", value_parser = number::<u64>(1..=u64::MAX), requires = "game")]
    step: Option<u64>,
    /// The reference, and the backend to explain [default: software and sim; for a case, the
    /// backends that it names]
    #[arg(long = "backend", value_name = "BACKEND", value_parser = backend::<G>)]
    backends: Vec<Spec>,
    #[command(flatten)]
    controller: G::ControllerArgs,
    /// Explain the case as it is, without looking for a smaller one
    #[arg(long)]
    no_shrink: bool,
    /// Most cases to try while shrinking
    #[arg(long, value_name = "N", default_value_t = TRIES, value_parser = number::<u64>(1..=1_000_000), conflicts_with = "no_shrink")]
    tries: u64,
    #[command(flatten)]
    files: Files,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
#[serde(bound = "")]
struct About<'a, G: CliGame> {
    command: &'static str,
    game: &'static str,
    #[serde(serialize_with = "crate::commands::files::name")]
    file: &'a Path,
    /// `None` when nothing differs.
    report: Option<&'a Report<G>>,
}

impl<G: CliGame> Args<G> {
    /// The reference and the backend that is explained.
    fn specs(&self, source: &Source<G>) -> anyhow::Result<[Spec; 2]> {
        match (self.backends.as_slice(), source) {
            ([reference, backend], _) => Ok([reference.clone(), backend.clone()]),
            ([], Source::Case(case)) => Ok([
                G::backends().parse(case.reference.raw())?,
                G::backends().parse(case.backend.raw())?,
            ]),
            ([], _) => Ok([
                G::backends().parse("software")?,
                G::backends().parse("sim")?,
            ]),
            _ => bail!(
                "--backend: name two, the reference and the backend that is explained; with more, \
                 call explain for each"
            ),
        }
    }
}

pub async fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    args.json.check(&[&args.file, args.controller.file()])?;
    args.files.check("--out", "--force overwrites it")?;
    let stop = listen();
    let opening = source::open::<G>(&args.file, &args.controller);
    let what = format!("reading {}", args.file.display());
    let source = wait(&what, quiet, &stop, opening).await?;
    let specs = args.specs(&source)?;
    let mut out = stdout(args.json.silences(quiet));
    let found = match source {
        Source::Case(file) => Some(file.case),
        Source::Asked(asked) => match (args.game, args.step) {
            (Some(game), Some(step)) => Some(asked.at(game, step)?),
            (game, _) => find(asked.only(game)?, &specs, quiet, &stop).await?,
        },
    };
    let mut report = None;
    match found {
        Some(case) => {
            let investigation = Investigation {
                specs: &specs,
                tries: (!args.no_shrink).then_some(args.tries),
                files: &args.files,
                shown: false,
                quiet,
                stop: &stop,
            };
            let asker = Asker::new(G::backends(), &stop);
            report = Some(investigation.run(case, asker, &mut *out).await?);
        }
        None => writeln!(out, "no decision differs")?,
    }
    out.flush()?;
    args.json.write(&About {
        command: "explain",
        game: G::NAME,
        file: &args.file,
        report: report.as_ref(),
    })?;
    Ok(match report {
        Some(report) if report.differs() => Outcome::Diverged,
        _ => Outcome::Agreed,
    })
}

/// The first decision in which two backends differ, with what was asked before it.
async fn find<G: CliGame>(
    asked: source::Asked<G>,
    specs: &[Spec; 2],
    quiet: bool,
    stop: &Stop,
) -> anyhow::Result<Option<Case<G>>> {
    let backends = open::<G>(specs, quiet, stop).await?;
    let mut session = Session::new(backends, stop.clone());
    let seats = asked.controllers.iter().map(|controller| Seat {
        controller: controller.clone(),
        backends: vec![0, 1],
    });
    let taking = session.take_seats(seats.collect());
    wait("handing over controllers", quiet, stop, taking).await?;
    let positions = &asked.positions;
    let search = async {
        for (index, position) in positions.iter().enumerate() {
            let rows = match session.ask(std::slice::from_ref(position)).await {
                Err(error) if ended_itself::<G>(&error) => return Ok(Some(asked.case(index))),
                rows => rows?,
            };
            if rows.iter().any(|answers| !answers.mismatches().is_empty()) {
                return Ok(Some(asked.case(index)));
            }
        }
        Ok::<_, lockstep::SessionError>(None)
    };
    wait("asking what was asked", quiet, stop, search).await
}
