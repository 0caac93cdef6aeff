//! Options that several subcommands share: the game, and controllers by name.

use std::marker::PhantomData;

use anyhow::bail;
use clap::builder::PossibleValuesParser;
use lockstep_games::LoadError;

use super::{CliGame, GAMES, GameInfo};
use crate::input::numbers::number;
use crate::input::suggest::nearest;

/// Identifier of the option that names the game; `--game` is a number in some commands.
pub const GAME_NAME: &str = "game_name";

/// The game, in commands without a file that names it.
#[derive(clap::Args)]
pub struct GameName<G: CliGame> {
    #[arg(id = GAME_NAME, long = "game", value_name = "GAME", help = game_help(""), value_parser = game_names())]
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

/// The names of all games.
pub fn game_names() -> PossibleValuesParser {
    PossibleValuesParser::new(GAMES.iter().map(|game| game.name))
}

/// The help of `--game` in a command, whose default is the first game that has the command.
pub fn game_help(command: &str) -> String {
    let has = |game: &&GameInfo| game.lacks.iter().all(|(name, _)| *name != command);
    let usual = GAMES.iter().find(has).unwrap_or(&GAMES[0]).name;
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

/// The help for the controller of a command; `more` follows the forms of its name.
pub fn choice_help<G: CliGame>(more: &str) -> String {
    let (help, usual) = (controller_help::<G>(), G::DEFAULT);
    format!("{help}{more} [default: {usual}]")
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
