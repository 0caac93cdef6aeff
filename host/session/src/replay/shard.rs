//! Shards: parts of a replay that together are the whole.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

/// Shard I of N: every N-th chunk. The N shards together cover every decision exactly once.
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

    /// Whether it is the whole.
    pub const fn is_all(self) -> bool {
        self.of == 1
    }

    /// Whether the chunk of that number, from 0, belongs to it.
    pub(super) const fn holds(self, chunk: u64) -> bool {
        chunk % self.of == self.number - 1
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

impl Serialize for Shard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
