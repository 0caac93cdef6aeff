//! `lockstep bench`

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};
use lockstep::backend::Kind;
use lockstep::{SessionError, Spec, Stop};
use lockstep_engine::tetris::Path;
use lockstep_games::tetris::{Controller, Linear};
use lockstep_lab::speed::{Contestant, Row};
use lockstep_lab::threads::cores;
use serde::Serialize;

use super::Outcome;
use super::backends::{backend, open_one, openers};
use super::interrupt::listen;
use super::numbers::number;
use super::output::{Json, stdout};
use super::wait::wait;
use crate::views::bench::table;

#[derive(clap::Args)]
pub struct Args {
    /// A linear controller, preset or file; repeat it for each. Programs are not
    /// timed
    #[arg(long = "controller", value_name = "NAME", default_values = ["dellacherie", "bcts", "dt-20"])]
    controllers: Vec<String>,
    /// A backend; repeat it for each. The engine is timed on every path of this
    /// machine, the fastest also on all cores [default: all that are present]
    #[arg(long = "backend", value_name = "BACKEND", value_parser = backend)]
    backends: Vec<Spec>,
    /// Pieces the engine places in thought; above 1 only the engine is timed, the
    /// next piece averaged
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u8>(1..=3))]
    depth: u8,
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
    json: Json,
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

pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let controllers: Vec<&std::path::Path> = args.controllers.iter().map(AsRef::as_ref).collect();
    args.json.check(&controllers)?;
    let silent = args.json.silences(quiet);
    let stop = listen();
    let mut all = Vec::new();
    let timed = match contestants(args, &mut all, quiet, &stop).await {
        Ok(()) => time(args, &mut all, quiet, &stop).await,
        failed => failed,
    };
    let interrupted = stop.requested();
    let rows: Vec<Row> = all.iter().filter_map(Contestant::row).collect();
    let mut out = stdout(silent);
    if !rows.is_empty() {
        write!(out, "{}", table(&rows))?;
        writeln!(
            out,
            "  median of {} interleaved runs of {} ms; 10x20, uniform pieces;\n  \
             ratio to the controller's first row",
            args.runs, args.span
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
        game: "tetris",
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
async fn time(
    args: &Args,
    contestants: &mut [Contestant],
    quiet: bool,
    stop: &Stop,
) -> anyhow::Result<()> {
    let bar = match quiet || !io::stderr().is_terminal() {
        true => ProgressBar::hidden(),
        false => ProgressBar::new(u64::from(args.runs) * contestants.len() as u64).with_style(
            ProgressStyle::with_template("  {bar:32} {pos}/{len} runs, {eta} left")?,
        ),
    };
    bar.enable_steady_tick(Duration::from_millis(250));
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

/// The controllers named, with the depth to look.
fn controllers(args: &Args) -> anyhow::Result<Vec<(Controller, Linear)>> {
    let mut all = Vec::new();
    for name in &args.controllers {
        let mut controller = Controller::load(name)?;
        if args.depth > 1 {
            controller = controller.with_search(args.depth, None)?;
            controller.name += &format!(" depth {}", args.depth);
        }
        let linear = controller.linear().cloned();
        let Some(linear) = linear else {
            bail!("--controller {name}: a program is not timed; name a linear controller");
        };
        all.push((controller, linear));
    }
    Ok(all)
}

/// The backends named, or all that can be timed.
fn backends(args: &Args, controllers: &[(Controller, Linear)]) -> anyhow::Result<Vec<Spec>> {
    let ahead = controllers.iter().find(|(c, _)| c.looks_ahead());
    let mut named = args.backends.clone();
    if named.is_empty() {
        for opener in openers().iter().filter(|opener| opener.present().is_ok()) {
            if ahead.is_none() && opener.target().is_none() || opener.kind() == Kind::Engine {
                named.push(openers().parse(opener.name())?);
            }
        }
    }
    if let (Some((controller, _)), Some(other)) =
        (ahead, named.iter().find(|spec| !is_engine(spec)))
    {
        bail!(
            "--backend {other}: only the engine is timed with lookahead, and {} looks ahead",
            controller.name
        );
    }
    Ok(named)
}

fn is_engine(spec: &Spec) -> bool {
    openers().kind(spec) == Some(Kind::Engine)
}

/// Puts together whatever is to be timed, backend by backend.
async fn contestants(
    args: &Args,
    all: &mut Vec<Contestant>,
    quiet: bool,
    stop: &Stop,
) -> anyhow::Result<()> {
    let controllers = controllers(args)?;
    let threads = args.threads.unwrap_or_else(cores);
    for (index, spec) in backends(args, &controllers)?.iter().enumerate() {
        for (controller, linear) in &controllers {
            let name = &controller.name;
            if is_engine(spec) {
                let named = spec.option("path").map(Path::named).transpose()?;
                let paths = Path::ALL.into_iter().filter(|p| p.available());
                for path in paths.filter(|path| named.is_none_or(|n| n == *path)) {
                    all.push(Contestant::engine(name, linear, path, 1)?);
                }
                let path = named.unwrap_or(Path::best());
                if threads > 1 {
                    all.push(Contestant::engine(name, linear, path, threads)?);
                }
                continue;
            }
            let ready = async {
                let mut backend = open_one(spec, index).await?;
                backend.configure(controller).await?;
                anyhow::Ok(backend)
            };
            let backend = wait(&format!("opening {spec}"), quiet, stop, ready).await?;
            all.push(Contestant::backend(name, linear, backend));
        }
    }
    Ok(())
}
