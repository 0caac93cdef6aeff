//! `lockstep record stats`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lockstep::Stop;
use lockstep::record::{Ending, Entry, Head, Reader};
use lockstep::text::ForeignText;
use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::{players, view};
use crate::games::CliGame;
use crate::output::{Json, Outcome, stdout};

pub const EXAMPLES: &str = "\
  lockstep record stats games.jsonl
  lockstep record stats monday.jsonl.zst tuesday.jsonl.zst --json stats.json";

#[derive(clap::Args)]
pub struct Args {
    /// Records
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// The statistics of a record.
#[derive(Debug, serde::Serialize)]
pub struct Stats {
    #[serde(serialize_with = "crate::output::files::name")]
    pub record: PathBuf,
    pub controller: String,
    #[serde(serialize_with = "super::word")]
    pub ending: Ending,
    pub decisions: u64,
    pub games: u64,
    #[serde(flatten)]
    pub gained: Gained,
    /// Number of matches by outcome: the winning seat or `draw`; empty for a game of one seat.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub outcomes: BTreeMap<String, u64>,
    /// Compared decisions on which all agreed; `None` if nothing was compared.
    pub agreed: Option<u64>,
    /// Compared decisions on which some backend differed; `None` if nothing was compared.
    pub diverged: Option<u64>,
    pub backends: Vec<BackendStats>,
}

/// Moves and points of the games, under the game's own words.
#[derive(Debug)]
pub struct Gained {
    /// The game's word for a move.
    pub step: &'static str,
    /// Number of recorded moves of a game; `None` without games.
    pub moves: Option<Moves>,
    /// Name and sum of the points, if the game counts any.
    pub points: Option<(&'static str, u64)>,
}

impl Serialize for Gained {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry(self.step, &self.moves)?;
        if let Some((name, points)) = &self.points {
            map.serialize_entry(name, points)?;
        }
        map.end()
    }
}

/// Number of moves of a game.
#[derive(Debug, serde::Serialize)]
pub struct Moves {
    pub mean: f64,
    pub least: u64,
    pub most: u64,
}

/// The statistics of one backend.
#[derive(Debug, serde::Serialize)]
pub struct BackendStats {
    pub name: ForeignText,
    /// Decisions in which it differed from the reference, or from the expected clock cycles.
    pub diverged: u64,
    pub cycles: Cycles,
}

/// Clock cycles of a decision; `None` for software.
#[derive(Debug, Default, serde::Serialize)]
pub struct Cycles {
    pub mean: Option<f64>,
    pub p50: Option<u64>,
    pub p99: Option<u64>,
    pub max: Option<u64>,
}

impl Cycles {
    /// The exact statistics, given how often each number of cycles occurred.
    fn of(counts: &BTreeMap<u64, u64>) -> Self {
        let decisions: u64 = counts.values().sum();
        if decisions == 0 {
            return Self::default();
        }
        let total: u128 = counts
            .iter()
            .map(|(&n, &c)| u128::from(n) * u128::from(c))
            .sum();
        // The least number that so many hundredths do not exceed.
        let percentile = |hundredths: u64| {
            let rank = (decisions * hundredths).div_ceil(100);
            let mut sum = 0;
            let reached = counts.iter().find(|(_, count)| {
                sum += **count;
                sum >= rank
            });
            reached.map(|(cycles, _)| *cycles)
        };
        Self {
            mean: Some(total as f64 / decisions as f64),
            p50: percentile(50),
            p99: percentile(99),
            max: counts.keys().next_back().copied(),
        }
    }
}

/// Counts, decision by decision.
#[derive(Default)]
struct Counting {
    decisions: u64,
    /// Moves of each game, in order.
    games: Vec<u64>,
    last: u64,
    points: u64,
    outcomes: BTreeMap<String, u64>,
    compared: u64,
    diverged: u64,
    by_backend: BTreeMap<String, (u64, BTreeMap<u64, u64>)>,
}

impl Counting {
    fn add<G: CliGame>(&mut self, head: &Head<G>, entry: &Entry<G>) {
        if self.last != entry.game || self.games.is_empty() {
            self.games.push(0);
            self.last = entry.game;
        }
        self.decisions += 1;
        let asked = head.asked(&entry.position).len();
        self.compared += u64::from(asked > 1 || !entry.agreed());
        self.diverged += u64::from(!entry.agreed());
        if let Some(outcome) = &entry.outcome {
            *self.outcomes.entry(outcome.clone()).or_default() += 1;
        }
        if let Some(points) = G::points(&entry.position, &entry.decision)
            && entry.agreed()
        {
            if let Some(moves) = self.games.last_mut() {
                *moves += 1;
            }
            self.points += points;
        }
        // Not twice in one decision.
        let wrong_cycles = entry
            .expected_cycles
            .keys()
            .filter(|name| !entry.diverged.contains_key(*name));
        for name in entry.diverged.keys().chain(wrong_cycles) {
            self.by_backend.entry(name.clone()).or_default().0 += 1;
        }
        for (name, cycles) in &entry.cycles {
            let counts = &mut self.by_backend.entry(name.clone()).or_default().1;
            *counts.entry(*cycles).or_default() += 1;
        }
    }
}

fn stats<G: CliGame>(path: &Path, stop: &Stop) -> anyhow::Result<Stats> {
    let mut reader = Reader::<G>::open(path, stop)?;
    let mut counting = Counting::default();
    while let Some(entry) = reader.next().transpose()? {
        counting.add(reader.head(), &entry);
    }
    let head = reader.head();
    let decisions = counting.decisions;
    let made: u64 = counting.games.iter().sum();
    let games = counting.games.len() as u64;
    let moves = counting.games.iter().min().zip(counting.games.iter().max());
    let is_compared = counting.compared > 0;
    let backend = |b: &lockstep::record::BackendLine| {
        let (diverged, counts) = counting
            .by_backend
            .get(b.name.raw())
            .cloned()
            .unwrap_or_default();
        BackendStats {
            name: b.name.clone(),
            diverged,
            cycles: Cycles::of(&counts),
        }
    };
    Ok(Stats {
        record: path.into(),
        controller: players(head),
        ending: reader.ending(),
        decisions,
        games,
        gained: Gained {
            step: G::WORDS.step.many,
            moves: moves.map(|(&least, &most)| Moves {
                mean: made as f64 / games as f64,
                least,
                most,
            }),
            points: G::POINTS.map(|name| (name, counting.points)),
        },
        agreed: is_compared.then_some(counting.compared - counting.diverged),
        diverged: is_compared.then_some(counting.diverged),
        backends: head.backends.iter().map(backend).collect(),
        outcomes: counting.outcomes,
    })
}

pub fn run<G: CliGame>(args: &Args, quiet: bool, stop: &Stop) -> anyhow::Result<Outcome> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    args.json.check(&inputs)?;
    let mut out = stdout(args.json.silences(quiet));
    let mut records = Vec::new();
    for path in &args.files {
        let stats = stats::<G>(path, stop)?;
        view::stats(&mut *out, &stats)?;
        records.push(stats);
    }
    args.json.write(&BTreeMap::from([("records", records)]))?;
    Ok(Outcome::Agreed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_exact() {
        let counts = BTreeMap::from([(10, 98), (20, 1), (1000, 1)]);
        let cycles = Cycles::of(&counts);
        assert_eq!(
            (cycles.p50, cycles.p99, cycles.max),
            (Some(10), Some(20), Some(1000))
        );
        assert_eq!(cycles.mean, Some(20.0));
        let one = Cycles::of(&BTreeMap::from([(7, 1)]));
        assert_eq!((one.p50, one.p99, one.max), (Some(7), Some(7), Some(7)));
        assert_eq!(Cycles::of(&BTreeMap::new()).max, None);
    }
}
