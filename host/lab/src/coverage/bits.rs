//! Bits that changed, and those that never did.

use std::collections::BTreeMap;

use super::data::{Kind, Point};
use super::report::Figure;

/// A signal some bits of which never changed both ways.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Still {
    /// Its name, with the indices that those bits share.
    pub name: String,
    /// Those bits, `31:24 7`; empty where it is a single one.
    pub bits: String,
}

/// Bits that changed both ways, and the signals with others.
pub(super) fn toggles<'a>(points: impl Iterator<Item = (&'a Point, u64)>) -> (Figure, Vec<Still>) {
    // By signal and, in it, by bit: whether it changed each way.
    let mut signals = BTreeMap::<(u32, String), BTreeMap<u32, bool>>::new();
    for (point, count) in points.filter(|(point, _)| point.kind == Kind::Toggle) {
        let bit = point.what.rsplit_once(':').map_or("", |(bit, _)| bit);
        let (name, index) = match bit.strip_suffix(']').and_then(|bit| bit.rsplit_once('[')) {
            Some((name, index)) => (name, index.parse().ok()),
            None => (bit, None),
        };
        // A single bit has no index.
        let (name, index) = match index {
            Some(index) => (name, index),
            None => (bit, u32::MAX),
        };
        let bits = signals.entry((point.line, name.into())).or_default();
        *bits.entry(index).or_insert(true) &= count > 0;
    }
    let (mut figure, mut still) = (Figure::default(), Vec::new());
    for ((_, name), bits) in signals {
        for changed in bits.values() {
            figure.count(*changed, false);
        }
        let idle: Vec<u32> = bits.iter().filter(|(_, c)| !**c).map(|(b, _)| *b).collect();
        if !idle.is_empty() {
            let whole = idle.len() == bits.len();
            let bits = if whole { String::new() } else { compact(&idle) };
            still.push(Still { name, bits });
        }
    }
    (figure, still)
}

/// Numbers as ranges, the highest first: `31:24 7`.
fn compact(numbers: &[u32]) -> String {
    let mut ranges = Vec::<(u32, u32)>::new();
    for number in numbers {
        match ranges.last_mut() {
            Some((_, to)) if *to + 1 == *number => *to = *number,
            _ => ranges.push((*number, *number)),
        }
    }
    let text = |(from, to): (u32, u32)| match from == to {
        true => from.to_string(),
        false => format!("{to}:{from}"),
    };
    let texts: Vec<String> = ranges.into_iter().rev().map(text).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_told_as_ranges() {
        assert_eq!(compact(&[0, 1, 2, 5, 7, 8]), "8:7 5 2:0");
        assert_eq!(compact(&[3]), "3");
    }
}
