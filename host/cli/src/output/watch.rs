//! A live view of a session: the reference's board, drawn after every move.

use std::io::{self, Write};

use indicatif::HumanCount;
use lockstep::event::{Moved, Searching};
use lockstep::report::text::plain;
use lockstep::{Event, Round};
use lockstep_games::{Draw, Game, Picture};

use super::terminal::progress;
use super::{count, screen, stdout};

/// Redraws the board in place for every decision. For terminals only: it moves
/// the cursor.
pub struct Watch {
    out: Box<dyn Write + Send>,
    names: Vec<String>,
    /// The lines of the last picture.
    picture: Vec<String>,
    drawn: usize,
}

impl Watch {
    pub fn new() -> Self {
        Self {
            out: stdout(false),
            names: Vec::new(),
            picture: Vec::new(),
            drawn: 0,
        }
    }

    pub fn take<G: Draw>(&mut self, event: &Event<G>) -> io::Result<()> {
        match event {
            Event::Started(header) => {
                self.names = header.backends.iter().map(|b| b.name.to_string()).collect();
                Ok(())
            }
            Event::PoweredUp | Event::Rate { .. } | Event::GameStarted { .. } => Ok(()),
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

    fn decided<G: Draw>(&mut self, round: &Round<G>) -> io::Result<()> {
        let Some(answer) = round.answers.first() else {
            return Ok(());
        };
        if !round.mismatches.is_empty() {
            // The terminal view draws divergences.
            return self.erase();
        }
        let picture = G::picture(&round.position, Some(&answer.decision));
        let mut above = Self::place::<G>(round.game, round.step, round.score);
        let fields = G::fields(&answer.decision).into_iter();
        let score = fields.filter(|field| field.name == "score");
        above.extend(score.map(|field| format!("score {}", field.value)));
        above.extend(picture.notes.iter().cloned());
        let mut by = self.name(round.asked.first());
        if round.asked.len() > 1 {
            by += &format!(", {} backends agree", round.asked.len());
        }
        self.show(&picture, [above.join(", "), by])
    }

    /// The game, the move and the score.
    fn place<G: Game>(game: u64, step: u64, score: Option<u64>) -> Vec<String> {
        let score = score.map(|score| count(score, G::WORDS.score));
        let (game, step) = (HumanCount(game), HumanCount(step));
        let place = [
            format!("game {game}"),
            format!("{} {step}", G::WORDS.step.one),
        ];
        place.into_iter().chain(score).collect()
    }

    fn name(&self, index: Option<&usize>) -> String {
        let name = index.and_then(|index| self.names.get(*index));
        name.cloned().unwrap_or_default()
    }

    /// Draws the last picture, and below it the progress of a search.
    fn searching<G: Game>(&mut self, searching: &Searching<G>) -> io::Result<()> {
        let (columns, rows) = screen();
        let progress = format!("  {}", progress(&self.names, searching));
        let fits = self.picture.len() + 1 < rows;
        let mut lines = self.picture.clone();
        lines.truncate(if fits { lines.len() } else { 0 });
        lines.push(progress.chars().take(columns.saturating_sub(1)).collect());
        self.draw(&lines)
    }

    fn moved<G: Draw>(&mut self, moved: &Moved) -> io::Result<()> {
        let above = Self::place::<G>(moved.game, moved.step, Some(moved.score));
        let by = self.name(Some(&0));
        self.show(&moved.picture, [above.join(", "), by])
    }

    /// Draws a picture below lines of text.
    ///
    /// Lines that do not fit on the screen are left out, with a note.
    fn show(&mut self, picture: &Picture, above: [String; 2]) -> io::Result<()> {
        let (columns, rows) = screen();
        // The cursor is below the picture, and a full line would wrap.
        let (wide, all) = (columns.saturating_sub(5), picture.rows());
        let is_cut = all + 3 > rows || picture.columns() > wide;
        let high = match is_cut {
            true => all.min(rows.saturating_sub(4)),
            false => all,
        };
        // Of a board that is filled from its bottom the top is empty longest.
        let from = if picture.bottom_up { all - high } else { 0 };
        let start = |line: &str| line.chars().take(wide).collect::<String>();
        let mut lines: Vec<_> = above
            .iter()
            .map(|text| format!("  {}", start(text)))
            .collect();
        let board = plain(picture);
        let board = board.lines().skip(from).take(high);
        lines.extend(board.map(|line| format!("  |{}|", start(line))));
        if is_cut {
            let (columns, of) = (picture.columns().min(wide), picture.columns());
            let fit = format!("{columns} of {of} columns, {high} of {all} rows fit here");
            lines.push(fit);
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
