//! Reads `rtl/coverage_waivers.txt`, the points that no run can reach, with reasons.
//!
//! A waiver whose point was reached, or that matches no point or several, is an error, so that no
//! waiver becomes obsolete unnoticed.

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

/// A line of the list that is malformed or wrong.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{LIST}:{line}: {why}")]
pub struct ListError {
    /// The line, from 1.
    pub line: usize,
    /// The error.
    pub why: String,
}

/// Parses the list; its head describes the format.
///
/// # Errors
/// [`ListError`] names the line that is malformed.
pub fn parse(text: &str) -> Result<Vec<Waiver>, ListError> {
    let mut waivers = Vec::new();
    // The last reason, its line, and whether a place has followed.
    let mut reason = ("", 0, true);
    let lines = text.lines().zip(1..);
    let lines = lines.filter(|(line, _)| !line.trim().is_empty() && !line.starts_with('#'));
    for (line, number) in lines {
        let wrong = |line, why: &str| {
            let why = why.into();
            Err(ListError { line, why })
        };
        let Some(place) = line.strip_prefix("  ") else {
            if !reason.2 {
                return wrong(reason.1, "a reason without a place");
            }
            reason = (line.trim(), number, false);
            continue;
        };
        if reason.1 == 0 {
            return wrong(number, "a place before the first reason");
        }
        reason.2 = true;
        let parts: Vec<&str> = place.splitn(3, ": ").map(str::trim).collect();
        let [file, what, text] = parts[..] else {
            return wrong(number, "expected file: statement: text of its line");
        };
        let (text, next_line) = text.split_once(NEXT_LINE).unwrap_or((text, ""));
        waivers.push(Waiver {
            number,
            reason: reason.0.into(),
            file: file.into(),
            what: what.into(),
            text: text.into(),
            next_line: next_line.into(),
        });
    }
    match reason {
        (_, _, true) => Ok(waivers),
        (_, line, false) => Err(ListError {
            line,
            why: "a reason without a place".into(),
        }),
    }
}

/// Finds the point of each waiver; returns them and the errors of the other waivers.
///
/// `line_of` returns a line of a source.
pub fn resolve<'a>(
    waivers: &'a [Waiver],
    data: &'a Data,
    line_of: impl Fn(&str, u32) -> Option<&'a str>,
) -> (Vec<(&'a Point, &'a Waiver)>, Vec<ListError>) {
    let (mut good, mut wrong) = (Vec::<(&Point, &Waiver)>::new(), Vec::new());
    for waiver in waivers {
        let Waiver {
            file, what, text, ..
        } = waiver;
        let has = |line, text: &str| line_of(file, line).is_some_and(|line| line.contains(text));
        let is_meant = |point: &Point| {
            (&point.file, &point.what) == (file, what)
                && has(point.line, text)
                && (waiver.next_line.is_empty() || has(point.line + 1, &waiver.next_line))
        };
        let found: Vec<(&Point, u64)> = data.iter().filter(|(point, _)| is_meant(point)).collect();
        let why = match found.as_slice() {
            [(point, 0)] if good.iter().all(|(other, _)| other != point) => {
                good.push((point, waiver));
                continue;
            }
            [(point, 0)] => format!("{file}:{} is named twice", point.line),
            [(point, count)] => format!(
                "{file}:{} ({what}) was reached {count} times, though it is waived: {}",
                point.line, waiver.reason
            ),
            several => format!(
                "{} places in {file} are '{what}' in a line with: {text}",
                several.len()
            ),
        };
        let line = waiver.number;
        wrong.push(ListError { line, why });
    }
    (good, wrong)
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

    /// The number of correct waivers, and the errors of the others.
    fn resolved(list: &str) -> (usize, String) {
        let data = Data::parse("model", DATA).expect("counts");
        let waivers = parse(list).expect("a list");
        let line_of = |file: &str, line: u32| {
            let of = (file == "top/lamp.sv").then_some(&SOURCE)?;
            of.get(line as usize - 1).copied()
        };
        let (good, wrong) = resolve(&waivers, &data, line_of);
        (good.len(), wrong.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn resolve_waiver_matches_one_unreached_point() {
        let nothing = "coverage_waivers.txt:2: 0 places in top/";
        for (places, good, wrong) in [
            ("top/lamp.sv: else: if (a) b", 1, ""),
            ("top/lamp.sv: else: if (a) ~> c = 1", 1, ""),
            (
                "top/lamp.sv: if: if (a) b",
                0,
                "coverage_waivers.txt:2: top/lamp.sv:4 (if) was reached 5 times, though it is waived: why",
            ),
            ("top/lamp.sv: else: if (z)", 0, nothing),
            ("top/lamp.sv: case: if (a) b", 0, nothing),
            ("top/other.sv: else: if (a) b", 0, nothing),
            ("top/lamp.sv: else: if (a) b ~> d = 1", 0, nothing),
            (
                "top/lamp.sv: else: if (a) b\n  top/lamp.sv: else: b = 1",
                1,
                "coverage_waivers.txt:3: top/lamp.sv:4 is named twice",
            ),
        ] {
            let (found, why) = resolved(&format!("why\n  {places}\n"));
            assert_eq!(found, good, "{places}: {why}");
            assert!(why.starts_with(wrong), "{places}: {why}");
            assert_eq!(why.is_empty(), wrong.is_empty(), "{places}: {why}");
        }
    }

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
            let why = parse(list).expect_err(expected).to_string();
            let expected = format!("coverage_waivers.txt:{expected}");
            assert!(why.starts_with(&expected), "{why}");
        }
    }
}
