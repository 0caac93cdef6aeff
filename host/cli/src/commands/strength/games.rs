//! The games of `lockstep strength`, from the first to the report.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Write};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use anyhow::{Context as _, bail};
use indicatif::HumanCount;
use lockstep::Stop;
use lockstep_lab::strength::GameResult;
use lockstep_lab::strength::report::{Speed, StrengthReport};
use lockstep_lab::strength::run::Run;
use lockstep_lab::strength::state::State;
use lockstep_lab::strength::tetris::GameSettings;

use super::super::Outcome;
use super::super::output::stdout;
use super::super::worker::work;
use super::Args;
use super::document::Document;
use crate::views::strength::{bar, is_milestone, line, report, title};

/// The state of a run; taken from the worker when the run ends.
type Shared = Arc<Mutex<Option<State>>>;

/// Plays the games that are not finished yet and reports all.
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
    let shown = !silent && io::stderr().is_terminal();
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
    if played.is_err() || (games.len() as u64) < args.games {
        return interrupted(args, terms, state, quiet, played);
    }

    let (seconds, pieces) = (begun.elapsed().as_secs_f64(), pieces.load(Relaxed));
    let speed = Speed {
        threads,
        resumed,
        seconds,
        pieces_per_second: (pieces > 0 && seconds > 0.0).then(|| pieces as f64 / seconds),
    };
    let found = StrengthReport::of(&games, speed).context("there are no games")?;
    write!(out, "{}", report(&found))?;
    out.flush()?;
    let mut document = Document::new(terms, args.games);
    (document.finished, document.report) = (args.games, Some(&found));
    args.json.write(&document)?;
    // Last: until all is written, the games may be needed again. Games beyond those of this run
    // belong to one that was interrupted.
    if args.state.is_none() && state.games().len() == games.len() {
        state.remove()?;
    }
    Ok(Outcome::Agreed)
}

fn locked(state: &Shared) -> MutexGuard<'_, Option<State>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reports what is kept of a run that was stopped or failed, and where.
fn interrupted(
    args: &Args,
    terms: &GameSettings,
    state: State,
    quiet: bool,
    played: anyhow::Result<()>,
) -> anyhow::Result<Outcome> {
    let mut out = stdout(args.json.silences(quiet));
    let finished = state.below(args.games).count() as u64;
    let path = state.path().display().to_string();
    let kept = !state.games().is_empty();
    let mut document = Document::new(terms, args.games);
    document.finished = finished;
    document.interrupted = played.is_ok();
    document.error = played.as_ref().err().map(|error| format!("{error:#}"));
    document.state = kept.then(|| path.clone());
    let written = args.json.write(&document);
    played?;
    written?;
    if !kept {
        writeln!(
            out,
            "interrupted before a game was finished: nothing is kept"
        )?;
        return Ok(Outcome::Interrupted);
    }
    let (finished, games) = (HumanCount(finished), HumanCount(args.games));
    let how = if args.fresh { " without --fresh" } else { "" };
    writeln!(
        out,
        "interrupted: {finished} of {games} games are finished and kept in\n  {path}\n\
         the same command{how} goes on"
    )?;
    Ok(Outcome::Interrupted)
}
