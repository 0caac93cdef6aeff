//! The output of `decide` for Tetris.

use lockstep::Answer;
use lockstep_games::tetris::features::Features;
use lockstep_games::tetris::{Linear, Placement, Position, Score, Tetris, golden, lookahead};
use serde::Serialize;

#[derive(Serialize)]
pub struct Line {
    legal: bool,
    rotation: Option<usize>,
    column: Option<usize>,
    row: Option<usize>,
    cells: Vec<[usize; 2]>,
    score: Option<Score>,
    rows_cleared: Option<usize>,
    cycles: Option<u64>,
}

/// One line of output with `--all`.
#[derive(Serialize)]
pub struct All {
    placements: Vec<Scored>,
    /// Index of the best placement; `None` if no placement is legal.
    best: Option<usize>,
}

#[derive(Serialize)]
struct Scored {
    rotation: usize,
    column: usize,
    row: usize,
    cells: Vec<[usize; 2]>,
    features: Features,
    score: Score,
}

impl Line {
    pub fn of(position: &Position, answer: &Answer<Tetris>) -> Self {
        let placement = answer.decision;
        let get = |field: fn(&Placement) -> usize| placement.as_ref().map(field);
        Self {
            legal: placement.is_some(),
            rotation: get(|p| p.rotation),
            column: get(|p| p.column),
            row: get(|p| p.row),
            cells: placement.map_or(Vec::new(), |p| p.cells(position.piece)),
            score: placement.map(|p| p.score),
            rows_cleared: get(|p| p.rows_cleared),
            cycles: answer.cycles,
        }
    }
}

impl All {
    pub fn of(position: &Position, controller: &Linear) -> Self {
        let candidates = golden::placements(&position.board, position.piece);
        let placements: Vec<Scored> = candidates
            .map(|c| {
                let score = controller.score(&c.features);
                let placement = Placement::of(&c, score);
                Scored {
                    rotation: c.rotation,
                    column: c.column,
                    row: c.row,
                    cells: placement.cells(position.piece),
                    features: c.features,
                    score,
                }
            })
            .collect();
        let best = lookahead::best(&position.board, position.piece, position.next, controller);
        let best = best.and_then(|(b, _)| {
            let same = |s: &Scored| (s.rotation, s.column) == (b.rotation, b.column);
            placements.iter().position(same)
        });
        Self { placements, best }
    }
}
