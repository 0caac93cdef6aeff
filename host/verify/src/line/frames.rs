//! Frames of what was heard, by the rules of `docs/wire.md`.

use protocol::frame::{DELIMITER, Decoder, FrameError};

use super::{Heard, What};

/// What lay between two delimiters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judged {
    /// A good frame.
    Good {
        /// Its sequence number.
        seq: u16,
        /// Its message's number.
        kind: u8,
        /// Its payload.
        payload: Vec<u8>,
    },
    /// The CRC does not match.
    BadCrc,
    /// It is no frame.
    Malformed,
    /// Some of it could not be known.
    Unsure,
}

/// How many there were of each.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Good frames.
    pub good: u32,
    /// Frames with a wrong CRC.
    pub bad_crc: u32,
    /// What was no frame.
    pub malformed: u32,
    /// Places where frames may have been.
    pub unsure: u32,
}

impl Tally {
    /// Counts what was judged.
    pub fn of(judged: &[Judged]) -> Self {
        let mut tally = Self::default();
        for one in judged {
            *match one {
                Judged::Good { .. } => &mut tally.good,
                Judged::BadCrc => &mut tally.bad_crc,
                Judged::Malformed => &mut tally.malformed,
                Judged::Unsure => &mut tally.unsure,
            } += 1;
        }
        tally
    }
}

/// What a line's bytes make, what is behind the last delimiter left out.
pub fn judge(heard: &[Heard]) -> Vec<Judged> {
    let mut judged = Vec::new();
    let (mut bytes, mut damaged, mut unsure) = (Vec::new(), false, false);
    for heard in heard {
        match heard.what {
            What::Break => {}
            What::Unsure => unsure = true,
            What::Byte(DELIMITER, stop) => {
                let frame = match (bytes.is_empty(), damaged || !stop) {
                    _ if unsure => Some(Judged::Unsure),
                    (true, _) => None,
                    (false, true) => Some(Judged::Malformed),
                    (false, false) => Some(frame(&bytes)),
                };
                judged.extend(frame);
                bytes.clear();
                (damaged, unsure) = (false, false);
            }
            What::Byte(byte, stop) => {
                bytes.push(byte);
                damaged |= !stop;
            }
        }
    }
    judged
}

/// Undamaged bytes between two delimiters.
fn frame(bytes: &[u8]) -> Judged {
    let mut decoder = Decoder::new();
    for byte in bytes {
        decoder.push(*byte);
    }
    match decoder.push(DELIMITER) {
        Some(Ok(frame)) => Judged::Good {
            seq: frame.seq,
            kind: frame.kind,
            payload: frame.payload.to_vec(),
        },
        Some(Err(FrameError::Crc { .. })) => Judged::BadCrc,
        _ => Judged::Malformed,
    }
}
