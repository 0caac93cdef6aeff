//! `uart_tx`: its output equals an ideal line, sampled by the clock.

use super::increment;
use crate::line::FRAME_BITS;
use crate::random::Random;
use crate::stream::Source;
use crate::{Failure, Trial};

/// Bytes without gaps on the ideal line.
struct Row {
    increment: u64,
    /// Clock cycles since the beginning of the first start bit.
    cycles: u64,
    bytes: Vec<u8>,
}

impl Row {
    /// Number of bits that are complete in `cycles` clock cycles from now.
    fn bits(&self, cycles: u64) -> u64 {
        ((self.cycles + cycles) * self.increment) >> 24
    }

    /// The level now; high after the last stop bit.
    fn level(&self) -> bool {
        let (byte, bit) = (self.bits(0) / FRAME_BITS, self.bits(0) % FRAME_BITS);
        let frame = |byte: &u8| 1 << (FRAME_BITS - 1) | u32::from(*byte) << 1;
        let byte = self.bytes.get(byte as usize).map(frame);
        byte.is_none_or(|bits| bits >> bit & 1 == 1)
    }

    /// Whether the last stop bit is in its last clock cycle or complete.
    fn ready(&self) -> bool {
        self.bits(1) >= FRAME_BITS * self.bytes.len() as u64
    }

    fn over(&self) -> bool {
        self.bits(0) >= FRAME_BITS * self.bytes.len() as u64
    }
}

/// Random clock cycles before the next byte is offered.
fn gap(random: &mut Random) -> u64 {
    match random.chance(60) {
        true => 0,
        false => random.between(0, 300),
    }
}

/// Bytes with and without gaps, at several rates.
pub fn run(trial: &mut Trial) -> Result<(), Failure> {
    let mut source = Source::new("valid_i", "ready_o", &["data_i"]);
    for _ in 0..6 {
        let increment = increment(&mut trial.random);
        trial.put("baud_inc_i", increment);
        let mut row: Option<Row> = None;
        let mut wait = gap(&mut trial.random);
        let mut left = 14;
        while left > 0 || source.left() > 0 || row.is_some() {
            if source.left() == 0 && left > 0 {
                if wait == 0 {
                    let byte = trial.random.byte();
                    source.push(vec![byte.into()]);
                    left -= 1;
                    wait = gap(&mut trial.random);
                } else {
                    wait -= 1;
                }
            }
            source.drive(trial);
            trial.settle()?;
            let level = row.as_ref().is_none_or(Row::level);
            trial.expect("tx_o", level)?;
            let is_ready = row.as_ref().is_none_or(Row::ready);
            trial.expect("ready_o", is_ready)?;
            let byte = source.take(trial).map(|byte| byte[0] as u8);
            trial.clock()?;
            match (&mut row, byte) {
                (Some(row), byte) => {
                    row.cycles += 1;
                    row.bytes.extend(byte);
                }
                (None, Some(byte)) => {
                    row = Some(Row {
                        increment: increment.into(),
                        cycles: 0,
                        bytes: vec![byte],
                    });
                }
                (None, None) => {}
            }
            row = row.filter(|row| !row.over());
        }
    }
    Ok(())
}
