//! Measures how far the clocks of host and core may differ.

use protocol::layout::link;
use sim::{SimError, Variant};

use super::talk::wire;
use super::{CLOCK, FrameResult, Pins, Time, Wave, frame_results, margins_ppm, receive_ideally};

/// Rates in baud: at 100 MHz 8 to 100 clock cycles per bit, also with fractions.
pub const RATES: [u32; 11] = [
    12_500_000, 12_000_000, 10_000_000, 9_600_000, 8_000_000, 6_000_000, 4_000_000, 3_000_000,
    2_000_000, 1_500_000, 1_000_000,
];

/// Steps per unit of clock error: a step is 0.25 %.
const STEPS: i64 = 400;

/// Frames sent at each step, with edges at different fractions of a clock cycle.
const FRAMES: usize = 8;

/// Largest number of steps: an error of 10 %.
const MAX_STEPS: i64 = 40;

/// The direction of the host's clock error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockError {
    /// The host's clock is slow: its bits are longer.
    Slow,
    /// The host's clock is fast: its bits are shorter.
    Fast,
}

/// Length of the host's bits when its clock is `steps` quarters of a per cent slow or fast.
pub fn off(variant: &Variant, baud: u32, clock_error: ClockError, steps: i64) -> Time {
    let steps = match clock_error {
        ClockError::Slow => STEPS - steps,
        ClockError::Fast => STEPS + steps,
    };
    let whole = Time::from(variant.clock_hz) * CLOCK * STEPS.unsigned_abs();
    whole / (Time::from(baud) * steps.unsigned_abs())
}

/// Sends a request with each of the bit lengths `own`, without gaps; returns which were answered.
///
/// # Errors
/// When the core cannot run at the rate.
pub fn answered(variant: &'static Variant, baud: u32, own: &[Time]) -> Result<Vec<bool>, SimError> {
    /// An unknown request, whose refusal is as long as itself.
    const UNKNOWN: u8 = 0x0f;
    let mut pins = Pins::open(variant, baud, 0)?;
    let mut wave = Wave::new(true);
    wave.hold(true, 2 * pins.bit());
    for (seq, own) in (1..).zip(own) {
        wave.bytes(&wire(seq, UNKNOWN, &[seq as u8, 0x55]), *own);
        // The next edges are at another fraction of a clock cycle.
        wave.hold(true, Time::from(seq) * CLOCK / FRAMES as Time);
    }
    pins.play(&wave)?;
    // A reply is as long as its request.
    pins.idle(200)?;
    let frames = pins.frames();
    let refused = |seq| FrameResult::Good {
        seq,
        kind: link::ERROR.id,
        payload: vec![link::UNKNOWN_TYPE.number, UNKNOWN],
    };
    let numbers = (1..).take(own.len());
    Ok(numbers.map(|seq| frames.contains(&refused(seq))).collect())
}

/// The line of replies of several kinds that a core sends without gaps, and their frames.
fn sent_by(variant: &'static Variant, baud: u32) -> Result<(Wave, Vec<FrameResult>), SimError> {
    let mut pins = Pins::open(variant, baud, 0)?;
    let mut wave = Wave::new(true);
    wave.hold(true, 2 * pins.bit());
    for seq in 0..4 {
        let (ping, info) = (link::PING.id, link::INFO.id);
        let kind = if seq % 2 == 0 { info } else { ping };
        let nonce = [0, 0xff, 0x55, 0xaa, 0x7f, 0x80, 1, 0xfe];
        let payload: &[u8] = if kind == ping { &nonce } else { &[] };
        wave.bytes(&wire(seq, kind, payload), pins.bit());
    }
    pins.play(&wave)?;
    pins.idle(1_500)?;
    let sent = pins.take();
    let frames = frame_results(&receive_ideally(&sent, pins.bit()));
    Ok((sent, frames))
}

/// The computed margin in steps, see [`margins_ppm`].
///
/// # Errors
/// When the core cannot run at the rate.
pub fn computed(
    variant: &'static Variant,
    baud: u32,
    clock_error: ClockError,
) -> Result<i64, SimError> {
    let bit = Pins::open(variant, baud, 0)?.bit();
    let [slow, fast] = margins_ppm(bit).map(|ppm| ppm * bit / 1_000_000);
    let own = |steps| off(variant, baud, clock_error, steps);
    let inside = |steps: &i64| (bit - fast..=bit + slow).contains(&own(*steps));
    Ok((1..=MAX_STEPS).take_while(inside).count() as i64)
}

/// Whether the core receives all frames if the host's clock is `steps` steps off.
///
/// The edges of the frames lie at many fractions of a clock cycle.
///
/// # Errors
/// When the core cannot run at the rate.
pub fn holds(
    variant: &'static Variant,
    baud: u32,
    clock_error: ClockError,
    steps: i64,
) -> Result<bool, SimError> {
    let own = off(variant, baud, clock_error, steps);
    Ok(!answered(variant, baud, &[own; FRAMES])?.contains(&false))
}

/// The largest clock errors of the host, in steps, at which all frames are received: to the core as
/// computed, to the core as measured, and from the core to an ideal receiver as measured.
///
/// # Errors
/// When the core cannot run at the rate.
pub fn measured(
    variant: &'static Variant,
    baud: u32,
    clock_error: ClockError,
) -> Result<[i64; 3], SimError> {
    let mut to_core = 0;
    while to_core < MAX_STEPS && holds(variant, baud, clock_error, to_core + 1)? {
        to_core += 1;
    }
    let (wave, frames) = sent_by(variant, baud)?;
    let received = |steps: &i64| {
        let own = off(variant, baud, clock_error, *steps);
        frame_results(&receive_ideally(&wave, own)) == frames
    };
    let from_core = (1..=MAX_STEPS).take_while(received).count() as i64;
    Ok([computed(variant, baud, clock_error)?, to_core, from_core])
}
