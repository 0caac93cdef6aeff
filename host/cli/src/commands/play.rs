//! `lockstep play`

mod resume;

use std::io::{self, IsTerminal as _};
use std::time::Duration;

use anyhow::bail;
use lockstep::backend::{Identity, Kind};
use lockstep::report::{Tally, Totals};
use lockstep::{Header, Listeners, Session, SessionError, Spec, Stop, solo};
use lockstep_explain::History;
use lockstep_games::tetris::position::WIDEST;
use lockstep_games::tetris::seeds::{self, Policy};
use lockstep_games::tetris::{Controller, Setup, Tetris};
use lockstep_games::{Golden as _, Match as _, Rules as _};
use serde::Serialize;

use resume::{Before, Beginning};

use super::Outcome;
use super::backends::{backend, configure, header, open, openers};
use super::interrupt::listen;
use super::investigate::{Report, Why};
use super::numbers::number;
use super::options::{ControllerChoice, Deal, Rules};
use super::output::{Output, stdout};
use super::reports;
use crate::failure::{all, shown};
use crate::views::screen;
use crate::views::summary::summary;
use crate::views::watch::Watch;

pub const EXAMPLES: &str = "\
Examples:
  lockstep play --games 3 --watch
  lockstep play --controller lowest --games 3 --record games.jsonl --json summary.json
  lockstep play --games 100 --max-pieces 100000 --record long.jsonl.zst --resume
  lockstep play --backend software --backend sim-uart:baud=115200 --max-pieces 20
  lockstep play --depth 2 --board 10x10 --max-pieces 200
  lockstep play --controller led-tetris --watch 20";

/// Longest time a board can be shown, in milliseconds: a minute.
const MOST_MS: u64 = 60_000;

#[derive(clap::Args)]
pub struct Args {
    #[arg(long = "backend", value_name = "BACKEND", value_parser = backend, help = backend_help())]
    backends: Vec<Spec>,
    #[command(flatten)]
    controller: ControllerChoice,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(1..=u64::MAX))]
    games: u64,
    /// Pieces after which a game is stopped; good controllers play millions
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = number::<u64>(1..=u64::MAX))]
    max_pieces: u64,
    #[command(flatten)]
    deal: Deal,
    /// On a terminal, draw the board piece by piece, each for so many
    /// milliseconds
    #[arg(long, value_name = "MS", num_args = 0..=1, default_missing_value = "60", value_parser = number::<u64>(0..=MOST_MS))]
    watch: Option<u64>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    why: Why,
    /// Go on with the record where it ends, whatever ended it; one that is not there is begun
    #[arg(long, requires = "record", conflicts_with = "force")]
    resume: bool,
}

fn backend_help() -> String {
    format!(
        "A backend; repeat it for each. The first is the reference, whose moves are played: {} \
         [default: software, and the engine and sim where they can play the same]",
        openers().summary()
    )
}

/// What was dealt.
#[derive(Serialize)]
#[serde(untagged)]
enum Dealt {
    Common(Setup),
    /// By a program's own rules.
    Own {
        seed: u64,
    },
}

#[derive(Serialize)]
struct About<'a> {
    command: &'static str,
    game: &'static str,
    controller: &'a str,
    rules: Rules,
    #[serde(flatten)]
    dealt: Dealt,
    max_pieces: u64,
    /// Of the first divergence.
    explanation: Option<Report>,
    /// What was played before, of a record that was gone on with.
    #[serde(skip_serializing_if = "Option::is_none")]
    resumed: Option<Before>,
}

/// Who plays the games.
enum Players {
    /// Backends, asked side by side.
    Session(Session<Tetris>),
    /// A seed's program by its own rules.
    Own(&'static dyn Policy),
}

impl Args {
    /// The backends named, or those that can play as the controller does.
    fn backends(&self, controller: &Controller, setup: &Setup) -> Vec<Spec> {
        if !self.backends.is_empty() {
            return self.backends.clone();
        }
        openers().defaults(controller, Tetris::board(setup))
    }

    async fn players(
        &self,
        controller: &Controller,
        setup: &Setup,
        quiet: bool,
        stop: &Stop,
    ) -> anyhow::Result<Players> {
        if let (Rules::Own, Some(policy)) = (self.deal.rules(controller)?, controller.policy()) {
            self.refuse_with_own_rules(controller)?;
            return Ok(Players::Own(policy));
        }
        if self.output.record().is_some() && setup.board.columns() > WIDEST {
            bail!(
                "--record: positions of at most {WIDEST} columns can be recorded, and the board is {}",
                setup.board
            );
        }
        let backends = open(&self.backends(controller, setup), quiet, stop).await?;
        let mut session = Session::new(backends, stop.clone());
        configure(&mut session, controller, quiet, stop).await?;
        // Whoever cannot hold the board says so before anything is written.
        session.check(&Tetris::deal(setup, 0).position())?;
        Ok(Players::Session(session))
    }

    fn refuse_with_own_rules(&self, controller: &Controller) -> anyhow::Result<()> {
        let rules = format!("{} plays by its own rules", controller.name);
        let remedy = "--rules common asks backends";
        let golden = |spec| openers().kind(spec) == Some(Kind::Golden);
        if !self.backends.iter().all(golden) {
            bail!("--backend: {rules}, which no backend can be asked; {remedy}");
        }
        if self.output.record().is_some() {
            bail!("--record: {rules}, which no record can repeat; {remedy}");
        }
        Ok(())
    }

    /// How long each board is shown; nothing where nobody sees it.
    fn pace(&self, quiet: bool) -> Option<Duration> {
        let pace = self.watch.map(Duration::from_millis)?;
        let shown = !self.output.json.silences(quiet) && io::stdout().is_terminal();
        shown.then_some(pace)
    }

    fn header(&self, players: &Players, controller: Controller, setup: Setup) -> Header<Tetris> {
        let planned = Some(self.games.saturating_mul(self.max_pieces));
        match players {
            Players::Session(session) => header(session, controller, Some(setup), planned),
            Players::Own(policy) => Header {
                seats: Vec::new(),
                backends: vec![program(*policy, &controller)],
                controller,
                setup: None,
                planned,
            },
        }
    }

    /// What is known of the games before they are played.
    fn about<'a>(
        &self,
        rules: Rules,
        header: &'a Header<Tetris>,
        resumed: Option<Before>,
    ) -> About<'a> {
        About {
            command: "play",
            game: "tetris",
            controller: &header.controller.name,
            rules,
            dealt: match header.setup {
                Some(setup) => Dealt::Common(setup),
                None => Dealt::Own {
                    seed: self.deal.seed(),
                },
            },
            max_pieces: self.max_pieces,
            explanation: None,
            resumed,
        }
    }
}

/// What plays by its own rules, for a session's header.
fn program(policy: &dyn Policy, controller: &Controller) -> Identity {
    Identity {
        name: "program".into(),
        kind: Kind::Golden,
        description: format!("{}, by its own rules", policy.summary()),
        capabilities: Tetris::capabilities(Some(controller)),
        core: None,
    }
}

pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let controller = args.controller.load()?;
    args.output.check(&[args.controller.file()], args.resume)?;
    args.why.check()?;
    let setup = args.deal.setup(&controller)?;
    let stop = listen();
    let mut players = args.players(&controller, &setup, quiet, &stop).await?;
    let mut header = args.header(&players, controller, setup);
    let pace = args.pace(quiet);

    let mut totals = Totals::default();
    let mut tally = Tally::default();
    let mut history = History::new(false);
    let mut listeners = Listeners::new()
        .with(&mut totals)
        .with(&mut tally)
        .with(&mut history);
    // Last of what can refuse.
    let Beginning {
        recorder,
        start,
        mut before,
    } = args.begin(&header)?;
    let mut out = stdout(args.output.json.silences(quiet));
    let resumed = before.as_ref().map(|(before, _)| *before);
    let mut told = Ok(());
    if let (Some(resumed), Some(path)) = (resumed, args.output.record()) {
        told = resumed.tell(&mut *out, path, recorder.is_some());
        let left = |planned: u64| planned.saturating_sub(resumed.decisions);
        header.planned = header.planned.map(left);
    }
    let games = match (resumed, &recorder) {
        // Nothing is to be added.
        (Some(_), None) => 0,
        _ => args.games,
    };
    if let Some(recorder) = recorder {
        listeners = listeners.on_thread("record", recorder)?;
    }
    let terminal = args
        .output
        .terminal(quiet, Some(args.games), pace.is_none());
    listeners = match pace {
        // The watch clears the screen for what the other writes.
        Some(_) => listeners.on_thread(
            "terminal",
            Both(Watch::new(stdout(false), screen), terminal),
        )?,
        None => listeners.on_thread("terminal", terminal)?,
    };
    let pace = pace.unwrap_or_default();
    let played: Result<(), SessionError> = match &mut players {
        Players::Session(session) => {
            session.set_pace(pace);
            session
                .play_on(
                    &header,
                    &setup,
                    start,
                    games,
                    args.max_pieces,
                    &mut listeners,
                )
                .await
        }
        Players::Own(policy) => {
            let (policy, seed) = (*policy, args.deal.seed());
            let games = solo::Games {
                deal: &|game| seeds::solo(policy, seed, game),
                games: args.games,
                max_moves: args.max_pieces,
                pace,
                stop: stop.clone(),
            };
            games.play(&header, &mut listeners).await
        }
    };
    // A session that could not begin has not waited for them.
    let finished = listeners.finish().await;
    drop(listeners);
    if let Err(error) = &played {
        totals.error = Some(error.to_string());
    }
    if let Some((_, mut all)) = before.take() {
        all.merge(totals);
        totals = all;
    }

    let record = args.output.record().filter(|_| played.is_ok());
    let record = record.map(|path| shown(&path.display().to_string()));
    told = told.and_then(|()| summary::<Tetris>(&mut *out, &totals, record.as_deref()));
    let about = match players {
        Players::Session(session) => About {
            explanation: args
                .why
                .look(history, session, quiet, &stop, &mut *out)
                .await,
            ..args.about(Rules::Common, &header, resumed)
        },
        Players::Own(_) => args.about(Rules::Own, &header, resumed),
    };
    let session = reports::Session {
        command: "play",
        controllers: vec![header.controller.name.clone()],
        totals: &totals,
        tally: &tally,
        records: &[],
        apart: None,
        explanation: about.explanation.as_ref(),
    };
    let reported = args.output.write_reports(&session, quiet);
    let written = args.output.write_json(about, &totals);
    all([
        played.map_err(Into::into),
        finished.map_err(Into::into),
        told.map_err(Into::into),
        reported,
        written,
    ])?;
    Ok(Outcome::of(&totals))
}

/// Two views on one terminal, told one after the other.
struct Both<A, B>(A, B);

impl<G, A, B> lockstep::Sink<G> for Both<A, B>
where
    G: lockstep_games::Game,
    A: lockstep::Sink<G>,
    B: lockstep::Sink<G>,
{
    fn take(&mut self, event: &lockstep::Event<G>) -> io::Result<()> {
        self.0.take(event)?;
        self.1.take(event)
    }
}
