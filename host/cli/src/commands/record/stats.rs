//! `lockstep record stats`

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lockstep::Stop;
use lockstep::record::{Entry, Reader};
use lockstep_games::tetris::Tetris;
use lockstep_games::tetris::state::put;
use serde::Serialize;

use super::{Ends, next};
use crate::commands::Outcome;
use crate::commands::output::{Json, stdout};
use crate::views::record;

pub const EXAMPLES: &str = "\
Examples:
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

#[derive(Serialize)]
struct Document {
    records: Vec<Stats>,
}

/// What is counted of a record.
#[derive(Debug, Serialize)]
pub struct Stats {
    #[serde(serialize_with = "crate::commands::files::name")]
    pub record: PathBuf,
    pub controller: String,
    ending: Ends,
    pub decisions: u64,
    pub games: u64,
    /// Pieces that are placed in a game, as far as it is recorded; `None` without games. Where
    /// not all agreed none is placed.
    pub pieces: Option<Pieces>,
    /// Full rows that they remove.
    pub rows_cleared: u64,
    /// Decisions on which all agreed; `None` of one backend alone.
    pub agreed: Option<u64>,
    /// Those on which they did not; `None` of one backend alone.
    pub diverged: Option<u64>,
    pub backends: Vec<BackendStats>,
}

/// Pieces of a game.
#[derive(Debug, Serialize)]
pub struct Pieces {
    pub mean: f64,
    pub least: u64,
    pub most: u64,
}

/// One backend's part.
#[derive(Debug, Serialize)]
pub struct BackendStats {
    pub name: String,
    /// Decisions in which it differed from the reference, or in the clock cycles that were due.
    pub diverged: u64,
    pub cycles: Cycles,
}

/// Clock cycles of a decision; `None` of software.
#[derive(Debug, Default, Serialize)]
pub struct Cycles {
    pub mean: Option<f64>,
    pub p50: Option<u64>,
    pub p99: Option<u64>,
    pub max: Option<u64>,
}

impl Stats {
    pub fn ends_in_words(&self) -> &'static str {
        self.ending.words()
    }
}

impl Cycles {
    /// Exact, from how often each number came.
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
    /// Pieces placed in each game, in order.
    games: Vec<u64>,
    last: u64,
    rows: u64,
    diverged: u64,
    by_backend: BTreeMap<String, (u64, BTreeMap<u64, u64>)>,
}

impl Counting {
    fn add(&mut self, entry: &Entry<Tetris>) {
        if self.last != entry.game || self.games.is_empty() {
            self.games.push(0);
            self.last = entry.game;
        }
        self.decisions += 1;
        self.diverged += u64::from(!entry.agreed());
        if let Some(placement) = entry.decision.as_ref().filter(|_| entry.agreed()) {
            if let Some(pieces) = self.games.last_mut() {
                *pieces += 1;
            }
            let mut board = entry.position.board.clone();
            // What is forbidden clears nothing.
            self.rows += put(&mut board, entry.position.piece, placement).unwrap_or(0);
        }
        // Not twice in one decision.
        let late = entry
            .due
            .keys()
            .filter(|name| !entry.diverged.contains_key(*name));
        for name in entry.diverged.keys().chain(late) {
            self.by_backend.entry(name.clone()).or_default().0 += 1;
        }
        for (name, cycles) in &entry.cycles {
            let counts = &mut self.by_backend.entry(name.clone()).or_default().1;
            *counts.entry(*cycles).or_default() += 1;
        }
    }
}

fn stats(path: &Path, stop: &Stop) -> anyhow::Result<Stats> {
    let mut reader = Reader::<Tetris>::open(path)?;
    let mut counting = Counting::default();
    while let Some(entry) = next(&mut reader, stop)? {
        counting.add(&entry);
    }
    let head = reader.head();
    let decisions = counting.decisions;
    let placed: u64 = counting.games.iter().sum();
    let games = counting.games.len() as u64;
    let pieces = counting.games.iter().min().zip(counting.games.iter().max());
    let compared = head.backends.len() > 1 || counting.diverged > 0;
    let backend = |b: &lockstep::record::BackendLine| {
        let (diverged, counts) = counting
            .by_backend
            .get(&b.name)
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
        controller: head.controller.name.clone(),
        ending: Ends::of(reader.ending()),
        decisions,
        games,
        pieces: pieces.map(|(&least, &most)| Pieces {
            mean: placed as f64 / games as f64,
            least,
            most,
        }),
        rows_cleared: counting.rows,
        agreed: compared.then_some(decisions - counting.diverged),
        diverged: compared.then_some(counting.diverged),
        backends: head.backends.iter().map(backend).collect(),
    })
}

pub fn run(args: &Args, quiet: bool, stop: &Stop) -> anyhow::Result<Outcome> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    args.json.check(&inputs)?;
    let mut out = stdout(args.json.silences(quiet));
    let mut records = Vec::new();
    for path in &args.files {
        let stats = stats(path, stop)?;
        record::stats(&mut *out, &stats)?;
        records.push(stats);
    }
    args.json.write(&Document { records })?;
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
