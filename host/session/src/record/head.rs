//! The first line of a record.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use lockstep_games::{BoardSize, Game, Named, Rules};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{RecordError, VERSION};
use crate::backend::Identity;
use crate::event::{Header, Seat};
use crate::text::ForeignText;

/// First line of a record.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "", expecting = "a record's header")]
pub struct Head<G: Game> {
    /// [`VERSION`].
    pub lockstep_record: u32,
    /// Name of the game.
    pub game: String,
    /// Columns and rows of the games' board; `None` where no games were dealt.
    pub board: Option<(usize, usize)>,
    /// The rules of the games. Rules, seed and generator repeat in words what [`Self::setup`] has,
    /// or the setups of [`Origin::parts`] where these are equal.
    pub rules: Option<Named>,
    /// Seed of the session.
    pub seed: Option<u64>,
    /// The generator of the random draws.
    pub generator: Option<Named>,
    /// The controller all backends played.
    pub controller: G::Controller,
    /// The controller's numbers; empty for a program.
    #[serde(default)]
    pub integers: BTreeMap<String, i64>,
    /// The players of each seat, in order; empty where all backends played all seats with
    /// [`Self::controller`], and in versions before 4.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<SeatLine<G>>,
    /// Time after which searches were stopped, in milliseconds: such a decision follows from the
    /// machine as well. `None` where every search was whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_time_ms: Option<u64>,
    /// How the games were dealt; `None` where they were not, or not all the same way.
    pub setup: Option<G::Setup>,
    /// How they were dealt where [`Self::setup`] does not say it.
    #[serde(flatten)]
    pub origin: Origin<G>,
    /// The backends, the reference first.
    pub backends: Vec<BackendLine>,
    /// The tools that made the record, by name.
    #[serde(default)]
    pub tools: BTreeMap<String, String>,
}

/// How the games were dealt of a record that is not one whole session.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Origin<G: Game> {
    /// Games that were dealt elsewhere, in order; empty where they are the setup's.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part<G>>,
    /// The call that cut it: it may begin at any game, a game at any move, and games may be
    /// missing. `None` for a whole session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
}

impl<G: Game> Default for Origin<G> {
    fn default() -> Self {
        Self {
            parts: Vec::new(),
            excerpt: None,
        }
    }
}

/// Games of a record that were dealt in another session.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Part<G: Game> {
    /// The first of them in this record.
    pub game: u64,
    /// How many.
    pub games: u64,
    /// Which of its session the first was, from 1.
    pub dealt: u64,
    /// How that session was dealt.
    pub setup: Option<G::Setup>,
}

/// A seat as recorded.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct SeatLine<G: Game> {
    /// Its name.
    pub seat: String,
    /// Its controller.
    pub controller: G::Controller,
    /// The controller's numbers.
    pub integers: BTreeMap<String, i64>,
    /// Indices of its backends in [`Head::backends`], the reference first.
    pub backends: Vec<usize>,
}

/// A backend as recorded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BackendLine {
    /// Name it was opened by.
    pub name: ForeignText,
    /// Its description.
    pub description: ForeignText,
    /// Build id of its RTL in hexadecimal, if it had any.
    pub build_id: Option<String>,
    /// Hash of the layout its messages have, in hexadecimal.
    #[serde(default)]
    pub layout_hash: Option<String>,
    /// Frequency of its clock.
    #[serde(default)]
    pub clock_hz: Option<u32>,
}

impl BackendLine {
    /// A backend of a session.
    pub fn of(backend: &Identity) -> Self {
        let core = backend.core.as_ref();
        Self {
            name: backend.name.clone(),
            description: backend.description.clone(),
            build_id: backend.build_id(),
            layout_hash: core.map(|info| format!("{:08x}", info.layout_hash)),
            clock_hz: core.map(|info| info.clock_hz),
        }
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl<G: Rules> Head<G> {
    /// The first line of a session's record.
    pub fn of(header: &Header<G>, origin: Origin<G>, tools: BTreeMap<String, String>) -> Self {
        let backends = header.backends.iter().map(BackendLine::of).collect();
        let setup = header.setup.clone();
        let seats = header
            .seats
            .iter()
            .zip(G::SEATS)
            .map(|(seat, name)| SeatLine {
                seat: (*name).into(),
                controller: seat.controller.clone(),
                integers: G::integers(&seat.controller),
                backends: seat.backends.clone(),
            });
        Self {
            seats: seats.collect(),
            move_time_ms: header.move_time.map(milliseconds),
            ..Self::new(header.controller.clone(), setup, origin, backends, tools)
        }
    }

    /// The controller of each seat; a single one where all seats have the same.
    pub fn controllers(&self) -> Vec<G::Controller> {
        match self.seats.as_slice() {
            [] => vec![self.controller.clone()],
            seats => seats.iter().map(|seat| seat.controller.clone()).collect(),
        }
    }

    /// All that the answers depend on beside the positions, to compare two records: the controller,
    /// or those of the seats by name, and the move time.
    pub fn players(&self) -> Value {
        let controllers = self.controllers();
        let mut players = match controllers.iter().all(|other| *other == self.controller) {
            true => json!({"controller": self.controller}),
            false => {
                let seats = self
                    .seats
                    .iter()
                    .map(|s| (s.seat.clone(), json!(s.controller)));
                json!({"seats": seats.collect::<Map<_, _>>()})
            }
        };
        if let Some(time) = self.move_time_ms {
            players["move_time_ms"] = time.into();
        }
        players
    }

    /// The seats of a session in which each of so many backends is asked for every seat; empty
    /// where all seats have one controller.
    pub fn seated(&self, backends: usize) -> Vec<Seat<G>> {
        let seats = self.seats.iter().map(|seat| Seat {
            controller: seat.controller.clone(),
            backends: (0..backends).collect(),
        });
        seats.collect()
    }

    /// Indices of the backends that were asked for a decision of such a position.
    pub fn asked(&self, position: &G::Position) -> Vec<usize> {
        match self.seats.get(G::seat(position)) {
            Some(seat) => seat.backends.clone(),
            None => (0..self.backends.len()).collect(),
        }
    }

    /// The first line of a record of these.
    pub fn new(
        controller: G::Controller,
        setup: Option<G::Setup>,
        origin: Origin<G>,
        backends: Vec<BackendLine>,
        tools: BTreeMap<String, String>,
    ) -> Self {
        let setups = || {
            setup
                .iter()
                .chain(origin.parts.iter().flat_map(|p| &p.setup))
        };
        let terms = setup.as_ref().map(G::describe);
        let board = setups().next().map(G::board);
        let rules = setups().next().map(|setup| G::describe(setup).rules);
        let mut generators = setups().map(|setup| G::describe(setup).generator);
        let first = generators.next();
        let generator = first.filter(|first| generators.all(|other| other == *first));
        Self {
            lockstep_record: VERSION,
            game: G::NAME.into(),
            board: board.map(|size| (size.columns, size.rows)),
            rules,
            seed: terms.as_ref().map(|terms| terms.seed),
            generator,
            integers: G::integers(&controller),
            controller,
            seats: Vec::new(),
            move_time_ms: None,
            setup,
            origin,
            backends,
            tools,
        }
    }

    /// Reads the first line of a record.
    ///
    /// # Errors
    /// When it is not a header of this game and of a version this reads.
    pub fn parse(path: &Path, line: &[u8]) -> Result<Self, RecordError> {
        super::read::parse_head(line).map_err(|why| why.of(path))
    }

    /// How a game of this record was dealt, and which of its session it was, from 1.
    pub fn dealt(&self, game: u64) -> Option<(&G::Setup, u64)> {
        if let Some(setup) = &self.setup {
            return Some((setup, game));
        }
        let parts = &self.origin.parts;
        let part = parts[..parts.partition_point(|part| part.game <= game)].last()?;
        let after = game - part.game;
        let dealt = part.dealt.checked_add(after)?;
        (after < part.games).then_some((part.setup.as_ref()?, dealt))
    }

    /// Checks that its words agree with its setup and controller.
    pub(super) fn check(&self) -> Result<(), String> {
        let numbered = |part: &Part<G>| part.game >= 1 && part.games >= 1 && part.dealt >= 1;
        let parts = &self.origin.parts;
        let apart = |pair: &[Part<G>]| {
            let [first, second] = pair else { return true };
            first
                .game
                .checked_add(first.games)
                .is_some_and(|end| end <= second.game)
        };
        if !parts.iter().all(numbered) || !parts.windows(2).all(apart) {
            return Err("its parts are not numbered in order, from 1".into());
        }
        if !self.integers.is_empty() && self.integers != G::integers(&self.controller) {
            return Err("its integers are not those of its controller".into());
        }
        let names = self.seats.iter().map(|seat| seat.seat.as_str());
        if !self.seats.is_empty() && !names.eq(G::SEATS.iter().copied()) {
            return Err(format!("its seats are not {}", G::SEATS.join(", ")));
        }
        for seat in &self.seats {
            let known = |index: &usize| *index < self.backends.len();
            if seat.backends.is_empty() || !seat.backends.iter().all(known) {
                let name = &seat.seat;
                return Err(format!(
                    "the seat {name} has no backend, or one that is not there"
                ));
            }
            if seat.integers != G::integers(&seat.controller) {
                let name = &seat.seat;
                return Err(format!(
                    "the integers of the seat {name} are not its controller's"
                ));
            }
        }
        let names = self.backends.iter().map(|backend| &backend.name);
        let mut seen = BTreeSet::new();
        if let Some(twice) = names.into_iter().find(|name| !seen.insert(*name)) {
            return Err(format!("it names the backend {twice:?} twice"));
        }
        let Some(setup) = &self.setup else {
            return Ok(());
        };
        let terms = G::describe(setup);
        if let Some(seed) = self.seed.filter(|seed| *seed != terms.seed) {
            let dealt = terms.seed;
            return Err(format!(
                "it names the seed {seed}, and its games were dealt from {dealt}"
            ));
        }
        for (what, named, dealt) in [
            ("rules", &self.rules, &terms.rules),
            ("generator", &self.generator, &terms.generator),
        ] {
            if let Some(named) = named.as_ref().filter(|named| named.name != dealt.name) {
                let (named, dealt) = (&named.name, &dealt.name);
                return Err(format!(
                    "it names the {what} {named:?}, and its setup {dealt:?}"
                ));
            }
        }
        Ok(())
    }

    /// The boards that it names where these differ: its own, and that of its setup.
    pub(super) fn boards(&self) -> Option<(BoardSize, BoardSize)> {
        let (columns, rows) = self.board?;
        let board = BoardSize::new(columns, rows);
        let setup = G::board(self.setup.as_ref()?);
        (board != setup).then_some((board, setup))
    }
}
