//! `lockstep challenge`: a person plays against a backend, in the terminal or in a browser.
//!
//! [`Table`] is the game, [`Player`] a backend; [`Screen`] and [`Page`] show what is [`Shown`] and
//! return the person's commands.

mod page;
mod player;
mod recorded;
mod screen;
mod shown;
mod statistics;
mod table;

use std::path::PathBuf;

use anyhow::{Context as _, anyhow, bail};
use chrono::{SecondsFormat, Utc};
use clap::Arg;
use lockstep::{Answer, SessionError, Spec, Stop};
use protocol::layout::link::BUTTON_COUNT;
use ratatui::crossterm::event::KeyCode;
use serde::Deserialize;

use page::Page;
use player::{Player, Reply, Work};
use screen::Screen;
use shown::{Shown, marked};
use statistics::{Entry, Statistics};
use table::Table;

use crate::games::options::{ControllerArgs, GameName};
use crate::games::{CliGame, Deal as _};
use crate::input::numbers::number;
use crate::output::failure::all;
use crate::output::{Outcome, stdout};
use crate::run::wait::Run;
use crate::session::backends::backend;
use crate::session::web::Address;

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep challenge --game connect4 --backend sim
  lockstep challenge --game gomoku --backend engine --depth 6 --second
  lockstep challenge --backend serial:/dev/ttyUSB1 --advice software
  lockstep challenge --game gomoku --view 8080
  lockstep challenge --show")]
pub struct Args<G: CliGame> {
    #[arg(long, value_name = "BACKEND", value_parser = backend::<G>, default_value = "engine", help = backend_help::<G>())]
    backend: Spec,
    /// Let the backend move first
    #[arg(long)]
    second: bool,
    /// A backend that advises you when you ask for it
    #[arg(long, value_name = "BACKEND", value_parser = backend::<G>)]
    advice: Option<Spec>,
    #[command(flatten)]
    controller: ControllerArgs<G>,
    #[command(flatten)]
    deal: G::DealArgs,
    #[arg(long = G::MAX_MOVES, value_name = "N", default_value = limit::<G>(), hide = G::SEATS.len() > 1, value_parser = number::<u64>(1..=u64::MAX), help = limit_help::<G>())]
    max_moves: u64,
    /// Play in a browser, served at HOST:PORT, or at a port on this machine alone (0: any free one)
    #[arg(long, value_name = "ADDR")]
    view: Option<Address>,
    /// Keep the results of your games in this file [default: challenge.jsonl in the user's state
    /// folder]
    #[arg(long, value_name = "FILE")]
    statistics: Option<PathBuf>,
    /// Write the last finished game to FILE as a record, which `replay`, `record` and `view` read
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Print the results of all your games, or of those of --game, and exit
    #[arg(long)]
    show: bool,
    #[command(flatten)]
    game: GameName<G>,
}

fn backend_help<G: CliGame>() -> String {
    format!("Your opponent\n{}", G::backends().summary())
}

/// A person has the patience for a hundred pieces; games of two players end by themselves.
const fn limit<G: CliGame>() -> &'static str {
    if G::SEATS.len() > 1 { "100000" } else { "100" }
}

fn limit_help<G: CliGame>() -> String {
    let many = G::WORDS.step.many;
    format!("Compare the scores after N {many}")
}

/// Changes the default options of a game: people begin on an empty board.
pub fn empty_board(option: Arg) -> Arg {
    match option.get_id() == "opening" {
        true => option.default_value("0"),
        false => option,
    }
}

/// A request of the person who plays.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Moves at a place, as in [`CliGame::choices`].
    Play {
        at: [usize; 2],
        /// Number of moves on the board that the person saw.
        moves: usize,
    },
    TakeBack,
    Advice,
    /// Begins another game.
    New {
        first: bool,
    },
    #[serde(skip)]
    Quit,
}

pub async fn run<G: CliGame>(args: &Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    let statistics = Statistics::open(args.statistics.as_deref())?;
    if args.show {
        let game = args.game.is_named().then_some(G::NAME);
        stdout(quiet).write_all(statistics.table(game).as_bytes())?;
        return Ok(Outcome::Agreed);
    }
    if let Some(path) = &args.record {
        recorded::check(path, &statistics.path)?;
    }
    let controller = args.controller.load()?;
    let setup = args.deal.setup(&controller)?;
    if args.deal.own_rules(&controller)?.is_some() {
        let name = G::name(&controller);
        bail!("--controller: {name} plays by its own rules; add --rules common");
    }
    if args.view.is_none() {
        Screen::check()?;
    }
    let listener = args.view.as_ref().map(Address::bind).transpose();
    let listener = listener.map_err(|why| anyhow!("--view {why}"))?;
    let run = Run::start(quiet);
    let mut table = Table::<G>::new(setup, args.max_moves, statistics.games(G::NAME));
    table.begin(table.game, !args.second)?;
    let position = table.position();
    let adviser = match &args.advice {
        Some(spec) => Some(Player::open(spec, 1, &controller, &position, &run).await?),
        None => None,
    };
    let mut challenge = Challenge {
        opponent: Player::open(&args.backend, 0, &controller, &position, &run).await?,
        adviser,
        table,
        controller,
        record: args.record.clone(),
        is_recorded: false,
        statistics,
        advice: 0,
        advised: Vec::new(),
        note: String::new(),
        unkept: Ok(()),
    };
    let mut front = match listener {
        Some(listener) => Front::Page(Page::start(listener)?),
        None => Front::Screen(Box::new(Screen::start()?)),
    };
    let played = challenge.play(&mut front, &run.stop).await;
    let ended = match &played {
        Err(error) => format!("error: {error:#}"),
        Ok(_) => "lockstep has ended".into(),
    };
    front.end(challenge.shown(Some(ended))).await;
    challenge.opponent.end().await;
    if let Some(adviser) = challenge.adviser {
        adviser.end().await;
    }
    let printed = stdout(quiet).write_all(challenge.statistics.table(None).as_bytes());
    let (outcome, played) = match played {
        Ok(outcome) => (outcome, Ok(())),
        Err(error) => (Outcome::Agreed, Err(error)),
    };
    all([played, challenge.unkept, printed.map_err(Into::into)])?;
    Ok(outcome)
}

/// The keys of a board's buttons, in the terminal and in a browser.
const BUTTONS: [(KeyCode, &str); BUTTON_COUNT] = [
    (KeyCode::Left, "ArrowLeft"),
    (KeyCode::Right, "ArrowRight"),
    (KeyCode::Up, "ArrowUp"),
    (KeyCode::Down, "ArrowDown"),
    (KeyCode::Enter, "Enter"),
    (KeyCode::Enter, "Enter"),
];

/// Where the person plays.
enum Front {
    Screen(Box<Screen>),
    Page(Page),
}

impl Front {
    fn show(&mut self, shown: Shown) {
        match self {
            Self::Screen(screen) => screen.show(shown),
            Self::Page(page) => page.show(&shown),
        }
    }

    /// Acts on presses of a board's buttons as on keys.
    fn press(&mut self, presses: [u8; BUTTON_COUNT]) {
        let counts = presses.into_iter().map(usize::from);
        for (count, (key, name)) in counts.zip(BUTTONS) {
            match self {
                Self::Screen(screen) => screen.press(key, count),
                Self::Page(page) => page.press(name, count),
            }
        }
    }

    async fn next(&mut self) -> anyhow::Result<Command> {
        match self {
            Self::Screen(screen) => screen.next().await.context("the terminal"),
            Self::Page(page) => Ok(page.next().await),
        }
    }

    /// Gives the terminal back, or sends viewers the end.
    async fn end(self, shown: Shown) {
        if let Self::Page(page) = self {
            page.end(&shown).await;
        }
    }
}

/// Games between a person and a backend.
struct Challenge<G: CliGame> {
    table: Table<G>,
    opponent: Player<G>,
    adviser: Option<Player<G>>,
    controller: G::Controller,
    /// The file of the record, and whether a game of this run is in it.
    record: Option<PathBuf>,
    is_recorded: bool,
    statistics: Statistics,
    /// How often advice was asked for in this game.
    advice: u64,
    /// The cells of the advised move.
    advised: Vec<usize>,
    /// What the last command did, if the board does not show it.
    note: String,
    /// The error for results that could not be written.
    unkept: anyhow::Result<()>,
}

impl<G: CliGame> Challenge<G> {
    /// Plays until the person leaves.
    async fn play(&mut self, front: &mut Front, stop: &Stop) -> anyhow::Result<Outcome> {
        self.go_on()?;
        loop {
            front.show(self.shown(None));
            let advice = async {
                match &mut self.adviser {
                    Some(adviser) => adviser.reply().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                () = stop.wait() => return Ok(match front {
                    Front::Screen(_) => Outcome::Interrupted,
                    // A server has no other end.
                    Front::Page(_) => Outcome::Agreed,
                }),
                command = front.next() => match command? {
                    Command::Quit => return Ok(Outcome::Agreed),
                    command => self.obey(command)?,
                },
                reply = self.opponent.reply() => match reply? {
                    Reply::Decided(position, answers) => self.answered(&position, &answers)?,
                    Reply::Pressed(presses) => front.press(presses),
                },
                reply = advice => if let Reply::Decided(position, answers) = reply? {
                    self.advise(&position, &answers);
                }
            }
        }
    }

    fn obey(&mut self, command: Command) -> anyhow::Result<()> {
        self.note.clear();
        match command {
            Command::Play { at, moves } => {
                let choices = self.table.choices().into_iter();
                let mut choices = choices.filter(|_| moves == self.table.moves());
                let Some((_, decision)) = choices.find(|(place, _)| *place == at) else {
                    return Ok(());
                };
                self.table.play(decision)?;
                self.go_on()
            }
            Command::TakeBack if self.table.take_back()? => self.go_on(),
            Command::TakeBack => {
                self.note = match self.table.result {
                    Some(_) => "the game is over and counted".into(),
                    None => "you have not moved yet".into(),
                };
                Ok(())
            }
            Command::Advice => {
                self.note = match &self.adviser {
                    None => "no adviser: leave, and add --advice BACKEND".into(),
                    Some(_) if !self.table.is_persons_turn() => "it is not your turn".into(),
                    Some(adviser) => {
                        self.advice += 1;
                        adviser.want(Work::Decide(self.table.position()));
                        format!("{} is thinking about your move", adviser.name)
                    }
                };
                Ok(())
            }
            Command::New { first } => {
                self.advice = 0;
                self.table.begin(self.table.game + 1, first)?;
                self.go_on()
            }
            Command::Quit => Ok(()),
        }
    }

    /// Plays the opponent's answer, unless the person has taken the position back.
    fn answered(&mut self, position: &G::Position, answers: &[Answer<G>]) -> anyhow::Result<()> {
        let is_wanted = self.table.result.is_none() && !self.table.is_persons_turn();
        let answer = answers.first().filter(|_| is_wanted);
        let Some(answer) = answer.filter(|_| *position == self.table.position()) else {
            return Ok(());
        };
        let played = self.table.play(answer.decision.clone());
        played.map_err(|why| SessionError::Forbidden {
            game: self.table.game + 1,
            step: self.table.moves() as u64 + 1,
            backend: (&self.opponent.name).into(),
            why: why.into(),
        })?;
        self.go_on()
    }

    /// Marks the adviser's move, unless the position is another one now.
    fn advise(&mut self, position: &G::Position, answers: &[Answer<G>]) {
        let is_wanted = self.table.is_persons_turn() && *position == self.table.position();
        if let Some(answer) = answers.first().filter(|_| is_wanted) {
            let picture = G::picture(position, Some(&answer.decision));
            self.advised = marked(&picture).map(|(index, _)| index).collect();
            let move_of = |player: &Player<G>| format!("{} advises the marked move", player.name);
            let words = self.adviser.as_ref().map(move_of).into_iter();
            self.note = words.chain(picture.notes).collect::<Vec<_>>().join(": ");
        }
    }

    /// After a move: keeps the result, or asks the opponent for the next one.
    fn go_on(&mut self) -> anyhow::Result<()> {
        self.advised.clear();
        if let Some(adviser) = &self.adviser {
            adviser.want(Work::None);
        }
        self.opponent.want(match self.table.result {
            Some(_) => Work::None,
            None if self.table.is_persons_turn() => Work::Buttons,
            None => Work::Decide(self.table.position()),
        });
        let Some(result) = self.table.result else {
            return Ok(());
        };
        let kept = self.statistics.append(Entry {
            time: Utc::now().to_rfc3339_opts(SecondsFormat::Secs, true),
            game: G::NAME.into(),
            backend: self.opponent.name.clone(),
            controller: self.controller_name(),
            moved_first: self.table.person_first,
            result,
            moves: self.table.moves(),
            scores: self.table.scores(),
            takebacks: self.table.takebacks,
            advice: self.advice,
        });
        for why in [kept, self.record()].into_iter().filter_map(Result::err) {
            self.note = format!("the result is not saved: {why:#}");
            self.unkept = Err(why);
        }
        Ok(())
    }

    /// Writes the finished game to the record, if one is wanted.
    fn record(&mut self) -> anyhow::Result<()> {
        let Some(path) = &self.record else {
            return Ok(());
        };
        let (table, opponent) = (&self.table, &self.opponent.identity);
        recorded::write(path, self.is_recorded, table, opponent, &self.controller)?;
        self.is_recorded = true;
        Ok(())
    }

    /// The controller's name, with its depth if it looks ahead.
    fn controller_name(&self) -> String {
        let name = G::name(&self.controller);
        match G::integers(&self.controller).get("depth") {
            Some(depth @ 2..) => format!("{name}:{depth}"),
            _ => name.into(),
        }
    }
}
