//! The golden model: plain minimax, without pruning and without deepening.

use super::board::{Board, ORDER, Stone};
use super::controller::{Controller, Weights};
use super::decision::{self, Candidate, Decision};
use super::error::Connect4Error;
use super::game::{BOARD, Connect4};
use super::position::Position;
use crate::{Boards, Capabilities, Found, Golden, Progress, Trace, Unwatched, Watch, Wish};

/// Value of a win before the first stone; each stone until it takes 1 off.
const WIN: i32 = protocol::layout::connect4::WIN as i32;

/// Stones dropped between two checks of the watch.
const CHECK_EVERY: u64 = 4096;

impl Golden for Connect4 {
    fn capabilities(_: Option<&Controller>) -> Capabilities {
        Capabilities {
            trace: true,
            search: true,
            ..Capabilities::plain(Boards::Only(BOARD))
        }
    }

    fn decide(controller: &Controller, position: &Position) -> Result<Decision, Connect4Error> {
        let candidates = candidates(controller, position, &mut Unwatched)?.0;
        decision::best(&candidates).ok_or(Connect4Error::Over)
    }

    /// Finished early, it answers with the best of the columns searched so far, or by depth 1
    /// before the first: minimax completes no smaller depth on its way. Neither answer is
    /// comparable with others.
    fn search(
        controller: &Controller,
        position: &Position,
        watch: &mut dyn Watch<Self>,
    ) -> Result<Option<Found<Self>>, Connect4Error> {
        let (candidates, wish) = candidates(controller, position, watch)?;
        let found = |decision, depth, promised| Found {
            decision,
            notes: vec![decision::depth(depth, promised)],
        };
        Ok(match (wish, decision::best(&candidates)) {
            (Wish::Forget, _) => None,
            (Wish::Finish, None) => {
                let flat = controller.clone().with_depth(1)?;
                Some(found(Self::decide(&flat, position)?, 1, false))
            }
            (_, None) => return Err(Connect4Error::Over),
            (wish, Some(best)) => {
                let depth = last(controller, &position.board);
                Some(found(best, depth as u64, wish == Wish::GoOn))
            }
        })
    }

    fn trace(
        controller: &Controller,
        position: &Position,
    ) -> Result<Option<Trace<Self>>, Connect4Error> {
        let weighed = candidates(controller, position, &mut Unwatched)?.0;
        let decision = decision::best(&weighed).ok_or(Connect4Error::Over)?;
        Ok(Some(Trace { weighed, decision }))
    }
}

/// How many stones are looked ahead: no more than there are empty cells.
fn last(controller: &Controller, board: &Board) -> usize {
    let empty = BOARD.columns * BOARD.rows - board.stones();
    empty.min(controller.depth.into())
}

/// The columns in the order of [`ORDER`] with their values, and the last wish of the watch. Where
/// that is not [`Wish::GoOn`], columns are missing.
fn candidates(
    controller: &Controller,
    position: &Position,
    watch: &mut dyn Watch<Connect4>,
) -> Result<(Vec<Candidate>, Wish), Connect4Error> {
    let Position { board, to_move } = *position;
    if board.is_over() {
        return Err(Connect4Error::Over);
    }
    let depth = last(controller, &board);
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
                Err(Ended(wish)) => return Ok((candidates, wish)),
            },
            false => None,
        };
        candidates.push(Candidate { column, value });
        minimax.watch.progress(Progress {
            best: decision::best(&candidates),
            notes: vec![decision::depth(depth as u64, false)],
            cycles: None,
        });
    }
    Ok((candidates, Wish::GoOn))
}

/// The wish that ended the search; not [`Wish::GoOn`].
struct Ended(Wish);

struct Minimax<'a> {
    board: Board,
    weights: &'a Weights,
    /// Stones dropped so far.
    dropped: u64,
    watch: &'a mut dyn Watch<Connect4>,
}

impl Minimax<'_> {
    /// Value for `mover` of dropping a stone in a column that has room, `ply` stones after the
    /// root, with `depth` stones to look ahead, this one among them.
    fn value(&mut self, mover: Stone, column: usize, ply: i32, depth: usize) -> Result<i32, Ended> {
        self.dropped += 1;
        if self.dropped.is_multiple_of(CHECK_EVERY) {
            let wish = self.watch.wish();
            if wish != Wish::GoOn {
                return Err(Ended(wish));
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

    /// The highest value that `mover` reaches.
    fn best(&mut self, mover: Stone, ply: i32, depth: usize) -> Result<i32, Ended> {
        let mut best = -WIN;
        for column in 0..BOARD.columns {
            if self.board.has_room(column) {
                best = best.max(self.value(mover, column, ply, depth)?);
            }
        }
        Ok(best)
    }

    /// The weights of the mover's stones, less those of the other side's.
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
