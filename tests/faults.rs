//! A harness that cannot find bugs is worth nothing: each fault seeded in the
//! RTL is found, and the RTL without any is not suspected.

use std::collections::BTreeSet;
use std::sync::Mutex;

use lockstep_lab::backends::tetris;
use lockstep_verify::faults::{self, Finding, faults, hunt};

use crate::support::{block_on, controller, read};

/// Clock cycles of its bench from which on a fault is left to CI: fewer than a tenth of all faults, and
/// most of the time.
const SLOW: u64 = 20_000;

/// The faults that their bench finds late: that of their module or, where it does not find them,
/// that of the whole core, by `docs/faults.md`.
fn found_late() -> BTreeSet<String> {
    let table = read("docs/faults.md");
    let rows = table.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split(" | ");
        let name = cells.next()?.strip_suffix('`')?;
        let (module, core) = (cells.next()?, cells.next()?);
        let cell = if module.ends_with('–') {
            core
        } else {
            module
        };
        // `bench` 20 of 20, 1,234 (differs)
        let after = cell.rsplit_once("of 20, ").map_or(cell, |(_, after)| after);
        let digits = after.chars().filter(|c| *c != ',');
        let cycles: String = digits.take_while(char::is_ascii_digit).collect();
        let late = cycles.parse().is_ok_and(|cycles: u64| cycles >= SLOW);
        late.then(|| name.to_owned())
    });
    rows.collect()
}

/// By the bench of its module, or of one around it up to the whole core. `LOCKSTEP_FAULTS=all`
/// also tries those that are found late.
#[test]
fn every_seeded_fault_is_found_by_a_bench() {
    let all = std::env::var_os("LOCKSTEP_FAULTS").is_some_and(|which| which == "all");
    let late = if all { BTreeSet::new() } else { found_late() };
    let left = |fault: Option<&str>| fault.is_some_and(|fault| late.contains(fault));
    let queue = Mutex::new(faults().filter(|variant| !left(variant.fault)));
    let missed = Mutex::new(Vec::new());
    let attempt = || {
        loop {
            let Some(variant) = queue.lock().expect("not poisoned").next() else {
                break;
            };
            let name = variant.fault.expect("a fault has a name");
            let is_found = |finding: &Finding| finding.found.is_some();
            let found = faults::in_its_module(name, variant.modules).is_some_and(|f| is_found(&f));
            if !found {
                missed.lock().expect("not poisoned").push(name);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(attempt);
        }
    });
    let missed = missed.into_inner().expect("not poisoned");
    assert!(missed.is_empty(), "not found: {missed:?}");
    let (tried, there) = (faults().count() - late.len(), faults().count());
    assert!(tried >= 50 && tried * 10 >= there * 9, "{tried} of {there}");
}

/// Play alone finds what changes decisions or their cycles.
#[test]
fn faults_of_the_tetris_core_are_found_by_playing() {
    let probe = controller("probe");
    for name in ["stale-run", "scan-one-row-more", "piece-numbers-swapped"] {
        let finding = block_on(hunt(&tetris(), Some(name), &probe, 1, 3_000));
        let finding = finding.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(finding.found.is_some(), "{name}: {finding:?}");
    }
}

#[test]
fn the_rtl_as_designed_is_not_suspected() {
    let finding = block_on(hunt(&tetris(), None, &controller("probe"), 1, 1_000));
    assert_eq!(finding.map(|f| f.found).ok(), Some(None));
}

/// A fault that shows at once does with every seed, one of another module in the whole core; a
/// bench of the same module that finds it more often is preferred.
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

/// Each is tried once, in the first game that has it; those of the link are in every game.
#[test]
fn faults_are_listed_once_and_name_their_game() {
    let mut names = BTreeSet::new();
    for variant in faults() {
        let name = variant.fault.expect("a fault has a name");
        assert!(names.insert(name), "{name} is listed twice");
        let games = |name| sim::variants().iter().filter(move |v| v.fault == name);
        match variant.fault_in {
            "link" => assert_eq!(games(variant.fault).count(), games(None).count(), "{name}"),
            game => assert_eq!(game, variant.game, "{name}"),
        }
    }
    let fault_in = |name| sim::variant("tetris", Some(name)).map(|v| v.fault_in);
    assert_eq!(fault_in("top-row-lost"), Some("tetris"));
    assert_eq!(fault_in("queue-of-fifteen"), Some("link"));
}

/// The models tell apart what they are: their game, its lanes, their fault.
#[test]
fn a_model_is_found_by_game_and_fault() {
    for variant in sim::variants() {
        let found = sim::variant(variant.game, variant.fault).expect("it is listed");
        assert!(std::ptr::eq(found, variant), "{variant:?}");
    }
    let tetris = sim::variant("tetris", None).expect("the RTL as designed");
    assert_eq!(tetris.parameter("Lanes"), Some(1));
    assert_eq!(tetris.parameter("Wings"), None);
    assert!(sim::variant("chess", None).is_none());
    assert!(sim::variant("tetris", Some("no-such-fault")).is_none());
}

/// Every fault is a build of its own, and says so.
#[test]
fn no_two_models_have_the_same_build_id() {
    let ids: std::collections::BTreeSet<u32> = sim::variants().iter().map(|v| v.build_id).collect();
    assert_eq!(ids.len(), sim::variants().len());
}
