//! `lockstep faults`

#[cfg(feature = "faults")]
mod campaign;

#[cfg(feature = "faults")]
pub use campaign::run;

use std::path::PathBuf;

use lockstep_games::Shard;

use crate::games::CliGame;
use crate::games::options::GameName;
use crate::input::numbers::number;
use crate::output::Json;

#[derive(clap::Args)]
#[command(after_help = G::EXAMPLES.faults)]
pub struct Args<G: CliGame> {
    /// A controller to play with; repeat the option for each
    #[arg(long = "controller", value_name = "NAME", default_values = G::FAULT_CONTROLLERS)]
    controllers: Vec<String>,
    /// Decisions after which a fault counts as not found
    #[arg(long, value_name = "N", default_value = G::FAULT_DECISIONS, value_parser = number::<u64>(1..=u64::MAX))]
    max_decisions: u64,
    /// Seed of the games, and first seed of the modules' benches [default: random]
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Try only this fault; repeat the option for each
    #[arg(long = "fault", value_name = "NAME")]
    faults: Vec<String>,
    /// Only play, without the benches of the modules and of the whole core
    #[arg(long)]
    no_benches: bool,
    /// List the faults of the game's cores
    #[arg(long)]
    list: bool,
    /// Keep the results in this file, from which the same command continues; needs --seed
    #[arg(long, value_name = "FILE", requires = "seed")]
    state: Option<PathBuf>,
    /// Start over even if there is a state
    #[arg(long, requires = "state")]
    fresh: bool,
    /// Try shard I of N, every N-th fault; `lockstep merge` joins the states of the N shards
    #[arg(long, value_name = "I/N", requires = "state")]
    shard: Option<Shard>,
    #[command(flatten)]
    game: GameName<G>,
    #[command(flatten)]
    json: Json,
}

/// Fails: this build has no seeded faults.
#[cfg(not(feature = "faults"))]
pub async fn run<G: CliGame>(
    _args: &Args<G>,
    _quiet: bool,
) -> anyhow::Result<crate::output::Outcome> {
    anyhow::bail!("this lockstep was built without the seeded faults; run `make faults-build`")
}
