//! Which game the arguments are for, before they are read.
//!
//! Options differ from game to game, so they can be read only when the game is known. Each
//! game's options are tried in turn on the words of the command line, errors passed over; the
//! game is the one that `--game` names, or else that of the record or case that is named.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use serde::Deserialize;

use super::{Entry, GAMES, names};
use crate::commands::options::GAME_NAME;
use crate::commands::record::table_header;
use crate::commands::replay::expanded;
use crate::commands::suggest::nearest;

/// The game that a command line is for: the first where nothing names one.
///
/// # Errors
/// When it names one that is not there or has no such command, or two.
pub fn pick(words: &[OsString]) -> anyhow::Result<&'static Entry> {
    let mut named = None;
    for game in GAMES {
        let command = unread((game.command)()).ignore_errors(true);
        let Ok(matches) = command.clone().try_get_matches_from(words) else {
            continue;
        };
        if let Some(name) = said(&command, &matches)? {
            if name == game.name {
                return Ok(game);
            }
            named = named.or(Some((find(&name)?, matches)));
        }
    }
    let Some((game, matches)) = named else {
        return Ok(&GAMES[0]);
    };
    // That game's own options could not be read, which it will say itself, or there are none.
    match matches.subcommand_name() {
        Some(command) if !has(game, command) => {
            let others = GAMES.iter().filter(|other| has(other, command));
            let others: Vec<_> = others.map(|other| other.name).collect();
            bail!(
                "{} has no `lockstep {command}`; {} has",
                game.name,
                others.join(", ")
            )
        }
        _ => Ok(game),
    }
}

fn has(game: &Entry, command: &str) -> bool {
    (game.command)().find_subcommand(command).is_some()
}

/// The game of that name.
fn find(name: &str) -> anyhow::Result<&'static Entry> {
    if let Some(game) = GAMES.iter().find(|game| game.name == name) {
        return Ok(game);
    }
    match nearest(name, GAMES.iter().map(|game| game.name)) {
        Some(meant) => bail!(
            "--game {name}: there is no such game; did you mean '{meant}'? There are {}",
            names()
        ),
        None => bail!(
            "--game {name}: there is no such game; there are {}",
            names()
        ),
    }
}

/// The command with options whose values are read by nobody.
fn unread(command: Command) -> Command {
    let raw = |arg: Arg| match arg.get_action() {
        ArgAction::Help => arg.action(ArgAction::SetTrue),
        action if action.takes_values() => arg
            .value_parser(value_parser!(OsString))
            .allow_negative_numbers(true),
        _ => arg,
    };
    command
        .disable_version_flag(true)
        .disable_help_subcommand(true)
        .mut_args(raw)
        .mut_subcommands(unread)
}

/// The name of the game that the arguments or the files in them say.
fn said(command: &Command, matches: &ArgMatches) -> anyhow::Result<Option<String>> {
    let (mut command, mut matches) = (command, matches);
    let mut path = Vec::new();
    while let Some((name, below)) = matches.subcommand() {
        let Some(known) = command.find_subcommand(name) else {
            break;
        };
        path.push(name);
        (command, matches) = (known, below);
    }
    let raw = |id: &str| matches.try_get_raw(id).ok().flatten().into_iter().flatten();
    let option = raw(GAME_NAME).next().map(OsStr::to_string_lossy);
    if let Some(name) = &option {
        find(name)?;
    }
    let positional = |arg: &Arg| arg.get_id().as_str().to_owned();
    let files: Vec<String> = match path.first() {
        Some(&("replay" | "record" | "explain")) => {
            command.get_positionals().map(positional).collect()
        }
        Some(&"play") if matches.try_get_one("resume").ok().flatten() == Some(&true) => {
            vec!["record".into()]
        }
        _ => Vec::new(),
    };
    let mut files = files.iter().flat_map(|id| raw(id)).map(Path::new);
    let file = files.find_map(|file| Some((file, of_file(file)?)));
    Ok(match (option, file) {
        (Some(name), Some((file, game))) if name != *game => bail!(
            "--game {name}: {} is of {game}; leave --game out",
            file.display()
        ),
        (Some(name), _) => Some(name.into_owned()),
        // A game that nobody knows is told by whoever reads the file.
        (None, Some((_, game))) => GAMES.iter().any(|known| known.name == game).then_some(game),
        (None, None) => None,
    })
}

/// Bytes in which a file says what it is.
const HEAD: usize = 4_096;
/// Longest position, in bytes.
const LINE: u64 = 1 << 20;

/// The name of the game that a record, a case, a table or a file of positions is of; that of a
/// folder's first record. `None` of a pipe, which can be read once.
fn of_file(path: &Path) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        game: String,
    }
    if path.is_dir() {
        let records: Vec<PathBuf> = expanded(&[path.to_owned()]).ok()?;
        return records.iter().find_map(|path| of_file(path));
    }
    if !path.is_file() {
        return None;
    }
    if let Some(game) = GAMES.iter().find_map(|game| (game.recorded)(path)) {
        return Some(game);
    }
    if let Some(header) = table_header(path) {
        return Some(serde_json::from_str::<Named>(&header).ok()?.game);
    }
    let mut file = BufReader::new(File::open(path).ok()?);
    let start = file.fill_buf().ok()?;
    let head = String::from_utf8_lossy(&start[..start.len().min(HEAD)]);
    if head.contains("\"lockstep_case\"") {
        return Some(serde_json::from_reader::<_, Named>(file).ok()?.game);
    }
    let lines = file.take(LINE).lines().map_while(Result::ok);
    let first = lines.into_iter().find(|line| !line.trim().is_empty())?;
    let game = GAMES.iter().find(|game| (game.reads)(&first))?;
    Some(game.name.into())
}
