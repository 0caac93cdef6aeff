//! A serial line in continuous time, with a sender that has its own clock and makes errors.
//!
//! Read in this order: [`Wave`] is the level of the line over time, drawn from [`Symbol`]s.
//! [`receive`] is a plain receiver, written from the line format and not from the RTL, which marks
//! what depends on less than a clock cycle as unsure. [`frame_results`] decodes frames from its
//! bytes. A [`Sender`] draws lines with errors. [`Pins`] is a whole core at a line, and [`talk`] a
//! conversation with it. [`measured`] measures how far the clocks may differ.

mod frames;
mod pins;
mod receive;
mod sender;
mod serial;
mod sweep;
mod talk;
mod wave;

pub use frames::{FrameResult, frame_results, tally};
pub use pins::Pins;
pub use receive::{Event, TimedEvent, receive, receive_ideally};
pub use sender::Sender;
pub(crate) use serial::Serial;
pub use sweep::{ClockError, RATES, answered, computed, holds, measured, off};
pub use talk::{LineErrors, talk};
pub use wave::{Symbol, Wave};

/// A point in time or a duration, in 2^-20 of a clock cycle of the core.
pub type Time = u64;

/// The duration of a clock cycle.
pub const CLOCK: Time = 1 << 20;

/// Bits of a byte on the line: start, eight data, stop.
pub const FRAME_BITS: u64 = 10;

/// Length of a bit of the core's UART, whose 24-bit phase overflows once per bit.
pub fn bit_time(increment: u32) -> Time {
    (CLOCK << 24) / Time::from(increment)
}

/// The largest clock errors at which every byte is received, in millionths: slow, fast.
///
/// These are how much longer and how much shorter a sender's bits may be than the receiver's.
///
/// Let a bit have T clock cycles. The receiver takes its n-th sample n − ½ bits after the edge of
/// the start bit. It sees the edge up to one clock cycle late, and may sample up to another one
/// late; it compensates for one of the two. So a sample is less than one clock cycle early or late.
/// If the sender is slow, with bits of (1 + e) T, the stop bit must have begun at the tenth sample:
/// 9 (1 + e) T ≤ 9½ T − 1. If it is fast, the stop bit must not have ended by then, as another byte
/// may follow at once: 10 (1 − e) T ≥ 9½ T + 1. Hence (½ T − 1) / 9 T and (½ T − 1) / 10 T.
pub fn margins_ppm(bit: Time) -> [u64; 2] {
    let half = (bit / 2).saturating_sub(CLOCK);
    [FRAME_BITS - 1, FRAME_BITS].map(|bits| half * 1_000_000 / (bits * bit))
}

#[cfg(test)]
mod tests;
