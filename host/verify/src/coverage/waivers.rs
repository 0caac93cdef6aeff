//! What no run can reach, with the reason: `rtl/coverage_waivers.txt`.
//!
//! A waiver whose point was reached, or that names none or several, is an error, so that none of
//! them outlives what it was true of.

use std::fmt;

use super::data::{Data, Point};

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
            point.file == waiver.file
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

#[cfg(test)]
mod tests {
    use super::*;

    const DATA: &str = include_str!("data/model.dat");
    const SOURCE: [&str; 5] = [
        "",
        "",
        "always_comb begin",
        "  if (a) b = 1;",
        "  if (a) c = 1;",
    ];

    fn rotten(list: &str) -> (usize, Vec<String>) {
        let data = Data::parse("model", DATA).expect("counts");
        let waivers = parse(list).expect("a list");
        let line_of = |file: &str, line: u32| {
            let of = (file == "top/lamp.sv").then_some(&SOURCE)?;
            of.get(line as usize - 1).copied()
        };
        let (good, rotten) = resolve(&waivers, &data, line_of);
        (good.len(), rotten.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_waiver_is_for_one_place_that_was_not_reached() {
        assert_eq!(
            rotten("# head\n\nwhy\n  top/lamp.sv: else: if (a) b\n"),
            (1, vec![])
        );
        let behind = "why\n  top/lamp.sv: else: if (a) ~> c = 1\n";
        assert_eq!(rotten(behind), (1, vec![]));
    }

    #[test]
    fn a_waiver_that_is_not_true_or_matches_nothing_is_told() {
        let told = |place: &str| {
            let (good, rotten) = rotten(&format!("it is so\n  {place}\n"));
            assert_eq!((good, rotten.len()), (0, 1), "{place}: {rotten:?}");
            rotten.concat()
        };
        let reached = told("top/lamp.sv: if: if (a) b");
        assert_eq!(
            reached,
            "coverage_waivers.txt:2: top/lamp.sv:4 (if) was reached 5 times, though it is said that it \
             cannot be: it is so"
        );
        for nothing in [
            "top/lamp.sv: else: if (z)",
            "top/lamp.sv: case: if (a) b",
            "top/other.sv: else: if (a) b",
            "top/lamp.sv: else: if (a) b ~> d = 1",
        ] {
            let told = told(nothing);
            assert!(told.contains(":2: nothing in "), "{told}");
        }
        let twice = "why\n  top/lamp.sv: else: if (a) b\n  top/lamp.sv: else: b = 1\n";
        let (good, rotten) = rotten(twice);
        assert_eq!(good, 1);
        assert_eq!(
            rotten,
            ["coverage_waivers.txt:3: top/lamp.sv:4 is named twice"]
        );
    }

    #[test]
    fn a_list_that_is_not_understood_is_told_with_its_line() {
        for (list, told) in [
            ("  a.sv: else: x\n", "1: a place before the first reason"),
            ("why\n  a.sv: else\n", "2: a place is: file"),
            (
                "why\n\nwhy else\n  a.sv: else: x\n",
                "1: a reason without a place",
            ),
            (
                "why\n  a.sv: else: x\nwhy else\n",
                "3: a reason without a place",
            ),
        ] {
            let why = parse(list).expect_err(told).to_string();
            assert!(
                why.starts_with(&format!("coverage_waivers.txt:{told}")),
                "{why}"
            );
        }
    }
}
