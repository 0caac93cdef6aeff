//! Ranges of numbers on the command line.

use std::fmt;
use std::ops::RangeInclusive;

/// A range of numbers from 1 on, both ends included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span(RangeInclusive<u64>);

impl Span {
    pub fn has(&self, number: u64) -> bool {
        self.0.contains(&number)
    }

    pub fn last(&self) -> u64 {
        *self.0.end()
    }

    /// Parses `3`, `3..5`, `3..` or `..5`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || "expected a number or a range, such as 3, 2..5, 2.. or ..5".to_owned();
        let number = |text: &str, missing: u64| match text {
            "" => Ok(missing),
            text => text.parse::<u64>().map_err(|_| wrong()),
        };
        let range = match text.split_once("..") {
            None => text.parse().map(|n| n..=n).map_err(|_| wrong())?,
            Some((from, to)) => number(from, 1)?..=number(to, u64::MAX)?,
        };
        match *range.start() {
            0 => Err("games and moves count from 1".into()),
            from if from > *range.end() => Err(format!("{from} is more than {}", range.end())),
            _ => Ok(Self(range)),
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (*self.0.start(), *self.0.end()) {
            (from, u64::MAX) => write!(f, "{from}.."),
            (from, to) if from == to => write!(f, "{from}"),
            (from, to) => write!(f, "{from}..{to}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_numbers_or_ranges() {
        for (text, shown) in [
            ("3", "3"),
            ("2..5", "2..5"),
            ("2..", "2.."),
            ("..5", "1..5"),
        ] {
            let span = Span::parse(text).expect(text);
            assert_eq!(span.to_string(), shown);
        }
        let span = Span::parse("2..5").expect("a span");
        assert!(!span.has(1) && span.has(2) && span.has(5) && !span.has(6));
        assert_eq!(span.last(), 5);
        for text in [
            "", "0", "0..3", "x", "1..x", "5..2", "-1", "1...3", "1..=3", "1 .. 2",
        ] {
            assert!(Span::parse(text).is_err(), "{text}");
        }
    }
}
