//! The UART: `uart_tx`, `uart_rx`, `uart_rate`; `cosim_link`, which holds a raised rate.

pub mod hold;
pub mod rate;
pub mod receiver;
pub mod transmitter;

use crate::random::Random;

/// A random phase increment for bits of 8 to 40 clock cycles, often of the shortest bits.
///
/// A bit is rarely a whole number of cycles.
fn increment(random: &mut Random) -> u32 {
    let least = (1 << 24) / random.choice(&[9, 12, 40]);
    match random.chance(20) {
        true => random.choice(&[1 << 21, 1 << 20, (1 << 24) / 12, 2_013_266]),
        false => random.between(least, 1 << 21) as u32,
    }
}
