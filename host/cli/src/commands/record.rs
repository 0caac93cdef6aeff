//! `lockstep record`: shows, counts, verifies, cuts, merges and converts records.

mod convert;
mod cut;
mod merge;
pub mod new_record;
mod show;
mod span;
mod stats;
mod verify;

use std::path::Path;

use anyhow::bail;
use clap::Subcommand;
use lockstep::record::{Ending, Head};
use lockstep_lab::files::header::differences;
use serde::Serializer;
use serde_json::json;

use crate::games::CliGame;
use crate::output::Outcome;
use crate::run::interrupt::listen;

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep record show games.jsonl --game 2 --move 10..12
  lockstep record stats monday.jsonl.zst tuesday.jsonl.zst
  lockstep record verify games.jsonl
  lockstep record cut games.jsonl --games 2..3 --out two.jsonl
  lockstep record merge monday.jsonl tuesday.jsonl --out both.jsonl.zst
  lockstep record convert games.jsonl games.jsonl.zst")]
pub struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Draw recorded decisions
    Show(show::Args),
    /// Count decisions, games, rows, agreement and clock cycles
    Stats(stats::Args),
    /// Check that records are complete, follow the rules and hold the golden model's decisions
    Verify(verify::Args),
    /// Write a part of a record
    Cut(cut::Args),
    /// Write several records of one controller as one
    Merge(merge::Args),
    /// Write a record as JSON lines, plain or compressed
    Convert(convert::Args),
}

pub fn run<G: CliGame>(args: &Args, quiet: bool) -> anyhow::Result<Outcome> {
    let stop = listen();
    match &args.what {
        What::Show(args) => show::run::<G>(args, quiet, &stop),
        What::Stats(args) => stats::run::<G>(args, quiet, &stop),
        What::Verify(args) => verify::run::<G>(args, quiet, &stop),
        What::Cut(args) => cut::run::<G>(args, quiet, &stop),
        What::Merge(args) => merge::run::<G>(args, quiet, &stop),
        What::Convert(args) => convert::run::<G>(args, quiet, &stop),
    }
}

/// Names of the controllers of a record; with the seats, if each has its own.
pub fn players<G: CliGame>(head: &Head<G>) -> String {
    if head.seats.is_empty() {
        return G::name(&head.controller).to_owned();
    }
    let seats = head.seats.iter();
    let named = seats.map(|seat| format!("{} ({})", G::name(&seat.controller), seat.seat));
    named.collect::<Vec<_>>().join(", ")
}

/// Fails unless two records have the same controller, rules and board, as `doing` requires.
pub fn check_alike<G: CliGame>(
    doing: &str,
    (path, head): (&Path, &Head<G>),
    (first, expected): (&Path, &Head<G>),
) -> anyhow::Result<()> {
    let about = |head: &Head<G>, other: &Head<G>| {
        // Earlier versions do not name them.
        let rules = head.rules.as_ref().filter(|_| other.rules.is_some());
        let mut about = head.players();
        about["board"] = json!(head.board);
        about["rules"] = json!(rules.map(|rules| &rules.name));
        about
    };
    if let Some(differ) = differences(&about(head, expected), &about(expected, head)).first() {
        let (path, first) = (path.display(), first.display());
        let differ = differ.text("in it", "in the other");
        bail!(
            "record {path} cannot be {doing} with {first}: {differ}; controller, rules and board \
             must be the same"
        );
    }
    Ok(())
}

/// How a record ends: a word for JSON, and the same for people.
fn ends(ending: Ending) -> (&'static str, &'static str) {
    match ending {
        Ending::Complete => ("complete", "complete"),
        Ending::Interrupted => (
            "interrupted",
            "complete, of an interrupted or failed session",
        ),
        Ending::Cut { .. } => ("cut", "cut short: its end is missing"),
        Ending::Unread => ("unknown", "not read to its end"),
    }
}

/// Serialises how a record ends.
fn word<S: Serializer>(ending: &Ending, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(ends(*ending).0)
}
