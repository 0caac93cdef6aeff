//! Frames: their receiver, transmitter, memory and queue.

pub mod memory;
pub mod queue;
pub mod receiver;
pub mod transmitter;

/// CRC-32/ISO-HDLC, bit by bit from its definition: reflected, begun with ones,
/// complemented at the end.
pub fn crc32(bytes: &[u8]) -> u32 {
    let mut state = u32::MAX;
    for bit in bytes
        .iter()
        .flat_map(|byte| (0..8).map(move |k| byte >> k & 1))
    {
        let feedback = (state ^ u32::from(bit)) & 1;
        state = (state >> 1) ^ (feedback * 0xedb8_8320);
    }
    !state
}

/// What the four bytes of a CRC have to be changed by for a receiver's state after
/// them to differ in that bit alone.
pub fn error_of_bit(bit: u32) -> u32 {
    let mut state = 1 << bit;
    for _ in 0..32 {
        let feedback = state >> 31;
        state = ((state ^ (feedback * 0xedb8_8320)) << 1) | feedback;
    }
    state
}

/// Header, payload and CRC of a request.
pub fn request(seq: u16, kind: u8, payload: &[u8]) -> Vec<u8> {
    let [low, high] = seq.to_le_bytes();
    raw([low, high, kind], payload)
}

/// Header, payload and CRC of a frame.
pub fn raw(header: [u8; 3], payload: &[u8]) -> Vec<u8> {
    sealed([&header[..], payload].concat())
}

/// Bytes and their CRC.
pub fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let crc = crc32(&bytes);
    bytes.extend(crc.to_le_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value of the CRC catalogue.
    #[test]
    fn the_crc_has_its_check_value() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }
}
