//! Functional bins: the kinds of requests, positions and answers of a run, counted.

use std::collections::BTreeMap;
use std::fmt::Display;

/// The number of hits of each bin, by the name of its group and its label.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bins(BTreeMap<(&'static str, String), u64>);

impl Bins {
    /// Number of hits of a bin.
    pub fn count(&self, group: &'static str, label: &str) -> u64 {
        let bin = (group, label.to_owned());
        self.0.get(&bin).copied().unwrap_or(0)
    }

    /// Hits a bin once.
    pub fn hit(&mut self, group: &'static str, label: impl Display) {
        *self.0.entry((group, label.to_string())).or_default() += 1;
    }

    /// Adds the hits of another run.
    pub fn merge(&mut self, other: Self) {
        for (bin, count) in other.0 {
            *self.0.entry(bin).or_default() += count;
        }
    }
}

/// All possible bins of one kind.
#[derive(Debug, Clone)]
pub struct Group {
    /// Its heading in the report.
    pub name: &'static str,
    /// The labels of its bins.
    pub labels: Vec<String>,
}

impl Group {
    /// A group of bins with these labels.
    pub fn new(name: &'static str, labels: impl IntoIterator<Item: Display>) -> Self {
        let labels = labels.into_iter().map(|label| label.to_string()).collect();
        Self { name, labels }
    }
}

/// The result of a group.
#[derive(Debug, Clone)]
pub struct Counted {
    /// The game, and the heading of the group.
    pub name: String,
    /// Number of bins that were hit.
    pub hit: usize,
    /// Labels of the bins that were not hit.
    pub empty: Vec<String>,
}

/// The results of a game's groups, and an error text for each hit of a bin in no group.
pub fn counted(game: &str, groups: &[Group], bins: &Bins) -> (Vec<Counted>, Vec<String>) {
    let mut others = bins.clone();
    let group = |group: &Group| {
        let is_hit = |label: &String| others.0.remove(&(group.name, label.clone())).is_some();
        let (hit, empty): (Vec<String>, _) = group.labels.iter().cloned().partition(is_hit);
        Counted {
            name: format!("{game}: {}", group.name),
            hit: hit.len(),
            empty,
        }
    };
    let counted = groups.iter().map(group).collect();
    let wrong = others.0.iter().map(|((group, label), count)| {
        format!("{label} was counted {count} times and is not a bin ({game}: {group})")
    });
    (counted, wrong.collect())
}
