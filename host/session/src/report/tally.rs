//! Counts the agreement between backends, by field and by class of position, and keeps the first
//! divergent decisions.
//!
//! A [`Tally`] is a listener, like [`Totals`](super::Totals), of one session, or of all records of a
//! replay, one after the other.

use std::collections::BTreeMap;
use std::io;

use lockstep_games::Game;
use serde::Serialize;

use crate::backend::{Answer, Identity};
use crate::compare::fields_apart;
use crate::event::{Event, Round, Sink};
use crate::text::ForeignText;

/// Maximum number of divergent decisions that are kept; all are counted.
pub const MAX_DIVERGENCES: usize = 100;

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
    /// The first decisions on which parties disagreed; at most [`MAX_DIVERGENCES`].
    pub divergences: Vec<Divergent<G>>,
    /// Number of such decisions that are not in [`Self::divergences`].
    pub left_out: u64,
    /// Number and file of the record that is replayed; 0 and `None` if games are played.
    #[serde(skip)]
    record: (usize, Option<String>),
    /// Names of the backends.
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
    /// Goes on with the next record of a replay, from the file of that name. Its backends are those
    /// of the records before.
    pub fn next_record(&mut self, file: &str) {
        self.record = (self.record.0 + 1, Some(file.into()));
    }

    /// Positions on which parties disagreed.
    pub fn diverged(&self) -> u64 {
        self.compared - self.agreed
    }

    /// The pair of these two parties; `None` if they were not compared.
    pub fn pair(&self, one: &str, other: &str) -> Option<&Pair> {
        self.pairs.iter().find(|pair| pair.is_of(one, other))
    }

    fn add_first(&mut self, name: ForeignText) {
        let others = self.parties.iter().map(|other| Pair {
            first: name.clone(),
            second: other.name.clone(),
            ..Pair::default()
        });
        self.pairs.splice(0..0, others.collect::<Vec<_>>());
        let party = Party {
            name,
            decisions: 0,
            cycles: BTreeMap::new(),
        };
        self.parties.insert(0, party);
    }

    fn started(&mut self, backends: &[Identity]) {
        if self.names.is_empty() {
            self.names = backends.iter().map(|b| b.name.clone()).collect();
            for backend in backends.iter().rev() {
                self.add_first(backend.name.clone());
            }
        }
    }

    fn decided(&mut self, round: &Round<G>) {
        if round.recorded.is_some() && self.parties.iter().all(|p| p.name != RECORD) {
            self.add_first(RECORD.into());
        }
        let names = &self.names;
        let recorded = round.recorded.clone().map(Answer::plain);
        let record = recorded.iter().map(|answer| (RECORD, answer));
        let answers = round
            .by_backend()
            .filter_map(|(index, answer)| Some((names.get(index)?.raw(), answer)));
        let votes: Vec<_> = record.chain(answers).collect();
        for (name, answer) in &votes {
            if let Some(party) = self.parties.iter_mut().find(|p| p.name == *name) {
                party.decisions += 1;
                if let Some(cycles) = answer.cycles {
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
                    false => fields_apart(one.1, other.1),
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

    /// Counts the causes of a divergent decision, and keeps it if it is one of the first.
    fn keep(&mut self, round: &Round<G>) {
        let (record, file) = self.record.clone();
        let divergent = Divergent {
            record,
            file,
            backends: self.names.clone(),
            round: round.clone(),
        };
        for cause in divergent.causes() {
            let same =
                |c: &&mut Cause<G>| (&c.backends, &c.fields) == (&cause.backends, &cause.fields);
            match self.causes.iter_mut().find(same) {
                Some(mine) => mine.count += 1,
                None => self.causes.push(cause),
            }
        }
        match self.divergences.len() < MAX_DIVERGENCES {
            true => self.divergences.push(divergent),
            false => self.left_out += 1,
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
