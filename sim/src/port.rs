//! A model with a host's end of its byte stream, in simulated time.

use std::collections::VecDeque;

use protocol::rate::increment;

use crate::model::{Inputs, Model};
use crate::pins::{MIN_BAUD, Received, Receiver, Time, Transmitter};
use crate::{SimError, Variant};

/// Where the host's end is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Behind the UART: a byte a clock cycle.
    Bytes,
    /// At the pins, bit by bit.
    Pins {
        /// Rate of the RTL's UART.
        baud: u32,
        /// The host's rate against it, in millionths, up to a tenth either
        /// way: real clocks differ.
        skew_ppm: i32,
    },
}

enum Line {
    Bytes(VecDeque<u8>),
    Pins {
        /// Length of a clock cycle in the unit of `pins`.
        tick: Time,
        baud_inc: u32,
        tx: Transmitter,
        rx: Receiver,
    },
}

/// A model and the bytes that go in and out of it. Time passes only in
/// [`Port::receive`] and [`Port::advance`].
pub struct Port {
    model: Model,
    line: Line,
    /// Bytes that came while nobody waited, the first one first.
    received: VecDeque<u8>,
}

impl Port {
    /// Makes a model, resets it and connects to it.
    ///
    /// # Errors
    /// When the model cannot be made or its clock does not allow the baud rate.
    pub fn open(variant: &'static Variant, depth: Depth) -> Result<Self, SimError> {
        let line = match depth {
            Depth::Bytes => Line::Bytes(VecDeque::new()),
            Depth::Pins { baud, skew_ppm } => pins(variant.clock_hz, baud, skew_ppm)?,
        };
        Ok(Self {
            model: Model::new(variant)?,
            line,
            received: VecDeque::new(),
        })
    }

    /// Clock cycles since power-up.
    pub fn cycles(&self) -> u64 {
        self.model.cycles()
    }

    /// Queues bytes for the model; they travel while time passes.
    pub fn send(&mut self, bytes: &[u8]) {
        match &mut self.line {
            Line::Bytes(queue) => queue.extend(bytes),
            Line::Pins { tx, .. } => tx.push(bytes),
        }
    }

    /// Queues a break: the line is held low for two bytes' time. Behind the
    /// UART there is no line, and nothing happens.
    pub fn send_break(&mut self) {
        if let Line::Pins { tx, .. } = &mut self.line {
            tx.push_break();
        }
    }

    /// The next byte the model sent; runs it until there is one.
    ///
    /// # Errors
    /// [`SimError::Hung`] when no byte came within `limit` clock cycles;
    /// otherwise when the RTL stops itself or breaks the line's framing.
    pub fn receive(&mut self, limit: u64) -> Result<u8, SimError> {
        if let Some(byte) = self.received.pop_front() {
            return Ok(byte);
        }
        let end = self.model.cycles().saturating_add(limit);
        while self.model.cycles() < end {
            if let Some(byte) = self.step(end)? {
                return Ok(byte);
            }
        }
        Err(SimError::Hung { limit })
    }

    /// Lets that many clock cycles pass. Bytes the model sends meanwhile are
    /// kept for [`Port::receive`].
    ///
    /// # Errors
    /// When the RTL stops itself or breaks the line's framing.
    pub fn advance(&mut self, cycles: u64) -> Result<(), SimError> {
        let end = self.model.cycles().saturating_add(cycles);
        while self.model.cycles() < end {
            let byte = self.step(end)?;
            self.received.extend(byte);
        }
        Ok(())
    }

    /// Runs the model to its next event, at most to the cycle `end`.
    fn step(&mut self, end: u64) -> Result<Option<u8>, SimError> {
        let left = end - self.model.cycles();
        match &mut self.line {
            Line::Bytes(queue) => step_bytes(&mut self.model, queue, left),
            Line::Pins {
                tick,
                baud_inc,
                tx,
                rx,
            } => step_pins(&mut self.model, *tick, *baud_inc, tx, rx, left),
        }
    }
}

/// No serial line works beyond some 5 %.
const MAX_SKEW_PPM: u32 = 100_000;

fn pins(clock_hz: u32, baud: u32, skew_ppm: i32) -> Result<Line, SimError> {
    if skew_ppm.unsigned_abs() > MAX_SKEW_PPM {
        return Err(SimError::Skew { skew_ppm });
    }
    let baud_inc = increment(baud, clock_hz)
        .filter(|_| baud >= MIN_BAUD)
        .ok_or(SimError::Baud { baud, clock_hz })?;
    // In millionths of the unit of `pins`, for the skew.
    let bit_time = Time::from(clock_hz) * 1_000_000;
    let tick = Time::from(baud) * Time::from((1_000_000 + i64::from(skew_ppm)).unsigned_abs());
    Ok(Line::Pins {
        tick,
        baud_inc,
        tx: Transmitter::new(tick, bit_time),
        rx: Receiver::new(bit_time),
    })
}

fn step_bytes(
    model: &mut Model,
    queue: &mut VecDeque<u8>,
    left: u64,
) -> Result<Option<u8>, SimError> {
    let byte = queue.pop_front();
    let inputs = Inputs {
        byte_link: true,
        byte,
        byte_ready: true,
        ..Inputs::default()
    };
    let cycles = if byte.is_some() { 1 } else { left };
    Ok(model.run(&inputs, cycles)?.byte)
}

/// Runs to the next edge or sample of either direction.
fn step_pins(
    model: &mut Model,
    tick: Time,
    baud_inc: u32,
    tx: &mut Transmitter,
    rx: &mut Receiver,
    left: u64,
) -> Result<Option<u8>, SimError> {
    let now = Time::from(model.cycles()) * tick;
    let (level, edge) = tx.drive(now);
    let next = [edge, rx.due()].into_iter().flatten().min();
    let cycles = next.map_or(left, |at| {
        let cycles = at.saturating_sub(now).div_ceil(tick).max(1);
        u64::try_from(cycles).unwrap_or(left)
    });
    let inputs = Inputs {
        baud_inc,
        uart_rx: level,
        ..Inputs::default()
    };
    let outputs = model.run(&inputs, cycles.min(left))?;
    match rx.see(Time::from(model.cycles()) * tick, outputs.uart_tx) {
        None => Ok(None),
        Some(Received::Byte(byte)) => Ok(Some(byte)),
        Some(Received::NoStopBit) => Err(SimError::Framing {
            cycle: model.cycles(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PINS: Depth = Depth::Pins {
        baud: 3_000_000,
        skew_ppm: 0,
    };

    fn open(depth: Depth) -> Port {
        let port = Port::open(&crate::variants()[0], depth);
        port.unwrap_or_else(|e| panic!("{depth:?}: {e}"))
    }

    /// An info request behind a zero, as a host opens a line: the receiver has to
    /// see it high before it takes a byte.
    fn request() -> Vec<u8> {
        let frame = protocol::Frame {
            seq: 1,
            kind: protocol::layout::link::INFO.id,
            payload: &[],
        };
        let wire = protocol::frame::encode(&frame).expect("short");
        [&[protocol::frame::DELIMITER], wire.as_ref()].concat()
    }

    fn receive_frame(port: &mut Port) -> Vec<u8> {
        let mut bytes = Vec::new();
        while bytes.last() != Some(&protocol::frame::DELIMITER) {
            bytes.push(port.receive(20_000).expect("a reply"));
        }
        bytes
    }

    #[test]
    fn time_passes_by_as_many_cycles_as_are_asked_for() {
        for depth in [Depth::Bytes, PINS] {
            let mut port = open(depth);
            for cycles in [0, 1, 7, 1_000] {
                let before = port.cycles();
                port.advance(cycles).expect("nothing is wrong");
                assert_eq!(port.cycles() - before, cycles, "{depth:?}");
            }
        }
    }

    /// A reply that comes while nobody waits is the reply that is waited for.
    #[test]
    fn bytes_that_come_meanwhile_are_kept_in_order() {
        for depth in [Depth::Bytes, PINS] {
            let mut waited = open(depth);
            waited.send(&request());
            let expected = receive_frame(&mut waited);
            let took = waited.cycles();

            let mut port = open(depth);
            port.send(&request());
            // In two parts, one of them in the middle of the reply.
            port.advance(took - port.cycles() - 5).expect("running");
            port.advance(10_000).expect("running");
            let before = port.cycles();
            assert_eq!(receive_frame(&mut port), expected, "{depth:?}");
            assert_eq!(port.cycles(), before, "no time passes for what has come");
            // What comes later comes after it.
            port.send(&request());
            assert_eq!(receive_frame(&mut port), expected, "{depth:?}");
        }
    }

    #[test]
    fn a_limit_is_kept_to_the_cycle() {
        for depth in [Depth::Bytes, PINS] {
            let mut port = open(depth);
            let before = port.cycles();
            let error = port.receive(321).expect_err("it was asked nothing");
            assert_eq!(error, SimError::Hung { limit: 321 });
            assert_eq!(port.cycles() - before, 321, "{depth:?}");
            assert_eq!(port.receive(0), Err(SimError::Hung { limit: 0 }));
        }
    }
}
