//! `lockstep train`

mod files;

use std::io::{self, IsTerminal as _, Write as _};
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context as _;
use files::Files;
use lockstep_games::tetris::{Controller, Size};
use lockstep_lab::train::checkpoint;
use lockstep_lab::train::controller::direction;
use lockstep_lab::train::lock::Lock;
use lockstep_lab::train::tetris::Games;
use lockstep_lab::train::{End, FeatureSet, Method, Plan, Settings, Stage, Training};

use super::Outcome;
use super::interrupt::listen;
use super::options::controller_help;
use super::output::stdout;
use crate::views::training::Progress;

#[derive(clap::Args)]
pub struct Args {
    /// How weights are looked for
    #[arg(long, value_parser = methods(), default_value_t = Method::Cmaes)]
    method: Method,
    /// What the controller weighs: dellacherie (6 features), bcts (8), dt (9),
    /// all (14), or names separated by commas
    #[arg(long, value_name = "SET", default_value = "dt")]
    controller_features: FeatureSet,
    /// Columns x rows; games on a small board are short
    #[arg(long, value_name = "SIZE", default_value = "10x10")]
    board: Size,
    /// Games of an evaluation
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    games: u64,
    /// Pieces after which a game is stopped, so that one lucky candidate does
    /// not take for ever
    #[arg(long, value_name = "N", default_value_t = 1_000_000, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    max_pieces: u64,
    /// Candidates of a generation, particles of a swarm [default: ga 60,
    /// pso 40, cmaes 40]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(4..=10_000))]
    population: Option<u64>,
    /// Stop after so many generations; of a swarm, after so many moves of
    /// every particle on average [default: 100 unless --minutes is given]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    generations: Option<u64>,
    /// Stop after so many minutes, earlier runs of the same training included;
    /// the choice among the best comes on top
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = minutes)]
    minutes: Option<Duration>,
    /// Seed of games and optimiser. With ga and cmaes the same seed finds the
    /// same weights on any number of threads; pso depends on timing unless
    /// there is but one
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    seed: u64,
    /// Threads that play [default: one per core]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    threads: Option<NonZero<usize>>,
    /// The controller file to write; it holds the best so far at any time
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Where the state is kept after each generation; the same command goes on
    /// from it [default: that of --out with .checkpoint.json]
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Where best and mean are drawn over the generations [default: that of
    /// --out with .svg]
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    #[arg(long, value_name = "NAME", help = start_help())]
    start: Option<String>,
    /// Name of the controller [default: that of --out without its ending]
    #[arg(long)]
    name: Option<String>,
    /// Start over even when there is a checkpoint, and overwrite it, --out and
    /// --plot
    #[arg(long)]
    fresh: bool,
}

fn methods() -> impl clap::builder::TypedValueParser<Value = Method> {
    use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};
    let named = Method::ALL.map(|method| PossibleValue::new(method.name()).help(method.about()));
    PossibleValuesParser::new(named).try_map(|name| name.parse::<Method>())
}

fn start_help() -> String {
    let what = controller_help();
    format!(
        "Start from this controller: {}{}",
        what[..1].to_lowercase(),
        &what[1..]
    )
}

fn minutes(text: &str) -> Result<Duration, String> {
    let minutes: Option<f64> = text.parse().ok();
    minutes
        .filter(|m| *m > 0.0)
        .and_then(|m| Duration::try_from_secs_f64(m * 60.0).ok())
        .ok_or_else(|| "expected a number of minutes above 0".into())
}

fn settings(args: &Args) -> anyhow::Result<Settings> {
    let set = &args.controller_features;
    let start = match &args.start {
        Some(name) => {
            let from = Controller::load(name)?;
            let found = direction(set, &from).map_err(anyhow::Error::msg);
            Some(found.with_context(|| format!("--start {name}"))?)
        }
        None => None,
    };
    let population = args
        .population
        .map_or(args.method.population(), |n| n as usize);
    Ok(Settings {
        method: args.method,
        controller_features: set.clone(),
        board: args.board,
        games: args.games,
        max_pieces: args.max_pieces,
        population,
        seed: args.seed,
        start,
    })
}

pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let settings = settings(args)?;
    let files = Files::new(args)?;
    let games = Games::new(&settings).context("--board")?;
    // Held to the end.
    let _lock = Lock::new(&files.checkpoint)?;
    let kept = if args.fresh {
        checkpoint::check_replaceable(&files.checkpoint)?;
        None
    } else {
        checkpoint::load(&files.checkpoint, &settings)?
    };
    if kept.is_none() && !args.fresh {
        files.check_new()?;
    }
    let unlimited = args.generations.is_none() && args.minutes.is_none();
    let cores = std::thread::available_parallelism();
    let plan = Plan {
        threads: args.threads.or(cores.ok()).map_or(1, NonZero::get),
        generations: args
            .generations
            .or(unlimited.then(|| args.method.generations())),
        time: args.minutes,
    };

    let mut out = stdout(quiet);
    if let Some(training) = &kept {
        let (done, path) = (training.generations(), files.checkpoint.display());
        if training.chosen.is_some() && training.fulfils(&plan) {
            writeln!(
                out,
                "finished already after {done} generations ({path}); \
                 a higher --generations or --minutes goes on, --fresh starts over"
            )?;
        } else {
            writeln!(out, "going on after {done} generations ({path})")?;
        }
    }
    let interrupt = listen();
    let bar = !quiet && io::stderr().is_terminal();
    let mut training = kept.unwrap_or_else(|| Training::new(settings));
    let keeper = files.clone();
    let work = move || -> anyhow::Result<(Training, End)> {
        let interrupted = || interrupt.requested();
        let lines: Box<dyn io::Write + Send> = match quiet || bar {
            true => Box::new(io::sink()),
            false => Box::new(anstream::stdout()),
        };
        let mut progress = Progress::new(lines, bar, &training, plan);
        let mut listener = |training: &Training, stage| {
            if stage != Stage::Choosing {
                keeper.keep(training)?;
            }
            Ok::<(), anyhow::Error>(progress.show(training, stage)?)
        };
        let end = training.run(&games, &plan, &interrupted, &mut listener);
        progress.clear();
        Ok((training, end?))
    };
    // Beside this thread, which listens for the interrupt.
    let (training, end) = tokio::task::spawn_blocking(work).await??;
    match end {
        End::Finished => {
            files.write_results(&training)?;
            summarise(&mut out, &training, &files)?;
            Ok(Outcome::Agreed)
        }
        End::Interrupted => {
            match training.generations() {
                0 => writeln!(out, "interrupted in the first generation: nothing is kept")?,
                n => writeln!(
                    out,
                    "interrupted: {n} generations are kept in {}; the same command goes on",
                    files.checkpoint.display()
                )?,
            }
            Ok(Outcome::Interrupted)
        }
    }
}

fn summarise(out: &mut dyn io::Write, training: &Training, files: &Files) -> anyhow::Result<()> {
    if let Some(chosen) = &training.chosen {
        let (lines, games) = (chosen.lines, chosen.games);
        writeln!(out, "{lines:.1} lines a game over {games} fresh games")?;
    }
    let shown = serde_json::to_value(files.controller(training))?;
    for name in training.settings.controller_features.names() {
        let weight = shown["weights"][name].as_f64().unwrap_or(0.0);
        writeln!(out, "  {name:<18}  {weight:>10.6}")?;
    }
    writeln!(out, "controller: {}", files.out.display())?;
    writeln!(out, "plot: {}", files.plot.display())?;
    Ok(())
}
