//! A session as a moving picture: the reference's board, piece by piece.

use std::io::{self, Write};

use lockstep::event::Moved;
use lockstep::{Event, Round, Sink};
use lockstep_games::{Draw, Noun, Picture};

use super::{BAD, GOOD, count};
use lockstep::report::text::plain;

/// Redraws the board in place for every decision. For terminals only: it moves
/// the cursor.
pub struct Watch<W: Write> {
    out: W,
    reference: String,
    backends: usize,
    /// Lines of the picture on the screen.
    drawn: usize,
    /// Columns of the terminal.
    width: usize,
}

impl<W: Write> Watch<W> {
    /// Draws to `out`, a terminal of so many columns.
    pub fn new(out: W, width: usize) -> Self {
        Self {
            out,
            reference: String::new(),
            backends: 0,
            drawn: 0,
            width,
        }
    }

    fn decided<G: Draw>(&mut self, round: &Round<G>) -> io::Result<()> {
        let Some(answer) = round.answers.first() else {
            return Ok(());
        };
        let picture = G::picture(&round.position, Some(&answer.decision));
        let agreed = match (self.backends, round.mismatches.is_empty()) {
            (1, _) => String::new(),
            (n, true) => format!("{GOOD}{n} backends agree{GOOD:#}"),
            (_, false) => format!("{BAD}diverged{BAD:#}"),
        };
        let mut beside = vec![
            format!("game {}", indicatif::HumanCount(round.game)),
            word(G::WORDS.step, round.step),
            round
                .score
                .map_or(String::new(), |score| count(score, G::WORDS.score)),
        ];
        beside.extend(G::fields(&answer.decision).iter().filter_map(|field| {
            let shown = matches!(field.name, "score");
            shown.then(|| format!("{} {}", field.name, field.value))
        }));
        beside.extend(picture.notes.iter().cloned());
        beside.extend([String::new(), self.reference.clone(), agreed]);
        self.show(&picture, &beside)
    }

    fn moved<G: Draw>(&mut self, moved: &Moved) -> io::Result<()> {
        let beside = [
            format!("game {}", indicatif::HumanCount(moved.game)),
            word(G::WORDS.step, moved.step),
            count(moved.score, G::WORDS.score),
            String::new(),
            self.reference.clone(),
        ];
        self.show(&moved.picture, &beside)
    }

    /// The picture with lines beside it, or above it where it is wide.
    fn show(&mut self, picture: &Picture, beside: &[String]) -> io::Result<()> {
        let rows: Vec<String> = plain(picture)
            .lines()
            .map(|line| format!("|{}|", cut(line, self.width.saturating_sub(4))))
            .collect();
        let room = self.width.saturating_sub(picture.columns() + 6);
        let lines: Vec<String> = if room >= 24 {
            let height = rows.len().max(beside.len());
            let blank = " ".repeat(picture.columns() + 2);
            let line = |at: usize| {
                let row = rows.get(at).unwrap_or(&blank);
                let text = beside.get(at).map_or("", String::as_str);
                format!("  {row}  {text}").trim_end().to_owned()
            };
            (0..height).map(line).collect()
        } else {
            let texts = beside.iter().filter(|text| !text.is_empty());
            let head = format!("  {}", texts.cloned().collect::<Vec<_>>().join(", "));
            std::iter::once(head).chain(rows).collect()
        };
        self.erase()?;
        for line in &lines {
            writeln!(self.out, "{line}")?;
        }
        self.out.flush()?;
        self.drawn = lines.len();
        Ok(())
    }

    /// Back to where the picture began, and everything below it gone.
    fn erase(&mut self) -> io::Result<()> {
        if self.drawn > 0 {
            write!(self.out, "\x1b[{}F\x1b[J", self.drawn)?;
            self.drawn = 0;
        }
        Ok(())
    }
}

/// `piece 12`.
fn word(noun: Noun, number: u64) -> String {
    format!("{} {}", noun.one, indicatif::HumanCount(number))
}

fn cut(line: &str, columns: usize) -> String {
    line.chars().take(columns).collect()
}

impl<G: Draw, W: Write> Sink<G> for Watch<W> {
    fn take(&mut self, event: &Event<G>) -> io::Result<()> {
        match event {
            Event::Started(header) => {
                self.backends = header.backends.len();
                let first = header.backends.first();
                self.reference = first.map_or(String::new(), |b| b.name.clone());
                Ok(())
            }
            Event::GameStarted { .. } => Ok(()),
            Event::Decided(round) => self.decided(round),
            Event::Moved(moved) => self.moved::<G>(moved),
            Event::GameEnded { .. } | Event::Ended { .. } => {
                self.erase()?;
                self.out.flush()
            }
        }
    }
}
