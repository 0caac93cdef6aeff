//! A game's part of the command line.

#![cfg_attr(
    not(feature = "sim"),
    expect(dead_code, reason = "there is no core to seed faults into")
)]

use lockstep::{Answer, BackendRegistry, Spec};
use lockstep_backends::speed::{Contestant, Positions};
#[cfg(not(feature = "faults"))]
use lockstep_games::Catalog as Verified;
use lockstep_games::ProgramGame;
#[cfg(feature = "sim")]
use lockstep_games::gomoku;
#[cfg(feature = "faults")]
use lockstep_verify::coverage::Cover as Verified;
use serde::Serialize;
use serde_json::Value;

use super::generic::{Candidates, Fields};
use crate::games::options::named;

/// A game's part of the command line: options, words for help, and formats of its decisions.
pub trait CliGame: Verified {
    /// The options of a controller's search, beside its depth.
    type SearchArgs: clap::Args + Default;
    /// The options that say how games are dealt.
    type DealArgs: clap::Args + Deal<Self>;
    /// The options of `bench` that are the game's.
    type BenchArgs: clap::Args + BenchGame<Self>;
    /// The options of `serve` that are the game's.
    #[cfg(feature = "sim")]
    type ServeArgs: clap::Args;

    /// Examples for help.
    const EXAMPLES: Examples;
    /// The format of a position in JSON, for errors.
    const POSITION: &'static str;
    /// The option that limits the moves of a game, with the game's word for a move.
    const MAX_MOVES: &'static str = MAX_MOVES;
    /// The name of a decision's points in `record stats`, if it has any.
    const POINTS: Option<&'static str> = None;
    /// The built-in controllers that `bench` times by default.
    const BENCHED: &[&str] = &[Self::DEFAULT];
    /// How a person aims a move.
    const AIM: Aim;
    /// Largest depth of a search.
    const MAX_DEPTH: u8;
    /// The meaning of a depth, for help.
    const DEPTH: &'static str = "Search depth in plies [default: the controller's own]";
    /// Whether the name of a controller may end in a depth (`flat:6`).
    const NAMES_DEPTH: bool = true;
    /// Commands of other games that this one cannot have, and what it lacks for each.
    const UNSUPPORTED: &[(&str, &str)] = &[];
    /// The built-in controllers whose games `faults` plays by default.
    const FAULT_CONTROLLERS: &[&str] = &[Self::DEFAULT];
    /// Decisions after which a fault counts as not found in games.
    const FAULT_DECISIONS: &'static str = "5000";

    /// The controller with another depth.
    fn with_depth(
        controller: Self::Controller,
        depth: u64,
        search: &Self::SearchArgs,
    ) -> anyhow::Result<Self::Controller>;

    /// The backends that play it.
    fn backends() -> &'static BackendRegistry<Self>;

    /// The entry of a built-in controller in `lockstep controllers`.
    fn about(controller: &Self::Controller) -> About;

    /// A controller's weights in one line, if it has any beyond its name.
    fn weights(_controller: &Self::Controller) -> Option<String> {
        None
    }

    /// The legal moves of a position, each with the place at which a person aims: a column and, by
    /// [`Self::AIM`], a row from the top or a rotation.
    fn choices(position: &Self::Position) -> Vec<([usize; 2], Self::Decision)>;

    /// The members of an answer in the JSON line that `decide` writes.
    fn answer(_position: &Self::Position, answer: &Answer<Self>) -> impl Serialize {
        Fields(answer)
    }

    /// Checks that `decide --all` can list the candidates of this controller.
    ///
    /// # Errors
    /// Why it cannot, without the option's name.
    fn check_all(_controller: &Self::Controller) -> anyhow::Result<()> {
        Ok(())
    }

    /// A line of `decide --all`: the golden model's candidates.
    fn all(
        controller: &Self::Controller,
        position: &Self::Position,
    ) -> anyhow::Result<impl Serialize> {
        Candidates::<Self>::of(controller, position)
    }

    /// The third-party protocol that `serve` serves; `None` for a virtual board.
    #[cfg(feature = "sim")]
    fn foreign(_args: &Self::ServeArgs) -> anyhow::Result<Option<Foreign>> {
        Ok(None)
    }

    /// A decision's points in the unit of [`Self::POINTS`]; `None` if it makes no move.
    fn points(_position: &Self::Position, _decision: &Self::Decision) -> Option<u64> {
        Some(0)
    }
}

/// The target of a person's move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Aim {
    /// A cell of the board.
    Cell,
    /// A column, into which a stone falls.
    Column,
    /// A column and a rotation, in which a piece falls.
    Piece,
}

/// The option that limits the moves of a game, in every game.
pub const MAX_MOVES: &str = "max-moves";

/// Examples in the help of the commands with options of the game.
pub struct Examples {
    pub play: &'static str,
    pub decide: &'static str,
    pub explain: &'static str,
    pub bench: &'static str,
    pub faults: &'static str,
}

/// The options that say how games are dealt.
pub trait Deal<G: CliGame> {
    /// The setup of that controller's games.
    fn setup(&self, controller: &G::Controller) -> anyhow::Result<G::Setup>;

    /// Seed of the session.
    fn seed(&self) -> u64;

    /// Plays each opening twice, the second time with colours swapped; only games of two players can.
    fn swap_sides(&mut self) {}

    /// Whether games dealt so can be recorded.
    fn check_recorded(&self, _setup: &G::Setup) -> anyhow::Result<()> {
        Ok(())
    }

    /// The program to play by rules of its own, without backends; `None` under the common rules.
    fn own_rules(&self, _controller: &G::Controller) -> anyhow::Result<Option<Program>> {
        Ok(None)
    }
}

/// The options of `bench` that are the game's.
pub trait BenchGame<G: CliGame> {
    /// The controller of that name, or in that file, for timing.
    fn load(&self, name: &str) -> anyhow::Result<G::Controller> {
        named::<G>(name)
    }

    /// Whether a backend is timed with that controller.
    fn check(&self, _controller: &G::Controller, _spec: &Spec) -> anyhow::Result<()> {
        Ok(())
    }

    /// A backend that is timed in a loop of its own; `None` if it is timed as any other.
    fn in_its_loop(
        &self,
        _controller: &G::Controller,
        _spec: &Spec,
        _threads: usize,
    ) -> anyhow::Result<Option<Vec<Contestant<G>>>> {
        Ok(None)
    }

    /// The positions to time, from the default games dealt from seed 1.
    fn positions(&self, controller: &G::Controller) -> anyhow::Result<Positions<G>> {
        let positions = Positions::of(controller, &G::default_setup(1));
        positions.ok_or_else(|| anyhow::anyhow!("{} plays no game", G::name(controller)))
    }

    /// The games of these positions, in a few words.
    fn games(&self) -> String {
        "positions of games dealt from seed 1".into()
    }
}

/// A backend that plays against hosts of a third-party protocol.
#[cfg(feature = "sim")]
pub struct Foreign {
    pub backend: Spec,
    pub controller: gomoku::Controller,
}

/// A program that plays by rules of its own.
pub struct Program {
    /// A description in one sentence.
    pub summary: String,
    /// Deals a game of the session, counted from 0.
    pub deal: Box<dyn Fn(u64) -> Option<Box<dyn ProgramGame>> + Sync>,
}

/// A controller's entry in `lockstep controllers`.
pub struct About {
    /// Its members in JSON beside its name.
    pub members: Value,
    /// Its properties, in a few words each.
    pub traits: Vec<String>,
    /// Its description and origin, a line each.
    pub lines: Vec<String>,
}
