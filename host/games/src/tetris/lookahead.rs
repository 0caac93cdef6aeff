//! The golden model with lookahead: the best placement when more pieces follow, known or averaged.

use super::golden::{Landing, best_now, placements};
use super::{Board, Linear, Piece, Score, Search};

/// The value of a placement over all sequences of unknown pieces.
///
/// Compared by the number of sequences that survive, then by the sum of their scores.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Worth {
    /// Number of sequences in which every piece has a legal placement.
    alive: i64,
    /// Sum of their scores, in millionths.
    sum: i64,
}

impl Worth {
    /// The value of the same sequences after one more move, whose score is `score`.
    fn after(self, score: i64) -> Self {
        Self {
            alive: self.alive,
            sum: self.sum + self.alive * score,
        }
    }

    /// The mean score of the sequences that survive, rounded down to millionths, if any does.
    fn mean(self) -> Option<Score> {
        (self.alive > 0).then(|| Score(self.sum.div_euclid(self.alive)))
    }
}

impl std::iter::Sum for Worth {
    fn sum<I: Iterator<Item = Self>>(worths: I) -> Self {
        worths.fold(Self::default(), |all, worth| Self {
            alive: all.alive + worth.alive,
            sum: all.sum + worth.sum,
        })
    }
}

/// The first legal placement with the highest score, if any.
///
/// A controller that looks ahead uses `next`, the piece after this one, if it is known.
pub fn best(
    board: &Board,
    piece: Piece,
    next: Option<Piece>,
    controller: &Linear,
) -> Option<(Landing, Score)> {
    match controller.search {
        Search::ONE => best_now(board, piece, controller),
        _ => Lookahead(controller).best(board, piece, next),
    }
}

/// The lookahead of a controller.
struct Lookahead<'a>(&'a Linear);

impl Lookahead<'_> {
    /// The best placement and its score; the best one without lookahead if no sequence survives.
    fn best(&self, board: &Board, piece: Piece, next: Option<Piece>) -> Option<(Landing, Score)> {
        let valued = self.kept(board, piece).into_iter().map(|landing| {
            let worth = self.worth(&landing, next, self.0.search.depth());
            (landing, worth)
        });
        let best = valued.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let (landing, worth) = best?;
        match worth.mean() {
            Some(score) => Some((landing, score)),
            None => best_now(board, piece, self.0),
        }
    }

    /// The value of a placement, searched `depth` pieces deep, its own included.
    fn worth(&self, landing: &Landing, next: Option<Piece>, depth: usize) -> Worth {
        let following = match next {
            Some(piece) => self.best_worth(&landing.after, piece, depth - 1),
            None => Piece::ALL
                .iter()
                .map(|&piece| self.best_worth(&landing.after, piece, depth - 1))
                .sum(),
        };
        following.after(self.0.score(&landing.features.of_move()).0)
    }

    /// The highest value of a piece's placements; the value of no sequence if none is legal.
    fn best_worth(&self, board: &Board, piece: Piece, depth: usize) -> Worth {
        if depth == 1 {
            let best = best_now(board, piece, self.0);
            return best.map_or(Worth::default(), |(_, Score(sum))| Worth { alive: 1, sum });
        }
        let kept = self.kept(board, piece).into_iter();
        let worths = kept.map(|landing| self.worth(&landing, None, depth));
        worths.max().unwrap_or_default()
    }

    /// The placements that the beam keeps, in order.
    fn kept(&self, board: &Board, piece: Piece) -> Vec<Landing> {
        let mut kept: Vec<_> = placements(board, piece).collect();
        if kept.len() > self.0.search.beam() {
            let scores = kept.iter().map(|c| self.0.score(&c.features));
            let mut ranked: Vec<_> = scores.enumerate().collect();
            // The sort is stable, so the first of equal scores is kept.
            ranked.sort_by_key(|&(_, score)| std::cmp::Reverse(score));
            ranked.truncate(self.0.search.beam());
            let mut stays = ranked.iter().map(|&(index, _)| index).collect::<Vec<_>>();
            stays.sort_unstable();
            let mut index = 0;
            kept.retain(|_| {
                index += 1;
                stays.binary_search(&(index - 1)).is_ok()
            });
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worth_prefers_survival_and_rounds_mean_down() {
        let worth = |alive, sum| Worth { alive, sum };
        assert!(worth(7, -100) > worth(6, 100));
        assert!(worth(7, 8) > worth(7, 7));
        assert_eq!(worth(0, 0).mean(), None);
        assert_eq!(worth(7, -8).mean(), Some(Score(-2)));
        assert_eq!(worth(7, 13).mean(), Some(Score(1)));
        // The move before adds to every sequence that survives.
        assert_eq!(worth(3, 10).after(-5), worth(3, -5));
    }
}
