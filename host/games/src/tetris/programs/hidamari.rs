//! `hidamari`: Todd Gaunt's depth-first search over two pieces.
//!
//! Source: `toddgaunt/hidamari` on GitHub (read for facts, nothing taken) and its author's article,
//! which swaps two of the weights; here are the weights of the code. A plan is 0 to 2 clockwise
//! turns, 0 to 5 steps right or left, and the drop. The search tries the 36 plans of the current
//! piece, each followed by the 36 plans of the next one. Many plans lead to the same placement; the
//! fourth rotation of J, L and T is never tried. The score of a position adds bumpiness, aggregate
//! height and holes, each weighted, to an integer that is truncated after every term. The lowest
//! score wins, and among equal scores the last plan, because the program takes plans from the end
//! of a stack.
//!
//! The program's gravity timer runs while it decides. [`Policy::decide`](Policy) has no gravity,
//! and skips placements that are not legal under the common rules: a piece slid under a cell of the
//! top rows, or locked into filled cells. The program's own game has both.
//! Its first piece is I, J, L or T; the others are dealt from bags of seven. A bag is shuffled by
//! seven swaps of two random places each, so not all orders are equally likely.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng as _;

use super::hidamari_field::{Button, Field};
use super::{Locked, OwnGame, Policy, placed, whole_score};
use crate::random::{below, game_seed};
use crate::tetris::{Board, Piece, PieceSource, Placement, Size};

/// The size of the program's board.
const BOARD: Size = Size::known(10, 22);

const BUMPINESS: f64 = 0.848058;
const AGGREGATE_HEIGHT: f64 = 2.304684;
const HOLES: f64 = 1.405450;

/// The program.
pub(super) const POLICY: Policy = Policy {
    name: "hidamari",
    summary: "Gaunt's depth-first search over the current and the next piece, integer scores, lowest wins",
    source: "github.com/toddgaunt/hidamari",
    board: BOARD,
    piece_source: PieceSource::Bag,
    lookahead: true,
    plays_on: |size| size.columns() == BOARD.columns() && size.rows() <= BOARD.rows(),
    decide,
    own_game: Some(|seed, game| Box::new(HidamariGame::new(seed, game))),
    prefers_own_game: true,
};

/// Decides on boards of 10 columns and 4 to 22 rows; without the next piece only the current one is
/// searched. The score is the program's, negated, so that a higher score is better.
fn decide(board: &Board, piece: Piece, next: Option<Piece>) -> Option<Placement> {
    let field = Field::of(board, piece)?;
    let legal = |(rotation, column, row): (usize, usize, usize)| {
        board.landing_row(&piece.rotations()[rotation], column) == Some(row)
    };
    let plan = best_plan(&field, next, legal)?;
    let (rotation, column, _) = plan.play(&mut field.clone(), piece)?;
    placed(board, piece, [rotation, column], whole_score(-plan.score))
}

/// The buttons to press for a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plan {
    turns: usize,
    steps: usize,
    way: Button,
    /// The score of the best resulting position; lower is better.
    score: i64,
}

/// The place of a locked piece: rotation, leftmost column and row.
type Place = (usize, usize, usize);

impl Plan {
    /// All plans, in the program's order.
    fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..3 * 6 * 2).map(|number| Self {
            turns: number / 12,
            steps: number / 2 % 6,
            way: [Button::Right, Button::Left][number % 2],
            score: 0,
        })
    }

    /// Presses the buttons; `next` is the next piece.
    pub(super) fn play(&self, field: &mut Field, next: Piece) -> Option<Place> {
        for _ in 0..self.turns {
            field.press(Button::Turn, next);
        }
        for _ in 0..self.steps {
            field.press(self.way, next);
        }
        field.press(Button::Drop, next)
    }
}

/// The best plan that locks the current piece in an allowed place, if there is one.
pub(super) fn best_plan(
    field: &Field,
    next: Option<Piece>,
    allowed: impl Fn(Place) -> bool,
) -> Option<Plan> {
    let mut best: Option<Plan> = None;
    // The piece after the next one does not affect the score.
    let beyond = Piece::I;
    for plan in Plan::all().rev() {
        let mut after = field.clone();
        let place = plan.play(&mut after, next.unwrap_or(beyond))?;
        if !allowed(place) {
            continue;
        }
        let score = match next {
            None => evaluate(&after),
            Some(_) => {
                let leaves = Plan::all().map(|plan| {
                    let mut leaf = after.clone();
                    plan.play(&mut leaf, beyond);
                    evaluate(&leaf)
                });
                leaves.min()?
            }
        };
        if best.is_none_or(|best| score < best.score) {
            best = Some(Plan { score, ..plan });
        }
    }
    best
}

/// The program's score of a position; lower is better.
fn evaluate(field: &Field) -> i64 {
    let (heights, holes) = field.heights_and_holes();
    let bumpiness: i64 = heights.windows(2).map(|h| (h[0] - h[1]).abs()).sum();
    let terms = [
        (BUMPINESS, bumpiness),
        (AGGREGATE_HEIGHT, heights.iter().sum()),
        (HOLES, holes),
    ];
    terms.iter().fold(0, |score, &(weight, feature)| {
        (score as f64 + weight * feature as f64) as i64
    })
}

/// A running game.
#[derive(Debug, Clone)]
pub(super) struct HidamariGame {
    field: Field,
    next: Piece,
    bag: Vec<Piece>,
    random: SplitMix64,
    moves: u64,
}

impl HidamariGame {
    /// Game `game` of the session `seed`.
    pub(super) fn new(seed: u64, game: u64) -> Self {
        let mut random = SplitMix64::seed_from_u64(game_seed(seed, game));
        let first = [Piece::I, Piece::J, Piece::L, Piece::T][below(&mut random, 4)];
        let mut new = Self {
            field: Field::empty(BOARD.rows(), first),
            next: first,
            bag: Vec::new(),
            random,
            moves: 0,
        };
        new.next = new.deal();
        new
    }

    fn deal(&mut self) -> Piece {
        if self.bag.is_empty() {
            self.bag = shuffled(&mut self.random);
        }
        self.bag.pop().unwrap_or(Piece::I)
    }
}

/// A shuffled bag, which is dealt from its end.
fn shuffled(random: &mut SplitMix64) -> Vec<Piece> {
    use Piece::{I, J, L, O, S, T, Z};
    let mut bag = vec![I, J, L, O, S, T, Z];
    for _ in 0..7 {
        let (a, b) = (below(random, 7), below(random, 7));
        bag.swap(a, b);
    }
    bag.reverse();
    bag
}

impl OwnGame for HidamariGame {
    fn step(&mut self) -> Option<Locked> {
        if self.field.over() {
            return None;
        }
        let piece = self.field.piece();
        let plan = best_plan(&self.field, Some(self.next), |_| true)?;
        let (rotation, column, row) = plan.play(&mut self.field, self.next)?;
        self.next = self.deal();
        self.moves += 1;
        let cells = &piece.rotations()[rotation];
        Some(Locked::at(piece, cells, column, row))
    }

    fn moves(&self) -> u64 {
        self.moves
    }

    fn lines(&self) -> u64 {
        self.field.lines()
    }

    fn board(&self) -> Board {
        self.field.board()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decide_skips_placements_illegal_under_common_rules() {
        // Every plan would lock the piece into filled cells.
        let full = Board::from_rows(10, &[0b1_1111_1110; 22]).unwrap();
        assert!(decide(&full, Piece::O, Some(Piece::I)).is_none());
        assert!(decide(&Board::new(96, 64), Piece::O, None).is_none());
    }

    #[test]
    fn decide_full_board_is_none() {
        let full = Board::from_rows(10, &[0b11_1111_1111; 20]).unwrap();
        for next in [None, Some(Piece::T)] {
            assert_eq!(decide(&full, Piece::T, next), None);
        }
    }

    #[test]
    fn plans_never_reach_fourth_rotation() {
        for (piece, fourth) in [(Piece::T, 1), (Piece::J, 1), (Piece::L, 3)] {
            for plan in Plan::all() {
                let mut field = Field::empty(BOARD.rows(), piece);
                assert_ne!(plan.play(&mut field, Piece::I).unwrap().0, fourth);
            }
        }
    }
}
