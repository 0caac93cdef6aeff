//! Benches of the framing modules: receiver, transmitter, request memory and request queue.

pub mod memory;
pub mod queue;
pub mod receiver;
pub mod transmitter;

/// CRC-32/ISO-HDLC, bit by bit from its definition: reflected, initially ones, finally inverted.
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

/// The error in the CRC field that leaves a receiver's CRC state wrong in bit `bit` alone.
pub fn error_of_bit(bit: u32) -> u32 {
    let mut state = 1 << bit;
    for _ in 0..32 {
        let feedback = state >> 31;
        state = ((state ^ (feedback * 0xedb8_8320)) << 1) | feedback;
    }
    state
}

/// The raw bytes of a request: header, payload and CRC.
pub fn request(seq: u16, kind: u8, payload: &[u8]) -> Vec<u8> {
    let [low, high] = seq.to_le_bytes();
    raw([low, high, kind], payload)
}

/// The raw bytes of a frame: header, payload and CRC.
pub fn raw(header: [u8; 3], payload: &[u8]) -> Vec<u8> {
    with_crc([&header[..], payload].concat())
}

/// These bytes, followed by their CRC.
pub fn with_crc(mut bytes: Vec<u8>) -> Vec<u8> {
    let crc = crc32(&bytes);
    bytes.extend(crc.to_le_bytes());
    bytes
}
