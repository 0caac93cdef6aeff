//! Clock cycles of a core's decision, from the golden model's search (docs/wire.md).

use super::Position;
use super::controller::{Controller, Profile};
use super::decision::{Candidate, Decision};
use super::game::Gomoku;
use super::golden::lines;
use crate::Golden as _;

/// Maximum number of nodes of a search that is repeated for its cycles; the golden model is slow.
const MOST_NODES: u64 = 10_000;

/// The clock cycles of a complete decision, unless its search is too long.
pub(super) fn expected(
    controller: &Controller,
    position: &Position,
    decision: &Decision,
) -> Option<u64> {
    if decision.nodes.is_none_or(|nodes| nodes > MOST_NODES) {
        return None;
    }
    let Position { board, to_move } = position;
    let stones = board.stones() as u64;
    let put = 11 + 2 * stones;
    let is_lines = matches!(controller.profile, Profile::Lines(_));
    if stones == 0 {
        return Some(put);
    }
    if is_lines && let Some(looked_at) = lines::looked_at(board, *to_move) {
        return Some(put + 10 * looked_at);
    }
    let trace = Gomoku::trace(controller, position).ok()??;
    let pick = if is_lines { 6 } else { 2 };
    let searched = match trace.candidates.is_empty() {
        true => pick + 3,
        false => search(&trace.candidates, controller.depth, pick),
    };
    Some(put + 1 + searched)
}

/// How a core handles a node. A leaf for which a block is forced is both.
#[derive(Clone, Copy)]
struct Child {
    /// The core scores the node without putting its stone on the board.
    is_leaf: bool,
    /// The core places the node's stone on the board.
    is_stone: bool,
}

/// The cycles of all nodes of a search, children first; `pick` is the time of one pick.
fn search(nodes: &[Candidate], depth: u8, pick: u64) -> u64 {
    let mut cycles = 0;
    // The children of the open nodes, by ply.
    let mut open: Vec<Vec<Child>> = vec![Vec::new()];
    for node in nodes {
        let ply = usize::from(node.ply);
        open.resize_with(open.len().max(ply + 1), Vec::new);
        let children = std::mem::take(&mut open[ply]);
        let is_leaf = node.ply >= depth;
        if !children.is_empty() {
            cycles += pick + family(&children, pick);
        } else if !is_leaf && node.value == 0 {
            cycles += pick + 1; // It has no candidate: that of a win or loss is another value.
        }
        let is_stone = !is_leaf || !children.is_empty();
        open[ply - 1].push(Child { is_leaf, is_stone });
    }
    cycles + pick + family(&open[0], pick)
}

/// The cycles of the children of a node, without those of their own children.
fn family(children: &[Child], pick: u64) -> u64 {
    let mut cycles = 0;
    let mut leaves = 0; // in a row, without a stone between
    let mut is_behind_stone = false;
    for (index, child) in children.iter().enumerate() {
        if child.is_leaf {
            leaves += 1;
            cycles += match leaves {
                1 => 11,
                2 => pick + u64::from(is_behind_stone),
                _ => pick,
            };
        }
        if child.is_stone {
            leaves = 0;
            is_behind_stone = true;
            cycles += if index + 1 < children.len() { 13 } else { 9 };
        }
    }
    cycles
}

#[cfg(test)]
mod tests {
    use protocol::payload::link::Info;

    use super::super::{Black, Board, White};
    use super::*;
    use crate::Codec as _;

    /// A few stones of each side.
    fn open(own: &[usize], other: &[usize]) -> Board {
        let mut board = Board::default();
        for (points, side) in [(own, Black), (other, White)] {
            for point in points {
                board.put(*point, side);
            }
        }
        board
    }

    /// Stones in pairs along each line on all other points, so that no side makes five.
    fn full(empty: &[usize]) -> Board {
        let mut board = Board::default();
        for point in (0..225).filter(|point| !empty.contains(point)) {
            let pair = (point % 15 + 2 * (point / 15)) / 2;
            board.put(point, [Black, White][pair % 2]);
        }
        board
    }

    /// As the simulated core takes them (`rtl/ai/gomoku/`).
    #[test]
    fn expected_cycles_are_those_of_the_core() {
        let pair = || open(&[112, 113], &[97]);
        let three = [107, 108, 109];
        let fours = [15, 16, 17, 61, 62, 63, 65];
        let four = || open(&fours[..3], &[0, 112]);
        let last = || full(&[3, 112]);
        for (name, profile, depth, width, extend, board, cycles) in [
            ("empty", "lines", 2, 4, true, open(&[], &[]), 11),
            ("a win", "lines", 2, 4, true, open(&three, &[40]), 39),
            ("leaves", "lines", 1, 4, true, pair(), 53),
            ("stones", "lines", 3, 3, true, pair(), 412),
            ("to block", "lines", 2, 9, true, open(&three, &fours), 165),
            ("blocks", "lines", 1, 9, true, four(), 158),
            ("no blocks", "lines", 1, 9, false, four(), 87),
            ("dead", "lines", 2, 4, true, full(&[3, 40]), 467),
            ("runs", "wujian", 1, 0, false, open(&[112], &[]), 41),
            ("replies", "wujian", 2, 0, false, pair(), 508),
            ("last points", "wujian", 3, 0, false, last(), 510),
        ] {
            let mut controller = Controller::load(profile).expect("a built-in controller");
            controller.depth = depth;
            if let Profile::Lines(lines) = &mut controller.profile {
                (lines.width, lines.extend) = (width, extend);
            }
            let to_move = Black;
            let position = Position { board, to_move };
            let decision = Gomoku::decide(&controller, &position).expect("a decision");
            let info = Info::default();
            let expected = Gomoku::expected_cycles(&controller, &position, &decision, &info);
            assert_eq!(expected, Some(cycles), "{name}");
        }
    }
}
