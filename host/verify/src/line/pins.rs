//! A whole core at its serial pins.

use protocol::rate;
use sim::{Inputs, Model, SimError, Start, Variant};

use super::{CLOCK, Judged, Time, Wave, bit_time, hear, judge};

/// A model, driven by waves; what it sends is recorded.
pub struct Pins {
    model: Model,
    inputs: Inputs,
    /// Length of a bit of its UART.
    bit: Time,
    /// Its edges since the record was taken last, and when that began.
    edges: Vec<Time>,
    since: u64,
    level: bool,
}

impl Pins {
    /// The game's model with that seeded fault or none, its base rate as given and
    /// what its registers hold at power-up drawn from a seed (0: zeros). The line
    /// is low in its reset.
    ///
    /// # Errors
    /// When there is no such model, or its clock does not allow the rate.
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

    /// Puts a wave on its receive pin.
    ///
    /// # Errors
    /// When the RTL stops itself.
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

    /// Lets the line be high for some bits.
    ///
    /// # Errors
    /// When the RTL stops itself.
    pub fn idle(&mut self, bits: u64) -> Result<(), SimError> {
        let mut wave = Wave::new(true);
        wave.hold(true, bits * self.bit);
        self.play(&wave)
    }

    /// Uses its reset pin for some cycles, on an idle line.
    ///
    /// # Errors
    /// When the RTL stops itself.
    pub fn reset(&mut self) -> Result<(), SimError> {
        self.inputs.rst_ni = false;
        let ended = self.idle(1);
        self.inputs.rst_ni = true;
        ended
    }

    /// What it has sent since this was asked last.
    pub fn take(&mut self) -> Wave {
        let end = (self.model.cycles() - self.since) * CLOCK;
        self.since = self.model.cycles();
        Wave::recorded(true, std::mem::take(&mut self.edges), end)
    }

    /// The frames it has sent since this was asked last, by its own clock. The
    /// line should have been idle for a byte.
    pub fn frames(&mut self) -> Vec<Judged> {
        let bit = self.bit;
        judge(&hear(&self.take(), bit))
    }
}
