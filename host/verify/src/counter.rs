//! `sat_counter`: counts, and stops at its maximum.

use crate::{Failure, Trial};

/// One of 17 bits, beyond its maximum: no carry is lost.
pub fn wide(trial: &mut Trial) -> Result<(), Failure> {
    trial.put("inc_i", true);
    for events in 0..(1 << 17) + 10 {
        trial.expect("count_o", 0x1_ffff.min(events))?;
        trial.clock()?;
    }
    Ok(())
}

/// One of three bits.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut expected = 0;
    for _ in 0..500 {
        trial.expect("count_o", expected)?;
        let (event, running) = (trial.random.chance(70), !trial.random.chance(4));
        trial.put("inc_i", event);
        trial.put("rst_ni", running);
        trial.clock()?;
        expected = match (running, event) {
            (false, _) => 0,
            (true, event) => 7.min(expected + u64::from(event)),
        };
    }
    Ok(())
}
