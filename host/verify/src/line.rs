//! A serial line in continuous time: what a sender with a clock of its own puts
//! on it, also what no sender should, and what a receiver hears there.
//!
//! [`Wave`] is the line's level, drawn from [`Symbol`]s; [`hear`] is a plain
//! receiver, which knows the line and not the RTL, and says so where the line
//! leaves it open; [`judge`] makes frames of what it heard. A [`Sender`] draws
//! lines with errors; [`Pins`] is a whole core at the end of one, and [`talk`]
//! asks it things there; [`measured`] finds out how far the clocks may differ.

mod frames;
mod hear;
mod pins;
mod sender;
mod serial;
mod sweep;
mod talk;
mod wave;

pub use frames::{Judged, Tally, judge};
pub use hear::{Heard, What, hear, hear_ideally};
pub use pins::Pins;
pub use sender::Sender;
pub(crate) use serial::Serial;
pub use sweep::{Margin, RATES, Toward, answered, holds, measured, off, promised, sent_by};
pub use talk::{Trouble, talk};
pub use wave::{Symbol, Wave};

/// A point in time or a duration, in 2^-20 of a clock cycle of the core.
pub type Time = u64;

/// A clock cycle.
pub const CLOCK: Time = 1 << 20;

/// Bits of a byte on the line: start, eight data, stop.
pub const FRAME_BITS: u64 = 10;

/// Length of a bit of the core's UART: its phase of 24 bits overflows once a bit.
pub fn bit_time(increment: u32) -> Time {
    (CLOCK << 24) / Time::from(increment)
}

/// How far a sender's bits may be longer than the receiver's, and how far shorter,
/// in millionths, so that every byte is received.
///
/// With T clock cycles a bit the receiver takes its n-th sample n − ½ bits after
/// the edge of the start bit. It sees the edge up to a clock late, the sample
/// comes up to another one late, and it makes up for one of the two: in all a
/// sample is less than a clock early or late. Of a slow sender, whose bits are
/// (1 + e) T long, the stop bit must have begun when it is sampled for the tenth
/// time: 9 (1 + e) T ≤ 9½ T − 1. Of a fast one it must not be over when another
/// byte follows at once: 10 (1 − e) T ≥ 9½ T + 1. Hence (½ T − 1) / 9 T and
/// (½ T − 1) / 10 T.
pub fn margins_ppm(bit: Time) -> [u64; 2] {
    let half = (bit / 2).saturating_sub(CLOCK);
    [FRAME_BITS - 1, FRAME_BITS].map(|bits| half * 1_000_000 / (bits * bit))
}

#[cfg(test)]
mod tests;
