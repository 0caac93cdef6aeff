//! `lockstep signature`

use std::io::{self, Write as _};
use std::sync::Arc;

use anyhow::bail;
use indicatif::HumanCount;
use lockstep_engine::tetris::{EngineTotals, Path};
use lockstep_games::Game as _;
use lockstep_games::tetris::source::Pieces;
use lockstep_games::tetris::{Controller, PieceSource, Search, Size, Tetris};
use lockstep_lab::signature::{Player, Signature};
use lockstep_lab::threads;
use rayon::prelude::*;
use serde_json::json;

use crate::games::options::GameName;
use crate::games::tetris::options::piece_sources;
use crate::input::numbers::number;
use crate::output::{Json, Outcome, bar, is_drawn, stdout, table};
use crate::run::interrupt::listen;
use crate::run::worker::work;

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep signature
  lockstep signature --controller dellacherie --pieces 5000000
  lockstep signature --controller dt-20 --pieces 100000 --golden")]
pub struct Args {
    /// A linear controller of depth 1, built-in or a file; repeat the option for each
    #[arg(long = "controller", value_name = "NAME", default_values = ["dellacherie", "el-tetris", "bcts", "dt-20", "probe"])]
    controllers: Vec<String>,
    /// Pieces played, game after game
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = number::<u64>(1..=1_000_000_000_000))]
    pieces: u64,
    /// Columns x rows, up to 12x32
    #[arg(long, value_name = "SIZE", default_value_t = Size::STANDARD)]
    board: Size,
    /// Initial state of the generator that draws the pieces
    #[arg(long, value_name = "N", default_value_t = 42)]
    seed: u64,
    /// How pieces are drawn
    #[arg(long, value_name = "SOURCE", value_parser = piece_sources(), default_value_t = PieceSource::Uniform)]
    piece_source: PieceSource,
    /// Also play on the golden model, which places about ten thousand pieces a second
    #[arg(long)]
    golden: bool,
    #[command(flatten)]
    game: GameName<Tetris>,
    #[command(flatten)]
    json: Json,
}

/// A controller, and the software that plays a long game with it.
struct Contest {
    controller: String,
    players: Vec<Player>,
}

#[derive(Default)]
struct Found {
    signatures: Vec<Signature>,
    /// Controllers that were compared.
    compared: usize,
    differ: bool,
}

pub async fn run(args: Args, quiet: bool) -> anyhow::Result<Outcome> {
    let inputs: Vec<&std::path::Path> = args.controllers.iter().map(AsRef::as_ref).collect();
    args.json.check(&inputs)?;
    let contests = contests(&args)?;
    let all = contests.len();
    let players: usize = contests.iter().map(|contest| contest.players.len()).sum();
    let pool = Arc::new(threads::pool(threads::cores())?);
    let stop = listen();
    let silent = args.json.silences(quiet);
    let style = "  {wide_bar} {human_pos} of {human_len} pieces, {eta} left  {msg}";
    let planned = args.pieces.saturating_mul(players as u64);
    let bar = bar(planned, style, is_drawn(silent));
    let pieces = Pieces::from_seed(args.piece_source, args.seed);
    let mut found = Found::default();
    let mut done = Ok(());
    for contest in contests {
        bar.set_message(contest.controller.clone());
        let (pool, pieces, count) = (Arc::clone(&pool), pieces.clone(), args.pieces);
        let (bar, stopped) = (bar.clone(), stop.clone());
        let play = move || {
            let tick = |pieces| {
                bar.inc(pieces);
                !stopped.requested()
            };
            let tally = |player: &Player| player.tally(pieces.clone(), count, &tick);
            let players = || contest.players.par_iter().with_max_len(1);
            let tallies = pool.install(|| players().map(tally).collect::<Option<Vec<_>>>());
            (contest, tallies)
        };
        match work(&stop, play).await {
            Ok(Some((contest, Some(tallies)))) => found.add(&contest, &tallies),
            Ok(_) => break,
            Err(error) => {
                done = Err(error);
                break;
            }
        }
    }
    bar.finish_and_clear();
    let interrupted = done.is_ok() && found.compared < all;
    let printed = print(&args, &found, interrupted, silent);
    let document = json!({
        "pieces": args.pieces,
        "board": args.board,
        "seed": args.seed,
        "piece_source": args.piece_source,
        "agreed": (found.compared > 0).then_some(!found.differ),
        "signatures": found.signatures,
    });
    let result = done
        .and_then(|()| Ok(printed?))
        .map(|()| match found.differ {
            true => Outcome::Diverged,
            false if interrupted => Outcome::Interrupted,
            false => Outcome::Agreed,
        });
    let command = ("signature", Tetris::NAME);
    args.json.end(command, interrupted, result, document)
}

impl Found {
    fn add(&mut self, contest: &Contest, tallies: &[EngineTotals]) {
        for (player, tally) in contest.players.iter().zip(tallies) {
            let signature = Signature::new(&contest.controller, player, tally);
            self.signatures.push(signature);
        }
        self.compared += 1;
        self.differ |= tallies.windows(2).any(|pair| pair[0] != pair[1]);
    }
}

fn print(args: &Args, found: &Found, interrupted: bool, silent: bool) -> io::Result<()> {
    let mut out = stdout(silent);
    if found.compared > 0 {
        write!(out, "{}", in_columns(&found.signatures))?;
    }
    let pieces = HumanCount(args.pieces);
    match found.differ {
        true => writeln!(out, "{pieces} pieces each: THE MOVES DIFFER")?,
        false if interrupted => {}
        false => writeln!(out, "{pieces} pieces each: every move agrees")?,
    }
    if interrupted {
        let (done, all) = (found.compared, args.controllers.len());
        writeln!(out, "interrupted after {done} of {all} controllers")?;
    }
    out.flush()
}

fn contests(args: &Args) -> anyhow::Result<Vec<Contest>> {
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
        contests.push(Contest {
            controller: controller.name,
            players,
        });
    }
    Ok(contests)
}

fn in_columns(signatures: &[Signature]) -> String {
    let cells = signatures.iter().map(|found| {
        [
            found.controller.clone(),
            found.player.clone(),
            found.signature.clone(),
            HumanCount(found.lines).to_string(),
            HumanCount(found.games).to_string(),
        ]
    });
    let header = ["controller", "player", "signature", "lines", "games lost"];
    table::plain(header, cells, 3..)
}
