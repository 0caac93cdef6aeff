//! The attempts of the benches.

#[cfg(feature = "faults")]
use lockstep_testbench::Bench;

use super::Finding;
#[cfg(feature = "faults")]
use super::{SHARED, Share};

/// The benches of the RTL's modules, if this build has them.
#[derive(Clone, Copy)]
pub struct Benches(Linked);

#[cfg(feature = "faults")]
#[derive(Clone, Copy)]
struct Linked;

/// There are none in this build.
#[cfg(not(feature = "faults"))]
#[derive(Clone, Copy)]
enum Linked {}

impl Benches {
    /// `None` in a build without the feature `faults`.
    pub fn linked() -> Option<Self> {
        #[cfg(feature = "faults")]
        return Some(Self(Linked));
        #[cfg(not(feature = "faults"))]
        return None;
    }

    /// A seeded fault on the benches of the modules that it is in, those modules' own
    /// before those that they are only a part of, each with the same few seeds: the first that
    /// finds it, or what the last one says. `None` when those modules have none.
    pub fn in_its_module(&self, fault: &str, modules: &[&str]) -> Option<Finding> {
        self.0.in_its_module(fault, modules)
    }

    /// The share of twenty seeds, from that one on, with which a fault is found by a bench of
    /// its modules: the first of them that finds it with every seed, or the one that does with
    /// most. `None` when those modules have none.
    pub fn share(&self, fault: &str, modules: &[&str], seed: u64) -> Option<Finding> {
        self.0.share(fault, modules, seed)
    }

    /// What a bench of those modules finds in the RTL as designed, with a few seeds from that one
    /// on: such a bench finds every fault. `None` when none of them does.
    pub fn in_the_design(&self, modules: &[&str], seed: u64) -> Option<Finding> {
        self.0.in_the_design(modules, seed)
    }

    /// A fault (`None`: none) on the bench of a game's whole core; `None` when it has none.
    pub fn in_the_core(&self, game: &str, fault: Option<&str>) -> Option<Finding> {
        self.0.in_the_core(game, fault)
    }
}

#[cfg(not(feature = "faults"))]
impl Linked {
    fn in_its_module(&self, _: &str, _: &[&str]) -> Option<Finding> {
        match *self {}
    }

    fn share(&self, _: &str, _: &[&str], _: u64) -> Option<Finding> {
        match *self {}
    }

    fn in_the_design(&self, _: &[&str], _: u64) -> Option<Finding> {
        match *self {}
    }

    fn in_the_core(&self, _: &str, _: Option<&str>) -> Option<Finding> {
        match *self {}
    }
}

#[cfg(feature = "faults")]
impl Linked {
    fn in_its_module(&self, fault: &str, modules: &[&str]) -> Option<Finding> {
        let mut last = None;
        for bench in benches_of(modules) {
            let finding = attempt(bench, Some(fault));
            if finding.found.is_some() {
                return Some(finding);
            }
            last = Some(finding);
        }
        last
    }

    fn share(&self, fault: &str, modules: &[&str], seed: u64) -> Option<Finding> {
        let mut best: Option<(u32, Finding)> = None;
        for bench in benches_of(modules) {
            let runs = (0..SHARED).map(|run| run_once(bench, Some(fault), seed.wrapping_add(run)));
            let runs: Vec<Finding> = runs.collect();
            let found = runs.iter().filter(|run| run.found.is_some()).count() as u32;
            let is_better = best.as_ref().is_none_or(|(most, _)| found > *most);
            let first = runs.iter().position(|run| run.found.is_some());
            if let Some(finding) = runs.into_iter().nth(first.unwrap_or(0))
                && is_better
            {
                best = Some((found, finding));
            }
            if u64::from(found) == SHARED {
                break;
            }
        }
        best.map(|(found, finding)| Finding {
            share: Some(Share {
                found,
                runs: SHARED as u32,
                seed,
            }),
            ..finding
        })
    }

    fn in_the_design(&self, modules: &[&str], seed: u64) -> Option<Finding> {
        let mut findings = benches_of(modules).map(|bench| attempt_from(seed, bench, None));
        findings.find(|finding| finding.found.is_some())
    }

    fn in_the_core(&self, game: &str, fault: Option<&str>) -> Option<Finding> {
        lockstep_testbench::core_of(game).map(|bench| attempt(bench, fault))
    }
}

/// The benches of modules: those of the modules themselves, with any parameters, first.
#[cfg(feature = "faults")]
fn benches_of(modules: &[&str]) -> impl Iterator<Item = &'static Bench> {
    let of = lockstep_testbench::BENCHES.iter();
    let of = of.filter(|bench| bench.is_of(modules));
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

/// Runs with the same few seeds until one finds something.
#[cfg(feature = "faults")]
fn attempt(bench: &Bench, fault: Option<&str>) -> Finding {
    attempt_from(0, bench, fault)
}

/// Runs with a few seeds until one finds something.
#[cfg(feature = "faults")]
fn attempt_from(first: u64, bench: &Bench, fault: Option<&str>) -> Finding {
    const SEEDS: u64 = 4;

    let mut runs = (0..SEEDS).map(|seed| run_once(bench, fault, first.wrapping_add(seed)));
    let found = runs.find(|run| run.found.is_some());
    found.unwrap_or_else(|| nothing(bench))
}

#[cfg(feature = "faults")]
fn nothing(bench: &Bench) -> Finding {
    Finding {
        by: bench.name.into(),
        after: 0,
        found: None,
        share: None,
    }
}

#[cfg(feature = "faults")]
fn run_once(bench: &Bench, fault: Option<&str>, seed: u64) -> Finding {
    use lockstep_testbench::Failure;
    use sim::SimError;

    use super::Found;

    let (after, found) = match bench.run(fault, seed) {
        Ok(()) => return nothing(bench),
        Err(Failure::Differs { cycle, what }) => (cycle, Found::Differs(what)),
        Err(Failure::Sim(SimError::Stopped { cycle, why })) => (cycle, Found::Assertion(why)),
        Err(Failure::Sim(e)) => (0, Found::Stuck(e.to_string())),
    };
    Finding {
        after,
        found: Some(found),
        ..nothing(bench)
    }
}
