//! Options of games that are decided by a search: openings, and `bench`.

use std::marker::PhantomData;

use lockstep_backends::speed::Positions;
use lockstep_games::Game;
use lockstep_games::stones::Setup;

use super::{BenchGame, CliGame, Deal};
use crate::input::numbers::number;

/// Commands that such a game lacks, with the reason.
pub const NO_SOAK: (&str, &str) = (
    "soak",
    "its core does not play by itself (`lockstep play` compares it move by move)",
);
pub const NO_STRENGTH: (&str, &str) = (
    "strength",
    "its games have a winner and no score (`lockstep play` counts who wins)",
);
pub const NO_TRAIN: (&str, &str) = ("train", "there is no score of a game to train for");
pub const NO_WORK: (&str, &str) = ("work", "there is no training run to play for");

/// A game whose controllers search to a depth in plies.
pub trait Searched: CliGame<SearchArgs = ()> + Game<Setup = Setup> {
    /// Stones of an opening: by default, as clap takes it, and at most.
    ///
    /// Text, because clap keeps one `default_value_t` for all games, the first one's.
    const OPENING: (&'static str, u8);
    /// How the stones of an opening are placed, for help.
    const OPENED: &str;
}

/// The options of a session's openings.
#[derive(clap::Args)]
pub struct Opening<G: Searched> {
    /// Seed of the openings: the same seed deals the same games everywhere
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number::<u64>(0..=u64::MAX))]
    seed: u64,
    #[arg(long, value_name = "N", help = G::OPENED, default_value = G::OPENING.0, value_parser = number::<u8>(0..=G::OPENING.1.into()))]
    opening: u8,
    #[arg(skip)]
    swap: bool,
    #[arg(skip)]
    game: PhantomData<G>,
}

impl<G: Searched> Deal<G> for Opening<G> {
    fn setup(&self, _: &G::Controller) -> anyhow::Result<Setup> {
        Ok(Setup {
            swap: self.swap,
            ..Setup::new(self.seed, self.opening)
        })
    }

    fn swap_sides(&mut self) {
        self.swap = true;
    }

    fn seed(&self) -> u64 {
        self.seed
    }
}

/// `bench` of controllers with a depth, such as `flat:6`.
#[derive(clap::Args)]
pub struct Bench {}

impl<G: Searched> BenchGame<G> for Bench {
    /// From games played at depth 2: at the depth to be timed, the golden model may be slow.
    fn positions(&self, controller: &G::Controller) -> anyhow::Result<Positions<G>> {
        let shallow = G::with_depth(controller.clone(), 2, &())?;
        let positions = Positions::of(&shallow, &G::default_setup(1));
        positions.ok_or_else(|| anyhow::anyhow!("{} plays no game", G::name(controller)))
    }

    fn games(&self) -> String {
        "positions of games played at depth 2, dealt from seed 1".into()
    }
}
