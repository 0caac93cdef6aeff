//! Frames: `COBS(seq u16 | type u8 | payload | CRC-32) 00`, little-endian.
//!
//! COBS leaves no zero inside a frame, so a zero byte always ends a frame: after a lost or damaged
//! byte the receiver resynchronises at the next zero. Zeros between frames are ignored. The CRC is
//! CRC-32/ISO-HDLC, as in Ethernet and zip, over sequence number, type and payload. A reply has the
//! sequence number of its request.

use crc::{CRC_32_ISO_HDLC, Crc};

use crate::layout::MAX_PAYLOAD;

/// Bytes of a frame around its payload, before COBS.
pub const OVERHEAD: usize = 7;
/// Longest frame before COBS, in bytes.
pub const MAX_RAW: usize = MAX_PAYLOAD + OVERHEAD;
/// Longest frame on the wire, in bytes: COBS adds one byte to up to 254, the delimiter is another.
pub const MAX_WIRE: usize = MAX_RAW + 2;
/// The byte that ends a frame.
pub const DELIMITER: u8 = 0;

const CRC: Crc<u32> = Crc::<u32>::new(&CRC_32_ISO_HDLC);

/// The CRC-32 of the concatenated parts.
pub fn checksum(parts: &[&[u8]]) -> u32 {
    let mut digest = CRC.digest();
    parts.iter().for_each(|part| digest.update(part));
    digest.finalize()
}

/// A frame before encoding, or after decoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Sequence number; a reply has that of its request.
    pub seq: u16,
    /// Message number of the tables in [`crate::layout`].
    pub kind: u8,
    /// Payload, at most [`MAX_PAYLOAD`] bytes.
    pub payload: &'a [u8],
}

/// Why bytes between two delimiters are not a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// More bytes than the longest frame.
    #[error("frame longer than {MAX_RAW} bytes")]
    TooLong,
    /// A COBS group extends past the delimiter.
    #[error("frame cut short or not COBS")]
    Cobs,
    /// Fewer bytes than a frame with an empty payload has.
    #[error("frame of {got} bytes, expected at least {OVERHEAD}")]
    TooShort {
        /// Bytes after COBS decoding.
        got: usize,
    },
    /// The CRC does not match.
    #[error("frame with CRC {got:08x}, expected {expected:08x}")]
    Crc {
        /// Computed over the received bytes.
        expected: u32,
        /// The frame's CRC field.
        got: u32,
    },
}

/// The payload is longer than [`MAX_PAYLOAD`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("payload of {got} bytes, expected at most {MAX_PAYLOAD}")]
pub struct PayloadTooLong {
    /// Length of the payload in bytes.
    pub got: usize,
}

/// An encoded frame, delimiter included.
#[derive(Debug, Clone, Copy)]
pub struct EncodedFrame {
    bytes: [u8; MAX_WIRE],
    len: usize,
}

impl AsRef<[u8]> for EncodedFrame {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// Encodes a frame, delimiter included.
///
/// ```
/// use lockstep_protocol::frame::{self, Frame};
///
/// let wire = frame::encode(&Frame { seq: 1, kind: 0x02, payload: &[] })?;
/// assert_eq!(wire.as_ref().len(), 9); // 7 bytes, one of COBS, the delimiter
/// assert_eq!(wire.as_ref().last(), Some(&0));
/// # Ok::<(), frame::PayloadTooLong>(())
/// ```
///
/// # Errors
/// When the payload is longer than [`MAX_PAYLOAD`].
pub fn encode(frame: &Frame<'_>) -> Result<EncodedFrame, PayloadTooLong> {
    let n = frame.payload.len();
    if n > MAX_PAYLOAD {
        return Err(PayloadTooLong { got: n });
    }
    let mut raw = [0; MAX_RAW];
    raw[..2].copy_from_slice(&frame.seq.to_le_bytes());
    raw[2] = frame.kind;
    raw[3..3 + n].copy_from_slice(frame.payload);
    let crc = CRC.checksum(&raw[..3 + n]);
    raw[3 + n..OVERHEAD + n].copy_from_slice(&crc.to_le_bytes());

    let mut bytes = [0; MAX_WIRE];
    // COBS adds a single byte to fewer than 255.
    let len = cobs::encode(&raw[..OVERHEAD + n], &mut bytes);
    bytes[len] = DELIMITER;
    Ok(EncodedFrame {
        bytes,
        len: len + 1,
    })
}

/// Finds frames in a stream of bytes, one byte at a time.
///
/// ```
/// use lockstep_protocol::{Decoder, FrameError};
///
/// let mut decoder = Decoder::new();
/// assert_eq!(decoder.push(0), None); // idle
/// assert_eq!(decoder.push(0x05), None); // a group of four bytes
/// assert_eq!(decoder.push(0x11), None);
/// assert_eq!(decoder.push(0), Some(Err(FrameError::Cobs))); // ends after one
/// ```
#[derive(Debug, Clone)]
pub struct Decoder {
    buffer: [u8; MAX_RAW + 1],
    len: usize,
    overflow: bool,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Decoder {
    /// A decoder that has received nothing.
    pub const fn new() -> Self {
        Self {
            buffer: [0; MAX_RAW + 1],
            len: 0,
            overflow: false,
        }
    }

    /// Takes the next byte, and returns the frame that it completes.
    ///
    /// `None` inside and between frames. After an error the decoder is ready for the next frame.
    pub fn push(&mut self, byte: u8) -> Option<Result<Frame<'_>, FrameError>> {
        if byte != DELIMITER {
            match self.buffer.get_mut(self.len) {
                Some(free) => {
                    *free = byte;
                    self.len += 1;
                }
                None => self.overflow = true,
            }
            return None;
        }
        let (len, overflow) = (self.len, self.overflow);
        self.len = 0;
        self.overflow = false;
        if overflow {
            return Some(Err(FrameError::TooLong));
        }
        (len > 0).then(|| decode(&mut self.buffer[..len]))
    }

    /// Whether the decoder holds bytes of an incomplete frame.
    pub fn is_mid_frame(&self) -> bool {
        self.len > 0
    }
}

fn decode(bytes: &mut [u8]) -> Result<Frame<'_>, FrameError> {
    let len = cobs::decode_in_place(bytes).map_err(|_| FrameError::Cobs)?;
    if len < OVERHEAD {
        return Err(FrameError::TooShort { got: len });
    }
    let (body, tail) = bytes[..len].split_at(len - 4);
    let expected = CRC.checksum(body);
    let got = u32::from_le_bytes([tail[0], tail[1], tail[2], tail[3]]);
    if got != expected {
        return Err(FrameError::Crc { expected, got });
    }
    Ok(Frame {
        seq: u16::from_le_bytes([body[0], body[1]]),
        kind: body[2],
        payload: &body[3..],
    })
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    type Owned = Result<(u16, u8, Vec<u8>), FrameError>;

    fn decode_all(decoder: &mut Decoder, bytes: &[u8]) -> Vec<Owned> {
        let mut frames = Vec::new();
        for &byte in bytes {
            if let Some(result) = decoder.push(byte) {
                frames.push(result.map(|f| (f.seq, f.kind, f.payload.to_vec())));
            }
        }
        frames
    }

    #[test]
    fn encode_payload_too_long_errs() {
        let payload = [1; MAX_PAYLOAD + 1];
        let frame = Frame {
            seq: 0,
            kind: 1,
            payload: &payload,
        };
        assert_eq!(
            encode(&frame).unwrap_err(),
            PayloadTooLong {
                got: MAX_PAYLOAD + 1
            }
        );
    }

    #[test]
    fn decoder_is_mid_frame_until_delimiter() {
        let mut decoder = Decoder::new();
        let long = [1; MAX_RAW + 2];
        for (bytes, expected) in [
            (&[0][..], false),
            (&[5], true),
            (&long, true),
            (&[0], false),
        ] {
            decode_all(&mut decoder, bytes);
            assert_eq!(decoder.is_mid_frame(), expected, "{bytes:?}");
        }
    }

    proptest! {
        #[test]
        fn frame_encoded_decodes_to_itself(
            seq: u16, kind: u8,
            payload in prop::collection::vec(any::<u8>(), 0..=MAX_PAYLOAD),
        ) {
            let wire = encode(&Frame { seq, kind, payload: &payload }).unwrap();
            let (last, inside) = wire.as_ref().split_last().unwrap();
            prop_assert_eq!(*last, DELIMITER);
            prop_assert!(!inside.contains(&DELIMITER));
            let frames = decode_all(&mut Decoder::new(), wire.as_ref());
            prop_assert_eq!(frames, [Ok((seq, kind, payload))]);
        }

        #[test]
        fn decoder_after_noise_finds_next_frame(
            noise in prop::collection::vec(
                prop_oneof![4 => any::<u8>(), 1 => Just(0u8), 1 => 0u8..8], 0..600),
            payload in prop::collection::vec(any::<u8>(), 0..=MAX_PAYLOAD),
        ) {
            let mut decoder = Decoder::new();
            decode_all(&mut decoder, &noise);
            decode_all(&mut decoder, &[DELIMITER]);
            prop_assert!(!decoder.is_mid_frame());
            let wire = encode(&Frame { seq: 9, kind: 3, payload: &payload }).unwrap();
            prop_assert_eq!(
                decode_all(&mut decoder, wire.as_ref()),
                [Ok((9, 3, payload))]
            );
        }

        /// The decoder against the definition of COBS, group by group.
        #[test]
        fn decoder_random_groups_follow_definition(
            bytes in prop::collection::vec(
                prop_oneof![3 => 1u8..12, 1 => 1u8..=255], 1..200),
        ) {
            let mut raw = Some(Vec::new());
            let mut rest = bytes.as_slice();
            while let (Some((&code, tail)), Some(out)) = (rest.split_first(), raw.as_mut()) {
                let n = usize::from(code) - 1;
                if tail.len() < n {
                    raw = None;
                    break;
                }
                out.extend_from_slice(&tail[..n]);
                rest = &tail[n..];
                if code != 255 && !rest.is_empty() {
                    out.push(0);
                }
            }
            let mut stream = bytes.clone();
            stream.push(DELIMITER);
            let got = decode_all(&mut Decoder::new(), &stream);
            let expected = match raw {
                _ if bytes.len() > MAX_RAW + 1 => Err(FrameError::TooLong),
                None => Err(FrameError::Cobs),
                Some(raw) if raw.len() < OVERHEAD => Err(FrameError::TooShort { got: raw.len() }),
                Some(raw) => {
                    let (body, tail) = raw.split_at(raw.len() - 4);
                    let crc = u32::from_le_bytes(tail.try_into().unwrap());
                    let computed = CRC.checksum(body);
                    if crc == computed {
                        Ok((u16::from_le_bytes([body[0], body[1]]), body[2], body[3..].to_vec()))
                    } else {
                        Err(FrameError::Crc { expected: computed, got: crc })
                    }
                }
            };
            prop_assert_eq!(got, [expected]);
        }
    }
}
