//! The games of `lockstep strength`, from the first to the report.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anyhow::{Context as _, bail};
use indicatif::{HumanCount, ProgressBar};
use lockstep::Stop;
use lockstep_lab::strength::Played;
use lockstep_lab::strength::progress::Progress;
use lockstep_lab::strength::report::Report;
use lockstep_lab::strength::run::Run;
use lockstep_lab::strength::state::State;
use lockstep_lab::strength::tetris::Terms;

use super::super::Outcome;
use super::super::output::stdout;
use super::super::worker::work;
use super::Args;
use super::document::Document;
use crate::views::strength::{bar, is_milestone, line, report, title};

/// The state of a run; taken from those who play when they are given up.
type Shared = Arc<Mutex<Option<State>>>;

/// Plays the games that are not finished yet and tells the result of all.
pub async fn play(
    args: &Args,
    terms: &Terms,
    state: State,
    quiet: bool,
    stop: &Stop,
) -> anyhow::Result<Outcome> {
    let silent = args.json.silences(quiet);
    let mut out = stdout(silent);
    let plan = args.plan(&state);
    writeln!(out, "{}", title(terms))?;
    if plan.finished > 0 {
        let (finished, games) = (HumanCount(plan.finished), HumanCount(plan.games));
        writeln!(out, "resumed: {finished} of {games} games")?;
    }
    out.flush()?;

    let done = state.below(args.games).map(|(game, _)| game).collect();
    let shared = Arc::new(Mutex::new(Some(state)));
    let progress = Arc::new(Progress::new(plan));
    let bar = bar(&progress, !silent && io::stderr().is_terminal());
    let games = Games {
        terms: terms.clone(),
        games: args.games,
        done,
        threads: plan.threads,
        progress: Arc::clone(&progress),
        bar: bar.clone(),
        state: Arc::clone(&shared),
        stop: stop.clone(),
    };
    let played = work(stop, move || games.play(stdout(silent))).await;
    bar.finish_and_clear();
    let state = locked(&shared).take();
    let state = state.context("the finished games are gone")?;
    // Those who were given up, and those who were told, ended early.
    let played = played.and_then(|played| played.unwrap_or(Ok(())));
    let finished = state.below(args.games).count() as u64;
    if played.is_err() || finished < args.games {
        return interrupted(args, terms, state, quiet, played);
    }

    let end = progress.now();
    let games: Vec<Played> = state.below(args.games).map(|(_, played)| played).collect();
    let found = Report::of(&games, &end).context("there are no games")?;
    write!(out, "{}", report(&found))?;
    out.flush()?;
    let document = Document::new(terms, args.games).complete(&found);
    args.json.write(&document)?;
    // Last: until all is written, the games may be wanted again. Those beyond
    // the ones asked for now were asked for before, and are still to be told.
    if args.state.is_none() && state.games().len() == games.len() {
        state.remove()?;
    }
    Ok(Outcome::Agreed)
}

/// All that the thread which plays needs.
struct Games {
    terms: Terms,
    games: u64,
    done: BTreeSet<u64>,
    threads: usize,
    progress: Arc<Progress>,
    bar: ProgressBar,
    state: Shared,
    stop: Stop,
}

impl Games {
    fn play(&self, mut out: Box<dyn Write + Send>) -> anyhow::Result<()> {
        let run = Run {
            player: &*self.terms.player(),
            games: self.games,
            done: &self.done,
            threads: self.threads,
            progress: &self.progress,
            stop: &|| self.stop.requested(),
        };
        let mut kept = self.done.len() as u64;
        run.play(|game, played| {
            match &mut *locked(&self.state) {
                Some(state) => state.append(game, played)?,
                None => bail!("given up"),
            }
            kept += 1;
            self.bar.set_position(kept);
            if self.bar.is_hidden() && is_milestone(kept, self.games) {
                writeln!(out, "  {}", line(&self.progress.now()))?;
            }
            Ok(())
        })
    }
}

fn locked(state: &Shared) -> MutexGuard<'_, Option<State>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Says what is kept of a run that was stopped or failed, and where.
fn interrupted(
    args: &Args,
    terms: &Terms,
    state: State,
    quiet: bool,
    played: anyhow::Result<()>,
) -> anyhow::Result<Outcome> {
    let mut out: Box<dyn Write> = match args.json.on_stdout() && !quiet {
        true => Box::new(anstream::stderr()),
        false => stdout(quiet),
    };
    let finished = state.below(args.games).count() as u64;
    let path = state.path().display().to_string();
    let kept = args.state.is_some() || !state.games().is_empty();
    let document = Document::new(terms, args.games);
    let document = document.ended(
        finished,
        played.as_ref().err(),
        kept.then_some(path.clone()),
    );
    let written = args.json.write(&document);
    if !kept {
        state.remove()?;
    }
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
