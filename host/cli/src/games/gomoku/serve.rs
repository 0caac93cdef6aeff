//! The options of `serve` for hosts of another player on an FPGA.

use lockstep::Spec;
use lockstep_games::gomoku::Gomoku;
use lockstep_games::gomoku::controller::MAX_DEPTH;

use crate::games::options::with_depth;
use crate::games::{CliGame as _, Foreign};
use crate::input::numbers::number;

/// The search of that player.
const CONTROLLER: &str = "wujian:4";

#[derive(clap::Args)]
pub struct Options {
    /// Serve hosts of another protocol, without a virtual board: the host sends only its stone, and
    /// gets a stone that a backend chooses
    #[arg(
        long,
        value_name = "PROTOCOL",
        value_parser = ["wujian"],
        conflicts_with_all = ["core_fault", "board", "pace", "faults", "fault_seed", "json"]
    )]
    protocol: Option<String>,
    /// With --protocol: the backend that decides [default: engine]
    #[arg(long, value_name = "BACKEND", requires = "protocol", value_parser = parse)]
    backend: Option<Spec>,
    /// With --protocol: a built-in controller or a controller file [default: wujian:4]
    #[arg(long, value_name = "NAME", requires = "protocol")]
    controller: Option<String>,
    /// With --protocol: search depth in plies
    #[arg(long, value_name = "N", requires = "protocol", value_parser = number::<u8>(1..=MAX_DEPTH.into()))]
    depth: Option<u8>,
}

fn parse(text: &str) -> anyhow::Result<Spec> {
    Ok(Gomoku::backends().parse(text)?)
}

impl Options {
    pub fn foreign(&self) -> anyhow::Result<Option<Foreign>> {
        if self.protocol.is_none() {
            return Ok(None);
        }
        let backend = self.backend.clone().map_or_else(|| parse("engine"), Ok)?;
        let controller = self.controller.as_deref().unwrap_or(CONTROLLER);
        Ok(Some(Foreign {
            backend,
            controller: with_depth::<Gomoku>(controller, self.depth, &())?,
        }))
    }
}
