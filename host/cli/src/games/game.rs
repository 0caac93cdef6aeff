//! What a game brings to the command line.

use std::path::Path;

use lockstep::{Answer, Openers, Spec};
use lockstep_games::Solo;
use lockstep_lab::coverage::Cover;
#[cfg(feature = "sim")]
use lockstep_lab::faults::{Finding, HuntError, hunt};
use lockstep_lab::speed::{Contestant, Positions};
use serde::Serialize;

use super::generic::{Candidates, Fields, Text};
use crate::commands::Outcome;
use crate::commands::options::load;
use crate::commands::record::Column;

/// What a game brings to the command line beside its rules and its golden model: options,
/// words for help, and views of its decisions.
pub trait CliGame: Cover {
    /// The options that name a controller.
    type ControllerArgs: clap::Args + ChooseController<Self>;
    /// The options that say how games are dealt.
    type DealArgs: clap::Args + Deal<Self>;
    /// The options of `bench` that are the game's.
    type BenchArgs: clap::Args + BenchGame<Self>;
    /// The commands that this game has and others have not.
    type Commands: clap::Subcommand + OwnCommands;

    /// Examples for help.
    const EXAMPLES: Examples;
    /// A position in JSON, with the words that explain it, for errors.
    const POSITION: &'static str;
    /// The option that limits the moves of a game, by the game's own word for one.
    const MAX_MOVES: &'static str = MAX_MOVES;
    /// What a decision gains, as `record stats` names it; `None` where nothing is counted.
    const POINTS: Option<&'static str> = None;
    /// The built-in controllers that `bench` times where none is named.
    const BENCHED: &[&str] = &[Self::USUAL];
    /// Commands of other games that this one cannot have, and what it lacks for each.
    const LACKS: &[(&str, &str)] = &[];
    /// The built-in controllers that the seeded faults of its core are hunted with.
    #[cfg_attr(
        not(feature = "sim"),
        expect(dead_code, reason = "there is no core to seed faults into")
    )]
    const HUNTERS: &[&str] = &[Self::USUAL];

    /// The backends that play it.
    fn backends() -> &'static Openers<Self>;

    /// A built-in controller, for `lockstep controllers`.
    fn about(controller: &Self::Controller) -> About<impl Serialize>;

    /// What a controller decides by, in a line; `None` where its name says it all.
    fn weights(_controller: &Self::Controller) -> Option<String> {
        None
    }

    /// A line of `decide`.
    fn answer(_position: &Self::Position, answer: &Answer<Self>) -> impl Serialize {
        Fields(answer)
    }

    /// Whether `decide --all` can list all that this controller chooses from.
    ///
    /// # Errors
    /// Why it cannot, without the option's name.
    fn check_all(_controller: &Self::Controller) -> anyhow::Result<()> {
        Ok(())
    }

    /// A line of `decide --all`: all that the golden model chooses from.
    ///
    /// # Errors
    /// When the controller does not play such a position.
    fn all(
        controller: &Self::Controller,
        position: &Self::Position,
    ) -> anyhow::Result<impl Serialize> {
        Candidates::<Self>::of(controller, position)
    }

    /// What a decision gains in the unit of [`Self::POINTS`]; `None` where it makes no move.
    fn points(_position: &Self::Position, _decision: &Self::Decision) -> Option<u64> {
        Some(0)
    }

    /// The columns of a position and a decision in a table.
    fn columns() -> Vec<Column> {
        Text::<Self>::columns()
    }

    /// Adds a row to these columns; `false` where they do not hold all of it.
    fn put(
        position: &Self::Position,
        decision: &Self::Decision,
        columns: &mut [Column],
    ) -> anyhow::Result<bool> {
        Text::<Self>::put(position, decision, columns)
    }

    /// Reads the next row of these columns.
    ///
    /// # Errors
    /// When it is no position and decision.
    fn take(columns: &mut [Column]) -> anyhow::Result<(Self::Position, Self::Decision)> {
        Text::<Self>::take(columns)
    }

    /// Plays games on its core with a seeded fault (`None`: without any) and on the golden
    /// model, until they differ or so many decisions were compared.
    ///
    /// # Errors
    /// When a backend cannot be opened, or without a fault fails.
    #[cfg(feature = "sim")]
    fn hunt(
        fault: Option<&str>,
        controller: &Self::Controller,
        seed: u64,
        limit: u64,
    ) -> impl Future<Output = Result<Finding, HuntError>> {
        hunt(Self::backends(), fault, controller, seed, limit)
    }
}

/// The name that every game's option for the most moves of a game has as well.
pub const MAX_MOVES: &str = "max-moves";

/// Examples of the commands whose options are the game's, for help.
pub struct Examples {
    pub play: &'static str,
    pub decide: &'static str,
    pub explain: &'static str,
    pub bench: &'static str,
    #[cfg_attr(
        not(feature = "sim"),
        expect(dead_code, reason = "there is no core to seed faults into")
    )]
    pub faults: &'static str,
}

/// The options that name a controller.
pub trait ChooseController<G: CliGame> {
    /// The controller.
    ///
    /// # Errors
    /// When there is none of that name, or it cannot play as the options say.
    fn load(&self) -> anyhow::Result<G::Controller>;

    /// The controller of another name, with the other options as they are.
    ///
    /// # Errors
    /// As [`Self::load`].
    fn named(&self, name: &str) -> anyhow::Result<G::Controller> {
        load::<G>(name)
    }

    /// The file it is read from, or what would be its name.
    fn file(&self) -> &Path;

    /// The file that [`Self::named`] reads for a name, or what would be its name.
    fn path(name: &str) -> &Path {
        Path::new(name)
    }
}

/// The options that say how games are dealt.
pub trait Deal<G: CliGame> {
    /// What the games of that controller are dealt from.
    ///
    /// # Errors
    /// When the controller does not play such games.
    fn setup(&self, controller: &G::Controller) -> anyhow::Result<G::Setup>;

    /// Seed of the session.
    fn seed(&self) -> u64;

    /// Whether games dealt so can be recorded.
    ///
    /// # Errors
    /// Why not.
    fn check_recorded(&self, _setup: &G::Setup) -> anyhow::Result<()> {
        Ok(())
    }

    /// The program that is to play by rules of its own, which no backend can be asked;
    /// `None` where games go by the common rules.
    ///
    /// # Errors
    /// When the options contradict each other.
    fn own_rules(&self, _controller: &G::Controller) -> anyhow::Result<Option<Program>> {
        Ok(None)
    }
}

/// The options of `bench` that are the game's.
pub trait BenchGame<G: CliGame> {
    /// The controller of that name or in that file, as it is to be timed.
    ///
    /// # Errors
    /// When there is none, or it is not timed.
    fn load(&self, name: &str) -> anyhow::Result<G::Controller> {
        load::<G>(name)
    }

    /// Whether a backend is timed with that controller.
    ///
    /// # Errors
    /// Why not.
    fn check(&self, _controller: &G::Controller, _spec: &Spec) -> anyhow::Result<()> {
        Ok(())
    }

    /// A backend that is timed in a loop of its own; `None` where it is asked as any other.
    ///
    /// # Errors
    /// When this machine cannot run it.
    fn in_its_loop(
        &self,
        _controller: &G::Controller,
        _spec: &Spec,
        _threads: usize,
    ) -> anyhow::Result<Option<Vec<Contestant<G>>>> {
        Ok(None)
    }

    /// The positions that backends are asked: those of the usual games of seed 1.
    ///
    /// # Errors
    /// When the controller plays no game.
    fn positions(&self, controller: &G::Controller) -> anyhow::Result<Positions<G>> {
        let positions = Positions::of(controller, &G::usual(1));
        positions.ok_or_else(|| anyhow::anyhow!("{} plays no game", G::name(controller)))
    }

    /// The games that they are of, in a few words.
    fn games(&self) -> String {
        "positions of games dealt from seed 1".into()
    }
}

/// A program that plays by rules of its own.
pub struct Program {
    /// What it is, in a sentence.
    pub summary: String,
    /// Deals a game of the session, counted from 0.
    pub deal: Box<dyn Fn(u64) -> Option<Box<dyn Solo>> + Sync>,
}

/// The commands of one game alone.
pub trait OwnCommands {
    /// Runs the one that was named.
    fn run(self, quiet: bool) -> impl Future<Output = anyhow::Result<Outcome>>;
}

/// The commands of a game that has none of its own.
#[derive(clap::Subcommand)]
pub enum NoCommands {}

impl OwnCommands for NoCommands {
    async fn run(self, _: bool) -> anyhow::Result<Outcome> {
        match self {}
    }
}

/// The options of `bench` of a game that has none of its own.
#[derive(clap::Args)]
pub struct NoOptions {}

impl<G: CliGame> BenchGame<G> for NoOptions {}

/// What `lockstep controllers` says of a controller.
pub struct About<T> {
    /// Its members in JSON beside its name.
    pub members: T,
    /// What sets it apart, in a few words each.
    pub traits: Vec<String>,
    /// What it is and where it comes from, a line each.
    pub lines: Vec<String>,
}
