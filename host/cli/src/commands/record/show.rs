//! `lockstep record show`

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::bail;
use indicatif::HumanCount;
use lockstep::Stop;
use lockstep::record::{Entry, Head, Reader};
use lockstep::report::text::side_by_side;
use lockstep_games::Value;
use serde_json::json;

use super::players;
use super::span::Span;
use crate::games::CliGame;
use crate::games::options::game_number;
use crate::input::numbers::number;
use crate::output::failure::shown;
use crate::output::{BAD, DECISIONS, GAMES, Json, Outcome, STRONG, count, kind, stdout, width};

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep record show games.jsonl
  lockstep record show games.jsonl --game 2 --move 10..12
  lockstep record show games.jsonl.zst --diverged --limit 1 --json -")]
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

impl Args {
    /// Whether the options select a decision, perhaps of those that diverged.
    fn selects<G: CliGame>(&self, entry: &Entry<G>) -> bool {
        let of_moves = |moves: &Span| moves.has(entry.step);
        self.game.is_none_or(|game| game == entry.game) && self.moves.as_ref().is_none_or(of_moves)
    }
}

pub fn run<G: CliGame>(args: &Args, quiet: bool, stop: &Stop) -> anyhow::Result<Outcome> {
    args.json.check(&[&args.file])?;
    let mut reader = Reader::<G>::open(&args.file, stop)?;
    let mut out = stdout(args.json.silences(quiet));
    let head = reader.head().clone();
    header(&mut *out, &head)?;
    let (mut decisions, mut games, mut selected) = (0, BTreeSet::new(), 0);
    let (mut drawn, mut more) = (0, false);
    let mut document = Vec::new();
    while let Some(entry) = reader.next().transpose()? {
        decisions += 1;
        games.insert(entry.game);
        let is_selected = args.selects(&entry);
        selected += u64::from(is_selected);
        if !is_selected || (args.diverged && entry.agreed()) {
            continue;
        }
        if drawn == args.limit {
            more = true;
            break;
        }
        drawn += 1;
        decision(&mut *out, &head, &entry)?;
        if args.json.is_wanted() {
            document.push(entry);
        }
    }
    if selected == 0 {
        let (decisions, games) = (
            count(decisions, DECISIONS),
            count(games.len() as u64, GAMES),
        );
        let options = [
            args.game.map(|game| format!("--game {game}")),
            args.moves.as_ref().map(|moves| format!("--move {moves}")),
        ];
        let which = options.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let file = args.file.display();
        if which.is_empty() {
            bail!("record {file} holds no decisions");
        }
        bail!("no decision is selected by {which}: {file} has {decisions} of {games}");
    }
    if drawn == 0 {
        writeln!(out, "\nno decision diverged")?;
    }
    if more {
        let drawn = count(drawn, DECISIONS);
        writeln!(
            out,
            "\n{drawn} shown, and there are more: --limit N shows N"
        )?;
    }
    args.json.write(&json!({
        "record": args.file.display().to_string(),
        "header": head,
        "decisions": document,
        "more": more,
    }))?;
    Ok(Outcome::Agreed)
}

/// Writes the controllers, board, seed and backends of a record.
fn header<G: CliGame>(out: &mut dyn Write, head: &Head<G>) -> io::Result<()> {
    let mut line = format!("controller {}", players(head));
    if let Some((columns, rows)) = head.board {
        line += &format!(", board {columns}x{rows}");
    }
    if let Some(generator) = &head.generator {
        line += &format!(", {} {}", G::WORDS.step.many, generator.name);
    }
    if let Some(seed) = head.seed {
        line += &format!(", seed {seed}");
    }
    writeln!(out, "{}", shown(&line))?;
    let width = head.backends.iter().map(|b| b.name.width()).max();
    for b in &head.backends {
        let (name, description, width) = (&b.name, &b.description, width.unwrap_or(0));
        writeln!(out, "  {STRONG}{name:<width$}{STRONG:#}  {description}")?;
    }
    Ok(())
}

/// Writes a decision: its picture, and beside it the pictures of those that differ.
fn decision<G: CliGame>(out: &mut dyn Write, head: &Head<G>, entry: &Entry<G>) -> io::Result<()> {
    let (game, step) = (HumanCount(entry.game), HumanCount(entry.step));
    let asked = head.asked(&entry.position).into_iter();
    let mut asked = asked.filter_map(|index| head.backends.get(index));
    let reference = asked.next().map(|b| b.name.to_string());
    let reference = reference.unwrap_or_else(|| "decision".into());
    let differ = entry.diverged.iter();
    let differ: Vec<_> = differ.map(|(name, other)| (shown(name), other)).collect();
    write!(out, "\n{STRONG}game {game}, move {step}{STRONG:#}")?;
    match kind::<G>(&entry.position) {
        Some(class) => writeln!(out, ": {class}")?,
        None => writeln!(out)?,
    }
    let own = G::picture(&entry.position, Some(&entry.decision));
    let mut pictures = vec![(reference.as_str(), own)];
    for (name, decision) in &differ {
        pictures.push((name, G::picture(&entry.position, Some(decision))));
    }
    writeln!(out, "{}", side_by_side(&pictures, width()))?;
    writeln!(out, "  {reference}: {}", fields::<G>(&entry.decision))?;
    for (name, decision) in &differ {
        writeln!(out, "  {BAD}{name}{BAD:#}: {}", fields::<G>(decision))?;
    }
    for (name, cycles) in &entry.cycles {
        let expected = entry.expected_cycles.get(name);
        let expected = expected.map(|expected| format!("expected {expected}, got "));
        let (name, expected) = (shown(name), expected.unwrap_or_default());
        writeln!(out, "  {name}: {expected}{cycles} clock cycles")?;
    }
    Ok(())
}

/// The fields of a decision, in one line.
fn fields<G: CliGame>(decision: &G::Decision) -> String {
    let fields = G::fields(decision).into_iter();
    let none = |value: &Value| matches!(value, Value::Flag(_) | Value::Nothing | Value::Unknown);
    let shown = fields.filter(|field| !none(&field.value));
    let shown = shown.map(|field| format!("{} {}", field.name.replace('_', " "), field.value));
    match shown.collect::<Vec<_>>() {
        none if none.is_empty() => format!("no {} is legal", G::CANDIDATE.one),
        shown => shown.join(", "),
    }
}
