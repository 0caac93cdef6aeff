//! `lockstep bench`

use std::io::{self, IsTerminal as _, Write};
use std::time::Duration;

use anyhow::bail;
use indicatif::{ProgressBar, ProgressStyle};
use lockstep::backend::Kind;
use lockstep::{Spec, Stop};
use lockstep_engine::tetris::Path;
use lockstep_games::tetris::{Controller, Linear};
use lockstep_lab::speed::{Contestant, Row};

use super::Outcome;
use super::backends::{backend, open_one, openers};
use super::interrupt::listen;
use super::output::{Json, stdout};

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
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..=3))]
    depth: u8,
    /// Runs of each, interleaved; the median counts
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    runs: u32,
    /// Length of a run in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=60_000))]
    span: u64,
    /// Threads of the rows on all cores [default: as many as cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    json: Json,
}

pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let controllers: Vec<&std::path::Path> = args.controllers.iter().map(AsRef::as_ref).collect();
    args.json.check(&controllers)?;
    let silent = args.json.silences(quiet);
    let mut contestants = contestants(args).await?;
    let interrupt = listen();
    let bar = match quiet || !io::stderr().is_terminal() {
        true => ProgressBar::hidden(),
        false => ProgressBar::new(u64::from(args.runs) * contestants.len() as u64).with_style(
            ProgressStyle::with_template("  {bar:32} {pos}/{len} runs, {eta} left")?,
        ),
    };
    let finished = time(args, &mut contestants, &interrupt, &bar).await?;
    bar.finish_and_clear();
    if !finished {
        writeln!(stdout(silent), "interrupted: nothing is timed")?;
        return Ok(Outcome::Interrupted);
    }
    let rows: Vec<Row> = contestants.iter().map(Contestant::row).collect();
    table(&mut stdout(silent), &rows, args)?;
    args.json.write(&rows)?;
    Ok(Outcome::Agreed)
}

/// Runs them all; `false` when the user stopped it.
async fn time(
    args: &Args,
    contestants: &mut [Contestant],
    interrupt: &Stop,
    bar: &ProgressBar,
) -> anyhow::Result<bool> {
    let span = Duration::from_millis(args.span);
    for _ in 0..args.runs {
        for contestant in &mut *contestants {
            contestant.run(span).await?;
            bar.inc(1);
            if interrupt.requested() {
                return Ok(false);
            }
        }
    }
    Ok(true)
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

/// Whatever is to be timed, backend by backend.
async fn contestants(args: &Args) -> anyhow::Result<Vec<Contestant>> {
    let controllers = controllers(args)?;
    let ahead = controllers.iter().find(|(c, _)| c.looks_ahead());
    let mut named = args.backends.clone();
    if named.is_empty() {
        for opener in openers().iter().filter(|opener| opener.present().is_ok()) {
            if ahead.is_none() && opener.kind() != Kind::Link || opener.kind() == Kind::Engine {
                named.push(backend(opener.name())?);
            }
        }
    }
    let is_engine = |spec: &Spec| openers().kind(spec) == Some(Kind::Engine);
    if let (Some((controller, _)), Some(other)) =
        (ahead, named.iter().find(|spec| !is_engine(spec)))
    {
        bail!(
            "--backend {other}: only the engine is timed with lookahead, and {} looks ahead",
            controller.name
        );
    }
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let threads = args.threads.map_or(cores, usize::from);
    let mut all = Vec::new();
    for (index, spec) in named.iter().enumerate() {
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
            let mut backend = open_one(spec, index).await?;
            backend.configure(controller).await?;
            all.push(Contestant::backend(name, linear, backend));
        }
    }
    Ok(all)
}

fn table(out: &mut dyn Write, rows: &[Row], args: &Args) -> io::Result<()> {
    writeln!(
        out,
        "  {:<10} {:<16} {:<8} {:>7} {:>11} {:>12} {:>8}",
        "backend", "controller", "path", "threads", "decisions/s", "ns/placement", "ratio"
    )?;
    for row in rows {
        // To the first row of the same controller.
        let first = rows.iter().find(|r| r.controller == row.controller);
        let ratio = first.map_or(1.0, |f| row.decisions_per_s / f.decisions_per_s);
        writeln!(
            out,
            "  {:<10} {:<16} {:<8} {:>7} {:>11.0} {:>12.2} {ratio:>8.3}",
            row.backend,
            row.controller,
            row.path.as_deref().unwrap_or("-"),
            row.threads,
            row.decisions_per_s,
            row.ns_per_placement,
        )?;
    }
    writeln!(
        out,
        "  median of {} interleaved runs of {} ms; 10x20, uniform pieces;\n  \
         ratio to the controller's first row",
        args.runs, args.span
    )
}
