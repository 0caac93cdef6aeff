//! Games of two players who put stones on a board in turns: openings, and running games.

use std::fmt::Debug;

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::SeedableRng as _;
use serde::{Deserialize, Serialize};

use crate::random::{below, game_seed};
use crate::{Match, Outcome, Rules};

/// A game of two players who put stones on a board in turns.
///
/// Its [`Rules`] can be these of [`State`].
pub trait Stones:
    Rules<Setup = Setup, Match = State<Self>, Position: Copy + PartialEq> + Debug + Clone
{
    /// The empty board; the side of seat 0 is to move.
    fn empty() -> Self::Position;

    /// The positions after one more stone of an opening, in the order of the README.
    fn extend_opening(position: &Self::Position) -> Vec<Self::Position>;

    /// The position in which each side has the other one's stones, and the other side is to move.
    fn swap_sides(position: &Self::Position) -> Self::Position;

    /// The seat of the stone in each cell, in a fixed order; `None` in an empty cell.
    fn cells(position: &Self::Position) -> Vec<Option<usize>>;

    /// Whether nothing can be played.
    fn is_over(position: &Self::Position) -> bool;

    /// Plays a decision; also returns the outcome if it ends the game.
    ///
    /// # Errors
    /// When the rules do not allow the decision.
    fn play(
        position: &Self::Position,
        decision: &Self::Decision,
    ) -> Result<(Self::Position, Option<Outcome>), Self::Error>;
}

/// The parameters of a session's games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(expecting = "an object that says how games are dealt")]
pub struct Setup {
    /// The seed of the session.
    pub seed: u64,
    /// Number of stones that are put at random before the first move, so that games differ.
    pub opening: u8,
    /// Whether each opening is played twice in succession, the second time with sides swapped.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub swap: bool,
}

impl Setup {
    /// Games with openings of this number of stones, each played once.
    pub const fn new(seed: u64, opening: u8) -> Self {
        Self {
            seed,
            opening,
            swap: false,
        }
    }

    /// The position with which a game of a session begins.
    ///
    /// The opening has fewer stones if no further stone can be put.
    pub fn opening<G: Stones>(&self, game: u64) -> G::Position {
        let (opening, is_swapped) = match self.swap {
            true => (game / 2, game % 2 == 1),
            false => (game, false),
        };
        let mut random = SplitMix64::seed_from_u64(game_seed(self.seed, opening));
        let mut position = G::empty();
        for _ in 0..self.opening {
            let next = G::extend_opening(&position);
            let Some(next) = next.get(below(&mut random, next.len())) else {
                break;
            };
            position = *next;
        }
        match is_swapped {
            true => G::swap_sides(&position),
            false => position,
        }
    }

    /// The description of the random draws: `opening` says how opening n is drawn.
    pub(crate) fn generator(&self, opening: &str) -> String {
        let games = match self.swap {
            true => "games 2n - 1 and 2n have opening n, the second one with sides swapped",
            false => "game n has opening n",
        };
        format!("{opening}; {games}")
    }
}

/// A running game.
#[derive(Debug, Clone)]
pub struct State<G: Stones> {
    position: G::Position,
    moves: u64,
    outcome: Option<Outcome>,
}

impl<G: Stones> State<G> {
    /// A game in progress after so many moves.
    pub(crate) const fn at(position: G::Position, moves: u64) -> Self {
        Self {
            position,
            moves,
            outcome: None,
        }
    }

    /// [`Rules::deal_at`]: checks the number of moves of each side, and that the opening is on the
    /// board. Whether some order of moves leads to the position is not checked.
    pub(crate) fn deal_at(
        setup: &Setup,
        game: u64,
        moves: u64,
        position: &G::Position,
    ) -> Option<Self> {
        let opening = setup.opening::<G>(game);
        let (before, now) = (G::cells(&opening), G::cells(position));
        let mut cells = before.iter().zip(&now);
        let is_kept = cells.all(|(before, now)| before.is_none() || before == now);
        let first = G::seat(&opening);
        let made = [first, 1 - first].map(|seat| {
            let stones = |cells: &[Option<usize>]| {
                cells.iter().filter(|cell| **cell == Some(seat)).count() as u64
            };
            stones(&now).checked_sub(stones(&before))
        });
        let to_move = match moves.is_multiple_of(2) {
            true => first,
            false => 1 - first,
        };
        let follows = is_kept
            && made == [Some(moves.div_ceil(2)), Some(moves / 2)]
            && G::seat(position) == to_move
            && !G::is_over(position);
        follows.then(|| Self::at(*position, moves))
    }

    /// [`Rules::follows`]
    ///
    /// # Errors
    /// When the rules do not allow the decision.
    pub(crate) fn follows(
        before: &G::Position,
        decision: &G::Decision,
        after: &G::Position,
    ) -> Result<bool, G::Error> {
        let (position, outcome) = G::play(before, decision)?;
        Ok(outcome.is_none() && position == *after)
    }
}

impl<G: Stones> Match<G> for State<G> {
    fn position(&self) -> G::Position {
        self.position
    }

    fn apply(&mut self, decision: &G::Decision) -> Result<bool, G::Error> {
        (self.position, self.outcome) = G::play(&self.position, decision)?;
        self.moves += 1;
        Ok(self.outcome.is_none())
    }

    fn moves(&self) -> u64 {
        self.moves
    }

    fn score(&self) -> Option<u64> {
        None
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }
}

/// What holds for every such game.
#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::connect4::Connect4;
    use crate::gomoku::Gomoku;

    /// Plays decisions from an empty board; returns the state and the last result.
    fn played<G: Stones>(decisions: &[G::Decision]) -> (State<G>, Result<bool, G::Error>) {
        let mut state = State::at(G::empty(), 0);
        let mut goes_on = Ok(true);
        for decision in decisions {
            goes_on = state.apply(decision);
        }
        (state, goes_on)
    }

    /// Checks the state after decisions; with an outcome the last one ends the game.
    pub(crate) fn ends<G: Stones>(decisions: &[G::Decision], outcome: Option<Outcome>) {
        let (state, goes_on) = played::<G>(decisions);
        assert_eq!(goes_on.ok(), Some(outcome.is_none()), "{decisions:?}");
        assert_eq!(state.outcome(), outcome, "{decisions:?}");
        let counts = (decisions.len() as u64, None);
        assert_eq!((state.moves(), state.score()), counts);
    }

    /// Checks that the last of these decisions is refused, and changes nothing.
    pub(crate) fn refuses_last<G: Stones>(decisions: &[G::Decision], why: &str) {
        let (state, result) = played::<G>(decisions);
        assert_eq!(result.expect_err("illegal").to_string(), why);
        let (before, _) = played::<G>(&decisions[..decisions.len() - 1]);
        assert!(state.position() == before.position());
        assert_eq!(state.outcome(), before.outcome());
    }

    /// Checks that openings follow from their seed, differ, and end no game; one of 255 stones has
    /// at least `full`.
    pub(crate) fn openings<G: Stones>(games: u64, lengths: [u8; 5], full: usize) {
        let setup = |opening| Setup::new(7, opening);
        let first = setup(2).opening::<G>(0);
        assert!((1..49).any(|game| setup(2).opening::<G>(game) != first));
        for (game, length) in (0..games).flat_map(|game| lengths.map(|length| (game, length))) {
            let position = setup(length).opening::<G>(game);
            assert!(position == setup(length).opening::<G>(game) && !G::is_over(&position));
            let stones = G::cells(&position).into_iter().flatten().count();
            assert!(stones == usize::from(length) || length == 255 && stones >= full);
            assert_eq!(G::seat(&position), stones % 2);
        }
    }

    /// Checks that a game is dealt at its own positions only: after that many moves, with that side
    /// to move, and with the opening of its seed.
    pub(crate) fn deals<G: Stones>(
        opening: u8,
        decision: impl Fn(usize) -> G::Decision,
        other_to_move: impl Fn(G::Position) -> G::Position,
    ) {
        let setup = |seed| Setup::new(seed, opening);
        let mut state = G::deal(&setup(1), 4);
        for moves in 0..6 {
            let position = state.position();
            let refused = |moves, position: &_| G::deal_at(&setup(1), 4, moves, position).is_none();
            assert!(!refused(moves, &position));
            assert!(refused(moves + 1, &position) && refused(moves + 2, &position));
            assert!(refused(moves.wrapping_sub(1), &position));
            assert!(refused(moves, &other_to_move(position)));
            let played = state.apply(&decision(moves as usize));
            assert!(played.is_ok_and(|goes_on| goes_on));
        }
        let games = (0..20).map(|game| setup(1).opening::<G>(game));
        let other = games.filter(|p| G::deal_at(&setup(2), 0, 0, p).is_none());
        assert!(other.count() > 10, "an opening of another game is refused");
    }

    /// Checks that simpler positions have fewer stones, or the other side to move, are not over,
    /// and lead to the empty board; returns the positions that were made simpler.
    pub(crate) fn simpler_is_smaller<G: Stones + crate::Shrink>() -> Vec<G::Position> {
        let stones = |position: &G::Position| G::cells(position).into_iter().flatten().count();
        let measure = |position: &G::Position| (stones(position), G::seat(position));
        let first = (0..20).map(|game| Setup::new(3, 15).opening::<G>(game));
        let first: Vec<_> = first.collect();
        for position in &first {
            let simpler = G::simpler(position);
            assert_eq!(simpler.first().map(stones), Some(0));
            for other in &simpler {
                assert!(measure(other) < measure(position) && !G::is_over(other));
            }
            let mut last = *position;
            while let Some(next) = G::simpler(&last).pop() {
                assert!(measure(&next) < measure(&last));
                last = next;
            }
            assert_eq!(measure(&last), (0, 0));
        }
        first
    }

    /// With swapped sides each opening is that of two games, which differ in the side that moves
    /// first alone.
    fn swaps<G: Stones>() {
        let once = Setup::new(5, 3);
        let twice = Setup { swap: true, ..once };
        for game in 0..20 {
            let first = twice.opening::<G>(2 * game);
            let second = twice.opening::<G>(2 * game + 1);
            assert_eq!(first, once.opening::<G>(game));
            assert_eq!([G::seat(&first), G::seat(&second)], [1, 0]);
            let seats = |position| G::cells(position).into_iter();
            let swapped = seats(&first).map(|cell| cell.map(|seat| 1 - seat));
            assert!(swapped.eq(seats(&second)));
            assert_eq!(seats(&first).flatten().count(), 3);
            let (rules, moves) = (G::deal_at, 0);
            assert!(rules(&twice, 2 * game + 1, moves, &second).is_some());
            assert!(rules(&twice, 2 * game, moves, &second).is_none());
        }
        let generator = |setup| G::describe(setup).generator.about;
        assert_ne!(generator(&once), generator(&twice));
    }

    #[test]
    fn second_game_of_an_opening_has_sides_swapped() {
        swaps::<Connect4>();
        swaps::<Gomoku>();
    }

    #[test]
    fn setup_without_swap_is_written_as_before() {
        for (setup, text) in [
            (Setup::new(1, 2), r#"{"seed":1,"opening":2}"#),
            (
                Setup {
                    swap: true,
                    ..Setup::new(1, 2)
                },
                r#"{"seed":1,"opening":2,"swap":true}"#,
            ),
        ] {
            assert_eq!(serde_json::to_string(&setup).expect("JSON"), text);
            let read: Setup = serde_json::from_str(text).expect("a setup");
            assert_eq!(read, setup);
        }
    }
}
