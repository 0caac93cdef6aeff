//! Records as lines of JSON.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use lockstep::Stop;
use lockstep::record::{Ending, Entry, Follow, Form, Head, MAX_LINE, Reader, Tail, Writer, game};
use pyo3::prelude::*;

use crate::failed;
use crate::games::{PyGame, by_game};

/// The name of a record's game.
fn game_of(path: &Path) -> PyResult<String> {
    let mut first = Vec::new();
    let file = File::open(path).map_err(|why| failed(format!("{}: {why}", path.display())))?;
    file.take(MAX_LINE as u64)
        .read_to_end(&mut first)
        .map_err(failed)?;
    game(&first).ok_or_else(|| failed(format!("{}: not a lockstep record", path.display())))
}

/// The lines of a record: header, decisions and, if it is complete, its end.
#[pyfunction]
pub fn record_lines(path: PathBuf) -> PyResult<Vec<String>> {
    fn lines<G: PyGame>(path: &Path) -> PyResult<Vec<String>> {
        let text = |line: &[u8]| String::from_utf8_lossy(line).into_owned();
        let mut reader = Reader::<G>::open(path, &Stop::never()).map_err(failed)?;
        let mut lines = vec![text(reader.header())];
        while let Some(entry) = reader.next() {
            entry.map_err(failed)?;
            lines.push(text(reader.text()));
        }
        if !reader.text().is_empty() {
            lines.push(text(reader.text()));
        }
        Ok(lines)
    }
    by_game!(game_of(&path)?.as_str(), G => lines::<G>(&path))
}

/// Writes a record; checks that each line is what it has to be.
#[pyfunction]
pub fn write_lines(path: PathBuf, lines: Vec<String>) -> PyResult<()> {
    fn write<G: PyGame>(path: &Path, lines: &[String]) -> PyResult<()> {
        let file = File::create(path).map_err(failed)?;
        let mut to = Writer::new(file, Form::of(path)).map_err(failed)?;
        let last = lines.len() - 1;
        for (number, line) in lines.iter().enumerate() {
            let wrong = |why| failed(format!("line {}: {why}", number + 1));
            let written = if number == 0 {
                to.line(&serde_json::from_str::<Head<G>>(line).map_err(wrong)?)
            } else if number == last && line.starts_with("{\"end\"") {
                to.line(&serde_json::from_str::<Tail>(line).map_err(wrong)?)
            } else {
                to.line(&serde_json::from_str::<Entry<G>>(line).map_err(wrong)?)
            };
            written.map_err(failed)?;
        }
        to.write().map_err(failed)
    }
    let head = lines
        .first()
        .ok_or_else(|| failed("a record begins with its header"))?;
    let name =
        game(head.as_bytes()).ok_or_else(|| failed("the first line is no header of a record"))?;
    by_game!(name.as_str(), G => write::<G>(&path, &lines))
}

/// Checks a record as `lockstep record verify --rules-only` does; returns whether it is complete.
#[pyfunction]
pub fn verify_record(py: Python<'_>, path: PathBuf) -> PyResult<bool> {
    fn verify<G: PyGame>(path: &Path) -> PyResult<bool> {
        let mut reader = Reader::<G>::open(path, &Stop::never()).map_err(failed)?;
        let mut follow = Follow::new(reader.head());
        while let Some(entry) = reader.next() {
            let entry = entry.map_err(failed)?;
            follow
                .entry(&entry)
                .map_err(|why| failed(reader.wrong(why)))?;
        }
        reader.check_tail(follow.games()).map_err(failed)?;
        Ok(reader.ending() == Ending::Complete)
    }
    py.detach(|| by_game!(game_of(&path)?.as_str(), G => verify::<G>(&path)))
}
