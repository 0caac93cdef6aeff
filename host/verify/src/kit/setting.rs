//! `setting_register`: bytes are shifted in and read back, with resets at any time. With two sets
//! they are shifted into one while the other is in use.

use crate::{Failure, Trial};

/// Number of bytes, a parameter of the module.
const BYTES: usize = 5;

pub fn run(trial: &mut Trial, has_two_sets: bool) -> Result<(), Failure> {
    // The last bytes loaded, those in use, and whether the register is set.
    let (mut loaded, mut held, mut holds) = (Vec::new(), Vec::new(), false);
    for _ in 0..5_000 {
        let loads = trial.random.chance(40).then(|| trial.random.byte());
        let sets = trial.random.chance(2);
        let is_written = if has_two_sets { sets } else { loads.is_some() };
        let turns = !is_written && trial.random.chance(50);
        let running = trial.random.below(100) != 0;
        trial.put("load_i", loads.is_some());
        trial.put_some("byte_i", loads);
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
        if has_two_sets && sets {
            held.clone_from(&loaded);
        }
        let set = if has_two_sets { &mut loaded } else { &mut held };
        set.extend(loads);
        if set.len() > BYTES {
            set.remove(0);
        }
        holds = running && (holds || sets);
    }
    Ok(())
}
