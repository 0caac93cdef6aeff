//! Gomoku on the command line.

#[cfg(feature = "sim")]
mod serve;

use std::sync::LazyLock;

use lockstep::BackendRegistry;
use lockstep_backends::table;
use lockstep_games::gomoku::controller::MAX_DEPTH;
use lockstep_games::gomoku::{Controller, Decision, Gomoku, Position, Profile};
use protocol::layout::gomoku::{COLUMNS, ROWS};
use serde_json::json;

use super::searched::{self, Bench, Opening, Searched};
use super::{About, Aim, CliGame, Examples};

static BACKENDS: LazyLock<BackendRegistry<Gomoku>> = LazyLock::new(table::gomoku);

impl CliGame for Gomoku {
    type SearchArgs = ();
    type DealArgs = Opening<Self>;
    type BenchArgs = Bench;
    #[cfg(feature = "sim")]
    type ServeArgs = serve::Options;

    const EXAMPLES: Examples = Examples {
        play: "\
  lockstep play --game gomoku --games 3
  lockstep play --game gomoku --games 3 --record match.jsonl
  lockstep play --game gomoku --backend engine --seat white=wujian:4
  lockstep play --game gomoku --backend engine --depth 8 --watch 200",
        decide: "\
  lockstep decide --game gomoku --depth 6 --backend engine < positions.jsonl
  lockstep decide --game gomoku --trace --backend sim < positions.jsonl",
        explain: "\
  lockstep explain match.jsonl --backend software --backend sim
  lockstep explain match.jsonl --game 3 --move 17",
        bench: "\
  lockstep bench --game gomoku
  lockstep bench --game gomoku --controller wujian --backend engine:threads=1",
        faults: "\
  lockstep faults --game gomoku
  lockstep faults --game gomoku --no-benches",
    };
    const POSITION: &'static str =
        "{\"board\":[15 rows of 15 characters B, W and ., row 0 first],\"to_move\":\"black\"}";
    const BENCHED: &[&str] = &["lines", "wujian"];
    const FAULT_CONTROLLERS: &[&str] = &["lines:2", "wujian:2"];
    const FAULT_DECISIONS: &str = "300";

    const AIM: Aim = Aim::Cell;
    const MAX_DEPTH: u8 = MAX_DEPTH;
    const UNSUPPORTED: &[(&str, &str)] = &[
        searched::NO_SOAK,
        searched::NO_STRENGTH,
        searched::NO_TRAIN,
        searched::NO_WORK,
        (
            "signature",
            "its games are played move by move (`lockstep play --backend engine:path=portable` \
             plays another path)",
        ),
    ];

    fn with_depth(controller: Controller, plies: u64, (): &()) -> anyhow::Result<Controller> {
        Ok(controller.with_depth(plies)?)
    }

    fn backends() -> &'static BackendRegistry<Self> {
        &BACKENDS
    }

    #[cfg(feature = "sim")]
    fn foreign(args: &serve::Options) -> anyhow::Result<Option<super::Foreign>> {
        args.foreign()
    }

    fn choices(position: &Position) -> Vec<([usize; 2], Decision)> {
        let points = (0..ROWS).flat_map(|y| (0..COLUMNS).map(move |x| (x, y)));
        let all = points.map(|(x, y)| ([x, y], Decision::only(x, y)));
        all.filter(|(_, decision)| position.play(decision).is_ok())
            .collect()
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

fn width(width: u8) -> String {
    match width {
        0 => "any width".into(),
        width => format!("width {width}"),
    }
}

impl Searched for Gomoku {
    // At most the points of the middle of the board.
    const OPENING: (&'static str, u8) = ("3", 49);
    const OPENED: &str = "Stones placed at random in the middle of the board before the first move";
}
