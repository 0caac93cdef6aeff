//! The standings of two players: their games by who moved first, and Elo.

use std::io;

use lockstep_games::{Game, Outcome};
use serde::Serialize;

use crate::event::{Event, Sink};

/// The results of games for one player.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

impl Results {
    /// The same results for the other player.
    pub const fn of_other(self) -> Self {
        Self {
            won: self.lost,
            lost: self.won,
            ..self
        }
    }

    /// Number of games.
    pub const fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Twice the points: a win is one point, a draw half a point.
    const fn half_points(self) -> u64 {
        2 * self.won + self.drawn
    }
}

/// Counts the games of two players. Games 2n - 1 and 2n have the same opening, with colours
/// swapped.
///
/// Games without an outcome do not count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standings {
    /// Games of the player of seat 0 in which it moved first.
    pub first: Results,
    /// Games of the player of seat 0 in which it moved second.
    pub second: Results,
    /// Number of openings by the half points, 0 to 4, of the player of seat 0 in their two games.
    pub openings: [u64; 5],
    /// The seat that moved first in the current game.
    mover: Option<usize>,
    /// The last game with an outcome, and the half points of seat 0 in it.
    last: Option<(u64, u64)>,
}

/// 97.5 % quantile of the normal distribution.
const QUANTILE: f64 = 1.959_964;

impl Standings {
    /// All games of the player of seat 0.
    pub const fn all(&self) -> Results {
        Results {
            won: self.first.won + self.second.won,
            drawn: self.first.drawn + self.second.drawn,
            lost: self.first.lost + self.second.lost,
        }
    }

    /// Points of the player of seat 0 for each game, 0 to 1; `None` before the first game.
    pub fn score(&self) -> Option<f64> {
        let all = self.all();
        (all.games() > 0).then(|| all.half_points() as f64 / (2 * all.games()) as f64)
    }

    /// By how many Elo points the player of seat 0 is stronger; `None` if it won or lost all games.
    pub fn elo(&self) -> Option<f64> {
        elo(self.score()?)
    }

    /// The 95 % confidence interval of [`Self::elo`]: low, high; `None` where it has no bound.
    ///
    /// Normal, for the mean score of an opening's two games: these depend on each other. As Agresti
    /// and Coull do, one opening more is counted as won and one as lost, so that the interval of few
    /// or of equal results is not too short.
    pub fn elo_95(&self) -> [Option<f64>; 2] {
        let mut counts = self.openings.map(|count| count as f64);
        counts[0] += 1.0;
        counts[4] += 1.0;
        let scores = || [0.0, 0.25, 0.5, 0.75, 1.0].into_iter().zip(counts);
        let n: f64 = counts.iter().sum();
        let mean = scores().map(|(score, count)| score * count).sum::<f64>() / n;
        let squares = scores().map(|(score, count)| (score - mean).powi(2) * count);
        let half = QUANTILE * (squares.sum::<f64>() / n / n).sqrt();
        [elo(mean - half), elo(mean + half)]
    }

    fn ended(&mut self, game: u64, outcome: Outcome) {
        let own = match self.mover {
            Some(0) => &mut self.first,
            _ => &mut self.second,
        };
        let (count, points) = match outcome {
            Outcome::Won(0) => (&mut own.won, 2),
            Outcome::Won(_) => (&mut own.lost, 0),
            Outcome::Draw => (&mut own.drawn, 1),
        };
        *count += 1;
        if let (0, Some((last, before))) = (game % 2, self.last)
            && last + 1 == game
        {
            self.openings[(before + points) as usize] += 1;
        }
        self.last = Some((game, points));
    }
}

/// The difference of two players' Elo at a mean score; `None` where it is infinite.
fn elo(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| -400.0 * (1.0 / score - 1.0).log10())
}

impl<G: Game> Sink<G> for Standings {
    fn take(&mut self, event: &Event<G>) -> io::Result<()> {
        match event {
            Event::Decided(round) if round.step == 1 => self.mover = Some(G::seat(&round.position)),
            Event::GameEnded(ended) => {
                if let Some(outcome) = ended.outcome {
                    self.ended(ended.game, outcome);
                }
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WON: Outcome = Outcome::Won(0);
    const LOST: Outcome = Outcome::Won(1);

    fn standings(outcomes: &[Option<Outcome>]) -> Standings {
        let mut standings = Standings::default();
        for (game, outcome) in (1..).zip(outcomes) {
            // Seat 0 moves first in games 1, 3, …
            standings.mover = Some((game as usize + 1) % 2);
            if let Some(outcome) = outcome {
                standings.ended(game, *outcome);
            }
        }
        standings
    }

    #[test]
    fn games_are_counted_by_first_mover_and_opening() {
        let all = [
            Some(WON),
            Some(WON),
            Some(WON),
            Some(LOST),
            Some(Outcome::Draw),
            Some(LOST),
            Some(WON),
            None,
            None,
            Some(Outcome::Draw),
        ];
        let standings = standings(&all);
        let results = |won, drawn, lost| Results { won, drawn, lost };
        assert_eq!(standings.first, results(3, 1, 0));
        assert_eq!(standings.second, results(1, 1, 2));
        assert_eq!(standings.all(), results(4, 2, 2));
        assert_eq!(standings.all().of_other(), results(2, 2, 4));
        // The two games without an outcome leave their openings incomplete.
        assert_eq!(standings.openings, [0, 1, 1, 0, 1]);
        assert_eq!(standings.score(), Some(0.625));
    }

    /// 3 of 4 points are 191 Elo points, as in every table of Elo.
    #[test]
    fn elo_follows_from_score() {
        let near = |value: Option<f64>, expected: f64| {
            let value = value.expect("finite");
            assert!(
                (value - expected).abs() < 0.05,
                "{value}, expected {expected}"
            );
        };
        let equal = standings(&[Some(WON), Some(LOST)]);
        near(equal.elo(), 0.0);
        let three = standings(&[Some(WON), Some(WON), Some(WON), Some(LOST)]);
        near(three.elo(), 190.8);
        assert_eq!(standings(&[]).elo(), None);
        assert_eq!(standings(&[Some(WON), Some(WON)]).elo(), None);
        // 100 openings, 40 won, 20 lost, 40 shared, one more won and lost:
        // mean 0.598, variance 0.1423, so 0.5248 to 0.6713.
        let many = Standings {
            openings: [20, 0, 40, 0, 40],
            ..Standings::default()
        };
        let [low, high] = many.elo_95();
        near(low, 17.3);
        near(high, 124.0);
        assert_eq!(Standings::default().elo_95(), [None, None]);
        let [low, high] = standings(&[Some(WON); 40]).elo_95();
        assert!(low.is_some_and(|low| low > 200.0) && high.is_none());
    }
}
