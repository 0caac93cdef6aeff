//! `lockstep bench`

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use lockstep::backend::open::Target;
use lockstep::{SessionError, Spec, Stop};
use lockstep_lab::speed::{Contestant, Row};
use lockstep_lab::threads::cores;
use serde::Serialize;

use super::Outcome;
use super::backends::{backend, open_one};
use super::interrupt::listen;
use super::numbers::number;
use super::options::GameName;
use super::output::{Json, stdout};
use super::wait::wait;
use crate::games::{BenchGame as _, CliGame};
use crate::views::bar;
use crate::views::bench::table;

#[derive(clap::Args)]
pub struct Args<G: CliGame> {
    #[arg(long = "controller", value_name = "NAME", help = controllers_help::<G>())]
    controllers: Vec<String>,
    /// A backend; repeat it for each. An engine is timed on every path of this
    /// machine, the fastest also on all cores [default: all that are present]
    #[arg(long = "backend", value_name = "BACKEND", value_parser = backend::<G>)]
    backends: Vec<Spec>,
    #[command(flatten)]
    own: G::BenchArgs,
    /// Runs of each, interleaved; the median counts
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = number::<u32>(1..=1_000_000))]
    runs: u32,
    /// Length of a run in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = number::<u64>(1..=60_000))]
    span: u64,
    /// Threads of the rows on all cores [default: one per core]
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=1024))]
    threads: Option<usize>,
    #[command(flatten)]
    game: GameName<G>,
    #[command(flatten)]
    json: Json,
}

fn controllers_help<G: CliGame>() -> String {
    let usual = G::BENCHED.join(", ");
    format!("A controller, preset or file; repeat it for each [default: {usual}]")
}

/// What `--json` writes.
#[derive(Serialize)]
struct Document {
    command: &'static str,
    game: &'static str,
    /// Runs of each contestant that were asked for, and how long each is.
    runs: u32,
    span_ms: u64,
    interrupted: bool,
    error: Option<String>,
    /// The contestants that had a run.
    rows: Vec<Row>,
}

pub async fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    let controllers: Vec<&std::path::Path> = args.controllers.iter().map(AsRef::as_ref).collect();
    args.json.check(&controllers)?;
    let silent = args.json.silences(quiet);
    let stop = listen();
    let mut all = Vec::new();
    let timed = match contestants(args, &mut all, silent, &stop).await {
        Ok(()) => time(args, &mut all, silent, &stop).await,
        failed => failed,
    };
    let interrupted = stop.requested();
    let rows: Vec<Row> = all.iter().filter_map(Contestant::<G>::row).collect();
    let mut out = stdout(silent);
    if !rows.is_empty() {
        write!(out, "{}", table(&rows))?;
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
    let failed = timed.as_ref().err().filter(|_| !interrupted);
    args.json.write(&Document {
        command: "bench",
        game: G::NAME,
        runs: args.runs,
        span_ms: args.span,
        interrupted,
        error: failed.map(|error| format!("{error:#}")),
        rows,
    })?;
    match interrupted {
        true => Ok(Outcome::Interrupted),
        false => timed.map(|()| Outcome::Agreed),
    }
}

/// Runs them all, until the user wants no more.
async fn time<G: CliGame>(
    args: &Args<G>,
    contestants: &mut [Contestant<G>],
    silent: bool,
    stop: &Stop,
) -> anyhow::Result<()> {
    let style = "  {bar:32} {pos}/{len} runs, {eta} left";
    let all = u64::from(args.runs) * contestants.len() as u64;
    let bar = bar(all, style, !silent && io::stderr().is_terminal());
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

/// The controllers named, or the game's usual ones.
fn controllers<G: CliGame>(args: &Args<G>) -> anyhow::Result<Vec<G::Controller>> {
    let usual = || G::BENCHED.iter().map(|name| (*name).to_owned()).collect();
    let names: Vec<String> = match args.controllers.is_empty() {
        true => usual(),
        false => args.controllers.clone(),
    };
    names.iter().map(|name| args.own.load(name)).collect()
}

/// The backends named, or all that can be timed with these controllers.
fn backends<G: CliGame>(
    args: &Args<G>,
    controllers: &[G::Controller],
) -> anyhow::Result<Vec<Spec>> {
    let mut named = args.backends.clone();
    let check = |spec: &Spec| controllers.iter().try_for_each(|c| args.own.check(c, spec));
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

/// Puts together whatever is to be timed, backend by backend.
async fn contestants<G: CliGame>(
    args: &Args<G>,
    all: &mut Vec<Contestant<G>>,
    quiet: bool,
    stop: &Stop,
) -> anyhow::Result<()> {
    let controllers = controllers(args)?;
    let threads = args.threads.unwrap_or_else(cores);
    for (index, spec) in backends(args, &controllers)?.iter().enumerate() {
        for controller in &controllers {
            if let Some(own) = args.own.in_its_loop(controller, spec, threads)? {
                all.extend(own);
                continue;
            }
            let ready = async {
                let mut backend = open_one::<G>(spec, index).await?;
                backend.configure(controller).await?;
                anyhow::Ok(backend)
            };
            let backend = wait(&format!("opening {spec}"), quiet, stop, ready).await?;
            let positions = args.own.positions(controller)?;
            all.push(Contestant::backend(G::name(controller), positions, backend));
        }
    }
    Ok(())
}
