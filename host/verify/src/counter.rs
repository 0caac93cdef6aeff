//! `sat_counter`: counts events and stops at its maximum.

use crate::{Failure, Trial};

/// A counter of 17 bits, driven beyond its maximum: no carry is lost.
pub fn wide(trial: &mut Trial) -> Result<(), Failure> {
    trial.put("inc_i", true);
    for events in 0..(1 << 17) + 10 {
        trial.expect("count_o", 0x1_ffff.min(events))?;
        trial.clock()?;
    }
    Ok(())
}

/// A counter of three bits, with resets.
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
