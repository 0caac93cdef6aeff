//! Counts the agreement of two parties.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::text::ForeignText;

/// How often two parties agreed, and in which fields they differed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Agreement {
    /// Positions that both decided.
    pub compared: u64,
    /// Positions on which they agreed.
    pub agreed: u64,
    /// How often they differed in each field, by its name, without fields in which they never did;
    /// `cycles` counts wrong clock cycles.
    pub fields: BTreeMap<&'static str, u64>,
}

impl Agreement {
    /// Positions on which they disagreed.
    pub fn diverged(&self) -> u64 {
        self.compared - self.agreed
    }

    /// Counts one more position, with the fields in which they differ.
    pub(super) fn count(&mut self, fields: &[&'static str]) {
        self.compared += 1;
        self.agreed += u64::from(fields.is_empty());
        for field in fields {
            *self.fields.entry(field).or_default() += 1;
        }
    }

    fn merge(&mut self, other: Self) {
        self.compared += other.compared;
        self.agreed += other.agreed;
        for (field, count) in other.fields {
            *self.fields.entry(field).or_default() += count;
        }
    }
}

/// The agreement of two parties.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// Name of the party that comes first in [`Tally::parties`](super::Tally::parties).
    pub first: ForeignText,
    /// Name of the other party.
    pub second: ForeignText,
    /// Over all positions.
    #[serde(flatten)]
    pub all: Agreement,
    /// Agreement by the class of the position ([`Game::class`](lockstep_games::Game::class)).
    pub classes: BTreeMap<&'static str, Agreement>,
}

impl Pair {
    /// Whether it is the pair of these two, in any order.
    pub fn is_of(&self, one: &str, other: &str) -> bool {
        let names = (self.first.raw(), self.second.raw());
        names == (one, other) || names == (other, one)
    }

    pub(super) fn count(&mut self, class: &'static str, fields: &[&'static str]) {
        self.all.count(fields);
        self.classes.entry(class).or_default().count(fields);
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.all.merge(other.all);
        for (class, agreement) in other.classes {
            self.classes.entry(class).or_default().merge(agreement);
        }
    }
}
