//! `lockstep record cut`

use std::collections::VecDeque;
use std::path::PathBuf;

use anyhow::bail;
use lockstep::Stop;
use lockstep::record::{Ending, Entry, Reader, VERSION};

use super::new_record::NewRecord;
use super::span::Span;

use crate::games::CliGame;
use crate::input::numbers::number;
use crate::output::Outcome;

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep record cut games.jsonl --games 2..3 --out two.jsonl
  lockstep record cut games.jsonl --games 2 --moves 50.. --out rest.jsonl.zst
  lockstep record cut games.jsonl --from-divergence 5 --out diverging.jsonl")]
#[command(
    group(clap::ArgGroup::new("which").required(true).multiple(true)),
    override_usage = "lockstep record cut [OPTIONS] --out <FILE> <FILE> <WHICH>\n\
                      where WHICH is --games, --moves or --from-divergence"
)]
pub struct Args {
    /// The record
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Keep these games: 3, 2..5, 2.. or ..5
    #[arg(long, value_name = "A..B", group = "which", value_parser = Span::parse)]
    games: Option<Span>,
    /// Keep these moves of each game
    #[arg(long, value_name = "A..B", group = "which", value_parser = Span::parse)]
    moves: Option<Span>,
    /// Keep only games with a divergence, each from its first divergence on, or from BEFORE
    /// decisions earlier
    #[arg(
        long, value_name = "BEFORE", group = "which", num_args = 0..=1, default_missing_value = "0",
        value_parser = number::<u16>(0..=65_535)
    )]
    from_divergence: Option<u16>,
    /// The file to write; games and moves keep their numbers
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite the file of --out if it exists
    #[arg(long)]
    force: bool,
}

impl Args {
    /// The options that select decisions, as text for the header of the output.
    fn excerpt(&self) -> String {
        let options = [
            self.games.as_ref().map(|games| format!("--games {games}")),
            self.moves.as_ref().map(|moves| format!("--moves {moves}")),
            self.from_divergence
                .map(|n| format!("--from-divergence {n}")),
        ];
        options.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    fn wants<G: CliGame>(&self, entry: &Entry<G>) -> bool {
        let has = |span: &Option<Span>, number| span.as_ref().is_none_or(|s| s.has(number));
        has(&self.games, entry.game) && has(&self.moves, entry.step)
    }
}

/// Keeps the last decisions of a game until a divergence selects them.
struct Held<G: CliGame> {
    /// Decisions kept before a divergence; `None` selects all decisions.
    before: Option<usize>,
    game: u64,
    diverged: bool,
    last: VecDeque<Entry<G>>,
}

impl<G: CliGame> Held<G> {
    /// Adds a decision; returns the decisions that are now selected.
    fn add(&mut self, entry: Entry<G>) -> impl Iterator<Item = Entry<G>> + '_ {
        if entry.game != self.game {
            self.game = entry.game;
            self.diverged = false;
            self.last.clear();
        }
        self.diverged |= !entry.agreed();
        self.last.push_back(entry);
        let selected = match (self.diverged, self.before) {
            (true, _) | (_, None) => self.last.len(),
            (false, Some(before)) => {
                let over = self.last.len().saturating_sub(before);
                self.last.drain(..over);
                0
            }
        };
        self.last.drain(..selected)
    }
}

pub fn run<G: CliGame>(args: &Args, quiet: bool, stop: &Stop) -> anyhow::Result<Outcome> {
    let mut reader = Reader::<G>::open(&args.file, stop)?;
    let mut head = reader.head().clone();
    head.lockstep_record = VERSION;
    let excerpt = args.excerpt();
    head.origin.excerpt = Some(match head.origin.excerpt.take() {
        None => excerpt,
        Some(before) => format!("{before}; {excerpt}"),
    });
    let inputs = std::slice::from_ref(&args.file);
    let mut written = NewRecord::beside(&args.out, args.force, inputs)?;
    written.head(&head)?;
    let mut held = Held {
        before: args.from_divergence.map(usize::from),
        game: 0,
        diverged: false,
        last: VecDeque::new(),
    };
    let last = args.games.as_ref().map_or(u64::MAX, Span::last);
    let mut past = false;
    while let Some(entry) = reader.next().transpose()? {
        past = entry.game > last;
        if past {
            break;
        }
        for entry in held.add(entry).filter(|entry| args.wants(entry)) {
            written.entry(&entry)?;
        }
    }
    if written.is_empty() {
        let (file, which) = (args.file.display(), args.excerpt());
        bail!("record {file}: no decision is selected by {which}; nothing is written");
    }
    written.end(past || reader.ending() == Ending::Complete, quiet)?;
    Ok(Outcome::Agreed)
}
