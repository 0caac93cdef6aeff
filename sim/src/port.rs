//! A model with a host's end of its byte stream, in simulated time.

use std::collections::VecDeque;

use protocol::rate::increment;

use crate::model::{Inputs, Model, RESET_CYCLES};
use crate::pins::{MIN_BAUD, Received, Receiver, TICK, Time, Transmitter, bit_time};
use crate::{SimError, Variant};

/// Where the host's end is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Behind the UART: a byte a clock cycle.
    Bytes,
    /// At the pins, bit by bit.
    Pins {
        /// Rate of the RTL's UART, and of the host's end until
        /// [`Port::set_rate`].
        baud: u32,
        /// The host's rate against it, in millionths, up to a tenth either
        /// way: real clocks differ.
        skew_ppm: i32,
    },
}

enum Line {
    Bytes(VecDeque<u8>),
    Pins {
        baud_inc: u32,
        skew_ppm: i32,
        tx: Transmitter,
        rx: Receiver,
    },
}

/// A model and the bytes that go in and out of it. Time passes only in
/// [`Port::receive`], [`Port::exchange`] and [`Port::advance`].
pub struct Port {
    clock_hz: u32,
    model: Model,
    line: Line,
    /// Clock cycles that the reset is still to be held.
    reset: u64,
    /// Bytes that came while nobody waited, the first one first.
    received: VecDeque<u8>,
    framing_errors: u64,
}

impl Port {
    /// Makes a model, resets it and connects to it.
    ///
    /// # Errors
    /// When the model cannot be made or its clock does not allow the baud rate.
    pub fn open(variant: &'static Variant, depth: Depth) -> Result<Self, SimError> {
        Self::open_as(variant, depth, variant.build_id)
    }

    /// The same, of a core that says it is another build.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn open_as(
        variant: &'static Variant,
        depth: Depth,
        build_id: u32,
    ) -> Result<Self, SimError> {
        let line = match depth {
            Depth::Bytes => Line::Bytes(VecDeque::new()),
            Depth::Pins { baud, skew_ppm } => pins(variant.clock_hz, baud, skew_ppm)?,
        };
        Ok(Self {
            clock_hz: variant.clock_hz,
            model: Model::with_build_id(variant, build_id)?,
            line,
            reset: 0,
            received: VecDeque::new(),
            framing_errors: 0,
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

    /// Runs the host's end of the line at another rate from now on, as a serial
    /// adapter does; the RTL's own rate is its own affair. A byte that is on the
    /// line either way is damaged. Behind the UART there is no line, and nothing
    /// happens.
    ///
    /// # Errors
    /// When a bit would be shorter than a clock cycle, or the rate is below 50
    /// baud. The rate is then what it was.
    pub fn set_rate(&mut self, baud: u32) -> Result<(), SimError> {
        let clock_hz = self.clock_hz;
        if !(SLOWEST_HOST..=clock_hz).contains(&baud) {
            return Err(SimError::HostBaud { baud, clock_hz });
        }
        if let Line::Pins {
            skew_ppm, tx, rx, ..
        } = &mut self.line
        {
            let bit_time = bit_time(clock_hz, baud, *skew_ppm);
            tx.set_bit_time(bit_time);
            rx.set_bit_time(bit_time);
        }
        Ok(())
    }

    /// Presses the reset button: the model's reset is held for its next clock
    /// cycles. The line goes on, whatever is on it.
    pub fn reset(&mut self) {
        self.reset = RESET_CYCLES;
    }

    /// Bytes (and breaks) given to [`Port::send`] whose start bit is still to
    /// come.
    pub fn queued(&self) -> usize {
        match &self.line {
            Line::Bytes(queue) => queue.len(),
            Line::Pins { tx, .. } => tx.queued(),
        }
    }

    /// Forgets what is queued; a byte that has begun is finished.
    pub fn clear(&mut self) {
        match &mut self.line {
            Line::Bytes(queue) => queue.clear(),
            Line::Pins { tx, .. } => tx.clear(),
        }
    }

    /// Whether all that was sent has left the host's end, its last stop bit
    /// included.
    pub fn has_sent(&self) -> bool {
        match &self.line {
            Line::Bytes(queue) => queue.is_empty(),
            Line::Pins { tx, .. } => tx.is_idle(),
        }
    }

    /// Whether there is nothing to send, nothing on the line either way and
    /// nothing to be fetched. The model may be at work all the same.
    pub fn is_idle(&self) -> bool {
        let receiving = match &self.line {
            Line::Bytes(_) => false,
            Line::Pins { rx, .. } => !rx.is_idle(),
        };
        self.has_sent() && !receiving && self.received.is_empty()
    }

    /// Bytes that came without a stop bit.
    pub fn framing_errors(&self) -> u64 {
        self.framing_errors
    }

    /// The next byte the model sent, as a serial adapter has it: one without its
    /// stop bit is counted and given as it was sampled. `None` when none came
    /// within `limit` clock cycles.
    ///
    /// # Errors
    /// When the RTL stops itself.
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
            if let Some(byte) = self.framed(end)? {
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
            let byte = self.framed(end)?;
            self.received.extend(byte);
        }
        Ok(())
    }

    /// A step in which the model must not break the line's framing.
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
        let rst_ni = self.reset == 0;
        let left = match rst_ni {
            true => end - begin,
            false => self.reset.min(end - begin),
        };
        let seen = match &mut self.line {
            Line::Bytes(queue) => step_bytes(&mut self.model, rst_ni, queue, left),
            Line::Pins {
                baud_inc, tx, rx, ..
            } => step_pins(&mut self.model, rst_ni, *baud_inc, tx, rx, left),
        }?;
        self.reset = self.reset.saturating_sub(self.model.cycles() - begin);
        if matches!(seen, Some(Received::NoStopBit(_))) {
            self.framing_errors += 1;
        }
        Ok(seen)
    }
}

/// Slowest rate of the host's end, in baud.
pub(crate) const SLOWEST_HOST: u32 = 50;

/// No serial line works beyond some 5 %.
const MAX_SKEW_PPM: u32 = 100_000;

fn pins(clock_hz: u32, baud: u32, skew_ppm: i32) -> Result<Line, SimError> {
    if skew_ppm.unsigned_abs() > MAX_SKEW_PPM {
        return Err(SimError::Skew { skew_ppm });
    }
    let baud_inc = increment(baud, clock_hz)
        .filter(|_| baud >= MIN_BAUD)
        .ok_or(SimError::Baud { baud, clock_hz })?;
    let bit_time = bit_time(clock_hz, baud, skew_ppm);
    Ok(Line::Pins {
        baud_inc,
        skew_ppm,
        tx: Transmitter::new(bit_time),
        rx: Receiver::new(bit_time),
    })
}

fn step_bytes(
    model: &mut Model,
    rst_ni: bool,
    queue: &mut VecDeque<u8>,
    left: u64,
) -> Result<Option<Received>, SimError> {
    let byte = queue.pop_front();
    let inputs = Inputs {
        rst_ni,
        byte_link: true,
        byte,
        byte_ready: true,
        ..Inputs::default()
    };
    let cycles = if byte.is_some() { 1 } else { left };
    Ok(model.run(&inputs, cycles)?.byte.map(Received::Byte))
}

/// Runs to the next edge or sample of either direction.
fn step_pins(
    model: &mut Model,
    rst_ni: bool,
    baud_inc: u32,
    tx: &mut Transmitter,
    rx: &mut Receiver,
    left: u64,
) -> Result<Option<Received>, SimError> {
    let now = Time::from(model.cycles()) * TICK;
    let (level, edge) = tx.drive(now);
    let next = [edge, rx.due()].into_iter().flatten().min();
    let cycles = next.map_or(left, |at| {
        let cycles = at.saturating_sub(now).div_ceil(TICK).max(1);
        u64::try_from(cycles).unwrap_or(left)
    });
    let inputs = Inputs {
        rst_ni,
        baud_inc,
        uart_rx: level,
        ..Inputs::default()
    };
    let outputs = model.run(&inputs, cycles.min(left))?;
    Ok(rx.see(Time::from(model.cycles()) * TICK, outputs.uart_tx))
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

    const BAUD: u32 = 3_000_000;

    /// All that comes within so many cycles.
    fn exchanged(port: &mut Port, cycles: u64) -> Vec<u8> {
        let end = port.cycles() + cycles;
        let mut bytes = Vec::new();
        while port.cycles() < end {
            let left = end - port.cycles();
            bytes.extend(port.exchange(left).expect("running"));
        }
        bytes
    }

    /// An adapter at another rate sees garbage, and so does the core; back at
    /// the core's rate the line is as good as ever.
    #[test]
    fn another_rate_of_the_host_gives_garbage_and_the_right_one_mends_it() {
        let mut port = open(PINS);
        port.send(&request());
        let expected = receive_frame(&mut port);
        port.send(&request());
        assert_eq!(exchanged(&mut port, 40_000), expected);
        assert_eq!(port.framing_errors(), 0);

        // The question is asked at the right rate, the answer heard at a wrong one.
        for wrong in [BAUD / 2, BAUD * 3 / 2, 115_200, 100_000_000] {
            port.set_rate(BAUD).expect("a rate");
            port.send(&request());
            while !port.has_sent() {
                assert_eq!(port.exchange(1), Ok(None), "it answers too early");
            }
            port.set_rate(wrong).expect("a rate");
            let garbage = exchanged(&mut port, 80_000);
            assert_ne!(garbage, expected, "{wrong}");
            assert!(!garbage.is_empty(), "{wrong}");
        }
        assert!(port.framing_errors() > 0);

        // Asked at a wrong one, it does not answer.
        port.set_rate(115_200).expect("a rate");
        port.send(&request());
        assert_eq!(exchanged(&mut port, 400_000), []);
        port.set_rate(BAUD).expect("a rate");
        port.send(&request());
        assert_eq!(exchanged(&mut port, 40_000), expected);
    }

    /// What an adapter shrugs off is an error of the model where both ends are
    /// said to have one rate.
    #[test]
    fn a_broken_frame_is_an_error_unless_an_adapter_listens() {
        let mut port = open(PINS);
        port.send(&request());
        while !port.has_sent() {
            port.advance(1).expect("running");
        }
        port.set_rate(BAUD * 3 / 2).expect("a rate");
        let error = port.advance(80_000).expect_err("the stop bit is elsewhere");
        assert!(matches!(error, SimError::Framing { .. }), "{error}");
    }

    #[test]
    fn a_rate_the_host_cannot_have_is_refused_and_changes_nothing() {
        let mut port = open(PINS);
        for baud in [0, 49, 100_000_001, u32::MAX] {
            let error = port.set_rate(baud).expect_err("refused");
            assert!(matches!(error, SimError::HostBaud { .. }), "{error}");
        }
        port.send(&request());
        assert_eq!(receive_frame(&mut port).last(), Some(&0));
    }

    /// The reply to the request, behind its sequence number and type.
    fn info(port: &mut Port) -> protocol::payload::link::Info {
        port.send(&request());
        let mut decoder = protocol::Decoder::new();
        loop {
            let byte = port.receive(20_000).expect("a reply");
            if let Some(frame) = decoder.push(byte) {
                let payload = frame.expect("a frame").payload;
                return protocol::payload::link::Info::decode(payload).expect("info");
            }
        }
    }

    #[test]
    fn a_core_says_it_is_the_build_it_was_made_as() {
        let variant = &crate::variants()[0];
        let mut port = open(PINS);
        let own = info(&mut port);
        assert_eq!(own.build_id, variant.build_id);
        let mut port = Port::open_as(variant, PINS, 0x1234_5678).expect("a model");
        let other = info(&mut port);
        assert_eq!(other.build_id, 0x1234_5678);
        assert_eq!(
            protocol::payload::link::Info {
                build_id: own.build_id,
                ..other
            },
            own
        );
        // Nor does a reset make it another one.
        port.reset();
        port.advance(100).expect("running");
        assert_eq!(info(&mut port).build_id, 0x1234_5678);
    }

    /// In the middle of an answer: what was begun is not finished, and the next
    /// question is answered in full.
    #[test]
    fn a_reset_in_the_middle_of_anything_leaves_a_core_that_answers() {
        for depth in [Depth::Bytes, PINS] {
            let mut port = open(depth);
            port.send(&request());
            let expected = receive_frame(&mut port);
            let half = expected.len() / 2;

            port.send(&request());
            let mut begun = Vec::new();
            while begun.len() < half {
                begun.extend(port.exchange(20_000).expect("running"));
            }
            port.reset();
            let rest = exchanged(&mut port, 20_000);
            assert!(begun.len() + rest.len() < expected.len(), "{depth:?}");
            port.send(&request());
            assert_eq!(receive_frame(&mut port), expected, "{depth:?}");
        }
    }

    /// Queued, then on the line, then nowhere.
    #[test]
    fn what_is_queued_and_what_is_on_the_line_can_be_asked() {
        for depth in [Depth::Bytes, PINS] {
            let mut port = open(depth);
            assert!(port.is_idle() && port.has_sent());
            port.send(&request());
            assert_eq!(port.queued(), request().len());
            assert!(!port.is_idle() && !port.has_sent());
            receive_frame(&mut port);
            assert_eq!(port.queued(), 0);
            // The stop bit was only seen to begin.
            port.advance(100).expect("running");
            assert!(port.is_idle() && port.has_sent(), "{depth:?}");

            port.send(&request());
            port.advance(1).expect("running");
            port.clear();
            assert_eq!(port.queued(), 0);
            assert_eq!(exchanged(&mut port, 20_000), [], "{depth:?}");
        }
    }
}
