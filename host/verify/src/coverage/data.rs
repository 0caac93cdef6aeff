//! Reads the counters of models, as Verilator writes them.
//!
//! A line is `C '` point `' ` count. A point is a list of keys and values, with a byte 1 before
//! each key and a byte 2 before each value. The counts of all instances of a module are summed.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The kind of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Counts how often some lines are reached.
    Line,
    /// Counts how often a branch of a condition is taken.
    Branch,
}

/// A point of the RTL with a counter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// The source file, below `rtl/`.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// The kind of a point.
    pub kind: Kind,
    /// The kind of its statement: `block`, `if`, `else`, `case`.
    pub what: String,
    /// Ranges of lines that are reached with it, first and last line each.
    pub lines: Vec<(u32, u32)>,
}

/// The counts of points.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Data(BTreeMap<Point, u64>);

/// Why counts cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// A file cannot be read.
    #[error("{}: {why}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The system's error.
        why: io::Error,
    },
    /// A line is malformed.
    #[error("{name}:{line}: {why}")]
    Line {
        /// Name of the file.
        name: String,
        /// The line, from 1.
        line: usize,
        /// The error.
        why: &'static str,
    },
    /// There are no counts.
    #[error("no model has written counts: nothing was simulated")]
    Nothing,
}

const HEAD: &str = "# SystemC::Coverage-3";

impl Data {
    /// The counts of all models, summed by point.
    pub fn merged(files: &[PathBuf]) -> Result<Self, DataError> {
        let mut all = Self::default();
        for file in files {
            all.merge(Self::read(file)?);
        }
        match all.0.is_empty() {
            true => Err(DataError::Nothing),
            false => Ok(all),
        }
    }

    fn read(file: &Path) -> Result<Self, DataError> {
        let text = fs::read_to_string(file).map_err(|why| DataError::Read {
            file: file.into(),
            why,
        })?;
        Self::parse(&file.display().to_string(), &text)
    }

    /// Parses a model's counts; `name` is their name in errors.
    pub fn parse(name: &str, text: &str) -> Result<Self, DataError> {
        let wrong = |line, why| DataError::Line {
            name: name.into(),
            line,
            why,
        };
        if text.lines().next() != Some(HEAD) {
            return Err(wrong(1, "expected # SystemC::Coverage-3"));
        }
        if !text.ends_with('\n') {
            return Err(wrong(text.lines().count(), "it ends within a line"));
        }
        let mut data = Self::default();
        for (line, number) in text.lines().zip(1..).skip(1) {
            let (point, count) = point(line).map_err(|why| wrong(number, why))?;
            // Modules with other parameters have separate points at the same position.
            let sum = data.0.entry(point).or_default();
            *sum = sum.saturating_add(count);
        }
        Ok(data)
    }

    /// Adds another model's counts.
    pub fn merge(&mut self, other: Self) {
        for (point, count) in other.0 {
            let sum = self.0.entry(point).or_default();
            *sum = sum.saturating_add(count);
        }
    }

    /// All points and their counts.
    pub fn iter(&self) -> impl Iterator<Item = (&Point, u64)> {
        self.0.iter().map(|(point, count)| (point, *count))
    }
}

/// Parses a line as a point and its count.
fn point(line: &str) -> Result<(Point, u64), &'static str> {
    let rest = line.strip_prefix("C '");
    let (pairs, count) = rest
        .and_then(|rest| rest.rsplit_once("' "))
        .ok_or("it is no point")?;
    let count = count.parse().map_err(|_| "its count is no number")?;
    let pairs: BTreeMap<&str, &str> = pairs
        .split('\u{1}')
        .filter_map(|pair| pair.split_once('\u{2}'))
        .collect();
    let of = |key| pairs.get(key).copied();
    let number = |key| of(key).and_then(|value| value.parse().ok());
    let kind = match of("t") {
        Some("line") => Kind::Line,
        Some("branch") => Kind::Branch,
        _ => return Err("it counts neither lines nor branches"),
    };
    // The path of the tree does not matter.
    let file = of("f").and_then(|file| Some(plain(file.rsplit_once("/rtl/")?.1)));
    let lines = of("S").map_or(Some(Vec::new()), ranges);
    let point = Point {
        file: file.ok_or("its file is not below rtl/")?,
        line: number("l").ok_or("it has no line")?,
        column: number("n").ok_or("it has no column")?,
        kind,
        what: of("o").unwrap_or_default().into(),
        lines: lines.ok_or("its lines are malformed")?,
    };
    Ok((point, count))
}

/// A path without `..`, which file lists contain.
fn plain(path: &str) -> String {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Parses ranges of lines such as `71,73-75`.
fn ranges(text: &str) -> Option<Vec<(u32, u32)>> {
    let range = |part: &str| {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        Some((from.parse().ok()?, to.parse().ok()?))
    };
    text.split(',').map(range).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Verilator's output for two branches and a block.
    const MODEL: &str = include_str!("data/model.dat");

    fn counts(data: &Data) -> Vec<(u32, String, u64)> {
        let points = data.iter();
        let counts = points.map(|(point, count)| (point.line, point.what.clone(), count));
        counts.collect()
    }

    fn other(from: &str, to: &str) -> String {
        assert!(MODEL.contains(from), "{from}");
        MODEL.replacen(from, to, 1)
    }

    #[test]
    fn data_parse_reads_points_of_any_tree() {
        let data = Data::parse("model", MODEL).expect("counts");
        let all = [(3, "block", 12), (4, "if", 5), (4, "else", 0)];
        let all = all.map(|(line, what, count)| (line, what.to_owned(), count));
        assert_eq!(counts(&data), all);
        let (block, _) = data.iter().next().expect("a point");
        assert_eq!(
            (block.file.as_str(), block.kind),
            ("top/lamp.sv", Kind::Line)
        );
        assert_eq!(block.lines, [(3, 3), (5, 7)]);
        let elsewhere = MODEL.replace(
            "/home/user/lockstep/rtl/",
            "/home/else/rtl/trees/rtl/games/../",
        );
        assert_eq!(Data::parse("model", &elsewhere).expect("counts"), data);
    }

    #[test]
    fn data_merged_sums_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let files: Vec<PathBuf> = (0..3)
            .map(|number| {
                let file = folder.path().join(format!("model-{number}.dat"));
                // Another model takes the other branch.
                let text = match number {
                    1 => other("main.u_lamp' 0\n", "main.u_lamp' 7\n"),
                    _ => MODEL.into(),
                };
                fs::write(&file, text).expect("written");
                file
            })
            .collect();
        let data = Data::merged(&files).expect("counts");
        let sums: Vec<u64> = data.iter().map(|(_, count)| count).collect();
        assert_eq!(sums, [36, 15, 7]);
        assert!(matches!(Data::merged(&[]), Err(DataError::Nothing)));
    }

    #[test]
    fn data_parse_malformed_line_is_named() {
        for (text, expected) in [
            (String::new(), "x:1: expected # SystemC"),
            (MODEL.trim_end().into(), "x:4: it ends within a line"),
            (other("C '", "D '"), "x:2: it is no point"),
            (other("' 12", "' twelve"), "x:4: its count is no number"),
            (other("' 12", ""), "x:4: it is no point"),
            (other("t\u{2}branch", "t\u{2}fsm"), "x:2: it counts neither"),
            (other("/rtl/", "/tb/"), "x:2: its file is not below rtl/"),
            (other("l\u{2}4", "l\u{2}four"), "x:2: it has no line"),
            (other("3,5-7", "3,5-"), "x:4: its lines are malformed"),
        ] {
            let why = Data::parse("x", &text).expect_err(expected).to_string();
            assert!(why.starts_with(expected), "got {why}, expected {expected}");
        }
    }
}
