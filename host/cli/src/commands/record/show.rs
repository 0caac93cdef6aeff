//! `lockstep record show`

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::bail;
use lockstep::Stop;
use lockstep::record::{Entry, Reader};
use serde::Serialize;
use serde_json::Value;

use super::span::Span;
use super::view;
use crate::games::CliGame;
use crate::games::options::game_number;
use crate::input::numbers::number;
use crate::output::{DECISIONS, GAMES, Json, Outcome, count, stdout, width};

pub const EXAMPLES: &str = "\
  lockstep record show games.jsonl
  lockstep record show games.jsonl --game 2 --move 10..12
  lockstep record show games.jsonl.zst --diverged --limit 1 --json -";

#[derive(clap::Args)]
pub struct Args {
    /// The record
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show only this game
    #[arg(long, value_name = "N", value_parser = game_number)]
    game: Option<u64>,
    /// Show only these moves of each game: 7, 5..9, 5.. or ..9
    #[arg(long = "move", value_name = "A..B", value_parser = Span::parse)]
    moves: Option<Span>,
    /// Show only decisions on which backends disagree
    #[arg(long)]
    diverged: bool,
    /// Show at most N decisions
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number::<u64>(1..=u64::MAX))]
    limit: u64,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
#[serde(bound = "")]
struct Document<'a, G: CliGame> {
    #[serde(serialize_with = "crate::output::files::name")]
    record: &'a Path,
    header: Value,
    decisions: Vec<Entry<G>>,
    /// Whether more decisions match.
    more: bool,
}

/// The games of a record, and the number of moves of the longest one.
#[derive(Default)]
struct Extent {
    games: BTreeSet<u64>,
    /// The largest number of a move in the selected games.
    moves: u64,
}

impl Extent {
    fn add<G: CliGame>(&mut self, entry: &Entry<G>, selected: Option<u64>) {
        self.games.insert(entry.game);
        if selected.is_none_or(|game| game == entry.game) {
            self.moves = self.moves.max(entry.step);
        }
    }
}

impl Args {
    /// Fails if the record lacks the game or the moves on the command line.
    fn check_found(&self, extent: &Extent) -> anyhow::Result<()> {
        let file = self.file.display();
        match (&self.moves, self.game) {
            (_, Some(game)) if !extent.games.contains(&game) => {
                let games = count(extent.games.len() as u64, GAMES);
                bail!("--game {game}: {file} has {games}")
            }
            (Some(span), game) if span.begins_after(extent.moves) => {
                let what = game.map_or("the longest game".into(), |game| format!("game {game}"));
                bail!(
                    "--move {span}: {what} of {file} has {} decisions",
                    extent.moves
                )
            }
            _ => Ok(()),
        }
    }

    fn wants<G: CliGame>(&self, entry: &Entry<G>) -> bool {
        self.game.is_none_or(|game| game == entry.game)
            && self
                .moves
                .as_ref()
                .is_none_or(|moves| moves.has(entry.step))
            && !(self.diverged && entry.agreed())
    }
}

pub fn run<G: CliGame>(args: &Args, quiet: bool, stop: &Stop) -> anyhow::Result<Outcome> {
    args.json.check(&[&args.file])?;
    let mut reader = Reader::<G>::open(&args.file, stop)?;
    let mut out = stdout(args.json.silences(quiet));
    let head = reader.head().clone();
    let (mut shown, mut more) = (0, false);
    let mut document = Vec::new();
    let mut extent = Extent::default();
    while let Some(entry) = reader.next().transpose()? {
        extent.add(&entry, args.game);
        if !args.wants(&entry) {
            continue;
        }
        if shown == args.limit {
            more = true;
            break;
        }
        if shown == 0 {
            view::header(&mut *out, &head)?;
        }
        shown += 1;
        view::decision(&mut *out, &head, &entry, width())?;
        if args.json.is_wanted() {
            document.push(entry);
        }
    }
    if shown == 0 {
        args.check_found(&extent)?;
        view::header(&mut *out, &head)?;
        writeln!(out, "\nno decision diverged")?;
    }
    if more {
        let shown = count(shown, DECISIONS);
        writeln!(
            out,
            "\n{shown} shown, and there are more: --limit N shows N"
        )?;
    }
    args.json.write(&Document {
        record: &args.file,
        header: serde_json::to_value(&head)?,
        decisions: document,
        more,
    })?;
    Ok(Outcome::Agreed)
}
