//! Explaining and shrinking decisions of Connect Four.

use protocol::layout::connect4::{COLUMNS, ROWS};

use super::decision;
use super::{Board, Candidate, Connect4, Controller, Decision, Position, Stone};
use crate::explain::{REDUCED, definition_in, reduced_source};
use crate::{Explain, Noun, Shrink};

/// The page of definitions; its tables have a line for each field.
const DEFINITIONS: &str = include_str!("README.md");

impl Explain for Connect4 {
    const CANDIDATE: Noun = Noun {
        one: "candidate",
        many: "candidates",
    };

    fn label(candidate: &Candidate) -> String {
        format!("column {}", candidate.column)
    }

    fn definition(field: &str) -> Option<&'static str> {
        definition_in(DEFINITIONS, field)
    }

    fn choice(candidates: &[Candidate]) -> Option<usize> {
        Self::chosen(candidates, &decision::best(candidates)?)
    }

    fn chosen(candidates: &[Candidate], decision: &Decision) -> Option<usize> {
        let mut columns = candidates.iter().map(|candidate| candidate.column);
        columns.position(|column| column == decision.column)
    }
}

/// A simpler position has fewer stones, or as many stones and yellow to move.
impl Shrink for Connect4 {
    fn simpler(position: &Position) -> Vec<Position> {
        let Position { board, to_move } = position;
        let highest = (0..COLUMNS).map(|column| board.height(column)).max();
        let lower = (0..highest.unwrap_or(0)).map(|rows| keep(board, |_, row| row < rows));
        let filled = || (0..COLUMNS).filter(|&column| board.height(column) > 0);
        let without = filled().map(|gone| keep(board, |column, _| column != gone));
        let topless = filled().filter(|&column| board.height(column) > 1);
        let topless = topless.map(|column| {
            let mut left = *board;
            left.take(column);
            left
        });
        let boards = lower.chain(without).chain(topless);
        let to_move = *to_move;
        let mut simpler: Vec<_> = boards.map(|board| Position { board, to_move }).collect();
        if to_move == Stone::Red {
            simpler.push(Position {
                board: swapped(board),
                to_move: Stone::Yellow,
            });
        }
        simpler
    }

    /// A simpler controller has a smaller depth, or the same depth and more weights that are 0.
    fn simpler_controllers(controller: &Controller) -> Vec<Controller> {
        let source = reduced_source(&controller.name, &controller.source);
        let reduced = |depth, zero: &dyn Fn(usize) -> bool| {
            let mut weights = controller.weights;
            let columns = weights.iter_mut().enumerate();
            for (_, column) in columns.filter(|(column, _)| zero(*column)) {
                *column = [0; ROWS];
            }
            Controller {
                name: REDUCED.into(),
                source: source.clone(),
                depth,
                weights,
            }
        };
        let depth = controller.depth;
        let mut depths = vec![1, depth / 2, depth.saturating_sub(1)];
        depths.retain(|less| (1..depth).contains(less));
        depths.dedup();
        let set: Vec<usize> = (0..COLUMNS)
            .filter(|&column| controller.weights[column] != [0; ROWS])
            .collect();
        let shallower = depths.into_iter().map(|depth| reduced(depth, &|_| false));
        let flat = (set.len() > 1).then(|| reduced(depth, &|_| true));
        let flatter = set
            .iter()
            .map(|gone| reduced(depth, &|column| column == *gone));
        shallower.chain(flat).chain(flatter).collect()
    }
}

/// The stones in the cells that `kept` accepts; in each column these are the lowest ones.
fn keep(board: &Board, kept: impl Fn(usize, usize) -> bool) -> Board {
    rebuilt(board, |column, row, stone| {
        kept(column, row).then_some(stone)
    })
}

/// The same stones with the sides swapped.
fn swapped(board: &Board) -> Board {
    rebuilt(board, |_, _, stone| Some(stone.other()))
}

/// The board with each stone replaced by `stone` of its column, row and side.
fn rebuilt(board: &Board, stone: impl Fn(usize, usize, Stone) -> Option<Stone>) -> Board {
    let mut built = Board::default();
    for (column, row) in (0..COLUMNS).flat_map(|c| (0..ROWS).map(move |r| (c, r))) {
        let old = board.stone(column, row);
        if let Some(new) = old.and_then(|old| stone(column, row, old)) {
            built.drop(column, new);
        }
    }
    built
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stones::tests::simpler_is_smaller;

    fn controller() -> Controller {
        Controller::load("windows").expect("a preset")
    }

    #[test]
    fn simpler_position_is_smaller() {
        assert_eq!(simpler_is_smaller::<Connect4>().len(), 20);
    }

    #[test]
    fn simpler_controller_is_smaller() {
        let measure = |c: &Controller| {
            let weights = c.weights.iter().flatten();
            (c.depth, weights.filter(|weight| **weight != 0).count())
        };
        let mut last = controller();
        let first = Connect4::simpler_controllers(&last);
        assert_eq!(
            first.iter().map(|c| c.depth).collect::<Vec<_>>()[..3],
            [1, 2, 3]
        );
        assert_eq!(first.len(), 3 + 1 + COLUMNS);
        while let Some(next) = Connect4::simpler_controllers(&last).pop() {
            assert!(measure(&next) < measure(&last));
            assert_eq!(next.source, "reduced from windows");
            last = next;
        }
        assert_eq!(measure(&last), (1, 0));
    }
}
