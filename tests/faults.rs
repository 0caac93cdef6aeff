//! Each fault seeded into the RTL is found, and the RTL as designed passes.

use std::collections::{BTreeMap, BTreeSet};

use lockstep_verify::faults::{self, Finding, faults};

use crate::support::{missed, read};

/// The bench that finds each fault and the clock cycle of its first find, by `docs/faults.md`.
fn table() -> BTreeMap<String, (String, u64)> {
    let table = read("docs/faults.md");
    let rows = table.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        let name = cells.next()?.strip_suffix('`')?;
        // `bench` 20 of 20, 1,234 (differs)
        let (module, core) = (cells.next()?, cells.next()?);
        let bench = module.split('`').nth(1)?;
        let (_, cycle) = module.rsplit_once("of 20, ")?;
        let (bench, cycle) = match cycle {
            "–" => ("core", core),
            _ => (bench, cycle),
        };
        let digits = cycle.chars().filter(|c| *c != ',');
        let digits: String = digits.take_while(char::is_ascii_digit).collect();
        let cycle = match cycle.ends_with("stuck") {
            // After a timeout of millions.
            true => u64::MAX,
            false => digits.parse().ok()?,
        };
        Some((name.to_owned(), (bench.to_owned(), cycle)))
    });
    rows.collect()
}

/// The bench of its module finds each fault, or one around it up to the whole core.
///
/// Leaves out the tenth of the faults that takes a bench longest, and most of the time;
/// `LOCKSTEP_FAULTS=all` tries all.
#[test]
fn every_seeded_fault_is_found_by_a_bench() {
    let all = std::env::var_os("LOCKSTEP_FAULTS").is_some_and(|which| which == "all");
    let table = table();
    let known = |fault: &str| table.get(fault).map_or(("", 0), |(by, at)| (by, *at));
    let names = faults().filter_map(|variant| Some((variant.fault?, variant.modules)));
    let mut tried: Vec<_> = names.collect();
    tried.sort_by_key(|(name, _)| known(name).1);
    if !all {
        tried.truncate(tried.len().div_ceil(10) * 9);
    }
    let missed = missed(tried.into_iter(), |(name, modules)| {
        let (likely, _) = known(name);
        let finding: Option<Finding> = faults::in_its_module(name, modules, likely);
        finding.is_some_and(|finding| finding.found.is_some())
    });
    assert!(missed.is_empty(), "not found: {missed:?}");
}

/// The bench of the module that finds it most often is preferred, then that of the whole core.
#[test]
fn share_counts_the_seeds_that_find_a_fault() {
    let share = |fault, module| {
        let finding = faults::share(fault, &[module], 1 << 40).expect("a bench");
        let share = finding.share.expect("it is counted");
        assert_eq!((share.runs, share.seed), (20, 1 << 40));
        (finding.by, share.found, finding.found.is_some())
    };
    let counter = |found| ("sat_counter".to_owned(), found, found > 0);
    assert_eq!(share("counter-wraps", "sat_counter"), counter(20));
    let core = ("core".to_owned(), 20, true);
    assert_eq!(share("top-row-lost", "sat_counter"), core);
    let wide = ("sat_counter_17".to_owned(), 20, true);
    assert_eq!(share("counters-sixteen-bits", "sat_counter"), wide);
}

/// A fault of the link is in every game, and tried in the first one.
#[test]
fn faults_are_listed_once_and_name_their_game() {
    let mut names = BTreeSet::new();
    for variant in faults() {
        let name = variant.fault.expect("a fault has a name");
        assert!(names.insert(name), "{name} is listed twice");
        let games = |name| {
            let variants = sim::variants().iter().filter(move |v| v.fault == name);
            variants.map(|v| v.game).collect::<BTreeSet<_>>()
        };
        match variant.fault_in {
            "link" => assert_eq!(games(variant.fault), games(None), "{name}"),
            game => assert_eq!(game, variant.game, "{name}"),
        }
    }
    let fault_in = |name| sim::variant("tetris", Some(name)).map(|v| v.fault_in);
    assert_eq!(fault_in("top-row-lost"), Some("tetris"));
    assert_eq!(fault_in("queue-of-fifteen"), Some("link"));
}

#[test]
fn variants_have_different_build_ids() {
    let ids: BTreeSet<u32> = sim::variants().iter().map(|v| v.build_id).collect();
    assert_eq!(ids.len(), sim::variants().len());
}
