//! The interface of a game for the coverage of its core.

use lockstep::Backend;
use lockstep_games::{BoxError, Catalog, LoadError, Match as _};
use protocol::layout::{ErrorCode, Message};

use super::bins::{Bins, Group};
use crate::random::Random;

/// A game whose core's coverage can be measured.
pub trait Cover: Catalog {
    /// The built-in controllers that play the games.
    const CONTROLLERS: &[&str] = &[Self::DEFAULT];
    /// Error codes of the link that the core never sends.
    const NEVER: &[ErrorCode] = &[];

    /// The built-in controller with that name, as it plays the games.
    ///
    /// # Errors
    /// When there is none.
    fn player(name: &str) -> Result<Self::Controller, LoadError> {
        Self::load(name)
    }

    /// Returns all bins of decisions.
    fn groups() -> Vec<Group> {
        Vec::new()
    }

    /// Hits the bins of the golden model's decision.
    fn count(_bins: &mut Bins, _controller: &Self::Controller, _position: &Self::Position) {}

    /// Returns a random case that is likely to hit a bin, by its group's name and its place there.
    ///
    /// With `None`, the next bin follows.
    fn draw(
        _random: &mut Random,
        _group: &str,
        _place: usize,
    ) -> Option<(Self::Controller, Self::Position)> {
        None
    }

    /// Returns positions that hit every bin, and others of every kind; the same for the same seed.
    fn cases(seed: u64) -> Vec<(Self::Controller, Self::Position)> {
        directed::<Self>(&mut Random::new(seed))
    }

    /// Returns a payload with which the core serves a request; `None` if it has no payload.
    ///
    /// With `long`, serving it takes long, otherwise a short time.
    fn payload(request: &Message, _long: bool) -> Option<Vec<u8>> {
        let traces = Self::TRACING.is_some_and(|tracing| tracing.request.id == request.id);
        if request.id != Self::DECIDE.id && !traces {
            return None;
        }
        let controller = Self::load(Self::DEFAULT).ok()?;
        let position = Self::deal(&Self::default_setup(1), 0).position();
        let payload = Self::encode_position(&controller, &position).ok()?;
        Some(payload.as_ref().to_vec())
    }

    /// Returns requests that a core with a controller refuses with the game's error codes.
    fn refused() -> Vec<(Message, Vec<u8>, ErrorCode)> {
        Vec::new()
    }

    /// Plays batches and self-play on the core, if it can, and compares them with the golden model.
    fn play_alone(
        _core: &mut dyn Backend<Self>,
        _controller: &Self::Controller,
        _seed: u64,
        _positions: &[Self::Position],
    ) -> impl Future<Output = Result<(), BoxError>> + Send {
        async { Ok(()) }
    }
}

/// Maximum number of positions drawn for a bin.
const TRIES: u32 = 5_000;

/// Cases that hit the bins, in their order; a bin that no case hits stays empty.
pub fn directed<G: Cover>(random: &mut Random) -> Vec<(G::Controller, G::Position)> {
    let (mut filled, mut cases) = (Bins::default(), Vec::new());
    for group in G::groups() {
        for (place, label) in group.labels.iter().enumerate() {
            for _ in 0..TRIES {
                if filled.count(group.name, label) > 0 {
                    break;
                }
                let Some(case) = G::draw(random, group.name, place) else {
                    break;
                };
                let mut bins = Bins::default();
                G::count(&mut bins, &case.0, &case.1);
                if bins.count(group.name, label) > 0 {
                    filled.merge(bins);
                    cases.push(case);
                }
            }
        }
    }
    cases
}

#[cfg(test)]
mod tests {
    use lockstep_games::connect4::Connect4;
    use lockstep_games::gomoku::Gomoku;
    use lockstep_games::tetris::Tetris;

    use super::*;
    use crate::coverage::bins::counted;

    fn cases_fill_every_bin<G: Cover>() {
        for seed in [1, 2] {
            let mut bins = Bins::default();
            for (controller, position) in G::cases(seed) {
                G::count(&mut bins, &controller, &position);
            }
            let (counted, wrong) = counted(G::NAME, &G::groups(), &bins);
            let empty: Vec<_> = counted.into_iter().flat_map(|group| group.empty).collect();
            assert_eq!((empty, wrong), (vec![], vec![]), "{}, seed {seed}", G::NAME);
        }
    }

    #[test]
    fn cases_of_every_game_fill_its_bins_and_no_others() {
        cases_fill_every_bin::<Connect4>();
        cases_fill_every_bin::<Gomoku>();
        cases_fill_every_bin::<Tetris>();
    }
}
