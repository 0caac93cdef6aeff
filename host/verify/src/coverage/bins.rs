//! Functional bins: the kinds of requests, positions and answers of a run, counted.

use std::collections::BTreeMap;
use std::fmt::Display;

/// The number of hits of each bin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bins<B>(BTreeMap<B, u64>);

impl<B> Default for Bins<B> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<B: Copy + Ord> Bins<B> {
    /// Number of hits of a bin.
    pub fn count(&self, bin: B) -> u64 {
        self.0.get(&bin).copied().unwrap_or(0)
    }

    /// Hits a bin once.
    pub fn hit(&mut self, bin: B) {
        *self.0.entry(bin).or_default() += 1;
    }

    /// Adds the hits of another run.
    pub fn merge(&mut self, other: &Self) {
        for (bin, count) in &other.0 {
            *self.0.entry(*bin).or_default() += count;
        }
    }
}

/// All possible bins of one kind.
#[derive(Debug, Clone)]
pub struct Group<B> {
    /// Its heading in the report.
    pub name: &'static str,
    /// The bins.
    pub bins: Vec<B>,
}

impl<B> Group<B> {
    /// A group of these bins.
    pub fn new(name: &'static str, bins: impl IntoIterator<Item = B>) -> Self {
        let bins = bins.into_iter().collect();
        Self { name, bins }
    }
}

/// The result of a group.
#[derive(Debug, Clone)]
pub struct Counted {
    /// The game, and the heading of the group.
    pub name: String,
    /// Number of bins that were hit.
    pub hit: usize,
    /// Names of the bins that were not hit.
    pub empty: Vec<String>,
}

/// The results of a game's groups, and an error text for each hit of a bin in no group.
pub fn counted<B: Copy + Ord + Display>(
    game: &str,
    groups: &[Group<B>],
    bins: &Bins<B>,
) -> (Vec<Counted>, Vec<String>) {
    let group = |group: &Group<B>| {
        let empty = group.bins.iter().filter(|bin| bins.count(**bin) == 0);
        let empty: Vec<String> = empty.map(ToString::to_string).collect();
        Counted {
            name: format!("{game}: {}", group.name),
            hit: group.bins.len() - empty.len(),
            empty,
        }
    };
    let is_listed = |bin: &B| groups.iter().any(|group| group.bins.contains(bin));
    let impossible = bins.0.iter().filter(|(bin, _)| !is_listed(bin));
    let wrong =
        impossible.map(|(bin, count)| format!("{bin} was counted {count} times and is not a bin"));
    (groups.iter().map(group).collect(), wrong.collect())
}
