//! Lookahead: the engine's decisions for controllers that look ahead, as the definitions say.
//!
//! A sequence of moves scores the sum of its moves' own features, and the features of its last
//! board. The last piece of a sequence is placed by the path's single decision, whose exact change
//! of the score is added to the score of the board before it.

use std::cmp::Reverse;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use super::brute::{self, Placed};
use super::core::Engine;
use super::evaluate::{Columns, evaluate};
use super::feature;
use super::game::EngineGame;
use super::limits::PAD;
use super::shape::shape;
use super::stack::Stack;
use lockstep_games::tetris::{FEATURES, Piece, Placement, Score};

/// A placement whose following moves are searched.
struct Child {
    placement: Placement,
    /// Score of the move alone, without the resulting board.
    of_move: i64,
    after: Columns,
}

/// The value of a placement over all sequences of unknown pieces.
///
/// Compared by the number of sequences that survive, then by the sum of their scores.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Outlook {
    /// Sequences in which every piece has a legal placement.
    survive: i64,
    /// Sum of their scores.
    total: i64,
}

impl Engine {
    /// The best placement; its score is the mean over the sequences that survive.
    pub(super) fn look_ahead(
        &self,
        columns: &Columns,
        piece: Piece,
        next: Option<Piece>,
    ) -> Option<Placement> {
        let children = self.children(columns, piece);
        let depth = self.linear.search.depth();
        let worth = |child: &Child| self.worth(child, next, depth);
        // Some dozen decisions of about 100 ns each are too few to share among threads.
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
            // No sequence survives: decide without lookahead.
            return brute::decide(&self.linear, self.size, columns, piece);
        }
        Some(Placement {
            score: Score(worth.total.div_euclid(worth.survive)),
            ..child.placement
        })
    }

    /// The placements that the beam keeps, in order.
    fn children(&self, columns: &Columns, piece: Piece) -> Vec<Child> {
        let placements = brute::placements(columns, self.size, piece);
        let mut children: Vec<Child> = placements
            .map(|(rotation, column, row)| {
                let shape = shape(piece, rotation);
                let placed = brute::evaluate_move(columns, self.size, shape, column, row);
                let score = brute::score(&self.linear.weights, &placed.features);
                Child {
                    placement: brute::placement((rotation, column, row), &placed, score),
                    of_move: self.score_of_move(&placed),
                    after: placed.after,
                }
            })
            .collect();
        let beam = self.linear.search.beam();
        if children.len() > beam {
            let mut order: Vec<usize> = (0..children.len()).collect();
            // The sort is stable: of equal scores the first one stays before the others.
            order.sort_by_key(|&child| Reverse(children[child].placement.score));
            let mut index = 0..;
            children.retain(|_| index.next().is_some_and(|n| order[..beam].contains(&n)));
        }
        children
    }

    fn score_of_move(&self, placed: &Placed) -> i64 {
        let term = |i: usize| i64::from(self.linear.weights[i]) * i64::from(placed.features[i]);
        term(feature::LANDING_HEIGHT) + term(feature::ERODED_CELLS) + term(feature::ROWS_CLEARED)
    }

    /// The value of a placement, searched `depth` pieces deep, its own included.
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

    /// The highest value of a piece's placements; the value of no sequence if none is legal.
    fn best_worth(&self, node: &Node, piece: Piece, depth: usize) -> Outlook {
        if depth > 1 {
            let children = self.children(&node.columns, piece);
            let worths = children.iter().map(|child| self.worth(child, None, depth));
            return worths.max().unwrap_or_default();
        }
        let Some(choice) = self.runner.choose(&node.stack, &self.scale, piece) else {
            return Outlook::default();
        };
        let change = self.runner.change(&node.stack, &self.scale, piece, choice);
        Outlook {
            survive: 1,
            total: node.carried + change * self.scale.divisor,
        }
    }

    /// Plays up to `pieces` pieces; `true` when the game is lost.
    pub(super) fn play_ahead(&self, game: &mut EngineGame, pieces: u64) -> bool {
        game.play(pieces, |game, piece| {
            let best = self.look_ahead(&game.stack.column_words(), piece, game.peek());
            best.map(|p| (p.rotation, p.column, p.row as i32))
        })
    }
}

/// A board between two moves.
struct Node {
    stack: Stack,
    columns: Columns,
    /// Score of the board's features except diversity and max height.
    ///
    /// A placement's change of these two is their new value, see
    /// [`Runner::change`](super::run::Runner).
    carried: i64,
}

impl Node {
    fn new(engine: &Engine, columns: &Columns) -> Node {
        let size = engine.size;
        let mut features: [i32; FEATURES] = evaluate(columns, size);
        features[feature::DIVERSITY] = 0;
        features[feature::MAX_HEIGHT] = 0;
        let stack = Stack::from_columns(size, &columns[..size.columns()]);
        Node {
            stack,
            columns: *columns,
            carried: brute::score(&engine.linear.weights, &features),
        }
    }
}

impl Stack {
    /// The column words of the board, without walls.
    pub(super) fn column_words(&self) -> Columns {
        let mut words: Columns = Default::default();
        let width = self.size.columns();
        words[..width].copy_from_slice(&self.columns[PAD..PAD + width]);
        words
    }
}
