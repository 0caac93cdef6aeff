//! A model with the host's end of its byte stream, in simulated time.

use std::collections::VecDeque;

use protocol::rate::increment;

use crate::model::{Inputs, Model, RESET_CYCLES, Start};
use crate::pins::{MIN_BAUD, Received, Receiver, Symbol, TICK, Time, Transmitter, bit_time};
use crate::{SimError, Variant};

/// Where the host's end is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Behind the UART: a byte per clock cycle.
    Bytes,
    /// At the pins, bit by bit.
    Pins {
        /// Base rate of the RTL's UART, and of the host's end until [`Port::set_rate`].
        baud: u32,
        /// Deviation of the host's clock in millionths, at most 100,000 in either direction.
        skew_ppm: i32,
    },
}

/// The serial line.
struct Pins {
    baud_inc: u32,
    skew_ppm: i32,
    tx: Transmitter,
    rx: Receiver,
}

/// A model with the host's end of its line.
///
/// Time passes only in [`Port::receive`], [`Port::exchange`] and [`Port::advance`].
pub struct Port {
    clock_hz: u32,
    model: Model,
    /// The bytes and breaks that have not begun.
    queue: VecDeque<Symbol>,
    /// `None` behind the UART.
    pins: Option<Pins>,
    /// Whether the core works on a reply.
    busy: bool,
    reset: u64,
    /// The buttons that are pressed, one bit each, and the clock cycles for which they still are.
    buttons: u8,
    pressed: u64,
    /// Bytes received in [`Port::advance`], the first one first.
    received: VecDeque<u8>,
    framing_errors: u64,
}

impl Port {
    /// Creates a model, resets it and connects to it.
    ///
    /// # Errors
    /// When the model cannot be created or its clock does not allow the baud rate.
    pub fn open(variant: &'static Variant, depth: Depth) -> Result<Self, SimError> {
        Self::open_started(variant, depth, Start::of(variant))
    }

    /// As [`Self::open`], with other settings of the model.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_started(
        variant: &'static Variant,
        depth: Depth,
        start: Start,
    ) -> Result<Self, SimError> {
        let pins = match depth {
            Depth::Bytes => None,
            Depth::Pins { baud, skew_ppm } => Some(pins(variant.clock_hz, baud, skew_ppm)?),
        };
        Ok(Self {
            clock_hz: variant.clock_hz,
            model: Model::started(variant, start)?,
            queue: VecDeque::new(),
            pins,
            busy: false,
            reset: 0,
            buttons: 0,
            pressed: 0,
            received: VecDeque::new(),
            framing_errors: 0,
        })
    }

    /// Clock cycles since power-up.
    pub fn cycles(&self) -> u64 {
        self.model.cycles()
    }

    /// The model, to write waveforms.
    pub fn model(&mut self) -> &mut Model {
        &mut self.model
    }

    /// Queues bytes, which are sent as time passes.
    pub fn send(&mut self, bytes: &[u8]) {
        self.queue.extend(bytes.iter().copied().map(Symbol::Byte));
    }

    /// Queues a break, which holds the line low for the time of two bytes. No effect behind the
    /// UART.
    pub fn send_break(&mut self) {
        if self.pins.is_some() {
            self.queue.push_back(Symbol::Break);
        }
    }

    /// Sets the rate of the host's end, as a serial adapter does; the RTL keeps its own.
    ///
    /// A byte on the line in either direction is damaged. No effect behind the UART.
    ///
    /// # Errors
    /// When a bit would be shorter than a clock cycle, or the rate is below 50 baud; the rate is
    /// unchanged then.
    pub fn set_rate(&mut self, baud: u32) -> Result<(), SimError> {
        let clock_hz = self.clock_hz;
        if !(SLOWEST_HOST..=clock_hz).contains(&baud) {
            return Err(SimError::HostBaud { baud, clock_hz });
        }
        if let Some(pins) = &mut self.pins {
            let bit_time = bit_time(clock_hz, baud, pins.skew_ppm);
            pins.tx.set_bit_time(bit_time);
            pins.rx.set_bit_time(bit_time);
        }
        Ok(())
    }

    /// Presses the reset button: resets the model in its next clock cycles. The host's end
    /// continues.
    pub fn reset(&mut self) {
        self.reset = RESET_CYCLES;
    }

    /// Presses a button of a board for [`PRESS_CYCLES`], by its number on the wire.
    pub fn press(&mut self, button: u8) {
        self.buttons = 1 << button;
        self.pressed = PRESS_CYCLES;
    }

    /// Number of queued bytes and breaks that have not begun.
    pub fn queued(&self) -> usize {
        self.queue.len()
    }

    /// Clears the queue; a byte that has begun is completed.
    pub fn clear(&mut self) {
        self.queue.clear();
    }

    /// Whether all bytes have been sent, including the last stop bit.
    pub fn has_sent(&self) -> bool {
        self.queue.is_empty() && self.pins.as_ref().is_none_or(|pins| pins.tx.is_idle())
    }

    /// Whether the core works on a reply, see [`crate::Outputs::busy`].
    pub fn is_busy(&self) -> bool {
        self.busy
    }

    /// Whether nothing is queued, on the line or waiting to be received. The core may be busy.
    pub fn is_idle(&self) -> bool {
        let receives = self.pins.as_ref().is_some_and(|pins| !pins.rx.is_idle());
        self.has_sent() && !receives && self.received.is_empty()
    }

    /// Number of bytes received without a stop bit.
    pub fn framing_errors(&self) -> u64 {
        self.framing_errors
    }

    /// Receives a byte as a serial adapter does; `None` if none arrives within `limit` clock
    /// cycles.
    ///
    /// A byte without a stop bit is counted and returned as it was sampled.
    ///
    /// # Errors
    /// When an assertion of the RTL fails.
    pub fn exchange(&mut self, limit: u64) -> Result<Option<u8>, SimError> {
        if let Some(byte) = self.received.pop_front() {
            return Ok(Some(byte));
        }
        let end = self.model.cycles().saturating_add(limit);
        while self.model.cycles() < end {
            match self.step(end)? {
                None => {}
                Some(Received::Byte(byte) | Received::NoStopBit(byte)) => return Ok(Some(byte)),
            }
        }
        Ok(None)
    }

    /// Receives a byte.
    ///
    /// # Errors
    /// [`SimError::Hung`] when none arrives within `limit` clock cycles, [`SimError::Framing`] for
    /// a byte without a stop bit, or when an assertion of the RTL fails.
    pub fn receive(&mut self, limit: u64) -> Result<u8, SimError> {
        if let Some(byte) = self.received.pop_front() {
            return Ok(byte);
        }
        let end = self.model.cycles().saturating_add(limit);
        while self.model.cycles() < end {
            if let Some(byte) = self.framed(end)? {
                return Ok(byte);
            }
        }
        Err(SimError::Hung { limit })
    }

    /// Runs the model for `cycles` clock cycles. Bytes that it sends are kept for
    /// [`Port::receive`].
    ///
    /// # Errors
    /// [`SimError::Framing`] for a byte without a stop bit, or when an assertion of the RTL fails.
    pub fn advance(&mut self, cycles: u64) -> Result<(), SimError> {
        let end = self.model.cycles().saturating_add(cycles);
        while self.model.cycles() < end {
            let byte = self.framed(end)?;
            self.received.extend(byte);
        }
        Ok(())
    }

    /// As [`Self::step`], with an error for a byte without a stop bit.
    fn framed(&mut self, end: u64) -> Result<Option<u8>, SimError> {
        match self.step(end)? {
            None => Ok(None),
            Some(Received::Byte(byte)) => Ok(Some(byte)),
            Some(Received::NoStopBit(_)) => Err(SimError::Framing {
                cycle: self.model.cycles(),
            }),
        }
    }

    /// Runs the model to its next event, at most to the cycle `end`.
    fn step(&mut self, end: u64) -> Result<Option<Received>, SimError> {
        let begin = self.model.cycles();
        let mut left = end - begin;
        for countdown in [self.reset, self.pressed] {
            if countdown > 0 {
                left = left.min(countdown);
            }
        }
        let mut inputs = Inputs {
            rst_ni: self.reset == 0,
            buttons: if self.pressed > 0 { self.buttons } else { 0 },
            byte_link: self.pins.is_none(),
            byte_ready: self.pins.is_none(),
            ..Inputs::default()
        };
        let now = Time::from(begin) * TICK;
        let cycles = match &mut self.pins {
            None => {
                inputs.byte = self.queue.pop_front().and_then(|symbol| match symbol {
                    Symbol::Byte(byte) => Some(byte),
                    Symbol::Break => None,
                });
                if inputs.byte.is_some() { 1 } else { left }
            }
            // To the next edge or sample of either direction.
            Some(pins) => {
                let (level, edge) = pins.tx.drive(now, &mut self.queue);
                inputs.uart_rx = level;
                inputs.baud_inc = pins.baud_inc;
                let next = [edge, pins.rx.next_sample()].into_iter().flatten().min();
                next.map_or(left, |at| {
                    let cycles = at.saturating_sub(now).div_ceil(TICK).max(1);
                    u64::try_from(cycles).unwrap_or(left)
                })
            }
        };
        let outputs = self.model.run(&inputs, cycles.min(left))?;
        let now = Time::from(self.model.cycles()) * TICK;
        let seen = match &mut self.pins {
            None => outputs.byte.map(Received::Byte),
            Some(pins) => pins.rx.see(now, outputs.uart_tx),
        };
        self.busy = outputs.busy;
        let passed = self.model.cycles() - begin;
        self.reset = self.reset.saturating_sub(passed);
        self.pressed = self.pressed.saturating_sub(passed);
        if matches!(seen, Some(Received::NoStopBit(_))) {
            self.framing_errors += 1;
        }
        Ok(seen)
    }
}

/// Clock cycles for which a button of a simulated board is pressed, and then has to be released
/// before the next press: more than its models take to tell a press from a bounce (`-GSteady`).
pub const PRESS_CYCLES: u64 = 800;

/// Slowest rate of the host's end, in baud.
pub(crate) const SLOWEST_HOST: u32 = 50;

/// Twice the deviation at which a serial line fails, about 5 %.
const MAX_SKEW_PPM: u32 = 100_000;

fn pins(clock_hz: u32, baud: u32, skew_ppm: i32) -> Result<Pins, SimError> {
    if skew_ppm.unsigned_abs() > MAX_SKEW_PPM {
        return Err(SimError::Skew { skew_ppm });
    }
    let baud_inc = increment(baud, clock_hz)
        .filter(|_| baud >= MIN_BAUD)
        .ok_or(SimError::Baud { baud, clock_hz })?;
    let bit_time = bit_time(clock_hz, baud, skew_ppm);
    Ok(Pins {
        baud_inc,
        skew_ppm,
        tx: Transmitter::new(bit_time),
        rx: Receiver::new(bit_time),
    })
}

#[cfg(test)]
mod tests;
