//! Explaining and shrinking decisions of Tetris.

use super::linear::UNIT;
use super::{Board, Candidate, Controller, Linear, Piece, Placement, Position, Rule, Tetris};
use crate::explain::{REDUCED, reduced_source};
use crate::{Explain, Noun, Shrink};

impl Explain for Tetris {
    const CANDIDATE: Noun = Noun {
        one: "placement",
        many: "placements",
    };

    const DEFINITIONS: &'static str = include_str!("README.md");

    fn label(candidate: &Candidate) -> String {
        format!(
            "rotation {}, column {}",
            candidate.rotation, candidate.column
        )
    }

    /// The first candidate with the highest score.
    fn choice(candidates: &[Candidate]) -> Option<usize> {
        let scores = candidates.iter().map(|c| Some(c.evaluated?.score));
        let scored = scores
            .enumerate()
            .filter_map(|(i, score)| Some((i, score?)));
        let best = scored.reduce(|best, next| if next.1 > best.1 { next } else { best });
        best.map(|(index, _)| index)
    }

    fn chosen(candidates: &[Candidate], decision: &Option<Placement>) -> Option<usize> {
        let chosen = (*decision)?;
        let mut places = candidates.iter().map(|c| (c.rotation, c.column));
        places.position(|place| place == (chosen.rotation, chosen.column))
    }
}

/// The pieces from the simplest on: fewer rotations come first.
const SIMPLEST: [Piece; 7] = [
    Piece::O,
    Piece::I,
    Piece::S,
    Piece::Z,
    Piece::T,
    Piece::J,
    Piece::L,
];

/// A simpler position has fewer cells, or as many cells lower down, or a simpler piece, or no known
/// next piece.
impl Shrink for Tetris {
    fn simpler(position: &Position) -> Vec<Position> {
        let board = &position.board;
        let rows: Vec<usize> = (0..board.rows()).collect();
        let filled = |row: &usize| (0..board.columns()).any(|c| board.filled(c, *row));
        let mut boards = Vec::new();
        // Without all rows, then without each half, each quarter and so on.
        let mut size = board.rows();
        while size > 0 {
            for span in rows.chunks(size).filter(|span| span.iter().any(filled)) {
                boards.push(without(board, |_, row| span.contains(&row)));
            }
            size /= 2;
        }
        let top = rows.iter().rev().find(|row| filled(row));
        for row in top.map_or(0..0, |top| 0..*top) {
            boards.push(fallen(board, row));
        }
        for column in (0..board.columns()).filter(|c| board.height(*c) > 0) {
            boards.push(without(board, |c, _| c == column));
        }
        for &row in &rows {
            for column in (0..board.columns()).filter(|c| board.filled(*c, row)) {
                boards.push(without(board, |c, r| (c, r) == (column, row)));
            }
        }
        let mut simpler: Vec<Position> = boards
            .into_iter()
            .map(|board| Position {
                board,
                ..position.clone()
            })
            .collect();
        let pieces = SIMPLEST.into_iter().take_while(|p| *p != position.piece);
        simpler.extend(pieces.map(|piece| Position {
            piece,
            ..position.clone()
        }));
        if position.next.is_some() {
            simpler.push(Position {
                next: None,
                ..position.clone()
            });
        }
        simpler
    }

    /// A simpler controller has one weight replaced by 0, unless all others are 0, or by 1 or -1.
    fn simpler_controllers(controller: &Controller) -> Vec<Controller> {
        let Rule::Linear(linear) = &controller.rule else {
            return Vec::new();
        };
        let source = reduced_source(&controller.name, &controller.source);
        let with = |index: usize, weight: i32| {
            let mut weights = linear.weights;
            weights[index] = weight;
            Controller {
                name: REDUCED.into(),
                source: source.clone(),
                rule: Rule::Linear(Linear {
                    weights,
                    search: linear.search,
                }),
            }
        };
        let weights = linear.weights.iter().enumerate();
        let set = weights.filter(|(_, weight)| **weight != 0);
        let last = set.clone().count() == 1;
        let gone = set.clone().filter(|_| !last);
        let gone = gone.map(|(index, _)| with(index, 0));
        let one = |weight: i32| weight.signum() * UNIT as i32;
        let others = set.filter(|(_, weight)| **weight != one(**weight));
        let ones = others.map(|(index, weight)| with(index, one(*weight)));
        gone.chain(ones).collect()
    }
}

/// The board with the cells emptied that `gone` accepts.
fn without(board: &Board, gone: impl Fn(usize, usize) -> bool) -> Board {
    let left = |column, row| board.filled(column, row) && !gone(column, row);
    Board::from_cells(board.columns(), board.rows(), left)
}

/// The board without a row; the rows above it fall.
fn fallen(board: &Board, gone: usize) -> Board {
    let top = board.rows() - 1;
    Board::from_cells(board.columns(), board.rows(), |column, row| match row {
        _ if row < gone => board.filled(column, row),
        _ => row < top && board.filled(column, row + 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(rows: &[u64], piece: Piece) -> Position {
        let rows: Vec<u64> = [rows, &vec![0; 20 - rows.len()]].concat();
        Position {
            board: Board::from_rows(10, &rows).expect("ten columns"),
            piece,
            next: None,
        }
    }

    /// Number of cells, sum of their rows, index of the piece, and whether the next one is known.
    fn measure(position: &Position) -> (usize, usize, usize, bool) {
        let board = &position.board;
        let cells = (0..board.rows()).flat_map(|r| (0..board.columns()).map(move |c| (c, r)));
        let filled: Vec<usize> = cells
            .filter(|(c, r)| board.filled(*c, *r))
            .map(|(_, r)| r)
            .collect();
        let piece = SIMPLEST.iter().position(|p| *p == position.piece);
        (
            filled.len(),
            filled.iter().sum(),
            piece.unwrap_or(7),
            position.next.is_some(),
        )
    }

    #[test]
    fn simpler_position_is_smaller() {
        let mut first = position(&[0x3de, 0, 0x2aa, 0x001], Piece::L);
        first.next = Some(Piece::I);
        let simpler = Tetris::simpler(&first);
        assert!(simpler.len() > 20);
        for other in &simpler {
            assert!(measure(other) < measure(&first), "{other:?}");
        }
        let empty = simpler.first().map(|p| p.board.to_rows());
        assert_eq!(empty, Some(vec![0; 20]), "the simplest first");
        let mut last = first;
        while let Some(next) = Tetris::simpler(&last).pop() {
            last = next;
        }
        assert_eq!(last, position(&[], Piece::O));
    }

    #[test]
    fn simpler_controllers_end_with_one_weight() {
        let mut last = Controller::load("dt-20").expect("a built-in controller");
        let first = Tetris::simpler_controllers(&last);
        let weights = last.linear().map(|linear| linear.weights);
        let set = weights.into_iter().flatten().filter(|w| *w != 0).count();
        assert_eq!(first.len(), 2 * set, "each weight becomes 0, and 1 or -1");
        while let Some(next) = Tetris::simpler_controllers(&last).pop() {
            let weights = |c: &Controller| c.linear().map(|l| l.weights);
            assert_ne!(weights(&next), weights(&last));
            last = next;
        }
        let weights = last.linear().map(|linear| linear.weights);
        let mut left = weights.into_iter().flatten().filter(|w| *w != 0);
        assert_eq!(left.next().map(i32::abs), Some(1_000_000));
        assert_eq!(left.next(), None);
        let program = Controller::load("hidamari").expect("a built-in controller");
        assert!(Tetris::simpler_controllers(&program).is_empty());
    }
}
