//! `lockstep record stats`

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use indicatif::HumanCount;
use lockstep::Stop;
use lockstep::record::{Entry, Head, Reader, outcome_phrase};
use serde_json::{Value, json};

use super::{ends, players};
use crate::games::CliGame;
use crate::output::failure::shown;
use crate::output::{DECISIONS, GAMES, Json, Outcome, STRONG, count, stdout, table};

#[derive(clap::Args)]
#[command(after_help = "\
  lockstep record stats games.jsonl
  lockstep record stats monday.jsonl.zst tuesday.jsonl.zst --json stats.json")]
pub struct Args {
    /// Records
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    json: Json,
}

/// Clock cycles of a decision; `None` for software.
#[derive(Debug, Default, serde::Serialize)]
struct Cycles {
    mean: Option<f64>,
    p50: Option<u64>,
    p99: Option<u64>,
    max: Option<u64>,
}

impl Cycles {
    /// The exact statistics, given how often each number of cycles occurred.
    fn of(counts: &BTreeMap<u64, u64>) -> Self {
        let decisions: u64 = counts.values().sum();
        if decisions == 0 {
            return Self::default();
        }
        let products = counts.iter().map(|(&n, &c)| u128::from(n) * u128::from(c));
        let total: u128 = products.sum();
        // The least number that at least `hundredths` percent of the values do not exceed.
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
            max: percentile(100),
        }
    }
}

#[derive(Default)]
struct Stats {
    decisions: u64,
    /// Moves of each game, in order.
    games: Vec<u64>,
    last: u64,
    points: u64,
    outcomes: BTreeMap<String, u64>,
    compared: u64,
    diverged: u64,
    /// For each backend the decisions in which it differed, and how often it took each number of
    /// clock cycles.
    by_backend: BTreeMap<String, (u64, BTreeMap<u64, u64>)>,
}

impl Stats {
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
        let differ = entry.diverged.keys().chain(entry.expected_cycles.keys());
        // Once, even if both differ.
        for name in differ.collect::<BTreeSet<_>>() {
            self.by_backend.entry(name.clone()).or_default().0 += 1;
        }
        for (name, cycles) in &entry.cycles {
            let counts = &mut self.by_backend.entry(name.clone()).or_default().1;
            *counts.entry(*cycles).or_default() += 1;
        }
    }

    /// Writes the statistics of a record; returns them as JSON.
    fn report<G: CliGame>(
        mut self,
        reader: &Reader<G>,
        path: &Path,
        out: &mut dyn Write,
    ) -> io::Result<Value> {
        let head = reader.head();
        let (file, controller) = (path.display().to_string(), players(head));
        let (word, ends) = ends(reader.ending());
        let title = shown(format!("{file}: controller {controller}, {ends}"));
        writeln!(out, "{STRONG}{title}{STRONG:#}")?;
        let games = self.games.len() as u64;
        let (decisions, of) = (count(self.decisions, DECISIONS), count(games, GAMES));
        write!(out, "  {decisions}, {of}")?;
        let steps = G::WORDS.step.many;
        let range = self.games.iter().min().zip(self.games.iter().max());
        let mean = self.games.iter().sum::<u64>() as f64 / games as f64;
        if let Some((least, most)) = range {
            write!(out, " of {least} to {most} {steps}, {mean:.1} on average")?;
        }
        if let Some(name) = G::POINTS {
            let points = HumanCount(self.points);
            write!(out, ", {points} {}", name.replace('_', " "))?;
        }
        for (outcome, games) in &self.outcomes {
            let outcome = shown(outcome_phrase(outcome));
            write!(out, ", {outcome}: {}", HumanCount(*games))?;
        }
        writeln!(out)?;
        let is_compared = self.compared > 0;
        let (agreed, diverged) = (self.compared - self.diverged, self.diverged);
        if is_compared {
            let [agreed, diverged] = [agreed, diverged].map(HumanCount);
            writeln!(out, "  {agreed} agreed, {diverged} diverged")?;
        }
        let (mut rows, mut backends) = (Vec::new(), Vec::new());
        for backend in &head.backends {
            let name = &backend.name;
            let counts = self.by_backend.remove(name.raw()).unwrap_or_default();
            let (diverged, cycles) = (counts.0, Cycles::of(&counts.1));
            let mean = cycles.mean.map(|mean| format!("{mean:.1}"));
            let [p50, p99, max] = [cycles.p50, cycles.p99, cycles.max]
                .map(|cycles| cycles.map(|cycles| HumanCount(cycles).to_string()));
            let cells = [mean, p50, p99, max].map(|cell| cell.unwrap_or_else(|| "-".into()));
            let begin = [name.to_string(), HumanCount(diverged).to_string()];
            rows.push(begin.into_iter().chain(cells).collect::<Vec<_>>());
            backends.push(json!({"name": name, "diverged": diverged, "cycles": cycles}));
        }
        let header = ["backend", "diverged", "cycles: mean", "p50", "p99", "max"];
        write!(out, "{}", table::plain(header.to_vec(), rows, 1..))?;
        let mut record = json!({
            "record": file,
            "controller": controller,
            "ending": word,
            "decisions": self.decisions,
            "games": games,
            (steps): range.map(|(least, most)| json!({"mean": mean, "least": least, "most": most})),
            // Null if nothing was compared.
            "agreed": is_compared.then_some(agreed),
            "diverged": is_compared.then_some(diverged),
            "backends": backends,
        });
        if let Some(name) = G::POINTS {
            record[name] = self.points.into();
        }
        if !self.outcomes.is_empty() {
            record["outcomes"] = json!(self.outcomes);
        }
        Ok(record)
    }
}

pub fn run<G: CliGame>(args: &Args, quiet: bool, stop: &Stop) -> anyhow::Result<Outcome> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    args.json.check(&inputs)?;
    let mut out = stdout(args.json.silences(quiet));
    let mut records = Vec::new();
    for path in &args.files {
        let mut reader = Reader::<G>::open(path, stop)?;
        let mut stats = Stats::default();
        while let Some(entry) = reader.next().transpose()? {
            stats.add(reader.head(), &entry);
        }
        records.push(stats.report(&reader, path, &mut *out)?);
    }
    args.json.write(&json!({"records": records}))?;
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
