//! Finds the game of a command line before its arguments are parsed.
//!
//! Options differ between games, so they can be parsed only for a known game. Each game's options
//! are tried in turn on the words of the command line, ignoring errors. The game is the one in
//! `--game`, or else the game of the record or case on the command line.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use anyhow::bail;
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use lockstep::record::{self, peek};
use lockstep::{SessionError, Stop};
use serde::Deserialize;

use super::games::{COMMAND_LINES, CommandLine};
use crate::commands::replay::expanded;
use crate::games::options::GAME_NAME;
use crate::input::suggest::nearest;
use crate::run::interrupt::listen;

/// The game of a command line; the first one that has the command if nothing names a game.
///
/// # Errors
/// When the game does not exist or lacks the command, or two different games are named.
pub fn pick(words: &[OsString]) -> anyhow::Result<&'static CommandLine> {
    let (mut named, mut unnamed) = (None, None);
    for line in COMMAND_LINES {
        let command = unread((line.command)()).ignore_errors(true);
        let Ok(matches) = command.clone().try_get_matches_from(words) else {
            continue;
        };
        let name = named_game(&command, &matches)?;
        let command = matches.subcommand_name().unwrap_or_default().to_owned();
        if let Some(name) = name {
            if name == line.game.name {
                return having(line, &command);
            }
            named = named.or(Some((find(&name)?, command)));
        } else {
            unnamed = unnamed.or(Some(command));
        }
    }
    match named {
        Some((line, command)) => having(line, &command),
        None => {
            let command = unnamed.unwrap_or_default();
            let mut lines = COMMAND_LINES.iter();
            let first = lines.find(|line| having(line, &command).is_ok());
            Ok(first.unwrap_or(&COMMAND_LINES[0]))
        }
    }
}

fn having(line: &'static CommandLine, command: &str) -> anyhow::Result<&'static CommandLine> {
    let lack = |line: &CommandLine| {
        let mut unsupported = line.game.unsupported.iter();
        unsupported
            .find(|(name, _)| *name == command)
            .map(|(_, why)| *why)
    };
    if let Some(why) = lack(line) {
        let others = COMMAND_LINES.iter().filter(|other| lack(other).is_none());
        let others: Vec<_> = others.map(|other| other.game.name).collect();
        let (name, others) = (line.game.name, others.join(", "));
        bail!("`lockstep {command}` works for {others} only; {name}: {why}");
    }
    Ok(line)
}

fn find(name: &str) -> anyhow::Result<&'static CommandLine> {
    if let Some(line) = COMMAND_LINES.iter().find(|line| line.game.name == name) {
        return Ok(line);
    }
    let names: Vec<_> = COMMAND_LINES.iter().map(|line| line.game.name).collect();
    let all = names.join(", ");
    let games = match nearest(name, names) {
        Some(meant) => format!("did you mean '{meant}'? The games"),
        None => "the games".into(),
    };
    bail!("--game {name}: there is no such game; {games} are {all}")
}

/// The command with options whose values are not parsed.
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

/// The name of the game that the arguments, or the files in them, contain.
fn named_game(command: &Command, matches: &ArgMatches) -> anyhow::Result<Option<String>> {
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
        Some(&("replay" | "record" | "merge" | "explain" | "view")) => {
            command.get_positionals().map(positional).collect()
        }
        Some(&"play") if matches.try_get_one("resume").ok().flatten() == Some(&true) => {
            vec!["record".into()]
        }
        _ => Vec::new(),
    };
    let files = files.iter().flat_map(|id| raw(id)).map(Path::new);
    // The others read a file more than once, which a pipe is not.
    let piped = matches!(path.first(), Some(&("record" | "explain" | "view")));
    let files = files.filter(|file| piped || file.is_file() || file.is_dir());
    let mut file = None;
    for path in files {
        if let Some(game) = of_file(path)? {
            file = Some((path, game));
            break;
        }
    }
    Ok(match (option, file) {
        (Some(name), Some((file, game))) if name != *game => bail!(
            "--game {name}: {} is of the game {game}; leave --game out",
            file.display()
        ),
        (Some(name), _) => Some(name.into_owned()),
        // An unknown game is reported when the file is read.
        (None, Some((_, game))) => COMMAND_LINES
            .iter()
            .any(|line| line.game.name == game)
            .then_some(game),
        (None, None) => None,
    })
}

/// Bytes at the start of a file that identify its format.
const HEAD: usize = 4_096;
/// Longest case or position, in bytes.
const LONGEST: u64 = 1 << 22;

/// The game of a record, a case, a table or a file of positions; for a folder the game of its first
/// record.
///
/// # Errors
/// [`SessionError::Interrupted`] at a signal while a pipe is read.
fn of_file(path: &Path) -> anyhow::Result<Option<String>> {
    if path.is_dir() {
        for record in expanded(&[path.to_owned()]).unwrap_or_default() {
            if let Some(game) = of_file(&record)? {
                return Ok(Some(game));
            }
        }
        return Ok(None);
    }
    // Another program may never write to a pipe.
    let stop = match path.is_file() {
        true => Stop::never(),
        false => listen(),
    };
    match peek(path, LONGEST, &stop) {
        Ok(first) => Ok(of_bytes(&first)),
        Err(_) if stop.requested() => Err(SessionError::Interrupted.into()),
        // The command reports it.
        Err(_) => Ok(None),
    }
}

/// The game of a file that begins with these bytes.
fn of_bytes(first: &[u8]) -> Option<String> {
    #[derive(Deserialize)]
    struct Named {
        game: String,
    }
    if let Some(game) = record::game(first) {
        return Some(game);
    }
    let head = String::from_utf8_lossy(&first[..first.len().min(HEAD)]);
    if head.contains("\"lockstep_case\"") {
        return Some(serde_json::from_slice::<Named>(first).ok()?.game);
    }
    let mut texts = first.split(|byte| *byte == b'\n');
    let first = texts.find(|line| !line.trim_ascii().is_empty())?;
    let first = str::from_utf8(first).ok()?;
    let line = COMMAND_LINES.iter().find(|line| (line.game.reads)(first))?;
    Some(line.game.name.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repository(path: &str) -> String {
        format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))
    }

    fn picked(line: &str) -> Result<&'static str, String> {
        let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
        let picked = pick(&words).map(|line| line.game.name);
        picked.map_err(|error| error.to_string())
    }

    #[test]
    fn game_option_or_file_picks_game() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name).display().to_string();
        let head = "{\"lockstep_record\":3,\"game\":\"connect4\"}\n";
        std::fs::write(path("four.jsonl"), head).expect("written");
        let record = repository("fixtures/records/bcts.jsonl");
        // The value `--game` is no option; wrong options are left to the game's own parser.
        for row in "
            tetris lockstep
            tetris lockstep --help
            tetris lockstep nonsense --game connect4
            tetris lockstep play --games 3
            gomoku lockstep gomocup --depth 3
            connect4 lockstep play --help --game connect4
            connect4 lockstep play --game=connect4 --opening 3
            connect4 lockstep play --opening 3 --game connect4
            tetris lockstep play --controller=--game connect4
            connect4 lockstep play --game connect4 --nonsense
            connect4 lockstep play --record FOLDER/four.jsonl --resume
            tetris lockstep play --record FOLDER/four.jsonl
            tetris lockstep play --record RECORD --resume
            connect4 lockstep replay FOLDER/four.jsonl
            connect4 lockstep replay FOLDER --game connect4
            tetris lockstep replay RECORD --game tetris"
            .lines()
            .skip(1)
        {
            let (game, line) = row.trim().split_once(' ').expect("a line");
            let line = line.replace("FOLDER", &path("")).replace("RECORD", &record);
            assert_eq!(picked(&line), Ok(game), "{line}");
        }
        let position = serde_json::json!({"board": vec!["......."; 6], "to_move": "red"});
        std::fs::write(path("positions"), format!("\n{position}\n")).expect("written");
        for (file, game) in [
            (path("positions"), Some("connect4")),
            (repository("fixtures/cases/stale-run.json"), Some("tetris")),
            ("/dev/null".into(), None),
        ] {
            let found = of_file(Path::new(&file)).expect("a file");
            assert_eq!(found.as_deref(), game, "{file}");
        }
    }
}
