//! The core at its pins, for a short time.

use protocol::layout::link;
use sim::{Inputs, Model, Variant};

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
    let mut bits = vec![true; 2];
    for byte in cobs::encoded(&frames::raw([1, 0, link::STATS.id], &[])) {
        bits.push(false);
        bits.extend((0..8).map(|k| byte >> k & 1 == 1));
        bits.push(true);
    }
    bits.extend([true; 40]);
    for bit in bits {
        inputs.uart_rx = bit;
        for _ in 0..8 {
            if model.run(&inputs, 1)?.byte.is_some() {
                let cycle = model.cycles();
                let what = "a byte is sent over the byte link".into();
                return Err(Failure::Differs { cycle, what });
            }
        }
    }
    Ok(())
}
