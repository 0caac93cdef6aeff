//! The choice of a linear controller, however far it looks, by the definitions (README.md of this
//! folder): with lookahead, what a placement is worth when more pieces follow, known or averaged
//! over the seven.

use super::board::Board;
use super::golden::{Candidate, best_now, placements};
use super::linear::Linear;
use super::piece::Piece;
use super::score::Score;
use super::search::Search;

/// What can follow: of all sequences of unknown pieces, how many find a place
/// for every piece, and the sum of the scores those lead to.
///
/// Compared as it is declared: not to die comes first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Worth {
    /// Sequences in which no piece is without a place.
    pub alive: i64,
    /// Sum of their scores, in millionths.
    pub sum: i64,
}

impl Worth {
    /// The same with a move before it that scores `score`.
    #[inline]
    pub fn after(self, score: i64) -> Self {
        Self {
            alive: self.alive,
            sum: self.sum + self.alive * score,
        }
    }

    /// The mean score of the sequences that go on, rounded down to millionths;
    /// `None` when none does.
    pub fn mean(self) -> Option<Score> {
        (self.alive > 0).then(|| Score(self.sum.div_euclid(self.alive)))
    }
}

impl std::ops::Add for Worth {
    type Output = Self;

    #[inline]
    fn add(self, other: Self) -> Self {
        Self {
            alive: self.alive + other.alive,
            sum: self.sum + other.sum,
        }
    }
}

impl std::iter::Sum for Worth {
    fn sum<I: Iterator<Item = Self>>(worths: I) -> Self {
        worths.fold(Self::default(), std::ops::Add::add)
    }
}

/// The placement with the highest score, the first of equals; `None` when none
/// is legal. A controller that looks further uses `next`, the piece after this
/// one, when it is known.
pub fn best(
    board: &Board,
    piece: Piece,
    next: Option<Piece>,
    controller: &Linear,
) -> Option<(Candidate, Score)> {
    match controller.search {
        Search::ONE => best_now(board, piece, controller),
        _ => Lookahead(controller).best(board, piece, next),
    }
}

/// The golden model's lookahead.
pub(super) struct Lookahead<'a>(pub &'a Linear);

impl Lookahead<'_> {
    /// The best placement and its score; `None` when none is legal. When
    /// nothing leads on, the best of the moment.
    pub(super) fn best(
        &self,
        board: &Board,
        piece: Piece,
        next: Option<Piece>,
    ) -> Option<(Candidate, Score)> {
        let mut best: Option<(Candidate, Worth)> = None;
        for candidate in self.kept(board, piece) {
            let worth = self.worth(&candidate, next, self.0.search.depth());
            if best.as_ref().is_none_or(|(_, most)| worth > *most) {
                best = Some((candidate, worth));
            }
        }
        let (candidate, worth) = best?;
        match worth.mean() {
            Some(score) => Some((candidate, score)),
            None => best_now(board, piece, self.0),
        }
    }

    /// What a placement is worth with `depth` pieces, its own included.
    fn worth(&self, candidate: &Candidate, next: Option<Piece>, depth: usize) -> Worth {
        let following = match next {
            Some(piece) => self.best_worth(&candidate.after, piece, depth - 1),
            None => Piece::ALL
                .iter()
                .map(|&piece| self.best_worth(&candidate.after, piece, depth - 1))
                .sum(),
        };
        following.after(self.0.score(&candidate.features.of_move()).0)
    }

    /// The most a piece can still be worth; nothing when it has no place.
    fn best_worth(&self, board: &Board, piece: Piece, depth: usize) -> Worth {
        if depth == 1 {
            let best = best_now(board, piece, self.0);
            return best.map_or(Worth::default(), |(_, Score(sum))| Worth { alive: 1, sum });
        }
        let kept = self.kept(board, piece).into_iter();
        let worths = kept.map(|candidate| self.worth(&candidate, None, depth));
        worths.max().unwrap_or_default()
    }

    /// The placements the beam keeps, in order.
    fn kept(&self, board: &Board, piece: Piece) -> Vec<Candidate> {
        let mut kept: Vec<_> = placements(board, piece).collect();
        if kept.len() > self.0.search.beam() {
            let scores = kept.iter().map(|c| self.0.score(&c.features));
            let mut ranked: Vec<_> = scores.enumerate().collect();
            // Stable: the first of equals comes first.
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
    fn not_to_die_comes_first_and_means_are_rounded_down() {
        let worth = |alive, sum| Worth { alive, sum };
        assert!(worth(7, -100) > worth(6, 100));
        assert!(worth(7, 8) > worth(7, 7));
        assert_eq!(worth(0, 0).mean(), None);
        assert_eq!(worth(7, -8).mean(), Some(Score(-2)));
        assert_eq!(worth(7, 13).mean(), Some(Score(1)));
        // Every sequence that goes on has the move before it.
        assert_eq!(worth(3, 10).after(-5), worth(3, -5));
    }
}
