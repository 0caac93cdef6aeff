//! `lockstep explain`

mod source;

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::bail;
use clap::Arg;
use lockstep::event::Seat;
use lockstep::{Session, Spec};
use lockstep_explain::CaseRunner;
use serde_json::json;

use crate::games::CliGame;
use crate::games::options::{ControllerArgs, game_number};
use crate::input::numbers::number;
use crate::output::{DECISIONS, Json, Outcome, STRONG, count, stdout};
use crate::run::wait::Run;
use crate::session::backends::{backend, open};
use crate::session::investigate::{Investigation, TRIES, check_folder, ended_itself};
use source::Source;

#[derive(clap::Args)]
#[command(after_help = G::EXAMPLES.explain)]
#[command(mut_arg("controller", |arg| of_positions(arg)))]
pub struct Args<G: CliGame> {
    /// A record, a case that explain wrote, or positions as JSON lines. The first decision in which
    /// the backends differ is explained. The options depend on its game: `lockstep explain FILE
    /// --help` lists them
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// In a record: search only this game
    #[arg(long, value_name = "N", value_parser = game_number)]
    game: Option<u64>,
    /// In a record: explain this move of that game, even if it does not differ
    #[arg(long = "move", value_name = "N", value_parser = number::<u64>(1..=u64::MAX), requires = "game")]
    step: Option<u64>,
    /// The reference, and the backend to explain [default: software and sim; for a case, the
    /// backends that it names]
    #[arg(long = "backend", value_name = "BACKEND", value_parser = backend::<G>)]
    backends: Vec<Spec>,
    #[command(flatten)]
    controller: ControllerArgs<G>,
    /// Explain the case as it is, without looking for a smaller one
    #[arg(long)]
    no_shrink: bool,
    /// Limit of the cases tried while shrinking
    #[arg(long, value_name = "N", default_value_t = TRIES, value_parser = number::<u64>(1..=1_000_000), conflicts_with = "no_shrink")]
    tries: u64,
    /// Write the small case (case.json) into this folder and, for a simulated core, its waveform
    /// (waves.fst, with save files for GTKWave and Surfer)
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Overwrite the files of an earlier `explain` in that folder
    #[arg(long, requires = "out")]
    force: bool,
    #[command(flatten)]
    json: Json,
}

/// The help of an option that applies to positions alone.
fn of_positions(arg: Arg) -> Arg {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    arg.help(format!(
        "{help} (for positions only: a record or a case has its own)"
    ))
}

impl<G: CliGame> Args<G> {
    /// Fails if an option does not apply to this kind of file.
    fn check(&self, source: &Source<G>) -> anyhow::Result<()> {
        let (what, is_record) = match source {
            Source::Case(_) => ("a case", false),
            Source::Requests(requests) if requests.are_recorded() => ("a record", true),
            Source::Requests(_) => ("positions", false),
        };
        let file = self.file.display();
        if self.game.is_some() && !is_record {
            bail!("--game: {file} is {what}, and only a record has games; leave --game out");
        }
        if what != "positions" && self.controller.is_named() {
            bail!("--controller: {file} is {what}, which has its own; leave --controller out");
        }
        Ok(())
    }

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
                "--backend: expected two, the reference and the backend to explain; with more, run \
                 explain for each"
            ),
        }
    }
}

pub async fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    args.json.check(&[&args.file, args.controller.file()])?;
    let folder = args.out.as_deref();
    check_folder("--out", folder, args.force, "--force overwrites it")?;
    let run = Run::start(quiet);
    let opening = source::open::<G>(&args.file, &args.controller);
    let what = format!("reading {}", args.file.display());
    let source = run.wait(&what, opening).await?;
    args.check(&source)?;
    let specs = args.specs(&source)?;
    let mut out = stdout(args.json.silences(quiet));
    let mut decided = 0;
    let found = match source {
        Source::Case(file) => Some(file.case),
        Source::Requests(requests) => match (args.game, args.step) {
            (Some(game), Some(step)) => Some(requests.at(game, step)?),
            (game, _) => {
                let requests = requests.only(game)?;
                decided = requests.positions.len() as u64;
                let found = find(&requests, &specs, &run).await?;
                if let Some(index) = found {
                    let title = requests.title(index);
                    writeln!(
                        out,
                        "{STRONG}{title}{STRONG:#}, the first decision that differs:"
                    )?;
                }
                found.map(|index| requests.case(index))
            }
        },
    };
    let mut report = None;
    match found {
        Some(case) => {
            let investigation = Investigation {
                specs: &specs,
                tries: (!args.no_shrink).then_some(args.tries),
                folder,
                shown: false,
                run: &run,
            };
            let runner = CaseRunner::new(G::backends(), &run.stop);
            report = Some(investigation.run(case, runner, &mut *out).await?);
        }
        None => {
            let [reference, backend] = &specs;
            let decisions = count(decided, DECISIONS);
            writeln!(
                out,
                "{decisions}, no difference between {reference} and {backend}"
            )?;
        }
    }
    out.flush()?;
    // The report is null if nothing differs.
    let document = json!({"file": args.file.display().to_string(), "report": report});
    args.json.document("explain", Some(G::NAME), &document)?;
    Ok(match report {
        Some(report) if report.differs() => Outcome::Diverged,
        _ => Outcome::Agreed,
    })
}

/// The index of the first position on which two backends differ.
async fn find<G: CliGame>(
    requests: &source::Requests<G>,
    specs: &[Spec; 2],
    run: &Run,
) -> anyhow::Result<Option<usize>> {
    let backends = open::<G>(specs, run).await?;
    let mut session = Session::new(backends, run.stop.clone());
    let seats = requests.controllers.iter().map(|controller| Seat {
        controller: controller.clone(),
        backends: vec![0, 1],
    });
    let taking = session.take_seats(seats.collect());
    run.wait("setting controllers", taking).await?;
    let positions = &requests.positions;
    let search = async {
        for (index, position) in positions.iter().enumerate() {
            let rows = match session.ask(std::slice::from_ref(position)).await {
                Err(error) if ended_itself::<G>(&error) => return Ok(Some(index)),
                rows => rows?,
            };
            if rows.iter().any(|answers| !answers.mismatches().is_empty()) {
                return Ok(Some(index));
            }
        }
        Ok::<_, lockstep::SessionError>(None)
    };
    run.wait("repeating the requests", search).await
}
