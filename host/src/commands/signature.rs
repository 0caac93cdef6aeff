//! `lockstep signature`

use std::io::Write as _;

use anyhow::bail;
use host::games::tetris::board::Board;
use host::games::tetris::engine::{Engine, Game, Path, Tally};
use host::games::tetris::source::Pieces;
use host::games::tetris::{Controller, Linear, PieceSource, Search, Size, golden};
use rayon::prelude::*;

use super::{Interrupt, Outcome, listen, stdout};

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
    #[arg(long, value_name = "SOURCE", value_enum, default_value_t = PieceSource::Uniform)]
    piece_source: PieceSource,
    /// Also the golden model, some ten thousand pieces a second
    #[arg(long)]
    golden: bool,
}

/// Who plays: a path of the engine, or the golden model.
type Player = Option<Path>;

/// Every path of this machine.
fn paths() -> impl Iterator<Item = Path> {
    Path::ALL.into_iter().filter(|path| path.available())
}

/// Pieces between two looks at the interrupt.
const CHUNK: u64 = 10_000;

pub async fn run(args: Args, quiet: bool) -> anyhow::Result<Outcome> {
    let mut controllers = Vec::new();
    for name in &args.controllers {
        let controller = Controller::load(name)?;
        let Some(linear) = controller.linear().cloned() else {
            bail!("--controller {name}: the engine plays linear controllers; name one");
        };
        if linear.search != Search::ONE {
            bail!("--controller {name}: it looks ahead; signatures are of depth 1");
        }
        controllers.push((controller.name, linear));
    }
    // Fails here rather than on a thread.
    for path in paths() {
        for (_, linear) in &controllers {
            Engine::new(linear, args.board, path)?;
        }
    }
    let interrupt = listen();
    let compare = move || compare(&args, &controllers, &interrupt, quiet);
    tokio::task::spawn_blocking(compare).await?
}

fn compare(
    args: &Args,
    controllers: &[(String, Linear)],
    interrupt: &Interrupt,
    quiet: bool,
) -> anyhow::Result<Outcome> {
    let mut players: Vec<Player> = paths().map(Some).collect();
    if args.golden {
        players.push(None);
    }
    let mut out = stdout(quiet);
    let mut agreed = true;
    for (name, linear) in controllers {
        let tallies: Vec<Option<Tally>> = players
            .par_iter()
            .map(|player| tally(args, linear, *player, interrupt))
            .collect();
        for (player, tally) in players.iter().zip(&tallies) {
            let Some(tally) = tally else {
                writeln!(out, "interrupted")?;
                return Ok(Outcome::Interrupted);
            };
            let player = player.map_or("golden".into(), |path| path.to_string());
            writeln!(
                out,
                "  {name:<15} {player:<8} {:016x}  {} lines, {} games lost",
                tally.signature, tally.lines, tally.games
            )?;
        }
        agreed &= tallies.windows(2).all(|pair| pair[0] == pair[1]);
        out.flush()?;
    }
    writeln!(
        out,
        "{} pieces each: {}",
        args.pieces,
        match agreed {
            true => "every move agrees",
            false => "THE MOVES DIFFER",
        }
    )?;
    Ok(match agreed {
        true => Outcome::Agreed,
        false => Outcome::Diverged,
    })
}

/// What a player does; `None` once the user wants no more.
fn tally(args: &Args, linear: &Linear, player: Player, interrupt: &Interrupt) -> Option<Tally> {
    let pieces = Pieces::from_seed(args.piece_source, args.seed);
    let mut game = Game::new(args.board, pieces.clone());
    let mut golden = Golden {
        linear,
        board: Board::of_size(args.board),
        pieces,
        tally: game.tally(),
    };
    let engine = match player {
        Some(path) => Some(Engine::new(linear, args.board, path).ok()?),
        None => None,
    };
    let mut left = args.pieces;
    while left > 0 {
        if *interrupt.borrow() {
            return None;
        }
        let chunk = left.min(CHUNK);
        left -= match &engine {
            Some(engine) => {
                let before = game.tally().pieces;
                engine.play(&mut game, chunk);
                game.tally().pieces - before
            }
            None => {
                (0..chunk).for_each(|_| golden.step(args.board));
                chunk
            }
        };
    }
    Some(engine.map_or(golden.tally, |_| game.tally()))
}

/// The golden model's game, counted as the engine counts.
struct Golden<'a> {
    linear: &'a Linear,
    board: Board,
    pieces: Pieces,
    tally: Tally,
}

impl Golden<'_> {
    fn step(&mut self, size: Size) {
        let best = golden::best(&self.board, self.pieces.draw(), None, self.linear);
        let placed = best.map(|(candidate, _)| {
            self.board = candidate.after;
            let lines = candidate.features.rows_cleared as u64;
            (candidate.rotation, candidate.column, lines)
        });
        if placed.is_none() {
            self.board = Board::of_size(size);
        }
        self.tally.count(size, placed);
    }
}
