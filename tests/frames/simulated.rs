//! A simulated core at the end of a line, without the host's client.

use protocol::Decoder;
use protocol::layout::{REPLY, link, tetris};
use protocol::payload::link::Refusal;
use sim::{Depth, Port, SimError, Start, Variant};

/// Clock cycles of silence after which a reply is missing: longer than any decision, and than a
/// byte at the pins.
pub const SILENCE: u64 = 3_000;
/// The same during a stream: longer than the decisions of a part.
pub const SILENCE_OF_PARTS: u64 = 20_000;
/// Clock cycles of silence after the last reply that is expected. One that comes later is met by the
/// next exchange.
const SILENCE_AFTER: u64 = 300;
/// Bytes after which a core does not stop sending: more than all replies to the golden frames.
const MAX_BYTES: usize = 1 << 16;

/// A frame as received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    pub seq: u16,
    pub kind: u8,
    pub payload: Vec<u8>,
}

impl Received {
    /// Whether it refuses as busy the request with this reply.
    pub fn is_busy_for(&self, reply: u8) -> bool {
        let refused = self.kind == link::ERROR.id;
        let refusal = || Refusal::decode(&tetris::GAME, &self.payload).expect("an error's payload");
        let is_busy = |r: Refusal| r.code == link::BUSY && r.request | REPLY == reply;
        refused && is_busy(refusal())
    }
}

pub struct Core {
    port: Port,
    decoder: Decoder,
    /// Maximum clock cycles of a byte to the core.
    byte_cycles: u64,
}

impl Core {
    /// Powers up a core or its netlist; with a seed that is not 0, its registers are random.
    pub fn powered_up(variant: &'static Variant, depth: Depth, power_up: u32) -> Self {
        let byte_cycles = match depth {
            Depth::Bytes => 1,
            // Ten bits, and a host that may be slow.
            Depth::Pins { baud, .. } => u64::from(variant.clock_hz / baud + 1) * 11,
        };
        let start = Start {
            power_up,
            ..Start::of(variant)
        };
        let port = Port::open_started(variant, depth, start);
        Self {
            port: port.unwrap_or_else(|e| panic!("{depth:?}: {e}")),
            decoder: Decoder::new(),
            byte_cycles,
        }
    }

    /// Sends bytes and receives frames until the core is silent for `silence` clock cycles, or
    /// for [`SILENCE_AFTER`] once as many frames as expected have come.
    ///
    /// # Errors
    /// When a byte of the core belongs to no good frame.
    pub fn exchange(
        &mut self,
        bytes: &[u8],
        expected: usize,
        silence: u64,
    ) -> Result<Vec<Received>, String> {
        self.port.send(bytes);
        let sending = bytes.len() as u64 * self.byte_cycles;
        let mut frames = Vec::new();
        for _ in 0..MAX_BYTES {
            let silence = match frames.len() < expected {
                true => silence,
                false => SILENCE_AFTER,
            };
            match self.port.receive(sending + silence) {
                Ok(byte) => {
                    if let Some(frame) = self.decoder.push(byte) {
                        let frame = frame.map_err(|e| format!("the core sent no frame: {e}"))?;
                        frames.push(Received {
                            seq: frame.seq,
                            kind: frame.kind,
                            payload: frame.payload.to_vec(),
                        });
                    }
                }
                Err(SimError::Hung { .. }) if self.decoder.is_mid_frame() => {
                    return Err("the core stopped in a frame".into());
                }
                Err(SimError::Hung { .. }) => return Ok(frames),
                Err(e) => panic!("{e}"),
            }
        }
        Err("the core does not stop sending".into())
    }
}
