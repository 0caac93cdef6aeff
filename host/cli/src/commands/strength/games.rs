//! The games of `lockstep strength`, from the first to the report.

use std::collections::BTreeSet;
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, bail};
use indicatif::HumanCount;
use lockstep::Stop;
use lockstep_games::Game as _;
use lockstep_games::tetris::Tetris;
use lockstep_lab::strength::GameResult;
use lockstep_lab::strength::run::Run;
use lockstep_lab::strength::state::State;
use lockstep_lab::strength::summary::{Speed, StrengthReport};
use lockstep_lab::strength::tetris::GameSettings;
use serde_json::{Value, json, to_value};

use super::Args;
use super::view::{bar, is_milestone, line, report, title};
use crate::games::tetris::options::Rules;
use crate::output::{Outcome, is_drawn, stdout};
use crate::run::worker::work;

/// The state of a run; taken from the worker when the run ends.
type Shared = Arc<Mutex<Option<State>>>;

/// Plays the unfinished games, and reports on all.
pub async fn play(
    args: &Args,
    terms: &GameSettings,
    state: State,
    quiet: bool,
    stop: &Stop,
) -> anyhow::Result<Outcome> {
    let silent = args.json.silences(quiet);
    let mut out = stdout(silent);
    writeln!(out, "{}", title(terms))?;
    let done: BTreeSet<u64> = state.below(args.games).map(|(game, _)| game).collect();
    let resumed = done.len() as u64;
    if resumed > 0 {
        let (finished, games) = (HumanCount(resumed), HumanCount(args.games));
        writeln!(out, "resumed: {finished} of {games} games")?;
    }
    out.flush()?;

    let threads = args.threads(args.games - resumed);
    let shared = Arc::new(Mutex::new(Some(state)));
    let pieces = Arc::new(AtomicU64::new(0));
    let shown = is_drawn(silent);
    let bar = bar(args.games, resumed, &pieces, shown);
    let begun = Instant::now();
    let playing = {
        let (terms, games, stop) = (terms.clone(), args.games, stop.clone());
        let (shared, pieces, bar) = (Arc::clone(&shared), Arc::clone(&pieces), bar.clone());
        let mut out = stdout(silent);
        move || {
            let run = Run {
                player: &terms.player(),
                games,
                done: &done,
                threads,
                pieces: &pieces,
                stop: &|| stop.requested(),
            };
            run.play(|game, played| {
                match &mut *locked(&shared) {
                    Some(state) => state.append(game, played)?,
                    None => bail!("the run has ended"),
                }
                bar.inc(1);
                if bar.is_hidden() && is_milestone(bar.position(), games) {
                    writeln!(out, "  {}", line(&bar, &pieces))?;
                }
                Ok(())
            })
        }
    };
    let played = work(stop, playing).await;
    bar.finish_and_clear();
    let state = locked(&shared).take().context("the state is gone")?;
    // A worker that was given up was interrupted, as one that ended early.
    let played = played.and_then(|played| played.unwrap_or(Ok(())));
    let games: Vec<GameResult> = state.below(args.games).map(|(_, played)| played).collect();
    let is_whole = played.is_ok() && games.len() as u64 == args.games;
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
    let kept = !is_whole && !state.games().is_empty();
    let kept = kept.then(|| state.path().display().to_string());
    let finished = games.len() as u64;
    let interrupted = played.is_ok() && !is_whole;
    let result = played.and_then(|()| {
        match (&found, &kept) {
            (Some(found), _) => write!(out, "{}", report(found))?,
            (None, Some(path)) => {
                let (finished, games) = (HumanCount(finished), HumanCount(args.games));
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
        "planned": args.games,
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
    let outcome = args.json.end(command, interrupted, result, &document)?;
    // Last: until all is written, the games may be needed again. Games beyond this run's
    // belong to one that was interrupted.
    if is_whole && args.state.is_none() && state.games().len() == games.len() {
        state.remove()?;
    }
    Ok(outcome)
}

fn locked(state: &Shared) -> MutexGuard<'_, Option<State>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}
