//! The golden model against positions evaluated by an independent program (MDPTetris by Thiery and
//! Scherrer).

use std::collections::{BTreeMap, BTreeSet};

use lockstep_games::tetris::golden;
use lockstep_games::tetris::{Placement, Position, Score};
use serde::Deserialize;

use crate::support::{block_on, controller, read, session};

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
    read("fixtures/tetris/placements.jsonl")
        .lines()
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
fn software_and_rtl_choose_the_vectors_placement() {
    let vectors = vectors();
    let positions: Vec<Position> = vectors.iter().map(|v| v.position.clone()).collect();
    for (ours, theirs) in [
        ("dellacherie", "dellacherie"),
        ("bcts", "bcts"),
        ("dt-10", "dt10"),
        ("dt-20", "dt20"),
    ] {
        let controller = controller(ours);
        let rows = block_on(async {
            let mut session = session(&["software", "sim"], &controller).await;
            session.ask(&positions).await.expect("answers")
        });
        let mut untied = 0;
        for (line, (vector, answers)) in vectors.iter().zip(rows).enumerate() {
            let (index, tied) = vector.best[theirs];
            if tied == 1 {
                continue;
            }
            untied += 1;
            for answer in answers.answers {
                let chosen = answer.decision.expect("a legal placement");
                let cells: Cells = chosen.cells(vector.position.piece).into_iter().collect();
                assert_eq!(
                    cells, vector.placements[index].cells,
                    "{ours}, vector {line}"
                );
            }
        }
        assert!(untied > 200, "{ours}: only {untied} vectors are untied");
    }
}
