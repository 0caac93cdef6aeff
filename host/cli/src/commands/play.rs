//! `lockstep play`

mod contest;
mod resume;
mod seats;

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write};
use std::time::Duration;

use anyhow::{Context as _, bail};
use lockstep::backend::{Identity, Kind};
use lockstep::event::Seat;
use lockstep::record::{Head, Origin, SeatLine};
use lockstep::report::{Tally, Totals};
use lockstep::{Header, Listeners, Pace, Session, SessionError, programs};
use lockstep_explain::History;
use lockstep_games::{Match as _, Shard};
use lockstep_report::SessionReport;
use serde::Serialize;
use serde_json::Value;

pub use contest::Contest;
use resume::{Before, Beginning};
pub use seats::Seating;
use seats::{check_move_time, searches};

use crate::games::options::{ControllerArgs, GameName};
use crate::games::{CliGame, Deal as _, MAX_MOVES, Program};
use crate::input::numbers::number;
use crate::output::failure::all;
use crate::output::{Outcome, stdout};
use crate::run::wait::Run;
use crate::session::backends::{configure, header, names, open};
use crate::session::investigate::ExplainOptions;
use crate::session::output::{Ended, MOST_MS, Output};

#[derive(clap::Args)]
#[command(after_help = G::EXAMPLES.play)]
pub struct Args<G: CliGame> {
    #[command(flatten)]
    seating: Seating<G>,
    #[command(flatten)]
    games: Games<G>,
}

/// The options that `play` and `match` share.
#[derive(clap::Args)]
pub struct Games<G: CliGame> {
    /// Limit each search to MS milliseconds and play the best move found; each seat then has
    /// one backend
    #[arg(long, value_name = "MS", hide = !searches::<G>(), value_parser = number::<u64>(1..=86_400_000))]
    move_time: Option<u64>,
    #[command(flatten)]
    controller: ControllerArgs<G>,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(1..=u64::MAX))]
    games: u64,
    #[arg(long = G::MAX_MOVES, visible_alias = (G::MAX_MOVES != MAX_MOVES).then_some(MAX_MOVES), value_name = "N", default_value_t = 1000, value_parser = number::<u64>(1..=u64::MAX), help = limit_help::<G>())]
    max_moves: u64,
    #[command(flatten)]
    pub deal: G::DealArgs,
    #[arg(long, help = watch_help::<G>(), value_name = "MS", num_args = 0..=1, default_missing_value = "60", conflicts_with = "tui", value_parser = number::<u64>(0..=MOST_MS))]
    watch: Option<u64>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    why: ExplainOptions,
    #[command(flatten)]
    game: GameName<G>,
    /// Continue the record, even an incomplete one; create it if the file does not exist
    #[arg(long, requires = "record", conflicts_with = "force")]
    resume: bool,
    /// Play shard I of N, every N-th game; `lockstep merge` joins the records of the N shards
    #[arg(long, value_name = "I/N", requires = "record")]
    shard: Option<Shard>,
}

fn limit_help<G: CliGame>() -> String {
    let many = G::WORDS.step.many;
    format!("Stop a game after N {many}")
}

fn watch_help<G: CliGame>() -> String {
    let one = G::WORDS.step.one;
    format!(
        "On a terminal, draw the board {one} by {one}, each for MS milliseconds [without MS: 60]"
    )
}

#[derive(Serialize)]
#[serde(untagged)]
enum Dealt<S> {
    Common(S),
    Own { seed: u64 },
}

#[derive(Serialize)]
#[serde(bound = "")]
struct About<'a, G: CliGame> {
    controller: &'a str,
    /// The players of each seat, if the seats differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seats: Vec<SeatLine<G>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    move_time_ms: Option<u64>,
    rules: String,
    #[serde(flatten)]
    dealt: Dealt<G::Setup>,
    /// Maximum number of moves of a game, under the name of its option.
    #[serde(flatten)]
    limit: BTreeMap<String, u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resumed: Option<Before>,
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    standings: Option<Value>,
}

enum Players<G: CliGame> {
    /// The backends, which decide side by side.
    Session(Session<G>, Vec<Seat<G>>),
    Own(Program),
}

impl<G: CliGame> Games<G> {
    async fn players(
        &self,
        seating: &Seating<G>,
        controller: &G::Controller,
        setup: &G::Setup,
        run: &Run,
    ) -> anyhow::Result<Players<G>> {
        if let Some(program) = self.deal.own_rules(controller)? {
            self.refuse_with_own_rules(seating, controller)?;
            return Ok(Players::Own(program));
        }
        if self.output.record().is_some() {
            self.deal.check_recorded(setup).context("--record")?;
        }
        let mut specs = seating.specs();
        if specs.is_empty() {
            specs = G::backends().defaults(controller, G::board(setup));
        }
        let seats = seating.seats(&self.controller, controller, &specs)?;
        if self.move_time.is_some() {
            check_move_time(&seats, &specs).context("--move-time")?;
        }
        let mut session = Session::new(open(&specs, run).await?, run.stop.clone());
        session.move_time = self.move_time.map(Duration::from_millis);
        if seats.is_empty() {
            configure(&mut session, controller, run).await?;
        } else {
            let taking = session.take_seats(seats.clone());
            run.wait("setting controllers", taking).await?;
        }
        // Backends that cannot play the board refuse before anything is written.
        session.check(&G::deal(setup, 0).position())?;
        Ok(Players::Session(session, seats))
    }

    fn refuse_with_own_rules(
        &self,
        seating: &Seating<G>,
        controller: &G::Controller,
    ) -> anyhow::Result<()> {
        let rules = format!("{} plays by its own rules", G::name(controller));
        let remedy = "add --rules common";
        let golden = |spec| G::backends().kind(spec) == Some(Kind::Golden);
        if !seating.specs().iter().all(golden) {
            bail!("--backend: {rules}, but backends play by the common rules; {remedy}");
        }
        if self.output.record().is_some() {
            bail!("--record: {rules}, but a record holds games of the common rules; {remedy}");
        }
        Ok(())
    }

    fn is_watched(&self, quiet: bool) -> bool {
        let is_silent = self.output.json.silences(quiet);
        self.watch.is_some() && !is_silent && io::stdout().is_terminal()
    }

    fn header(
        &self,
        players: &Players<G>,
        controller: G::Controller,
        setup: G::Setup,
    ) -> Header<G> {
        let games = self.shard.unwrap_or(Shard::ALL).count(self.games);
        let planned = Some(games.saturating_mul(self.max_moves));
        match players {
            Players::Session(session, seats) => {
                let first = seats.first().map(|seat| seat.controller.clone());
                let controller = first.unwrap_or(controller);
                Header {
                    seats: seats.clone(),
                    ..header(session, controller, Some(setup), planned)
                }
            }
            Players::Own(program) => Header {
                planned,
                ..Header::new(vec![identity::<G>(program, &controller)], controller)
            },
        }
    }

    /// The settings of the games for JSON, known before the first game.
    fn about<'a>(
        &self,
        header: &'a Header<G>,
        resumed: Option<Before>,
        contest: Option<&Contest>,
    ) -> About<'a, G> {
        let rules = header
            .setup
            .as_ref()
            .map(|setup| G::describe(setup).rules.name);
        let limit = G::MAX_MOVES.replace('-', "_");
        let head = Head::of(header, Origin::default(), BTreeMap::new());
        About {
            controller: G::name(&header.controller),
            seats: head.seats,
            move_time_ms: head.move_time_ms,
            rules: rules.unwrap_or("own".into()),
            dealt: match &header.setup {
                Some(setup) => Dealt::Common(setup.clone()),
                None => Dealt::Own {
                    seed: self.deal.seed(),
                },
            },
            limit: BTreeMap::from([(limit, self.max_moves)]),
            resumed,
            standings: contest.map(Contest::members),
        }
    }
}

/// The identity of a program with its own rules, for a session's header.
fn identity<G: CliGame>(program: &Program, controller: &G::Controller) -> Identity {
    Identity {
        name: "program".into(),
        kind: Kind::Golden,
        description: format!("{}, by its own rules", program.summary).into(),
        capabilities: G::capabilities(Some(controller)),
        core: None,
    }
}

pub async fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    play(&args.games, &args.seating, None, quiet).await
}

/// Plays games; with `contest` they are a match of two players.
pub async fn play<G: CliGame>(
    args: &Games<G>,
    seating: &Seating<G>,
    mut contest: Option<Contest>,
    quiet: bool,
) -> anyhow::Result<Outcome> {
    let controller = args.controller.load()?;
    let read: Vec<_> = seating.files().chain([args.controller.file()]).collect();
    args.output.check(&read, args.resume)?;
    args.why.check()?;
    let setup = args.deal.setup(&controller)?;
    let run = Run::start(quiet);
    let mut players = args.players(seating, &controller, &setup, &run).await?;
    let mut header = args.header(&players, controller, setup.clone());
    let is_watched = args.is_watched(quiet);
    let command = if contest.is_some() { "match" } else { "play" };
    let mut views = args.output.views(command, &run)?;

    // The last check that can fail.
    let Beginning {
        recorder,
        start,
        before,
    } = args.begin(
        &header,
        contest.as_mut().map(|c| &mut c.standings),
        &run.stop,
    )?;
    let (resumed, totals) = before.unzip();
    let mut totals = totals.unwrap_or_default();
    let mut tally = Tally::default();
    let mut history = History::new(false);
    let mut listeners = Listeners::new(&run.stop)
        .with(&mut totals)
        .with(&mut tally)
        .with(&mut history);
    if let Some(contest) = &mut contest {
        listeners = listeners.with(&mut contest.standings);
    }
    let mut out = stdout(args.output.json.silences(quiet));
    let mut printed = Ok(());
    if let (Some(resumed), Some(path)) = (resumed, args.output.record()) {
        printed = resumed.print(&mut *out, path, recorder.is_some());
        let left = |planned: u64| planned.saturating_sub(resumed.decisions);
        header.planned = header.planned.map(left);
    }
    let games = match (resumed, &recorder) {
        // The record is complete.
        (Some(_), None) => 0,
        _ => args.games,
    };
    let output = &args.output;
    let terminal = output.terminal(quiet, "", Some(args.games), !is_watched);
    listeners = views.attach(listeners, recorder, terminal.watched(is_watched), false)?;
    let pace = match views.pace() {
        Some(pace) => pace,
        None if is_watched || args.output.has_frames() => {
            Pace::every(Duration::from_millis(args.watch.unwrap_or_default()))
        }
        None => Pace::default(),
    };
    let played: Result<(), SessionError> = match &mut players {
        Players::Session(session, _) => {
            session.pace = pace;
            session
                .play(
                    &header,
                    &setup,
                    start,
                    games,
                    args.max_moves,
                    &mut listeners,
                )
                .await
        }
        Players::Own(program) => {
            let games = programs::ProgramGames {
                deal: &*program.deal,
                games: args.games,
                max_moves: args.max_moves,
                pace,
            };
            games.play(&header, &mut listeners).await
        }
    };
    // A session that could not begin has not waited for them.
    let finished = listeners.finish().await;
    drop(listeners);
    views.finish().await?;
    let explain = match players {
        Players::Session(session, _) => Some((&args.why, history, session)),
        Players::Own(_) => None,
    };
    let ended = Ended {
        report: SessionReport {
            command,
            controllers: names::<G>(header.controllers()),
            totals,
            tally: &tally,
            records: &[],
            apart: None,
            explained: None,
        },
        result: all([played.map_err(Into::into), finished.map_err(Into::into)]),
        lists_pairs: false,
        explain,
    };
    let about = args.about(&header, resumed, contest.as_ref());
    let print = |out: &mut dyn Write, _: &Totals| {
        printed?;
        contest
            .as_ref()
            .map_or(Ok(()), |contest| contest.print::<G>(out))
    };
    args.output.end(ended, about, print, &mut *out, &run).await
}
