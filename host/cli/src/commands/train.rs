//! `lockstep train`

mod files;
mod generations;
pub mod workers;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, anyhow};
use files::Files;
use generations::SavedTraining;
use lockstep::link::listen::Listen;
use lockstep_games::tetris::controller::linear_presets;
use lockstep_games::tetris::{Controller, Size, Tetris};
use lockstep_games::{Game as _, Noun};
use lockstep_lab::journal::Journal;
use lockstep_lab::threads;
use lockstep_lab::train::features::direction;
use lockstep_lab::train::settings::GENERATIONS;
use lockstep_lab::train::tetris::Games;
use lockstep_lab::train::{
    FeatureSet, KIND, Method, Settings, Training, TrainingEnd, TrainingPlan,
};
use protocol::layout::tetris::WEIGHT_FIELDS;
use serde_json::json;
use workers::Hub;

use crate::games::options::GameName;
use crate::input::numbers::number;
use crate::output::failure::shown;
use crate::output::{Json, Outcome, count, stdout, table};
use crate::run::interrupt::listen;

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep train --out mine.json
  lockstep train --out mine.json --method ga --board 8x10
  lockstep train --out mine.json --method apso --workers 0.0.0.0:7100
  lockstep strength --controller mine.json --board 10x10")]
pub struct Args {
    /// How the weights are optimised
    #[arg(long, value_parser = methods(), default_value_t = Method::Cmaes)]
    method: Method,
    /// Features of the controller: dellacherie (6 features), bcts (8), dt (9),
    /// all (14), or names separated by commas
    #[arg(long, value_name = "SET", default_value = "dt")]
    controller_features: FeatureSet,
    /// Columns x rows; games on a small board are short
    #[arg(long, value_name = "SIZE", default_value = "10x10")]
    board: Size,
    /// Games that each candidate plays
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number::<u64>(1..=1_000_000))]
    games: u64,
    /// Limit of pieces in a game; without one, games of good candidates would take too long
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = number::<u64>(1..=u64::MAX))]
    max_pieces: u64,
    /// Candidates in a generation, or particles in the swarm [default: ga 60, the others 40]
    #[arg(long, value_name = "N", value_parser = number::<usize>(4..=10_000))]
    population: Option<usize>,
    /// Stop after N generations [default: 100 unless --minutes is given]
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=1_000_000_000))]
    generations: Option<u64>,
    /// Stop after M minutes, including earlier runs of the same command; the final choice among the
    /// best takes more time
    #[arg(long, value_name = "M", value_parser = minutes)]
    minutes: Option<Duration>,
    /// Seed of games and optimiser: the same seed finds the same weights on any
    /// number of threads
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Threads that play [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=1024))]
    threads: Option<usize>,
    /// Let workers (`lockstep work`) play, which connect to this address: HOST:PORT, or a port of
    /// this machine alone. The same seed finds the same weights as without them, except for apso.
    /// There is no password: listen only in a network that you trust
    #[arg(long, value_name = "ADDR", conflicts_with = "threads")]
    workers: Option<Listen<7100>>,
    /// The controller file to write; it always has the best weights so far
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Save the state in this file after each generation; the same command continues from it
    /// [default: mine.checkpoint.json for --out mine.json]
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Plot best and mean of each generation in this file [default: mine.svg for --out mine.json]
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    #[arg(long, value_name = "NAME", help = start_help())]
    start: Option<String>,
    /// Name of the controller [default: the name of --out without its ending]
    #[arg(long)]
    name: Option<String>,
    #[command(flatten)]
    game: GameName<Tetris>,
    #[command(flatten)]
    json: Json,
    /// Start over even if there is a checkpoint; overwrite it, --out and --plot
    #[arg(long)]
    fresh: bool,
}

fn methods() -> impl clap::builder::TypedValueParser<Value = Method> {
    use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};
    use strum::VariantArray as _;
    let named = Method::VARIANTS.iter();
    let named = named.map(|method| PossibleValue::new(<&str>::from(method)).help(method.about()));
    PossibleValuesParser::new(named).try_map(|name| name.parse::<Method>())
}

const FRESH: Noun = Noun {
    one: "fresh game",
    many: "fresh games",
};

/// The unit in which the progress of training is counted.
const DONE: Noun = Noun {
    one: "generation",
    many: "generations",
};

fn start_help() -> String {
    let presets: Vec<_> = linear_presets().collect();
    format!(
        "Start from the weights of a linear controller: a built-in one ({}) or a controller file",
        presets.join(", ")
    )
}

/// Maximum minutes of a training run: ten years.
const MAX_MINUTES: f64 = 10.0 * 365.0 * 24.0 * 60.0;

fn minutes(text: &str) -> Result<Duration, String> {
    let minutes: Option<f64> = text.parse().ok();
    minutes
        .filter(|m| *m > 0.0 && *m <= MAX_MINUTES)
        .map(|m| Duration::from_secs_f64(m * 60.0))
        .ok_or_else(|| format!("expected minutes above 0, at most {MAX_MINUTES} (ten years)"))
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
    let population = args.population.unwrap_or(args.method.population());
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

fn plan(args: &Args) -> TrainingPlan {
    let unlimited = args.generations.is_none() && args.minutes.is_none();
    TrainingPlan {
        generations: args.generations.or(unlimited.then_some(GENERATIONS)),
        time: args.minutes,
    }
}

pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let settings = settings(args)?;
    let files = Files::new(args)?;
    let games = Games::new(&settings).context("--board")?;
    let pool = threads::pool(args.threads.unwrap_or_else(threads::cores))?;
    // Held to the end.
    let _locks = files.lock()?;
    let given = serde_json::to_value(&settings)?;
    let (path, fresh) = (&files.checkpoint, args.fresh);
    let (journal, kept) = Journal::open::<Training>(KIND, path, &given, None, fresh)?;
    let kept = kept.into_iter().next_back();
    if kept.is_none() && !args.fresh {
        files.check_new()?;
    }
    let plan = plan(args);

    let silent = args.json.silences(quiet);
    let mut out = stdout(silent);
    if let Some(training) = &kept {
        let done = count(training.generations(), DONE);
        let path = shown(files.checkpoint.display());
        if training.chosen.is_some() && training.fulfils(&plan) {
            writeln!(
                out,
                "already finished after {done} ({path}); a higher --generations or \
                 --minutes continues, --fresh starts over"
            )?;
        } else {
            writeln!(out, "continuing after {done} ({path})")?;
        }
    }
    let stop = listen();
    let hub = match &args.workers {
        None => None,
        Some(workers) => {
            let listener = workers.bind().map_err(|why| anyhow!("--workers {why}"))?;
            let hub = Hub::start(listener, &settings).context("--workers")?;
            writeln!(out, "workers: lockstep work {}", hub.address)?;
            out.flush()?;
            Some(hub)
        }
    };
    let training = kept.unwrap_or_else(|| Training::new(settings));
    let kept = SavedTraining {
        journal,
        training,
        files: files.clone(),
    };
    let (known, ended) = generations::run(kept, (games, pool, hub), plan, silent, &stop).await?;
    let interrupted = matches!(ended, Ok(TrainingEnd::Interrupted));
    let result = ended.and_then(|end| match end {
        TrainingEnd::Finished => {
            files.write_results(&known)?;
            summarise(&mut *out, &known, &files)?;
            Ok(Outcome::Agreed)
        }
        TrainingEnd::Interrupted => {
            print_interrupted(&mut *out, &known, &files, args.fresh)?;
            Ok(Outcome::Interrupted)
        }
    });
    let begun = known.generations() > 0 || known.chosen.is_some();
    let written = |path: &Path| begun.then(|| path.display().to_string());
    // Lines and games are those after the choice; files and controller are absent before the first
    // generation.
    let document = json!({
        "settings": known.settings,
        "generations": known.generations(),
        "evaluations": known.evaluations,
        "pieces": known.pieces,
        "seconds": known.seconds,
        "lines": known.chosen.as_ref().map(|chosen| chosen.lines),
        "games": known.chosen.as_ref().map(|chosen| chosen.games),
        "controller": begun.then(|| files.controller(&known)),
        "out": written(&files.out),
        "plot": written(&files.plot),
        "checkpoint": written(&files.checkpoint),
    });
    let command = ("train", Tetris::NAME);
    args.json.end(command, interrupted, result, document)
}

fn print_interrupted(
    out: &mut dyn io::Write,
    training: &Training,
    files: &Files,
    fresh: bool,
) -> io::Result<()> {
    // The same command would start over.
    let how = if fresh { " without --fresh" } else { "" };
    let kept = match training.generations() {
        0 => return writeln!(out, "interrupted in the first generation: nothing is saved"),
        1 => "1 generation is".to_owned(),
        n => format!("{n} generations are"),
    };
    let checkpoint = shown(files.checkpoint.display());
    writeln!(
        out,
        "interrupted: {kept} saved in {checkpoint}; the same command{how} continues"
    )
}

fn summarise(out: &mut dyn io::Write, training: &Training, files: &Files) -> io::Result<()> {
    if let Some(chosen) = &training.chosen {
        let (lines, games) = (chosen.lines, count(chosen.games, FRESH));
        writeln!(out, "{lines:.1} lines a game over {games}")?;
    }
    write!(out, "{}", weights(&files.controller(training)))?;
    writeln!(out, "controller: {}", shown(files.out.display()))?;
    writeln!(out, "plot: {}", shown(files.plot.display()))
}

/// The weights of a linear controller, one a line.
fn weights(controller: &Controller) -> String {
    let weights = controller.linear().map(|linear| linear.published());
    let named = WEIGHT_FIELDS.iter().zip(weights.into_iter().flatten());
    let used = named.filter(|(_, weight)| *weight != 0.0);
    let rows = used.map(|(feature, weight)| [feature.name.to_owned(), format!("{weight:.6}")]);
    table::plain(["feature", "weight"], rows, 1..)
}
