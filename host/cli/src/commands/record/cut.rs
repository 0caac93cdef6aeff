//! `lockstep record cut`

use std::collections::VecDeque;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::bail;
use lockstep::Stop;
use lockstep::record::{
    Ending, Entry, Form, Head, MAX_LINE, Reader, RecordEnd, Tail, VERSION, Writer,
};

use super::check_apart;
use super::new_record::NewRecord;
use super::span::Span;

use crate::games::CliGame;
use crate::input::numbers::number;
use crate::output::failure::shown;
use crate::output::named::Named;
use crate::output::{DECISIONS, GAMES, Outcome, count, stdout};

pub const EXAMPLES: &str = "\
Examples:
  lockstep record cut games.jsonl --games 2..3 --out two.jsonl
  lockstep record cut games.jsonl --games 2 --moves 50.. --out rest.jsonl.zst
  lockstep record cut games.jsonl --from-divergence 5 --out diverging.jsonl";

#[derive(clap::Args)]
#[command(group(clap::ArgGroup::new("which").required(true).multiple(true)))]
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
    /// Overwrite it if it exists
    #[arg(long)]
    force: bool,
}

impl Args {
    /// The options that select decisions, as text for the header of the output.
    fn excerpt(&self) -> String {
        let span = |name: &str, span: &Option<Span>| span.as_ref().map(|s| format!("{name} {s}"));
        let before = self
            .from_divergence
            .map(|n| format!("--from-divergence {n}"));
        let options = [
            span("--games", &self.games),
            span("--moves", &self.moves),
            before,
        ];
        options.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    fn wants<G: CliGame>(&self, entry: &Entry<G>) -> bool {
        self.games
            .as_ref()
            .is_none_or(|games| games.has(entry.game))
            && self
                .moves
                .as_ref()
                .is_none_or(|moves| moves.has(entry.step))
    }
}

/// Keeps the last decisions of a game until a divergence selects them.
struct Held<G: CliGame> {
    before: usize,
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
        let keep = match self.diverged {
            true => 0,
            false => {
                let over = self.last.len().saturating_sub(self.before);
                self.last.drain(..over);
                self.last.len()
            }
        };
        self.last.drain(..self.last.len() - keep)
    }
}

/// A record that is being written.
pub struct Written {
    writer: Writer<Named<File>>,
    end: RecordEnd,
    last: u64,
}

impl Written {
    pub fn new<G: CliGame>(file: Named<File>, form: Form, head: &Head<G>) -> anyhow::Result<Self> {
        let line = serde_json::to_vec(head)?;
        if line.len() > MAX_LINE {
            bail!(
                "its header would have {} bytes, expected at most {MAX_LINE}",
                line.len()
            );
        }
        let mut writer = Writer::new(file, form)?;
        writer.text(&line)?;
        writer.write()?;
        Ok(Self {
            writer,
            end: RecordEnd {
                decisions: 0,
                games: 0,
                complete: true,
            },
            last: 0,
        })
    }

    pub fn entry<G: CliGame>(&mut self, entry: &Entry<G>) -> anyhow::Result<()> {
        self.end.decisions += 1;
        self.end.games += u64::from(self.last != entry.game);
        self.last = entry.game;
        Ok(self.writer.line(entry)?)
    }

    /// Writes the last line, and returns its content.
    pub fn end(mut self, complete: bool) -> anyhow::Result<RecordEnd> {
        self.end.complete = complete;
        self.writer.write()?;
        self.writer.line(&Tail { end: self.end })?;
        self.writer.write()?;
        Ok(self.end)
    }
}

pub fn run<G: CliGame>(args: &Args, quiet: bool, stop: &Stop) -> anyhow::Result<Outcome> {
    check_apart(&args.out, std::slice::from_ref(&args.file))?;
    let mut reader = Reader::<G>::open(&args.file, stop)?;
    let mut head = reader.head().clone();
    head.lockstep_record = VERSION;
    let excerpt = args.excerpt();
    head.origin.excerpt = Some(match head.origin.excerpt.take() {
        None => excerpt,
        Some(before) => format!("{before}; {excerpt}"),
    });
    let output = NewRecord::beside(&args.out, args.force)?;
    let mut written = Written::new(output.file()?, Form::of(&args.out), &head)?;
    let mut held = args.from_divergence.map(|before| Held {
        before: before.into(),
        game: 0,
        diverged: false,
        last: VecDeque::new(),
    });
    let mut past = false;
    while let Some(entry) = reader.next().transpose()? {
        if args
            .games
            .as_ref()
            .is_some_and(|games| games.is_past(entry.game))
        {
            past = true;
            break;
        }
        match &mut held {
            None if args.wants(&entry) => written.entry(&entry)?,
            None => {}
            Some(held) => {
                for entry in held.add(entry).filter(|entry| args.wants(entry)) {
                    written.entry(&entry)?;
                }
            }
        }
    }
    let complete = past || reader.ending() == Ending::Complete;
    let end = written.end(complete)?;
    if end.decisions == 0 {
        let file = args.file.display();
        bail!(
            "record {file}: no decision is selected by {}; nothing is written",
            args.excerpt()
        );
    }
    output.keep()?;
    let out = shown(args.out.display());
    let (decisions, games) = (count(end.decisions, DECISIONS), count(end.games, GAMES));
    writeln!(stdout(quiet), "{out}: {decisions} of {games}")?;
    Ok(Outcome::Agreed)
}
