//! How often each pair of backends agrees, as text.

use std::io::{self, Write};

use indicatif::HumanCount;
use lockstep::report::Tally;
use lockstep::report::tally::{Agreement, Pair};
use lockstep_games::Game;

use super::failure::shown;
use super::{BAD, table};

/// Longest line, in columns.
const WIDTH: usize = 80;

/// Writes how often each pair of backends agrees.
///
/// For pairs that differ, it also writes fields and classes of positions. Pairs that agree are only
/// listed: the summary has their number.
pub fn agreement<G: Game>(out: &mut dyn Write, tally: &Tally<G>) -> io::Result<()> {
    let pairs = tally.pairs.iter().filter(|pair| pair.all.compared > 0);
    let pairs: Vec<_> = pairs.collect();
    if pairs.iter().all(|pair| pair.all.diverged() == 0) && tally.diverged() == 0 {
        if pairs.len() > 1 {
            let names: Vec<_> = tally
                .parties
                .iter()
                .map(|party| shown(&party.name))
                .collect();
            let pairs = pairs.len();
            let label = format!("all {pairs} pairs agree:");
            writeln!(out, "{}", wrapped(&label, &names))?;
        }
        return Ok(());
    }
    let rows = pairs.iter().map(|pair| {
        let all = &pair.all;
        let counts = [all.compared, all.agreed, all.diverged()];
        let [compared, agreed, diverged] = counts.map(|n| HumanCount(n).to_string());
        [name(pair), compared, agreed, diverged]
    });
    let header = ["pair", "compared", "agreed", "diverged"];
    write!(out, "{}", table::plain(header, rows, 1..))?;
    // Pairs with the same differences are one group: a wrong backend differs from all others.
    let mut groups: Vec<(&Pair, Vec<String>)> = Vec::new();
    for pair in pairs.iter().filter(|pair| pair.all.diverged() > 0) {
        let alike = |(other, _): &&mut (&Pair, _)| {
            (&other.all, &other.classes) == (&pair.all, &pair.classes)
        };
        match groups.iter_mut().find(alike) {
            Some((_, names)) => names.push(name(pair)),
            None => groups.push((pair, vec![name(pair)])),
        }
    }
    for (pair, names) in groups {
        for (index, name) in names.iter().enumerate() {
            let more = if index + 1 < names.len() { "," } else { ":" };
            writeln!(out, "{BAD}{name}{BAD:#}{more}")?;
        }
        let fields = by_count(pair.all.fields.iter().map(|(name, n)| (*name, *n)));
        let fields = fields.iter().map(|(name, n)| format!("{name} {n}"));
        let diverged = |agreement: &Agreement| agreement.diverged();
        let classes = pair.classes.iter().filter(|(_, a)| diverged(a) > 0);
        let classes = by_count(classes.map(|(name, a)| (*name, diverged(a))));
        let classes = classes.iter().map(|(name, n)| {
            let compared = pair.classes.get(name).map_or(0, |a| a.compared);
            format!("{name} {n} of {compared}")
        });
        let class = format!("  by {} ", tally.class);
        let (fields, classes) = (fields.collect::<Vec<_>>(), classes.collect::<Vec<_>>());
        for (label, items) in [("  by field ", fields), (class.as_str(), classes)] {
            writeln!(out, "{}", wrapped(label, &items))?;
        }
    }
    Ok(())
}

fn name(pair: &Pair) -> String {
    shown(format!("{} – {}", pair.first, pair.second))
}

/// Sorted by count, the largest first.
fn by_count(named: impl Iterator<Item = (&'static str, u64)>) -> Vec<(&'static str, u64)> {
    let mut named: Vec<_> = named.collect();
    named.sort_by_key(|(name, count)| (std::cmp::Reverse(*count), *name));
    named
}

/// A label and its items, separated by commas, wrapped to lines of at most [`WIDTH`] columns.
fn wrapped<T: AsRef<str>>(label: &str, items: &[T]) -> String {
    let margin = label.chars().count();
    let (mut text, mut column) = (label.to_owned(), margin);
    for (index, item) in items.iter().enumerate() {
        let comma = if index + 1 < items.len() { "," } else { "" };
        let item = format!(" {}{comma}", item.as_ref());
        let width = item.chars().count();
        if index > 0 && column + width > WIDTH {
            text += &format!("\n{:margin$}", "");
            column = margin;
        }
        text += &item;
        column += width;
    }
    text
}
