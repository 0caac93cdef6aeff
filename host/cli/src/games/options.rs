//! Options that several subcommands share: the game, and controllers by name.

use std::marker::PhantomData;
use std::path::Path;

use anyhow::{Context as _, bail};
use clap::builder::{PossibleValue, PossibleValuesParser};
use lockstep_games::LoadError;

use super::{CliGame, GAMES, GameInfo};
use crate::input::numbers::number;
use crate::input::suggest::nearest;

/// Identifier of the option that names the game; `--game` is a number in some commands.
pub const GAME_NAME: &str = "game_name";

/// The game, in commands without a file that names it.
#[derive(clap::Args)]
pub struct GameName<G: CliGame> {
    #[arg(id = GAME_NAME, long = "game", value_name = "GAME", help = game_help(""), value_parser = game_names(""))]
    name: Option<String>,
    #[arg(skip)]
    _game: PhantomData<fn() -> G>,
}

impl<G: CliGame> GameName<G> {
    /// Whether the game is named, and not the default one.
    pub fn is_named(&self) -> bool {
        self.name.is_some()
    }
}

/// The names of all games; help leaves out those that lack the command.
pub fn game_names(command: &str) -> PossibleValuesParser {
    let name = |game: &GameInfo| PossibleValue::new(game.name).hide(!game.has(command));
    PossibleValuesParser::new(GAMES.iter().map(name))
}

/// The help of `--game` in a command, whose default is the first game that has the command.
pub fn game_help(command: &str) -> String {
    let usual = GAMES.iter().find(|game| game.has(command));
    let usual = usual.unwrap_or(&GAMES[0]).name;
    format!("The game; other options depend on it [default: {usual}]")
}

/// Parses the number of a recorded game; explains that it is not the name of one.
pub fn game_number(text: &str) -> Result<u64, String> {
    match GAMES.iter().any(|game| game.name == text) {
        true => {
            Err("expected the number of a game in the file, which itself names its game".into())
        }
        false => number(1..=u64::MAX)(text),
    }
}

/// The help for the name of a controller.
pub fn controller_help<G: CliGame>() -> String {
    format!(
        "A built-in controller ({}) or a controller file",
        G::presets().join(", ")
    )
}

/// The options that choose a controller and its search.
#[derive(clap::Args)]
pub struct ControllerArgs<G: CliGame> {
    #[arg(long, value_name = if G::NAMES_DEPTH { "NAME[:N]" } else { "NAME" }, help = choice_help::<G>())]
    controller: Option<String>,
    #[arg(long, value_name = "N", help = G::DEPTH, value_parser = number::<u8>(1..=G::MAX_DEPTH.into()))]
    depth: Option<u8>,
    #[command(flatten)]
    search: G::SearchArgs,
}

impl<G: CliGame> ControllerArgs<G> {
    /// The name on the command line, or the default one.
    pub fn name(&self) -> &str {
        self.controller.as_deref().unwrap_or(G::DEFAULT)
    }

    /// Whether any of the options is given.
    pub fn is_named(&self) -> bool {
        self.controller.is_some() || self.depth.is_some()
    }

    pub fn load(&self) -> anyhow::Result<G::Controller> {
        self.named(self.name())
    }

    /// The controller of another name, with the other options as they are.
    pub fn named(&self, name: &str) -> anyhow::Result<G::Controller> {
        with_depth::<G>(name, self.depth, &self.search)
    }

    /// The file that the controller is read from, if it is not built in.
    pub fn file(&self) -> &Path {
        path::<G>(self.name())
    }
}

fn choice_help<G: CliGame>() -> String {
    let (help, usual) = (controller_help::<G>(), G::DEFAULT);
    let more = if G::NAMES_DEPTH { ", with depth N" } else { "" };
    format!("{help}{more} [default: {usual}]")
}

/// The file of a controller of that name, if it is not built in.
pub fn path<G: CliGame>(name: &str) -> &Path {
    Path::new(split::<G>(name).0)
}

/// Splits `flat:6` into a controller and a depth, unless there is a file of that name.
fn split<G: CliGame>(name: &str) -> (&str, Option<&str>) {
    match name.rsplit_once(':') {
        Some((controller, depth)) if G::NAMES_DEPTH && !Path::new(name).exists() => {
            (controller, Some(depth))
        }
        _ => (name, None),
    }
}

/// The controller of a name such as `flat:6`, or in that file.
pub fn named<G: CliGame>(name: &str) -> anyhow::Result<G::Controller> {
    with_depth::<G>(name, None, &G::SearchArgs::default())
}

/// As [`named`]; `other` is the depth of a name without one.
pub fn with_depth<G: CliGame>(
    name: &str,
    other: Option<u8>,
    search: &G::SearchArgs,
) -> anyhow::Result<G::Controller> {
    let (controller, own) = split::<G>(name);
    let controller = load::<G>(controller)?;
    match (own.map(str::parse), other) {
        (Some(Ok(depth)), _) => {
            G::with_depth(controller, depth, search).with_context(|| name.to_owned())
        }
        (Some(Err(_)), _) => bail!("{name}: a depth is a whole number, 1 to {}", G::MAX_DEPTH),
        (None, Some(depth)) => G::with_depth(controller, depth.into(), search),
        (None, None) => Ok(controller),
    }
}

/// The option that selects the game, with a space before it; empty for the default game.
pub fn game_option<G: CliGame>() -> String {
    match G::NAME == GAMES[0].name {
        true => String::new(),
        false => format!(" --game {}", G::NAME),
    }
}

/// The controller of that name or in that file.
pub fn load<G: CliGame>(name: &str) -> anyhow::Result<G::Controller> {
    let why = match G::load(name) {
        Ok(controller) => return Ok(controller),
        Err(why) => why,
    };
    if let Some(other) = of_other::<G>(|other| (other.loads)(name)) {
        bail!("'{name}' is a controller of {other}: --game {other} plays it");
    }
    if !matches!(why, LoadError::Unknown { .. }) {
        return Err(why.into());
    }
    match nearest(name, G::presets()) {
        Some(meant) => bail!(
            "no controller is called '{name}' and there is no such file; did you mean \
             '{meant}'? `lockstep controllers{}` lists all",
            game_option::<G>()
        ),
        None => Err(why.into()),
    }
}

/// The name of another game that satisfies a condition, if any.
pub fn of_other<G: CliGame>(holds: impl Fn(&GameInfo) -> bool) -> Option<&'static str> {
    let mut others = GAMES.iter().filter(|game| game.name != G::NAME);
    Some(others.find(|game| holds(game))?.name)
}
