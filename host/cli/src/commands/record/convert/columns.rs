//! Records as tables: a row a decision.
//!
//! Columns are typed as whoever analyses them wants them. A row stands for the line that
//! lockstep would write of it; where a record holds another one, of somebody's own hand, the
//! row has that as well.

use std::fs::File;
use std::path::Path;

use anyhow::{Context as _, bail};
use lockstep::Stop;
use lockstep::record::{Entry, Form, Head, Tail, Writer};
use lockstep_games::tetris::score::UNIT;
use lockstep_games::tetris::{Piece, Placement, Position, Score, Tetris};
use serde_json::{Value, json};

use super::super::go_on;
use super::parquet::{Column, TableReader, TableWriter};
use super::text::Lines;
use crate::named::Named;

/// Rows of a group.
const ROWS: u64 = 1 << 16;

/// Names of the texts beside the table.
const HEADER: &str = "lockstep.header";
const END: &str = "lockstep.end";

/// A table under way, row by row.
struct Table {
    version: u32,
    /// Those that may have clock cycles.
    clocked: Vec<String>,
    columns: Vec<Column>,
}

impl Table {
    fn new(head: &Head<Tetris>) -> Self {
        let clocked = head.backends.iter().filter(|b| b.build_id.is_some());
        let clocked: Vec<_> = clocked.map(|b| b.name.clone()).collect();
        let mut columns = vec![
            Column::whole("game"),
            Column::whole("move"),
            Column::whole("board_columns"),
            Column::lists("board"),
            Column::text("piece"),
            Column::text("next").optional(),
            Column::whole("rotation").optional(),
            Column::whole("column").optional(),
            Column::whole("row").optional(),
            Column::whole("rows_cleared").optional(),
            Column::real("score").optional(),
            Column::flag("agreed"),
        ];
        let cycles = clocked
            .iter()
            .map(|name| Column::whole(&format!("cycles_{name}")).optional());
        columns.extend(cycles);
        let last = ["diverged", "due", "line"].map(|name| Column::text(name).optional());
        columns.extend(last);
        Self {
            version: head.lockstep_record,
            clocked,
            columns,
        }
    }

    /// The line that lockstep writes of an entry.
    fn line(&self, mut entry: Entry<Tetris>) -> anyhow::Result<Vec<u8>> {
        if self.version == 1 {
            entry.game -= 1;
            entry.step -= 1;
        }
        Ok(serde_json::to_vec(&entry)?)
    }

    /// Adds a row; `line`: as it is recorded.
    fn put(&mut self, entry: &Entry<Tetris>, line: &[u8]) -> anyhow::Result<()> {
        let clocked = self.clocked.clone();
        let line = self.foreign(entry, line)?;
        let mut columns = self.columns.iter_mut();
        let mut whole = |value: Option<i64>| {
            if let Some(column) = columns.next() {
                column.put_whole(value);
            }
        };
        whole(i64::try_from(entry.game).ok());
        whole(i64::try_from(entry.step).ok());
        let board = &entry.position.board;
        whole(i64::try_from(board.columns()).ok());
        let texts = |text: &Value| (!text.is_null()).then(|| text.to_string());
        if let Some(column) = columns.next() {
            column.put_list(board.to_rows().into_iter().map(|row| row as u32));
        }
        let letter = |piece: Piece| piece.letter().to_string();
        let pieces = [Some(entry.position.piece), entry.position.next];
        for (piece, column) in pieces.into_iter().zip(&mut columns) {
            column.put_text(piece.map(letter));
        }
        let placement = entry.decision.as_ref();
        let fields: [fn(&Placement) -> usize; 4] =
            [|p| p.rotation, |p| p.column, |p| p.row, |p| p.rows_cleared];
        for (field, column) in fields.into_iter().zip(&mut columns) {
            column.put_whole(placement.and_then(|p| i64::try_from(field(p)).ok()));
        }
        if let Some(column) = columns.next() {
            column.put_real(placement.map(|p| p.score.0 as f64 / UNIT as f64));
        }
        if let Some(column) = columns.next() {
            column.put_flag(entry.agreed());
        }
        for (name, column) in clocked.iter().zip(&mut columns) {
            column.put_whole(entry.cycles.get(name).map(|&cycles| cycles as i64));
        }
        let diverged = match entry.diverged.is_empty() {
            true => Value::Null,
            false => json!(entry.diverged),
        };
        let due = match entry.due.is_empty() {
            true => Value::Null,
            false => json!(entry.due),
        };
        for (value, column) in [diverged, due].iter().zip(&mut columns) {
            column.put_text(texts(value));
        }
        if let Some(column) = columns.next() {
            column.put_text(line);
        }
        Ok(())
    }

    /// A line that the other columns do not say.
    fn foreign(&self, entry: &Entry<Tetris>, line: &[u8]) -> anyhow::Result<Option<Vec<u8>>> {
        let small = |n: usize| i64::try_from(n).is_ok();
        let fits = entry.decision.as_ref().is_none_or(|p| {
            let fields = [p.rotation, p.column, p.row, p.rows_cleared];
            fields.into_iter().all(small) && score(p.score.0 as f64 / UNIT as f64) == p.score
        });
        let known = entry.cycles.keys().all(|name| self.clocked.contains(name));
        let same = fits && known && self.line(entry.clone())? == line;
        Ok((!same).then(|| line.to_vec()))
    }

    /// The line of the next row.
    fn take(&mut self) -> anyhow::Result<Vec<u8>> {
        let clocked = self.clocked.clone();
        let mut columns = self.columns.iter_mut();
        let mut column = || columns.next().context("columns are missing");
        let mut number = |what: &str| {
            let number = column()?.take_whole();
            number.with_context(|| format!("there is no {what}"))
        };
        let game = u64::try_from(number("game")?)?;
        let step = u64::try_from(number("move")?)?;
        let size = number("board_columns")?;
        let rows = column()?.take_list();
        let mut position = json!({"board": rows, "size": format!("{size}x{}", rows.len())});
        position["piece"] = column()?.take_text().into();
        if let Some(next) = column()?.take_text() {
            position["next"] = next.into();
        }
        let mut fields = [None; 4];
        for field in &mut fields {
            *field = column()?.take_whole();
        }
        let real = column()?.take_real();
        column()?;
        let mut cycles = std::collections::BTreeMap::new();
        for name in clocked {
            if let Some(count) = column()?.take_whole() {
                cycles.insert(name, u64::try_from(count)?);
            }
        }
        let diverged = column()?.take_text().unwrap_or("{}").to_owned();
        let due = column()?.take_text().unwrap_or("{}").to_owned();
        if let Some(line) = column()?.take_text() {
            return Ok(line.as_bytes().to_vec());
        }
        let decision = match (fields, real) {
            ([Some(rotation), Some(column), Some(row), Some(rows_cleared)], Some(real)) => {
                Some(Placement {
                    rotation: rotation.try_into()?,
                    column: column.try_into()?,
                    row: row.try_into()?,
                    rows_cleared: rows_cleared.try_into()?,
                    score: score(real),
                })
            }
            ([None, None, None, None], None) => None,
            _ => bail!("a decision lacks some of its fields"),
        };
        self.line(Entry {
            game,
            step,
            position: serde_json::from_value::<Position>(position)?,
            decision,
            cycles,
            due: serde_json::from_str(&due)?,
            diverged: serde_json::from_str(&diverged)?,
            seat: None,
            notes: std::collections::BTreeMap::new(),
            outcome: None,
        })
    }
}

/// As it is read from JSON.
fn score(value: f64) -> Score {
    Score((value * UNIT as f64).round() as i64)
}

/// Writes a record as a table; how many decisions.
pub fn write(lines: &mut Lines, file: Named<File>, stop: &Stop) -> anyhow::Result<u64> {
    let mut table = Table::new(lines.reader().head());
    let mut writer = TableWriter::new(file, &table.columns)?;
    let header = text(lines.reader().header())?;
    let mut decisions = 0u64;
    while let Some(entry) = lines.next(stop)? {
        table.put(&entry, lines.reader().text())?;
        decisions += 1;
        if decisions.is_multiple_of(ROWS) {
            writer.rows(&mut table.columns)?;
        }
    }
    if !decisions.is_multiple_of(ROWS) {
        writer.rows(&mut table.columns)?;
    }
    let end = lines.end().map(text).transpose()?;
    let mut texts = vec![(HEADER, header)];
    texts.extend(end.map(|end| (END, end)));
    writer.finish(&texts)?;
    Ok(decisions)
}

fn text(line: &[u8]) -> anyhow::Result<String> {
    Ok(String::from_utf8(line.to_vec())?)
}

/// Reads a table that was written of a record.
pub struct Reader {
    table: TableReader,
    path: String,
    header: String,
    head: Head<Tetris>,
}

impl Reader {
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let name = path.display().to_string();
        let failed = || format!("record {name}");
        let table = TableReader::open(path).with_context(failed)?;
        let header = table.text(HEADER).map(str::to_owned);
        let header = header.with_context(|| {
            format!("record {name}: it holds no header; only what `lockstep record convert` wrote comes back")
        })?;
        let head = Head::parse(path, header.as_bytes())?;
        table
            .check(&Table::new(&head).columns)
            .with_context(failed)?;
        Ok(Self {
            table,
            path: name,
            header,
            head,
        })
    }

    /// Writes its lines; how many decisions.
    pub fn write(&self, file: Named<File>, form: Form, stop: &Stop) -> anyhow::Result<u64> {
        let failed = || format!("record {}", self.path);
        let mut writer = Writer::new(file, form)?;
        writer.text(self.header.as_bytes())?;
        writer.write()?;
        let mut decisions = 0;
        for group in 0..self.table.groups() {
            let mut table = Table::new(&self.head);
            let rows = self
                .table
                .rows(group, &mut table.columns)
                .with_context(failed)?;
            for _ in 0..rows {
                go_on(stop)?;
                let line = table.take();
                let line =
                    line.with_context(|| format!("record {}, row {}", self.path, decisions + 1))?;
                writer.text(&line)?;
                decisions += 1;
            }
        }
        writer.write()?;
        if let Some(end) = self.table.text(END) {
            let said: Tail = serde_json::from_str(end).with_context(failed)?;
            if said.end.decisions != decisions {
                let (path, said) = (&self.path, said.end.decisions);
                bail!(
                    "record {path}: it says it holds {said} decisions, and {decisions} are there"
                );
            }
            writer.text(end.as_bytes())?;
            writer.write()?;
        }
        Ok(decisions)
    }
}
