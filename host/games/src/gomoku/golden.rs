//! The golden model: both profiles as the definitions have them.
//!
//! Every node looks at the whole board again. [`wujian`] and [`lines`] are the profiles, [`shape`]
//! has the shapes of `lines`.

pub mod lines;
pub mod shape;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod vectors;
pub mod wujian;

use super::Position;
use super::controller::{Controller, Profile};
use super::decision::{Answer, Candidate, Nodes};
use super::game::{BOARD, Gomoku};
use super::{Board, Stone};
use crate::stones::over;
use crate::{
    Capabilities, GameError, Golden, SearchControl, SearchProgress, SearchResult, Trace, Unwatched,
    Watch,
};

/// The centre of the board.
pub const CENTRE: usize = 112;

/// Stones put on the board between two calls of [`Watch::control`].
const CHECK_EVERY: u64 = 16;

impl Golden for Gomoku {
    fn capabilities(_: Option<&Controller>) -> Capabilities {
        Capabilities::searching(BOARD)
    }

    fn decide(controller: &Controller, position: &Position) -> Result<super::Decision, GameError> {
        let found = Self::search(controller, position, &mut Unwatched)?;
        found.map(|found| found.decision).ok_or_else(over::<Self>)
    }

    /// Returns the best point completed so far if the search is finished early.
    ///
    /// Before the first one, that is the decision of depth 1. Neither is comparable with other
    /// backends.
    fn search(
        controller: &Controller,
        position: &Position,
        watch: &mut dyn Watch<Self>,
    ) -> Result<Option<SearchResult<Self>>, GameError> {
        let mut tree = begin(position, watch)?;
        let answer = match decided(&position.board, position.to_move, controller, &mut tree) {
            Ok(answer) => answer,
            Err(Ended(SearchControl::Abandon)) => return Ok(None),
            Err(_) => tree.so_far(),
        };
        if let Some(decision) = answer.decision() {
            return Ok(Some(SearchResult::plain(decision)));
        }
        let shallow = controller.clone().with_depth(1)?;
        let answer = answer_of(&position.board, position.to_move, &shallow);
        let decision = answer.decision().ok_or_else(over::<Self>)?;
        Ok(Some(SearchResult::plain(decision)))
    }

    fn trace(
        controller: &Controller,
        position: &Position,
    ) -> Result<Option<Trace<Self>>, GameError> {
        let mut unwatched = Unwatched;
        let mut tree = begin(position, &mut unwatched)?;
        tree.trace = Some(Nodes::default());
        let answer = decided(&position.board, position.to_move, controller, &mut tree);
        let decision = answer.ok().and_then(Answer::decision);
        let candidates = tree.trace.unwrap_or_default().into_inner();
        Ok(decision.map(|decision| Trace {
            candidates,
            decision,
        }))
    }
}

/// A tree for a position in which the game is not over.
fn begin<'a>(position: &Position, watch: &'a mut dyn Watch<Gomoku>) -> Result<Tree<'a>, GameError> {
    match position.board.is_over() {
        true => Err(over::<Gomoku>()),
        false => Ok(Tree::new(watch)),
    }
}

/// The answer on any board for the side `own`, the game being over or not.
pub fn answer_of(board: &Board, own: Stone, controller: &Controller) -> Answer {
    let mut unwatched = Unwatched;
    let mut tree = Tree::new(&mut unwatched);
    let answer = decided(board, own, controller, &mut tree);
    answer.unwrap_or_else(|_| tree.so_far())
}

/// The first steps of both profiles, then the steps of the controller's profile.
fn decided(
    board: &Board,
    own: Stone,
    controller: &Controller,
    tree: &mut Tree<'_>,
) -> Result<Answer, Ended> {
    let win = match controller.profile {
        Profile::Wujian => wujian::WIN,
        Profile::Lines(_) => lines::WIN,
    };
    if board.has_five(own) {
        return Ok(Answer::immediate(None, win));
    }
    if board.has_five(own.other()) {
        return Ok(Answer::immediate(None, -win));
    }
    if board.stones() == 0 {
        return Ok(Answer::immediate(Some(CENTRE), 0));
    }
    if board.is_full() {
        return Ok(Answer::immediate(None, 0));
    }
    let depth = controller.depth.into();
    match &controller.profile {
        Profile::Wujian => wujian::decide(board, own, depth, tree),
        Profile::Lines(weights) => lines::decide(board, own, depth, weights, tree),
    }
}

/// The watch ended the search with this answer.
pub struct Ended(SearchControl);

/// The state of a search: its nodes, and the best point so far.
pub struct Tree<'a> {
    /// Number of stones put on the board so far.
    nodes: u64,
    /// The best point of the root so far, and its value.
    best: Option<(usize, i32)>,
    /// The nodes left so far, if they are listed.
    trace: Option<Nodes>,
    watch: &'a mut dyn Watch<Gomoku>,
}

impl<'a> Tree<'a> {
    fn new(watch: &'a mut dyn Watch<Gomoku>) -> Self {
        Self {
            nodes: 0,
            best: None,
            trace: None,
            watch,
        }
    }

    /// Counts a stone that is placed on the board.
    fn enter(&mut self) -> Result<(), Ended> {
        self.nodes += 1;
        if self.nodes.is_multiple_of(CHECK_EVERY) {
            let control = self.watch.control();
            if control != SearchControl::Continue {
                return Err(Ended(control));
            }
        }
        Ok(())
    }

    /// Lists a node with its value as its parent compares it.
    fn leave(&mut self, ply: usize, point: usize, value: i32) {
        if let Some(trace) = &mut self.trace {
            trace.push(Candidate::new(ply as u8, point as u8, value));
        }
    }

    /// Takes a point of the root that is better than those before it.
    fn take(&mut self, point: usize, value: i32) {
        self.best = Some((point, value));
        self.watch.progress(SearchProgress {
            best: self.so_far().decision(),
            notes: Vec::new(),
            cycles: None,
        });
    }

    /// The best answer so far.
    fn so_far(&self) -> Answer {
        Answer {
            point: self.best.map(|(point, _)| point),
            value: self.best.map_or(0, |(_, value)| value),
            nodes: self.nodes,
        }
    }
}
