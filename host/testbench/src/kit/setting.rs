//! `setting_register`: bytes in, all of them back, resets at any time.

use crate::stream::garbage;
use crate::{Failure, Trial};

/// Bytes that the module was built for.
const BYTES: usize = 5;

/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let bench = &trial.bench;
    let [reset, load, byte, set, turn] =
        ["rst_ni", "load_i", "byte_i", "set_i", "turn_i"].map(|name| bench.input(name));
    let [reset, load, byte, set, turn] = [reset?, load?, byte?, set?, turn?];
    let [first, is_set, value] = ["byte_o", "set_o", "value_o"].map(|name| bench.output(name));
    let [first, is_set, value] = [first?, is_set?, value?];

    // The bytes that were loaded, the last ones at most, and whether they hold
    let (mut held, mut holds) = (Vec::new(), false);
    for _ in 0..5_000 {
        let loads = trial.random.chance(40).then(|| trial.random.byte());
        let turns = loads.is_none() && trial.random.chance(50);
        let sets = trial.random.chance(2);
        let running = trial.random.below(100) != 0;
        garbage(&mut trial.bench, byte, &mut trial.random);
        trial.bench.put(load, loads.is_some());
        if let Some(loaded) = loads {
            trial.bench.put(byte, loaded);
        }
        trial.bench.put(turn, turns);
        trial.bench.put(set, sets);
        trial.bench.put(reset, running);
        trial.bench.settle()?;

        let got = trial.bench.get(is_set) == 1;
        trial.same("set_o", &got, &holds)?;
        if held.len() == BYTES {
            let oldest: u64 = u64::from(held[0]);
            trial.same("byte_o", &trial.bench.get(first), &oldest)?;
            let bytes = held.iter().rev();
            let all = bytes.fold(0, |all, held| all << 8 | u64::from(*held));
            trial.same("value_o", &trial.bench.get(value), &all)?;
        }
        trial.bench.clock()?;

        if turns && held.len() == BYTES {
            held.rotate_left(1);
        } else if turns {
            // What was there before is not known.
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
