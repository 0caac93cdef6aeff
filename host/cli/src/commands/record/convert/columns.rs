//! Records as tables: a row a decision.
//!
//! Columns are typed as whoever analyses them wants them. A row stands for the line that
//! lockstep would write of it; where a record holds another one, of somebody's own hand, the
//! row has that as well.

use std::fs::File;
use std::marker::PhantomData;
use std::path::Path;

use anyhow::{Context as _, bail};
use lockstep::Stop;
use lockstep::record::{Entry, Form, Head, Tail, Writer};
use serde_json::json;

use super::super::go_on;
use super::parquet::{Column, TableReader, TableWriter};
use super::text::Lines;
use crate::games::CliGame;
use crate::named::Named;

/// Rows of a group.
const ROWS: u64 = 1 << 16;

/// Columns before the game's own: the numbers of game and move.
const FIRST: usize = 2;

/// Names of the texts beside the table.
const HEADER: &str = "lockstep.header";
const END: &str = "lockstep.end";

/// A table under way, row by row.
struct Table<G> {
    version: u32,
    /// Those that may have clock cycles.
    clocked: Vec<String>,
    columns: Vec<Column>,
    /// How many of them are the game's.
    own: usize,
    game: PhantomData<G>,
}

impl<G: CliGame> Table<G> {
    fn new(head: &Head<G>) -> Self {
        let clocked = head.backends.iter().filter(|b| b.build_id.is_some());
        let clocked: Vec<_> = clocked.map(|b| b.name.clone()).collect();
        let mut columns = vec![Column::whole("game"), Column::whole("move")];
        columns.extend(G::columns());
        let own = columns.len() - FIRST;
        columns.push(Column::flag("agreed"));
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
            own,
            game: PhantomData,
        }
    }

    /// The line that lockstep writes of an entry.
    fn line(&self, mut entry: Entry<G>) -> anyhow::Result<Vec<u8>> {
        if self.version == 1 {
            entry.game -= 1;
            entry.step -= 1;
        }
        Ok(serde_json::to_vec(&entry)?)
    }

    /// Adds a row; `line`: as it is recorded.
    fn put(&mut self, entry: &Entry<G>, line: &[u8]) -> anyhow::Result<()> {
        let same = self.line(entry.clone())? == line;
        let clocked = entry.cycles.keys().all(|name| self.clocked.contains(name));
        let alone = entry.seat.is_none() && entry.notes.is_empty() && entry.outcome.is_none();
        let known = clocked && alone;
        let (first, rest) = self.columns.split_at_mut(FIRST);
        for (column, number) in first.iter_mut().zip([entry.game, entry.step]) {
            column.put_whole(i64::try_from(number).ok());
        }
        let (own, rest) = rest.split_at_mut(self.own);
        let held = G::put(&entry.position, &entry.decision, own)?;
        let mut rest = rest.iter_mut();
        if let Some(column) = rest.next() {
            column.put_flag(entry.agreed());
        }
        for (name, column) in self.clocked.iter().zip(&mut rest) {
            column.put_whole(entry.cycles.get(name).map(|&cycles| cycles as i64));
        }
        let diverged = (!entry.diverged.is_empty()).then(|| json!(entry.diverged));
        let due = (!entry.due.is_empty()).then(|| json!(entry.due));
        for (value, column) in [diverged, due].into_iter().zip(&mut rest) {
            column.put_text(value.map(|value| value.to_string()));
        }
        if let Some(column) = rest.next() {
            // Where the other columns do not say all of it.
            column.put_text((!(same && known && held)).then(|| line.to_vec()));
        }
        Ok(())
    }

    /// The line of the next row.
    fn take(&mut self) -> anyhow::Result<Vec<u8>> {
        let (first, rest) = self.columns.split_at_mut(FIRST);
        let mut numbers = first.iter_mut().map(Column::take_whole);
        let mut number = |what: &str| {
            let number = numbers.next().flatten();
            number.with_context(|| format!("there is no {what}"))
        };
        let game = u64::try_from(number("game")?)?;
        let step = u64::try_from(number("move")?)?;
        let (own, rest) = rest.split_at_mut(self.own);
        let taken = G::take(own);
        let mut columns = rest.iter_mut();
        let mut column = || columns.next().context("columns are missing");
        column()?;
        let mut cycles = std::collections::BTreeMap::new();
        for name in &self.clocked {
            if let Some(count) = column()?.take_whole() {
                cycles.insert(name.clone(), count.try_into()?);
            }
        }
        let diverged = column()?.take_text().unwrap_or("{}").to_owned();
        let due = column()?.take_text().unwrap_or("{}").to_owned();
        if let Some(line) = column()?.take_text() {
            return Ok(line.as_bytes().to_vec());
        }
        let (position, decision) = taken?;
        self.line(Entry {
            game,
            step,
            position,
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

/// Writes a record as a table; how many decisions.
pub fn write<G: CliGame>(
    lines: &mut Lines<G>,
    file: Named<File>,
    stop: &Stop,
) -> anyhow::Result<u64> {
    let mut table = Table::<G>::new(lines.reader().head());
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

/// The header of the record that a table was written of; `None` where a file is no such table.
pub fn header(path: &Path) -> Option<String> {
    let table = TableReader::open(path).ok()?;
    table.text(HEADER).map(str::to_owned)
}

/// Reads a table that was written of a record.
pub struct Reader<G: CliGame> {
    table: TableReader,
    path: String,
    header: String,
    head: Head<G>,
}

impl<G: CliGame> Reader<G> {
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
            .check(&Table::<G>::new(&head).columns)
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
            let mut table = Table::<G>::new(&self.head);
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
