//! How far the clocks of host and core may differ.

use protocol::layout::link;
use sim::{SimError, Variant};

use super::talk::wire;
use super::{CLOCK, Judged, Pins, Time, Wave, hear_ideally, judge, margins_ppm};

/// Rates in baud: with 100 MHz 8 to 100 clock cycles a bit, also with fractions.
pub const RATES: [u32; 11] = [
    12_500_000, 12_000_000, 10_000_000, 9_600_000, 8_000_000, 6_000_000, 4_000_000, 3_000_000,
    2_000_000, 1_500_000, 1_000_000,
];

/// Steps of a clock's error in its whole: a quarter of a per cent.
const STEPS: i64 = 400;

/// Frames sent at each step, with their edges at other fractions of a clock.
const FRAMES: usize = 8;

/// Where steps end: a tenth.
const MOST: i64 = 40;

/// Which way the host's clock is off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Toward {
    /// Its bits are longer.
    Slow,
    /// Its bits are shorter.
    Fast,
}

/// Length of the host's bits when its clock is so many steps of a quarter of a per
/// cent slow or fast.
pub fn off(variant: &Variant, baud: u32, toward: Toward, steps: i64) -> Time {
    let steps = match toward {
        Toward::Slow => STEPS - steps,
        Toward::Fast => STEPS + steps,
    };
    let whole = Time::from(variant.clock_hz) * CLOCK * STEPS.unsigned_abs();
    whole / (Time::from(baud) * steps.unsigned_abs())
}

/// Sends a request for each of the lengths of a bit that the host is to have, one
/// right behind the other, and says which of them were answered.
///
/// # Errors
/// When the core cannot be run at that rate.
pub fn answered(variant: &'static Variant, baud: u32, own: &[Time]) -> Result<Vec<bool>, SimError> {
    /// A request that is refused: its reply has as many bytes.
    const UNKNOWN: u8 = 0x0f;
    let mut pins = Pins::open(variant, baud, 0)?;
    let mut wave = Wave::new(true);
    wave.hold(true, 2 * pins.bit());
    for (seq, own) in (1..).zip(own) {
        wave.bytes(&wire(seq, UNKNOWN, &[seq as u8, 0x55]), *own);
        // The next one's edges come at another fraction of a clock cycle.
        wave.hold(true, Time::from(seq) * CLOCK / FRAMES as Time);
    }
    pins.play(&wave)?;
    // An answer is as long as its request.
    pins.idle(200)?;
    let frames = pins.frames();
    let refused = |seq| Judged::Good {
        seq,
        kind: link::ERROR.id,
        payload: vec![link::UNKNOWN_TYPE.number, UNKNOWN],
    };
    let numbers = (1..).take(own.len());
    Ok(numbers.map(|seq| frames.contains(&refused(seq))).collect())
}

/// What a core sends: answers of all kinds, one right behind the other.
///
/// # Errors
/// When the core cannot be run at that rate.
pub fn sent_by(variant: &'static Variant, baud: u32) -> Result<(Wave, Vec<Judged>), SimError> {
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
    let frames = judge(&hear_ideally(&sent, pins.bit()));
    Ok((sent, frames))
}

/// How many steps the host's clock may be off at a rate: all frames get over at
/// every one up to there, and at the next one some do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin {
    /// Promised by the arithmetic, to the core.
    pub promised: i64,
    /// Measured, to the core.
    pub to_core: i64,
    /// Measured, from the core to an ideal receiver.
    pub from_core: i64,
}

/// How many steps the arithmetic promises: see [`margins_ppm`].
///
/// # Errors
/// When the core cannot be run at that rate.
pub fn promised(variant: &'static Variant, baud: u32, toward: Toward) -> Result<i64, SimError> {
    let bit = Pins::open(variant, baud, 0)?.bit();
    let [slow, fast] = margins_ppm(bit).map(|ppm| ppm * bit / 1_000_000);
    let own = |steps| off(variant, baud, toward, steps);
    let inside = |steps: &i64| (bit - fast..=bit + slow).contains(&own(*steps));
    Ok((1..=MOST).take_while(inside).count() as i64)
}

/// Whether frames get over to the core when the host's clock is so many steps off,
/// with their edges at many fractions of a clock cycle.
///
/// # Errors
/// When the core cannot be run at that rate.
pub fn holds(
    variant: &'static Variant,
    baud: u32,
    toward: Toward,
    steps: i64,
) -> Result<bool, SimError> {
    let own = off(variant, baud, toward, steps);
    Ok(!answered(variant, baud, &[own; FRAMES])?.contains(&false))
}

/// Measures a margin.
///
/// # Errors
/// When the core cannot be run at that rate.
pub fn measured(variant: &'static Variant, baud: u32, toward: Toward) -> Result<Margin, SimError> {
    let mut to_core = 0;
    while to_core < MOST && holds(variant, baud, toward, to_core + 1)? {
        to_core += 1;
    }
    let (wave, frames) = sent_by(variant, baud)?;
    let received = |steps: &i64| {
        let own = off(variant, baud, toward, *steps);
        judge(&hear_ideally(&wave, own)) == frames
    };
    Ok(Margin {
        promised: promised(variant, baud, toward)?,
        to_core,
        from_core: (1..=MOST).take_while(received).count() as i64,
    })
}
