//! `lockstep signature`

use std::io::Write as _;

use anyhow::bail;
use lockstep::Stop;
use lockstep_engine::tetris::{Path, Tally};
use lockstep_games::tetris::source::Pieces;
use lockstep_games::tetris::{Controller, PieceSource, Search, Size};
use lockstep_lab::signature::Player;
use rayon::prelude::*;

use super::Outcome;
use super::interrupt::listen;
use super::options::piece_sources;
use super::output::stdout;

#[derive(clap::Args)]
pub struct Args {
    /// A linear controller of depth 1, preset or file; repeat it for each
    #[arg(long = "controller", value_name = "NAME", default_values = ["dellacherie", "el-tetris", "bcts", "dt-20", "probe"])]
    controllers: Vec<String>,
    /// Pieces played, game after game
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    pieces: u64,
    /// Columns x rows, up to 12x32
    #[arg(long, value_name = "SIZE", default_value_t = Size::STANDARD)]
    board: Size,
    /// State of the generator the pieces are drawn from
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// How pieces are drawn
    #[arg(long, value_name = "SOURCE", value_parser = piece_sources(), default_value_t = PieceSource::Uniform)]
    piece_source: PieceSource,
    /// Also the golden model, some ten thousand pieces a second
    #[arg(long)]
    golden: bool,
}

pub async fn run(args: Args, quiet: bool) -> anyhow::Result<Outcome> {
    let mut contests = Vec::new();
    for name in &args.controllers {
        let controller = Controller::load(name)?;
        let Some(linear) = controller.linear() else {
            bail!("--controller {name}: the engine plays linear controllers; name one");
        };
        if linear.search != Search::ONE {
            bail!("--controller {name}: it looks ahead; signatures are of depth 1");
        }
        let mut players = Vec::new();
        for path in Path::ALL.into_iter().filter(|path| path.available()) {
            players.push(Player::engine(linear, args.board, path)?);
        }
        if args.golden {
            players.push(Player::Golden {
                linear: linear.clone(),
                size: args.board,
            });
        }
        contests.push((controller.name, players));
    }
    let interrupt = listen();
    let compare = move || compare(&args, &contests, &interrupt, quiet);
    tokio::task::spawn_blocking(compare).await?
}

/// Plays every controller with all its players.
fn compare(
    args: &Args,
    contests: &[(String, Vec<Player>)],
    interrupt: &Stop,
    quiet: bool,
) -> anyhow::Result<Outcome> {
    let mut out = stdout(quiet);
    let mut outcome = Outcome::Agreed;
    let stop = || interrupt.requested();
    for (name, players) in contests {
        let pieces = Pieces::from_seed(args.piece_source, args.seed);
        let tally = |player: &Player| player.tally(pieces.clone(), args.pieces, &stop);
        let tallies: Vec<Option<Tally>> = players.par_iter().map(tally).collect();
        for (player, tally) in players.iter().zip(&tallies) {
            let Some(tally) = tally else {
                writeln!(out, "interrupted")?;
                return Ok(Outcome::Interrupted);
            };
            writeln!(
                out,
                "  {name:<15} {player:<8} {:016x}  {} lines, {} games lost",
                tally.signature, tally.lines, tally.games
            )?;
        }
        if tallies.windows(2).any(|pair| pair[0] != pair[1]) {
            outcome = Outcome::Diverged;
        }
        out.flush()?;
    }
    let result = match outcome {
        Outcome::Diverged => "THE MOVES DIFFER",
        _ => "every move agrees",
    };
    writeln!(out, "{} pieces each: {result}", args.pieces)?;
    Ok(outcome)
}
