//! `lockstep record show`

use std::path::{Path, PathBuf};

use lockstep::Stop;
use lockstep::record::{Entry, Reader};
use serde::Serialize;
use serde_json::Value;

use super::span::Span;
use crate::commands::Outcome;
use crate::commands::numbers::number;
use crate::commands::output::{Json, stdout};
use crate::games::CliGame;
use crate::views::record;
use crate::views::width;

pub const EXAMPLES: &str = "\
Examples:
  lockstep record show games.jsonl
  lockstep record show games.jsonl --game 2 --move 10..12
  lockstep record show games.jsonl.zst --diverged --limit 1 --json -";

#[derive(clap::Args)]
pub struct Args {
    /// The record
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Show this game alone
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=u64::MAX))]
    game: Option<u64>,
    /// Show these moves of each game alone: 7, 5..9, 5.. or ..9
    #[arg(long = "move", value_name = "A..B", value_parser = Span::parse)]
    moves: Option<Span>,
    /// Show what the backends did not agree on alone
    #[arg(long)]
    diverged: bool,
    /// Show so many decisions at the most
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number::<u64>(1..=u64::MAX))]
    limit: u64,
    #[command(flatten)]
    json: Json,
}

#[derive(Serialize)]
#[serde(bound = "")]
struct Document<'a, G: CliGame> {
    #[serde(serialize_with = "crate::commands::files::name")]
    record: &'a Path,
    header: Value,
    decisions: Vec<Entry<G>>,
    /// There are others that were asked for.
    more: bool,
}

impl Args {
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
    record::header(&mut *out, &head)?;
    let (mut shown, mut more) = (0, false);
    let mut document = Vec::new();
    while let Some(entry) = reader.next().transpose()? {
        if !args.wants(&entry) {
            continue;
        }
        if shown == args.limit {
            more = true;
            break;
        }
        shown += 1;
        record::decision(&mut *out, &head, &entry, width())?;
        if args.json.is_wanted() {
            document.push(entry);
        }
    }
    record::shown(&mut *out, shown, more)?;
    args.json.write(&Document {
        record: &args.file,
        header: serde_json::to_value(&head)?,
        decisions: document,
        more,
    })?;
    Ok(Outcome::Agreed)
}
