//! The core at its pins, for a short time.

use protocol::layout::link;
use sim::{Inputs, Model, Variant};

use crate::line::{Wave, bit_time};
use crate::{Failure, cobs, frames};

/// Phase increment for bits of eight clock cycles.
pub const FASTEST: u32 = link::MAX_INCREMENT;

/// Checks that a core driven at its pins sends nothing over its byte link.
pub fn beside_the_pins(variant: &'static Variant) -> Result<(), Failure> {
    let mut model = Model::new(variant)?;
    let mut inputs = Inputs {
        baud_inc: FASTEST,
        ..Inputs::default()
    };
    let mut wave = Wave::new(true);
    wave.hold(true, 2 * bit_time(FASTEST));
    let request = frames::raw([1, 0, link::STATS.id], &[]);
    wave.bytes(&cobs::encoded(&request), bit_time(FASTEST));
    wave.hold(true, 40 * bit_time(FASTEST));
    for (level, clocks) in wave.clocked() {
        inputs.uart_rx = level;
        for _ in 0..clocks {
            if model.run(&inputs, 1)?.byte.is_some() {
                let cycle = model.cycles();
                let what = "a byte is sent over the byte link".into();
                return Err(Failure::Differs { cycle, what });
            }
        }
    }
    Ok(())
}
