//! Options of games that are decided by a search: its depth, and openings.

use std::marker::PhantomData;
use std::path::Path;

use anyhow::{Context as _, bail};
use lockstep_backends::speed::Positions;
use lockstep_games::Game;
use lockstep_games::stones::Setup;

use super::options::{choice_help, load};
use super::{BenchGame, ChooseController, CliGame, Deal};
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

/// A game whose controllers search to a depth in plies.
pub trait Searched: CliGame + Game<Setup = Setup> {
    /// Largest depth.
    const MAX_DEPTH: u8;
    /// Stones of an opening: by default, as clap takes it, and at most.
    ///
    /// Text, because clap keeps one `default_value_t` for all games, the first one's.
    const OPENING: (&'static str, u8);
    /// How the stones of an opening are placed, for help.
    const OPENED: &str;

    /// The controller with another depth.
    fn with_depth(controller: Self::Controller, plies: u64) -> anyhow::Result<Self::Controller>;
}

/// The options that choose a controller and its depth.
#[derive(clap::Args)]
pub struct Choice<G: Searched> {
    #[arg(long, value_name = "NAME[:N]", help = choice_help::<G>(", with depth N"))]
    controller: Option<String>,
    /// Search depth in plies [default: the controller's own]
    #[arg(long, value_name = "N", value_parser = number::<u8>(1..=G::MAX_DEPTH.into()))]
    depth: Option<u8>,
    #[arg(skip)]
    game: PhantomData<G>,
}

impl<G: Searched> ChooseController<G> for Choice<G> {
    fn name(&self) -> &str {
        self.controller.as_deref().unwrap_or(G::DEFAULT)
    }

    fn is_named(&self) -> bool {
        self.controller.is_some() || self.depth.is_some()
    }

    fn named(&self, name: &str) -> anyhow::Result<G::Controller> {
        with_depth::<G>(name, self.depth)
    }

    fn path(name: &str) -> &Path {
        Path::new(split(name).0)
    }
}

/// Splits `flat:6` into a controller and a depth, unless there is a file of that name.
fn split(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once(':') {
        Some((controller, depth)) if !Path::new(name).exists() => (controller, Some(depth)),
        _ => (name, None),
    }
}

/// Loads the controller of a name such as `flat:6`; `other` is the depth of a name without one.
pub fn with_depth<G: Searched>(name: &str, other: Option<u8>) -> anyhow::Result<G::Controller> {
    let (controller, own) = split(name);
    let controller = load::<G>(controller)?;
    let depth = match own.map(str::parse::<u64>) {
        Some(Ok(depth)) => Some(depth),
        Some(Err(_)) => bail!("{name}: a depth is a whole number, 1 to {}", G::MAX_DEPTH),
        None => other.map(u64::from),
    };
    match depth {
        Some(depth) => G::with_depth(controller, depth).context(name.to_owned()),
        None => Ok(controller),
    }
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
        let shallow = G::with_depth(controller.clone(), 2)?;
        let positions = Positions::of(&shallow, &G::default_setup(1));
        positions.ok_or_else(|| anyhow::anyhow!("{} plays no game", G::name(controller)))
    }

    fn games(&self) -> String {
        "positions of games played at depth 2, dealt from seed 1".into()
    }
}
