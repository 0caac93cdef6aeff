//! A session as a moving picture: the reference's board, piece by piece.

use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use crate::event::{Event, Round, Sink};
use crate::games::Game;

/// Redraws the board in place for every decision. For terminals only: it moves
/// the cursor.
pub struct Watch<W: Write> {
    out: W,
    /// How long each board stays.
    pause: Duration,
    reference: String,
    backends: usize,
    /// Lines of the board on the screen.
    drawn: usize,
}

impl<W: Write> Watch<W> {
    /// Draws to `out`, each board for `pause`.
    pub fn new(out: W, pause: Duration) -> Self {
        Self {
            out,
            pause,
            reference: String::new(),
            backends: 0,
            drawn: 0,
        }
    }

    fn draw<G: Game>(&mut self, round: &Round<'_, G>) -> io::Result<()> {
        let Some(answer) = round.answers.first() else {
            return Ok(());
        };
        let board = G::draw(
            round.position,
            &[(self.reference.as_str(), &answer.decision)],
        );
        // The label, every row, the columns' numbers: the same height each time.
        let height = G::BOARD.1 + 2;
        let missing = height.saturating_sub(board.lines().count());
        let agreed = match (self.backends, round.mismatches.is_empty()) {
            (1, _) => String::new(),
            (n, true) => format!(", {n} backends agree"),
            (_, false) => ", diverged".into(),
        };
        let (game, step) = (round.game + 1, round.step + 1);
        self.erase()?;
        write!(
            self.out,
            "  game {game}, piece {step}{agreed}\n{}",
            "\n".repeat(missing)
        )?;
        writeln!(self.out, "{board}")?;
        self.out.flush()?;
        self.drawn = 1 + missing + board.lines().count();
        thread::sleep(self.pause);
        Ok(())
    }

    /// Back to where the board began, and everything below it gone.
    fn erase(&mut self) -> io::Result<()> {
        if self.drawn > 0 {
            write!(self.out, "\x1b[{}F\x1b[J", self.drawn)?;
            self.drawn = 0;
        }
        Ok(())
    }
}

impl<G: Game, W: Write> Sink<G> for Watch<W> {
    fn take(&mut self, event: &Event<'_, G>) -> io::Result<()> {
        match event {
            Event::Started(header) => {
                self.backends = header.backends.len();
                let first = header.backends.first();
                self.reference = first.map_or(String::new(), |b| b.name.clone());
                Ok(())
            }
            Event::GameStarted { .. } => Ok(()),
            Event::Decided(round) => self.draw(round),
            Event::GameEnded { .. } | Event::Ended { .. } => {
                self.erase()?;
                self.out.flush()
            }
        }
    }
}
