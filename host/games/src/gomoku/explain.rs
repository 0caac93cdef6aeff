//! Explaining and shrinking decisions of Gomoku.

use protocol::layout::gomoku::SHAPES;

use super::decision::{self, Candidate, Decision};
use super::{Controller, Gomoku, Lines, Position, Profile};
use crate::explain::{REDUCED, reduced_source};
use crate::{Explain, Noun, Shrink};

impl Explain for Gomoku {
    const CANDIDATE: Noun = Noun {
        one: "node",
        many: "nodes",
    };

    const DEFINITIONS: &'static str = include_str!("README.md");

    fn label(candidate: &Candidate) -> String {
        let Candidate { ply, x, y, .. } = candidate;
        format!("ply {ply}, x {x}, y {y}")
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

impl Shrink for Gomoku {
    fn simpler(position: &Position) -> Vec<Position> {
        position.simpler()
    }

    /// A simpler controller has a smaller depth, or the same depth and more weights that are 0, or
    /// the same weights and no extension, or a smaller width.
    fn simpler_controllers(controller: &Controller) -> Vec<Controller> {
        let with = |depth, profile| Controller {
            name: REDUCED.into(),
            source: reduced_source(&controller.name, &controller.source),
            profile,
            depth,
        };
        let depths = smaller(controller.depth).into_iter();
        let shallower = depths
            .filter(|depth| *depth > 0)
            .map(|depth| with(depth, controller.profile));
        let plainer = match controller.profile {
            Profile::Wujian => Vec::new(),
            Profile::Lines(lines) => plainer(&lines),
        };
        let plainer = plainer
            .into_iter()
            .map(|lines| with(controller.depth, Profile::Lines(lines)));
        shallower.chain(plainer).collect()
    }
}

/// Some smaller numbers, in ascending order.
fn smaller(number: u8) -> Vec<u8> {
    let mut smaller = vec![0, 1, number / 2, number.saturating_sub(1)];
    smaller.retain(|less| *less < number);
    smaller.sort_unstable();
    smaller.dedup();
    smaller
}

/// Weights with more zeros, then the same weights without extension or with less width.
fn plainer(lines: &Lines) -> Vec<Lines> {
    let without = |gone: &dyn Fn(usize) -> bool| {
        let mut left = *lines;
        for index in (0..SHAPES).filter(|index| gone(*index)) {
            (left.attack[index], left.defend[index], left.key[index]) = (0, 0, 0);
        }
        left
    };
    let shapes = (0..SHAPES).map(|gone| without(&|index| index == gone));
    let all = [without(&|_| true)].into_iter();
    let tables = [
        Lines {
            attack: [0; SHAPES],
            ..*lines
        },
        Lines {
            defend: [0; SHAPES],
            ..*lines
        },
        Lines {
            key: [0; SHAPES],
            ..*lines
        },
    ];
    let fewer = all.chain(tables).chain(shapes);
    let mut plainer: Vec<Lines> = fewer.filter(|left| left != lines).collect();
    if lines.extend {
        plainer.push(Lines {
            extend: false,
            ..*lines
        });
    }
    let widths = smaller(lines.width).into_iter();
    plainer.extend(widths.map(|width| Lines { width, ..*lines }));
    plainer
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

    #[test]
    fn simpler_controller_is_smaller() {
        let measure = |controller: &Controller| {
            let Profile::Lines(lines) = controller.profile else {
                return (controller.depth, 0, false, 0);
            };
            let tables = [lines.attack, lines.defend, lines.key.map(i16::from)];
            let weights = tables.iter().flatten().filter(|weight| **weight != 0);
            (controller.depth, weights.count(), lines.extend, lines.width)
        };
        for (preset, depths, end) in [
            ("lines", &[1, 2, 3][..], (1, 0, false, 0)),
            ("wujian", &[1, 2], (1, 0, false, 0)),
        ] {
            let mut last = Controller::load(preset).expect("a built-in controller");
            let first = Gomoku::simpler_controllers(&last);
            let found: Vec<u8> = first.iter().map(|c| c.depth).take(depths.len()).collect();
            assert_eq!(found, depths);
            for other in &first {
                assert!(measure(other) < measure(&last), "{other:?}");
            }
            while let Some(next) = Gomoku::simpler_controllers(&last).pop() {
                assert!(measure(&next) < measure(&last));
                assert_eq!(next.source, format!("reduced from {preset}"));
                last = next;
            }
            assert_eq!(measure(&last), end);
        }
    }
}
