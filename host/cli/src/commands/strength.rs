//! `lockstep strength`

mod games;
mod view;

use std::fs;
use std::path::PathBuf;

use anyhow::{Context as _, anyhow, bail};
use lockstep_engine::tetris::{Engine, Path as Dispatch};
use lockstep_games::tetris::{Arithmetic, Search, Tetris};
use lockstep_lab::strength::MAX_GAMES;
use lockstep_lab::strength::state::State;
use lockstep_lab::strength::state::default_path;
use lockstep_lab::strength::tetris::GameSettings;
use lockstep_lab::threads::cores;

use crate::games::options::GameName;
use crate::games::tetris::options::{ControllerChoice, Deal, Rules};
use crate::games::{ChooseController as _, Deal as _};
use crate::input::numbers::number;
use crate::output::files::check_kept;
use crate::output::{Json, Outcome};
use crate::run::interrupt::listen;

pub const EXAMPLES: &str = "\
  lockstep strength --controller dt-10 --board 10x10 --games 1000
  lockstep strength --controller dt-20 --board 8x9 --depth 2 --next averaged
  lockstep strength --controller ece532-v2.5 --rules own --json ece532.json";

/// Plays whole games on all cores; the same command continues an interrupted run.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    controller: ControllerChoice,
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
            Arithmetic::Float => args.controller.written()?,
            _ => None,
        },
        controller,
    };
    args.check_arithmetic(&terms)?;
    args.check()?;
    let state = args.open(&terms)?;
    games::play(&args, &terms, state, quiet, &stop).await
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

    /// Fails before anything is written if an output cannot be written.
    fn check(&self) -> anyhow::Result<()> {
        self.json.check(&[self.controller.file()])?;
        let kept = self.state.iter().map(|state| ("--state", state.as_path()));
        let kept: Vec<_> = kept.collect();
        check_kept(&kept, self.json.file(), Some(self.controller.file()))
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
        Ok(State::open(&path, &settings, self.fresh)?)
    }

    /// Number of threads for `games` games.
    fn threads(&self, games: u64) -> usize {
        let games = usize::try_from(games).unwrap_or(usize::MAX);
        self.threads.unwrap_or_else(cores).min(games.max(1))
    }
}
