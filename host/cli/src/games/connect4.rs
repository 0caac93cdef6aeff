//! Connect Four on the command line.

use std::path::Path;
use std::sync::LazyLock;

use anyhow::{Context as _, bail};
use lockstep::BackendRegistry;
use lockstep_backends::table;
use lockstep_games::Catalog as _;
use lockstep_games::connect4::controller::MAX_DEPTH;
use lockstep_games::connect4::{Connect4, Controller, Setup};
use serde_json::json;

use super::{About, ChooseController, CliGame, Deal, Examples, NoOptions};
use crate::games::options::{controller_help, load};
use crate::input::numbers::number;

static BACKENDS: LazyLock<BackendRegistry<Connect4>> = LazyLock::new(table::connect4);

impl CliGame for Connect4 {
    type ControllerArgs = Choice;
    type DealArgs = Opening;
    type BenchArgs = NoOptions;
    #[cfg(feature = "sim")]
    type ServeArgs = NoOptions;

    const EXAMPLES: Examples = Examples {
        play: "\
Examples:
  lockstep play --game connect4 --games 3 --depth 6
  lockstep play --game connect4 --games 3 --record match.jsonl
  lockstep play --game connect4 --backend engine --depth 10 --watch 200",
        decide: "\
Examples:
  lockstep decide --game connect4 --depth 8 < positions.jsonl
  lockstep decide --game connect4 --trace --backend sim < positions.jsonl",
        explain: "\
Examples:
  lockstep explain match.jsonl --backend software --backend sim
  lockstep explain match.jsonl --game 3 --move 17",
        bench: "\
Examples:
  lockstep bench --game connect4
  lockstep bench --game connect4 --backend engine --json bench.json",
        faults: "\
Examples:
  lockstep faults --game connect4
  lockstep faults --game connect4 --fault connect4-diagonal-lost --no-benches",
    };
    const POSITION: &'static str =
        "{\"board\":[6 rows of 7 characters Y, R and ., top row first],\"to_move\":\"yellow\"}";

    const LACKS: &[(&str, &str)] = &[
        (
            "soak",
            "its core does not play by itself (`lockstep play` compares it move by move)",
        ),
        (
            "strength",
            "its games have a winner and no score (`lockstep play` counts who wins)",
        ),
        ("train", "there is no score of a game to train for"),
        ("signature", "its engine has a single path"),
        ("gomocup", "its protocol is for Gomoku"),
    ];

    fn backends() -> &'static BackendRegistry<Self> {
        &BACKENDS
    }

    fn weights(controller: &Controller) -> Option<String> {
        let columns = controller.weights.iter().enumerate();
        let set = columns.filter(|(_, cells)| cells.iter().any(|weight| *weight != 0));
        let set = set.map(|(column, cells)| format!("column {column} {cells:?}"));
        let all: Vec<String> = set.collect();
        let all = match all.is_empty() {
            true => "none".into(),
            false => all.join(", "),
        };
        Some(format!("{all}; depth {}", controller.depth))
    }

    fn about(controller: &Controller) -> About {
        let Controller { depth, source, .. } = controller;
        About {
            traits: vec![format!("depth {depth}")],
            lines: vec![source.clone()],
            members: json!({"depth": depth, "source": source}),
        }
    }
}

/// The options that choose a controller and its depth.
#[derive(clap::Args)]
pub struct Choice {
    #[arg(long, value_name = "NAME", default_value = Connect4::DEFAULT, help = controller_help::<Connect4>())]
    controller: String,
    /// Lookahead in stones; NAME:N sets the depth of one controller [default: the controller's own,
    /// 4]
    #[arg(long, value_name = "N", value_parser = number::<u8>(1..=MAX_DEPTH.into()))]
    depth: Option<u8>,
}

impl ChooseController<Connect4> for Choice {
    fn load(&self) -> anyhow::Result<Controller> {
        self.named(&self.controller)
    }

    fn named(&self, name: &str) -> anyhow::Result<Controller> {
        with_depth(name, self.depth)
    }

    fn file(&self) -> &Path {
        Self::path(&self.controller)
    }

    fn path(name: &str) -> &Path {
        Path::new(split(name).0)
    }
}

/// Splits `flat:6` into a controller and a depth, unless there is a file of that name.
fn split(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once(':') {
        Some((controller, depth)) if !Path::new(name).exists() => (controller, Some(depth)),
        _ => (name, None),
    }
}

/// Loads the controller of a name such as `flat:6`; `other` is the depth of a name without one.
fn with_depth(name: &str, other: Option<u8>) -> anyhow::Result<Controller> {
    let (controller, own) = split(name);
    let controller = load::<Connect4>(controller)?;
    let depth = match own.map(str::parse::<u64>) {
        Some(Ok(depth)) => Some(depth),
        Some(Err(_)) => bail!("{name}: a depth is a whole number, 1 to {MAX_DEPTH}"),
        None => other.map(u64::from),
    };
    match depth {
        Some(depth) => controller.with_depth(depth).context(name.to_owned()),
        None => Ok(controller),
    }
}

/// The options of a session's openings.
#[derive(clap::Args)]
pub struct Opening {
    /// Seed of the openings: the same seed deals the same games everywhere
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Stones dropped at random before the first move
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u8>(0..=MAX_DEPTH.into()))]
    opening: u8,
}

impl Deal<Connect4> for Opening {
    fn setup(&self, _: &Controller) -> anyhow::Result<Setup> {
        Ok(Setup {
            seed: self.seed,
            opening: self.opening,
        })
    }

    fn seed(&self) -> u64 {
        self.seed
    }
}
