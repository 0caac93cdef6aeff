//! A writer with a name, which its errors begin with.

use std::io::{self, Write};

/// A writer whose errors begin with its name and keep their kind.
pub struct Named<W> {
    name: String,
    to: W,
}

impl<W> Named<W> {
    pub fn new(name: impl Into<String>, to: W) -> Self {
        let name = name.into();
        Self { name, to }
    }

    fn wrong(&self, why: io::Error) -> io::Error {
        match why.kind() {
            // The caller writes again.
            io::ErrorKind::Interrupted => why,
            kind => io::Error::new(kind, format!("{}: {why}", self.name)),
        }
    }
}

impl<W: Write> Write for Named<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.write(bytes);
        written.map_err(|why| self.wrong(why))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.to.flush();
        flushed.map_err(|why| self.wrong(why))
    }
}
