//! Gomoku on the command line.

#[cfg(feature = "sim")]
mod serve;

use std::path::Path;
use std::sync::LazyLock;

use anyhow::{Context as _, bail};
use lockstep::BackendRegistry;
use lockstep_backends::table;
use lockstep_games::Catalog as _;
use lockstep_games::gomoku::controller::MAX_DEPTH;
use lockstep_games::gomoku::{Controller, Gomoku, Profile, Setup};
use serde_json::json;

use super::{About, ChooseController, CliGame, Deal, Examples, NoOptions};
use crate::games::options::{controller_help, load};
use crate::input::numbers::number;

static BACKENDS: LazyLock<BackendRegistry<Gomoku>> = LazyLock::new(table::gomoku);

/// Most stones of an opening: the points of the middle of the board.
const MAX_OPENING: u64 = 49;

impl CliGame for Gomoku {
    type ControllerArgs = Choice;
    type DealArgs = Opening;
    type BenchArgs = NoOptions;
    #[cfg(feature = "sim")]
    type ServeArgs = serve::Options;

    const EXAMPLES: Examples = Examples {
        play: "\
Examples:
  lockstep play --game gomoku --games 3
  lockstep play --game gomoku --games 3 --record match.jsonl
  lockstep play --game gomoku --backend black=engine --backend white=engine --seat white=wujian:4
  lockstep play --game gomoku --backend engine --depth 8 --watch 200",
        decide: "\
Examples:
  lockstep decide --game gomoku --depth 6 --backend engine < positions.jsonl
  lockstep decide --game gomoku --trace --backend sim < positions.jsonl",
        explain: "\
Examples:
  lockstep explain match.jsonl --backend software --backend sim
  lockstep explain match.jsonl --game 3 --move 17",
        bench: "\
Examples:
  lockstep bench --game gomoku
  lockstep bench --game gomoku --controller wujian --backend engine:threads=1",
        faults: "\
Examples:
  lockstep faults --game gomoku
  lockstep faults --game gomoku --no-benches",
    };
    const POSITION: &'static str =
        "{\"board\":[15 rows of 15 characters B, W and ., row 0 first],\"to_move\":\"black\"}";
    const BENCHED: &[&str] = &["lines", "wujian"];
    const HUNTERS: &[&str] = &["lines", "wujian"];

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
        (
            "signature",
            "its games are played move by move (`lockstep play --backend engine:path=portable` \
             plays another path)",
        ),
    ];

    fn backends() -> &'static BackendRegistry<Self> {
        &BACKENDS
    }

    fn weights(controller: &Controller) -> Option<String> {
        let depth = controller.depth;
        Some(match &controller.profile {
            Profile::Wujian => format!("wujian; depth {depth}"),
            Profile::Lines(lines) => format!(
                "lines: attack {:?}, defend {:?}, key {:?}, {}{}; depth {depth}",
                lines.attack,
                lines.defend,
                lines.key,
                width(lines.width),
                if lines.extend { ", extended" } else { "" },
            ),
        })
    }

    fn about(controller: &Controller) -> About {
        let Controller { depth, source, .. } = controller;
        let profile = controller.profile.name();
        About {
            traits: vec![format!("profile {profile}"), format!("depth {depth}")],
            lines: vec![source.clone()],
            members: json!({"profile": profile, "depth": depth, "source": source}),
        }
    }
}

/// The limit of a node's candidates in words.
fn width(width: u8) -> String {
    match width {
        0 => "any width".into(),
        width => format!("width {width}"),
    }
}

/// The options that choose a controller and its depth.
#[derive(clap::Args)]
pub struct Choice {
    #[arg(long, value_name = "NAME", default_value = Gomoku::DEFAULT, help = controller_help::<Gomoku>())]
    controller: String,
    /// Lookahead in stones; NAME:N sets the depth of one controller [default: the controller's own]
    #[arg(long, value_name = "N", value_parser = number::<u8>(1..=MAX_DEPTH.into()))]
    depth: Option<u8>,
}

impl ChooseController<Gomoku> for Choice {
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

/// Splits `lines:6` into a controller and a depth, unless there is a file of that name.
fn split(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once(':') {
        Some((controller, depth)) if !Path::new(name).exists() => (controller, Some(depth)),
        _ => (name, None),
    }
}

/// Loads the controller of a name such as `lines:6`; `other` is the depth of a name without one.
fn with_depth(name: &str, other: Option<u8>) -> anyhow::Result<Controller> {
    let (controller, own) = split(name);
    let controller = load::<Gomoku>(controller)?;
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
    /// Stones put at random in the middle of the board before the first move
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = number::<u8>(0..=MAX_OPENING))]
    opening: u8,
}

impl Deal<Gomoku> for Opening {
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
