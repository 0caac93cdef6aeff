//! Explaining and shrinking decisions of Connect Four.

use protocol::layout::connect4::{COLUMNS, ROWS};

use super::decision;
use super::{Candidate, Connect4, Controller, Decision, Position};
use crate::explain::{REDUCED, reduced_source};
use crate::{Explain, Noun, Shrink};

impl Explain for Connect4 {
    const CANDIDATE: Noun = Noun {
        one: "candidate",
        many: "candidates",
    };

    const DEFINITIONS: &'static str = include_str!("README.md");

    fn label(candidate: &Candidate) -> String {
        format!("column {}", candidate.column)
    }

    fn choice(candidates: &[Candidate]) -> Option<usize> {
        Self::chosen(candidates, &decision::best(candidates)?)
    }

    fn chosen(candidates: &[Candidate], decision: &Decision) -> Option<usize> {
        let mut columns = candidates.iter().map(|candidate| candidate.column);
        columns.position(|column| column == decision.column)
    }
}

impl Shrink for Connect4 {
    fn simpler(position: &Position) -> Vec<Position> {
        position.simpler()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn controller() -> Controller {
        Controller::load("windows").expect("a built-in controller")
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
