//! Clock cycles of a core's decision, from the golden model's search (docs/wire.md).

use super::controller::{Controller, Profile};
use super::decision::{Candidate, Decision};
use super::game::Gomoku;
use super::golden::lines;
use super::position::Position;
use crate::Golden as _;

/// Most nodes of a search that is repeated for its cycles; the golden model is slow.
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

/// How a core deals with a node.
#[derive(Clone, Copy)]
struct Child {
    /// It is scored from its parent.
    is_leaf: bool,
    /// It is put on the board.
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
    let mut leaves = 0; // one behind the other
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
