//! `lockstep strength`

mod view;

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, anyhow, bail};
use indicatif::HumanCount;
use lockstep_engine::tetris::{Engine, Path as Dispatch};
use lockstep_games::tetris::controller::published_weights;
use lockstep_games::tetris::{Arithmetic, Search, Tetris};
use lockstep_games::{Game as _, Shard};
use lockstep_lab::strength::run::Run;
use lockstep_lab::strength::state::{State, default_path};
use lockstep_lab::strength::summary::{Speed, StrengthReport};
use lockstep_lab::strength::tetris::GameSettings;
use lockstep_lab::strength::{GameResult, MAX_GAMES};
use lockstep_lab::threads::cores;
use serde_json::{Value, json, to_value};

use view::{report, title};

use crate::games::Deal as _;
use crate::games::options::{ControllerArgs, GameName};
use crate::games::tetris::options::{Deal, Rules};
use crate::input::numbers::number;
use crate::input::shards;
use crate::output::files::check_kept;
use crate::output::{Json, Outcome, bar, is_drawn, stdout};
use crate::run::interrupt::listen;
use crate::run::worker::work;

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep strength --controller dt-10 --board 10x10 --games 1000
  lockstep strength --controller dt-20 --board 8x9 --depth 2 --next averaged
  lockstep strength --controller ece532-v2.5 --rules own --json ece532.json
  lockstep strength --controller dt-20 --shard 2/8 --state shard-2.jsonl")]
pub struct Args {
    #[command(flatten)]
    controller: ControllerArgs<Tetris>,
    /// Games to play; a later run with more games plays only the additional ones, if the state is
    /// kept (--state)
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<u64>(1..=MAX_GAMES))]
    games: u64,
    #[command(flatten)]
    deal: Deal,
    /// Arithmetic of a linear controller: fixed (as on the wire), float (double precision, the
    /// weights as published) or a number of bits for the weights, 2 to 31
    #[arg(long, value_name = "FORMAT", default_value_t = Arithmetic::Fixed)]
    arithmetic: Arithmetic,
    /// Stop a game after N pieces [default: no limit]
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=u64::MAX))]
    max_pieces: Option<u64>,
    /// Threads that play, a game each [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = number::<usize>(1..=1024))]
    threads: Option<usize>,
    #[command(flatten)]
    game: GameName<Tetris>,
    #[command(flatten)]
    json: Json,
    /// Keep the finished games in this file, also after the end; by default they are in the user's
    /// state folder until all games are finished
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Discard the games that were finished before
    #[arg(long)]
    fresh: bool,
    /// Play shard I of N, every N-th game; `lockstep merge` joins the states of the N shards
    #[arg(long, value_name = "I/N", requires = "state")]
    shard: Option<Shard>,
}

pub async fn run(args: Args, quiet: bool) -> anyhow::Result<Outcome> {
    // Before a long state is read.
    let stop = listen();
    let controller = args.controller.load()?;
    let terms = GameSettings {
        setup: args.deal.setup(&controller)?,
        own_rules: args.deal.rules(&controller)? == Rules::Own,
        max_pieces: args.max_pieces,
        arithmetic: args.arithmetic,
        written: match args.arithmetic {
            Arithmetic::Float => published_weights(args.controller.name())?,
            _ => None,
        },
        controller,
    };
    args.check_arithmetic(&terms)?;
    let state = args.state.as_deref().map(|state| ("--state", state));
    let (json, read) = (args.json.file(), args.controller.file());
    check_kept(state.as_slice(), json, Some(read))?;
    let state = args.open(&terms)?;
    let silent = args.json.silences(quiet);
    let mut out = stdout(silent);
    writeln!(out, "{}", title(&terms))?;
    let done: BTreeSet<u64> = state
        .games
        .range(..args.games)
        .map(|(game, _)| *game)
        .collect();
    let resumed = done.len() as u64;
    let shard = args.shard.unwrap_or(Shard::ALL);
    let planned = shard.count(args.games);
    if resumed > 0 {
        let (finished, games) = (HumanCount(resumed), HumanCount(planned));
        writeln!(out, "resumed: {finished} of {games} games")?;
    }
    out.flush()?;

    let threads = args.threads(planned - resumed);
    // Taken from the worker when the run ends.
    let shared = Arc::new(Mutex::new(Some(state)));
    let pieces = Arc::new(AtomicU64::new(0));
    let style = "  {human_pos}/{human_len} games  {eta} left  {wide_bar}";
    let bar = bar(planned, style, is_drawn(silent));
    bar.set_position(resumed);
    bar.reset_eta();
    let begun = Instant::now();
    let playing = {
        let (terms, games, stop) = (terms.clone(), args.games, stop.clone());
        let (shared, pieces, bar) = (Arc::clone(&shared), Arc::clone(&pieces), bar.clone());
        let mut out = stdout(silent);
        move || {
            let run = Run {
                player: &terms.player(),
                games,
                shard,
                done: &done,
                threads,
                pieces: &pieces,
                stop: &|| stop.requested(),
            };
            run.play(|game, played| {
                match &mut *locked(&shared) {
                    Some(state) => state.append(game, played)?,
                    None => bail!("internal error: the run has ended"),
                }
                bar.inc(1);
                let finished = bar.position();
                if bar.is_hidden() && finished.is_multiple_of(planned.div_ceil(10)) {
                    let (finished, games) = (HumanCount(finished), HumanCount(planned));
                    writeln!(out, "  {finished} of {games} games")?;
                }
                Ok(())
            })
        }
    };
    let played = work(&stop, playing).await;
    bar.finish_and_clear();
    let state = locked(&shared)
        .take()
        .context("internal error: the state is gone")?;
    // A worker that was given up was interrupted, as one that ended early.
    let played = played.and_then(|played| played.unwrap_or(Ok(())));
    let finished = state.games.range(..args.games);
    let games: Vec<GameResult> = finished.map(|(_, played)| *played).collect();
    let is_whole = played.is_ok() && games.len() as u64 == planned;
    let (seconds, pieces) = (begun.elapsed().as_secs_f64(), pieces.load(Relaxed));
    let speed = Speed {
        threads,
        resumed,
        seconds,
        pieces_per_second: (pieces > 0 && seconds > 0.0).then(|| pieces as f64 / seconds),
    };
    let found = is_whole
        .then(|| StrengthReport::of(&games, speed))
        .flatten();
    let kept = !is_whole && !state.games.is_empty();
    let kept = kept.then(|| state.journal.path().display().to_string());
    let finished = games.len() as u64;
    let interrupted = played.is_ok() && !is_whole;
    let result = played.and_then(|()| {
        match (&found, &kept) {
            (Some(found), _) => write!(out, "{}", report(found))?,
            (None, Some(path)) => {
                let (finished, games) = (HumanCount(finished), HumanCount(planned));
                let how = if args.fresh { " without --fresh" } else { "" };
                writeln!(
                    out,
                    "interrupted: {finished} of {games} games are finished and saved in\n  {path}\n\
                     the same command{how} continues"
                )?;
            }
            (None, None) => {
                writeln!(
                    out,
                    "interrupted before a game was finished: nothing is saved"
                )?;
            }
        }
        out.flush()?;
        Ok(match is_whole {
            true => Outcome::Agreed,
            false => Outcome::Interrupted,
        })
    });
    let linear = terms.controller.linear();
    let mut document = json!({
        "controller": terms.controller.name,
        "rules": if terms.own_rules { Rules::Own } else { Rules::Common },
        "depth": linear.map_or(1, |linear| linear.search.depth()),
        // Null if all placements are searched further.
        "beam": linear.and_then(|linear| linear.search.width()),
        "max_pieces": terms.max_pieces,
        "arithmetic": terms.arithmetic,
        "shard": args.shard,
        "planned": planned,
        "finished": finished,
        "state": kept,
    });
    // Short games finish first, so that statistics of some games would be too low: there are none.
    for more in [to_value(terms.setup)?, to_value(&found)?] {
        if let (Some(members), Value::Object(more)) = (document.as_object_mut(), more) {
            members.extend(more);
        }
    }
    let command = ("strength", Tetris::NAME);
    let outcome = args.json.end(command, interrupted, result, document)?;
    // Last: until all is written, the games may be needed again. Games beyond this run's
    // belong to one that was interrupted.
    if is_whole && args.state.is_none() && state.games.len() == games.len() {
        state.journal.remove()?;
    }
    Ok(outcome)
}

impl Args {
    /// Fails if the games cannot be played with that arithmetic.
    fn check_arithmetic(&self, terms: &GameSettings) -> anyhow::Result<()> {
        let (name, format) = (&terms.controller.name, self.arithmetic);
        if format == Arithmetic::Fixed {
            return Ok(());
        }
        let Some(linear) = terms.controller.linear() else {
            bail!(
                "--arithmetic {format}: {name} is a program with its own arithmetic; leave \
                 --arithmetic out"
            );
        };
        if format == Arithmetic::Float && linear.search != Search::ONE {
            bail!("--arithmetic float: it has no lookahead; leave --depth out");
        }
        Engine::new(linear, terms.setup.board, Dispatch::Portable)
            .with_context(|| format!("--arithmetic {format}"))?;
        Ok(())
    }

    fn open(&self, terms: &GameSettings) -> anyhow::Result<State> {
        let settings = terms.settings();
        let path = match &self.state {
            Some(path) => path.clone(),
            None => {
                let path = default_path(&terms.controller.name, &settings)?;
                if let Some(folder) = path.parent() {
                    fs::create_dir_all(folder).map_err(|why| {
                        let folder = folder.display();
                        anyhow!(
                            "the folder {folder} of finished games cannot be created ({why}); name \
                             a file with --state"
                        )
                    })?;
                }
                path
            }
        };
        let shard = shards::header(self.shard, self.games, "game", 1)?;
        Ok(State::open(&path, &settings, shard, self.fresh)?)
    }

    fn threads(&self, games: u64) -> usize {
        let games = usize::try_from(games).unwrap_or(usize::MAX);
        self.threads.unwrap_or_else(cores).min(games.max(1))
    }
}

fn locked(state: &Mutex<Option<State>>) -> MutexGuard<'_, Option<State>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
