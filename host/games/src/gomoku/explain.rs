//! Explaining decisions of Gomoku.

use super::decision::{self, Candidate, Decision};
use super::game::Gomoku;
use crate::explain::definition_in;
use crate::{Explain, Noun};

/// The page of definitions; its tables have a line for each field.
const DEFINITIONS: &str = include_str!("README.md");

impl Explain for Gomoku {
    const CANDIDATE: Noun = Noun {
        one: "node",
        many: "nodes",
    };

    fn label(candidate: &Candidate) -> String {
        let Candidate { ply, x, y, .. } = candidate;
        format!("ply {ply}, x {x}, y {y}")
    }

    fn definition(field: &str) -> Option<&'static str> {
        definition_in(DEFINITIONS, field)
    }

    fn choice(candidates: &[Candidate]) -> Option<usize> {
        decision::best(candidates)
    }

    fn looked_at(decision: &Decision) -> Option<u64> {
        decision.nodes
    }

    fn chosen(candidates: &[Candidate], decision: &Decision) -> Option<usize> {
        if decision::is_cut(candidates) {
            return None;
        }
        let place = |node: &Candidate| (usize::from(node.x), usize::from(node.y));
        candidates
            .iter()
            .position(|node| node.ply == 1 && place(node) == (decision.x, decision.y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chosen_node_is_child_of_root() {
        let nodes = [(2, 16, 5), (1, 17, 3), (1, 16, 4)];
        let nodes = nodes.map(|(ply, point, value)| Candidate::new(ply, point, value));
        let decision = Decision::new(16, 4, 3);
        assert_eq!(Gomoku::looked_at(&decision), Some(3));
        assert_eq!(Gomoku::chosen(&nodes, &decision), Some(2));
        assert_eq!(Gomoku::choice(&nodes), Some(2));
        assert_eq!(Gomoku::chosen(&nodes[..2], &decision), None);
        assert_eq!(Gomoku::label(&nodes[0]), "ply 2, x 1, y 1");
    }
}
