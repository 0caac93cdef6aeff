//! `sat_counter`: counts, and stops at its maximum.

use crate::{Failure, Trial};

/// One of 17 bits, beyond its maximum: no carry is lost.
///
/// # Errors
/// What differs first.
pub fn wide(trial: &mut Trial) -> Result<(), Failure> {
    let count = trial.bench.input("inc_i")?;
    let counted = trial.bench.output("count_o")?;
    trial.bench.put(count, true);
    for events in 0..(1 << 17) + 10 {
        trial.same("count_o", &trial.bench.get(counted), &0x1_ffff.min(events))?;
        trial.bench.clock()?;
    }
    Ok(())
}

/// One of three bits.
///
/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let count = trial.bench.input("inc_i")?;
    let reset = trial.bench.input("rst_ni")?;
    let counted = trial.bench.output("count_o")?;
    let mut expected = 0;
    for _ in 0..500 {
        trial.same("count_o", &trial.bench.get(counted), &expected)?;
        let (event, running) = (trial.random.chance(70), !trial.random.chance(4));
        trial.bench.put(count, event);
        trial.bench.put(reset, running);
        trial.bench.clock()?;
        expected = match (running, event) {
            (false, _) => 0,
            (true, event) => 7.min(expected + u64::from(event)),
        };
    }
    Ok(())
}
