//! The first line of a record.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_games::{BoardSize, Game, Named, Rules, ShardHeader};
use protocol::layout::link::EXACT_CYCLES;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{PERSON, VERSION};
use crate::backend::Identity;
use crate::event::{Header, Seat};
use crate::text::ForeignText;

/// First line of a record.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "", expecting = "a record's header")]
pub struct Head<G: Game> {
    /// Version of the format: [`VERSION`].
    pub lockstep_record: u32,
    /// Name of the game.
    pub game: String,
    /// Columns and rows of the games' board; `None` if no games were dealt.
    pub board: Option<(usize, usize)>,
    /// The rules of the games. Rules, seed and generator describe [`Self::setup`] in words, or the
    /// setups of [`Origin::parts`] if these are equal.
    pub rules: Option<Named>,
    /// Seed of the session.
    pub seed: Option<u64>,
    /// The generator of the random draws.
    pub generator: Option<Named>,
    /// The controller of all backends.
    pub controller: G::Controller,
    /// The controller's numbers; empty for a program.
    #[serde(default)]
    pub integers: BTreeMap<String, i64>,
    /// The backends of each seat, in order; empty if all backends played all seats with
    /// [`Self::controller`], and in versions before 4.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<SeatLine<G>>,
    /// Time in milliseconds after which searches were stopped; their decisions depend on the machine.
    /// `None` if no search was stopped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub move_time_ms: Option<u64>,
    /// How the games were dealt; `None` if they were not dealt, or in different ways.
    pub setup: Option<G::Setup>,
    /// How the games were dealt if [`Self::setup`] is `None`.
    #[serde(flatten)]
    pub origin: Origin<G>,
    /// The backends, the reference first.
    pub backends: Vec<BackendLine>,
    /// The tools that made the record, by name.
    #[serde(default)]
    pub tools: BTreeMap<String, String>,
}

/// How the games of a record were dealt that is not one complete session.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Origin<G: Game> {
    /// Games that were dealt in other sessions, in order; empty if all were dealt by the setup.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part<G>>,
    /// The command line that cut it; `None` for a complete session. An excerpt may begin at any game
    /// and move, and may lack games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
    /// The shard whose games it holds; `None` if it holds all of its session's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardHeader>,
}

impl<G: Game> Origin<G> {
    /// Whether the session plays the game of that number, from 1.
    pub fn holds(&self, game: u64) -> bool {
        self.shard
            .as_ref()
            .is_none_or(|shard| shard.holds(game - 1))
    }
}

impl<G: Game> Default for Origin<G> {
    fn default() -> Self {
        Self {
            parts: Vec::new(),
            excerpt: None,
            shard: None,
        }
    }
}

/// Consecutive games of a record that were dealt in another session.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Part<G: Game> {
    /// Number of the first of them in this record, from 1.
    pub game: u64,
    /// Number of games.
    pub games: u64,
    /// Number of the first of them in its own session, from 1.
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
    /// Build id of its RTL in hexadecimal, if it has a core.
    pub build_id: Option<String>,
    /// Hash of the layout of its messages, in hexadecimal.
    #[serde(default)]
    pub layout_hash: Option<String>,
    /// Frequency of its clock in hertz.
    #[serde(default)]
    pub clock_hz: Option<u32>,
    /// Lanes and multipliers of a core with an exact number of clock cycles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact_cycles: Option<[u8; 2]>,
}

impl BackendLine {
    /// A backend of a session.
    pub fn of(backend: &Identity) -> Self {
        let core = backend.core.as_ref();
        let exact = core.filter(|info| info.has(EXACT_CYCLES));
        Self {
            name: backend.name.clone(),
            description: backend.description.clone(),
            build_id: backend.build_id(),
            layout_hash: core.map(|info| format!("{:08x}", info.layout_hash)),
            clock_hz: core.map(|info| info.clock_hz),
            exact_cycles: exact.map(|info| [info.lanes, info.multipliers]),
        }
    }
}

impl<G: Rules> Head<G> {
    /// The header of a session's record.
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
            move_time_ms: header
                .move_time
                .map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX)),
            ..Self::new(header.controller.clone(), setup, origin, backends, tools)
        }
    }

    /// The controller of each seat; a single one if all seats have the same.
    pub fn controllers(&self) -> Vec<G::Controller> {
        match self.seats.as_slice() {
            [] => vec![self.controller.clone()],
            seats => seats.iter().map(|seat| seat.controller.clone()).collect(),
        }
    }

    /// Everything but the positions that answers depend on, to compare two records: the controller, or
    /// the controllers of the seats by name, and the move time.
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

    /// The seats of a session in which each of the `backends` backends plays every seat; empty if
    /// all seats have one controller.
    pub fn seated(&self, backends: usize) -> Vec<Seat<G>> {
        let seats = self.seats.iter().map(|seat| Seat {
            controller: seat.controller.clone(),
            backends: (0..backends).collect(),
        });
        seats.collect()
    }

    /// Indices of the backends that decided such a position.
    pub fn asked(&self, position: &G::Position) -> Vec<usize> {
        match self.seats.get(G::seat(position)) {
            Some(seat) => seat.backends.clone(),
            None => (0..self.backends.len()).collect(),
        }
    }

    /// Whether a person decided such a position.
    pub fn is_persons(&self, position: &G::Position) -> bool {
        let seat = self.seats.get(G::seat(position)).into_iter();
        let mut backends = seat.flat_map(|seat| &seat.backends);
        backends.any(|index| self.backends[*index].name.raw() == PERSON)
    }

    /// A header with these contents.
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
        let described = setup.as_ref().map(G::describe);
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
            seed: described.as_ref().map(|rules| rules.seed),
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

    /// How a game of this record was dealt, and its number in that session, from 1.
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

    /// Checks that the header agrees with its setup and controllers.
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
            return Err("its integers do not match its controller".into());
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
                    "the seat {name} has no backend, or one that is not in `backends`"
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
        let (described, dealt) = (G::describe(setup), G::board(setup));
        let named = self
            .board
            .map(|(columns, rows)| BoardSize::new(columns, rows));
        if let Some(named) = named.filter(|named| *named != dealt) {
            return Err(format!("the board is {named}, but {dealt} in its setup"));
        }
        if let Some(seed) = self.seed.filter(|seed| *seed != described.seed) {
            let dealt = described.seed;
            return Err(format!("the seed is {seed}, but {dealt} in its setup"));
        }
        for (what, named, dealt) in [
            ("rules", &self.rules, &described.rules),
            ("generator", &self.generator, &described.generator),
        ] {
            if let Some(named) = named.as_ref().filter(|named| named.name != dealt.name) {
                let (named, dealt) = (&named.name, &dealt.name);
                return Err(format!("{what} is {named:?}, but {dealt:?} in its setup"));
            }
        }
        Ok(())
    }
}
