//! The golden model against positions evaluated by an independent program (MDPTetris by Thiery and
//! Scherrer).

use std::collections::{BTreeMap, BTreeSet};

use lockstep_games::Golden as _;
use lockstep_games::tetris::golden;
use lockstep_games::tetris::{Controller, Placement, Position, Score, Tetris};
use serde::Deserialize;

#[path = "../../session/tests/toy/a_hang.rs"]
mod a_hang;

type Cells = BTreeSet<[usize; 2]>;

#[derive(Deserialize)]
struct Vector {
    #[serde(flatten)]
    position: Position,
    placements: Vec<Evaluated>,
    /// Per controller: index of the best placement, and 1 where the top two tie.
    best: BTreeMap<String, (usize, u8)>,
}

#[derive(Deserialize)]
struct Evaluated {
    cells: Cells,
    f: [i64; 14],
}

/// The index in the file's `f` of each feature in the order of the weights.
const IN_FILE: [usize; 14] = [0, 1, 13, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

fn vectors() -> Vec<Vector> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../fixtures/tetris/placements.jsonl"
    );
    let text = std::fs::read_to_string(path).expect("the vectors");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a vector"))
        .collect()
}

fn placement(rotation: usize, column: usize, row: usize) -> Placement {
    Placement {
        rotation,
        column,
        row,
        rows_cleared: 0,
        score: Score(0),
    }
}

#[test]
fn golden_model_computes_the_vectors_features() {
    let mut compared = 0;
    for (line, vector) in vectors().into_iter().enumerate() {
        let position = &vector.position;
        let mine: BTreeMap<Cells, [i64; 14]> = golden::placements(&position.board, position.piece)
            .map(|c| {
                let p = placement(c.rotation, c.column, c.row);
                let cells = p.cells(position.piece).into_iter().collect();
                (cells, c.features.to_array())
            })
            .collect();
        assert_eq!(mine.len(), vector.placements.len(), "vector {line}");
        for theirs in &vector.placements {
            let expected = IN_FILE.map(|i| theirs.f[i]);
            assert_eq!(
                mine.get(&theirs.cells),
                Some(&expected),
                "vector {line}: {:?}",
                theirs.cells
            );
            compared += 14;
        }
    }
    assert_eq!(compared, 6438 * 14);
}

/// Positions whose two best placements tie are left out.
#[test]
fn golden_model_chooses_the_vectors_placement() {
    let vectors = vectors();
    for (ours, theirs) in [
        ("dellacherie", "dellacherie"),
        ("bcts", "bcts"),
        ("dt-10", "dt10"),
        ("dt-20", "dt20"),
    ] {
        let controller = Controller::load(ours).expect("built in");
        let mut untied = 0;
        for (line, vector) in vectors.iter().enumerate() {
            let (index, tied) = vector.best[theirs];
            if tied == 1 {
                continue;
            }
            untied += 1;
            let chosen = Tetris::decide(&controller, &vector.position).expect("a decision");
            let chosen = chosen.expect("a legal placement");
            let cells: Cells = chosen.cells(vector.position.piece).into_iter().collect();
            assert_eq!(
                cells, vector.placements[index].cells,
                "{ours}, vector {line}"
            );
        }
        assert!(untied > 200, "{ours}: only {untied} vectors are untied");
    }
}
