//! The pictures of a session as raw frames (`--frames`).

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use lockstep::{Event, Sink};
use lockstep_games::{Draw, Picture};

use crate::output::named::Named;

/// Writes the picture of each decision: for each cell, the topmost row first, a byte each of red,
/// green and blue.
pub struct Frames(BufWriter<Named<File>>);

impl Frames {
    /// Creates the file, or opens a pipe; `appends`: to what is in the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn open(file: &Path, appends: bool) -> io::Result<Self> {
        let mut options = File::options();
        options
            .create(true)
            .write(true)
            .append(appends)
            .truncate(!appends);
        let name = format!("--frames {}", file.display());
        Ok(Self(BufWriter::new(Named::new(name, options.open(file)?))))
    }

    fn write(&mut self, picture: &Picture) -> io::Result<()> {
        let cells = picture.lines().flatten();
        let bytes: Vec<u8> = cells.flat_map(|cell| cell.colour.rgb()).collect();
        self.0.write_all(&bytes)
    }
}

impl<G: Draw> Sink<G> for Frames {
    fn take(&mut self, event: &Event<G>) -> io::Result<()> {
        match event {
            Event::Decided(round) => match round.expected() {
                Some(decision) => self.write(&G::picture(&round.position, Some(decision))),
                None => Ok(()),
            },
            Event::Moved(moved) => self.write(&moved.picture),
            Event::Ended { .. } => self.0.flush(),
            _ => Ok(()),
        }
    }

    /// A panel shows a frame when it comes.
    fn idle(&mut self) -> io::Result<Option<Duration>> {
        self.0.flush()?;
        Ok(None)
    }
}
