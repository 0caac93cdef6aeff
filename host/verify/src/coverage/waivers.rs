//! Reads `rtl/coverage_waivers.txt`, the points that no run can reach, with reasons.
//!
//! A waiver whose point was reached, or that matches no point or several, is an error, so that no
//! waiver becomes obsolete unnoticed.

use std::collections::BTreeMap;

use super::data::{Data, Point};

/// The list, below `rtl/`.
pub const LIST: &str = "coverage_waivers.txt";

/// Separates the text of a line from the text of the next line.
const NEXT_LINE: &str = " ~> ";

/// A waiver of one point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiver {
    /// Its line in the list.
    pub number: usize,
    /// The reason why the point cannot be reached.
    pub reason: String,
    /// The source file, below `rtl/`.
    pub file: String,
    /// The statement of the point: `else`, `case`.
    pub what: String,
    /// A text that occurs in the point's line.
    pub text: String,
    /// A text that occurs in the next line; empty if `text` alone determines the line.
    pub next_line: String,
}

/// Parses the list; its head describes the format.
///
/// # Errors
/// When a line is malformed; the text names it.
pub fn parse(text: &str) -> Result<Vec<Waiver>, String> {
    let mut waivers: Vec<Waiver> = Vec::new();
    // The last reason, and its line until a place follows.
    let (mut reason, mut unused) = (None, None);
    let wrong = |line: usize, why: &str| Err(format!("{LIST}:{line}: {why}"));
    let lines = text.lines().zip(1..);
    for (line, number) in lines.filter(|(line, _)| !line.trim().is_empty()) {
        if line.starts_with('#') {
            continue;
        }
        let Some(place) = line.strip_prefix("  ") else {
            if let Some(unused) = unused.replace(number) {
                return wrong(unused, "a reason without a place");
            }
            reason = Some(line.trim());
            continue;
        };
        unused = None;
        let Some(reason) = reason else {
            return wrong(number, "a place before the first reason");
        };
        let parts: Vec<&str> = place.splitn(3, ": ").map(str::trim).collect();
        let [file, what, text] = parts[..] else {
            return wrong(number, "expected file: statement: text of its line");
        };
        let (text, next_line) = text.split_once(NEXT_LINE).unwrap_or((text, ""));
        waivers.push(Waiver {
            number,
            reason: reason.into(),
            file: file.into(),
            what: what.into(),
            text: text.into(),
            next_line: next_line.into(),
        });
    }
    match unused {
        None => Ok(waivers),
        Some(line) => wrong(line, "a reason without a place"),
    }
}

/// The reasons of the waived points, and the errors of the other waivers.
///
/// `line_of` returns a line of a source.
pub fn resolve<'a>(
    waivers: &'a [Waiver],
    data: &'a Data,
    line_of: impl Fn(&str, u32) -> Option<&'a str>,
) -> (BTreeMap<&'a Point, &'a str>, Vec<String>) {
    let (mut good, mut wrong) = (BTreeMap::new(), Vec::new());
    for waiver in waivers {
        let Waiver {
            number,
            file,
            what,
            text,
            ..
        } = waiver;
        let has = |line, text: &str| line_of(file, line).is_some_and(|line| line.contains(text));
        let is_meant = |point: &Point| {
            (&point.file, &point.what) == (file, what)
                && has(point.line, text)
                && (waiver.next_line.is_empty() || has(point.line + 1, &waiver.next_line))
        };
        let found: Vec<(&Point, &u64)> = data.iter().filter(|(point, _)| is_meant(point)).collect();
        let why = match found.as_slice() {
            [(point, 0)] => match good.insert(*point, &*waiver.reason) {
                None => continue,
                Some(_) => format!("{file}:{} is named twice", point.line),
            },
            [(point, count)] => format!(
                "{file}:{} ({what}) was reached {count} times, though it is waived: {}",
                point.line, waiver.reason
            ),
            several => format!(
                "{} places in {file} are '{what}' in a line with: {text}",
                several.len()
            ),
        };
        wrong.push(format!("{LIST}:{number}: {why}"));
    }
    (good, wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_malformed_line_is_named() {
        for (list, expected) in [
            ("  a.sv: else: x\n", "1: a place before the first reason"),
            ("why\n  a.sv: else\n", "2: expected file: statement"),
            ("# a\nwhy\n\nelse\n  a.sv: else: x\n", "2: a reason without"),
            (
                "why\n  a.sv: else: x\nelse\n",
                "3: a reason without a place",
            ),
        ] {
            let why = parse(list).expect_err(expected);
            let expected = format!("{LIST}:{expected}");
            assert!(why.starts_with(&expected), "{why}");
        }
    }
}
