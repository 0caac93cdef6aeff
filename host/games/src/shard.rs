//! Shards: parts of a command's work that together are the whole.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::serde_as_text;

/// Shard I of N: every N-th item. The N shards together hold every item exactly once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Its number, from 1.
    number: u64,
    /// Number of shards.
    of: u64,
}

impl Shard {
    /// The single shard that is the whole.
    pub const ALL: Self = Self { number: 1, of: 1 };

    /// Shard `number`, from 1, of `of`; `None` if there is no such shard.
    pub const fn new(number: u64, of: u64) -> Option<Self> {
        match number >= 1 && number <= of {
            true => Some(Self { number, of }),
            false => None,
        }
    }

    /// Its number, from 1.
    pub const fn number(self) -> u64 {
        self.number
    }

    /// Number of shards.
    pub const fn of(self) -> u64 {
        self.of
    }

    /// Whether it is the whole.
    pub const fn is_all(self) -> bool {
        self.of == 1
    }

    /// Whether the item of that number, from 0, belongs to it.
    pub const fn holds(self, item: u64) -> bool {
        item % self.of == self.number - 1
    }

    /// How many of `items` items belong to it.
    pub const fn count(self, items: u64) -> u64 {
        items / self.of + (self.number <= items % self.of) as u64
    }
}

/// `2/3`.
impl FromStr for Shard {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| match text.bytes().all(|b| b.is_ascii_digit()) {
            true => text.parse().ok(),
            false => None,
        };
        let parts = text.split_once('/');
        let shard = parts.and_then(|(part, of)| Self::new(number(part)?, number(of)?));
        shard.ok_or("expected I/N, shard I of N with I from 1 to N, as in 2/3")
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

serde_as_text!(Shard);

/// The shard that a state file or record holds: the last member of its header.
///
/// Each entry of the file has the number of its item in the member named [`Self::unit`], from 0 in
/// a journal and from 1 in a record. An entry without it is of an item in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardHeader {
    /// The shard's number.
    pub number: Shard,
    /// Number of items of the whole work.
    pub items: u64,
    /// The word for an item, as in `game`.
    pub unit: String,
    /// Number of consecutive items that stay in one shard: 2 for the games of one opening.
    pub together: u64,
    /// The command's work, if the settings of the whole do not name it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub work: String,
}

impl ShardHeader {
    /// The header of shard `number` of `items` items, dealt one by one.
    pub fn new(number: Shard, items: u64, unit: &str) -> Self {
        Self {
            number,
            items,
            unit: unit.into(),
            together: 1,
            work: String::new(),
        }
    }

    /// The numbers of its items, from 0.
    pub fn all(&self) -> impl Iterator<Item = u64> {
        let Self {
            number,
            items,
            together,
            ..
        } = *self;
        let size = together.max(1);
        let groups = (0..items.div_ceil(size)).filter(move |group| number.holds(*group));
        groups.flat_map(move |group| group * size..items.min((group + 1) * size))
    }

    /// Whether the item of that number, from 0, belongs to it.
    pub fn holds(&self, item: u64) -> bool {
        item < self.items && self.number.holds(item / self.together.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every item is in one shard, and items that belong together are in the same one.
    #[test]
    fn shards_hold_every_item_once() {
        for (items, of, together) in [(10, 3, 1), (10, 3, 2), (11, 4, 2), (4, 4, 1), (5, 1, 2)] {
            let mut held = Vec::new();
            for number in 1..=of {
                let shard = Shard::new(number, of).expect("a shard");
                let header = ShardHeader {
                    together,
                    ..ShardHeader::new(shard, items, "game")
                };
                let own: Vec<u64> = header.all().collect();
                let holds = (0..items + 5).filter(|item| header.holds(*item));
                assert!(holds.eq(own.iter().copied()), "{shard} of {items}");
                if together == 1 {
                    assert_eq!(shard.count(items), own.len() as u64, "{shard} of {items}");
                }
                let groups: Vec<_> = own.iter().map(|item| item / together % of).collect();
                assert!(groups.iter().all(|group| *group == number - 1));
                held.extend(own);
            }
            held.sort_unstable();
            assert!(held.into_iter().eq(0..items), "{items} in {of}");
        }
    }
}
