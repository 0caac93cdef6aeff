//! What no run can reach, with the reason: `rtl/coverage_waivers.txt`.
//!
//! A waiver whose point was reached, or that names none or several, is an error, so that none of
//! them outlives what it was true of.

use std::fmt;

use super::data::{Data, Kind, Point};

/// The list, below `rtl/`.
pub const LIST: &str = "coverage_waivers.txt";

/// Parts the text of a line from that of the line behind it.
const BEHIND: &str = " ~> ";

/// A point that cannot be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiver {
    /// Where it stands in the list.
    pub number: usize,
    /// Why it cannot be reached.
    pub reason: String,
    /// The source, below `rtl/`.
    pub file: String,
    /// What the point is: `else`, `case`.
    pub what: String,
    /// Some text of its line, which has only one such point.
    pub text: String,
    /// Some text of the line behind it, where one is not enough.
    pub behind: Option<String>,
}

/// The list is not written as it has to be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{LIST}:{line}: {why}")]
pub struct ListError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub why: &'static str,
}

/// What is wrong with a waiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rotten {
    /// Where it stands in the list.
    pub number: usize,
    /// What.
    pub why: String,
}

impl fmt::Display for Rotten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{LIST}:{}: {}", self.number, self.why)
    }
}

/// Reads the list; its head says how it is written.
///
/// # Errors
/// [`ListError`] names the line that is not understood.
pub fn parse(text: &str) -> Result<Vec<Waiver>, ListError> {
    let mut reason: Option<(usize, String)> = None;
    let mut waivers = Vec::<Waiver>::new();
    let idle = |reason: &Option<(usize, String)>, waivers: &[Waiver]| match reason {
        Some((line, _)) if waivers.last().is_none_or(|last| last.number < *line) => {
            let (line, why) = (*line, "a reason without a place it is true of");
            Err(ListError { line, why })
        }
        _ => Ok(()),
    };
    for (line, number) in text.lines().zip(1..) {
        let wrong = |why| ListError { line: number, why };
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let Some(place) = line.strip_prefix("  ") else {
            idle(&reason, &waivers)?;
            reason = Some((number, line.trim().into()));
            continue;
        };
        let (_, reason) = reason
            .as_ref()
            .ok_or_else(|| wrong("a place before the first reason"))?;
        let mut parts = place.splitn(3, ": ").map(str::trim);
        let (Some(file), Some(what), Some(text)) = (parts.next(), parts.next(), parts.next())
        else {
            return Err(wrong("a place is: file: what it is: text of its line"));
        };
        let (text, behind) = match text.split_once(BEHIND) {
            Some((text, behind)) => (text, Some(behind.into())),
            None => (text, None),
        };
        waivers.push(Waiver {
            number,
            reason: reason.clone(),
            file: file.into(),
            what: what.into(),
            text: text.into(),
            behind,
        });
    }
    idle(&reason, &waivers)?;
    Ok(waivers)
}

/// The point that each waiver is for, and what is wrong with the others. `line_of` gives a line of
/// a source.
pub fn resolve<'a>(
    waivers: &'a [Waiver],
    data: &'a Data,
    line_of: impl Fn(&str, u32) -> Option<&'a str>,
) -> (Vec<(&'a Point, &'a Waiver)>, Vec<Rotten>) {
    let (mut good, mut rotten) = (Vec::<(&Point, &Waiver)>::new(), Vec::new());
    for waiver in waivers {
        let mut bad = |why| {
            let number = waiver.number;
            rotten.push(Rotten { number, why });
        };
        let meant = |point: &Point| {
            let has = |line, text: &str| {
                line_of(&point.file, line).is_some_and(|line| line.contains(text))
            };
            let behind = waiver.behind.as_deref();
            point.kind != Kind::Toggle
                && point.file == waiver.file
                && point.what == waiver.what
                && has(point.line, &waiver.text)
                && behind.is_none_or(|text| has(point.line + 1, text))
        };
        let found: Vec<(&Point, u64)> = data.iter().filter(|(point, _)| meant(point)).collect();
        match found.as_slice() {
            [(point, 0)] if good.iter().any(|(other, _)| other == point) => {
                bad(format!("{}:{} is named twice", point.file, point.line));
            }
            [(point, 0)] => good.push((point, waiver)),
            [(point, count)] => bad(format!(
                "{}:{} ({}) was reached {count} times, though it is said that it cannot be: {}",
                point.file, point.line, point.what, waiver.reason
            )),
            [] => bad(format!(
                "nothing in {} is '{}' in a line with: {}",
                waiver.file, waiver.what, waiver.text
            )),
            several => bad(format!(
                "{} places in {} are '{}' in a line with: {}",
                several.len(),
                waiver.file,
                waiver.what,
                waiver.text
            )),
        }
    }
    (good, rotten)
}
