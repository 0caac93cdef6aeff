//! `lockstep match`

use lockstep::Spec;

use super::play::{Contest, Games, Seating, play};
use crate::games::{CliGame, Deal as _};
use crate::output::Outcome;
use crate::session::backends::backend;

/// A shard has both games of each of its openings.
const SHARD_HELP: &str = "Play shard I of N, every N-th opening; `lockstep merge` joins the \
                          records of the N shards";

#[derive(clap::Args)]
#[command(mut_arg("shard", |arg| arg.help(SHARD_HELP)))]
#[command(after_help = "\
  lockstep match --game gomoku --a-controller lines:6 --b-controller wujian:2
  lockstep match --game gomoku --depth 2 --a engine --a sim --games 10
  lockstep match --game gomoku --b gomocup:./pbrain --move-time 500
  lockstep match --game connect4 --b-controller flat --record match.jsonl
  lockstep match --game gomoku --depth 2 --shard 1/4 --record shard-1.jsonl")]
pub struct Args<G: CliGame> {
    /// A backend of player a; repeat the option for each. The first is the reference: its moves are
    /// played
    #[arg(long, value_name = "BACKEND", value_parser = backend::<G>, default_value = "engine")]
    a: Vec<Spec>,
    /// A backend of player b; repeat the option for each
    #[arg(long, value_name = "BACKEND", value_parser = backend::<G>, default_value = "engine")]
    b: Vec<Spec>,
    /// The controller of player a, named as for --controller [default: that of --controller]
    #[arg(long, value_name = "NAME")]
    a_controller: Option<String>,
    /// The controller of player b
    #[arg(long, value_name = "NAME")]
    b_controller: Option<String>,
    #[command(flatten)]
    games: Games<G>,
}

pub async fn run<G: CliGame>(mut args: Args<G>, quiet: bool) -> anyhow::Result<Outcome> {
    args.games.deal.swap_sides();
    let players = [
        (&args.a[..], args.a_controller.as_deref()),
        (&args.b[..], args.b_controller.as_deref()),
    ];
    let contest = Contest::new(players.map(|(backends, controller)| {
        let names: Vec<_> = backends.iter().map(Spec::to_string).collect();
        match controller {
            Some(controller) => format!("{}, {controller}", names.join(" ")),
            None => names.join(" "),
        }
    }));
    play(
        &args.games,
        &Seating::of_players(players),
        Some(contest),
        quiet,
    )
    .await
}
