//! Reads the counters of models, as Verilator writes them.
//!
//! A line is `C '` point `' ` count. A point is a list of keys and values, with a byte 1 before
//! each key and a byte 2 before each value. The counts of all instances of a module are summed.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use lockstep_games::BoxError;

/// A point of the RTL with a counter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Point {
    /// The source file, below `rtl/`.
    pub file: String,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
    /// Whether it counts how often a branch is taken, not how often lines are reached.
    pub is_branch: bool,
    /// The kind of its statement: `block`, `if`, `else`, `case`.
    pub what: String,
    /// Ranges of lines that are reached with it, first and last line each.
    pub lines: Vec<(u32, u32)>,
}

/// The counts of points.
pub type Data = BTreeMap<Point, u64>;

const HEAD: &str = "# SystemC::Coverage-3";

/// The counts of all models, summed by point.
pub fn merged(files: &[PathBuf]) -> Result<Data, BoxError> {
    let mut data = Data::new();
    for file in files {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        add(&mut data, &text).map_err(|why| format!("{}:{why}", file.display()))?;
    }
    match data.is_empty() {
        true => Err("no model has written counts: nothing was simulated".into()),
        false => Ok(data),
    }
}

/// Adds a model's counts. An error begins with the number of the malformed line.
pub fn add(data: &mut Data, text: &str) -> Result<(), String> {
    if text.lines().next() != Some(HEAD) {
        return Err(format!("1: expected {HEAD}"));
    }
    if !text.ends_with('\n') {
        return Err(format!("{}: it ends within a line", text.lines().count()));
    }
    for (line, number) in text.lines().zip(1..).skip(1) {
        let (point, count) = point(line).map_err(|why| format!("{number}: {why}"))?;
        // Modules with other parameters have separate points at the same position.
        let sum = data.entry(point).or_default();
        *sum = sum.saturating_add(count);
    }
    Ok(())
}

/// Parses a line as a point and its count.
fn point(line: &str) -> Result<(Point, u64), &'static str> {
    let rest = line.strip_prefix("C '");
    let (pairs, count) = rest
        .and_then(|rest| rest.rsplit_once("' "))
        .ok_or("it is not a point")?;
    let count = count.parse().map_err(|_| "its count is not a number")?;
    let pairs: BTreeMap<&str, &str> = pairs
        .split('\u{1}')
        .filter_map(|pair| pair.split_once('\u{2}'))
        .collect();
    let of = |key| pairs.get(key).copied();
    let number = |key| of(key).and_then(|value| value.parse().ok());
    let is_branch = match of("t") {
        Some("line") => false,
        Some("branch") => true,
        _ => return Err("it counts neither lines nor branches"),
    };
    // The path of the tree does not matter.
    let file = of("f").and_then(|file| Some(plain(file.rsplit_once("/rtl/")?.1)));
    let lines = of("S").map_or(Some(Vec::new()), ranges);
    let point = Point {
        file: file.ok_or("its file is not below rtl/")?,
        line: number("l").ok_or("it has no line")?,
        column: number("n").ok_or("it has no column")?,
        is_branch,
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

    #[test]
    fn add_sums_points_of_any_tree() {
        let elsewhere = MODEL.replace(
            "/home/user/lockstep/rtl/",
            "/home/else/rtl/trees/rtl/games/../",
        );
        let mut data = Data::new();
        for text in [MODEL, &elsewhere] {
            add(&mut data, text).expect("counts");
        }
        let counts: Vec<_> = data.iter().map(|(p, n)| (p.line, &*p.what, *n)).collect();
        assert_eq!(counts, [(3, "block", 24), (4, "if", 10), (4, "else", 0)]);
        let (block, _) = data.first_key_value().expect("a point");
        assert_eq!((&*block.file, block.is_branch), ("top/lamp.sv", false));
        assert_eq!(block.lines, [(3, 3), (5, 7)]);
    }

    #[test]
    fn add_malformed_line_is_named() {
        for (from, to, expected) in [
            ("# SystemC", "", "1: expected # SystemC"),
            ("12\n", "12", "4: it ends within a line"),
            ("C '", "D '", "2: it is not a point"),
            ("' 12", "' twelve", "4: its count is not a number"),
            ("t\u{2}branch", "t\u{2}fsm", "2: it counts neither"),
            ("/rtl/", "/tb/", "2: its file is not below rtl/"),
            ("l\u{2}4", "l\u{2}four", "2: it has no line"),
            ("3,5-7", "3,5-", "4: its lines are malformed"),
        ] {
            let text = MODEL.replacen(from, to, 1);
            let why = add(&mut Data::new(), &text).expect_err(expected);
            assert!(why.starts_with(expected), "got {why}, expected {expected}");
        }
    }
}
