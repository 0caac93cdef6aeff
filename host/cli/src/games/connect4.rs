//! Connect Four on the command line.

use std::sync::LazyLock;

use lockstep::BackendRegistry;
use lockstep_backends::table;
use lockstep_games::connect4::controller::MAX_DEPTH;
use lockstep_games::connect4::{Connect4, Controller, Decision, Position};
use protocol::layout::connect4::COLUMNS;
use serde_json::json;

use super::searched::{self, Bench, Opening, Searched};
use super::{About, Aim, CliGame, Examples};

static BACKENDS: LazyLock<BackendRegistry<Connect4>> = LazyLock::new(table::connect4);

impl CliGame for Connect4 {
    type SearchArgs = ();
    type DealArgs = Opening<Self>;
    type BenchArgs = Bench;
    #[cfg(feature = "sim")]
    type ServeArgs = ();

    const EXAMPLES: Examples = Examples {
        play: "\
  lockstep play --game connect4 --games 3 --depth 6
  lockstep play --game connect4 --games 3 --record match.jsonl
  lockstep play --game connect4 --backend engine --depth 10 --watch 200",
        decide: "\
  lockstep decide --game connect4 --depth 8 < positions.jsonl
  lockstep decide --game connect4 --trace --backend sim < positions.jsonl",
        explain: "\
  lockstep explain match.jsonl --backend software --backend sim
  lockstep explain match.jsonl --game 3 --move 17",
        bench: "\
  lockstep bench --game connect4
  lockstep bench --game connect4 --backend engine --json bench.json",
        faults: "\
  lockstep faults --game connect4
  lockstep faults --game connect4 --fault connect4-diagonal-lost --no-benches",
    };
    const POSITION: &'static str =
        "{\"board\":[6 rows of 7 characters Y, R and ., top row first],\"to_move\":\"yellow\"}";

    const AIM: Aim = Aim::Column;
    const MAX_DEPTH: u8 = MAX_DEPTH;
    const UNSUPPORTED: &[(&str, &str)] = &[
        searched::NO_SOAK,
        searched::NO_STRENGTH,
        searched::NO_TRAIN,
        searched::NO_WORK,
        ("signature", "its engine has a single path"),
        ("gomocup", "its protocol is for Gomoku"),
    ];

    fn with_depth(controller: Controller, plies: u64, (): &()) -> anyhow::Result<Controller> {
        Ok(controller.with_depth(plies)?)
    }

    fn backends() -> &'static BackendRegistry<Self> {
        &BACKENDS
    }

    fn choices(position: &Position) -> Vec<([usize; 2], Decision)> {
        let all = (0..COLUMNS).map(|column| ([column, 0], Decision { column, value: 0 }));
        all.filter(|(_, decision)| position.play(decision).is_ok())
            .collect()
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

impl Searched for Connect4 {
    const OPENING: (&'static str, u8) = ("2", MAX_DEPTH);
    const OPENED: &str = "Stones dropped at random before the first move";
}
