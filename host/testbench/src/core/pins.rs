//! The core at its pins, for a short time.

use protocol::Decoder;
use protocol::layout::link;
use sim::{Depth, Inputs, Model, Port, SimError, Start, Variant};

use super::conversation::PATIENCE;
use crate::random::Random;
use crate::{Failure, cobs, frames};

/// Increment of eight clock cycles a bit.
pub const FASTEST: u32 = link::MAX_INCREMENT;

/// Lines of a rate that changes, both ends of it at once, and pings right behind.
pub fn at_the_pins(variant: &'static Variant, random: &mut Random) -> Result<(), Failure> {
    const BASE: u32 = 3_000_000;
    let differs = |port: &Port, what: String| {
        let cycle = port.cycles();
        Err(Failure::Differs { cycle, what })
    };
    let frame_to = |port: &mut Port, seq: u8, kind: u8, payload: &[u8]| {
        port.send(&cobs::encoded(&frames::raw([seq, 0, kind], payload)));
    };
    // The reply's payload
    let reply_from = |port: &mut Port| -> Result<Vec<u8>, SimError> {
        let mut decoder = Decoder::new();
        loop {
            if let Some(frame) = decoder.push(port.receive(PATIENCE)?) {
                return Ok(
                    frame.map_or_else(|_| b"damaged".to_vec(), |frame| frame.payload.to_vec())
                );
            }
        }
    };
    let skew_ppm = random.choice(&[0, -15_000, 15_000]);
    let depth = Depth::Pins {
        baud: BASE,
        skew_ppm,
    };
    let start = Start {
        power_up: random.power_up(),
        ..Start::of(variant)
    };
    let mut port = Port::open_started(variant, depth, start)?;
    port.send(&[0]);
    for (seq, baud) in [12_500_000, 1_000_000, 6_250_000, BASE]
        .into_iter()
        .enumerate()
    {
        let increment = protocol::rate::increment(baud, variant.clock_hz).unwrap_or(0);
        let seq = seq as u8;
        frame_to(&mut port, seq, link::SET_RATE.id, &increment.to_le_bytes());
        let payload = reply_from(&mut port)?;
        if !payload.is_empty() {
            return differs(&port, format!("set_rate is answered by {payload:02x?}"));
        }
        port.set_rate(baud)?;
        for _ in 0..3 {
            let nonce = random.bytes(8);
            frame_to(&mut port, seq, link::PING.id, &nonce);
            let payload = reply_from(&mut port)?;
            if payload != nonce {
                return differs(
                    &port,
                    format!("at {baud} baud {nonce:02x?} is {payload:02x?}"),
                );
            }
        }
    }
    Ok(())
}

/// At its pins a core has nothing to say behind them.
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
                let what = "a byte comes beside the pins".into();
                return Err(Failure::Differs { cycle, what });
            }
        }
    }
    Ok(())
}
