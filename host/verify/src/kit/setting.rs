//! `setting_register`: bytes are shifted in and read back, with resets at any time.

use crate::{Failure, Trial};

/// Number of bytes, a parameter of the module.
const BYTES: usize = 5;

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    // The last bytes loaded, and whether the register is set.
    let (mut held, mut holds) = (Vec::new(), false);
    for _ in 0..5_000 {
        let loads = trial.random.chance(40).then(|| trial.random.byte());
        let turns = loads.is_none() && trial.random.chance(50);
        let sets = trial.random.chance(2);
        let running = trial.random.below(100) != 0;
        trial.garbage("byte_i");
        trial.put("load_i", loads.is_some());
        if let Some(loaded) = loads {
            trial.put("byte_i", loaded);
        }
        trial.put("turn_i", turns);
        trial.put("set_i", sets);
        trial.put("rst_ni", running);
        trial.settle()?;

        trial.expect("set_o", holds)?;
        if held.len() == BYTES {
            trial.expect("byte_o", held[0])?;
            let bytes = held.iter().rev();
            let all = bytes.fold(0, |all, held| all << 8 | u64::from(*held));
            trial.expect("value_o", all)?;
        }
        trial.clock()?;

        if turns && held.len() == BYTES {
            held.rotate_left(1);
        } else if turns {
            // The initial contents are unknown.
            held.clear();
        }
        held.extend(loads);
        if held.len() > BYTES {
            held.remove(0);
        }
        holds = running && (holds || sets);
    }
    Ok(())
}
