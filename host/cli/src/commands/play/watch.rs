//! A live view of a session: the reference's board, drawn after every move.

use std::io::{self, Write};

use console::measure_text_width;
use lockstep::event::{Moved, Searching};
use lockstep::{Event, Round, Sink};
use lockstep_games::{Draw, Game, Noun, Picture};

use crate::output::terminal::progress;
use crate::output::{GOOD, count};
use lockstep::report::text::plain;

/// Columns that the text beside a board needs.
const BESIDE: usize = 24;

/// Redraws the board in place for every decision. For terminals only: it moves
/// the cursor.
pub struct Watch<W: Write> {
    out: W,
    /// Names of the backends.
    names: Vec<String>,
    /// The lines of the last picture.
    picture: Vec<String>,
    /// Number of lines on the screen.
    drawn: usize,
    /// Columns and rows of the terminal, which may change.
    screen: fn() -> (usize, usize),
}

impl<W: Write> Watch<W> {
    /// A view on `out`, a terminal whose columns and rows `screen` returns.
    pub fn new(out: W, screen: fn() -> (usize, usize)) -> Self {
        Self {
            out,
            names: Vec::new(),
            picture: Vec::new(),
            drawn: 0,
            screen,
        }
    }

    fn decided<G: Draw>(&mut self, round: &Round<G>) -> io::Result<()> {
        let Some(answer) = round.answers.first() else {
            return Ok(());
        };
        if !round.mismatches.is_empty() {
            // The terminal view draws divergences.
            return self.erase();
        }
        let picture = G::picture(&round.position, Some(&answer.decision));
        let agreed = match round.asked.len() {
            1 => String::new(),
            n => format!("{GOOD}{n} backends agree{GOOD:#}"),
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
        beside.extend([String::new(), self.name(round.asked.first()), agreed]);
        self.show(&picture, &beside)
    }

    fn name(&self, index: Option<&usize>) -> String {
        let name = index.and_then(|index| self.names.get(*index));
        name.cloned().unwrap_or_default()
    }

    /// Draws the last picture, and below it the progress of a search.
    fn searching<G: Game>(&mut self, searching: &Searching<G>) -> io::Result<()> {
        let (columns, rows) = (self.screen)();
        let progress = format!("  {}", progress(&self.names, searching));
        let fits = self.picture.len() + 1 < rows;
        let mut lines = self.picture.clone();
        lines.truncate(if fits { lines.len() } else { 0 });
        lines.push(progress.chars().take(columns.saturating_sub(1)).collect());
        self.draw(&lines)
    }

    fn moved<G: Draw>(&mut self, moved: &Moved) -> io::Result<()> {
        let beside = [
            format!("game {}", indicatif::HumanCount(moved.game)),
            word(G::WORDS.step, moved.step),
            count(moved.score, G::WORDS.score),
            String::new(),
            self.name(Some(&0)),
        ];
        self.show(&moved.picture, &beside)
    }

    /// Draws a picture with text beside it, or above it if the picture is wide.
    ///
    /// Lines that do not fit on the screen are left out, with a note.
    fn show(&mut self, picture: &Picture, beside: &[String]) -> io::Result<()> {
        let (columns, rows) = (self.screen)();
        // The cursor is below the picture, and a full line would wrap.
        let (columns, rows) = (columns.saturating_sub(1), rows.saturating_sub(1));
        let is_beside = picture.columns() + 6 + BESIDE <= columns;
        let above = usize::from(!is_beside);
        let fits = |rows: usize| picture.rows() + above <= rows;
        let wide = columns.saturating_sub(4);
        let cut = !fits(rows) || picture.columns() > wide;
        let high = rows
            .saturating_sub(above + usize::from(cut))
            .min(picture.rows());
        // Of a board that is filled from its bottom the top is empty longest.
        let from = match picture.bottom_up {
            true => picture.rows() - high,
            false => 0,
        };
        let text = plain(picture);
        let shown = text.lines().skip(from).take(high);
        let board: Vec<String> = shown
            .map(|line| format!("|{}|", line.chars().take(wide).collect::<String>()))
            .collect();

        let mut lines = Vec::new();
        if is_beside {
            let room = high.max(beside.len()).min(rows - usize::from(cut));
            let blank = " ".repeat(picture.columns() + 2);
            lines.extend((0..room).map(|at| {
                let row = board.get(at).unwrap_or(&blank);
                let text = beside.get(at).map_or("", String::as_str);
                format!("  {row}  {text}").trim_end().to_owned()
            }));
        } else {
            let texts: Vec<_> = beside.iter().filter(|text| !text.is_empty()).collect();
            lines.push(head(&texts, columns));
            lines.extend(board);
        }
        if cut {
            let (all, columns) = (picture.columns(), picture.columns().min(wide));
            let of = picture.rows();
            lines.push(format!(
                "{columns} of {all} columns, {high} of {of} rows fit here"
            ));
        }
        self.draw(&lines)?;
        self.picture = lines;
        Ok(())
    }

    fn draw(&mut self, lines: &[String]) -> io::Result<()> {
        self.erase()?;
        for line in lines {
            writeln!(self.out, "{line}")?;
        }
        self.out.flush()?;
        self.drawn = lines.len();
        Ok(())
    }

    /// Moves the cursor to the beginning of the picture and clears everything below.
    fn erase(&mut self) -> io::Result<()> {
        if self.drawn > 0 {
            write!(self.out, "\x1b[{}F\x1b[J", self.drawn)?;
            self.drawn = 0;
        }
        Ok(())
    }
}

/// A word with its number, such as `piece 12`.
fn word(noun: Noun, number: u64) -> String {
    format!("{} {}", noun.one, indicatif::HumanCount(number))
}

/// The first of the texts, as many as fit on one line.
fn head(texts: &[&String], columns: usize) -> String {
    let mut line = String::new();
    for text in texts {
        let gap = if line.is_empty() { "  " } else { ", " };
        if measure_text_width(&line) + gap.len() + measure_text_width(text) > columns {
            break;
        }
        line += gap;
        line += text;
    }
    line
}

impl<G: Draw, W: Write> Sink<G> for Watch<W> {
    fn take(&mut self, event: &Event<G>) -> io::Result<()> {
        match event {
            Event::Started(header) => {
                self.names = header.backends.iter().map(|b| b.name.to_string()).collect();
                Ok(())
            }
            Event::PoweredUp | Event::GameStarted { .. } => Ok(()),
            Event::Searching(searching) => self.searching(searching),
            Event::Decided(round) => self.decided(round),
            Event::Moved(moved) => self.moved::<G>(moved),
            Event::GameEnded { .. } | Event::Ended { .. } => {
                self.picture.clear();
                self.erase()?;
                self.out.flush()
            }
        }
    }
}
