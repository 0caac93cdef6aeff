//! `lockstep play`

use std::io::{self, IsTerminal as _, Write};
use std::time::Duration;

use anyhow::{Context as _, bail};
use host::backend::Spec;
use host::event::Header;
use host::games::tetris::position::WIDEST;
use host::games::tetris::seeds::Policy;
use host::games::tetris::{Controller, Setup, Size, Tetris};
use host::games::{Game as _, Match as _};
use host::own_game;
use host::record::Recorder;
use host::report::totals::Totals;
use host::report::watch::Watch;
use host::session::Session;
use serde::Serialize;

use super::options::{ControllerChoice, Deal, Rules};
use super::{Outcome, Output, header, interruptible, listen, open, sinks, stdout};

#[derive(clap::Args)]
pub struct Args {
    /// A backend; repeat it for each. The first is the reference, whose moves
    /// are played: software (the golden model), engine (the fast one), sim (the
    /// RTL, simulated behind its UART), sim-uart (the same, bit by bit at its pins; sim-uart:baud=N
    /// sets the rate) [default: software, and sim for what the RTL plays]
    #[arg(long = "backend", value_name = "BACKEND")]
    backends: Vec<Spec>,
    #[command(flatten)]
    controller: ControllerChoice,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Pieces after which a game is stopped; good controllers play millions
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    max_pieces: u64,
    #[command(flatten)]
    deal: Deal,
    /// On a terminal, draw the board piece by piece, each for so many
    /// milliseconds
    #[arg(long, value_name = "MS", num_args = 0..=1, default_missing_value = "60")]
    watch: Option<u64>,
    #[command(flatten)]
    output: Output,
}

impl Args {
    fn watch(&self, quiet: bool) -> Option<Watch<Box<dyn Write>>> {
        let pause = self.watch.map(Duration::from_millis)?;
        let shown = !self.output.silent(quiet) && io::stdout().is_terminal();
        shown.then(|| Watch::new(stdout(false), pause))
    }
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
        let on_the_wire = Tetris::encode_controller(controller).is_ok();
        Spec::defaults(on_the_wire && setup.board == Size::STANDARD)
    }

    async fn players(&self, controller: &Controller, setup: &Setup) -> anyhow::Result<Players> {
        if let (Rules::Own, Some(policy)) = (self.deal.rules(controller)?, controller.policy()) {
            self.refuse_with_own_rules(controller)?;
            return Ok(Players::Own(policy));
        }
        let backends = self.backends(controller, setup);
        if self.output.record_name().is_some() && setup.board.columns() > WIDEST {
            bail!(
                "--record: positions of at most {WIDEST} columns can be recorded, and the board is {}",
                setup.board
            );
        }
        let mut session = interruptible(open(&backends).await?);
        session.configure(controller).await?;
        if setup.board != Size::STANDARD {
            // Whoever cannot hold the board says so before anything is written.
            session.ask(&[Tetris::deal(setup, 0).position()]).await?;
        }
        Ok(Players::Session(session))
    }

    fn refuse_with_own_rules(&self, controller: &Controller) -> anyhow::Result<()> {
        let rules = format!("{} plays by its own rules", controller.name);
        let remedy = "--rules common asks backends";
        if self.backends.iter().any(|b| b.to_string() != "software") {
            bail!("--backend: {rules}, which no backend can be asked; {remedy}");
        }
        if self.output.record_name().is_some() {
            bail!("--record: {rules}, which no record can repeat; {remedy}");
        }
        Ok(())
    }
}

pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let controller = args.controller.load()?;
    args.output.check(&[args.controller.file().into()])?;
    let setup = args.deal.setup(&controller)?;
    let mut players = args.players(&controller, &setup).await?;

    // Nothing is written before everything else is known to work.
    let mut recorder = match &args.output.record {
        Some(path) => {
            let name = || format!("record {}", path.display());
            Some(Recorder::create(path).with_context(name)?)
        }
        None => None,
    };
    let planned = Some(args.games.saturating_mul(args.max_pieces));
    let header = match &players {
        Players::Session(session) => header(session, controller, Some(setup), planned),
        Players::Own(policy) => Header {
            backends: vec![own_game::identity(*policy)],
            controller,
            setup: None,
            planned,
        },
    };
    let mut totals = Totals::default();
    let mut watch = args.watch(quiet);
    let mut terminal = args
        .output
        .terminal(quiet, Some(args.games), watch.is_none());
    let mut sinks = sinks(&mut terminal, &mut totals, &mut recorder);
    if let Some(watch) = &mut watch {
        // First: it clears the screen for what the others write.
        sinks.insert(0, watch);
    }
    let played: anyhow::Result<()> = match &mut players {
        Players::Session(session) => session
            .play(&header, &setup, args.games, args.max_pieces, &mut sinks)
            .await
            .map_err(Into::into),
        Players::Own(policy) => {
            let interrupt = listen();
            let games = own_game::Games {
                policy: *policy,
                seed: args.deal.seed(),
                games: args.games,
                max_moves: args.max_pieces,
                stop: &|| *interrupt.borrow(),
            };
            games.play(&header, &mut sinks).await.map_err(Into::into)
        }
    };
    drop(sinks);

    let record = args.output.record_name().filter(|_| played.is_ok());
    terminal.summary(&totals, record.as_deref())?;
    let about = About {
        command: "play",
        game: "tetris",
        controller: &header.controller.name,
        rules: match &players {
            Players::Session(_) => Rules::Common,
            Players::Own(_) => Rules::Own,
        },
        dealt: match header.setup {
            Some(setup) => Dealt::Common(setup),
            None => Dealt::Own {
                seed: args.deal.seed(),
            },
        },
        max_pieces: args.max_pieces,
    };
    args.output.write_json(about, &totals)?;
    played?;
    Ok(Outcome::of(&totals))
}
