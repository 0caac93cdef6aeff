//! `stream_buffer`: two places, first in, first out; resets at any time.

use std::collections::VecDeque;

use sim::Bits;

use crate::stream::{Sink, Source};
use crate::{Failure, Trial};

/// # Errors
/// What differs first.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut source = Source::new(&trial.bench, "valid_i", "ready_o", &["data_i"])?;
    let mut sink = Sink::new(&trial.bench, "valid_o", "ready_i", &["data_o"])?;
    let ready = trial.bench.output("ready_o")?;
    let reset = trial.bench.input("rst_ni")?;
    let mut inside: VecDeque<Vec<Bits>> = VecDeque::new();
    for number in 0..2_000_u64 {
        if trial.random.chance(3) {
            source.clear();
            inside.clear();
            source.drive(&mut trial.bench, &mut trial.random);
            trial.bench.put(reset, false);
            trial.bench.clock()?;
            trial.bench.put(reset, true);
        }
        let mut item = Bits::default();
        item.push(number, 9);
        source.push(vec![item]);
        source.drive(&mut trial.bench, &mut trial.random);
        sink.drive(&mut trial.bench, &mut trial.random);
        trial.bench.settle()?;
        trial.same(
            "ready_o",
            &(trial.bench.get(ready) == 1),
            &(inside.len() < 2),
        )?;
        trial.same(
            "data_o",
            &sink.offered(&trial.bench).as_ref(),
            &inside.front(),
        )?;
        if sink.take(&trial.bench).is_some() {
            inside.pop_front();
        }
        inside.extend(source.take(&trial.bench));
        trial.bench.clock()?;
    }
    Ok(())
}
