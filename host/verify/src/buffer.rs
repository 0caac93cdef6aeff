//! `stream_buffer`: a queue of two entries, with resets at any time.

use std::collections::VecDeque;

use crate::stream::{Sink, Source};
use crate::{Failure, Trial};

pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut source = Source::new("valid_i", "ready_o", &["data_i"]);
    let mut sink = Sink::new("valid_o", "ready_i", &["data_o"]);
    let mut inside: VecDeque<Vec<u64>> = VecDeque::new();
    for number in 0..2_000_u64 {
        if trial.random.chance(3) {
            source.clear();
            inside.clear();
            source.drive(trial);
            trial.reset()?;
        }
        source.push(vec![number & 0x1ff]);
        source.drive(trial);
        sink.drive(trial);
        trial.settle()?;
        trial.expect("ready_o", inside.len() < 2)?;
        trial.same("data_o", &sink.offered(trial).as_ref(), &inside.front())?;
        if sink.take(trial).is_some() {
            inside.pop_front();
        }
        inside.extend(source.take(trial));
        trial.clock()?;
    }
    Ok(())
}
