//! Tetris explained: the definitions by field, what is to be chosen, what is simpler.

use super::board::Board;
use super::controller::{Controller, Rule};
use super::game::Tetris;
use super::linear::Linear;
use super::piece::Piece;
use super::placement::Placement;
use super::position::Position;
use super::score::UNIT;
use super::weighed::Weighed;
use crate::explain::definition_in;
use crate::{Explain, Noun, Shrink};

/// The tables of it have a line a field.
const DEFINITIONS: &str = include_str!("README.md");

impl Explain for Tetris {
    const WEIGHED: Noun = Noun {
        one: "placement",
        many: "placements",
    };

    fn label(weighed: &Weighed) -> String {
        format!("rotation {}, column {}", weighed.rotation, weighed.column)
    }

    fn definition(field: &str) -> Option<&'static str> {
        definition_in(DEFINITIONS, field)
    }

    /// The first of the highest scores.
    fn choice(weighed: &[Weighed]) -> Option<usize> {
        let scored = |(number, place): (usize, &Weighed)| Some((number, place.evaluated?.score));
        let mut best = None;
        for (number, score) in weighed.iter().enumerate().filter_map(scored) {
            if best.is_none_or(|(_, highest)| score > highest) {
                best = Some((number, score));
            }
        }
        best.map(|(number, _)| number)
    }

    fn chosen(weighed: &[Weighed], decision: &Option<Placement>) -> Option<usize> {
        let chosen = (*decision)?;
        let place = |w: &Weighed| (w.rotation, w.column);
        weighed
            .iter()
            .position(|w| place(w) == (chosen.rotation, chosen.column))
    }
}

/// The pieces, those of the fewest rotations first.
const SIMPLEST: [Piece; 7] = [
    Piece::O,
    Piece::I,
    Piece::S,
    Piece::Z,
    Piece::T,
    Piece::J,
    Piece::L,
];

/// What is left of each position is fewer cells, or the same cells lower down, or a simpler
/// piece, or no next piece.
impl Shrink for Tetris {
    fn simpler(position: &Position) -> Vec<Position> {
        let board = &position.board;
        let rows: Vec<usize> = (0..board.rows()).collect();
        let filled = |row: &usize| (0..board.columns()).any(|c| board.filled(c, *row));
        let mut boards = Vec::new();
        // Half of the rows, a quarter, an eighth, ...
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

    /// With one weight set to 0, as long as another is left, or to 1 or -1.
    fn simpler_controllers(controller: &Controller) -> Vec<Controller> {
        let Rule::Linear(linear) = &controller.rule else {
            return Vec::new();
        };
        let source = match controller.name == REDUCED {
            true => controller.source.clone(),
            false => format!("reduced from {}", controller.name),
        };
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

/// Name of a controller that was made simpler.
const REDUCED: &str = "reduced";

fn without(board: &Board, gone: impl Fn(usize, usize) -> bool) -> Board {
    let mut left = board.clone();
    for row in 0..board.rows() {
        for column in (0..board.columns()).filter(|column| gone(*column, row)) {
            left.set(column, row, false);
        }
    }
    left
}

/// Without a row: what was over it falls.
fn fallen(board: &Board, gone: usize) -> Board {
    let mut left = without(board, |_, row| row >= gone);
    for row in gone..board.rows() - 1 {
        for column in (0..board.columns()).filter(|c| board.filled(*c, row + 1)) {
            left.set(column, row, true);
        }
    }
    left
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

    /// Cells, how high they lie, the piece, whether a next one is known.
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
    fn simpler_is_less_every_time() {
        let mut first = position(&[0x3de, 0, 0x2aa, 0x001], Piece::L);
        first.next = Some(Piece::I);
        let simpler = Tetris::simpler(&first);
        assert!(simpler.len() > 20);
        for other in &simpler {
            assert!(measure(other) < measure(&first), "{other:?}");
        }
        let empty = simpler.first().map(|p| p.board.to_rows());
        assert_eq!(empty, Some(vec![0; 20]), "the boldest first");
        // Whichever way, it ends where there is nothing left.
        let mut last = first;
        while let Some(next) = Tetris::simpler(&last).pop() {
            last = next;
        }
        assert_eq!(last, position(&[], Piece::O));
    }

    #[test]
    fn a_controller_ends_with_one_weight() {
        let mut last = Controller::load("dt-20").expect("it is a preset");
        let first = Tetris::simpler_controllers(&last);
        let weights = last.linear().map(|linear| linear.weights);
        let set = weights.into_iter().flatten().filter(|w| *w != 0).count();
        assert_eq!(first.len(), 2 * set, "each without it, and as 1 or -1");
        while let Some(next) = Tetris::simpler_controllers(&last).pop() {
            let weights = |c: &Controller| c.linear().map(|l| l.weights);
            assert_ne!(weights(&next), weights(&last));
            last = next;
        }
        let weights = last.linear().map(|linear| linear.weights);
        let mut left = weights.into_iter().flatten().filter(|w| *w != 0);
        assert_eq!(left.next().map(i32::abs), Some(1_000_000));
        assert_eq!(left.next(), None);
        let program = Controller::load("hidamari").expect("it is a preset");
        assert!(Tetris::simpler_controllers(&program).is_empty());
    }
}
