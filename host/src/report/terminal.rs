//! A session for people: progress, divergences, a summary.

use std::fmt;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::totals::Totals;
use crate::event::{End, Event, Header, Round, Sink};
use crate::games::Game;

const GOOD: Style = AnsiColor::Green.on_default().bold();
const BAD: Style = AnsiColor::Red.on_default().bold();
const STRONG: Style = Style::new().bold();

/// Divergences shown in full; the rest is only counted.
const SHOWN: u64 = 3;

/// Writes what happens to a terminal or a log.
pub struct Terminal<W: Write> {
    out: W,
    bar: ProgressBar,
    /// A line of progress every so many decisions where there is no bar.
    every: u64,
    names: Vec<String>,
    games: Option<u64>,
    planned: Option<u64>,
    decisions: u64,
    diverged: u64,
}

impl<W: Write> Terminal<W> {
    /// Writes to `out`; `bar`: whether to draw a progress bar on standard
    /// error. `games`: how many are to be played.
    pub fn new(out: W, bar: bool, games: Option<u64>) -> Self {
        let target = if bar {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        Self {
            out,
            bar: ProgressBar::with_draw_target(None, target).with_style(style()),
            every: 0,
            names: Vec::new(),
            games,
            planned: None,
            decisions: 0,
            diverged: 0,
        }
    }

    fn started<G: Game>(&mut self, header: &Header<G>) -> io::Result<()> {
        self.names = header.backends.iter().map(|b| b.name.clone()).collect();
        self.planned = header.planned;
        let width = self.names.iter().map(String::len).max().unwrap_or(0);
        for b in &header.backends {
            writeln!(
                self.out,
                "  {STRONG}{:<width$}{STRONG:#}  {}",
                b.name, b.description
            )?;
        }
        if let Some(planned) = header.planned {
            self.bar.set_length(planned);
        }
        self.every = match header.planned {
            Some(planned) if self.bar.is_hidden() => (planned / 10).max(1_000),
            _ => 0,
        };
        Ok(())
    }

    fn decided<G: Game>(&mut self, round: &Round<'_, G>) -> io::Result<()> {
        self.decisions += 1;
        self.bar.inc(1);
        if !round.mismatches.is_empty() {
            self.diverged += 1;
            if self.diverged <= SHOWN {
                let text = self.divergence(round);
                let out = &mut self.out;
                self.bar.suspend(|| out.write_all(text.as_bytes()))?;
            }
        }
        if self.every > 0 && self.decisions.is_multiple_of(self.every) {
            let of = self.planned.map_or(String::new(), |n| format!(" of {n}"));
            writeln!(self.out, "  {}{of} decisions", self.decisions)?;
        }
        Ok(())
    }

    /// The position with both decisions drawn in, and the fields that differ.
    fn divergence<G: Game>(&self, round: &Round<'_, G>) -> String {
        let reference = match round.recorded {
            Some(_) => "record",
            None => self.names.first().map_or("", String::as_str),
        };
        let expected = round
            .recorded
            .or(round.answers.first().map(|a| &a.decision));
        let Some(expected) = expected else {
            return String::new();
        };
        let mut text = format!(
            "\n{BAD}DIVERGENCE{BAD:#} in game {}, move {}:\n",
            round.game + 1,
            round.step + 1
        );
        let mut labelled = vec![(reference, expected)];
        for (index, answer) in round.answers.iter().enumerate() {
            if round.mismatches.iter().any(|m| m.backend == index) {
                labelled.push((
                    self.names.get(index).map_or("", String::as_str),
                    &answer.decision,
                ));
            }
        }
        text += &G::draw(round.position, &labelled);
        for (index, name) in self.names.iter().enumerate() {
            let own = || round.mismatches.iter().filter(|m| m.backend == index);
            if own().next().is_none() {
                continue;
            }
            let width = own().map(|m| m.expected.to_string().len()).max();
            let width = width.unwrap_or(0).max(reference.len());
            text += &format!("\n  {:<14}  {reference:>width$}  {name}\n", "field");
            for m in own() {
                let (field, expected) = (m.field, &m.expected);
                text += &format!("  {field:<14}  {expected:>width$}  {BAD}{}{BAD:#}\n", m.got);
            }
        }
        text + "\n"
    }

    fn game_ended(&mut self, game: u64, moves: u64, score: u64, end: End) -> io::Result<()> {
        let of = self.games.map_or(String::new(), |n| format!(" of {n}"));
        let why = match end {
            End::Over => "game over",
            End::Limit => "stopped at the limit",
            End::Diverged => "stopped at its first divergence",
            End::Interrupted => "interrupted",
        };
        let (pieces, lines) = (count(moves, "piece"), count(score, "line"));
        let line = format!("  game {}{of}: {pieces}, {lines}, {why}\n", game + 1);
        let out = &mut self.out;
        self.bar.suspend(|| out.write_all(line.as_bytes()))
    }

    /// Says what the next session is about.
    ///
    /// # Errors
    /// Those of the output.
    pub fn title(&mut self, text: &str) -> io::Result<()> {
        writeln!(self.out, "{text}")
    }

    /// Writes the summary. `record`: where the games were recorded.
    ///
    /// # Errors
    /// Those of the output.
    pub fn summary(&mut self, totals: &Totals, record: Option<&str>) -> io::Result<()> {
        let out = &mut self.out;
        if self.diverged > SHOWN {
            writeln!(
                out,
                "{} more divergences are not shown",
                self.diverged - SHOWN
            )?;
        }
        let decisions = count(totals.decisions, "decision");
        let alone = totals.backends.len() == 1 && self.games.is_some();
        match (totals.agreed, totals.diverged) {
            _ if alone => writeln!(
                out,
                "{decisions}, nothing to compare with: name two backends"
            )?,
            (agreed, 0) => {
                writeln!(
                    out,
                    "{decisions} compared: {GOOD}{agreed} agreed{GOOD:#}, 0 diverged"
                )?;
            }
            (agreed, diverged) => writeln!(
                out,
                "{decisions} compared: {agreed} agreed, {BAD}{diverged} diverged{BAD:#}"
            )?,
        }
        if totals.interrupted {
            writeln!(out, "{BAD}interrupted{BAD:#} before the end")?;
        }
        if totals.games > 0 {
            let (games, lines) = (count(totals.games, "game"), count(totals.lines, "line"));
            writeln!(out, "{games}, {lines}")?;
        }
        let names = totals.backends.iter().map(|b| b.name.len());
        let width = names.max().unwrap_or(0).max("backend".len());
        writeln!(
            out,
            "  {:<width$}  decisions  diverged  cycles: mean      max",
            "backend"
        )?;
        for b in &totals.backends {
            let mean = b.cycles.mean.map_or("-".into(), |m| format!("{m:.1}"));
            let max = b.cycles.max.map_or("-".into(), |m| m.to_string());
            writeln!(
                out,
                "  {:<width$}  {:>9}  {:>8}  {mean:>12}  {max:>7}",
                b.name, b.decisions, b.diverged
            )?;
        }
        if let Some(record) = record {
            writeln!(out, "record: {record}")?;
        }
        Ok(())
    }
}

fn style() -> ProgressStyle {
    let template = "  {human_pos}/{human_len} decisions  {rate}  {eta} left  {msg}  {wide_bar}";
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("rate", |state: &ProgressState, out: &mut dyn fmt::Write| {
            // Nobody can be told that the bar cannot be drawn.
            let _ = write!(out, "{:.0}/s", state.per_sec());
        })
}

fn count(n: u64, what: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {what}{plural}")
}

impl<G: Game, W: Write> Sink<G> for Terminal<W> {
    fn take(&mut self, event: &Event<'_, G>) -> io::Result<()> {
        match event {
            Event::Started(header) => self.started(header),
            Event::GameStarted { game } => {
                let of = self.games.map_or(String::new(), |n| format!("/{n}"));
                self.bar.set_message(format!("game {}{of}", game + 1));
                Ok(())
            }
            Event::Decided(round) => self.decided(round),
            Event::GameEnded {
                game,
                moves,
                score,
                end,
            } => self.game_ended(*game, *moves, *score, *end),
            Event::Ended { .. } => {
                self.bar.finish_and_clear();
                self.out.flush()
            }
        }
    }
}
