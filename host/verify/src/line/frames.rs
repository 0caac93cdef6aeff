//! Decodes frames from received bytes, by the rules of `docs/wire.md`.

use protocol::frame::{DELIMITER, Decoder, FrameError};

use super::{Event, TimedEvent};

/// The content between two delimiters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FrameResult {
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
    /// It is not a frame.
    Malformed,
    /// Bytes that the receiver could not decide, see [`Event::Unsure`].
    Unsure,
}

/// The numbers of good frames, wrong CRCs, malformed frames and unsure contents.
pub fn tally(results: &[FrameResult]) -> [u32; 4] {
    let mut counts = [0; 4];
    for result in results {
        counts[match result {
            FrameResult::Good { .. } => 0,
            FrameResult::BadCrc => 1,
            FrameResult::Malformed => 2,
            FrameResult::Unsure => 3,
        }] += 1;
    }
    counts
}

/// Decodes the frames of a line, up to the last delimiter.
pub fn frame_results(events: &[TimedEvent]) -> Vec<FrameResult> {
    let mut results = Vec::new();
    let (mut bytes, mut damaged, mut unsure) = (Vec::new(), false, false);
    for events in events {
        match events.event {
            Event::Break => {}
            Event::Unsure => unsure = true,
            Event::Byte(DELIMITER, stop) => {
                let frame = match (bytes.is_empty(), damaged || !stop) {
                    _ if unsure => Some(FrameResult::Unsure),
                    (true, _) => None,
                    (false, true) => Some(FrameResult::Malformed),
                    (false, false) => Some(frame(&bytes)),
                };
                results.extend(frame);
                bytes.clear();
                (damaged, unsure) = (false, false);
            }
            Event::Byte(byte, stop) => {
                bytes.push(byte);
                damaged |= !stop;
            }
        }
    }
    results
}

/// Decodes undamaged bytes between two delimiters.
fn frame(bytes: &[u8]) -> FrameResult {
    let mut decoder = Decoder::new();
    for byte in bytes {
        decoder.push(*byte);
    }
    match decoder.push(DELIMITER) {
        Some(Ok(frame)) => FrameResult::Good {
            seq: frame.seq,
            kind: frame.kind,
            payload: frame.payload.to_vec(),
        },
        Some(Err(FrameError::Crc { .. })) => FrameResult::BadCrc,
        _ => FrameResult::Malformed,
    }
}
