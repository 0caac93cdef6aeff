//! `lockstep play`

use std::io::{self, IsTerminal as _, Write};
use std::time::Duration;

use anyhow::Context as _;
use host::backend::Spec;
use host::games::tetris::{Controller, PieceSource, Setup};
use host::record::Recorder;
use host::report::totals::Totals;
use host::report::watch::Watch;
use serde::Serialize;

use super::{Outcome, Output, controller_help, header, interruptible, open, sinks, stdout};

#[derive(clap::Args)]
pub struct Args {
    /// A backend; repeat it for each. The first is the reference, whose moves
    /// are played: software (the golden model), sim (the RTL, simulated behind
    /// its UART), sim-uart (the same, bit by bit at its pins; sim-uart:baud=N
    /// sets the rate)
    #[arg(long = "backend", value_name = "BACKEND", default_values = ["software", "sim"])]
    backends: Vec<Spec>,
    #[arg(long, value_name = "NAME", default_value = "dt-20", help = controller_help())]
    controller: String,
    /// Games to play
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Pieces after which a game is stopped; good controllers play millions
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..))]
    max_pieces: u64,
    /// Seed of the pieces: the same seed deals the same games everywhere
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    seed: u64,
    /// How pieces are drawn
    #[arg(long, value_name = "SOURCE", value_enum, default_value_t = PieceSource::Uniform)]
    piece_source: PieceSource,
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

#[derive(Serialize)]
struct About<'a> {
    command: &'static str,
    game: &'static str,
    controller: &'a str,
    #[serde(flatten)]
    setup: Setup,
    max_pieces: u64,
}

pub async fn run(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let controller = Controller::load(&args.controller)?;
    args.output.check(&[])?;
    let mut session = interruptible(open(&args.backends).await?);
    session.configure(&controller).await?;

    // Nothing is written before everything else is known to work.
    let mut recorder = match &args.output.record {
        Some(path) => {
            let name = || format!("record {}", path.display());
            Some(Recorder::create(path).with_context(name)?)
        }
        None => None,
    };
    let setup = Setup {
        piece_source: args.piece_source,
        seed: args.seed,
    };
    let planned = args.games.saturating_mul(args.max_pieces);
    let header = header(&session, controller, Some(setup), Some(planned));
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
    let played = session
        .play(&header, &setup, args.games, args.max_pieces, &mut sinks)
        .await;
    drop(sinks);

    let record = args.output.record_name().filter(|_| played.is_ok());
    terminal.summary(&totals, record.as_deref())?;
    let about = About {
        command: "play",
        game: "tetris",
        controller: &header.controller.name,
        setup,
        max_pieces: args.max_pieces,
    };
    args.output.write_json(about, &totals)?;
    played?;
    Ok(Outcome::of(&totals))
}
