//! `hidamari`: Todd Gaunt's depth-first search over two pieces.
//!
//! Source: `toddgaunt/hidamari` on GitHub (read for facts, nothing taken) and its author's article
//! (seed 001), which swaps two of the weights; here are the weights of the code. A plan is 0 to 2
//! clockwise turns, 0 to 5 steps right or left, and the drop. The search tries the 36 plans of the
//! current piece, each followed by the 36 plans of the next one. Many plans lead to the same
//! placement; the fourth rotation of J, L and T is never tried. The score of a position adds
//! bumpiness, aggregate height and holes, each weighted, to an integer that is truncated after
//! every term. The lowest score wins, and among equal scores the last plan, because the program
//! takes plans from the end of a stack.
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

    fn board(rows: &[u64]) -> Board {
        let mut rows = rows.to_vec();
        rows.resize(22, 0);
        Board::from_rows(10, &rows).unwrap()
    }

    #[test]
    fn evaluate_truncates_every_term() {
        // Heights 2 0 1 0 …, a hole at (0, 0): bumpiness 2 + 1 + 1, height 3.
        let field = Field::of(&board(&[0b100, 0b001]), Piece::I).unwrap();
        // 3.39 → 3; 3 + 6.91 → 9; 9 + 1.41 → 10. Truncated only once it would be 11.
        assert_eq!(evaluate(&field), 10);
    }

    /// A horizontal I on an empty board has bumpiness 1 at a wall and 2 elsewhere, truncated to 0
    /// and 1. Plans at the two walls have equal scores.
    #[test]
    fn decide_takes_last_of_equal_plans() {
        let placement = decide(&board(&[]), Piece::I, None).unwrap();
        // The horizontal I of two turns, at the left wall.
        assert_eq!((placement.rotation, placement.column), (1, 0));
        // 0.848 → 0; 0 + 4 × 2.305 → 9.
        assert_eq!(placement.score.to_string(), "-9");
    }

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
    fn plans_are_36_in_order() {
        let plans: Vec<Plan> = Plan::all().collect();
        assert_eq!(plans.len(), 36);
        let of = |i: usize| (plans[i].turns, plans[i].steps, plans[i].way);
        assert_eq!(of(0), (0, 0, Button::Right));
        assert_eq!(of(1), (0, 0, Button::Left));
        assert_eq!(of(2), (0, 1, Button::Right));
        assert_eq!(of(35), (2, 5, Button::Left));
    }

    #[test]
    fn plans_never_reach_fourth_rotation() {
        for (piece, fourth) in [(Piece::T, 1), (Piece::J, 1), (Piece::L, 3)] {
            for plan in Plan::all() {
                let mut field = Field::of(&board(&[]), piece).unwrap();
                assert_ne!(plan.play(&mut field, Piece::I).unwrap().0, fourth);
            }
        }
    }

    #[test]
    fn game_first_piece_is_i_j_l_or_t_and_bags_have_each_once() {
        let mut firsts = [0; 7];
        for game in 0..200 {
            let game = HidamariGame::new(5, game);
            firsts[usize::from(game.field.piece().number())] += 1;
        }
        for piece in [Piece::O, Piece::S, Piece::Z] {
            assert_eq!(firsts[usize::from(piece.number())], 0);
        }
        let mut bag = shuffled(&mut SplitMix64::seed_from_u64(1));
        bag.sort();
        assert_eq!(bag, Piece::ALL);
    }
}
