//! The RTL as designed passes every bench.

use std::collections::BTreeSet;

use lockstep_testbench::{BENCHES, Bench, CORES};

/// Seeds of each, from 0 on; for soaks `LOCKSTEP_CASES` says how many, and `LOCKSTEP_SEED` the first.
fn seeds() -> std::ops::Range<u64> {
    let number = |name| std::env::var(name).ok().and_then(|n| n.parse().ok());
    let first = number("LOCKSTEP_SEED").unwrap_or(0);
    first..first + number("LOCKSTEP_CASES").unwrap_or(4)
}

fn passes(bench: &Bench) {
    for seed in seeds() {
        bench
            .run(None, seed)
            .unwrap_or_else(|e| panic!("{}, seed {seed}: {e}", bench.name));
    }
}

#[test]
fn every_module_is_what_its_plain_model_is() {
    BENCHES.iter().for_each(passes);
}

/// Beside the modules: it takes as long as all of them.
#[test]
fn every_core_is_what_its_plain_model_is() {
    CORES.iter().for_each(|(_, bench)| passes(bench));
}

#[test]
fn every_module_that_is_built_by_itself_has_a_bench() {
    let built: BTreeSet<&str> = sim::benches().collect();
    let run: BTreeSet<&str> = BENCHES.iter().map(|bench| bench.name).collect();
    assert_eq!(built, run);
}

/// An assertion is named, and where in the module it is.
#[test]
fn an_assertion_that_fails_is_named() {
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
