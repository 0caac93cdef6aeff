//! `hidamari`: Todd Gaunt's depth-first search over two pieces.
//!
//! Source: `toddgaunt/hidamari` on GitHub (read for facts, nothing taken) and
//! its author's article (seed 001), which swaps two of the weights; here are
//! the code's. Every plan for the current piece is followed by every plan for
//! the next one, 36 each: nought to two clockwise turns, then nought to five
//! steps right or left, then the drop. Many plans come to the same placement,
//! the fourth rotation of J, L and T is never tried. A position is scored by
//! bumpiness, aggregate height and holes, each weighted and added to an integer
//! that is cut towards nought after every term. The lowest score wins, and of
//! equals the last plan in order, since its stack is emptied from the end.
//!
//! The program decides with its gravity timer running; [`Policy::decide`](Policy) has
//! no timer, leaves gravity out, and leaves out placements that are not legal
//! under the common rules: a piece slid under a cell of the top rows, or locked
//! into filled cells. Its own game has all of it (`hidamari_game`).

use super::hidamari_field::{Button, Field};
use super::{Policy, whole_score};
use crate::tetris::board::Board;
use crate::tetris::piece::Piece;
use crate::tetris::placement::Placement;
use crate::tetris::size::Size;
use crate::tetris::source::PieceSource;

/// The board of its program.
const BOARD: Size = Size::known(10, 22);

const BUMPINESS: f64 = 0.848058;
const AGGREGATE_HEIGHT: f64 = 2.304684;
const HOLES: f64 = 1.405450;

/// The profile.
pub(super) const POLICY: Policy = Policy {
    name: "hidamari",
    summary: "Gaunt's depth-first search over the current and the next piece, integer scores, lowest wins",
    source: "github.com/toddgaunt/hidamari",
    board: BOARD,
    piece_source: PieceSource::Bag,
    lookahead: true,
    plays_on: |size| size.columns() == BOARD.columns() && size.rows() <= BOARD.rows(),
    decide,
    own_game: None,
    prefers_own_game: true,
};

/// Boards have 10 columns and 4 to 22 rows; without the next piece it searches the current one
/// alone. The score is the program's, negated, so that here too more is better.
fn decide(board: &Board, piece: Piece, next: Option<Piece>) -> Option<Placement> {
    let field = Field::of(board, piece)?;
    let legal = |(rotation, column, row): (usize, usize, usize)| {
        board.landing_row(&piece.rotations()[rotation], column) == Some(row)
    };
    let plan = best_plan(&field, next, legal)?;
    let (rotation, column, row) = plan.play(&mut field.clone(), piece)?;
    let mut after = board.clone();
    after.place(&piece.rotations()[rotation], column, row);
    Some(Placement {
        rotation,
        column,
        row,
        rows_cleared: after.clear_full_rows().len(),
        score: whole_score(-plan.score),
    })
}

/// What to press for a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Plan {
    turns: usize,
    steps: usize,
    way: Button,
    /// Score of the best position it leads to; lower is better.
    score: i64,
}

/// Where a piece was locked: rotation, leftmost column, row.
type Place = (usize, usize, usize);

impl Plan {
    /// Every plan in the program's order.
    fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..3 * 6 * 2).map(|number| Self {
            turns: number / 12,
            steps: number / 2 % 6,
            way: [Button::Right, Button::Left][number % 2],
            score: 0,
        })
    }

    /// Presses its buttons; `next` is the piece that comes then.
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

/// The best plan of those that lock the current piece in an allowed place,
/// `None` when there is none.
pub(super) fn best_plan(
    field: &Field,
    next: Option<Piece>,
    allowed: impl Fn(Place) -> bool,
) -> Option<Plan> {
    let mut best: Option<Plan> = None;
    // What comes after the next piece plays no part: any piece will do.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: &[u64]) -> Board {
        let mut rows = rows.to_vec();
        rows.resize(22, 0);
        Board::from_rows(10, &rows).unwrap()
    }

    #[test]
    fn every_term_is_cut_to_an_integer() {
        // Heights 2 0 1 0 …, a hole at (0, 0): bumpiness 2 + 1 + 1, height 3.
        let field = Field::of(&board(&[0b100, 0b001]), Piece::I).unwrap();
        // 3.39 → 3; 3 + 6.91 → 9; 9 + 1.41 → 10. Cut once it would be 11.
        assert_eq!(evaluate(&field), 10);
    }

    /// A flat I on the empty board: bumpiness 1 at either wall, 2 elsewhere,
    /// which the cut makes 0 and 1. At the walls both plans score alike.
    #[test]
    fn the_last_of_equal_plans_wins() {
        let placement = decide(&board(&[]), Piece::I, None).unwrap();
        // The flat I of two turns, as far left as it goes.
        assert_eq!((placement.rotation, placement.column), (1, 0));
        // 0.848 → 0; 0 + 4 × 2.305 → 9.
        assert_eq!(placement.score, whole_score(-9));
    }

    #[test]
    fn placements_the_common_rules_lack_are_left_out() {
        // Nothing fits: every plan would lock into filled cells.
        let full = Board::from_rows(10, &[0b1_1111_1110; 22]).unwrap();
        assert!(decide(&full, Piece::O, Some(Piece::I)).is_none());
        assert!(decide(&Board::new(96, 64), Piece::O, None).is_none());
    }

    #[test]
    fn a_board_full_to_the_top_has_no_placement() {
        let full = Board::from_rows(10, &[0b11_1111_1111; 20]).unwrap();
        for next in [None, Some(Piece::T)] {
            assert_eq!(decide(&full, Piece::T, next), None);
        }
    }

    #[test]
    fn there_are_36_plans_in_order() {
        let plans: Vec<Plan> = Plan::all().collect();
        assert_eq!(plans.len(), 36);
        let of = |i: usize| (plans[i].turns, plans[i].steps, plans[i].way);
        assert_eq!(of(0), (0, 0, Button::Right));
        assert_eq!(of(1), (0, 0, Button::Left));
        assert_eq!(of(2), (0, 1, Button::Right));
        assert_eq!(of(35), (2, 5, Button::Left));
    }

    #[test]
    fn the_fourth_rotation_is_never_tried() {
        for (piece, fourth) in [(Piece::T, 1), (Piece::J, 1), (Piece::L, 3)] {
            for plan in Plan::all() {
                let mut field = Field::of(&board(&[]), piece).unwrap();
                assert_ne!(plan.play(&mut field, Piece::I).unwrap().0, fourth);
            }
        }
    }
}
