//! The RTL as designed passes all benches.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use lockstep_verify::{BENCHES, Bench, CORES};

/// The seeds of each bench: `LOCKSTEP_CASES` seeds (default 1) from `LOCKSTEP_SEED` (default 0) on.
fn seeds() -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let first = number("LOCKSTEP_SEED").unwrap_or(0);
    first..first + number("LOCKSTEP_CASES").unwrap_or(1)
}

/// The benches whose names begin with `LOCKSTEP_BENCH`; all if it is not set.
fn chosen<'a>(benches: impl Iterator<Item = (&'a str, &'a Bench)>) -> Vec<&'a Bench> {
    let wanted = std::env::var("LOCKSTEP_BENCH").unwrap_or_default();
    let has = |name: &str| name.starts_with(&wanted);
    let cores = CORES.iter().map(|(game, _)| *game);
    let known = BENCHES.iter().map(|bench| bench.name).chain(cores);
    assert!(
        known.into_iter().any(has),
        "LOCKSTEP_BENCH={wanted}: no bench has a name that begins so; they are in rtl/benches.txt and \
         rtl/games/"
    );
    let benches = benches.filter(|(name, _)| has(name));
    benches.map(|(_, bench)| bench).collect()
}

fn passes(bench: &Bench) {
    for seed in seeds() {
        bench
            .run(None, seed)
            .unwrap_or_else(|e| panic!("{}, seed {seed}: {e}", bench.name));
    }
}

/// Runs the benches on two threads: one after the other they would be the slowest of all tests.
#[test]
fn modules_equal_plain_models() {
    let modules = BENCHES.iter().map(|bench| (bench.name, bench));
    let queue = Mutex::new(chosen(modules).into_iter());
    let next = || queue.lock().unwrap_or_else(PoisonError::into_inner).next();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| std::iter::from_fn(next).for_each(passes));
        }
    });
}

/// A test apart from the modules, as it takes as long as all of them.
#[test]
fn cores_equal_plain_models() {
    let cores = CORES.iter().map(|(game, bench)| (*game, bench));
    chosen(cores).into_iter().for_each(passes);
}

#[test]
fn boards_show_the_decision() {
    for board in sim::boards() {
        lockstep_verify::shows_decision(board).unwrap_or_else(|e| panic!("{}: {e}", board.top));
    }
}

#[test]
fn modules_built_for_benches_all_have_one() {
    let built: BTreeSet<&str> = sim::benches().collect();
    let run: BTreeSet<&str> = BENCHES.iter().map(|bench| bench.name).collect();
    assert_eq!(built, run);
}

#[test]
fn failed_assertion_is_named_with_file_and_instance() {
    let bench = BENCHES.iter().find(|bench| bench.name == "cobs_encoder");
    let bench = bench.expect("it is listed");
    let failure = bench
        .run(Some("encoder-does-not-wait"), 0)
        .expect_err("a fault");
    let text = failure.to_string();
    for part in ["stream_buffer.sv:", "u_stream_buffer.InputHeld_A"] {
        assert!(text.contains(part), "{text}");
    }
}
