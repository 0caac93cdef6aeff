//! `lockstep strength`

use std::fs;
use std::io::{self, IsTerminal as _, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, bail};
use indicatif::HumanCount;
use lockstep::Stop;
use lockstep_engine::tetris::{Engine, Path as Dispatch};
use lockstep_games::tetris::{Arithmetic, Search, Setup};
use lockstep_lab::strength::Played;
use lockstep_lab::strength::bar::{bar, is_milestone};
use lockstep_lab::strength::estimate::Plan;
use lockstep_lab::strength::place::default_place;
use lockstep_lab::strength::progress::Progress;
use lockstep_lab::strength::report::Report;
use lockstep_lab::strength::run::Run;
use lockstep_lab::strength::state::State;
use lockstep_lab::strength::tetris::Terms;
use serde::Serialize;

use super::Outcome;
use super::files::{STDOUT, check_writable, is_same};
use super::interrupt::listen;
use super::options::{ControllerChoice, Deal, Rules};
use super::output::{Json, stdout};

/// Plays whole games on all cores; a run that was interrupted goes on when it is
/// asked for again.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    controller: ControllerChoice,
    /// Games to play; more of them later cost only the difference, if the state
    /// is kept (--state)
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    #[command(flatten)]
    deal: Deal,
    /// The numbers a linear controller computes with: fixed (the wire's), float
    /// (double precision, the weights as published) or a number of bits for the
    /// weights, 2 to 31
    #[arg(long, value_name = "FORMAT", default_value_t = Arithmetic::Fixed)]
    arithmetic: Arithmetic,
    /// Pieces after which a game is stopped; never unless named
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    max_pieces: Option<u64>,
    /// Games played at the same time; as many as there are cores unless named
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: Option<u64>,
    #[command(flatten)]
    json: Json,
    /// Keep the finished games in this file, also after the end; otherwise they
    /// lie with the user's state files until all are finished
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    /// Drop the games that were finished before
    #[arg(long)]
    fresh: bool,
}

pub async fn run(args: Args, quiet: bool) -> anyhow::Result<Outcome> {
    let controller = args.controller.load()?;
    let terms = Terms {
        setup: args.deal.setup(&controller)?,
        own_rules: args.deal.rules(&controller)? == Rules::Own,
        max_pieces: args.max_pieces,
        arithmetic: args.arithmetic,
        written: match args.arithmetic {
            Arithmetic::Float => args.controller.written()?,
            _ => None,
        },
        controller,
    };
    args.check_arithmetic(&terms)?;
    args.check()?;
    let state = args.open(&terms)?;
    let interrupt = listen();
    // On a thread of its own: this one listens for interrupts.
    let games = move || play(&args, &terms, state, quiet, &interrupt);
    tokio::task::spawn_blocking(games).await?
}

impl Args {
    /// Fails where the games cannot be played in that arithmetic.
    fn check_arithmetic(&self, terms: &Terms) -> anyhow::Result<()> {
        let (name, format) = (&terms.controller.name, self.arithmetic);
        if format == Arithmetic::Fixed {
            return Ok(());
        }
        let Some(linear) = terms.controller.linear() else {
            bail!("--arithmetic {format}: {name} is a program and computes as it computes");
        };
        if format == Arithmetic::Float && linear.search != Search::ONE {
            bail!("--arithmetic float: it looks at one piece alone; leave --depth out");
        }
        Engine::new(linear, terms.setup.board, Dispatch::Portable)
            .with_context(|| format!("--arithmetic {format}"))?;
        Ok(())
    }

    /// Fails before anything is written where an output cannot be had.
    fn check(&self) -> anyhow::Result<()> {
        self.json.check(&[self.controller.file()])?;
        if let Some(state) = &self.state {
            if state == Path::new(STDOUT) {
                bail!("--state -: a state is a file; name one");
            }
            check_writable("--state", state)?;
            if is_same(state, self.controller.file()) {
                let state = state.display();
                bail!("--state {state}: that is the controller, which is read; name another file");
            }
        }
        if let Some(state) = &self.state
            && fs::metadata(state).is_ok_and(|about| !about.is_file())
        {
            bail!(
                "--state {}: that is no ordinary file; name one",
                state.display()
            );
        }
        if let (Some(json), Some(state)) = (self.json.file(), &self.state)
            && is_same(json, state)
        {
            bail!("--json and --state name the same file; give each its own");
        }
        Ok(())
    }

    fn open(&self, terms: &Terms) -> anyhow::Result<State> {
        let header = terms.header();
        let path = match &self.state {
            Some(path) => path.clone(),
            None => {
                let path = default_place(&terms.controller.name, &header)?;
                if let Some(folder) = path.parent() {
                    let remedy = || {
                        let folder = folder.display();
                        format!("{folder}: no folder for finished games; name a file with --state")
                    };
                    fs::create_dir_all(folder).with_context(remedy)?;
                }
                path
            }
        };
        Ok(State::open(&path, &header, self.fresh)?)
    }

    /// What is left to play, and what was finished before.
    fn plan(&self, state: &State) -> Plan {
        let mut plan = Plan {
            games: self.games,
            max_pieces: self.max_pieces,
            ..Plan::default()
        };
        for (_, played) in state.below(self.games) {
            plan.resume(&played);
        }
        let cores = || std::thread::available_parallelism().map_or(1, usize::from) as u64;
        let left = (self.games - plan.finished).max(1);
        plan.threads = self.threads.unwrap_or_else(cores).min(left) as usize;
        plan
    }
}

/// Plays the games that are not finished yet and tells the result of all.
fn play(
    args: &Args,
    terms: &Terms,
    mut state: State,
    quiet: bool,
    interrupt: &Stop,
) -> anyhow::Result<Outcome> {
    let silent = args.json.silences(quiet);
    let mut out = stdout(silent);
    let plan = args.plan(&state);
    writeln!(out, "{terms}")?;
    if plan.finished > 0 {
        let (finished, games) = (HumanCount(plan.finished), HumanCount(plan.games));
        writeln!(out, "resumed: {finished} of {games} games")?;
    }
    out.flush()?;

    let done = state.below(args.games).map(|(game, _)| game).collect();
    let progress = Arc::new(Progress::new(plan));
    let bar = bar(&progress, !silent && io::stderr().is_terminal());
    let run = Run {
        player: &*terms.player(),
        games: args.games,
        done: &done,
        threads: plan.threads,
        progress: &progress,
        stop: &|| interrupt.requested(),
    };
    let mut kept = plan.finished;
    let played = run.play(|game, played| -> anyhow::Result<()> {
        state.append(game, played)?;
        kept += 1;
        bar.set_position(kept);
        if bar.is_hidden() && is_milestone(kept, args.games) {
            writeln!(out, "  {}", progress.now())?;
        }
        Ok(())
    });
    bar.finish_and_clear();
    played?;
    let end = progress.now();
    if end.games() < args.games {
        interrupted(args, state, quiet)?;
        return Ok(Outcome::Interrupted);
    }

    let games: Vec<Played> = state.below(args.games).map(|(_, played)| played).collect();
    let report = Report::of(&games, &end).context("there are no games")?;
    write!(out, "{report}")?;
    out.flush()?;
    args.json.write(&Document::new(terms, &report))?;
    // Last: until all is written, the games may be wanted again. Those beyond
    // the ones asked for now were asked for before, and are still to be told.
    if args.state.is_none() && state.games().len() == games.len() {
        state.remove()?;
    }
    Ok(Outcome::Agreed)
}

/// Says what is kept, and where. The result of the finished games is not told:
/// short games finish first, so that it would be too low.
fn interrupted(args: &Args, state: State, quiet: bool) -> anyhow::Result<()> {
    let mut out: Box<dyn Write> = match args.json.on_stdout() && !quiet {
        true => Box::new(anstream::stderr()),
        false => stdout(quiet),
    };
    if state.games().is_empty() && args.state.is_none() {
        state.remove()?;
        writeln!(
            out,
            "interrupted before a game was finished: nothing is kept"
        )?;
        return Ok(());
    }
    let finished = HumanCount(state.below(args.games).count() as u64);
    let (games, path) = (HumanCount(args.games), state.path().display());
    let how = if args.fresh { " without --fresh" } else { "" };
    writeln!(
        out,
        "interrupted: {finished} of {games} games are finished and kept in\n  {path}\n\
         the same command{how} goes on"
    )?;
    Ok(())
}

/// What `--json` writes.
#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    game: &'static str,
    controller: &'a str,
    rules: Rules,
    /// The setup, of which a program's own rules use the seed alone.
    #[serde(flatten)]
    setup: &'a Setup,
    depth: usize,
    /// Placements looked into; `None` where it is all of them.
    beam: Option<u16>,
    max_pieces: Option<u64>,
    arithmetic: Arithmetic,
    #[serde(flatten)]
    report: &'a Report,
}

impl<'a> Document<'a> {
    fn new(terms: &'a Terms, report: &'a Report) -> Self {
        let linear = terms.controller.linear();
        Self {
            command: "strength",
            game: "tetris",
            controller: &terms.controller.name,
            rules: match terms.own_rules {
                true => Rules::Own,
                false => Rules::Common,
            },
            setup: &terms.setup,
            depth: linear.map_or(1, |linear| linear.search.depth()),
            beam: linear.and_then(|linear| linear.search.width()),
            max_pieces: terms.max_pieces,
            arithmetic: terms.arithmetic,
            report,
        }
    }
}
