//! Functional bins: what a run has asked of a core and what came back, counted.

use std::collections::BTreeMap;
use std::fmt::Display;

/// How often each bin was hit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bins<B>(BTreeMap<B, u64>);

impl<B> Default for Bins<B> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<B: Copy + Ord> Bins<B> {
    /// Hits of a bin.
    pub fn count(&self, bin: B) -> u64 {
        self.0.get(&bin).copied().unwrap_or(0)
    }

    /// Hits a bin once.
    pub fn hit(&mut self, bin: B) {
        self.add(bin, 1);
    }

    fn add(&mut self, bin: B, times: u64) {
        let count = self.0.entry(bin).or_default();
        *count = count.saturating_add(times);
    }

    /// The bins that were hit, with their hits.
    pub fn iter(&self) -> impl Iterator<Item = (B, u64)> {
        self.0.iter().map(|(bin, count)| (*bin, *count))
    }

    /// Adds the hits of another run.
    pub fn merge(&mut self, other: &Self) {
        for (bin, count) in other.iter() {
            self.add(bin, count);
        }
    }
}

/// Bins that belong together.
#[derive(Debug, Clone)]
pub struct Group<B> {
    /// What is counted.
    pub name: &'static str,
    /// All bins.
    pub bins: Vec<Possible<B>>,
}

impl<B> Group<B> {
    /// A group of bins that can all be filled.
    pub fn of(name: &'static str, bins: impl IntoIterator<Item = B>) -> Self {
        let bins = bins.into_iter().map(|bin| Possible {
            bin,
            impossible: None,
        });
        Self {
            name,
            bins: bins.collect(),
        }
    }
}

/// A bin, and why nothing can be in it.
#[derive(Debug, Clone)]
pub struct Possible<B> {
    /// The bin.
    pub bin: B,
    /// `None`: it can be filled.
    pub impossible: Option<String>,
}

/// A group as it was counted, in words.
#[derive(Debug, Clone)]
pub struct Counted {
    /// The game, and what is counted.
    pub name: String,
    /// Its bins: name, hits, and why it cannot be filled.
    pub bins: Vec<(String, u64, Option<String>)>,
}

/// The groups of a game as they were counted.
pub fn counted<B: Copy + Ord + Display>(
    game: &str,
    groups: &[Group<B>],
    bins: &Bins<B>,
) -> Vec<Counted> {
    let one = |p: &Possible<B>| {
        let name = p.bin.to_string();
        (name, bins.count(p.bin), p.impossible.clone())
    };
    let group = |group: &Group<B>| Counted {
        name: format!("{game}: {}", group.name),
        bins: group.bins.iter().map(one).collect(),
    };
    groups.iter().map(group).collect()
}

/// What is wrong with the hits, in words: an impossible bin was hit, or one of no group.
pub fn contradictions<B: Copy + Ord + Display>(groups: &[Group<B>], bins: &Bins<B>) -> Vec<String> {
    let all = || groups.iter().flat_map(|group| &group.bins);
    let wrong = |(bin, count): (B, u64)| {
        let Some(possible) = all().find(|possible| possible.bin == bin) else {
            return Some(format!("{bin} was counted {count} times and is no bin"));
        };
        let reason = possible.impossible.as_ref()?;
        Some(format!(
            "{bin} is said to be impossible ({reason}) and was counted {count} times"
        ))
    };
    bins.iter().filter_map(wrong).collect()
}

/// The bins that could be filled and are not, each with its group.
pub fn empty<B: Copy + Ord>(groups: &[Group<B>], bins: &Bins<B>) -> Vec<(&'static str, B)> {
    let all = groups
        .iter()
        .flat_map(|group| group.bins.iter().map(|p| (group.name, p)));
    let open = all.filter(|(_, p)| p.impossible.is_none() && bins.count(p.bin) == 0);
    open.map(|(name, p)| (name, p.bin)).collect()
}
