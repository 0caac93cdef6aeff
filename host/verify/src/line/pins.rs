//! A whole core at its serial pins.

use protocol::rate;
use sim::{Inputs, Model, SimError, Start, Variant};

use super::{CLOCK, FrameResult, Time, Wave, bit_time, frame_results, receive};

/// A model driven by waves, whose transmit pin is recorded.
pub struct Pins {
    model: Model,
    inputs: Inputs,
    /// Length of a bit of the model's UART.
    bit: Time,
    /// Edges of the recording, and the cycle of its beginning.
    edges: Vec<Time>,
    since: u64,
    level: bool,
}

impl Pins {
    /// A core with this base rate, in baud, and registers from the seed `power_up` (0: zeros).
    ///
    /// # Errors
    /// When the core's clock does not allow the rate.
    pub fn open(variant: &'static Variant, baud: u32, power_up: u32) -> Result<Self, SimError> {
        let clock_hz = variant.clock_hz;
        let increment = rate::increment(baud, clock_hz);
        let increment = increment.ok_or(SimError::Baud { baud, clock_hz })?;
        let start = Start {
            power_up,
            ..Start::of(variant)
        };
        let model = Model::started(variant, start)?;
        let inputs = Inputs {
            baud_inc: increment,
            ..Inputs::default()
        };
        Ok(Self {
            since: model.cycles(),
            model,
            inputs,
            bit: bit_time(increment),
            edges: Vec::new(),
            level: true,
        })
    }

    /// Length of a bit of its UART.
    pub fn bit(&self) -> Time {
        self.bit
    }

    /// Clock cycles since power-up.
    pub fn cycles(&self) -> u64 {
        self.model.cycles()
    }

    /// Drives the receive pin with a wave.
    ///
    /// # Errors
    /// When an assertion of the RTL fails.
    pub fn play(&mut self, wave: &Wave) -> Result<(), SimError> {
        for (level, clocks) in wave.clocked() {
            self.inputs.uart_rx = level;
            let end = self.model.cycles() + clocks;
            while self.model.cycles() < end {
                let left = end - self.model.cycles();
                let level = self.model.run(&self.inputs, left)?.uart_tx;
                if level != self.level {
                    self.level = level;
                    self.edges.push((self.model.cycles() - self.since) * CLOCK);
                }
            }
        }
        Ok(())
    }

    /// Holds the line high for some bits.
    ///
    /// # Errors
    /// When an assertion of the RTL fails.
    pub fn idle(&mut self, bits: u64) -> Result<(), SimError> {
        let mut wave = Wave::new(true);
        wave.hold(true, bits * self.bit);
        self.play(&wave)
    }

    /// The recording of the transmit pin since the last call.
    pub fn take(&mut self) -> Wave {
        let end = (self.model.cycles() - self.since) * CLOCK;
        self.since = self.model.cycles();
        Wave::recorded(true, std::mem::take(&mut self.edges), end)
    }

    /// The frames sent since the last call, with the core's bit length. The line should have been
    /// idle for a byte.
    pub fn frames(&mut self) -> Vec<FrameResult> {
        let bit = self.bit;
        frame_results(&receive(&self.take(), bit))
    }
}
