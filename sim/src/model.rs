//! One instance of a model, clocked by hand.

use crate::ffi::{Handle, RawInputs, RawOutputs};
use crate::{SimError, Variant};

/// What drives the model's inputs during some clock cycles.
#[derive(Debug, Clone, Copy)]
pub struct Inputs {
    /// Active-low reset, `true` while running.
    pub rst_ni: bool,
    /// Phase increment a clock of the UART at its base rate, see
    /// [`protocol::rate::increment`].
    pub baud_inc: u32,
    /// Level of the receive pin.
    pub uart_rx: bool,
    /// Use the byte link instead of the pins.
    pub byte_link: bool,
    /// A byte for the byte link, taken in every cycle it is offered.
    pub byte: Option<u8>,
    /// Whether the byte link's output may be taken.
    pub byte_ready: bool,
}

impl Default for Inputs {
    /// Running, idle line, nothing offered.
    fn default() -> Self {
        Self {
            rst_ni: true,
            baud_inc: 0,
            uart_rx: true,
            byte_link: false,
            byte: None,
            byte_ready: false,
        }
    }
}

/// The model's outputs in the last clock cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outputs {
    /// Level of the transmit pin.
    pub uart_tx: bool,
    /// The byte on the byte link; taken if it was ready.
    pub byte: Option<u8>,
}

/// What a model begins with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Start {
    /// The build it says it is.
    pub build_id: u32,
    /// Seed of what its registers and memories hold before the reset; from 0 they
    /// hold zeros, those of a netlist what they hold in a chip. Only the lower 31 bits count.
    pub power_up: u32,
}

impl Start {
    /// As the model is, from 0.
    pub fn of(variant: &Variant) -> Self {
        Self {
            build_id: variant.build_id,
            power_up: 0,
        }
    }
}

/// One instance of a model.
pub struct Model {
    handle: Handle,
    build_id: u32,
    cycles: u64,
}

/// Cycles the reset is held: more than any pipeline of the design is deep.
pub(crate) const RESET_CYCLES: u64 = 8;

impl Model {
    /// Makes an instance and takes it through reset.
    ///
    /// # Errors
    /// When it cannot be made or stops itself in reset.
    pub fn new(variant: &'static Variant) -> Result<Self, SimError> {
        Self::started(variant, Start::of(variant))
    }

    /// The same, not started as it usually is.
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn started(variant: &'static Variant, start: Start) -> Result<Self, SimError> {
        let Start { build_id, power_up } = start;
        let handle = Handle::new(variant.api, variant.fault_number, power_up);
        let mut model = Self {
            handle: handle.ok_or(SimError::Create)?,
            build_id,
            cycles: 0,
        };
        let reset = Inputs {
            rst_ni: false,
            ..Inputs::default()
        };
        for end in [RESET_CYCLES / 2, RESET_CYCLES] {
            while model.cycles < end {
                model.run(&reset, end - model.cycles)?;
            }
            model.handle.assert();
        }
        Ok(model)
    }

    /// Clock cycles since power-up.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    /// Clocks the model with the same inputs for up to `max_cycles` cycles.
    /// Stops after a cycle with a byte on the byte link, or in which the
    /// transmit pin changed.
    ///
    /// # Errors
    /// When the RTL stops itself.
    pub fn run(&mut self, inputs: &Inputs, max_cycles: u64) -> Result<Outputs, SimError> {
        let raw = RawInputs {
            baud_inc: inputs.baud_inc,
            build_id: self.build_id,
            rst_ni: inputs.rst_ni.into(),
            uart_rx: inputs.uart_rx.into(),
            byte_link: inputs.byte_link.into(),
            byte_valid: inputs.byte.is_some().into(),
            byte_data: inputs.byte.unwrap_or(0),
            byte_ready: inputs.byte_ready.into(),
        };
        let mut out = RawOutputs::default();
        self.handle
            .run(&raw, &mut out, max_cycles, &mut self.cycles)
            .map_err(|why| SimError::Stopped {
                cycle: self.cycles,
                why,
            })?;
        Ok(Outputs {
            uart_tx: out.uart_tx != 0,
            byte: (out.byte_valid != 0).then_some(out.byte_data),
        })
    }
}

#[cfg(test)]
mod tests {
    use protocol::layout::{Message, link};
    use protocol::payload::link::{Info, Ping, SetRate};
    use protocol::{Decoder, Frame, frame};

    use super::*;

    const MODEL: &Variant = &crate::linked::VARIANTS[0];

    /// Asks over the byte link. The payload of the answer, and the clock cycles
    /// from the request's delimiter to the answer's first byte.
    fn ask(model: &mut Model, message: &Message, payload: &[u8]) -> (Vec<u8>, u64) {
        let kind = message.id;
        let request = Frame {
            seq: 1,
            kind,
            payload,
        };
        let wire = frame::encode(&request).expect("short");
        let mut inputs = Inputs {
            byte_link: true,
            byte_ready: true,
            ..Inputs::default()
        };
        for byte in wire.as_ref() {
            inputs.byte = Some(*byte);
            model.run(&inputs, 1).expect("it runs");
        }
        inputs.byte = None;
        let asked = model.cycles();
        let mut took = None;
        let mut decoder = Decoder::new();
        loop {
            let byte = model.run(&inputs, 1_000).expect("it runs").byte;
            took = took.or(Some(model.cycles() - asked));
            if let Some(answer) = decoder.push(byte.expect("an answer")) {
                let payload = answer.expect("a frame").payload.to_vec();
                return (payload, took.unwrap_or_default());
            }
        }
    }

    #[test]
    fn a_core_is_the_build_it_is_told_to_be() {
        let told = |mut model: Model| {
            let (payload, _) = ask(&mut model, &link::INFO, &[]);
            Info::decode(&payload).expect("its payload").build_id
        };
        let model = Model::new(MODEL).expect("a model");
        assert_eq!(told(model), MODEL.build_id);
        for build_id in [0, 0x0123_4567, u32::MAX] {
            let start = Start {
                build_id,
                ..Start::of(MODEL)
            };
            let model = Model::started(MODEL, start).expect("a model");
            assert_eq!(told(model), build_id);
        }
    }

    /// What `docs/wire.md` says of the link's requests.
    #[test]
    fn an_answer_takes_as_long_as_the_document_says() {
        let mut model = Model::new(MODEL).expect("a model");
        let ping = Ping { nonce: 7 }.encode();
        let rate = |increment| SetRate { increment }.encode();
        let (good, bad) = (rate(link::MIN_INCREMENT), rate(0));
        let requests: [(&Message, &[u8], usize, u64); 7] = [
            (&link::INFO, &[], 24, 0),
            (&link::STATS, &[], 16, 0),
            (&link::INFO, &[0], 2, 0),
            (&link::RESET, &[], 0, 0),
            (&link::PING, ping.as_ref(), 8, 10),
            (&link::SET_RATE, good.as_ref(), 0, 8),
            (&link::SET_RATE, bad.as_ref(), 2, 8),
        ];
        for (message, payload, bytes, more) in requests {
            let (answer, took) = ask(&mut model, message, payload);
            assert_eq!(answer.len(), bytes, "{message:?}");
            assert_eq!(took, 17 + bytes as u64 + more, "{message:?}");
        }
    }
}
