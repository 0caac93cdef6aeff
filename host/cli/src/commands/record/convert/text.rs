//! Records as JSON lines, each line as it is written.

use std::fs::File;
use std::path::Path;

use lockstep::Stop;
use lockstep::record::{Entry, Form, Reader, Writer};

use super::super::next;
use crate::games::CliGame;
use crate::named::Named;

/// A record that is read line by line.
pub struct Lines<G: CliGame> {
    reader: Reader<G>,
}

impl<G: CliGame> Lines<G> {
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        Ok(Self {
            reader: Reader::open(path)?,
        })
    }

    pub fn reader(&self) -> &Reader<G> {
        &self.reader
    }

    pub fn next(&mut self, stop: &Stop) -> anyhow::Result<Option<Entry<G>>> {
        next(&mut self.reader, stop)
    }

    /// The line of the end, if there is one; to be asked once all was read.
    pub fn end(&self) -> Option<&[u8]> {
        Some(self.reader.text()).filter(|_| self.reader.tail().is_some())
    }

    /// Writes the same lines; how many decisions.
    pub fn write(&mut self, file: Named<File>, form: Form, stop: &Stop) -> anyhow::Result<u64> {
        let mut writer = Writer::new(file, form)?;
        writer.text(self.reader.header())?;
        // Frames as a recorder has them, so that it can go on.
        writer.write()?;
        let mut decisions = 0;
        while self.next(stop)?.is_some() {
            writer.text(self.reader.text())?;
            decisions += 1;
        }
        writer.write()?;
        if let Some(end) = self.end() {
            writer.text(end)?;
            writer.write()?;
        }
        Ok(decisions)
    }
}
