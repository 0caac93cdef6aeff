//! Lookahead on the fast path, as README.md of the folder above defines it.
//!
//! A sequence of moves scores what the moves score, the board features being
//! counted once, on the last board. Boards between moves are stacks; the last
//! piece of a sequence is left to the path's own choice, whose exact change of
//! the score is added to the value of the board before it.

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::brute::{self, Played};
use super::evaluate::{Columns, evaluate};
use super::feature;
use super::game::Game;
use super::limits::PAD;
use super::run::Runner;
use super::scale::Scale;
use super::shape::shape;
use super::stack::Stack;
use lockstep_games::tetris::Linear;
use lockstep_games::tetris::Placement;
use lockstep_games::tetris::board::Board;
use lockstep_games::tetris::features::FEATURES;
use lockstep_games::tetris::piece::Piece;
use lockstep_games::tetris::score::Score;
use lockstep_games::tetris::size::Size;

/// An engine's parts, for a controller that looks further than one piece.
pub(super) struct Lookahead<'a> {
    pub linear: &'a Linear,
    pub size: Size,
    pub runner: Runner,
    pub scale: &'a Scale,
}

/// A placement looked into.
struct Child {
    placement: Placement,
    /// Score of the move alone, without the board that results.
    of_move: i64,
    after: Columns,
}

/// What a placement leads to, over all sequences of unknown pieces. Ordered as
/// declared: to survive more of them comes first.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Outlook {
    /// Sequences in which every piece finds a place.
    survive: i64,
    /// Sum of their scores.
    total: i64,
}

impl Lookahead<'_> {
    /// The best placement; its score is the mean of what it leads to.
    pub(super) fn decide(
        &self,
        board: &Board,
        piece: Piece,
        next: Option<Piece>,
    ) -> Option<Placement> {
        self.best(&brute::columns(board), piece, next)
    }

    fn best(&self, columns: &Columns, piece: Piece, next: Option<Piece>) -> Option<Placement> {
        let children = self.children(columns, piece);
        let depth = self.linear.search.depth();
        let worth = |child: &Child| self.worth(child, next, depth);
        // Dozens of decisions of some 100 ns are not worth waking other cores.
        let worths: Vec<Outlook> = if depth == 2 && next.is_some() {
            children.iter().map(worth).collect()
        } else {
            children.par_iter().map(worth).collect()
        };
        let mut best: Option<(&Child, Outlook)> = None;
        for (child, worth) in children.iter().zip(worths) {
            if best.is_none_or(|(_, most)| worth > most) {
                best = Some((child, worth));
            }
        }
        let (child, worth) = best?;
        if worth.survive == 0 {
            // Nothing leads on: the best of the moment.
            return brute::decide(self.linear, self.size, columns, piece);
        }
        Some(Placement {
            score: Score(worth.total.div_euclid(worth.survive)),
            ..child.placement
        })
    }

    /// The placements the beam keeps, in order.
    fn children(&self, columns: &Columns, piece: Piece) -> Vec<Child> {
        let placements = brute::placements(columns, self.size, piece);
        let mut children: Vec<Child> = placements
            .map(|(rotation, column, row)| {
                let shape = shape(piece, rotation);
                let played = brute::evaluate_move(columns, self.size, shape, column, row);
                let score = brute::score(&self.linear.weights, &played.features);
                Child {
                    placement: brute::placement((rotation, column, row), &played, score),
                    of_move: self.of_move(&played),
                    after: played.after,
                }
            })
            .collect();
        let beam = self.linear.search.beam();
        if children.len() > beam {
            let mut scores: Vec<Score> = children.iter().map(|c| c.placement.score).collect();
            scores.sort_unstable_by(|a, b| b.cmp(a));
            let lowest = scores[beam - 1];
            // Of those that score the lowest kept, the first.
            let above = scores.iter().filter(|s| **s > lowest).count();
            let mut equal = beam - above;
            children.retain(|child| {
                let score = child.placement.score;
                let stays = score > lowest || score == lowest && equal > 0;
                equal -= usize::from(stays && score == lowest);
                stays
            });
        }
        children
    }

    fn of_move(&self, played: &Played) -> i64 {
        let term = |i: usize| i64::from(self.linear.weights[i]) * i64::from(played.features[i]);
        term(feature::LANDING_HEIGHT) + term(feature::ERODED_CELLS) + term(feature::ROWS_CLEARED)
    }

    /// What a placement is worth with `depth` pieces, its own included.
    fn worth(&self, child: &Child, next: Option<Piece>, depth: usize) -> Outlook {
        let node = Node::new(self, &child.after);
        let following = match next {
            Some(piece) => self.best_worth(&node, piece, depth - 1),
            None => {
                let mut all = Outlook::default();
                for piece in Piece::ALL {
                    let one = self.best_worth(&node, piece, depth - 1);
                    all.survive += one.survive;
                    all.total += one.total;
                }
                all
            }
        };
        Outlook {
            total: following.total + following.survive * child.of_move,
            ..following
        }
    }

    /// The most a piece can still be worth; nothing when it has no place.
    fn best_worth(&self, node: &Node, piece: Piece, depth: usize) -> Outlook {
        if depth > 1 {
            let children = self.children(&node.columns, piece);
            let worths = children.iter().map(|child| self.worth(child, None, depth));
            return worths.max().unwrap_or_default();
        }
        let Some(choice) = self.runner.choose(&node.stack, self.scale, piece) else {
            return Outlook::default();
        };
        let change = self.runner.change(&node.stack, self.scale, piece, choice);
        Outlook {
            survive: 1,
            total: node.carried + change * self.scale.divisor,
        }
    }

    /// Plays up to `pieces` pieces; `true` when one found no place.
    pub(super) fn play(&self, game: &mut Game, pieces: u64) -> bool {
        game.play(pieces, |game, piece| {
            let best = self.best(&game.stack.column_words(), piece, game.peek());
            best.map(|p| (p.rotation, p.column, p.row as i32))
        })
    }
}

/// A board between two moves.
struct Node {
    stack: Stack,
    columns: Columns,
    /// Score of the board's features but those the change of a move holds whole.
    carried: i64,
}

impl Node {
    fn new(lookahead: &Lookahead<'_>, columns: &Columns) -> Node {
        let size = lookahead.size;
        let mut features: [i32; FEATURES] = evaluate(columns, size);
        features[feature::DIVERSITY] = 0;
        features[feature::MAX_HEIGHT] = 0;
        let stack = Stack::from_columns(size, &columns[..size.columns()]);
        Node {
            stack,
            columns: *columns,
            carried: brute::score(&lookahead.linear.weights, &features),
        }
    }
}

impl Stack {
    /// Its columns without the walls.
    pub(super) fn column_words(&self) -> Columns {
        let mut words: Columns = Default::default();
        let width = self.size.columns();
        words[..width].copy_from_slice(&self.columns[PAD..PAD + width]);
        words
    }
}
