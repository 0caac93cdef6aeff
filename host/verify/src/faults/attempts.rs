//! Attempts to find a fault with benches.

use sim::{SimError, Variant};

use super::{Finding, Found, SHARE_RUNS, Share};
use crate::{BENCHES, Bench, Failure};

/// Maximum number of seeds of an attempt, which ends with the first seed that finds a fault.
const SEEDS: u64 = 4;

/// Tries a seeded fault on the benches of its modules, then of whole cores, with a few seeds each;
/// first on those named `likely`, since a bench that does not find it runs to its end.
///
/// Returns the result of the first bench that finds it, or of the last one; `None` without a bench.
pub fn in_its_module(fault: &str, modules: &[&str], likely: &str) -> Option<Finding> {
    let benches = benches_around(fault, modules);
    let (known, others): (Vec<_>, Vec<_>) = benches.partition(|bench| bench.name == likely);
    let known = known.into_iter();
    let known = known.flat_map(|bench| (0..SEEDS).map(move |seed| (bench, seed)));
    // Of the others each once before one of them again: most find it with any seed, or never.
    let others = (0..SEEDS).flat_map(|seed| others.iter().map(move |bench| (*bench, seed)));
    let mut last = None;
    for (bench, seed) in known.chain(others) {
        let finding = run_once(bench, Some(fault), seed);
        if finding.found.is_some() {
            return Some(finding);
        }
        last = Some(finding);
    }
    last
}

/// Minimum number of the [`SHARE_RUNS`] seeds that must find a fault, so that finding it is not
/// luck.
const ENOUGH: u64 = 19;

/// Counts how many of twenty seeds, from `seed` on, find a fault on one bench.
///
/// The benches of its modules are tried, then those of whole cores. Returns the first bench that
/// finds it often enough, or the best one; `None` without a bench.
pub fn share(fault: &str, modules: &[&str], seed: u64) -> Option<Finding> {
    let mut best: Option<(u64, Finding)> = None;
    for bench in benches_around(fault, modules) {
        let runs = (0..SHARE_RUNS).map(|run| run_once(bench, Some(fault), seed.wrapping_add(run)));
        let runs: Vec<Finding> = runs.collect();
        let found = runs.iter().filter(|run| run.found.is_some()).count() as u64;
        let is_better = best.as_ref().is_none_or(|(most, _)| found > *most);
        let first = runs.iter().position(|run| run.found.is_some());
        if let Some(finding) = runs.into_iter().nth(first.unwrap_or(0))
            && is_better
        {
            best = Some((found, finding));
        }
        if found >= ENOUGH {
            break;
        }
    }
    best.map(|(found, finding)| Finding {
        share: Some(Share {
            found: found as u32,
            runs: SHARE_RUNS as u32,
            seed,
        }),
        ..finding
    })
}

/// The first failure of these modules' benches on the RTL as designed, with a few seeds.
///
/// A bench that fails without a fault proves nothing.
pub fn in_the_design(modules: &[&str], seed: u64) -> Option<Finding> {
    let mut findings = benches_of(modules).map(|bench| attempt(seed, bench, None));
    findings.find(|finding| finding.found.is_some())
}

/// Tries the RTL, with a fault or without, on the bench of a game's whole core, if there is one.
pub fn in_the_core(game: &str, fault: Option<&str>) -> Option<Finding> {
    let attempt = |bench| match fault {
        Some(_) => attempt(0, bench, fault),
        // The tests of the benches run more seeds on the RTL as designed.
        None => run_once(bench, None, 0),
    };
    crate::core_of(game).map(attempt)
}

/// The benches of modules, then of the whole cores that contain the fault.
fn benches_around(fault: &str, modules: &[&str]) -> impl Iterator<Item = &'static Bench> {
    let mut own = benches_of(modules).peekable();
    let is_tried = own.peek().is_some();
    let with_fault = sim::variants()
        .iter()
        .filter(move |v| v.fault == Some(fault) && is_tried);
    let core = |variant: &Variant| match variant.core {
        "" => crate::core_of(variant.game),
        core => crate::core_of(&format!("{}_{core}", variant.game)),
    };
    own.chain(with_fault.filter_map(core))
}

/// The benches of modules, first those whose top is one of the modules.
fn benches_of(modules: &[&str]) -> impl Iterator<Item = &'static Bench> {
    let of = BENCHES.iter().filter(|bench| bench.is_of(modules));
    let is_own = |bench: &&Bench| {
        let parameters = modules
            .iter()
            .filter_map(|module| bench.name.strip_prefix(module));
        let mut digits = parameters.map(|rest| rest.trim_start_matches('_'));
        digits.any(|rest| rest.chars().all(|c| c.is_ascii_digit()))
    };
    let (own, others): (Vec<_>, Vec<_>) = of.partition(is_own);
    own.into_iter().chain(others)
}

/// Runs a bench with a few seeds from `first` on until one fails; returns the last run.
fn attempt(first: u64, bench: &Bench, fault: Option<&str>) -> Finding {
    let mut finding = run_once(bench, fault, first);
    for seed in 1..SEEDS {
        if finding.found.is_none() {
            finding = run_once(bench, fault, first.wrapping_add(seed));
        }
    }
    finding
}

fn run_once(bench: &Bench, fault: Option<&str>, seed: u64) -> Finding {
    let (after, found) = match bench.run(fault, seed) {
        Ok(()) => (0, None),
        Err(Failure::Differs { cycle, what }) => (cycle, Some(Found::Differs(what))),
        Err(Failure::Sim(SimError::Stopped { cycle, why })) => (cycle, Some(Found::Assertion(why))),
        Err(Failure::Sim(e)) => (0, Some(Found::Stuck(e.to_string()))),
    };
    Finding {
        by: bench.name.into(),
        after,
        found,
        share: None,
    }
}
