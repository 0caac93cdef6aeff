//! The boards: the tables `board.txt` of the folders in `rtl/top/`, whose words `rtl/tops.py`
//! explains.

use std::fmt;

/// A board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// Its name: that of its folder.
    name: &'static str,
    table: &'static str,
}

impl Board {
    /// All boards, sorted by name.
    pub const ALL: &[Self] = include!(concat!(env!("OUT_DIR"), "/boards.rs"));

    /// Its name, as in `rtl/top/`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The board with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|board| board.name == name)
    }

    /// The names of all boards: `a, b or c`.
    pub(crate) fn names() -> String {
        let mut names: Vec<&str> = Self::ALL.iter().map(Self::name).collect();
        let last = names.pop().unwrap_or_default();
        format!("{} or {last}", names.join(", "))
    }

    /// The value of a word of its table; empty if it has none.
    pub fn word(&self, name: &str) -> &'static str {
        let mut lines = self.table.lines().filter_map(|line| line.split_once(' '));
        let line = lines.find(|(word, _)| *word == name);
        line.map_or("", |(_, value)| value.trim())
    }

    /// Name of its top module.
    pub fn top(&self) -> String {
        format!("lockstep_{}", self.name.replace('-', "_"))
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}
