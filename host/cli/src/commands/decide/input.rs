//! Positions from standard input.

use std::io;

use anyhow::anyhow;
use lockstep::record::reason;
use lockstep::{Identity, SessionError, Stop};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TryRecvError;

use super::on_line;
use crate::games::CliGame;
use crate::games::options::of_other;
use crate::input::lines::lines;

/// Positions from standard input.
pub struct Input {
    lines: mpsc::Receiver<io::Result<Vec<u8>>>,
    line: u64,
    stop: Stop,
    /// The backends that decide them.
    backends: Vec<Identity>,
    most: usize,
}

impl Input {
    /// Reads batches of at most `most` positions.
    pub fn new(stop: Stop, backends: Vec<Identity>, most: usize) -> Self {
        Self {
            lines: lines(),
            line: 0,
            stop,
            backends,
            most,
        }
    }

    /// The next positions with their line numbers: waits for one, and adds those that have arrived.
    ///
    /// If no more follow, also why: the end of the input, an interrupt, or a line that is not a
    /// position.
    pub async fn positions<G: CliGame>(
        &mut self,
    ) -> (Vec<(u64, G::Position)>, Option<anyhow::Result<()>>) {
        let mut batch = Vec::new();
        while batch.len() < self.most {
            let line = if batch.is_empty() {
                tokio::select! {
                    biased;
                    () = self.stop.wait() => {
                        return (batch, Some(Err(SessionError::Interrupted.into())));
                    }
                    line = self.lines.recv() => line,
                }
            } else {
                match self.lines.try_recv() {
                    Ok(line) => Some(line),
                    Err(TryRecvError::Empty) => break,
                    Err(TryRecvError::Disconnected) => None,
                }
            };
            let Some(line) = line else {
                return (batch, Some(Ok(())));
            };
            self.line += 1;
            match self.parse::<G>(line) {
                Ok(Some(position)) => batch.push((self.line, position)),
                Ok(None) => {}
                Err(error) => {
                    return (batch, Some(Err(error.context(on_line(self.line)))));
                }
            }
        }
        (batch, None)
    }

    /// Parses a line as a position; `None` for a blank line.
    fn parse<G: CliGame>(&self, line: io::Result<Vec<u8>>) -> anyhow::Result<Option<G::Position>> {
        let line = line?;
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(None);
        }
        let position: G::Position = serde_json::from_slice(&line).map_err(|error| {
            let text = String::from_utf8_lossy(&line);
            if let Some(other) = of_other::<G>(|other| (other.reads)(&text)) {
                return anyhow!("a position of {other}: --game {other} decides it");
            }
            let why = reason(&error);
            match error.is_data() && text.trim_start().starts_with('{') {
                true => anyhow!("not a position: {why}"),
                false => anyhow!("not a position: {why}; the format is {}", G::POSITION),
            }
        })?;
        lockstep::session::check::<G>(&self.backends, &position)?;
        Ok(Some(position))
    }
}
