//! Tetris on the command line.

mod bench;
mod decide;
pub mod options;

use std::sync::LazyLock;

use anyhow::bail;
use lockstep::{Answer, BackendRegistry};
use lockstep_backends::table;
use lockstep_games::tetris::golden::placements;
use lockstep_games::tetris::state::put;
use lockstep_games::tetris::{Controller, PieceSource, Placement, Position, Score, Search, Tetris};
use protocol::layout::tetris::WEIGHT_FIELDS;
use serde::Serialize;
use serde_json::json;

use super::{About, Aim, CliGame, Examples};

static BACKENDS: LazyLock<BackendRegistry<Tetris>> = LazyLock::new(table::tetris);

impl CliGame for Tetris {
    type SearchArgs = options::Beam;
    type DealArgs = options::Deal;
    type BenchArgs = bench::Options;
    #[cfg(feature = "sim")]
    type ServeArgs = ();

    const EXAMPLES: Examples = Examples {
        play: "\
  lockstep play --games 3 --watch
  lockstep play --controller lowest --games 3 --record games.jsonl
  lockstep play --max-pieces 200 --json summary.json
  lockstep play --games 100 --max-pieces 100000 --record long.jsonl.zst --resume
  lockstep play --backend engine --backend sim-uart:baud=115200 --max-pieces 20
  lockstep play --depth 2 --board 10x10 --max-pieces 200
  lockstep play --controller led-tetris --watch 20",
        decide: "\
  echo '{\"size\":\"10x4\",\"board\":[15,0,0,0],\"piece\":\"T\"}' | lockstep decide
  lockstep decide --backend software --backend sim < positions.jsonl
  lockstep decide --all --controller bcts < positions.jsonl
  lockstep decide --trace --backend software --backend sim < positions.jsonl",
        explain: "\
  lockstep explain games.jsonl --backend software --backend sim
  lockstep explain games.jsonl --game 3 --move 17
  lockstep explain case.json --out why
  lockstep explain positions.jsonl --backend engine --backend sim",
        bench: "\
  lockstep bench
  lockstep bench --backend engine --controller dt-20 --depth 2
  lockstep bench --json bench.json",
        faults: "\
  lockstep faults
  lockstep faults --controller probe --max-decisions 3000 --json faults.json
  lockstep faults --fault top-row-lost --fault stale-run --no-benches",
    };
    const POSITION: &'static str = "{\"board\":[20 numbers, row 0 first],\"piece\":\"T\"}";
    const MAX_MOVES: &'static str = "max-pieces";
    const BENCHED: &[&str] = &["dellacherie", "bcts", "dt-20"];
    const FAULT_CONTROLLERS: &[&str] = &["probe", "dt-20"];
    const POINTS: Option<&'static str> = Some("rows_cleared");
    const AIM: Aim = Aim::Piece;
    const MAX_DEPTH: u8 = 3;
    const DEPTH: &'static str = "Lookahead of a linear controller: 1 places the current piece \
                                 only, 2 also the next one, 3 one more (a beam search) [default: \
                                 the controller's own, mostly 1]";
    const NAMES_DEPTH: bool = false;
    const UNSUPPORTED: &[(&str, &str)] = &[
        ("gomocup", "its protocol is for Gomoku"),
        (
            "match",
            "it has one player (`lockstep strength` counts the lines of a controller's games)",
        ),
    ];

    fn backends() -> &'static BackendRegistry<Self> {
        &BACKENDS
    }

    fn with_depth(
        controller: Controller,
        depth: u64,
        search: &options::Beam,
    ) -> anyhow::Result<Controller> {
        Ok(controller.with_search(depth.try_into()?, search.beam)?)
    }

    fn choices(position: &Position) -> Vec<([usize; 2], Option<Placement>)> {
        let landings = placements(&position.board, position.piece);
        let choice = |landing| Placement::of(&landing, Score::default());
        landings
            .map(choice)
            .map(|placement| ([placement.column, placement.rotation], Some(placement)))
            .collect()
    }

    fn about(controller: &Controller) -> About {
        let policy = controller.policy();
        // Every backend plays a linear controller.
        let kind = match policy {
            Some(_) => "program",
            None => "linear",
        };
        let (board, source) = (controller.board(), controller.piece_source());
        let ahead = controller.looks_ahead();
        let own_rules = policy.is_some_and(|p| p.own_game(0, 0).is_some());
        let summary = policy.map(|p| p.summary.to_owned());
        let traits = [
            Some(kind.to_owned()),
            Some(board.to_string()),
            (source == PieceSource::Bag).then(|| "bag".into()),
            ahead.then(|| "knows the next piece".into()),
            own_rules.then(|| "has rules of its own".into()),
        ];
        About {
            traits: traits.into_iter().flatten().collect(),
            members: json!({
                "kind": kind,
                "board": board,
                "piece_source": source,
                "lookahead": ahead,
                "own_rules": own_rules,
                "summary": summary,
                "source": controller.source,
            }),
            lines: summary
                .into_iter()
                .chain([controller.source.clone()])
                .collect(),
        }
    }

    fn weights(controller: &Controller) -> Option<String> {
        let weights = WEIGHT_FIELDS.iter().zip(controller.linear()?.published());
        let set = weights.filter(|(_, weight)| *weight != 0.0);
        let set: Vec<String> = set
            .map(|(field, w)| format!("{} {w}", field.name))
            .collect();
        Some(match set.is_empty() {
            true => "none".into(),
            false => set.join(", "),
        })
    }

    fn answer(position: &Position, answer: &Answer<Self>) -> impl Serialize {
        decide::Line::of(position, answer)
    }

    fn check_all(controller: &Controller) -> anyhow::Result<()> {
        match controller.linear() {
            None => bail!(
                "{} is a program without weights; name a linear controller",
                controller.name
            ),
            Some(linear) if linear.search != Search::ONE => {
                bail!("it lists the placements' own scores, without lookahead; leave --depth out")
            }
            Some(_) => Ok(()),
        }
    }

    fn all(controller: &Controller, position: &Position) -> anyhow::Result<impl Serialize> {
        Self::check_all(controller)?;
        Ok(controller
            .linear()
            .map(|linear| decide::All::of(position, linear)))
    }

    fn points(position: &Position, decision: &Option<Placement>) -> Option<u64> {
        let placement = decision.as_ref()?;
        let mut board = position.board.clone();
        // A forbidden placement clears nothing.
        Some(put(&mut board, position.piece, placement).unwrap_or(0))
    }
}
