//! The golden model: plain minimax, without pruning and without iterative deepening.

use super::board::ORDER;
use super::controller::Weights;
use super::decision;
use super::game::BOARD;
use super::{Board, Candidate, Connect4, Controller, Decision, Position, Stone};
use crate::stones::over;
use crate::{
    Capabilities, GameError, Golden, SearchControl, SearchProgress, SearchResult, Trace, Unwatched,
    Watch,
};

/// The value of a win, minus 1 for each stone up to the winning one.
const WIN: i32 = protocol::layout::connect4::WIN as i32;

/// Stones dropped between two calls of [`Watch::control`].
const CHECK_EVERY: u64 = 4096;

impl Golden for Connect4 {
    fn capabilities(_: Option<&Controller>) -> Capabilities {
        Capabilities::searching(BOARD)
    }

    fn decide(controller: &Controller, position: &Position) -> Result<Decision, GameError> {
        let candidates = candidates(controller, position, &mut Unwatched)?.0;
        decision::best(&candidates).ok_or_else(over::<Self>)
    }

    /// Returns the best of the columns searched so far if the search is finished early.
    ///
    /// Before the first column, that is the decision of depth 1. Neither is comparable with other
    /// backends.
    fn search(
        controller: &Controller,
        position: &Position,
        watch: &mut dyn Watch<Self>,
    ) -> Result<Option<SearchResult<Self>>, GameError> {
        let (candidates, control) = candidates(controller, position, watch)?;
        let result = |decision, depth, promised| SearchResult {
            decision,
            notes: vec![decision::depth(depth, promised)],
        };
        Ok(match (control, decision::best(&candidates)) {
            (SearchControl::Abandon, _) => None,
            (SearchControl::Finish, None) => {
                let shallow = controller.clone().with_depth(1)?;
                Some(result(Self::decide(&shallow, position)?, 1, false))
            }
            (_, None) => return Err(over::<Self>()),
            (control, Some(best)) => {
                let depth = search_depth(controller, &position.board) as u64;
                Some(result(best, depth, control == SearchControl::Continue))
            }
        })
    }

    fn trace(
        controller: &Controller,
        position: &Position,
    ) -> Result<Option<Trace<Self>>, GameError> {
        let candidates = candidates(controller, position, &mut Unwatched)?.0;
        let decision = decision::best(&candidates).ok_or_else(over::<Self>)?;
        Ok(Some(Trace {
            candidates,
            decision,
        }))
    }
}

/// The depth of a search: the controller's, but at most the number of empty cells.
fn search_depth(controller: &Controller, board: &Board) -> usize {
    let empty = BOARD.columns * BOARD.rows - board.stones();
    empty.min(controller.depth.into())
}

/// The columns in the order of [`ORDER`] with their values, and the watch's last answer.
///
/// Columns are missing if that is not [`SearchControl::Continue`].
fn candidates(
    controller: &Controller,
    position: &Position,
    watch: &mut dyn Watch<Connect4>,
) -> Result<(Vec<Candidate>, SearchControl), GameError> {
    let Position { board, to_move } = *position;
    if board.is_over() {
        return Err(over::<Connect4>());
    }
    let depth = search_depth(controller, &board);
    let mut minimax = Minimax {
        board,
        weights: &controller.weights,
        dropped: 0,
        watch,
    };
    let mut candidates = Vec::new();
    for column in ORDER {
        let value = match board.has_room(column) {
            true => match minimax.value(to_move, column, 0, depth) {
                Ok(value) => Some(value),
                Err(Ended(control)) => return Ok((candidates, control)),
            },
            false => None,
        };
        candidates.push(Candidate { column, value });
        minimax.watch.progress(SearchProgress {
            best: decision::best(&candidates),
            notes: vec![decision::depth(depth as u64, false)],
            cycles: None,
        });
    }
    Ok((candidates, SearchControl::Continue))
}

/// The watch ended the search with this answer.
struct Ended(SearchControl);

struct Minimax<'a> {
    board: Board,
    weights: &'a Weights,
    /// Number of stones dropped so far.
    dropped: u64,
    watch: &'a mut dyn Watch<Connect4>,
}

impl Minimax<'_> {
    /// The value for `mover` of dropping a stone in a column that is not full.
    ///
    /// `ply` is the number of stones since the root, `depth` that of stones to search, with this
    /// one.
    fn value(&mut self, mover: Stone, column: usize, ply: i32, depth: usize) -> Result<i32, Ended> {
        self.dropped += 1;
        if self.dropped.is_multiple_of(CHECK_EVERY) {
            let control = self.watch.control();
            if control != SearchControl::Continue {
                return Err(Ended(control));
            }
        }
        let four = match self.board.drop(column, mover) {
            Some(row) => self.board.makes_four(column, row),
            None => false,
        };
        let value = if four {
            WIN - (ply + 1)
        } else if self.board.is_full() {
            0
        } else if depth == 1 {
            self.evaluation(mover)
        } else {
            -self.best(mover.other(), ply + 1, depth - 1)?
        };
        self.board.take(column);
        Ok(value)
    }

    /// The highest value that `mover` can reach.
    fn best(&mut self, mover: Stone, ply: i32, depth: usize) -> Result<i32, Ended> {
        let mut best = -WIN;
        for column in 0..BOARD.columns {
            if self.board.has_room(column) {
                best = best.max(self.value(mover, column, ply, depth)?);
            }
        }
        Ok(best)
    }

    /// The sum of the weights of the mover's stones, less the sum of the opponent's.
    fn evaluation(&self, mover: Stone) -> i32 {
        let mut sum = 0;
        for (column, weights) in self.weights.iter().enumerate() {
            for (row, &weight) in weights.iter().enumerate() {
                sum += match self.board.stone(column, row) {
                    None => 0,
                    Some(stone) if stone == mover => i32::from(weight),
                    Some(_) => -i32::from(weight),
                };
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Red, Yellow};
    use super::*;

    /// Ends every search at its first check.
    struct Ends(SearchControl);

    impl Watch<Connect4> for Ends {
        fn progress(&mut self, _: SearchProgress<Connect4>) {}

        fn control(&self) -> SearchControl {
            self.0
        }
    }

    #[test]
    fn search_ends_when_its_watch_says() {
        let windows = Controller::load("windows").expect("a built-in controller");
        let at = |depth| windows.clone().with_depth(depth).expect("a depth");
        let position = Position::empty();
        let searched = |depth, control| {
            let found = Connect4::search(&at(depth), &position, &mut Ends(control));
            found.expect("a search").map(|found| found.decision)
        };
        let found = |control| searched(6, control);
        let decided = |depth| Connect4::decide(&at(depth), &position).ok();
        assert_ne!(decided(6), decided(1));
        assert_eq!(found(SearchControl::Continue), decided(6));
        assert_eq!(found(SearchControl::Finish), decided(1));
        assert_eq!(found(SearchControl::Abandon), None);
        let short = searched(3, SearchControl::Abandon);
        assert_eq!(short, decided(3), "it is over before the first check");
    }

    /// A stone counts 10 times its column, plus its row.
    #[test]
    fn depth_one_value_is_difference_of_weights() {
        let mut controller = Controller::load("flat").expect("a built-in controller");
        controller.depth = 1;
        for (column, weights) in (0..).zip(&mut controller.weights) {
            *weights = [0, 1, 2, 3, 4, 5].map(|row| 10 * column + row);
        }
        let mut board = Board::default();
        board.drop(3, Yellow);
        board.drop(2, Red);
        let to_move = Yellow;
        let decision = Connect4::decide(&controller, &Position { board, to_move });
        let (column, value) = (6, 30 - 20 + 60);
        assert_eq!(decision.expect("a move"), Decision { column, value });
    }
}
