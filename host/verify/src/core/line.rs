//! The bench of a core's serial line: changing rates, breaks, damaged bytes, silence.

use protocol::layout::{GameTable, link};
use sim::{Depth, Variant};

use super::talk::Talk;
use crate::Failure;
use crate::coverage::Watch;

const BASE: u32 = 3_000_000;
/// The rates to change to.
const RATES: [u32; 4] = [12_500_000, 1_000_000, 6_250_000, BASE];

/// Runs the bench, with equal and with different clocks.
pub(crate) fn run(core: &'static Variant, game: &'static GameTable) -> Result<Vec<Watch>, Failure> {
    let mut talk = changes(core, game, 0, 1)?;
    damaged(&mut talk)?;
    back_to_the_base_rate(&mut talk, core)?;
    Ok(vec![
        talk.end(),
        changes(core, game, 20_000, 2)?.end(),
        changes(core, game, -20_000, 3)?.end(),
        resets_of_a_rate(core, game)?,
    ])
}

/// Changing rates and breaks, with a clock difference of `skew_ppm`.
pub(crate) fn changes(
    core: &'static Variant,
    game: &'static GameTable,
    skew_ppm: i32,
    power_up: u32,
) -> Result<Talk, Failure> {
    let baud = BASE;
    let mut talk = Talk::open(core, game, Depth::Pins { baud, skew_ppm }, power_up)?;
    // After power-up the line must be high for some time.
    talk.port.advance(1_000)?;
    ping(&mut talk, 1)?;
    rates(&mut talk, core.clock_hz)?;
    breaks(&mut talk)?;
    Ok(talk)
}

fn ping(talk: &mut Talk, nonce: u64) -> Result<(), Failure> {
    let nonce = nonce.to_le_bytes();
    talk.served(link::PING.id, &nonce).map(drop)
}

/// The payload of a `set_rate` request.
fn payload(baud: u32, clock_hz: u32) -> Vec<u8> {
    let increment = protocol::rate::increment(baud, clock_hz).unwrap_or(0);
    increment.to_le_bytes().to_vec()
}

fn set_rate(talk: &mut Talk, baud: u32, clock_hz: u32) -> Result<(), Failure> {
    let rate = payload(baud, clock_hz);
    talk.served(link::SET_RATE.id, &rate)?;
    Ok(talk.port.set_rate(baud)?)
}

fn rates(talk: &mut Talk, clock_hz: u32) -> Result<(), Failure> {
    for (nonce, baud) in (0..).zip(RATES) {
        set_rate(talk, baud, clock_hz)?;
        ping(talk, nonce)?;
    }
    Ok(())
}

/// A break between frames, within a frame, and directly after another break.
fn breaks(talk: &mut Talk) -> Result<(), Failure> {
    talk.port.send_break();
    ping(talk, 2)?;
    talk.bytes(&[0x05, 0x11]);
    talk.port.send_break();
    // Ends the frame for the decoder of the watch.
    talk.bytes(&[0]);
    ping(talk, 3)?;
    talk.port.send_break();
    talk.port.send_break();
    ping(talk, 4)
}

/// Bytes at other rates, which give low stop bits and pulses too short for a start bit.
fn damaged(talk: &mut Talk) -> Result<(), Failure> {
    for baud in [BASE / 3, BASE / 2, BASE * 3, BASE * 10] {
        talk.port.set_rate(baud)?;
        talk.port.send(&[0x55, 0xaa, 0x0f, 0xff, 0x01, 0x80]);
        talk.port.advance(20_000)?;
        talk.port.set_rate(BASE)?;
        talk.bytes(&[0]);
        ping(talk, baud.into())?;
    }
    Ok(())
}

/// Sets another rate, then sends no good frame until the base rate returns.
fn back_to_the_base_rate(talk: &mut Talk, core: &Variant) -> Result<(), Failure> {
    set_rate(talk, RATES[0], core.clock_hz)?;
    talk.port.advance(u64::from(core.rate_hold) + 1_000)?;
    talk.port.set_rate(BASE)?;
    talk.bytes(&[0]);
    ping(talk, 5)?;
    // A break while the reply to a `set_rate` is being sent.
    talk.send(link::SET_RATE.id, &payload(RATES[1], core.clock_hz));
    talk.port.send_break();
    talk.receive()?;
    talk.port.advance(20_000)?;
    talk.bytes(&[0]);
    ping(talk, 6)
}

/// Resets in many of the cycles in which the reply to a `set_rate` is being built.
fn resets_of_a_rate(core: &'static Variant, game: &'static GameTable) -> Result<Watch, Failure> {
    let [baud, ..] = RATES;
    let depth = Depth::Pins { baud, skew_ppm: 0 };
    let mut talk = Talk::open(core, game, depth, 4)?;
    talk.port.advance(1_000)?;
    let rate = payload(baud, core.clock_hz);
    for pause in (800..1_100).step_by(5) {
        talk.send(link::INFO.id, &[]);
        talk.send(link::SET_RATE.id, &rate);
        while !talk.port.has_sent() {
            talk.port.advance(1)?;
        }
        talk.port.advance(pause)?;
        let reset = talk.send(link::RESET.id, &[]);
        while talk.receive()?.seq != reset {}
    }
    ping(&mut talk, 7)?;
    Ok(talk.end())
}
