//! Tables in Parquet files: columns of plain types, in groups of rows.

use std::fs::File;
use std::mem::take;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::column::reader::ColumnReader;
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int32Type, Int64Type};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{Type, TypePtr};

use crate::named::Named;

/// Most rows of a group that is read: as many as other programs put into one.
const MOST_ROWS: i64 = 1 << 22;

/// What the cells of a column hold.
#[derive(Debug, Clone)]
enum Cells {
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Decimals, as JSON has them.
    Real(Vec<f64>),
    Flag(Vec<bool>),
    Text(Vec<ByteArray>),
    /// A list of numbers of 32 bits each, none of them empty.
    Lists(Vec<u32>),
}

/// A column of some rows, filled from the first to the last, then read the same way.
#[derive(Debug, Clone)]
pub struct Column {
    name: String,
    /// A cell may be empty.
    optional: bool,
    cells: Cells,
    /// Of an optional column 1 for each cell that is not empty, of one of lists for every
    /// number.
    given: Vec<i16>,
    /// Of a column of lists 0 for the first number of each.
    repeats: Vec<i16>,
    /// Rows and values read.
    row: usize,
    value: usize,
}

impl Column {
    fn new(name: &str, optional: bool, cells: Cells) -> Self {
        Self {
            name: name.into(),
            optional,
            cells,
            given: Vec::new(),
            repeats: Vec::new(),
            row: 0,
            value: 0,
        }
    }

    pub fn whole(name: &str) -> Self {
        Self::new(name, false, Cells::Whole(Vec::new()))
    }

    pub fn flag(name: &str) -> Self {
        Self::new(name, false, Cells::Flag(Vec::new()))
    }

    pub fn real(name: &str) -> Self {
        Self::new(name, false, Cells::Real(Vec::new()))
    }

    pub fn text(name: &str) -> Self {
        Self::new(name, false, Cells::Text(Vec::new()))
    }

    pub fn lists(name: &str) -> Self {
        Self::new(name, false, Cells::Lists(Vec::new()))
    }

    /// The same, and a cell may be empty.
    pub fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    fn put<T>(cells: &mut Vec<T>, given: &mut Vec<i16>, value: Option<T>) {
        given.push(i16::from(value.is_some()));
        cells.extend(value);
    }

    pub fn put_whole(&mut self, value: Option<i64>) {
        if let Cells::Whole(cells) = &mut self.cells {
            Self::put(cells, &mut self.given, value);
        }
    }

    pub fn put_real(&mut self, value: Option<f64>) {
        if let Cells::Real(cells) = &mut self.cells {
            Self::put(cells, &mut self.given, value);
        }
    }

    pub fn put_flag(&mut self, value: bool) {
        if let Cells::Flag(cells) = &mut self.cells {
            Self::put(cells, &mut self.given, Some(value));
        }
    }

    pub fn put_text(&mut self, value: Option<impl Into<Vec<u8>>>) {
        if let Cells::Text(cells) = &mut self.cells {
            let value = value.map(|text| ByteArray::from(text.into()));
            Self::put(cells, &mut self.given, value);
        }
    }

    pub fn put_list(&mut self, values: impl Iterator<Item = u32>) {
        if let Cells::Lists(cells) = &mut self.cells {
            for (index, value) in values.enumerate() {
                cells.push(value);
                self.given.push(1);
                self.repeats.push(i16::from(index > 0));
            }
        }
    }

    /// Whether the next row has a value, and its place.
    fn advance(&mut self) -> Option<usize> {
        let given = !self.optional || self.given.get(self.row) == Some(&1);
        self.row += 1;
        self.value += usize::from(given);
        given.then(|| self.value - 1)
    }

    pub fn take_whole(&mut self) -> Option<i64> {
        let at = self.advance()?;
        match &self.cells {
            Cells::Whole(cells) => cells.get(at).copied(),
            _ => None,
        }
    }

    pub fn take_real(&mut self) -> Option<f64> {
        let at = self.advance()?;
        match &self.cells {
            Cells::Real(cells) => cells.get(at).copied(),
            _ => None,
        }
    }

    pub fn take_text(&mut self) -> Option<&str> {
        let at = self.advance()?;
        match &self.cells {
            Cells::Text(cells) => cells.get(at)?.as_utf8().ok(),
            _ => None,
        }
    }

    pub fn take_list(&mut self) -> Vec<u32> {
        let from = self.value;
        let Cells::Lists(cells) = &self.cells else {
            return Vec::new();
        };
        let rest = self.repeats.get(from + 1..).unwrap_or_default();
        let more = rest.iter().take_while(|repeat| **repeat > 0).count();
        self.value = (from + 1 + more).min(cells.len());
        cells[from.min(cells.len())..self.value].to_vec()
    }

    fn schema(&self) -> ParquetResult<TypePtr> {
        let repetition = match self.optional {
            true => Repetition::OPTIONAL,
            false => Repetition::REQUIRED,
        };
        let (physical, logical) = match self.cells {
            Cells::Whole(_) => (Physical::INT64, None),
            Cells::Real(_) => (Physical::DOUBLE, None),
            Cells::Flag(_) => (Physical::BOOLEAN, None),
            Cells::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Cells::Lists(_) => return list(&self.name),
        };
        let column = Type::primitive_type_builder(&self.name, physical)
            .with_repetition(repetition)
            .with_logical_type(logical);
        Ok(Arc::new(column.build()?))
    }

    /// Reads its cells of a group of so many rows.
    fn read(&mut self, from: ColumnReader, rows: usize) -> anyhow::Result<()> {
        let (given, repeats) = (&mut self.given, &mut self.repeats);
        macro_rules! all {
            ($reader:expr, $cells:expr) => {
                all(rows, |left| {
                    Ok($reader
                        .read_records(left, Some(given), Some(repeats), $cells)?
                        .0)
                })
            };
        }
        let read = match (&mut self.cells, from) {
            (Cells::Whole(cells), ColumnReader::Int64ColumnReader(mut from)) => all!(from, cells),
            (Cells::Real(cells), ColumnReader::DoubleColumnReader(mut from)) => all!(from, cells),
            (Cells::Flag(cells), ColumnReader::BoolColumnReader(mut from)) => all!(from, cells),
            (Cells::Text(cells), ColumnReader::ByteArrayColumnReader(mut from)) => {
                all!(from, cells)
            }
            (Cells::Lists(cells), ColumnReader::Int32ColumnReader(mut from)) => {
                let mut signed = Vec::new();
                let read = all!(from, &mut signed);
                cells.extend(signed.into_iter().map(i32::cast_unsigned));
                read
            }
            _ => bail!("column {} is of another type", self.name),
        };
        read.with_context(|| format!("column {}", self.name))
    }
}

/// A list of numbers, as Parquet defines lists.
fn list(name: &str) -> ParquetResult<TypePtr> {
    let number = Type::primitive_type_builder("element", Physical::INT32)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::integer(32, false)));
    let repeated = Type::group_type_builder("list")
        .with_repetition(Repetition::REPEATED)
        .with_fields(vec![Arc::new(number.build()?)]);
    let list = Type::group_type_builder(name)
        .with_repetition(Repetition::REQUIRED)
        .with_logical_type(Some(LogicalType::List))
        .with_fields(vec![Arc::new(repeated.build()?)]);
    Ok(Arc::new(list.build()?))
}

/// Reads until so many rows have come.
fn all(rows: usize, mut read: impl FnMut(usize) -> ParquetResult<usize>) -> anyhow::Result<()> {
    let mut left = rows;
    while left > 0 {
        let came = read(left)?;
        if came == 0 {
            bail!("{left} of {rows} rows are missing");
        }
        left = left.saturating_sub(came);
    }
    Ok(())
}

fn schema(columns: &[Column]) -> ParquetResult<TypePtr> {
    let fields: Result<_, _> = columns.iter().map(Column::schema).collect();
    let record = Type::group_type_builder("record").with_fields(fields?);
    Ok(Arc::new(record.build()?))
}

/// Writes a table.
pub struct TableWriter {
    writer: SerializedFileWriter<Named<File>>,
    empty: Vec<Column>,
}

impl TableWriter {
    /// Begins a file of a table with such columns, which are empty.
    pub fn new(file: Named<File>, columns: &[Column]) -> anyhow::Result<Self> {
        let properties = WriterProperties::builder()
            .set_created_by(concat!("lockstep ", env!("CARGO_PKG_VERSION")).into())
            .set_compression(Compression::ZSTD(ZstdLevel::default()));
        let schema = schema(columns)?;
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties.build()))?;
        Ok(Self {
            writer,
            empty: columns.to_vec(),
        })
    }

    /// Writes some rows; the columns are empty afterwards.
    pub fn rows(&mut self, columns: &mut Vec<Column>) -> anyhow::Result<()> {
        let mut group = self.writer.next_row_group()?;
        for column in take(columns) {
            let Some(mut to) = group.next_column()? else {
                bail!("there is no column {}", column.name);
            };
            let given = column.optional.then_some(&column.given[..]);
            match &column.cells {
                Cells::Whole(cells) => to.typed::<Int64Type>().write_batch(cells, given, None),
                Cells::Real(cells) => to.typed::<DoubleType>().write_batch(cells, given, None),
                Cells::Flag(cells) => to.typed::<BoolType>().write_batch(cells, given, None),
                Cells::Text(cells) => to.typed::<ByteArrayType>().write_batch(cells, given, None),
                Cells::Lists(cells) => {
                    let (given, repeats) = (Some(&column.given[..]), Some(&column.repeats[..]));
                    let signed: Vec<i32> = cells.iter().map(|n| n.cast_signed()).collect();
                    to.typed::<Int32Type>().write_batch(&signed, given, repeats)
                }
            }?;
            to.close()?;
        }
        group.close()?;
        columns.clone_from(&self.empty);
        Ok(())
    }

    /// Ends the file, with some texts by their names.
    pub fn finish(mut self, texts: &[(&str, String)]) -> anyhow::Result<()> {
        for (name, text) in texts {
            let text = KeyValue::new((*name).to_owned(), text.clone());
            self.writer.append_key_value_metadata(text);
        }
        self.writer.close()?;
        Ok(())
    }
}

/// An error of the file itself where the library's says nothing else.
pub fn of_file(error: anyhow::Error) -> anyhow::Error {
    match error.downcast() {
        Ok(ParquetError::External(own)) => anyhow::Error::from_boxed(own),
        Ok(other) => other.into(),
        Err(other) => other,
    }
}

/// Reads a table.
pub struct TableReader {
    reader: SerializedFileReader<File>,
}

impl TableReader {
    pub fn open(path: &Path) -> anyhow::Result<Self> {
        let file = File::open(path)?;
        let reader = guarded(|| Ok(SerializedFileReader::new(file)?))?;
        Ok(Self { reader })
    }

    /// The text of that name.
    pub fn text(&self, name: &str) -> Option<&str> {
        let texts = self
            .reader
            .metadata()
            .file_metadata()
            .key_value_metadata()?;
        texts.iter().find(|text| text.key == name)?.value.as_deref()
    }

    /// Fails unless the table has these columns and no others.
    pub fn check(&self, columns: &[Column]) -> anyhow::Result<()> {
        let found = self.reader.metadata().file_metadata().schema_descr();
        let expected = schema(columns)?;
        for (index, expected) in expected.get_fields().iter().enumerate() {
            let found = found.root_schema().get_fields().get(index);
            if found.is_none_or(|found| found != expected) {
                let name = expected.name();
                bail!("it has no column {name} as `lockstep record convert` writes it");
            }
        }
        Ok(())
    }

    /// Groups of rows.
    pub fn groups(&self) -> usize {
        self.reader.num_row_groups()
    }

    /// Reads a group into columns like these; how many rows it has.
    pub fn rows(&self, group: usize, columns: &mut [Column]) -> anyhow::Result<usize> {
        guarded(|| self.read(group, columns))
    }

    fn read(&self, group: usize, columns: &mut [Column]) -> anyhow::Result<usize> {
        let group = self.reader.get_row_group(group)?;
        let rows = group.metadata().num_rows();
        if !(0..=MOST_ROWS).contains(&rows) {
            bail!("a group of {rows} rows; {MOST_ROWS} are the most");
        }
        let rows = usize::try_from(rows)?;
        for (index, column) in columns.iter_mut().enumerate() {
            column.read(group.get_column_reader(index)?, rows)?;
        }
        Ok(rows)
    }
}

/// Does something in the course of which the library panics where it meets some kinds of damage.
fn guarded<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    // What it has begun is not used any more.
    let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    std::panic::set_hook(hook);
    done.unwrap_or_else(|_| bail!("it is damaged"))
}
