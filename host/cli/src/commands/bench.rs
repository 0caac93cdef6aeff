//! `lockstep bench`

use std::time::Duration;

use indicatif::HumanCount;
use lockstep::backend::open::Target;
use lockstep::{SessionError, Spec, Stop};
use lockstep_backends::speed::{Contestant, Row};
use lockstep_lab::threads::cores;
use serde_json::json;

use crate::games::options::{GameName, path};
use crate::games::{BenchGame as _, CliGame};
use crate::input::numbers::number;
use crate::output::{Json, Outcome, bar, is_drawn, stdout, table};
use crate::run::wait::Run;
use crate::session::backends::{backend, open_one, opening};

#[derive(clap::Args)]
#[command(after_help = G::EXAMPLES.bench)]
pub struct Args<G: CliGame> {
    #[arg(long = "controller", value_name = "NAME", help = controllers_help::<G>())]
    controllers: Vec<String>,
    /// A backend, as in `lockstep play --help`; repeat the option for each. The engine is timed on
    /// every path that this machine supports, the fastest also on all CPUs [default: all that are
    /// present]
    #[arg(long = "backend", value_name = "BACKEND", value_parser = backend::<G>)]
    backends: Vec<Spec>,
    #[command(flatten)]
    own: G::BenchArgs,
    /// Runs of each controller on each backend, interleaved; the median is reported
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = number::<u32>(1..=1_000_000))]
    runs: u32,
    /// Length of a run in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = number::<u64>(1..=60_000))]
    span: u64,
    /// Threads of the engine where it is timed on all CPUs [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=1024))]
    threads: Option<usize>,
    #[command(flatten)]
    game: GameName<G>,
    #[command(flatten)]
    json: Json,
}

fn controllers_help<G: CliGame>() -> String {
    let usual = G::BENCHED.join(", ");
    format!("A controller, built-in or a file; repeat the option for each [default: {usual}]")
}

pub async fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    let controllers: Vec<&std::path::Path> = args.controllers.iter().map(AsRef::as_ref).collect();
    args.json.check(&controllers)?;
    let silent = args.json.silences(quiet);
    let run = Run::start(silent);
    let mut all = Vec::new();
    let timed = match contestants(args, &mut all, &run).await {
        Ok(()) => time(args, &mut all, silent, &run.stop).await,
        failed => failed,
    };
    let interrupted = run.stop.requested();
    let rows: Vec<Row> = all.iter().filter_map(Contestant::<G>::row).collect();
    let mut out = stdout(silent);
    if !rows.is_empty() {
        write!(out, "{}", in_columns(&rows))?;
        writeln!(
            out,
            "  median of {} interleaved runs of {} ms; {};\n  \
             ratio to the controller's first row",
            args.runs,
            args.span,
            args.own.games()
        )?;
    }
    if interrupted {
        let least = all.iter().map(Contestant::runs).min().unwrap_or(0);
        writeln!(
            out,
            "interrupted after {least} of {} runs of each",
            args.runs
        )?;
    }
    let result = match interrupted {
        true => Ok(Outcome::Interrupted),
        false => timed.map(|()| Outcome::Agreed),
    };
    let document = json!({"runs": args.runs, "span_ms": args.span, "rows": rows});
    args.json
        .end(("bench", G::NAME), interrupted, result, document)
}

/// Times all contestants in turn, until all runs are done or the user interrupts.
async fn time<G: CliGame>(
    args: &Args<G>,
    contestants: &mut [Contestant<G>],
    silent: bool,
    stop: &Stop,
) -> anyhow::Result<()> {
    let style = "  {bar:32} {pos}/{len} runs, {eta} left";
    let all = u64::from(args.runs) * contestants.len() as u64;
    let bar = bar(all, style, is_drawn(silent));
    let span = Duration::from_millis(args.span);
    let runs = async {
        for _ in 0..args.runs {
            for contestant in &mut *contestants {
                contestant.run(span).await?;
                bar.inc(1);
            }
        }
        Ok(())
    };
    let timed = tokio::select! {
        biased;
        () = stop.wait() => Err(SessionError::Interrupted.into()),
        timed = runs => timed,
    };
    bar.finish_and_clear();
    timed
}

/// The controllers on the command line, or the game's default ones, and their names in the table:
/// of a built-in one as given, with its depth; of a file as in the file.
fn controllers<G: CliGame>(args: &Args<G>) -> anyhow::Result<Vec<(String, G::Controller)>> {
    let usual = || G::BENCHED.iter().map(|name| (*name).to_owned()).collect();
    let names: Vec<String> = match args.controllers.is_empty() {
        true => usual(),
        false => args.controllers.clone(),
    };
    let load = |name: String| {
        let controller = args.own.load(&name)?;
        let name = match path::<G>(&name).exists() {
            true => G::name(&controller).to_owned(),
            false => name,
        };
        Ok((name, controller))
    };
    names.into_iter().map(load).collect()
}

/// The backends on the command line, or all that can be timed with these controllers.
fn backends<G: CliGame>(
    args: &Args<G>,
    controllers: &[(String, G::Controller)],
) -> anyhow::Result<Vec<Spec>> {
    let mut named = args.backends.clone();
    let check = |spec: &Spec| {
        let mut all = controllers.iter();
        all.try_for_each(|(_, controller)| args.own.check(controller, spec))
    };
    if named.is_empty() {
        for factory in G::backends().iter() {
            if factory.absent.is_none() && factory.target == Target::None {
                named.push(G::backends().parse(factory.name)?);
            }
        }
        named.retain(|spec| check(spec).is_ok());
    }
    named.iter().try_for_each(check)?;
    Ok(named)
}

async fn contestants<G: CliGame>(
    args: &Args<G>,
    all: &mut Vec<Contestant<G>>,
    run: &Run,
) -> anyhow::Result<()> {
    let controllers = controllers(args)?;
    let threads = args.threads.unwrap_or_else(cores);
    for (index, spec) in backends(args, &controllers)?.iter().enumerate() {
        for (name, controller) in &controllers {
            if let Some(own) = args.own.in_its_loop(controller, spec, threads)? {
                all.extend(own);
                continue;
            }
            let ready = async {
                let mut backend = open_one::<G>(spec, index).await?;
                backend.configure(controller).await?;
                anyhow::Ok(backend)
            };
            let backend = run.wait(&opening(spec), ready).await?;
            let positions = args.own.positions(controller)?;
            all.push(Contestant::backend(name, positions, backend));
        }
    }
    Ok(())
}

fn in_columns(rows: &[Row]) -> String {
    let candidate = rows.first().map_or("candidate", |row| row.candidate);
    let header = [
        "backend",
        "controller",
        "path",
        "threads",
        "decisions/s",
        &*format!("ns/{candidate}"),
        "ratio",
    ];
    let cells = rows.iter().map(|row| {
        // To the first row of the same controller.
        let first = rows.iter().find(|r| r.controller == row.controller);
        let ratio = first.map_or(1.0, |f| row.decisions_per_s / f.decisions_per_s);
        [
            row.backend.clone(),
            row.controller.clone(),
            row.path.clone().unwrap_or_else(|| "-".into()),
            row.threads.to_string(),
            HumanCount(row.decisions_per_s.round() as u64).to_string(),
            format!("{:.2}", row.ns_per_candidate),
            format!("{ratio:.3}"),
        ]
    });
    table::plain(header, cells, 3..)
}
