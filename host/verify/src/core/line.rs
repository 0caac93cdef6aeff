//! What a serial line can do to a core: rates that change, breaks, damaged bytes, silence.

use protocol::layout::{GameTable, link};
use protocol::payload::link::{Ping, SetRate};
use sim::{Depth, Variant};

use super::talk::Talk;
use crate::Failure;
use crate::coverage::Watch;

const BASE: u32 = 3_000_000;
/// Rates to change to.
const RATES: [u32; 4] = [12_500_000, 1_000_000, 6_250_000, BASE];

/// All of it, with clocks that are the same and with clocks that differ.
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

/// Rates that change, and breaks, between clocks that differ so much.
pub(crate) fn changes(
    core: &'static Variant,
    game: &'static GameTable,
    skew_ppm: i32,
    power_up: u32,
) -> Result<Talk, Failure> {
    let baud = BASE;
    let mut talk = Talk::open(core, game, Depth::Pins { baud, skew_ppm }, power_up)?;
    // After power-up the line has to be high for a while.
    talk.port.advance(1_000)?;
    ping(&mut talk, 1)?;
    rates(&mut talk, core.clock_hz)?;
    breaks(&mut talk)?;
    Ok(talk)
}

fn ping(talk: &mut Talk, nonce: u64) -> Result<(), Failure> {
    let ping = Ping { nonce }.encode();
    talk.served(link::PING.id, ping.as_ref(), link::PONG.id)
        .map(drop)
}

fn set_rate(talk: &mut Talk, baud: u32, clock_hz: u32) -> Result<(), Failure> {
    let increment = protocol::rate::increment(baud, clock_hz).unwrap_or(0);
    let rate = SetRate { increment }.encode();
    talk.served(link::SET_RATE.id, rate.as_ref(), link::SET_RATE_REPLY.id)?;
    Ok(talk.port.set_rate(baud)?)
}

fn rates(talk: &mut Talk, clock_hz: u32) -> Result<(), Failure> {
    for (nonce, baud) in (0..).zip(RATES) {
        set_rate(talk, baud, clock_hz)?;
        ping(talk, nonce)?;
    }
    Ok(())
}

/// A break between frames, within one, and right behind another one.
fn breaks(talk: &mut Talk) -> Result<(), Failure> {
    talk.port.send_break();
    ping(talk, 2)?;
    talk.bytes(&[0x05, 0x11]);
    talk.port.send_break();
    // The decoder that reads along sees it as the end of that frame.
    talk.bytes(&[0]);
    ping(talk, 3)?;
    talk.port.send_break();
    talk.port.send_break();
    ping(talk, 4)
}

/// Bytes of other rates: stop bits that are low, pulses too short for a start bit.
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

/// Another rate, and no good frame for so long that the base rate comes back.
fn back_to_the_base_rate(talk: &mut Talk, core: &Variant) -> Result<(), Failure> {
    set_rate(talk, RATES[0], core.clock_hz)?;
    talk.port.advance(u64::from(core.rate_hold) + 1_000)?;
    talk.port.set_rate(BASE)?;
    talk.bytes(&[0]);
    ping(talk, 5)?;
    // A break while the reply to a request for another rate is on its way
    let increment = protocol::rate::increment(RATES[1], core.clock_hz).unwrap_or(0);
    let rate = SetRate { increment }.encode();
    talk.send(link::SET_RATE.id, rate.as_ref());
    talk.port.send_break();
    talk.receive()?;
    talk.port.advance(20_000)?;
    talk.bytes(&[0]);
    ping(talk, 6)
}

/// Resets while the reply to a request for a rate is put together, which takes some clock cycles
/// behind the last byte of the reply before: at each of the times about then.
fn resets_of_a_rate(core: &'static Variant, game: &'static GameTable) -> Result<Watch, Failure> {
    let [baud, ..] = RATES;
    let depth = Depth::Pins { baud, skew_ppm: 0 };
    let mut talk = Talk::open(core, game, depth, 4)?;
    talk.port.advance(1_000)?;
    let increment = protocol::rate::increment(baud, core.clock_hz).unwrap_or(0);
    let rate = SetRate { increment }.encode();
    for pause in (800..1_100).step_by(5) {
        talk.send(link::INFO.id, &[]);
        talk.send(link::SET_RATE.id, rate.as_ref());
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
