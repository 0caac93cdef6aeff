//! Counts the agreement between backends, by field and by class of position, and keeps the first
//! divergent decisions.
//!
//! A [`Tally`] is a listener, like [`Totals`](super::Totals). Merging is commutative and associative,
//! so the shards of a replay can be added in any order.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::io;

use lockstep_games::Game;
use serde::Serialize;

use crate::backend::{Answer, Identity};
use crate::compare::fields_apart;
use crate::event::{Event, Round, Sink};
use crate::text::ForeignText;

/// Most divergent decisions that are kept; all are counted.
pub const MOST: usize = 100;

/// Name of the record as a party.
pub const RECORD: &str = "record";

/// Counts the agreement between backends.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Tally<G: Game> {
    /// Positions with something to compare.
    pub compared: u64,
    /// Positions on which all parties agreed.
    pub agreed: u64,
    /// The word for a class of positions: the game's word for a step, in Tetris `piece`.
    pub class: &'static str,
    /// The record, if there is one, then the backends in their order.
    pub parties: Vec<Party>,
    /// All pairs of parties: the first with each of the others, then the second, and so on.
    pub pairs: Vec<Pair>,
    /// The disagreements by backends and fields, in the order of their first ones.
    pub causes: Vec<Cause<G>>,
    /// The first decisions on which parties disagreed, by record and line; at most [`MOST`].
    pub divergences: Vec<Divergent<G>>,
    /// Number of such decisions that are not in [`Self::divergences`].
    pub left_out: u64,
    /// Number and file of the record that is replayed; 0 and `None` if games are played.
    #[serde(skip)]
    record: (usize, Option<String>),
    /// Names of the backends of the present session.
    #[serde(skip)]
    names: Vec<ForeignText>,
}

/// A party of the comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Party {
    /// Name of the backend, or [`RECORD`].
    pub name: ForeignText,
    /// Decisions it made.
    pub decisions: u64,
    /// Number of decisions by clock cycles; empty for software.
    pub cycles: BTreeMap<u64, u64>,
    /// Its first place in any session; the record has place 0.
    #[serde(skip)]
    place: usize,
}

impl<G: Game> Default for Tally<G> {
    fn default() -> Self {
        Self {
            compared: 0,
            agreed: 0,
            class: G::WORDS.step.one,
            parties: Vec::new(),
            pairs: Vec::new(),
            causes: Vec::new(),
            divergences: Vec::new(),
            left_out: 0,
            record: (0, None),
            names: Vec::new(),
        }
    }
}

impl<G: Game> Tally<G> {
    /// The tally of a record in a replay: its number, from 1, and its file's name.
    pub fn of_record(number: usize, file: &str) -> Self {
        Self {
            record: (number, Some(file.into())),
            ..Self::default()
        }
    }

    /// Positions on which parties disagreed.
    pub fn diverged(&self) -> u64 {
        self.compared - self.agreed
    }

    /// The pair of these two parties; `None` if they were not compared.
    pub fn pair(&self, one: &str, other: &str) -> Option<&Pair> {
        self.pairs.iter().find(|pair| pair.is_of(one, other))
    }

    /// Adds the counts of another tally. Merging is commutative.
    pub fn merge(&mut self, other: Self) {
        self.compared += other.compared;
        self.agreed += other.agreed;
        self.add_parties(other.parties);
        self.add_pairs(other.pairs);
        self.add_causes(other.causes);
        self.divergences.extend(other.divergences);
        self.divergences.sort_by(Divergent::order);
        self.divergences.truncate(MOST);
        self.left_out = self.diverged() - self.divergences.len() as u64;
    }

    /// Adds parties with their counts, and pairs for the new ones.
    fn add_parties(&mut self, parties: Vec<Party>) {
        for party in parties {
            match self.parties.iter_mut().find(|p| p.name == party.name) {
                Some(mine) => mine.merge(party),
                None => self.parties.push(party),
            }
        }
        self.parties
            .sort_by(|a, b| (a.place, &a.name).cmp(&(b.place, &b.name)));
        let before = std::mem::take(&mut self.pairs);
        for (index, first) in self.parties.iter().enumerate() {
            let others = self.parties.iter().skip(index + 1);
            self.pairs.extend(others.map(|second| Pair {
                first: first.name.clone(),
                second: second.name.clone(),
                ..Pair::default()
            }));
        }
        self.add_pairs(before);
    }

    /// Adds the counts of pairs of known parties.
    fn add_pairs(&mut self, pairs: Vec<Pair>) {
        for pair in pairs {
            let is_same = |mine: &&mut Pair| mine.is_of(pair.first.raw(), pair.second.raw());
            if let Some(mine) = self.pairs.iter_mut().find(is_same) {
                mine.merge(pair);
            }
        }
    }

    fn add_causes(&mut self, causes: impl IntoIterator<Item = Cause<G>>) {
        for cause in causes {
            let same =
                |c: &&mut Cause<G>| (&c.backends, &c.fields) == (&cause.backends, &cause.fields);
            match self.causes.iter_mut().find(same) {
                Some(mine) => {
                    mine.count += cause.count;
                    if cause.first.order(&mine.first).is_lt() {
                        mine.first = cause.first;
                    }
                }
                None => self.causes.push(cause),
            }
        }
        self.causes.sort_by(|one, other| {
            let order = one.first.order(&other.first);
            order.then_with(|| one.fields.cmp(&other.fields))
        });
    }

    fn started(&mut self, backends: &[Identity]) {
        self.names = backends.iter().map(|b| b.name.clone()).collect();
        let places = backends.iter().zip(1..);
        let parties = places.map(|(b, place)| Party::new(b.name.raw(), place));
        self.add_parties(parties.collect());
    }

    fn decided(&mut self, round: &Round<G>) {
        if round.recorded.is_some() && self.parties.iter().all(|p| p.name != RECORD) {
            self.add_parties(vec![Party::new(RECORD, 0)]);
        }
        let names = &self.names;
        let record = round.recorded.iter().map(|d| (RECORD, d, None));
        let answers = round.by_backend().filter_map(|(index, answer)| {
            Some((names.get(index)?.raw(), &answer.decision, Some(answer)))
        });
        let votes: Vec<Vote<'_, G>> = record.chain(answers).collect();
        for (name, _, answer) in &votes {
            if let Some(party) = self.parties.iter_mut().find(|p| p.name == *name) {
                party.decisions += 1;
                if let Some(cycles) = answer.and_then(|answer| answer.cycles) {
                    *party.cycles.entry(cycles).or_default() += 1;
                }
            }
        }
        if votes.len() < 2 {
            return;
        }
        let agreed = round.mismatches.is_empty();
        let class = G::class(&round.position);
        for (index, one) in votes.iter().enumerate() {
            for other in votes.iter().skip(index + 1) {
                let fields = match agreed {
                    true => Vec::new(),
                    false => fields_apart::<G>((one.1, one.2), (other.1, other.2)),
                };
                if let Some(pair) = self.pairs.iter_mut().find(|p| p.is_of(one.0, other.0)) {
                    pair.count(class, &fields);
                }
            }
        }
        self.compared += 1;
        self.agreed += u64::from(agreed);
        if !agreed {
            self.keep(round);
        }
    }

    /// Keeps a divergent decision if it is one of the first.
    fn keep(&mut self, round: &Round<G>) {
        let (record, file) = self.record.clone();
        let divergent = Divergent {
            record,
            file,
            backends: self.names.clone(),
            round: round.clone(),
        };
        self.add_causes(divergent.causes());
        let before = |kept: &Divergent<G>| kept.order(&divergent).is_le();
        let index = self.divergences.partition_point(before);
        if index < MOST {
            self.divergences.insert(index, divergent);
            self.divergences.truncate(MOST);
        }
        self.left_out = self.diverged() - self.divergences.len() as u64;
    }
}

/// The name of a party, its decision, and its answer; the record has none.
type Vote<'a, G> = (&'a str, &'a <G as Game>::Decision, Option<&'a Answer<G>>);

impl Party {
    fn new(name: &str, place: usize) -> Self {
        Self {
            name: name.into(),
            decisions: 0,
            cycles: BTreeMap::new(),
            place,
        }
    }

    fn merge(&mut self, other: Self) {
        self.place = self.place.min(other.place);
        self.decisions += other.decisions;
        for (cycles, count) in other.cycles {
            *self.cycles.entry(cycles).or_default() += count;
        }
    }
}

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
    fn count(&mut self, fields: &[&'static str]) {
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
    /// Name of the party that comes first in [`Tally::parties`].
    pub first: ForeignText,
    /// Name of the other party.
    pub second: ForeignText,
    /// Over all positions.
    #[serde(flatten)]
    pub all: Agreement,
    /// Agreement by the class of the position ([`Game::class`]).
    pub classes: BTreeMap<&'static str, Agreement>,
}

impl Pair {
    /// Whether it is the pair of these two, in any order.
    pub fn is_of(&self, one: &str, other: &str) -> bool {
        let names = (self.first.raw(), self.second.raw());
        names == (one, other) || names == (other, one)
    }

    fn count(&mut self, class: &'static str, fields: &[&'static str]) {
        self.all.count(fields);
        self.classes.entry(class).or_default().count(fields);
    }

    fn merge(&mut self, other: Self) {
        self.all.merge(other.all);
        for (class, agreement) in other.classes {
            self.classes.entry(class).or_default().merge(agreement);
        }
    }
}

/// A decision on which parties disagreed, with everything needed to draw it.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Divergent<G: Game> {
    /// Number of its record, from 1; 0 if games were played.
    pub record: usize,
    /// Name of that record's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Names of the backends, in the order of the round's answers.
    pub backends: Vec<ForeignText>,
    /// The position and all answers.
    #[serde(flatten)]
    pub round: Round<G>,
}

impl<G: Game> Divergent<G> {
    /// Its place: record, game and move.
    pub fn place(&self) -> String {
        let place = format!("game {}, move {}", self.round.game, self.round.step);
        let file = self.file.as_ref();
        file.map_or(place.clone(), |file| format!("{file}: {place}"))
    }

    /// Orders decisions as in the records, or as they were played.
    fn order(&self, other: &Self) -> Ordering {
        let place = |d: &Self| (d.record, d.round.line, d.round.game, d.round.step);
        let places = place(self).cmp(&place(other));
        places.then_with(|| self.backends.cmp(&other.backends))
    }

    /// The backends that differ, grouped by the fields in which they do.
    fn causes(&self) -> impl Iterator<Item = Cause<G>> {
        let mut by_fields: BTreeMap<Vec<&'static str>, Vec<ForeignText>> = BTreeMap::new();
        for (index, name) in self.backends.iter().enumerate() {
            let own = self.round.mismatches.iter().filter(|m| m.backend == index);
            let fields: Vec<_> = own.map(|m| m.difference.field).collect();
            if !fields.is_empty() {
                by_fields.entry(fields).or_default().push(name.clone());
            }
        }
        by_fields.into_iter().map(|(fields, backends)| Cause {
            backends,
            fields,
            count: 1,
            first: self.clone(),
        })
    }
}

/// Divergences of the same backends in the same fields.
#[derive(Debug, Clone, Serialize)]
#[serde(bound = "")]
pub struct Cause<G: Game> {
    /// Names of the backends.
    pub backends: Vec<ForeignText>,
    /// The fields in which they differ from the expected decision.
    pub fields: Vec<&'static str>,
    /// Number of positions.
    pub count: u64,
    /// The first one.
    pub first: Divergent<G>,
}

impl<G: Game> Sink<G> for Tally<G> {
    fn take(&mut self, event: &Event<G>) -> io::Result<()> {
        match event {
            Event::Started(header) => self.started(&header.backends),
            Event::Decided(round) => self.decided(round),
            _ => {}
        }
        Ok(())
    }
}
